import STOLSystem

/// The sheets of a spreadsheet: a workbook of Office Open XML (ECMA-376, part 1: SpreadsheetML), which
/// is a zip archive of XML files.
///
/// Each sheet that has a row reads as a table with tabs between its fields, one line for each row, so that
/// lines have the numbers that the rows have. Values are the stored ones: a number as its shortest
/// digits, a formula as the value that was last computed, a date as the number of its day.
final class Workbook: TableMaker {
  /// A sheet and the file that holds it.
  private struct Sheet {
    /// As people see it.
    var name: String
    /// Its file in the archive.
    var part: String
  }

  /// The sheets that have rows, by the names of their tables.
  private var sheets: [String: Sheet] = [:]
  private let path: String
  private let budget: SourceBudget
  private let byteCount: Int
  /// Each file's place in the archive.
  private let places: [String: SourceFiles.Place]
  private var sharedStringsPart: String?
  /// The texts that cells name by number, once they have been asked for.
  private var sharedStrings: SharedStrings?

  /// More than the list of sheets of any workbook.
  private static let listLimit = 1 << 24

  /// The workbook in an archive.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - places: its files.
  ///   - budget: what is told of all that comes out.
  /// - Throws: `FormatError`
  init(path: String, places: [SourceFiles.Place], _ budget: SourceBudget) throws(FormatError) {
    self.path = path
    self.budget = budget
    do { byteCount = try RegularFile(path: path, followsLinks: true).byteCount } catch {
      throw .system(error)
    }
    self.places = Dictionary(
      places.map { ($0.originalName, $0) }, uniquingKeysWith: { first, _ in first })
    let parts = Dictionary(
      places.map { ($0.originalName.lowercased(), $0.originalName) },
      uniquingKeysWith: { first, _ in first })
    let book = try root(of: parts[Self.bookPart])
    var targets: [String: String] = [:]
    sharedStringsPart = parts["xl/sharedstrings.xml"]
    for relation in try root(of: parts["xl/_rels/workbook.xml.rels"])?.children ?? [] {
      let target = relation.attributes["Target"] ?? ""
      // Relative to the workbook's folder, or from the root of the archive.
      let part = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target
      guard let name = parts[part.lowercased()] else { continue }
      if let id = relation.attributes["Id"] { targets[id] = name }
      if relation.attributes["Type"]?.hasSuffix("/sharedStrings") == true {
        sharedStringsPart = name
      }
    }
    for sheet in book?.child("sheets")?.children ?? [] where sheet.name == "sheet" {
      // "r:id", whose prefix the tree leaves out.
      guard let id = sheet.attributes["id"], let part = targets[id] else { continue }
      let entry = Sheet(name: sheet.attributes["name"] ?? part, part: part)
      if sheets[entry.name + ".tsv"] == nil, try hasRows(entry) {
        sheets[entry.name + ".tsv"] = entry
      }
    }
    guard !sheets.isEmpty else {
      throw .unreadable(path: path, reason: "it is a spreadsheet without a sheet that has a row")
    }
  }

  /// The sheets, as tables.
  var tableNames: [String] { Array(sheets.keys) }

  /// The file that tells a workbook from other archives.
  static let bookPart = "xl/workbook.xml"

  func open(_ table: String) throws(FormatError) -> SourceStream {
    guard let sheet = sheets[table] else { throw .missingFile(path: path, name: table) }
    let rows = try reader(of: sheet)
    var count = 0
    return SourceStream(name: table) { () throws(FormatError) in
      let bytes = try rows.next()
      // A long text that many cells name is as good a bomb as any.
      count += bytes.count
      try self.budget.check(table, delivered: count, stored: self.byteCount)
      return bytes
    }
  }

  /// Whether a sheet has a row with a value.
  private func hasRows(_ sheet: Sheet) throws(FormatError) -> Bool {
    let rows = try reader(of: sheet)
    while case let bytes = try rows.next(), !bytes.isEmpty {
      if bytes.contains(where: { $0 > 0x20 }) { return true }
    }
    return false
  }

  private func reader(of sheet: Sheet) throws(FormatError) -> SheetReader {
    try SheetReader(try part(sheet.part), try texts(), path: path, name: sheet.name)
  }

  /// Opens a file of the archive.
  private func part(_ name: String) throws(FormatError) -> SourceStream {
    guard let place = places[name] else { throw .missingFile(path: path, name: name) }
    return try SourceFiles.stream(path, name, place, .zip, budget)
  }

  /// The outermost element of a file, if it is there.
  private func root(of name: String?) throws(FormatError) -> XMLElement? {
    guard let name else { return nil }
    var bytes: [UInt8] = []
    let stream = try part(name)
    while case let chunk = try stream.next(), !chunk.isEmpty, bytes.count <= Self.listLimit {
      bytes += chunk
    }
    do { return try XMLParser.parse(bytes, limit: Self.listLimit) } catch {
      throw .unreadable(path: path, reason: "\(name): \(error)")
    }
  }

  private func texts() throws(FormatError) -> SharedStrings {
    if let sharedStrings { return sharedStrings }
    let stream: SourceStream? = if let name = sharedStringsPart { try part(name) } else { nil }
    let texts = try SharedStrings(stream, path: path)
    sharedStrings = texts
    return texts
  }
}

/// The texts that the cells of a workbook name by number, one after another.
final class SharedStrings {
  private var bytes: [UInt8] = []
  /// Where each one ends.
  private var ends: [Int] = []

  /// How many bytes they may have together.
  private static let byteLimit = 1 << 30

  /// Reads the texts.
  ///
  /// - Complexity: O(bytes)
  init(_ stream: SourceStream?, path: String) throws(FormatError) {
    guard let stream else { return }
    let events: XMLEventParser
    let state = State()
    do {
      events = try XMLEventParser(
        onStart: { name, _, _ in
          switch name {
          // Readings of Chinese characters, which are no part of the text.
          case "rPh": state.isReading = true
          case "t": state.parser?.isCollecting = !state.isReading
          default: break
          }
        },
        onEnd: { [unowned self] name in
          switch name {
          case "rPh": state.isReading = false
          case "t": state.parser?.isCollecting = false
          case "si":
            guard let parser = state.parser else { return }
            CellText.append(parser.text, to: &self.bytes)
            self.ends.append(self.bytes.count)
            parser.text.removeAll(keepingCapacity: true)
          default: break
          }
        })
      state.parser = events
      while case let chunk = try stream.next(), !chunk.isEmpty {
        try events.parse(chunk, isLast: false)
        guard bytes.count <= Self.byteLimit else {
          throw FormatError.tooLarge(
            path: path, what: "its texts have \(bytes.count) bytes or more", limit: Self.byteLimit)
        }
      }
      try events.parse([], isLast: true)
    } catch let error as FormatError {
      throw error
    } catch {
      throw .unreadable(path: path, reason: "\(stream.name): \(error)")
    }
  }

  private final class State {
    weak var parser: XMLEventParser?
    var isReading = false
  }

  /// Appends the text of a number; false if there is none.
  func append(_ number: Int, to output: inout [UInt8]) -> Bool {
    guard ends.indices.contains(number) else { return false }
    output += bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
    return true
  }
}
