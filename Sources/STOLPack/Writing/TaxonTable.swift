/// One row of the table `taxa`.
public struct TaxonRow: Sendable {
  /// The stable id: the number, or `TaxonID(sourceText:)` of the text.
  public var id: Int64
  /// The id of the parent, of the accepted taxon for a synonym, or nil for a root.
  public var parentID: Int64?
  /// The rank, as the source writes it.
  public var rank: String
  /// The scientific name, without authorship.
  public var scientificName: String
  /// The authorship.
  public var author: String?
  /// The year of description.
  public var year: Int64?
  /// "accepted", "provisional", "doubtful" (which is the same), or "synonym".
  public var status: String
  /// The IUCN code.
  public var conservation: String?
  /// The id as the source writes it; nil where that is the number.
  public var sourceID: String?
  /// The nomenclatural code, as in "ICZN".
  public var code: String?
  /// The status in the source's own words, where they say more.
  public var statusText: String?
  /// Whose concept it is, as in "sensu Busch, 1930".
  public var sensu: String?
  /// The number of its source, from 1, as `PackWriter.addSource` gave it.
  public var source: Int?
  /// How well known it is, from 0 to `Prominence.greatest`; nil to have that computed.
  public var prominence: Int64?
  /// Whether no source has it, but it stands above the roots of one: its id is -1.
  public var isImpliedRoot: Bool

  /// A row.
  public init(
    id: Int64, parentID: Int64?, rank: String, scientificName: String, author: String? = nil,
    year: Int64? = nil, status: String = "accepted", conservation: String? = nil,
    sourceID: String? = nil, code: String? = nil, statusText: String? = nil,
    sensu: String? = nil, source: Int? = nil, prominence: Int64? = nil,
    isImpliedRoot: Bool = false
  ) {
    self.id = id
    self.parentID = parentID
    self.rank = rank
    self.scientificName = scientificName
    self.author = author
    self.year = year
    self.status = status
    self.conservation = conservation
    self.sourceID = sourceID
    self.code = code
    self.statusText = statusText
    self.sensu = sensu
    self.source = source
    self.prominence = prominence
    self.isImpliedRoot = isImpliedRoot
  }
}

/// The rows of `taxa`, column by column.
struct TaxonTable {
  private(set) var ids: [Int64] = []
  private(set) var names = TextColumn()
  /// The numbers of ranks in `SharedTexts`.
  private(set) var ranks: [UInt32] = []
  private(set) var isSynonym: [Bool] = []
  /// The row of the implied root.
  private(set) var impliedRow: Int?
  /// The ids as texts, once one of them is no number.
  private var sourceIDs: TextColumn?
  private var parentIDs: [Int64] = []
  private var hasParent: [Bool] = []
  private var statuses: [UInt8] = []
  private var years: [Int64] = []
  private var conservation: [UInt32] = []
  private var authors: [UInt32] = []
  private var codes: [UInt32] = []
  private var sources: [UInt32] = []
  /// The prominence that the source states, -1 for none.
  private var prominences: [Int8] = []
  /// Status in the source's words and sensu phrase, where one of them is there.
  private var remarks: [UInt32: (words: UInt32, sensu: UInt32)] = [:]
  private var conservationStrings = StringInterner(PackWriter.conservationCodes)
  /// The number of the status of names that come as rows of `taxa`.
  private var synonymStatus: UInt32 = 0

  var count: Int { ids.count }
  /// Whether an id of the source is no number.
  var hasTextIDs: Bool { sourceIDs != nil }

  /// The conservation codes as written: the IUCN's in their order, then others, sorted.
  var conservationTable: (strings: [String], newRows: [UInt32]) {
    conservationStrings.sorted(keeping: PackWriter.conservationCodes.count)
  }

  func parentID(_ row: Int) -> Int64? { hasParent[row] ? parentIDs[row] : nil }

  mutating func append(
    _ row: borrowing TaxonRow, _ texts: inout SharedTexts, _ warnings: inout WarningList
  ) throws(CompileError) {
    let synonym = row.status == "synonym"
    guard let status = synonym ? 0 : Self.status(row.status) else {
      throw .row(table: "taxa", id: row.id, reason: .unknownStatus(row.status))
    }
    if row.isImpliedRoot {
      guard row.id == Layout.impliedRootID, row.parentID == nil, !synonym, impliedRow == nil else {
        throw .row(table: "taxa", id: row.id, reason: .noImpliedRoot)
      }
      impliedRow = count
    }
    let conservationCode = row.conservation ?? ""
    let conservationRow = conservationStrings.intern(conservationCode)
    if conservationRow >= PackWriter.conservationCodes.count {
      warnings.add(
        .unknownConservationCode, id: row.id, sourceID: row.sourceID ?? String(row.id))
    }
    if synonym { synonymStatus = texts.nameStatuses.intern(NameStatus.synonym.rawValue) }
    appendSourceID(row)
    ids.append(row.id)
    names.append(row.scientificName)
    ranks.append(texts.ranks.intern(row.rank))
    isSynonym.append(synonym)
    parentIDs.append(row.parentID ?? 0)
    hasParent.append(row.parentID != nil)
    statuses.append(UInt8(status))
    years.append(row.year ?? EncodedSection.noYear)
    conservation.append(conservationRow)
    authors.append(SharedTexts.number(row.author, in: &texts.authors))
    codes.append(SharedTexts.number(row.code, in: &texts.codes))
    sources.append(UInt32(row.source ?? 0))
    prominences.append(try Self.prominence(row))
    let words = SharedTexts.number(row.statusText, in: &texts.statusWords)
    let sensu = SharedTexts.number(row.sensu, in: &texts.sensuPhrases)
    if words > 0 || sensu > 0 { remarks[UInt32(count - 1)] = (words, sensu) }
  }

  /// The row of a status in `PackWriter.statuses`.
  private static func status(_ text: String) -> Int? {
    PackWriter.statuses.firstIndex(of: text == "doubtful" ? "provisional" : text)
  }

  private static func prominence(_ row: borrowing TaxonRow) throws(CompileError) -> Int8 {
    guard let stated = row.prominence else { return -1 }
    guard (0...Int64(Prominence.greatest)).contains(stated) else {
      throw .row(table: "taxa", id: row.id, reason: .noProminence(stated))
    }
    return Int8(stated)
  }

  private mutating func appendSourceID(_ row: borrowing TaxonRow) {
    let number = row.isImpliedRoot ? "" : String(row.id)
    let text = row.sourceID ?? number
    if sourceIDs == nil, !text.utf8.elementsEqual(number.utf8) {
      // All ids before were numbers.
      var texts = TextColumn()
      for (row, id) in ids.enumerated() { texts.append(row == impliedRow ? "" : String(id)) }
      sourceIDs = texts
    }
    sourceIDs?.append(text)
  }

  /// The id of a row as the source writes it.
  func sourceID(_ row: Int) -> String {
    sourceIDs?[row] ?? (row == impliedRow ? "" : String(ids[row]))
  }

  /// Refuses ids that are not the keys of their texts, by which these are found.
  func checkKeys() throws(CompileError) {
    guard hasTextIDs else { return }
    for row in 0..<count where row != impliedRow {
      let text = sourceID(row)
      guard TaxonID(sourceText: text).rawValue == ids[row] else {
        throw .row(table: "taxa", id: ids[row], reason: .otherSourceID(text))
      }
    }
  }

  /// What is known of the name of a taxon beyond its columns; nil for nothing.
  func remark(_ row: Int) -> StoredRecord? {
    remarks[UInt32(row)].map { StoredRecord(words: $0.words, sensu: $0.sensu) }
  }

  /// What is known of the name of a synonym.
  func record(ofSynonym row: Int) -> StoredRecord {
    var record = remark(row) ?? StoredRecord()
    record.author = authors[row]
    record.year = years[row]
    record.rank = ranks[row] + 1
    record.code = codes[row]
    record.status = synonymStatus
    record.sourceID = sourceID(row)
    return record
  }

  /// The number of the source of a row, 0 for none.
  func source(_ row: Int) -> UInt32 { sources[row] }

  /// Writes the columns of taxa and their ids: PACK.md section 6.
  func write<Output: SectionOutput & ~Copyable>(
    _ order: TreeOrder, _ ranks: RankRows, _ texts: SharedTexts.NewRows,
    _ facts: [Prominence.Facts], to file: inout Output
  ) throws(Output.Failure) {
    let rows = order.rows
    try file.write(.rank, .packed(rows.map { ranks.newRows[Int(self.ranks[Int($0)])] }))
    try file.write(.status, .packed(rows.map { UInt32(statuses[Int($0)]) }))
    let conservationRows = conservationTable.newRows
    try file.write(
      .conservation, .packed(rows.map { conservationRows[Int(conservation[Int($0)])] }))
    try file.write(.year, .years(rows.map { years[Int($0)] }))
    try file.write(.author, .packed(rows.map { texts.authors[Int(authors[Int($0)])] }))
    try file.write(.code, .packed(rows.map { texts.codes[Int(codes[Int($0)])] }))
    try file.write(.taxonSource, .packed(rows.map { sources[Int($0)] }))
    try file.write(.hasCommonName, .packed(facts.map { $0.commonNameCount > 0 ? 1 : 0 }))
    var facts = facts
    for (taxon, row) in rows.enumerated() {
      facts[taxon].hasConservationCode = conservation[Int(row)] > 0
    }
    let stated = rows.map { prominences[Int($0)] < 0 ? nil : Int(prominences[Int($0)]) }
    try file.write(
      .prominence, .packed(Prominence.values(facts, stated: stated, parents: order.storedParents)))
  }

  /// Writes the ids as texts, where they are: PACK.md section 6.
  func writeSourceIDs<Output: SectionOutput & ~Copyable>(
    _ rows: [UInt32], to file: inout Output
  ) throws(Output.Failure) {
    guard let sourceIDs else {
      try file.write(.idBlocks, .packed([]))
      return try file.write(.idText, .plain([]))
    }
    let coded = FrontCode(count: rows.count, bytes: sourceIDs.bytes) {
      sourceIDs.range(Int(rows[$0]))
    }
    try file.write(.idBlocks, .packed(coded.blocks))
    try file.write(.idText, .plain(coded.text))
  }
}
