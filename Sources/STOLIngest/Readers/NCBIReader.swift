import STOLFormats
import STOLNames

/// Reads the dump of NCBI Taxonomy, "taxdump" or "new_taxdump": nodes.dmp, names.dmp, and where they
/// are there merged.dmp and delnodes.dmp (readme.txt of the dump).
struct NCBIReader {
  let files: SourceFiles
  let intake: Intake

  func read() throws {
    intake.metadata = Self.metadata
    try forEachRow(of: "nodes.dmp", columnCount: 3, unread: Self.unreadOfNodes) {
      (row: TableReader) throws in
      guard let id = row.integer(0), id > 0 else { throw Self.invalid(row, "tax_id") }
      guard let parent = row.integer(1) else { throw Self.invalid(row, "parent tax_id") }
      let rank = intake.rank(row.text(2), line: row.line)
      intake.add(id: id, parentID: parent == id ? nil : parent, rank: intake.rankCode(rank))
    }
    try readNames()
    if files.find("merged.dmp") != nil {
      try forEachRow(of: "merged.dmp", columnCount: 2) { (row: TableReader) throws in
        guard let id = row.integer(0), let into = row.integer(1) else {
          throw Self.invalid(row, "tax_id")
        }
        intake.merged.append((id, into))
        intake.account.add(.merged)
      }
    }
    if files.find("delnodes.dmp") != nil {
      try forEachRow(of: "delnodes.dmp", columnCount: 1) { (row: TableReader) throws in
        guard let id = row.integer(0) else { throw Self.invalid(row, "tax_id") }
        intake.deleted.append(id)
        intake.account.add(.deleted)
      }
    }
  }

  static var metadata: DatasetMetadata {
    DatasetMetadata(
      title: "NCBI Taxonomy", licence: "Public domain (NCBI)",
      url: "https://www.ncbi.nlm.nih.gov/taxonomy",
      citation:
        "Schoch CL et al. 2020. NCBI Taxonomy: a comprehensive update on curation, resources and "
        + "tools. Database 2020: baaa062.")
  }

  private static func invalid(_ row: TableReader, _ column: String) -> FormatError {
    .line(file: row.fileName, line: row.line, reason: "\(column) is not a number")
  }

  private func forEachRow(
    of name: String, columnCount: Int, unread: [String] = [],
    _ body: (TableReader) throws -> Void
  ) throws {
    let file = try files.required(name)
    intake.account.begin(file)
    var layout = TableLayout.dump
    layout.columnCount = nil
    var width = 0
    var table = TableReader(
      try files.open(file), layout, fileName: file, onFinding: intake.findings.ofRows)
    while try table.next() {
      // Older dumps have fewer columns.
      width = max(width, table.fieldCount)
      guard table.fieldCount >= columnCount else {
        throw FormatError.line(
          file: file, line: table.line,
          reason: "\(table.fieldCount) columns, at least \(columnCount) are needed")
      }
      try intake.countRow()
      try body(table)
    }
    intake.account.noteUnread(Array(unread.prefix(max(0, width - columnCount))))
  }

  /// The columns of nodes.dmp after the rank, of "taxdump" and, from the 14th on, of "new_taxdump".
  private static let unreadOfNodes = [
    "embl code", "division id", "inherited div flag", "genetic code id", "inherited GC flag",
    "mitochondrial genetic code id", "inherited MGC flag", "GenBank hidden flag",
    "hidden subtree root flag", "comments", "plastid genetic code id", "inherited PGC flag",
    "specified_species", "hydrogenosome genetic code id", "inherited HGC flag",
  ]

  // MARK: Names

  /// The names of one taxon, which stand together.
  private struct Group {
    var id: Int64?
    var scientific = ""
    /// The line of the scientific name.
    var line: Int?
    var authorities: [(name: String, line: Int)] = []
    /// With the class that the dump gives them: "synonym", "equivalent name", "in-part".
    var synonyms: [(name: String, type: String)] = []
    /// With the class, where that is another than "common name".
    var common: [(name: String, isPreferred: Bool, type: String)] = []
    /// "ATCC 33656 [[Eubacterium rectale]]".
    var typeMaterial: [String] = []
  }

  private func readNames() throws {
    let table = intake.usages.table
    var group = Group()
    try forEachRow(of: "names.dmp", columnCount: 4) { (row: TableReader) throws in
      guard let id = row.integer(0) else { throw Self.invalid(row, "tax_id") }
      if id != group.id {
        try add(group, table)
        group = Group(id: id)
      }
      let name = intake.clean(row.text(1), line: row.line)
      guard !name.isEmpty else {
        return intake.leaveOut(.emptyName, row.line, "tax_id \(id)")
      }
      if row.equals(3, "scientific name"), group.scientific.isEmpty {
        group.scientific = name
        group.line = row.line
      } else if row.equals(3, "authority") {
        group.authorities.append((name, row.line))
      } else if row.equals(3, "genbank common name") {
        group.common.append((name, true, row.text(3)))
      } else if row.equals(3, "common name") {
        group.common.append((name, false, ""))
      } else if row.equals(3, "blast name") {
        group.common.append((name, false, row.text(3)))
      } else if row.equals(3, "type material") {
        group.typeMaterial.append(name)
      } else {
        let type = row.text(3)
        if !Self.synonymClasses.contains(type) {
          intake.findings.add(.unknownNameClass, "\(row.fileName), line \(row.line): \(type)")
        }
        group.synonyms.append((name, type))
      }
    }
    try add(group, table)
    intake.account.noteUnread(["unique name"])
  }

  /// The classes of scientific names besides the accepted one: readme.txt of the dump, and what older
  /// and newer dumps have.
  private static let synonymClasses: Set = [
    "synonym", "genbank synonym", "equivalent name", "includes", "in-part", "misspelling",
    "misnomer",
    "acronym", "genbank acronym", "anamorph", "genbank anamorph", "teleomorph", "unpublished name",
    "scientific name", "equivalent", "heterotypic synonym", "homotypic synonym",
  ]

  private func add(_ group: Group, _ table: IDTable) throws {
    guard let id = group.id else { return }
    let row = table.row(id, ids: intake.usages.ids)
    let authorships = takeAuthorities(of: group, isKnown: row != nil)
    if !group.scientific.isEmpty {
      if let row {
        intake.account.add(.joined)
        let author = authorships[0] ?? Authorship()
        try intake.setName(
          group.scientific, authorship: author.text, year: author.year, sensu: author.phrase,
          ofRow: row)
      } else {
        intake.leaveOut(.unknownTaxon, group.line, "\(id): \(group.scientific)")
      }
    }
    try addFurtherNames(group, authorships, of: id)
  }

  private func addFurtherNames(
    _ group: Group, _ authorships: [Int: Authorship], of id: Int64
  ) throws {
    let hasPreferred = group.common.contains(where: \.isPreferred)
    for (number, common) in group.common.enumerated() {
      try intake.add(
        .vernacular(
          name: common.name, language: "en",
          isPreferred: common.isPreferred || !hasPreferred && number == 0, isCommon: true,
          statusText: common.type),
        of: id)
    }
    for (number, (synonym, type)) in group.synonyms.enumerated() {
      let parts = ScientificNameParser.parse(synonym, authorship: nil, rank: nil)
      var name = synonym
      var author = authorships[number + 1] ?? Authorship()
      if parts.kind == .scientific, !parts.authorship.isEmpty {
        name = parts.canonicalName
        author.text = parts.authorship
        author.year = parts.year
        author.phrase = parts.phrase
      }
      try intake.add(
        .synonym(
          name: name, authorship: author.text, year: author.year, rank: "", statusText: type,
          sensu: author.phrase), of: id)
    }
    for material in group.typeMaterial {
      try intake.add(.trait(key: "type_material", value: material), of: id)
    }
  }

  // MARK: Authorities

  /// What authorities say of the names of a taxon: 0 is the scientific name, then come the synonyms.
  ///
  /// An authority begins with the name that it is about, in quotes where that was not validly
  /// published: the longest of the taxon's names that fits. One that is about none of them, and a second
  /// one of a name, is ignored and counted.
  private func takeAuthorities(of group: Group, isKnown: Bool) -> [Int: Authorship] {
    guard !group.authorities.isEmpty else { return [:] }
    guard isKnown else {
      for (authority, line) in group.authorities {
        intake.leaveOut(.unknownTaxon, line, "\(group.id ?? 0): \(authority)")
      }
      return [:]
    }
    let names = ([group.scientific] + group.synonyms.map(\.name)).map(Self.withoutQuotes)
    var authorships: [Int: Authorship] = [:]
    for (authority, line) in group.authorities {
      let text = Self.withoutQuotes(authority)
      var owner: Int?
      for (number, name) in names.enumerated()
      where Self.isAuthority(text, of: name)
        && owner.map({ names[$0].utf8.count < name.utf8.count }) ?? true
      {
        owner = number
      }
      if let owner, authorships[owner] == nil {
        authorships[owner] = AuthorshipParser.parse(
          String(text.dropFirst(names[owner].count + 1)))
        intake.account.add(.joined)
      } else {
        intake.note(.authorityWithoutName, line, "\(group.id ?? 0): \(authority)")
        intake.account.ignore(
          owner == nil
            ? "an authority of a name that the taxon has not" : "a second authority of a name")
      }
    }
    return authorships
  }

  /// Whether a text is a name and its author; "Proteobacteria [class] Oren" is not of "Proteobacteria".
  private static func isAuthority(_ text: String, of name: String) -> Bool {
    guard !name.isEmpty, text.hasPrefix(name) else { return false }
    let rest = text.dropFirst(name.count)
    return rest.isEmpty || rest.first == " " && !rest.hasPrefix(" [")
  }

  /// A name without the quotes of names that were not validly published, which some dumps escape.
  private static func withoutQuotes(_ name: String) -> String {
    name.contains("\"") ? name.replacing("\\\"", with: "").replacing("\"", with: "") : name
  }
}
