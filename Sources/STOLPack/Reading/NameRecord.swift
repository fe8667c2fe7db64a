/// What a name is to the taxon that it names, or to the code that rules names.
public enum NameStatus: String, CaseIterable, Sendable {
  /// The name of the taxon.
  case accepted
  /// That of a taxon which is not settled.
  case provisional
  /// Another name, of what kind is not said.
  case synonym
  /// Another name with the same type.
  case homotypic
  /// Another name with another type.
  case heterotypic
  /// A name of another taxon, used for this one by mistake.
  case misapplied
  /// A wrong spelling.
  case misspelling
  /// A name that the source holds to mean the same.
  case equivalent
  /// An abbreviation.
  case acronym
  /// A name that means this taxon and others.
  case inPart = "in-part"
  /// A name of something within the taxon.
  case includes
  /// A name of several taxa.
  case ambiguous
  /// A name that the source gives to no taxon.
  case bare
}

/// What is known of one name beyond its text.
public struct NameRecord: Hashable, Sendable {
  /// Who gave it, as the source writes that.
  public var authorship: String?
  /// When it was given.
  public var year: Int?
  /// The rank at which it was given.
  public var rank: TaxonRank?
  /// What it is to its taxon.
  public var status: NameStatus?
  /// The status in the source's own words, where they say more.
  public var statusText: String?
  /// The nomenclatural code, as in "ICZN".
  public var code: String?
  /// Whose concept it is, as in "sensu Busch, 1930".
  public var sensu: String?
  /// Its own id, as the source writes it.
  public var sourceID: String?

  /// A record of which nothing is known.
  public init() {}
}

/// The own ids of names: PACK.md section 7.
struct OwnIDView: ~Escapable {
  private let names: MonotoneColumn
  private let starts: MonotoneColumn
  private let text: RawSpan

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    names = bytes.monotone(.recordName, directory)
    starts = bytes.monotone(.recordIDStarts, directory)
    text = bytes.section(.recordIDText, directory)
  }

  /// The row of the record of a name, or nil.
  ///
  /// - Complexity: O(log n)
  func row(of name: Int) -> Int? {
    guard names.count > 0 else { return nil }
    let row = names.lowerBound(name)
    return row < names.count && names[row] == name ? row : nil
  }

  /// The bytes of the own id in a row.
  @_lifetime(copy self)
  func utf8(_ row: Int) -> RawSpan { text.clamped(starts.range(row)) }

  /// Whether `id` is the own id of a name.
  ///
  /// - Complexity: O(log n + length)
  func isOwnID(_ id: String, of name: NameOrdinal) -> Bool {
    guard let row = row(of: name.index) else { return false }
    return utf8(row).text().utf8.elementsEqual(id.utf8)
  }
}

/// The records of names: PACK.md section 7.
struct RecordView: ~Escapable {
  let ownIDs: OwnIDView
  private let authors: PackedColumn
  private let years: PackedColumn
  private let ranks: PackedColumn
  private let statuses: PackedColumn
  private let words: PackedColumn
  private let codes: PackedColumn
  private let sensu: PackedColumn
  private let authorTable: StringTable<Authorship>
  private let rankTable: RankTable
  private let statusTable: StringTable<AnyText>
  private let wordTable: StringTable<AnyText>
  private let codeTable: StringTable<NomenclaturalCode>
  private let sensuTable: StringTable<AnyText>

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    ownIDs = OwnIDView(bytes, directory: directory)
    authors = bytes.packed(.recordAuthor, directory)
    years = bytes.packed(.recordYear, directory)
    ranks = bytes.packed(.recordRank, directory)
    statuses = bytes.packed(.recordStatus, directory)
    words = bytes.packed(.recordWords, directory)
    codes = bytes.packed(.recordCode, directory)
    sensu = bytes.packed(.recordSensu, directory)
    authorTable = bytes.strings(.authors, directory)
    rankTable = RankTable(bytes, directory: directory)
    statusTable = bytes.strings(.nameStatuses, directory)
    wordTable = bytes.strings(.statusWords, directory)
    codeTable = bytes.strings(.codes, directory)
    sensuTable = bytes.strings(.sensuPhrases, directory)
  }

  /// The record in a row.
  ///
  /// - Complexity: O(length of its texts)
  func record(_ row: Int) -> NameRecord {
    var record = NameRecord()
    record.authorship = Self.text(authorTable[AuthorRow(authors[row])])
    // PACK.md section 7: 0 is none; year y is y - base + 1.
    if years.raw(row) > 0 { record.year = Int(clamping: years.signed(row) &- 1) }
    if ranks[row] > 0 { record.rank = rankTable[RankRow(ranks[row] &- 1)] }
    record.status = NameStatus(rawValue: statusTable[TableRow(statuses[row])])
    record.statusText = Self.text(wordTable[TableRow(words[row])])
    record.code = Self.text(codeTable[CodeRow(codes[row])])
    record.sensu = Self.text(sensuTable[TableRow(sensu[row])])
    record.sourceID = Self.text(ownIDs.utf8(row).text())
    return record
  }

  /// The status in a row.
  func status(_ row: Int) -> NameStatus? {
    NameStatus(rawValue: statusTable[TableRow(statuses[row])])
  }

  private static func text(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension NameView {
  /// What is stored of a name beyond its text; empty where there is nothing.
  ///
  /// For the scientific name of a taxon that is only what the columns of the taxon do not say:
  /// `PackView.record` has all.
  ///
  /// - Complexity: O(log n + length of its texts)
  public func record(of name: NameOrdinal) -> NameRecord {
    records.ownIDs.row(of: name.index).map { records.record($0) } ?? NameRecord()
  }

  /// What a further name is to its taxon; nil where that is not stored.
  ///
  /// - Complexity: O(log n)
  package func status(of name: NameOrdinal) -> NameStatus? {
    records.ownIDs.row(of: name.index).flatMap { records.status($0) }
  }

  /// Whether `id` is the own id of a further name that is scientific.
  func hasOwnID(_ name: NameOrdinal, _ id: String) -> Bool {
    type(of: name) == .synonym && records.ownIDs.isOwnID(id, of: name)
  }
}

extension PackView {
  /// All that is known of a name beyond its text, that of a taxon from the columns of the taxon.
  ///
  /// - Complexity: O(log n + length of its texts)
  public func record(of name: NameOrdinal) -> NameRecord {
    var record = names.record(of: name)
    guard names.isScientific(name) else { return record }
    let taxon = names.taxon(of: name)
    let author = taxa.authors[taxa.author(of: taxon)]
    let code = taxa.codes[taxa.code(of: taxon)]
    record.authorship = author.isEmpty ? nil : author
    record.year = taxa.year(of: taxon)
    record.rank = rank(of: taxon)
    if record.status == nil {
      record.status = NameStatus(rawValue: taxa.statuses[taxa.status(of: taxon)])
    }
    record.code = code.isEmpty ? nil : code
    record.sourceID = sourceID(of: taxon)
    return record
  }
}
