extension TaxonTable {
  /// Writes the ids of taxa: PACK.md section 6.
  func writeIDs<Output: SectionOutput & ~Copyable>(_ rows: [UInt32], to file: inout Output)
    throws(Output.Failure)
  {
    let values = rows.map { ids[Int($0)] }
    let encoded = EncodedSection.based(values)
    let base = encoded.base
    try file.write(.idValue, encoded)
    var taxa = [UInt32](0..<UInt32(values.count))
    taxa.sort { values[Int($0)] < values[Int($1)] }
    try file.write(.idOrder, .packed(taxa))

    // About eight ids a bucket.
    let keys = taxa.map { UInt64(bitPattern: values[Int($0)] &- base) }
    let greatest = keys.last ?? 0
    var shift = 0
    let bucketCount = UInt64(max(1, values.count / 8))
    while shift < 63, greatest >> UInt64(shift) >= bucketCount { shift += 1 }
    var starts = [UInt32](repeating: 0, count: Int(greatest >> UInt64(shift)) + 2)
    for key in keys { starts[Int(key >> UInt64(shift)) + 1] += 1 }
    for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
    var directory = EncodedSection.packed(starts)
    directory.parameter = shift
    try file.write(.idDirectory, directory)
  }
}

/// The ids of the source and the taxa that they stand for: PACK.md section 6.
public struct IDView: ~Escapable {
  /// Whether the source writes ids as texts; a `TaxonID` is then only what stands for one here.
  public let areTexts: Bool
  private let hasImpliedRoot: Bool
  private let values: PackedColumn
  private let order: PackedColumn
  private let directory: PackedColumn
  private let shift: UInt64
  private let merged: PackedColumn
  private let mergedInto: PackedColumn
  private let deleted: PackedColumn
  private let texts: FrontCodedTexts
  private let nameTaxon: MonotoneColumn
  private let ownIDs: OwnIDView

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, header: Header, directory: borrowing Directory) {
    areTexts = header.hasTextIDs
    hasImpliedRoot = header.hasImpliedRoot
    values = bytes.packed(.idValue, directory)
    order = bytes.packed(.idOrder, directory)
    self.directory = bytes.packed(.idDirectory, directory)
    shift = UInt64(truncatingIfNeeded: directory[.idDirectory].parameter & 63)
    merged = bytes.packed(.mergedID, directory)
    mergedInto = bytes.packed(.mergedInto, directory)
    deleted = bytes.packed(.deletedID, directory)
    texts = FrontCodedTexts(
      bytes.section(.idText, directory), blocks: bytes.packed(.idBlocks, directory))
    nameTaxon = bytes.monotone(.nameTaxon, directory)
    ownIDs = OwnIDView(bytes, directory: directory)
  }

  /// The number of ids that stand for another taxon now.
  public var mergedCount: Int { merged.count }
  /// The number of ids that stand for nothing any more.
  public var deletedCount: Int { deleted.count }

  /// What stands for `taxon`: the number that the source writes, or the key of its text.
  ///
  /// - Complexity: O(1)
  public subscript(taxon: TaxonOrdinal) -> TaxonID {
    TaxonID(rawValue: values.signed(taxon.index))
  }

  /// Whether any id is a text or its key: of a taxon, of a name, or a retired one.
  ///
  /// - Complexity: O(1)
  var haveTexts: Bool {
    areTexts || Self.endsInText(merged) || Self.endsInText(deleted)
      || values.count > 0
        && TaxonID(rawValue: values.signed(order[values.count &- 1])).standsForText
  }

  /// Whether the greatest of some ids, which ascend, stands for a text.
  private static func endsInText(_ ids: borrowing PackedColumn) -> Bool {
    ids.count > 0 && TaxonID(rawValue: ids.signed(ids.count &- 1)).standsForText
  }

  /// What `id` stands for; of a name with this own id that is used for several taxa, the first.
  ///
  /// - Complexity: O(1) where ids are spread evenly, O(log n) at worst.
  public func resolve(_ id: TaxonID) -> TaxonResolution {
    if let taxon = taxon(id) { return .found(taxon) }
    if let row = Self.find(id, in: merged) {
      let taxon = self.taxon(ofMerged: row)
      return name(ofMerged: row).map { .synonym(taxon, $0) } ?? .merged(taxon)
    }
    return Self.find(id, in: deleted) == nil ? .notFound : .deleted
  }

  /// The taxon with this id itself, merged ids apart.
  public func taxon(_ id: TaxonID) -> TaxonOrdinal? {
    let key = key(id.rawValue)
    let rows = rows(ofBucketWith: id.rawValue)
    var (low, high) = (rows.lowerBound, rows.upperBound)
    while low < high {
      let middle = (low &+ high) &>> 1
      if values.raw(order[middle]) < key { low = middle &+ 1 } else { high = middle }
    }
    guard low < values.count else { return nil }
    let index = order[low]
    guard index < values.count, values.raw(index) == key else { return nil }
    return TaxonOrdinal(index)
  }

  /// The taxa with some ids themselves, merged ids apart, as raw values: `UInt32.max` for what is no id of a taxon.
  ///
  /// Sixteen at once, each a step further: they wait for memory together, and not in turn.
  ///
  /// - Precondition: there are as many `taxa` as `ids`.
  /// - Complexity: that of `taxon` for each, in a part of the time.
  public func taxa(_ ids: Span<Int64>, into taxa: inout MutableSpan<UInt32>) {
    let laneCount = 16
    var lower = [Int](repeating: 0, count: laneCount)
    var upper = lower
    var start = 0
    while start < ids.count {
      let count = min(laneCount, ids.count &- start)
      var widest = 0
      for lane in 0..<count {
        let rows = rows(ofBucketWith: ids[start &+ lane])
        lower[lane] = rows.lowerBound
        upper[lane] = rows.upperBound
        widest = max(widest, rows.count)
      }
      while widest > 0 {
        for lane in 0..<count {
          let (low, high) = (lower[lane], upper[lane])
          let middle = (low &+ high) &>> 1
          // Which half it is cannot be foretold: no branch, but a choice.
          let isAbove = values.raw(order[middle]) < key(ids[start &+ lane])
          let isDone = low >= high
          lower[lane] = isAbove && !isDone ? middle &+ 1 : low
          upper[lane] = isAbove || isDone ? high : middle
        }
        widest &>>= 1
      }
      for lane in 0..<count {
        let index = order[lower[lane]]
        let isFound =
          lower[lane] < values.count && index < values.count
          && values.raw(index) == key(ids[start &+ lane])
        taxa[start &+ lane] = isFound ? UInt32(truncatingIfNeeded: index) : .max
      }
      start &+= count
    }
  }

  @inline(__always)
  private func key(_ id: Int64) -> UInt64 { UInt64(bitPattern: id &- values.base) }

  /// The rows of ids like this one, or none behind the last row.
  @inline(__always)
  private func rows(ofBucketWith id: Int64) -> Range<Int> {
    let bucket = key(id) &>> shift
    guard id >= values.base, bucket < UInt64(max(0, directory.count &- 1)) else {
      return values.count..<values.count
    }
    let low = directory[Int(bucket)]
    let high = min(directory[Int(bucket) &+ 1], values.count)
    return low..<max(low, high)
  }

  /// The merged ids and those that they stand for, ascending.
  ///
  /// - Complexity: O(number of merged ids)
  public var mergedPairs: [(TaxonID, TaxonID)] {
    (0..<merged.count).map { row in
      (TaxonID(rawValue: merged.signed(row)), self[taxon(ofMerged: row)])
    }
  }

  /// The deleted ids, ascending.
  ///
  /// - Complexity: O(number of deleted ids)
  public var deletedIDs: [TaxonID] {
    (0..<deleted.count).map { TaxonID(rawValue: deleted.signed($0)) }
  }

  func mergedIDs(into taxon: TaxonOrdinal) -> [TaxonID] {
    (0..<merged.count).filter { name(ofMerged: $0) == nil && self.taxon(ofMerged: $0) == taxon }
      .map { TaxonID(rawValue: merged.signed($0)) }
  }

  /// The merged ids, those of synonyms among them, that stand for any of some taxa now.
  ///
  /// - Complexity: O(number of merged ids + number of taxa)
  package func mergedIDs(intoAny taxa: some Sequence<TaxonID>) -> [TaxonID] {
    var isOne = [UInt64](repeating: 0, count: (values.count &+ 63) &>> 6)
    for taxon in taxa {
      guard let index = self.taxon(taxon)?.index else { continue }
      isOne[index &>> 6] |= 1 &<< UInt64(index & 63)
    }
    var found: [TaxonID] = []
    guard values.count > 0 else { return found }
    for row in 0..<merged.count {
      let index = self.taxon(ofMerged: row).index
      guard isOne[index &>> 6] &>> UInt64(index & 63) & 1 == 1 else { continue }
      let id = TaxonID(rawValue: merged.signed(row))
      if taxon(id) == nil { found.append(id) }
    }
    return found
  }

  /// The taxon that merged id number `row` leads to, by way of a name if it is that of one.
  private func taxon(ofMerged row: Int) -> TaxonOrdinal {
    let target = mergedInto[row]
    return TaxonOrdinal(
      clamping: target < values.count ? target : nameTaxon[target &- values.count],
      below: values.count)
  }

  /// The name whose own id merged id number `row` is.
  private func name(ofMerged row: Int) -> NameOrdinal? {
    let target = mergedInto[row]
    guard target >= values.count, target &- values.count < nameTaxon.count else { return nil }
    return NameOrdinal(target)
  }

  static func find(_ id: TaxonID, in column: borrowing PackedColumn) -> Int? {
    guard id.rawValue >= column.base else { return nil }
    let key = UInt64(bitPattern: id.rawValue &- column.base)
    let row = column.lowerBound(key)
    return row < column.count && column.raw(row) == key ? row : nil
  }
}

extension IDView {
  /// What the source calls by this text, in exactly this form: "007" is not 7.
  ///
  /// - Complexity: O(1) where ids are spread evenly, O(log n) at worst, and O(length).
  public func resolve(sourceID text: String) -> TaxonResolution {
    guard !text.isEmpty else { return .notFound }
    let id = TaxonID(sourceText: text, amongTexts: areTexts)
    let found = resolve(id)
    if isFound(found, text) { return found }
    // Of names, merged and deleted ids not all need be numbers where those of taxa are.
    let other = TaxonID(sourceText: text)
    let otherFound = other == id ? .notFound : resolve(other)
    return isFound(otherFound, text) ? otherFound : .notFound
  }

  /// Whether what a key leads to is what `text` stands for: two texts may have one key.
  private func isFound(_ found: TaxonResolution, _ text: String) -> Bool {
    switch found {
    case .found(let taxon):
      guard !isImplied(taxon) else { return false }
      guard areTexts else { return true }
      return text.withUTF8Span { texts.equals(taxon.index, $0) }
    case .synonym(_, let name):
      return ownIDs.isOwnID(text, of: name)
    case .merged, .deleted: return true
    case .common, .ambiguous, .notFound, .invalid: return false
    }
  }

  /// Whether a taxon is a root that no source has.
  func isImplied(_ taxon: TaxonOrdinal) -> Bool { hasImpliedRoot && taxon.index == 0 }

  /// The id of a taxon as the source writes it; nil for an implied root.
  ///
  /// - Complexity: O(length)
  public func sourceID(of taxon: TaxonOrdinal) -> String? {
    guard !isImplied(taxon) else { return nil }
    guard areTexts else { return String(self[taxon].rawValue) }
    var bytes: [UInt8] = []
    texts.append(taxon.index, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether all ids, retired ones among them, are whole numbers that a JSON number holds exactly: of a
  /// magnitude below 2^53.
  ///
  /// - Complexity: O(1)
  public var fitJSONNumbers: Bool {
    guard !areTexts else { return false }
    func fits(_ value: Int64) -> Bool { value.magnitude < 1 << 53 }
    guard
      values.count == 0
        || fits(values.signed(order[0])) && fits(values.signed(order[values.count &- 1]))
    else { return false }
    return fits(merged.signed(0)) && fits(merged.signed(merged.count &- 1))
      && fits(deleted.signed(0)) && fits(deleted.signed(deleted.count &- 1))
  }

  /// Appends the id of a taxon as the source writes it, in UTF-8; nothing for an implied root.
  ///
  /// - Complexity: O(length)
  public func appendSourceID(of taxon: TaxonOrdinal, to output: inout [UInt8]) {
    guard !isImplied(taxon) else { return }
    if areTexts {
      texts.append(taxon.index, to: &output)
    } else {
      output += String(self[taxon].rawValue).utf8
    }
  }
}

extension TaxonOrdinal {
  /// A stored ordinal, which a damaged pack may have made up.
  @inline(__always)
  init(clamping index: Int, below count: Int) {
    self.init(index >= 0 && index < count ? index : 0)
  }
}
