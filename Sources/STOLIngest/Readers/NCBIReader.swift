import STOLFormats
import STOLNames

/// Reads the dump of NCBI Taxonomy, "taxdump" or "new_taxdump": nodes.dmp, names.dmp, and where they
/// are there merged.dmp and delnodes.dmp (readme.txt of the dump).
struct NCBIReader {
  let files: SourceFiles
  let intake: Intake

  func read() throws {
    intake.metadata = Self.metadata
    try forEachRow(of: "nodes.dmp", columnCount: 3) { (row: TableReader) throws in
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
    of name: String, columnCount: Int, _ body: (TableReader) throws -> Void
  ) throws {
    let file = try files.required(name)
    intake.account.begin(file)
    var layout = TableLayout.dump
    layout.columnCount = nil
    var table = TableReader(
      try files.open(file), layout, fileName: file, onFinding: intake.findings.ofRows)
    while try table.next() {
      guard table.fieldCount >= columnCount else {
        throw FormatError.line(
          file: file, line: table.line,
          reason: "\(table.fieldCount) columns, at least \(columnCount) are needed")
      }
      try intake.countRow()
      try body(table)
    }
  }

  // MARK: Names

  /// The names of one taxon, which stand together.
  private struct Group {
    var id: Int64?
    var scientific = ""
    var authorities: [String] = []
    var synonyms: [String] = []
    var common: [(name: String, isPreferred: Bool)] = []
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
      } else if row.equals(3, "authority") {
        group.authorities.append(name)
        intake.account.add(.joined)
      } else if row.equals(3, "genbank common name") {
        group.common.append((name, true))
      } else if row.equals(3, "common name") || row.equals(3, "blast name") {
        group.common.append((name, false))
      } else if row.equals(3, "type material") {
        intake.account.add(.ignored)
      } else {
        group.synonyms.append(name)
      }
    }
    try add(group, table)
  }

  private func add(_ group: Group, _ table: IDTable) throws {
    guard let id = group.id else { return }
    if !group.scientific.isEmpty {
      guard let row = table.row(id, ids: intake.usages.ids) else {
        intake.leaveOut(.unknownTaxon, nil, "\(id): \(group.scientific)")
        return try addFurtherNames(group, of: id)
      }
      intake.account.add(.joined)
      let author = Self.authorship(of: group.scientific, group.authorities)
      try intake.setName(group.scientific, authorship: author.text, year: author.year, ofRow: row)
    }
    try addFurtherNames(group, of: id)
  }

  private func addFurtherNames(_ group: Group, of id: Int64) throws {
    let hasPreferred = group.common.contains(where: \.isPreferred)
    for (number, common) in group.common.enumerated() {
      try intake.add(
        .vernacular(
          name: common.name, language: "en",
          isPreferred: common.isPreferred || !hasPreferred && number == 0, isCommon: true),
        of: id)
    }
    for synonym in group.synonyms {
      let parts = ScientificNameParser.parse(synonym, authorship: nil, rank: nil)
      var name = synonym
      var author = Self.authorship(of: synonym, group.authorities)
      if parts.kind == .scientific, !parts.authorship.isEmpty {
        name = parts.canonicalName
        author.text = parts.authorship
        author.year = parts.year
      }
      try intake.add(
        .synonym(name: name, authorship: author.text, year: author.year, rank: ""), of: id)
    }
  }

  /// The authorship that one of `authorities` gives to a name.
  private static func authorship(of name: String, _ authorities: [String]) -> Authorship {
    for authority in authorities where authority.hasPrefix(name + " ") {
      return AuthorshipParser.parse(String(authority.dropFirst(name.count + 1)))
    }
    return Authorship()
  }
}
