/// The rows of `taxa`, column by column.
struct TaxonTable {
  private(set) var ids: [Int64] = []
  private(set) var names = TextColumn()
  private(set) var ranks: [UInt8] = []
  private(set) var isSynonym: [Bool] = []
  private var parentIDs: [Int64] = []
  private var hasParent: [Bool] = []
  private var statuses: [UInt8] = []
  private var years: [Int64] = []
  private var conservation: [UInt32] = []
  private var authors: [UInt32] = []
  private var conservationStrings = StringInterner(PackWriter.conservationCodes)
  private var authorStrings = StringInterner([""])

  private static let noYear = Int64.min

  var count: Int { ids.count }

  /// The conservation codes as written: the IUCN's in their order, then others, sorted.
  var conservationTable: (strings: [String], newRows: [UInt32]) {
    conservationStrings.sorted(keeping: PackWriter.conservationCodes.count)
  }
  /// The authorships as written: none, then sorted.
  var authorTable: (strings: [String], newRows: [UInt32]) { authorStrings.sorted(keeping: 1) }

  func parentID(_ row: Int) -> Int64? { hasParent[row] ? parentIDs[row] : nil }

  mutating func append(
    _ row: borrowing TaxonRow, _ warnings: inout WarningList
  ) throws(CompileError) {
    guard let rank = PackWriter.schemaRanks.firstIndex(of: row.rank) else {
      throw .row(table: "taxa", id: row.id, reason: .unknownRank(row.rank))
    }
    let synonym = row.status == "synonym"
    guard let status = synonym ? 0 : PackWriter.statuses.firstIndex(of: row.status) else {
      throw .row(table: "taxa", id: row.id, reason: .unknownStatus(row.status))
    }
    let code = row.conservation ?? ""
    let codeRow = conservationStrings.intern(code)
    if codeRow >= PackWriter.conservationCodes.count {
      warnings.add(.unknownConservationCode, id: row.id)
    }
    ids.append(row.id)
    names.append(row.scientificName)
    ranks.append(UInt8(rank))
    isSynonym.append(synonym)
    parentIDs.append(row.parentID ?? 0)
    hasParent.append(row.parentID != nil)
    statuses.append(UInt8(status))
    years.append(row.year ?? Self.noYear)
    conservation.append(codeRow)
    authors.append(authorStrings.intern(row.author ?? ""))
  }

  /// Writes the columns of taxa and their ids: PACK.md section 6.
  func write<Output: SectionOutput & ~Copyable>(
    _ order: TreeOrder, _ further: FurtherNames, to file: inout Output
  ) throws(Output.Failure) {
    let rows = order.rows
    try file.write(.rank, .packed(rows.map { UInt32(ranks[Int($0)]) }))
    try file.write(.status, .packed(rows.map { UInt32(statuses[Int($0)]) }))
    let codes = conservationTable.newRows
    try file.write(.conservation, .packed(rows.map { codes[Int(conservation[Int($0)])] }))
    try file.write(.year, encodedYears(rows))
    let authorRows = authorTable.newRows
    try file.write(.author, .packed(rows.map { authorRows[Int(authors[Int($0)])] }))
    try file.write(.known, .packed(further.isKnown.map { $0 ? 1 : 0 }))
    try writeIDs(rows, to: &file)
  }

  private func encodedYears(_ rows: [UInt32]) -> EncodedSection {
    let stated = rows.lazy.map { years[Int($0)] }.filter { $0 != Self.noYear }
    let base = stated.min() ?? 0
    let span = stated.max().map { UInt64(bitPattern: $0 &- base) &+ 1 } ?? 0
    return .packed(count: rows.count, width: span.significantBitCount, base: base) {
      let year = years[Int(rows[$0])]
      return year == Self.noYear ? 0 : UInt64(bitPattern: year &- base) &+ 1
    }
  }

  private func writeIDs<Output: SectionOutput & ~Copyable>(_ rows: [UInt32], to file: inout Output)
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
    let ids = Set(found.map(\.id))
    self.deleted = Set(deleted).filter { order.taxon(withID: $0) == nil && !ids.contains($0) }
      .sorted()
  }

  func write<Output: SectionOutput & ~Copyable>(to file: inout Output) throws(Output.Failure) {
    try file.write(.mergedID, .based(merged.map(\.id)))
    try file.write(.mergedInto, .packed(merged.map(\.taxon)))
    try file.write(.deletedID, .based(deleted))
  }
}
