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
      return try core(of: files, description)
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
    let stated = separatorLine(head)
    let rows = stated.map { Array(head.dropFirst($0.firstRow)) } ?? head
    let layout = TableLayout.guess(fileName: fileName, head: rows)
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
    let line = rows.prefix { $0 != 0x0A && $0 != 0x0D }
    let separator =
      stated?.separator
      ?? (layout.delimiter.count == 1 ? layout.delimiter[0] : UInt8(ascii: "\t"))
    // Commas of "Panthera leo (Linnaeus, 1758)" separate nothing.
    let isTable =
      stated != nil || line.contains(separator) && (isHeader(line, separator) || !isName(line))
    return RawTable(
      head: bytes, delimiter: isTable ? separator : nil, isQuoted: layout.quote != nil,
      firstRow: stated?.firstRow, read: read)
  }

  /// Where the rows begin behind a line "sep=;", which tells spreadsheets what separates fields, and that; nil
  /// without such a line.
  private static func separatorLine(_ head: [UInt8]) -> (firstRow: Int, separator: UInt8)? {
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let end = head.firstIndex(of: 0x0A) else { return nil }
    var line = head[mark..<end]
    if line.last == 0x0D { line.removeLast() }
    guard line.count == 5, line.starts(with: "sep=".utf8), let separator = line.last,
      [0x09, 0x2C, 0x3B, 0x7C].contains(separator)
    else { return nil }
    return (end + 1, separator)
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

  /// The core of an archive, as its description has it.
  private static func core(of files: SourceFiles, _ description: String) throws -> RawTable {
    let core = try ArchiveDescriptor(
      files.contents(of: description, limit: ArchiveDescriptor.byteLimit), path: description
    ).core
    func refusal(_ reason: String) -> FormatError {
      .unreadable(path: files.path, reason: reason)
    }
    guard let name = core.files.first.flatMap(files.find) else {
      throw refusal("its meta.xml names no core file that is there")
    }
    guard core.files.count == 1 else {
      throw refusal("its core is \(core.files.count) files: name the one with the table")
    }
    // Where nothing is said of the columns, the table says it itself.
    guard !core.fields.isEmpty else { return try table(files.open(name), fileName: name) }
    let layout = core.layout
    guard layout.encoding == .utf8 else {
      throw refusal("\(name) is not in UTF-8, as its meta.xml says: save it so first")
    }
    guard layout.delimiter.count == 1, layout.rowSuffix.isEmpty,
      layout.quote == nil || layout.quote == UInt8(ascii: "\"")
    else {
      throw refusal(
        "\(name) has separators or quotes of its own, as its meta.xml says: save it as CSV first")
    }
    var columns: [String] = []
    func call(_ index: Int, _ term: String) {
      columns += repeatElement("", count: max(0, index + 1 - columns.count))
      if columns[index].isEmpty { columns[index] = term }
    }
    var defaults: [(term: String, value: String)] = []
    for field in core.fields {
      let term = String(field.term.split(whereSeparator: { "/#:".contains($0) }).last ?? "")
      if let index = field.index { call(index, term) }
      if let value = field.defaultValue, !value.isEmpty { defaults.append((term, value)) }
    }
    if let index = core.idIndex { call(index, "id") }
    let stream = try files.open(name)
    let head = try stream.head(headByteCount) { $0.count { $0 == 0x0A } > headRowCount }
    return RawTable(
      head: head, delimiter: layout.delimiter[0], isQuoted: layout.quote != nil,
      description: Description(
        columns: columns, headerRowCount: layout.headerRowCount, defaults: defaults)
    ) { try stream.next() }
  }

  private static let headByteCount = 1 << 16
  private static let headRowCount = 100
}
