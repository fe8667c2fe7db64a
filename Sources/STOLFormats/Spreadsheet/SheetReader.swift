/// Reads a sheet of a workbook as lines with tabs between the fields.
final class SheetReader {
  private let source: SourceStream
  private let texts: SharedStrings
  private let path: String
  private let name: String
  private var parser: XMLEventParser?
  private var input: ArraySlice<UInt8> = []
  private var output: [UInt8] = []
  private var isAtEnd = false
  /// Where the row begins that is being read.
  private var rowStart = 0

  /// How many line ends have been written.
  private var lineCount = 0
  /// How many fields of the row have been written, up to the last one with a value.
  private var columnCount = 0
  /// How many fields the first row with a value has; later rows have no fewer.
  private var width = 0
  private var column = 0
  private var kind = ""
  private var isReading = false
  private var reason: String?

  /// What the format allows (ECMA-376, part 1, 18.3.1.73 and 18.3.1.4).
  private static let rowLimit = 1 << 20
  private static let columnLimit = 1 << 14
  private static let rowByteLimit = 1 << 26
  /// How many bytes come at once, or more.
  private static let outputByteCount = 1 << 17
  /// How many bytes are parsed at once: a bomb whose cells name one long text must not go off in memory.
  private static let inputByteCount = 1 << 10

  /// A reader of the sheet that a stream gives.
  init(
    _ source: SourceStream, _ texts: SharedStrings, path: String, name: String
  ) throws(FormatError) {
    self.source = source
    self.texts = texts
    self.path = path
    self.name = name
    do {
      parser = try XMLEventParser(
        onStart: { [unowned self] name, attribute, _ in self.start(name, attribute) },
        onEnd: { [unowned self] name in self.end(name) })
    } catch {
      throw failure(error)
    }
  }

  /// The next bytes; none at the end.
  func next() throws(FormatError) -> [UInt8] {
    while !isAtEnd, rowStart < Self.outputByteCount {
      if input.isEmpty { input = try source.next()[...] }
      let chunk = Array(input.prefix(Self.inputByteCount))
      input = input.dropFirst(Self.inputByteCount)
      do { try parser?.parse(chunk, isLast: chunk.isEmpty) } catch { throw failure(error) }
      if let reason { throw .unreadable(path: path, reason: "\(name): \(reason)") }
      if chunk.isEmpty { isAtEnd = true }
    }
    // A row that is not complete stays for the next call.
    let complete = Array(output[..<rowStart])
    output.removeFirst(rowStart)
    rowStart = 0
    return complete
  }

  private func failure(_ error: any Error) -> FormatError {
    .unreadable(path: path, reason: "\(name): \(error)")
  }

  // MARK: Elements

  private func start(_ element: String, _ attribute: (String) -> String?) {
    switch element {
    case "row":
      let number = attribute("r").flatMap { Int($0) } ?? lineCount + 1
      guard number > lineCount, number <= Self.rowLimit else {
        return refuse("row \(number) comes after row \(lineCount)")
      }
      while lineCount + 1 < number { endLine() }
      columnCount = 0
      column = 0
    case "c":
      if let place = attribute("r") {
        guard let stated = Self.column(of: place), stated >= column else {
          return refuse("row \(lineCount + 1) has no place for a cell \(place)")
        }
        column = stated
      }
      guard column < Self.columnLimit else {
        return refuse("row \(lineCount + 1) has more than \(Self.columnLimit) cells")
      }
      kind = attribute("t") ?? "n"
    case "v": parser?.isCollecting = true
    case "rPh": isReading = true
    case "t": parser?.isCollecting = kind == "inlineStr" && !isReading
    default: break
    }
  }

  private func end(_ element: String) {
    switch element {
    case "v", "t": parser?.isCollecting = false
    case "rPh": isReading = false
    case "c":
      write()
      column += 1
    case "row":
      while columnCount > 0, columnCount < width {
        output.append(0x09)
        columnCount += 1
      }
      if width == 0 { width = columnCount }
      endLine()
    default: break
    }
  }

  private func refuse(_ reason: String) {
    if self.reason == nil { self.reason = reason }
  }

  private func endLine() {
    output.append(0x0A)
    lineCount += 1
    rowStart = output.count
  }

  /// Writes the value of a cell, and empty fields before it.
  private func write() {
    guard let parser else { return }
    defer { parser.text.removeAll(keepingCapacity: true) }
    guard !parser.text.isEmpty, reason == nil else { return }
    var place = columnCount
    let start = output.count
    while place <= column {
      if place > 0 { output.append(0x09) }
      place += 1
    }
    let before = output.count
    switch kind {
    case "s":
      let number = Int(String(decoding: parser.text, as: UTF8.self)) ?? -1
      if !texts.append(number, to: &output) {
        return refuse("row \(lineCount + 1) names a text \(number) that is not there")
      }
    case "b": output += parser.text == [0x31] ? Array("true".utf8) : Array("false".utf8)
    case "e": break
    case "n": output += CellText.number(parser.text)
    default: CellText.append(parser.text, to: &output)
    }
    if output.count == before {
      output.removeSubrange(start...)
    } else {
      columnCount = place
    }
    if output.count > Self.rowByteLimit {
      refuse("row \(lineCount + 1) expands to more than \(Self.rowByteLimit) bytes")
    }
  }

  /// The number of the column of a place such as "AB12", from 0.
  private static func column(of place: String) -> Int? {
    var column = 0
    var letters = 0
    for byte in place.utf8 {
      guard byte | 0x20 >= 0x61, byte | 0x20 <= 0x7A else { break }
      column = column * 26 + Int(byte | 0x20) - 0x60
      letters += 1
      guard letters < 4 else { return nil }
    }
    return letters == 0 ? nil : column - 1
  }
}

/// What stands in cells, as it is in a line.
enum CellText {
  /// Appends a text on one line: white space that would end a field or a row becomes a space, and
  /// "_x000D_" the character that it stands for (ECMA-376, part 1, 22.9.2.19).
  static func append(_ text: [UInt8], to output: inout [UInt8]) {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == 0x5F, let scalar = escaped(text, at: index) {
        output += scalar.value < 0x20 ? [0x20] : Array(String(Character(scalar)).utf8)
        index += 7
        continue
      }
      output.append(byte < 0x20 ? 0x20 : byte)
      index += 1
    }
  }

  /// The character that "_xHHHH_" at a place stands for.
  private static func escaped(_ text: [UInt8], at index: Int) -> Unicode.Scalar? {
    guard index + 7 <= text.count, text[index + 1] == 0x78, text[index + 6] == 0x5F,
      let value = UInt32(
        String(decoding: text[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
    else { return nil }
    return Unicode.Scalar(value)
  }

  /// A number with no more digits than it has: "1758" for "1758.0" and "1.758E3".
  static func number(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { $0 == 0x2E || $0 | 0x20 == 0x65 }),
      let value = Double(String(decoding: text, as: UTF8.self)), value.magnitude < 0x1p53
    else { return text }
    if let whole = Int64(exactly: value) { return Array("\(whole)".utf8) }
    return Array("\(value)".utf8)
  }
}
