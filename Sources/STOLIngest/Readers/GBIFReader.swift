import STOLFormats
import STOLNames

/// Reads the GBIF backbone in its simple form: one table of 30 columns between tabs, without a header,
/// `\N` where there is nothing, as COPY of PostgreSQL writes it.
///
/// https://hosted-datasets.gbif.org/datasets/backbone/README.html
struct GBIFReader {
  let files: SourceFiles
  let intake: Intake

  private enum Column {
    static let id = 0
    static let parent = 1
    static let isSynonym = 3
    static let status = 4
    static let rank = 5
    static let scientificName = 18
    static let canonicalName = 19
    static let authorship = 24
    static let year = 25
    static let bracketAuthorship = 26
    static let bracketYear = 27
    static let publishedIn = 28
    static let count = 30
  }

  /// The columns of which nothing is kept, as the README of the backbone calls them.
  private static let unreadColumns = [
    "basionym_key", "nom_status", "constituent_key", "origin", "source_taxon_key", "kingdom_key",
    "phylum_key", "class_key", "order_key", "family_key", "genus_key", "species_key", "name_id",
    "genus_or_above", "specific_epithet", "infra_specific_epithet", "notho_type", "issues",
  ]

  func read() throws {
    intake.metadata = try DatasetMetadata(of: files, findings: intake.findings)
    if intake.metadata.title == nil {
      intake.metadata.title = "GBIF Backbone Taxonomy"
      intake.metadata.licence = "CC-BY-4.0"
      intake.metadata.url = "https://doi.org/10.15468/39omei"
    }
    let file = try table()
    intake.account.begin(file)
    intake.account.noteUnread(Self.unreadColumns)
    var layout = TableLayout.tabs
    layout.columnCount = Column.count
    var rows = TableReader(
      try files.open(file), layout, fileName: file, onFinding: intake.findings.ofRows)
    var ranks: [String: UInt16] = [:]
    var authorship: [UInt8] = []
    while try intake.next(&rows) {
      guard let id = rows.integer(Column.id), id >= 0 else {
        throw FormatError.line(file: file, line: rows.line, reason: "the key is not a number")
      }
      let rankText = rows.text(Column.rank)
      var rank = ranks[rankText]
      if rank == nil {
        rank = intake.rankCode(intake.rank(rankText, line: rows.line))
        ranks[rankText] = rank
      }
      let parent = rows.integer(Column.parent)
      let standing = standing(rows)
      let flags: UsageFlags =
        standing == .synonym ? .synonym : standing == .doubtful ? .doubtful : []
      // The usual word is not read again and again.
      let status =
        rows.equals(Column.status, "ACCEPTED")
        ? "" : NameCleaner.clean(rows.text(Column.status)).text
      try add(
        rows, id: id, link: parent == id ? nil : parent, rank ?? 0, flags, status, &authorship)
      if !rows.isEmpty(Column.publishedIn) {
        // Of markup alone nothing is left.
        let citation = intake.clean(rows.text(Column.publishedIn), line: rows.line)
        guard !citation.isEmpty else { continue }
        try intake.add(.reference(citation: citation, kind: .taxonomy), of: id, isFurther: true)
      }
    }
  }

  /// "simple.txt", or the only table.
  private func table() throws -> String {
    if let file = files.find("simple.txt") { return file }
    let tables = files.names.filter { name in
      files.names.count == 1
        || [".txt", ".tsv"].contains { name.lowercased().hasSuffix($0) }
    }
    guard tables.count == 1 else {
      throw FormatError.missingFile(path: files.path, name: "simple.txt")
    }
    return tables[0]
  }

  private func standing(_ row: TableReader) -> TaxonomicStatus? {
    if row.equals(Column.isSynonym, "t") { return .synonym }
    if row.equals(Column.status, "ACCEPTED") { return .accepted }
    return intake.status(row.text(Column.status), line: row.line)
  }

  /// Adds the usage: names that are ASCII without markup go in as they are.
  private func add(
    _ row: TableReader, id: Int64, link: Int64?, _ rank: UInt16, _ flags: UsageFlags,
    _ status: String, _ authorship: inout [UInt8]
  ) throws {
    Self.assembleAuthorship(row, &authorship)
    let year = row.integer(Column.year) ?? row.integer(Column.bracketYear)
    let canonical = row.bytes(Column.canonicalName)
    if Self.isPlain(canonical), Self.isPlain(authorship.span) || authorship.isEmpty {
      return try intake.add(
        id: id, link: link, rank: rank, flags: flags, name: canonical, authorship: authorship.span,
        year: year.map { Int($0) }, statusText: status)
    }
    var text = intake.clean(row.text(Column.canonicalName), line: row.line)
    var author = intake.clean(String(decoding: authorship, as: UTF8.self), line: row.line)
    if text.isEmpty {
      // Formulas of hybrids, viruses and other names without a canonical form.
      let whole = intake.clean(row.text(Column.scientificName), line: row.line)
      let parts = ScientificNameParser.parse(whole, authorship: author.stated)
      text = parts.canonicalName
      if author.isEmpty { author = parts.authorship }
      if parts.kind == .informal {
        intake.note(.nameKeptWhole, row.line, text)
      }
    }
    guard !text.isEmpty else {
      return intake.leaveOut(.emptyName, row.line, "key \(id)")
    }
    let (name, writer) = (Array(text.utf8), Array(author.utf8))
    try intake.add(
      id: id, link: link, rank: rank, flags: flags, name: name.span, authorship: writer.span,
      year: year.map { Int($0) }, statusText: status)
  }

  /// "(Basionym authors, year) authors, year".
  private static func assembleAuthorship(_ row: TableReader, _ text: inout [UInt8]) {
    text.removeAll(keepingCapacity: true)
    let bracket = [Column.bracketAuthorship, Column.bracketYear]
    if bracket.contains(where: { !row.isEmpty($0) }) {
      text.append(UInt8(ascii: "("))
      append(row, bracket, &text)
      text.append(UInt8(ascii: ")"))
    }
    if !row.isEmpty(Column.authorship) || !row.isEmpty(Column.year) {
      if !text.isEmpty { text.append(UInt8(ascii: " ")) }
      append(row, [Column.authorship, Column.year], &text)
    }
  }

  private static func append(_ row: TableReader, _ columns: [Int], _ text: inout [UInt8]) {
    let start = text.count
    for column in columns where !row.isEmpty(column) {
      let bytes = row.bytes(column)
      // Some authorships say the year themselves.
      let isThere = (start..<max(start, text.count - bytes.count + 1)).contains { first in
        (0..<bytes.count).allSatisfy { text[first + $0] == bytes[$0] }
      }
      if isThere { continue }
      if text.count > start { text.append(contentsOf: [UInt8(ascii: ","), UInt8(ascii: " ")]) }
      for index in 0..<bytes.count { text.append(bytes[index]) }
    }
  }

  /// Whether cleaning would change nothing: printable ASCII, not too long, single spaces, no markup or
  /// entities.
  private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
    guard 1...NameCleaner.byteLimit ~= bytes.count, bytes[0] != 0x5C else { return false }
    var before: UInt8 = 0x20
    for index in 0..<bytes.count {
      let byte = bytes[index]
      guard 0x20...0x7E ~= byte, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"),
        byte != UInt8(ascii: "_"), byte != 0x20 || before != 0x20
      else { return false }
      before = byte
    }
    return before != 0x20
  }
}
