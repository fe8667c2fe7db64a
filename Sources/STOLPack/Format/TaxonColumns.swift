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
  /// Nomenclatural codes; row 0 is "", not known.
  public let codes: StringTable<NomenclaturalCode>
  private let rankColumn: PackedColumn
  private let statusColumn: PackedColumn
  private let conservationColumn: PackedColumn
  private let yearColumn: PackedColumn
  private let authorColumn: PackedColumn
  private let codeColumn: PackedColumn
  private let sourceColumn: PackedColumn
  private let hasCommonNameColumn: PackedColumn
  private let prominenceColumn: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    ranks = RankTable(bytes, directory: directory)
    statuses = bytes.strings(.statuses, directory)
    conservationCodes = bytes.strings(.conservationCodes, directory)
    authors = bytes.strings(.authors, directory)
    codes = bytes.strings(.codes, directory)
    rankColumn = bytes.packed(.rank, directory)
    statusColumn = bytes.packed(.status, directory)
    conservationColumn = bytes.packed(.conservation, directory)
    yearColumn = bytes.packed(.year, directory)
    authorColumn = bytes.packed(.author, directory)
    codeColumn = bytes.packed(.code, directory)
    sourceColumn = bytes.packed(.taxonSource, directory)
    hasCommonNameColumn = bytes.packed(.hasCommonName, directory)
    prominenceColumn = bytes.packed(.prominence, directory)
  }

  /// The row of `ranks` for `taxon`.
  public func rank(of taxon: TaxonOrdinal) -> RankRow { RankRow(rankColumn[taxon.index]) }
  /// The main rank of `taxon`, or nil where its rank is another.
  ///
  /// - Complexity: O(1)
  public func mainRank(of taxon: TaxonOrdinal) -> MainRank? { ranks.mainRank(of: rank(of: taxon)) }
  /// The row of `statuses` for `taxon`.
  public func status(of taxon: TaxonOrdinal) -> StatusRow { StatusRow(statusColumn[taxon.index]) }
  /// The row of `conservationCodes` for `taxon`, 0 for none.
  public func conservation(of taxon: TaxonOrdinal) -> ConservationRow {
    ConservationRow(conservationColumn[taxon.index])
  }
  /// The row of `authors` for `taxon`, 0 for none.
  public func author(of taxon: TaxonOrdinal) -> AuthorRow { AuthorRow(authorColumn[taxon.index]) }
  /// The row of `codes` for `taxon`, 0 for none.
  public func code(of taxon: TaxonOrdinal) -> CodeRow { CodeRow(codeColumn[taxon.index]) }
  /// The number of the source of `taxon`, from 1; 0 where it is not known.
  func source(of taxon: TaxonOrdinal) -> Int { sourceColumn[taxon.index] }
  /// Whether `taxon` has a common name in any language.
  public func hasCommonName(_ taxon: TaxonOrdinal) -> Bool {
    hasCommonNameColumn.raw(taxon.index) == 1
  }
  /// How well known `taxon` is, from 0 to `Prominence.greatest`.
  public func prominence(of taxon: TaxonOrdinal) -> Int { prominenceColumn[taxon.index] }
  /// The year in which `taxon` was described, if it is stored.
  public func year(of taxon: TaxonOrdinal) -> Int? {
    // PACK.md section 6: 0 is none; year y is y - base + 1.
    guard yearColumn.raw(taxon.index) > 0 else { return nil }
    return Int(clamping: yearColumn.signed(taxon.index) &- 1)
  }
}

/// One taxon, as an owned value with the names of the seed's JSON.
public struct Taxon: Identifiable, Hashable, Sendable {
  /// What stands for the taxon in this database; it is no id of the source where that writes texts.
  public let id: TaxonID
  /// The id as the source writes it, or nil for an implied root.
  public let sourceID: String?
  /// The id of the parent as the source writes it, or nil for a root and below an implied one.
  public let parentSourceID: String?
  /// Whether ids of this database may be numbers in JSON: all are whole and of a magnitude below 2^53.
  public let hasJSONNumberID: Bool
  /// Whether it is a root that no source has, above those of a source.
  public let isImplied: Bool
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
  /// Accepted or provisional.
  public let status: TaxonStatus
  /// The IUCN code.
  public let conservationStatus: String?
  /// The nomenclatural code, as in "ICZN".
  public let code: String?
}

extension PackView {
  /// All columns of `ordinal`.
  ///
  /// - Complexity: O(length of its texts)
  public func taxon(_ ordinal: TaxonOrdinal) -> Taxon {
    let author = taxa.authors[taxa.author(of: ordinal)]
    let conservation = taxa.conservationCodes[taxa.conservation(of: ordinal)]
    let code = taxa.codes[taxa.code(of: ordinal)]
    return Taxon(
      id: ids[ordinal], sourceID: sourceID(of: ordinal),
      parentSourceID: tree.parent(of: ordinal).flatMap { sourceID(of: $0) },
      hasJSONNumberID: ids.fitJSONNumbers, isImplied: isImplied(ordinal),
      parentID: tree.parent(of: ordinal).map { ids[$0] },
      rank: rank(of: ordinal), scientificName: names.scientificName(of: ordinal),
      author: author.isEmpty ? nil : author, year: taxa.year(of: ordinal),
      status: TaxonStatus(rawValue: taxa.statuses[taxa.status(of: ordinal)]),
      conservationStatus: conservation.isEmpty ? nil : conservation,
      code: code.isEmpty ? nil : code)
  }

  /// The rank of `ordinal`.
  public func rank(of ordinal: TaxonOrdinal) -> TaxonRank {
    taxa.ranks[taxa.rank(of: ordinal)]
  }
}
