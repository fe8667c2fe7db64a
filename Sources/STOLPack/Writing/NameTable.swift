/// One row of the table `names`.
public struct NameRow: Sendable {
  /// The id of the row, for messages.
  public var id: Int64
  /// The taxon that the name belongs to.
  public var taxonID: Int64
  /// The name as it is shown.
  public var name: String
  /// A BCP 47 language tag.
  public var language: String
  /// "common", "synonym", "vernacular" or "trade".
  public var type: String
  /// Whether it is the preferred common name of its language.
  public var isPreferred: Bool
  /// Its own id, as the source writes it; that of a synonym resolves to it.
  public var sourceID: String?
  /// The authorship.
  public var author: String?
  /// The year of description.
  public var year: Int64?
  /// The rank, as the source writes it.
  public var rank: String?
  /// One of `NameStatus`.
  public var status: String?
  /// The status in the source's own words, where they say more.
  public var statusText: String?
  /// The nomenclatural code, as in "ICZN".
  public var code: String?
  /// Whose concept it is, as in "sensu Busch, 1930".
  public var sensu: String?
  /// The number of its source, from 1, as `PackWriter.addSource` gave it.
  public var source: Int?

  /// A row.
  public init(
    id: Int64, taxonID: Int64, name: String, language: String, type: String,
    isPreferred: Bool = false, sourceID: String? = nil, author: String? = nil,
    year: Int64? = nil, rank: String? = nil, status: String? = nil, statusText: String? = nil,
    code: String? = nil, sensu: String? = nil, source: Int? = nil
  ) {
    self.id = id
    self.taxonID = taxonID
    self.name = name
    self.language = language
    self.type = type
    self.isPreferred = isPreferred
    self.sourceID = sourceID
    self.author = author
    self.year = year
    self.rank = rank
    self.status = status
    self.statusText = statusText
    self.code = code
    self.sensu = sensu
    self.source = source
  }
}

/// The rows of `names`, column by column.
struct NameTable {
  private(set) var ids: [Int64] = []
  private(set) var texts = TextColumn()
  private var taxonIDs: [Int64] = []
  private var types: [NameType] = []
  private var languages: [UInt32] = []
  private var isPreferred: [Bool] = []
  private var sources: [UInt32] = []
  /// For each row the number of its record plus one, 0 for none.
  private var recordNumbers: [UInt32] = []
  private var records: [StoredRecord] = []
  private var languageStrings = StringInterner([NameTable.scientificLanguage])

  /// The language tag of a synonym that came as a row of `taxa`: scientific names are Latin.
  static let scientificLanguage = "la"

  var count: Int { ids.count }

  var languageTable: (strings: [String], newRows: [UInt32]) { languageStrings.sorted() }

  mutating func append(
    _ row: borrowing NameRow, _ shared: inout SharedTexts
  ) throws(CompileError) {
    guard let type = NameType(rawValue: row.type) else {
      throw .row(table: "names", id: row.id, reason: .unknownNameType(row.type))
    }
    ids.append(row.id)
    texts.append(row.name)
    taxonIDs.append(row.taxonID)
    types.append(type)
    languages.append(languageStrings.intern(row.language))
    isPreferred.append(row.isPreferred)
    sources.append(UInt32(row.source ?? 0))
    let record = try StoredRecord(row, &shared)
    if !record.isEmpty { records.append(record) }
    recordNumbers.append(record.isEmpty ? 0 : UInt32(records.count))
  }

  /// What is known of the name of a row; nil for nothing.
  func record(_ row: Int) -> StoredRecord? {
    recordNumbers[row] == 0 ? nil : records[Int(recordNumbers[row]) - 1]
  }

  /// The own id of a row, where it is one of a scientific name.
  func idOfSynonym(_ row: Int) -> String? {
    guard types[row] == .synonym, let text = record(row)?.sourceID, !text.isEmpty else {
      return nil
    }
    return text
  }

  /// The names grouped by taxon, in the order of their rows, followed by the synonym rows of `taxa`.
  func ordered(
    by order: TreeOrder, taxa: TaxonTable, _ warnings: inout WarningList
  ) throws(CompileError) -> FurtherNames {
    var result = FurtherNames()
    var taxonOfRow: [UInt32] = []
    taxonOfRow.reserveCapacity(count)
    for row in 0..<count {
      let taxon = order.taxon(withID: taxonIDs[row])
      if taxon == nil { warnings.add(.orphanName, id: ids[row]) }
      taxonOfRow.append(taxon ?? .max)
    }
    var entries: [(taxon: UInt32, source: FurtherNames.Source)] = []
    for row in 0..<count where taxonOfRow[row] != .max {
      entries.append((taxonOfRow[row], .name(UInt32(row))))
    }
    for synonym in order.synonyms {
      entries.append((synonym.accepted, .synonymTaxon(synonym.row)))
    }
    // A stable counting sort by taxon.
    var next = [Int](repeating: 0, count: order.count + 1)
    for entry in entries { next[Int(entry.taxon) + 1] += 1 }
    for taxon in 0..<order.count { next[taxon + 1] += next[taxon] }
    result.taxa = [UInt32](repeating: 0, count: entries.count)
    result.sources = [FurtherNames.Source](repeating: .name(0), count: entries.count)
    for entry in entries {
      let position = next[Int(entry.taxon)]
      next[Int(entry.taxon)] += 1
      result.taxa[position] = entry.taxon
      result.sources[position] = entry.source
    }
    return result
  }

  /// How many names other than synonyms each of so many taxa has, and in how many languages.
  func countCommonNames(_ further: FurtherNames, taxonCount: Int) -> [Prominence.Facts] {
    var facts = [Prominence.Facts](repeating: .init(), count: taxonCount)
    var seen: Set<UInt32> = []
    var last: UInt32?
    for (taxon, source) in zip(further.taxa, further.sources) {
      guard case .name(let row) = source, types[Int(row)] != .synonym else { continue }
      if taxon != last { seen.removeAll(keepingCapacity: true) }
      last = taxon
      facts[Int(taxon)].commonNameCount += 1
      seen.insert(languages[Int(row)])
      facts[Int(taxon)].languageCount = seen.count
    }
    return facts
  }

  /// Writes the columns of further names: PACK.md section 7.
  func write<Output: SectionOutput & ~Copyable>(
    _ further: FurtherNames, _ taxa: TaxonTable, to file: inout Output
  ) throws(Output.Failure) {
    try file.write(.nameTaxon, .monotone(further.taxa.map { Int($0) }))
    let languageRows = languageTable.newRows
    try file.write(
      .nameType,
      .packed(
        further.sources.map { source in
          guard case .name(let row) = source else { return NameType.synonym.number }
          return types[Int(row)].number
        }))
    try file.write(
      .nameLanguage,
      .packed(
        further.sources.map { source in
          guard case .name(let row) = source else { return languageRows[0] }
          return languageRows[Int(languages[Int(row)])]
        }))
    try file.write(
      .namePreferred,
      .packed(
        further.sources.map { source in
          guard case .name(let row) = source else { return 0 }
          return isPreferred[Int(row)] ? 1 : 0
        }))
    try file.write(
      .nameSource,
      .packed(
        further.sources.map { source in
          switch source {
          case .name(let row): sources[Int(row)]
          case .synonymTaxon(let row): taxa.source(Int(row))
          }
        }))
  }
}

/// Common names and synonyms in the order of the pack.
struct FurtherNames {
  /// Where a name comes from.
  enum Source {
    /// A row of `names`.
    case name(UInt32)
    /// A row of `taxa` with the status "synonym".
    case synonymTaxon(UInt32)
  }

  /// The taxon of each name, ascending.
  var taxa: [UInt32] = []
  var sources: [Source] = []

  var count: Int { taxa.count }
}
