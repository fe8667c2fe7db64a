/// Everything in one open pack, borrowed from it.
///
/// Reads are total: an ordinal that a damaged pack made up reads as zero or as an empty string.
public struct PackView: ~Escapable {
  /// Parents, ancestors, subtrees, LCA.
  public let tree: TreeView
  /// Names as written and as folded.
  public let names: NameView
  /// The columns of taxa.
  public let taxa: TaxonColumns
  /// Source ids and back.
  public let ids: IDView
  /// Traits.
  public let traits: TraitView
  /// Posting lists.
  let postings: PostingView
  /// Stored completions.
  let completions: CompletionView
  /// What the taxa below nodes of the trie can be.
  let bestTaxa: BestTaxa
  /// Alternating keys and values: the dataset's id, name, release, licence, source.
  public let dataset: StringTable
  /// What a search for similar names reads most of: parents, and all from names to tries.
  private let searched: (parents: RawSpan, names: RawSpan)

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, header: Header, directory: borrowing Directory) {
    tree = TreeView(bytes, directory: directory, taxonCount: header.taxonCount)
    names = NameView(bytes, header: header, directory: directory)
    taxa = TaxonColumns(bytes, directory: directory)
    ids = IDView(bytes, directory: directory)
    traits = TraitView(bytes, directory: directory)
    postings = PostingView(bytes, directory: directory)
    completions = CompletionView(bytes, directory: directory)
    bestTaxa = BestTaxa(bytes, directory: directory)
    dataset = bytes.strings(.dataset, directory)
    searched = (bytes.section(.parent, directory), bytes.clamped(directory.searched))
  }

  /// Asks the system to read now what a search for similar names would wait for page by page.
  func prefetchSearched() {
    searched.parents.readAhead()
    searched.names.readAhead()
  }

  /// The number of taxa.
  public var taxonCount: Int { tree.taxonCount }

  /// What the dataset says about `key` ("id", "name", "release", "licence", ...), or nil.
  public func datasetValue(_ key: String) -> String? {
    for row in stride(from: 0, to: dataset.count - 1, by: 2) where dataset[row] == key {
      return dataset[row + 1]
    }
    return nil
  }
}

/// The columns of `taxa` that are neither tree nor name: PACK.md section 6.
public struct TaxonColumns: ~Escapable {
  /// Rank names, the highest rank first.
  public let ranks: StringTable
  /// Status names.
  public let statuses: StringTable
  /// Conservation codes; row 0 is "", not evaluated or not known.
  public let conservationCodes: StringTable
  /// Authorships; row 0 is "".
  public let authors: StringTable
  private let rankColumn: PackedColumn
  private let statusColumn: PackedColumn
  private let conservationColumn: PackedColumn
  private let yearColumn: PackedColumn
  private let authorColumn: PackedColumn
  private let knownColumn: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    ranks = bytes.strings(.ranks, directory)
    statuses = bytes.strings(.statuses, directory)
    conservationCodes = bytes.strings(.conservationCodes, directory)
    authors = bytes.strings(.authors, directory)
    rankColumn = bytes.packed(.rank, directory)
    statusColumn = bytes.packed(.status, directory)
    conservationColumn = bytes.packed(.conservation, directory)
    yearColumn = bytes.packed(.year, directory)
    authorColumn = bytes.packed(.author, directory)
    knownColumn = bytes.packed(.known, directory)
  }

  /// The row of `ranks` for `taxon`.
  public func rank(of taxon: TaxonOrdinal) -> Int { rankColumn[taxon.index] }
  /// The row of `statuses` for `taxon`.
  public func status(of taxon: TaxonOrdinal) -> Int { statusColumn[taxon.index] }
  /// The row of `conservationCodes` for `taxon`, 0 for none.
  public func conservation(of taxon: TaxonOrdinal) -> Int { conservationColumn[taxon.index] }
  /// The row of `authors` for `taxon`, 0 for none.
  public func author(of taxon: TaxonOrdinal) -> Int { authorColumn[taxon.index] }
  /// Whether `taxon` has a common name in any language.
  public func hasCommonName(_ taxon: TaxonOrdinal) -> Bool { knownColumn.raw(taxon.index) == 1 }
  /// The year in which `taxon` was described, if it is stored.
  public func year(of taxon: TaxonOrdinal) -> Int? {
    // PACK.md section 6: 0 is none; year y is y - base + 1.
    guard yearColumn.raw(taxon.index) > 0 else { return nil }
    return Int(yearColumn.signed(taxon.index) &- 1)
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
  public func resolve(_ id: TaxonID) -> IDResolution {
    if let taxon = taxon(id) { return .current(taxon) }
    if let row = Self.find(id, in: merged) {
      return .merged(TaxonOrdinal(clamping: mergedInto[row], below: values.count))
    }
    return Self.find(id, in: deleted) == nil ? .unknown : .deleted
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

/// What an id of the source stands for.
public enum IDResolution: Equatable, Sendable {
  /// A taxon of this pack.
  case current(TaxonOrdinal)
  /// A taxon that the id was merged into, or the accepted taxon of a synonym.
  case merged(TaxonOrdinal)
  /// Nothing any more.
  case deleted
  /// Nothing that the source has heard of.
  case unknown
}

extension TaxonOrdinal {
  /// A stored ordinal, which a damaged pack may have made up.
  @inline(__always)
  init(clamping index: Int, below count: Int) {
    self.init(index >= 0 && index < count ? index : 0)
  }
}

/// Traits: PACK.md section 9.
public struct TraitView: ~Escapable {
  /// Trait keys, sorted.
  public let keys: StringTable
  /// Trait values, sorted.
  public let values: StringTable
  /// Units; row 0 is "", no unit.
  public let units: StringTable
  private let taxa: MonotoneColumn
  private let pairs: PackedColumn
  private let pairKeys: PackedColumn
  private let pairValues: PackedColumn
  private let pairUnits: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    keys = bytes.strings(.traitKeys, directory)
    values = bytes.strings(.traitValues, directory)
    units = bytes.strings(.traitUnits, directory)
    taxa = bytes.monotone(.traitTaxon, directory)
    pairs = bytes.packed(.traitPair, directory)
    pairKeys = bytes.packed(.pairKey, directory)
    pairValues = bytes.packed(.pairValue, directory)
    pairUnits = bytes.packed(.pairUnit, directory)
  }

  /// The number of traits of all taxa.
  public var count: Int { pairs.count }

  /// The pairs of `taxon`, ascending: the same pair number means the same key, value and unit.
  ///
  /// - Complexity: O(log n + number of traits)
  public func pairs(of taxon: TaxonOrdinal) -> [Int] {
    var result: [Int] = []
    var row = taxa.lowerBound(taxon.index)
    while row < taxa.count, taxa[row] == taxon.index {
      result.append(pairs[row])
      row &+= 1
    }
    return result
  }

  /// Calls `body` with each taxon of `clade` that has a pair in `wanted`, ascending.
  ///
  /// - Complexity: O(log n + number of traits in the clade)
  func forEachTaxon(
    in clade: Range<Int>, withPairIn wanted: Set<Int>, _ body: (TaxonOrdinal) -> Void
  ) {
    var row = taxa.lowerBound(clade.lowerBound)
    var last = -1
    while row < taxa.count {
      let taxon = taxa[row]
      if taxon >= clade.upperBound { return }
      if taxon > last, wanted.contains(pairs[row]) {
        last = taxon
        body(TaxonOrdinal(taxon))
      }
      row &+= 1
    }
  }

  /// Whether one of the pairs of `taxon` is in `wanted`.
  func hasPair(of taxon: TaxonOrdinal, in wanted: Set<Int>) -> Bool {
    var row = taxa.lowerBound(taxon.index)
    while row < taxa.count, taxa[row] == taxon.index {
      if wanted.contains(pairs[row]) { return true }
      row &+= 1
    }
    return false
  }

  /// The key, value and unit of a pair.
  public func trait(_ pair: Int) -> Trait {
    let unit = units[pairUnits[pair]]
    return Trait(
      key: keys[pairKeys[pair]], value: values[pairValues[pair]], unit: unit.isEmpty ? nil : unit)
  }

  /// The pairs whose key is `key` and, if given, whose value is `value`.
  ///
  /// - Complexity: O(number of pairs)
  public func pairs(key: String, value: String?) -> [Int] {
    guard let keyRow = keys.row(of: key) else { return [] }
    var valueRow: Int?
    if let value {
      guard let row = values.row(of: value) else { return [] }
      valueRow = row
    }
    return (0..<pairKeys.count).filter { pair in
      pairKeys[pair] == keyRow && (valueRow == nil || pairValues[pair] == valueRow)
    }
  }
}

/// One trait of a taxon.
public struct Trait: Hashable, Sendable {
  /// What is stated, as in "habitat".
  public let key: String
  /// The value, as in "forest".
  public let value: String
  /// The unit of a number, else nil.
  public let unit: String?
}
