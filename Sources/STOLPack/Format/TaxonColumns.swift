/// One row of the table `taxa`.
public struct TaxonRow: Sendable {
  /// The stable id.
  public var id: Int64
  /// The id of the parent, of the accepted taxon for a synonym, or nil for a root.
  public var parentID: Int64?
  /// The rank, as the schema spells it.
  public var rank: String
  /// The scientific name, without authorship.
  public var scientificName: String
  /// The authorship.
  public var author: String?
  /// The year of description.
  public var year: Int64?
  /// "accepted", "doubtful" or "synonym".
  public var status: String
  /// The IUCN code.
  public var conservation: String?

  /// A row.
  public init(
    id: Int64, parentID: Int64?, rank: String, scientificName: String, author: String? = nil,
    year: Int64? = nil, status: String = "accepted", conservation: String? = nil
  ) {
    self.id = id
    self.parentID = parentID
    self.rank = rank
    self.scientificName = scientificName
    self.author = author
    self.year = year
    self.status = status
    self.conservation = conservation
  }
}

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
    guard let rank = MainRank(rank: TaxonRank(rawValue: row.rank)) else {
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
    ranks.append(UInt8(rank.rawValue))
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
    try file.write(.hasCommonName, .packed(further.hasCommonName.map { $0 ? 1 : 0 }))
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
}

/// The columns of `taxa` that are neither tree nor name: PACK.md section 6.
public struct TaxonColumns: ~Escapable {
  /// The ranks of the taxa.
  public let ranks: RankTable
  /// Status names.
  public let statuses: StringTable<TaxonStatus>
  /// Conservation codes; row 0 is "", not evaluated or not known.
  public let conservationCodes: StringTable<ConservationCode>
  /// Authorships; row 0 is "".
  public let authors: StringTable<Authorship>
  private let rankColumn: PackedColumn
  private let statusColumn: PackedColumn
  private let conservationColumn: PackedColumn
  private let yearColumn: PackedColumn
  private let authorColumn: PackedColumn
  private let hasCommonNameColumn: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    ranks = RankTable(bytes.strings(.ranks, directory))
    statuses = bytes.strings(.statuses, directory)
    conservationCodes = bytes.strings(.conservationCodes, directory)
    authors = bytes.strings(.authors, directory)
    rankColumn = bytes.packed(.rank, directory)
    statusColumn = bytes.packed(.status, directory)
    conservationColumn = bytes.packed(.conservation, directory)
    yearColumn = bytes.packed(.year, directory)
    authorColumn = bytes.packed(.author, directory)
    hasCommonNameColumn = bytes.packed(.hasCommonName, directory)
  }

  /// The row of `ranks` for `taxon`.
  public func rank(of taxon: TaxonOrdinal) -> RankRow { RankRow(rankColumn[taxon.index]) }
  /// The row of `statuses` for `taxon`.
  public func status(of taxon: TaxonOrdinal) -> StatusRow { StatusRow(statusColumn[taxon.index]) }
  /// The row of `conservationCodes` for `taxon`, 0 for none.
  public func conservation(of taxon: TaxonOrdinal) -> ConservationRow {
    ConservationRow(conservationColumn[taxon.index])
  }
  /// The row of `authors` for `taxon`, 0 for none.
  public func author(of taxon: TaxonOrdinal) -> AuthorRow { AuthorRow(authorColumn[taxon.index]) }
  /// Whether `taxon` has a common name in any language.
  public func hasCommonName(_ taxon: TaxonOrdinal) -> Bool {
    hasCommonNameColumn.raw(taxon.index) == 1
  }
  /// The year in which `taxon` was described, if it is stored.
  public func year(of taxon: TaxonOrdinal) -> Int? {
    // PACK.md section 6: 0 is none; year y is y - base + 1.
    guard yearColumn.raw(taxon.index) > 0 else { return nil }
    return Int(clamping: yearColumn.signed(taxon.index) &- 1)
  }
}

/// One taxon, as an owned value with the names of the seed's JSON.
public struct Taxon: Identifiable, Hashable, Sendable {
  /// The stable id.
  public let id: TaxonID
  /// The id of the parent, or nil for a root.
  public let parentID: TaxonID?
  /// The rank.
  public let rank: TaxonRank
  /// The scientific name without authorship.
  public let scientificName: String
  /// The authorship.
  public let author: String?
  /// The year of description.
  public let year: Int?
  /// Accepted or doubtful.
  public let status: TaxonStatus
  /// The IUCN code.
  public let conservationStatus: String?
}

extension PackView {
  /// All columns of `ordinal`.
  ///
  /// - Complexity: O(length of its texts)
  public func taxon(_ ordinal: TaxonOrdinal) -> Taxon {
    let author = taxa.authors[taxa.author(of: ordinal)]
    let code = taxa.conservationCodes[taxa.conservation(of: ordinal)]
    return Taxon(
      id: ids[ordinal], parentID: tree.parent(of: ordinal).map { ids[$0] },
      rank: rank(of: ordinal), scientificName: names.scientificName(of: ordinal),
      author: author.isEmpty ? nil : author, year: taxa.year(of: ordinal),
      status: TaxonStatus(rawValue: taxa.statuses[taxa.status(of: ordinal)]),
      conservationStatus: code.isEmpty ? nil : code)
  }

  /// The rank of `ordinal`.
  public func rank(of ordinal: TaxonOrdinal) -> TaxonRank {
    taxa.ranks[taxa.rank(of: ordinal)]
  }
}
