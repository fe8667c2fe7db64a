import STOLPack
import STOLFormats
import STOLNames

/// Reads a table whose columns a mapping file explains (`TableMapping`, Format/MAPPING.md).
///
/// - Without an id column a row's id is its rank and name: the same in every release.
/// - Without a parent column a row is below the higher taxa that its columns name; of these the ones
///   that have no row of their own become taxa.
/// - The genus of a species, and the species of a subspecies, are in its name where no column says them.
/// - Parents and accepted taxa are ids where there is an id column, else names.
struct MappedTableReader {
  private let files: SourceFiles
  private let intake: Intake
  private let mappingPath: String
  private static let mappingLimit = 1 << 20

  init(_ source: IngestSource, _ intake: Intake) throws {
    guard let mappingPath = source.mappingPath else {
      throw FormatError.unreadable(
        path: source.path, reason: "a table needs a mapping file; name it with --mapping")
    }
    self.mappingPath = mappingPath
    self.intake = intake
    files = try SourceFiles(path: source.path)
  }

  func read() throws {
    let file = try tableName()
    var (rows, columns) = try files.table(file, onFinding: intake.findings.ofRows)
    guard !columns.names.isEmpty else {
      throw FormatError.unreadable(path: file, reason: "it is empty")
    }
    let mappingFiles = try SourceFiles(path: mappingPath)
    guard mappingFiles.names.count == 1 else {
      throw FormatError.unreadable(path: mappingPath, reason: "it is no mapping file")
    }
    let bytes = try mappingFiles.contents(of: mappingFiles.names[0], limit: Self.mappingLimit)
    let mapping = try TableMapping(
      String(decoding: bytes, as: UTF8.self), file: mappingPath, columns: columns)
    intake.metadata = mapping.metadata
    intake.account.begin(file)
    while try intake.next(&rows) {
      try add(rows, mapping)
    }
  }

  /// Adds the genus and the species that the name itself states where no column does.
  private func addRanksInName(to usage: inout SourceUsage) {
    guard let rank = usage.rank, rank.kept == .species || rank.isBelowSpecies,
      case let last = usage.classification.last?.rank ?? .domain, last != .species
    else { return }
    let words = usage.name.split(separator: " ")
    guard words.count > 1, words[0].first?.isUppercase ?? false, words[0] != "×" else { return }
    if last != .genus { usage.classification.append((.genus, String(words[0]))) }
    guard rank.isBelowSpecies, words[1].allSatisfy({ $0.isLetter || $0 == "-" }) else { return }
    usage.classification.append((.species, "\(words[0]) \(words[1])"))
  }

  /// The table: the only one of the source.
  private func tableName() throws -> String {
    if files.names.count == 1 { return files.names[0] }
    let tables = files.names.filter { name in
      [".csv", ".tsv", ".txt", ".tab"].contains(where: name.lowercased().hasSuffix)
    }
    guard tables.count == 1 else {
      throw FormatError.unreadable(
        path: files.path,
        reason: tables.isEmpty
          ? "there is no table in it"
          : "there are \(tables.count) tables in it; name one: \(tables.prefix(10).joined(separator: ", "))"
      )
    }
    return tables[0]
  }

  private func add(_ row: TableReader, _ mapping: TableMapping) throws {
    func value(_ source: TableMapping.Source?) -> String {
      switch source {
      case .column(let index)?: row.text(index)
      case .constant(let text)?: text
      case nil: ""
      }
    }
    var usage = SourceUsage()
    usage.line = row.line
    usage.rank = intake.rank(value(mapping.source("rank")), line: row.line)
    let name = intake.clean(value(mapping.source("name")), line: row.line)
    if !name.isEmpty {
      let authorship = intake.clean(value(mapping.source("authorship")), line: row.line)
      let parts = intake.nameParts(
        name, authorship: authorship, rank: usage.rank, line: row.line)
      usage.name = parts.canonicalName
      usage.authorship = parts.authorship
      usage.year = Int(value(mapping.source("year"))) ?? parts.year
    }
    let hasIDs = mapping.source("id") != nil
    usage.id = value(mapping.source("id"))
    usage.status = intake.status(value(mapping.source("status")), line: row.line)
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
        let name = intake.clean(value(source), line: row.line)
        if !name.isEmpty { usage.classification.append((rank, name)) }
      }
      addRanksInName(to: &usage)
    }
    if usage.id.isEmpty {
      usage.id = [usage.rank?.canonicalName ?? "", usage.name].filter { !$0.isEmpty }
        .joined(separator: " ")
    }
    try intake.add(usage)
    guard !usage.name.isEmpty, usage.status != .bareName else { return }
    var languages: Set<String> = []
    for entry in mapping.vernaculars {
      let name = intake.clean(value(entry.source), line: row.line)
      guard !name.isEmpty else { continue }
      try intake.add(
        .vernacular(
          name: name, language: entry.field,
          isPreferred: languages.insert(entry.field).inserted, isCommon: true),
        of: usage.id, isFurther: true)
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
