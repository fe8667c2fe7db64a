import STOLPack
import STOLFormats
import STOLNames

/// Reads a table whose columns a mapping file explains (`TableMapping`, Format/MAPPING.md).
///
/// - Without an id column a row's id is its rank and name: the same in every release.
/// - Without a parent column a row is below the higher taxa that its columns name; of these the ones
///   that have no row of their own become taxa.
/// - The genus of a species, and the species of a subspecies, are in its name where no column says them; so
///   are those of what lists of birds have beside species (`BirdCategory`).
/// - Parents and accepted taxa are ids where there is an id column, else names.
struct MappedTableReader {
  let files: SourceFiles
  private let intake: Intake
  private let mappingPath: String
  /// The table that was asked for.
  private let table: String?
  private static let mappingLimit = 1 << 20

  init(_ source: IngestSource, _ intake: Intake) throws {
    guard let mappingPath = source.mappingPath else {
      throw FormatError.unreadable(
        path: source.path, reason: "a table needs a mapping file; name it with --mapping")
    }
    self.mappingPath = mappingPath
    table = source.table
    self.intake = intake
    files = try SourceFiles(path: source.path)
    intake.account.noteFiles(files.names)
  }

  func read() throws {
    let text = try mappingText()
    var lineages = LineageTable()
    for file in try tableNames(text) {
      var (rows, columns) = try open(file, text)
      guard !columns.names.isEmpty else {
        throw FormatError.unreadable(path: file, reason: "it is empty")
      }
      let mapping = try mapping(text, columns)
      intake.metadata = mapping.metadata
      intake.account.begin(file)
      for name in files.names where table != nil && name != file {
        intake.account.explain(name, "another table is read: \(file)")
      }
      intake.account.noteUnread(columns.unread, because: "the mapping does not name it")
      if let lineage = mapping.lineage {
        try readLineages(&rows, mapping, lineage, &lineages)
        continue
      }
      while try intake.next(&rows) {
        try add(rows, mapping)
      }
    }
  }

  private func open(
    _ file: String, _ text: String, isCounted: Bool = true
  ) throws -> (rows: TableReader, columns: ColumnMap) {
    try files.table(
      file, columnNames: TableMapping.columnNames(text),
      onFinding: isCounted ? intake.findings.ofRows : { _, _ in }, areNullWordsEmpty: true)
  }

  private func mapping(_ text: String, _ columns: ColumnMap) throws -> TableMapping {
    try TableMapping(
      text, file: mappingPath, columns: columns,
      ignoresMissing: BuiltInMapping(rawValue: mappingPath) != nil)
  }

  /// The text of the built-in mapping of that name, or of the mapping file: one that is called like a
  /// built-in mapping is named as "./gtdb".
  private func mappingText() throws -> String {
    if let builtIn = BuiltInMapping(rawValue: mappingPath) { return builtIn.text }
    let mappingFiles = try SourceFiles(path: mappingPath)
    guard mappingFiles.names.count == 1 else {
      throw FormatError.unreadable(path: mappingPath, reason: "it is no mapping file")
    }
    let bytes = try mappingFiles.contents(of: mappingFiles.names[0], limit: Self.mappingLimit)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a table each row of which states its whole lineage.
  private func readLineages(
    _ rows: inout TableReader, _ mapping: TableMapping, _ lineage: TableMapping.Lineage,
    _ table: inout LineageTable
  ) throws {
    while try intake.next(&rows) {
      let line = rows.line
      let text = Self.value(lineage.source, rows)
      let outcome = table.add(
        text, separator: lineage.separator, id: Self.value(mapping.source("id"), rows),
        rank: intake.rank(Self.value(mapping.source("rank"), rows), line: line), line: line,
        clean: { intake.clean($0, line: line) })
      switch outcome {
      case .new: break
      case .known: intake.account.add(.joined)
      case .nameless: intake.leaveOut(.emptyName, line, text)
      case .tooLong: intake.ignore(.lineageTooLong, "a lineage that is too long", line, text)
      }
    }
    // Placeholders such as "Bacillota_A" are names as well.
    try table.giveNew { usage in
      guard usage.line == 0 else { return try intake.add(usage) }
      intake.findings.add(.implicitTaxon, usage.id)
      try intake.addImplicit(usage)
      intake.account.noteUsages(intake.usages.count)
    }
  }

  /// The tables: that which was asked for, else the only one of the source, or all that state lineages
  /// alike, as GTDB's two.
  private func tableNames(_ text: String) throws -> [String] {
    if let table { return [try Self.name(of: table, in: files)] }
    if files.names.count == 1 { return files.names }
    let tables = files.names.filter { name in
      [".csv", ".tsv", ".txt", ".tab"].contains(where: name.lowercased().hasSuffix)
    }
    if tables.count == 1 { return tables }
    let lineages = try tables.filter { try statesLineages($0, text) }
    guard lineages.isEmpty else { return lineages }
    throw FormatError.unreadable(
      path: files.path,
      reason: tables.isEmpty
        ? "there is no table in it"
        : "there are \(tables.count) tables in it; name one with --table: "
          + tables.prefix(10).joined(separator: ", "))
  }

  /// Whether a table without a header line begins with a lineage where the mapping says.
  private func statesLineages(_ file: String, _ text: String) throws -> Bool {
    guard let names = TableMapping.columnNames(text) else { return false }
    var (rows, columns) = try open(file, text, isCounted: false)
    guard let lineage = try mapping(text, columns).lineage, try rows.next() else { return false }
    return rows.fieldCount == names.count
      && Self.value(lineage.source, rows).contains(lineage.separator)
  }

  /// The file that somebody calls a table; that of a sheet ends in ".tsv".
  static func name(of table: String, in files: SourceFiles) throws -> String {
    if let name = files.find(table) ?? files.find(table + ".tsv") { return name }
    let others = files.names.prefix(10).joined(separator: ", ")
    throw FormatError.unreadable(
      path: files.path, reason: "there is no table \(table) in it, but \(others)")
  }

  private static func value(_ source: TableMapping.Source?, _ row: TableReader) -> String {
    switch source {
    case .column(let index)?: row.text(index)
    case .constant(let text)?: text
    case nil: ""
    }
  }

  /// A name whose words have "_" between them, with spaces there: "Abditomys_latidens".
  private static func withSpaces(_ name: String) -> String {
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    let isName =
      parts.count > 1 && parts[0].first?.isUppercase == true
      && parts.dropFirst().allSatisfy { $0.utf8.count > 1 && $0.allSatisfy(\.isLowercase) }
    return isName ? parts.joined(separator: " ") : name
  }

  /// "Struthionidae (Ostriches)", as checklists of birds have it, is the family Struthionidae.
  private static func withoutCommonName(_ name: String, _ rank: SourceRank) -> String {
    guard rank.level ?? .max < SourceRank.genus.level ?? .max, name.hasSuffix(")"),
      let mark = name.firstRange(of: " (")
    else {
      return name
    }
    return String(name[..<mark.lowerBound])
  }

  /// The authorship of a row; where the table says apart whether it is in parentheses, with the year.
  private func authorship(_ row: TableReader, _ mapping: TableMapping) -> String {
    let text = intake.clean(Self.value(mapping.source("authorship"), row), line: row.line)
    guard let parentheses = mapping.source("parentheses"), !text.isEmpty else { return text }
    let year = trimmingSpaces(Self.value(mapping.source("year"), row))
    let whole = year.isEmpty || text.contains(year) ? text : "\(text), \(year)"
    let isInside = TableReader.saysYes(Self.value(parentheses, row)) && !text.hasPrefix("(")
    return isInside ? "(\(whole))" : whole
  }

  /// Whether names of a rank are no names that could be taken apart: "Anas platyrhynchos (Domestic type)".
  private func isKeptWhole(_ rank: SourceRank?) -> Bool {
    guard let category = rank.flatMap({ BirdCategory($0) }) else { return false }
    // Others have names for hybrids and forms.
    return category.isOfBirdsOnly || ["clements", "ebird"].contains(mappingPath)
  }

  private func add(_ row: TableReader, _ mapping: TableMapping) throws {
    func value(_ source: TableMapping.Source?) -> String { Self.value(source, row) }
    var usage = SourceUsage()
    usage.line = row.line
    usage.rank = intake.rank(value(mapping.source("rank")), line: row.line)
    let name = Self.withSpaces(intake.clean(value(mapping.source("name")), line: row.line))
    let authorship = authorship(row, mapping)
    if isKeptWhole(usage.rank) {
      let parts = AuthorshipParser.parse(authorship)
      usage.name = name
      usage.authorship = parts.text
      usage.year = parts.year
    } else if !name.isEmpty {
      let parts = intake.nameParts(
        name, authorship: authorship, rank: usage.rank, line: row.line)
      usage.name = parts.canonicalName
      usage.authorship = parts.authorship
      usage.year = Int(value(mapping.source("year"))) ?? parts.year
      usage.sensu = parts.phrase
    }
    let hasIDs = mapping.source("id") != nil
    usage.id = value(mapping.source("id"))
    usage.code = NameCleaner.clean(value(mapping.source("code"))).text
    intake.takeStatus(value(mapping.source("status")), of: &usage)
    usage.conservation = intake.conservationCode(
      value(mapping.source("iucn")), line: row.line)
    let accepted = value(mapping.source("accepted"))
    let parent = value(mapping.source("parent"))
    if hasIDs {
      if !accepted.isEmpty { usage.acceptedIDs = [accepted] }
      usage.parentID = parent
    } else {
      usage.acceptedName = intake.clean(accepted, line: row.line)
      usage.parentName = intake.clean(parent, line: row.line)
    }
    if parent.isEmpty, usage.status != .synonym {
      for (rank, source) in mapping.classification {
        let name = Self.withoutCommonName(intake.clean(value(source), line: row.line), rank)
        guard !name.isEmpty else { continue }
        usage.classification.append((rank, name))
      }
      usage.addRanksInName()
    }
    if usage.id.isEmpty {
      usage.id = [usage.rank?.canonicalName ?? "", usage.name].filter { !$0.isEmpty }
        .joined(separator: " ")
    }
    try intake.add(usage)
    guard !usage.name.isEmpty, usage.status != .bareName else { return }
    if TableReader.saysYes(value(mapping.source("extinct"))) {
      try intake.add(.extinct, of: usage.id, isFurther: true)
    }
    var languages: Set<String> = []
    for entry in mapping.vernaculars {
      let text = value(entry.source)
      let texts = entry.unit.isEmpty ? [text] : text.split(separator: entry.unit).map(String.init)
      for text in texts {
        let name = intake.clean(trimmingSpaces(text), line: row.line)
        guard !name.isEmpty else { continue }
        try intake.add(
          .vernacular(
            name: name, language: entry.field,
            isPreferred: languages.insert(entry.field).inserted, isCommon: true),
          of: usage.id, isFurther: true)
      }
    }
    for entry in mapping.traits {
      let text = NameCleaner.clean(value(entry.source)).text
      guard !text.isEmpty else { continue }
      try intake.add(
        .trait(key: entry.field, value: text, unit: entry.unit), of: usage.id,
        isFurther: true)
    }
    for source in mapping.references {
      let text = NameCleaner.clean(value(source)).text
      guard !text.isEmpty else { continue }
      try intake.add(
        .reference(
          citation: text, url: text.hasPrefix("http") ? text : "", kind: .taxonomy), of: usage.id,
        isFurther: true)
    }
  }
}
