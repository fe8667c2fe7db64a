/// One row of the table `traits`.
public struct TraitRow: Sendable {
  /// The id of the row, for messages.
  public var id: Int64
  /// The taxon that has the trait.
  public var taxonID: Int64
  /// As in "habitat".
  public var key: String
  /// As in "forest".
  public var value: String
  /// The unit of a number, or nil.
  public var unit: String?
  /// The number of its source, from 1, as `PackWriter.addSource` gave it.
  public var source: Int?

  /// A row.
  public init(
    id: Int64, taxonID: Int64, key: String, value: String, unit: String? = nil,
    source: Int? = nil
  ) {
    self.id = id
    self.taxonID = taxonID
    self.key = key
    self.value = value
    self.unit = unit
    self.source = source
  }
}

/// The rows of `traits`, with every different key, value and unit triple numbered.
struct TraitTable {
  private struct Pair: Hashable {
    var key: UInt32
    var value: UInt32
    var unit: UInt32
  }

  private var keys = StringInterner()
  private var values = StringInterner()
  private var units = StringInterner([""])
  private var pairNumbers: [Pair: UInt32] = [:]
  private var pairs: [Pair] = []
  private var ids: [Int64] = []
  private var taxonIDs: [Int64] = []
  private var pairOfRow: [UInt32] = []
  private var sources: [UInt32] = []

  /// One trait of a taxon, as it is written.
  struct Entry {
    let taxon: UInt32
    let pair: UInt32
    /// The number of its source, 0 for none.
    let source: UInt32
  }

  typealias Strings = (strings: [String], newRows: [UInt32])
  var tables: (keys: Strings, values: Strings, units: Strings) {
    (keys.sorted(), values.sorted(), units.sorted(keeping: 1))
  }

  mutating func append(_ row: borrowing TraitRow) {
    let pair = Pair(
      key: keys.intern(row.key), value: values.intern(row.value),
      unit: units.intern(row.unit ?? ""))
    ids.append(row.id)
    taxonIDs.append(row.taxonID)
    sources.append(UInt32(row.source ?? 0))
    if let number = pairNumbers[pair] {
      pairOfRow.append(number)
    } else {
      pairNumbers[pair] = UInt32(pairs.count)
      pairOfRow.append(UInt32(pairs.count))
      pairs.append(pair)
    }
  }

  /// Every trait, by taxon and pair, each once: of several rows the first counts.
  func ordered(by order: TreeOrder, _ warnings: inout WarningList) -> [Entry] {
    let newPairs = sortedPairs().newRows
    var result: [(taxon: UInt32, pair: UInt32, row: Int)] = []
    for row in ids.indices {
      guard let taxon = order.taxon(withID: taxonIDs[row]) else {
        warnings.add(.orphanTrait, id: ids[row])
        continue
      }
      result.append((taxon, newPairs[Int(pairOfRow[row])], row))
    }
    result.sort { $0 < $1 }
    var entries: [Entry] = []
    for (taxon, pair, row) in result {
      if let last = entries.last, last.taxon == taxon, last.pair == pair { continue }
      entries.append(Entry(taxon: taxon, pair: pair, source: sources[row]))
    }
    return entries
  }

  /// Writes the traits: PACK.md section 9.
  func write<Output: SectionOutput & ~Copyable>(
    _ rows: [Entry], to file: inout Output
  ) throws(Output.Failure) {
    let pairs = sortedPairs().pairs
    try file.write(.traitTaxon, .monotone(rows.map { Int($0.taxon) }))
    try file.write(.traitPair, .packed(rows.map { $0.pair }))
    try file.write(.traitSource, .packed(rows.map { $0.source }))
    try file.write(.pairKey, .packed(pairs.map { $0.key }))
    try file.write(.pairValue, .packed(pairs.map { $0.value }))
    try file.write(.pairUnit, .packed(pairs.map { $0.unit }))
  }

  /// The pairs by key, value and unit, as rows of the sorted tables, and where each number went.
  private func sortedPairs() -> (pairs: [Pair], newRows: [UInt32]) {
    let tables = tables
    let renumbered = pairs.map {
      Pair(
        key: tables.keys.newRows[Int($0.key)], value: tables.values.newRows[Int($0.value)],
        unit: tables.units.newRows[Int($0.unit)])
    }
    let order = renumbered.indices.sorted {
      let (a, b) = (renumbered[$0], renumbered[$1])
      return (a.key, a.value, a.unit) < (b.key, b.value, b.unit)
    }
    var newRows = [UInt32](repeating: 0, count: pairs.count)
    for (row, old) in order.enumerated() { newRows[old] = UInt32(row) }
    return (order.map { renumbered[$0] }, newRows)
  }
}

/// Traits: PACK.md section 9.
public struct TraitView: ~Escapable {
  /// Trait keys, sorted.
  public let keys: StringTable<AnyText>
  /// Trait values, sorted.
  public let values: StringTable<AnyText>
  /// Units; row 0 is "", no unit.
  public let units: StringTable<AnyText>
  private let taxa: MonotoneColumn
  private let pairs: PackedColumn
  private let sources: PackedColumn
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
    sources = bytes.packed(.traitSource, directory)
    pairKeys = bytes.packed(.pairKey, directory)
    pairValues = bytes.packed(.pairValue, directory)
    pairUnits = bytes.packed(.pairUnit, directory)
  }

  /// The number of traits of all taxa.
  public var count: Int { pairs.count }

  /// The pairs of `taxon`, ascending: the same pair number means the same key, value and unit.
  ///
  /// - Complexity: O(log n + number of traits)
  public func pairs(of taxon: TaxonOrdinal) -> [TraitPair] {
    var result: [TraitPair] = []
    var row = taxa.lowerBound(taxon.index)
    while row < taxa.count, taxa[row] == taxon.index {
      result.append(TraitPair(pairs[row]))
      row &+= 1
    }
    return result
  }

  /// The numbers of the sources of the traits of `taxon`, in the order of `pairs(of:)`; 0 for none.
  ///
  /// - Complexity: O(log n + number of traits)
  func sources(of taxon: TaxonOrdinal) -> [Int] {
    var result: [Int] = []
    var row = taxa.lowerBound(taxon.index)
    while row < taxa.count, taxa[row] == taxon.index {
      result.append(sources[row])
      row &+= 1
    }
    return result
  }

  /// Calls `body` with each taxon of `clade` that has a pair in `wanted`, ascending.
  ///
  /// - Complexity: O(log n + number of traits in the clade)
  func forEachTaxon(
    in clade: Clade, withPairIn wanted: Set<TraitPair>, _ body: (TaxonOrdinal) -> Void
  ) {
    let clade = clade.columnIndices
    var row = taxa.lowerBound(clade.lowerBound)
    var last = -1
    while row < taxa.count {
      let taxon = taxa[row]
      if taxon >= clade.upperBound { return }
      if taxon > last, wanted.contains(TraitPair(pairs[row])) {
        last = taxon
        body(TaxonOrdinal(taxon))
      }
      row &+= 1
    }
  }

  /// Whether one of the pairs of `taxon` is in `wanted`.
  func hasPair(of taxon: TaxonOrdinal, in wanted: Set<TraitPair>) -> Bool {
    var row = taxa.lowerBound(taxon.index)
    while row < taxa.count, taxa[row] == taxon.index {
      if wanted.contains(TraitPair(pairs[row])) { return true }
      row &+= 1
    }
    return false
  }

  /// The key, value and unit of a pair.
  public func trait(_ pair: TraitPair) -> Trait {
    let pair = pair.rawValue
    let unit = units[TableRow(pairUnits[pair])]
    return Trait(
      key: keys[TableRow(pairKeys[pair])], value: values[TableRow(pairValues[pair])],
      unit: unit.isEmpty ? nil : unit)
  }

  /// The pairs whose key is `key` and, if given, whose value is `value`.
  ///
  /// - Complexity: O(number of pairs)
  public func pairs(key: String, value: String?) -> [TraitPair] {
    guard let keyRow = keys.row(of: key)?.rawValue else { return [] }
    var valueRow: Int?
    if let value {
      guard let row = values.row(of: value) else { return [] }
      valueRow = row.rawValue
    }
    let found = (0..<pairKeys.count).filter { pair in
      pairKeys[pair] == keyRow && (valueRow == nil || pairValues[pair] == valueRow)
    }
    return found.map { TraitPair($0) }
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
