import STOLFormats

/// The files of a Darwin Core archive: a zip archive or a folder with a meta.xml, or with a table of occurrences alone.
package struct DarwinCoreArchive {
  /// A table of the archive.
  struct Part {
    let fileName: String
    /// How it is written and what its columns are; nil where its first row says it.
    let table: ArchiveDescriptor.Table?
  }

  let path: String
  private let files: SourceFiles
  /// The tables of each row type, by its last word in small letters; the core is the first of its type.
  private(set) var parts: [(type: String, part: Part)] = []
  /// The row type of the core.
  let core: String
  /// What tells its data from those of others: the id of its description.
  private(set) var identity = ""

  /// The row types that records are made of.
  static let occurrence = "occurrence"
  static let event = "event"
  /// The extension for how a survey was done, whose row type is called as that of events.
  static let survey = "survey"

  /// The archive at a path; nil where there is none.
  ///
  /// - Throws: `FormatError` for a damaged one, or one with a meta.xml that cannot be read.
  package init?(path: String) throws {
    guard JournalArchive.form(ofFileAt: path) == nil else { return nil }
    self.path = path
    let files = try SourceFiles(path: path)
    self.files = files
    guard let meta = files.find("meta.xml") else {
      guard files.names.count > 1, let name = files.find("occurrence.txt") else { return nil }
      core = Self.occurrence
      parts = [(core, Part(fileName: name, table: nil))]
      return
    }
    // What its locations are relative to.
    let folder = String(meta.dropLast("meta.xml".utf8.count))
    let descriptor = try ArchiveDescriptor(
      files.contents(of: meta, limit: ArchiveDescriptor.byteLimit), path: "\(path): \(meta)")
    core = Self.type(descriptor.core)
    for (number, table) in ([descriptor.core] + descriptor.extensions).enumerated() {
      // A download of GBIF has the rows of its core once more, as they were before it changed them.
      let type = Self.type(table)
      let isCopy = number > 0 && type == core
      for file in table.files {
        guard let name = files.find(folder + file) else {
          throw FormatError.missingFile(path: path, name: folder + file)
        }
        parts.append((isCopy ? "verbatim \(type)" : type, Part(fileName: name, table: table)))
      }
    }
    guard core == Self.occurrence || core == Self.event else {
      throw FormatError.unreadable(
        path: path, reason: "its core are rows of \(core): the journal takes occurrences and events"
      )
    }
    if let name = descriptor.metadataFile.flatMap({ files.find(folder + $0) }),
      let bytes = try? files.contents(of: name, limit: 1 << 24),
      let root = try? XMLParser.parse(bytes, limit: 1 << 24)
    {
      // A broken description spoils no record.
      identity = root.attributes["packageId"] ?? root.descendant("title")?.wholeText ?? ""
    }
  }

  /// The row type in a word.
  private static func type(_ table: ArchiveDescriptor.Table) -> String {
    let type = table.rowType
    if type.contains("/eco/terms/") { return survey }
    return (type.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? "").lowercased()
  }

  /// Whether the archive has a table of a row type.
  func has(_ type: String) -> Bool { parts.contains { $0.type == type } }

  /// Opens a table at its beginning.
  func open(_ part: Part) throws -> ForeignTable {
    let stream = try files.open(part.fileName)
    guard let table = part.table else {
      return try ForeignTable(stream, fileName: part.fileName, key: ColumnMap.key)
    }
    func name(_ term: String) -> String {
      term.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? term
    }
    var names = table.fields.compactMap { field in
      field.index.map { (name: name(field.term), index: $0) }
    }
    // The column that links the tables need be no term.
    if let index = table.idIndex { names.append((Self.coreID, index)) }
    var defaults: [String: String] = [:]
    for field in table.fields {
      if let value = field.defaultValue { defaults[ColumnMap.key(field.term)] = value }
    }
    let made = ForeignTable(
      stream, fileName: part.fileName, layout: table.layout, names: names, defaults: defaults,
      key: ColumnMap.key)
    made.take(Self.coreID)
    made.prefix = "\(part.fileName): "
    return made
  }

  /// What the column is called that links the tables.
  static let coreID = "core id"
}
