import STOLPack
import STOLFormats
import STOLNames

/// A name of a Catalogue of Life Data Package.
struct ColDPName {
  var id = ""
  var name = ""
  var authorship = ""
  var year: Int?
  var rank: SourceRank?
  /// What limits the name: "sensu Busch, 1930".
  var phrase = ""
  /// The nomenclatural code and the status under it, as the row states them.
  var code = ""
  var nomenclaturalStatus = ""
  var isExtinct = false
  /// The ids of references, as each column of the row has them.
  var references: [String] = []
}

/// The columns of a ColDP table that make a name: those of Name and of NameUsage.
///
/// Where `scientificName` is empty it is put together from the parts; where `authorship` is, from
/// the authors and years of the combination and the basionym. `publishedInYear` is the year of a name
/// whose authorship has none, unless that is one of a later combination.
struct ColDPNameColumns {
  private let id, scientificName, authorship, rank, code, status, year: Int?
  private let references: [Int]
  private let parts: Parts
  private let combination, basionym: (author: Int?, exAuthor: Int?, year: Int?)

  private struct Parts {
    var uninomial, genus, infrageneric, species, infraspecies, cultivar: Int?
  }

  /// The columns of a table that has the status under the code in the column of that name.
  init(_ columns: ColumnMap, statusColumn: String) {
    id = columns.index("ID")
    status = columns.index(statusColumn)
    scientificName = columns.index("scientificName")
    authorship = columns.index("authorship")
    rank = columns.index("rank")
    code = columns.index("code")
    year = columns.index("publishedInYear")
    references = [
      columns.index("nameReferenceID"), columns.index("referenceID"),
      columns.index("publishedInID"),
    ].compactMap { $0 }
    parts = Parts(
      uninomial: columns.index("uninomial"), genus: columns.index("genericName", "genus"),
      infrageneric: columns.index("infragenericEpithet"),
      species: columns.index("specificEpithet"),
      infraspecies: columns.index("infraspecificEpithet", "infraspeciesEpithet"),
      cultivar: columns.index("cultivarEpithet"))
    combination = (
      columns.index("combinationAuthorship"), columns.index("combinationExAuthorship"),
      columns.index("combinationAuthorshipYear")
    )
    basionym = (
      columns.index("basionymAuthorship"), columns.index("basionymExAuthorship"),
      columns.index("basionymAuthorshipYear")
    )
  }

  /// The name of a row.
  func read(_ row: TableReader, _ intake: Intake) -> ColDPName {
    var result = ColDPName()
    result.id = row.value(id)
    result.rank = intake.rank(row.value(rank), line: row.line)
    for column in references {
      let list = row.text(column)
      if !list.isEmpty, !result.references.contains(list) { result.references.append(list) }
    }
    result.code = intake.clean(row.value(code), line: row.line)
    result.nomenclaturalStatus = intake.clean(row.value(status), line: row.line)
    var text = intake.clean(row.value(scientificName), line: row.line)
    if text.isEmpty { text = intake.clean(assembledName(row, result.rank), line: row.line) }
    guard !text.isEmpty else { return result }
    var stated = intake.clean(row.value(authorship), line: row.line)
    if stated.isEmpty { stated = assembledAuthorship(row) }
    let parts = intake.nameParts(text, authorship: stated, rank: result.rank, line: row.line)
    result.name = parts.canonicalName
    result.authorship = parts.authorship
    result.phrase = parts.phrase
    result.isExtinct = parts.isExtinct
    result.year = parts.year
    if result.year == nil, !parts.authorship.hasPrefix("(") {
      result.year = row.value(year).prefix(4).isYear
    }
    return result
  }

  private func assembledName(_ row: TableReader, _ rank: SourceRank?) -> String {
    let uninomial = row.value(parts.uninomial)
    if !uninomial.isEmpty { return uninomial }
    let species = row.value(parts.species)
    let infrageneric = row.value(parts.infrageneric)
    var words = [row.value(parts.genus)]
    guard !words[0].isEmpty else { return "" }
    if !infrageneric.isEmpty { words.append("(\(infrageneric))") }
    if !species.isEmpty { words.append(species) }
    let infraspecies = row.value(parts.infraspecies)
    if !species.isEmpty, !infraspecies.isEmpty {
      let isAnimal = NomenclaturalCode(word: row.value(code)) == .zoological
      if let marker = rank.flatMap({ Self.markers[$0.canonicalName] }), !isAnimal {
        words.append(marker)
      }
      words.append(infraspecies)
    }
    let cultivar = row.value(parts.cultivar)
    if !cultivar.isEmpty { words.append("'\(cultivar)'") }
    return words.joined(separator: " ")
  }

  private static let markers = [
    "subspecies": "subsp.", "variety": "var.", "subvariety": "subvar.", "form": "f.",
    "subform": "subf.",
  ]

  private func assembledAuthorship(_ row: TableReader) -> String {
    func authors(_ columns: (author: Int?, exAuthor: Int?, year: Int?)) -> String {
      let names = [row.value(columns.exAuthor), row.value(columns.author)]
        .filter { !$0.isEmpty }
        .map { $0.split(separator: "|").joined(separator: " & ") }
        .joined(separator: " ex ")
      let year = row.value(columns.year)
      return names.isEmpty || year.isEmpty ? names : "\(names), \(year)"
    }
    let original = authors(basionym)
    return [original.isEmpty ? "" : "(\(original))", authors(combination)]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension Substring {
  /// The year that it is, if it can be one of a description.
  fileprivate var isYear: Int? {
    guard count == 4, let year = Int(self), AuthorshipParser.years.contains(year) else {
      return nil
    }
    return year
  }
}

/// The names of a package that has them in a file of their own: Name.
///
/// In memory a name takes 25 bytes (id, place, owner, use) and 6 to 12 of an index: at most 37; five
/// million take 160 MB. Their texts are on disk, where a page is read for each.
final class ColDPNameTable {
  /// How often rows without an id of their own make a synonym of the name, and whether a taxon has it.
  private struct Use: OptionSet {
    let rawValue: UInt8
    static let used = Use(rawValue: 1)
    static let synonym = Use(rawValue: 2)
    static let severalSynonyms = Use(rawValue: 4)
    static let duplicate = Use(rawValue: 8)
    static let taxon = Use(rawValue: 16)
  }

  private let intake: Intake
  private let spool: Spool
  private var ids = Column<Int64>()
  private var texts = Column<UInt64>()
  private var owners = Column<Int64>()
  private var uses = Column<Use>()
  private var table = IDTable(count: 0)
  private var file = 0

  init(_ intake: Intake) throws {
    self.intake = intake
    spool = try intake.makeSpool()
  }

  /// Adds the name of a row of the current file.
  func add(_ name: ColDPName, line: Int) throws {
    file = intake.account.currentFile
    guard !name.name.isEmpty, !name.id.isEmpty else {
      return intake.leaveOut(.emptyName, line, "id \(name.id)")
    }
    var record = RecordBuilder()
    record.add(name.id, name.name, name.authorship)
    record.add(year: name.year)
    record.add(name.rank?.canonicalName ?? "", name.phrase, name.code, name.nomenclaturalStatus)
    record.add(name.isExtinct ? 1 : 0)
    record.add(name.references.count)
    for list in name.references { record.add(list) }
    ids.append(TaxonID(sourceText: name.id).rawValue)
    texts.append(try spool.append(record))
    owners.append(Intake.none)
    uses.append([])
  }

  /// Makes all that was added ready to be found.
  func close() throws {
    try spool.finish()
    table = IDTable(count: ids.count)
    for row in 0..<ids.count {
      guard let first = table.insert(row, ids: ids) else { continue }
      let (id, firstID) = (try name(row).id, try name(first).id)
      guard id == firstID else { throw IngestError.idCollision(first: firstID, second: id) }
      uses[row] = .duplicate
      intake.account.add(.duplicate, file: file)
      intake.findings.add(.duplicateID, "name \(id)")
    }
  }

  /// The name with this id.
  func row(_ id: String) -> Int? {
    id.isEmpty ? nil : table.row(TaxonID(sourceText: id).rawValue, ids: ids)
  }

  func name(_ row: Int) throws -> ColDPName {
    var record = try spool.record(at: texts[row])
    var name = ColDPName()
    name.id = record.text()
    name.name = record.text()
    name.authorship = record.text()
    name.year = record.year()
    name.rank = SourceRank(record.text())
    name.phrase = record.text()
    name.code = record.text()
    name.nomenclaturalStatus = record.text()
    name.isExtinct = record.number() == 1
    for _ in 0..<record.number() { name.references.append(record.text()) }
    return name
  }

  /// The first taxon that has the name, or the first synonym that has it.
  func owner(_ row: Int) -> Int64? { owners[row] == Intake.none ? nil : owners[row] }

  /// States that a taxon has the name.
  func use(_ row: Int, byTaxon taxon: Int64) {
    uses[row].formUnion([.used, .taxon])
    if owners[row] == Intake.none { owners[row] = taxon }
  }

  /// States that a synonym has the name.
  func use(_ row: Int, bySynonym synonym: Int64) {
    uses[row].insert(.used)
    if owners[row] == Intake.none { owners[row] = synonym }
  }

  /// Whether it is the name of this taxon itself, the first that has it.
  func isName(_ row: Int, ofTaxon taxon: Int64) -> Bool {
    uses[row].contains(.taxon) && owners[row] == taxon
  }

  /// Counts a synonym without an id of its own.
  func noteSynonym(_ row: Int) {
    uses[row].insert(uses[row].contains(.synonym) ? .severalSynonyms : .synonym)
  }

  /// Whether several rows without an id make a synonym of the name.
  func isSynonymOfSeveral(_ row: Int) -> Bool { uses[row].contains(.severalSynonyms) }

  /// Notes in the account what became of the names.
  func count() throws {
    for row in 0..<ids.count where !uses[row].contains(.duplicate) {
      if uses[row].contains(.used) {
        intake.account.add(.joined, file: file)
      } else {
        intake.account.add(.bareName, file: file)
        let name = try name(row)
        intake.findings.add(.bareName, "\(name.id): \(name.name)")
      }
    }
  }
}
