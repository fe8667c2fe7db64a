import STOLPack
import STOLFormats

/// Reads a Catalogue of Life Data Package, ColDP: NameUsage, or Name with Taxon and Synonym, and what
/// belongs to them (github.com/CatalogueOfLife/coldp, its README).
///
/// File names are matched without case, "-" and "_"; columns as well, with or without "col:". Of a
/// package that has both forms, both are read.
///
/// - Vernacular names, references, properties and IUCN codes of taxa are kept; distributions,
///   relations of names, interactions, estimates, media, types, regions and treatments are counted.
/// - Columns with higher taxa count only in rows without `parentID`.
/// - `extinct` becomes the trait `extinct`, `environment` or `lifezone` the trait `habitat`,
///   `temporalRangeStart` and `temporalRangeEnd` traits of their own.
struct ColDPReader {
  let files: SourceFiles
  let intake: Intake
  let references: ReferenceTable
  private let places: [String: String]
  /// Rows of usages by id, once all are read.
  private var usages = IDTable(count: 0)

  init(_ files: SourceFiles, _ intake: Intake) throws {
    self.files = files
    self.intake = intake
    references = try ReferenceTable(intake)
    let claimed = DarwinCoreArchive.claimedFiles(of: files)
    places = Self.places(files, without: claimed)
    for file in claimed {
      intake.account.explain(
        file, "meta.xml says that it is a table of Darwin Core: stol ingest dwca reads it")
    }
  }

  /// The files of a package in a source, but for those that a meta.xml says to be something else.
  static func packageFiles(of files: SourceFiles) -> [String] {
    let places = places(files, without: DarwinCoreArchive.claimedFiles(of: files))
    guard places["nameusage"] != nil || places["name"] != nil && places["taxon"] != nil else {
      return []
    }
    return places.values.sorted()
  }

  /// Whether there is a file NameUsage.
  var hasNameUsages: Bool { places["nameusage"] != nil }

  mutating func read() throws {
    guard !places.isEmpty else {
      throw FormatError.missingFile(path: files.path, name: "NameUsage")
    }
    intake.metadata = try DatasetMetadata(of: files, findings: intake.findings)
    try readReferences()
    try readFile("nameusage") { try readNameUsages(&$0, $1) }
    var names: ColDPNameTable?
    if places["name"] != nil || places["taxon"] != nil { names = try readNamesAndTaxa() }
    usages = intake.usages.table
    try readFile("namereference") { try readNameReferences(&$0, $1, names) }
    try names?.count()
    try readFile("vernacularname") { try readVernaculars(&$0, $1) }
    try readFile("distribution") { try readDistributions(&$0, $1) }
    try readFile("taxonproperty") { try readProperties(&$0, $1) }
    references.count()
    for kind in Self.ignoredKinds {
      try readFile(kind, unreadReason: UnreadColumn.ofIgnoredFile) { rows, _ in
        while try intake.next(&rows) {
          intake.account.ignore("a database has no place for \(kind)")
        }
      }
    }
  }

  // MARK: Files

  private static let readKinds = [
    "nameusage", "name", "taxon", "synonym", "reference", "namereference", "vernacularname",
    "distribution", "taxonproperty",
  ]
  private static let ignoredKinds = [
    "namerelation", "typematerial", "taxonconceptrelation", "speciesinteraction",
    "speciesestimate", "media", "region", "treatment", "author", "description",
  ]
  /// Names of older versions of the format.
  private static let olderNames = [
    "vernacular": "vernacularname", "namerel": "namerelation", "taxonrel": "taxonconceptrelation",
    "estimate": "speciesestimate", "refs": "reference", "references": "reference",
    "taxonconceptrel": "taxonconceptrelation", "interaction": "speciesinteraction",
  ]

  /// The file of each kind that is there; of several the one that lies least deep.
  private static func places(
    _ files: SourceFiles, without claimed: Set<String>
  ) -> [String: String] {
    var places: [String: String] = [:]
    let byDepth = files.names.filter { !claimed.contains($0) }.sorted {
      ($0.utf8.count { $0 == 0x2F }, $0) < ($1.utf8.count { $0 == 0x2F }, $1)
    }
    for name in byDepth {
      let parts = SourceFiles.lastPart(of: name).split(separator: ".")
      guard parts.count == 2, ["csv", "tsv", "txt", "tab"].contains(parts[1].lowercased()) else {
        continue
      }
      let key = ColumnMap.key(String(parts[0]))
      let kind = olderNames[key] ?? key
      if places[kind] == nil, readKinds.contains(kind) || ignoredKinds.contains(kind) {
        places[kind] = name
      }
    }
    return places
  }

  /// Opens the file of a kind, if there is one, and begins its account.
  func readFile(
    _ kind: String, isCounted: Bool = true, unreadReason: String? = nil,
    _ body: (inout TableReader, ColumnMap) throws -> Void
  ) throws {
    guard let file = places[kind] else { return }
    if isCounted { intake.account.begin(file) }
    let findings = isCounted ? intake.findings : Findings()
    var (rows, columns) = try files.table(file, onFinding: findings.ofRows, areNullWordsEmpty: true)
    try body(&rows, columns)
    if isCounted { intake.account.noteUnread(columns.unread, because: unreadReason) }
  }

  private func readReferences() throws {
    try readFile("reference") { rows, columns in
      let id = columns.index("ID")
      let citation = columns.index("citation")
      let author = columns.index("author", "editor")
      let year = columns.index("issued", "year")
      let title = columns.index("title")
      let container = columns.index("containerTitle", "source")
      let volume = columns.index("volume")
      let issue = columns.index("issue")
      let pages = columns.index("page")
      let details = columns.index("details")
      let doi = columns.index("doi")
      let link = columns.index("link", "url")
      while try intake.next(&rows) {
        var text = rows.value(citation)
        if text.isEmpty {
          text = ReferenceTable.citation(
            author: rows.value(author), year: rows.value(year), title: rows.value(title),
            container: rows.value(container), volume: rows.value(volume), issue: rows.value(issue),
            pages: rows.value(pages), details: rows.value(details))
        }
        let address = ReferenceTable.address(doi: rows.value(doi), link: rows.value(link))
        try references.add(
          id: rows.value(id), citation: text.isEmpty ? address : text, url: address)
      }
    }
    try references.close()
  }

  // MARK: Usages by id

  /// The taxon that a row about the usage `id` is about: that of a synonym is its accepted one.
  func taxon(_ id: String) -> Int64? {
    guard !id.isEmpty,
      let row = usages.row(TaxonID(sourceText: id).rawValue, ids: intake.usages.ids)
    else { return nil }
    let flags = intake.usages.flags[row]
    if flags.contains(.bare) { return nil }
    guard flags.contains(.synonym) else { return intake.usages.ids[row] }
    let accepted = intake.usages.links[row]
    return accepted == Intake.none ? nil : accepted
  }
}
