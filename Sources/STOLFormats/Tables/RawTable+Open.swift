import STOLSystem

extension RawTable {
  /// Opens the table in a file, compressed or not, the core of a Darwin Core archive, or the standard input
  /// for nil.
  ///
  /// What separates fields is told from the first line: of comma, semicolon, tab and bar the one it has most of;
  /// a line without any is a name. Quotes are read where commas, semicolons or bars separate, and in tables with
  /// tabs whose header has some.
  ///
  /// - Throws: `FormatError`, `SystemError`; for a workbook, and text in UTF-16, with what to do.
  package static func open(_ path: String?) throws -> RawTable {
    guard let path else {
      let stream = try SourceStream.standardInput()
      return try table(stream, fileName: "standard input")
    }
    let files = try SourceFiles(path: path)
    let name: String
    if files.names.count == 1 {
      name = files.names[0]
    } else if let description = files.find("meta.xml") {
      name = try coreFile(files, description)
    } else {
      throw FormatError.unreadable(
        path: path,
        reason: "holds \(files.names.count) files and no meta.xml: name the table itself")
    }
    guard !files.areMadeTables else {
      throw FormatError.unreadable(
        path: path, reason: "a workbook has no rows of text: save its sheet as CSV first")
    }
    return try table(try files.open(name), fileName: name)
  }

  /// The table that `bytes` hold, which are not compressed, read as `open` reads a file.
  ///
  /// - Parameters:
  ///   - bytes: the whole table.
  ///   - fileName: what the file is called: its end tells which of two equal separators counts.
  /// - Returns: the table, before its first row.
  /// - Throws: `FormatError.unreadable` for what is compressed, in UTF-16, or no text.
  package static func reading(_ bytes: [UInt8], fileName: String) throws -> RawTable {
    for (magic, kind) in compressed where bytes.starts(with: magic) {
      throw FormatError.unreadable(path: fileName, reason: "is \(kind): give the text within")
    }
    let table = try table(
      head: bytes, guessedBy: Array(bytes.prefix(SourceStream.chunkByteCount)), fileName: fileName
    ) { [] }
    guard !bytes.contains(0) else {
      throw FormatError.unreadable(path: fileName, reason: "is no text: it has zeros")
    }
    return table
  }

  /// How files begin that hold no text as they are.
  private static let compressed: [([UInt8], String)] = [
    ([0x1F, 0x8B], "compressed"), ([0x28, 0xB5, 0x2F, 0xFD], "compressed"),
    ([0x50, 0x4B, 0x03, 0x04], "an archive or a workbook"),
  ]

  private static func table(_ stream: SourceStream, fileName: String) throws -> RawTable {
    let head = try stream.head(headByteCount) { $0.count { $0 == 0x0A } > headRowCount }
    return try table(head: head, guessedBy: head, fileName: fileName) { try stream.next() }
  }

  /// A table that begins with `bytes`; `head`, the first of them, tells its layout.
  private static func table(
    head bytes: [UInt8], guessedBy head: [UInt8], fileName: String,
    _ read: @escaping () throws -> [UInt8]
  ) throws -> RawTable {
    let layout = TableLayout.guess(fileName: fileName, head: head)
    guard layout.encoding == .utf8, !head.starts(with: [0xFF, 0xFE]),
      !head.starts(with: [0xFE, 0xFF])
    else {
      throw FormatError.unreadable(path: fileName, reason: "is in UTF-16: save it as UTF-8 first")
    }
    guard head.contains(0x0A) || !head.dropLast().contains(0x0D) else {
      throw FormatError.unreadable(
        path: fileName, reason: "ends its lines with carriage returns only: save it with line feeds"
      )
    }
    let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
    let separator = layout.delimiter.count == 1 ? layout.delimiter[0] : UInt8(ascii: "\t")
    // Commas of "Panthera leo (Linnaeus, 1758)" separate nothing.
    let isTable = line.contains(separator) && (isHeader(line, separator) || !isName(line))
    return RawTable(
      head: bytes, delimiter: isTable ? separator : nil, isQuoted: layout.quote != nil, read: read)
  }

  /// Whether one of the cells of the first line is what a column with names is called.
  private static func isHeader(_ line: ArraySlice<UInt8>, _ separator: UInt8) -> Bool {
    let cells = line.split(separator: separator, omittingEmptySubsequences: false).map { cell in
      String(decoding: cell.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
    return ColumnMap(cells).index(
      "scientificName", "verbatimScientificName", "acceptedNameUsage", "canonicalName", "taxonName",
      "species", "name", "taxon", "organism", "names", "specificEpithet") != nil
  }

  /// Whether the first line is a name with authors, in which a year stands; headers have years too:
  /// "count_2024".
  private static func isName(_ line: ArraySlice<UInt8>) -> Bool {
    guard !line.contains(0x09) else { return false }
    // A year is a word of its own.
    let words = line.split { byte in
      byte == 0x20 || byte == 0x2C || byte == 0x28 || byte == 0x29 || byte == 0x22
    }
    return words.contains { word in
      word.count == 4 && word.allSatisfy { (0x30...0x39).contains($0) }
    }
  }

  /// The file of an archive's core, as its description names it.
  private static func coreFile(_ files: SourceFiles, _ description: String) throws -> String {
    let bytes = try files.contents(of: description, limit: descriptionLimit)
    let root: XMLElement
    do { root = try XMLParser.parse(bytes, limit: descriptionLimit) } catch {
      throw FormatError.unreadable(path: files.path, reason: "\(description): \(error)")
    }
    if let name = root.child("core")?.descendant("location")?.wholeText,
      let found = files.find(name)
    {
      return found
    }
    throw FormatError.unreadable(
      path: files.path, reason: "its meta.xml names no core file that is there")
  }

  private static let descriptionLimit = 1 << 20
  private static let headByteCount = 1 << 16
  private static let headRowCount = 100
}
