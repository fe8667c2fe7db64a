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
    if let number = pairNumbers[pair] {
      pairOfRow.append(number)
    } else {
      pairNumbers[pair] = UInt32(pairs.count)
      pairOfRow.append(UInt32(pairs.count))
      pairs.append(pair)
    }
  }

  /// Taxon and pair of every trait, ascending, each once.
  func ordered(
    by order: TreeOrder, _ warnings: inout WarningList
  ) -> [(taxon: UInt32, pair: UInt32)] {
    let newPairs = sortedPairs().newRows
    var result: [(taxon: UInt32, pair: UInt32)] = []
    for row in ids.indices {
      guard let taxon = order.taxon(withID: taxonIDs[row]) else {
        warnings.add(.orphanTrait, id: ids[row])
        continue
      }
      result.append((taxon, newPairs[Int(pairOfRow[row])]))
    }
    result.sort { $0 < $1 }
    return result.indices.filter { $0 == 0 || result[$0 - 1] != result[$0] }.map { result[$0] }
  }

  /// Writes the traits: PACK.md section 9.
  func write<Output: SectionOutput & ~Copyable>(
    _ rows: [(taxon: UInt32, pair: UInt32)], to file: inout Output
  ) throws(Output.Failure) {
    let pairs = sortedPairs().pairs
    try file.write(.traitTaxon, .monotone(rows.map { Int($0.taxon) }))
    try file.write(.traitPair, .packed(rows.map(\.pair)))
    try file.write(.pairKey, .packed(pairs.map(\.key)))
    try file.write(.pairValue, .packed(pairs.map(\.value)))
    try file.write(.pairUnit, .packed(pairs.map(\.unit)))
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
