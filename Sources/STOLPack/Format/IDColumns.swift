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

/// The ids that stand for another taxon or for none.
struct RetiredIDs {
  private let merged: [(id: Int64, taxon: UInt32)]
  private let deleted: [Int64]

  /// Resolves merged ids; synonym rows of `taxa` count as merged into their accepted taxon.
  init(
    merged: [(id: Int64, into: Int64)], deleted: [Int64], taxa: TaxonTable, _ order: TreeOrder,
    _ warnings: inout WarningList
  ) throws(CompileError) {
    var found = order.synonyms.map { (id: taxa.ids[Int($0.row)], taxon: $0.accepted) }
    for (id, target) in merged where order.taxon(withID: id) == nil {
      guard let taxon = order.taxon(withID: target) else {
        warnings.add(.orphanMergedID, id: id)
        continue
      }
      found.append((id, taxon))
    }
    found.sort { ($0.id, $0.taxon) < ($1.id, $1.taxon) }
    self.merged = found.indices.filter { $0 == 0 || found[$0 - 1].id != found[$0].id }
      .map { found[$0] }
    let ids = Set(found.map { $0.id })
    self.deleted = Set(deleted).filter { order.taxon(withID: $0) == nil && !ids.contains($0) }
      .sorted()
  }

  func write<Output: SectionOutput & ~Copyable>(to file: inout Output) throws(Output.Failure) {
    try file.write(.mergedID, .based(merged.map { $0.id }))
    try file.write(.mergedInto, .packed(merged.map { $0.taxon }))
    try file.write(.deletedID, .based(deleted))
  }
}

/// The ids of the source and the taxa that they stand for: PACK.md section 6.
public struct IDView: ~Escapable {
  private let values: PackedColumn
  private let order: PackedColumn
  private let directory: PackedColumn
  private let shift: UInt64
  private let merged: PackedColumn
  private let mergedInto: PackedColumn
  private let deleted: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    values = bytes.packed(.idValue, directory)
    order = bytes.packed(.idOrder, directory)
    self.directory = bytes.packed(.idDirectory, directory)
    shift = UInt64(truncatingIfNeeded: directory[.idDirectory].parameter & 63)
    merged = bytes.packed(.mergedID, directory)
    mergedInto = bytes.packed(.mergedInto, directory)
    deleted = bytes.packed(.deletedID, directory)
  }

  /// The number of ids that stand for another taxon now.
  public var mergedCount: Int { merged.count }
  /// The number of ids that stand for nothing any more.
  public var deletedCount: Int { deleted.count }

  /// The source id of `taxon`.
  ///
  /// - Complexity: O(1)
  public subscript(taxon: TaxonOrdinal) -> TaxonID {
    TaxonID(rawValue: values.signed(taxon.index))
  }

  /// What `id` stands for.
  ///
  /// - Complexity: O(1) where ids are spread evenly, O(log n) at worst.
  public func resolve(_ id: TaxonID) -> TaxonResolution {
    if let taxon = taxon(id) { return .found(taxon) }
    if let row = Self.find(id, in: merged) {
      return .merged(TaxonOrdinal(clamping: mergedInto[row], below: values.count))
    }
    return Self.find(id, in: deleted) == nil ? .notFound : .deleted
  }

  /// The taxon with this id itself, merged ids apart.
  public func taxon(_ id: TaxonID) -> TaxonOrdinal? {
    guard values.count > 0, id.rawValue >= values.base else { return nil }
    let key = UInt64(bitPattern: id.rawValue &- values.base)
    let bucket = key &>> shift
    guard bucket < UInt64(max(0, directory.count &- 1)) else { return nil }
    var low = directory[Int(bucket)]
    var high = min(directory[Int(bucket) &+ 1], values.count)
    while low < high {
      let middle = (low &+ high) &>> 1
      if values.raw(order[middle]) < key { low = middle &+ 1 } else { high = middle }
    }
    guard low < values.count else { return nil }
    let index = order[low]
    guard index < values.count, values.raw(index) == key else { return nil }
    return TaxonOrdinal(index)
  }

  /// The merged ids and those that they stand for, ascending.
  ///
  /// - Complexity: O(number of merged ids)
  public var mergedPairs: [(TaxonID, TaxonID)] {
    (0..<merged.count).map { row in
      let taxon = TaxonOrdinal(clamping: mergedInto[row], below: values.count)
      return (TaxonID(rawValue: merged.signed(row)), self[taxon])
    }
  }

  /// The deleted ids, ascending.
  ///
  /// - Complexity: O(number of deleted ids)
  public var deletedIDs: [TaxonID] {
    (0..<deleted.count).map { TaxonID(rawValue: deleted.signed($0)) }
  }

  func mergedIDs(into taxon: TaxonOrdinal) -> [TaxonID] {
    (0..<merged.count).filter { mergedInto[$0] == taxon.index }
      .map { TaxonID(rawValue: merged.signed($0)) }
  }

  private static func find(_ id: TaxonID, in column: borrowing PackedColumn) -> Int? {
    guard id.rawValue >= column.base else { return nil }
    let key = UInt64(bitPattern: id.rawValue &- column.base)
    let row = column.lowerBound(key)
    return row < column.count && column.raw(row) == key ? row : nil
  }
}

extension TaxonOrdinal {
  /// A stored ordinal, which a damaged pack may have made up.
  @inline(__always)
  init(clamping index: Int, below count: Int) {
    self.init(index >= 0 && index < count ? index : 0)
  }
}
