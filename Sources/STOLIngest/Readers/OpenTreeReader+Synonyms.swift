import STOLPack
import STOLFormats
import STOLNames

extension OpenTreeReader {
  /// Reads synonyms.tsv, whose columns its header names in any order.
  ///
  /// Names may have an authorship. One that is the taxon's own name with an authorship gives it that,
  /// and its row is `.joined`; so is that of a taxon's authority. NCBI's kinds of common names are
  /// English ones.
  func readSynonyms() throws {
    guard let file = files.find("synonyms.tsv") else { return }
    intake.account.begin(file)
    let table = intake.usages.table
    var (rows, columns) = try files.table(file, onFinding: intake.findings.ofRows)
    let uid = columns.index("uid", "id")
    let nameColumn = try columns.requiredIndex("name", file: file)
    let type = columns.index("type")
    guard let uid else { throw FormatError.missingColumn(file: file, column: "uid") }
    intake.account.noteUnread(columns.unread)
    while try intake.next(&rows) {
      let id = Self.id(rows.text(uid))
      let name = intake.clean(rows.text(nameColumn), line: rows.line)
      guard !name.isEmpty else {
        intake.leaveOut(.emptyName, rows.line, "id \(id)")
        continue
      }
      switch rows.value(type) {
      case "common name", "genbank common name", "blast name":
        let isPreferred = rows.value(type).hasPrefix("genbank")
        try intake.add(
          .vernacular(name: name, language: "en", isPreferred: isPreferred, isCommon: true),
          of: id)
        continue
      case "type material":
        try intake.add(.trait(key: "type_material", value: name), of: id)
        continue
      default: break
      }
      let parts = ScientificNameParser.parse(name)
      let row = table.row(TaxonID(sourceText: id).rawValue, ids: intake.usages.ids)
      if let row, try isOwnName(parts, ofRow: row) || rows.value(type) == "authority" {
        intake.account.add(.joined)
        continue
      }
      try intake.add(
        .synonym(
          name: parts.canonicalName, authorship: parts.authorship, year: parts.year, rank: "",
          statusText: rows.value(type), sensu: parts.phrase),
        of: id)
    }
  }

  /// Whether a name is that of the taxon in `row`, which takes its authorship if it has none, and what
  /// stands behind the authors.
  private func isOwnName(_ parts: NameParts, ofRow row: Int) throws -> Bool {
    let text = try intake.text(row)
    guard text.name == parts.canonicalName else { return false }
    if text.authorship.isEmpty, !parts.authorship.isEmpty {
      try intake.setAuthorship(parts, ofRow: row)
    }
    return true
  }
}
