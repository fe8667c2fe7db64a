import STOLIngest
import STOLFormats

/// All rows of some bytes, cut or filled to the first one's columns, and the lines they begin on.
struct ReadTable: Equatable {
  var rows: [[String]] = []
  var lines: [Int] = []

  init() {}

  init(
    _ bytes: [UInt8], _ layout: TableLayout, chunkByteCount: Int = 1 << 18,
    findings: Findings = Findings(), rowLimit: Int = TableReader.rowLimit
  ) throws {
    var reader = TableReader(
      SourceStream(name: "t", bytes: bytes, chunkByteCount: chunkByteCount), layout,
      onFinding: findings.ofRows, rowLimit: rowLimit)
    while try reader.next() {
      rows.append((0..<(reader.columnCount ?? 0)).map { Self.raw(reader, $0) })
      lines.append(reader.line)
    }
  }

  /// A field as it is, untrimmed.
  static func raw(_ reader: TableReader, _ index: Int) -> String {
    let span = reader.bytes(index)
    return String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
  }
}

/// The grammar once more, a character at a time, as simply as it can be said.
struct RowOracle {
  var text: [Character]
  var table = ReadTable()
  var unclosedCount = 0
  private var line = 1

  init(_ text: String) {
    // A scalar each, for "\r\n" is one Character.
    self.text = text.unicodeScalars.map { Character($0) }
    var index = 0
    while index < self.text.count {
      let start = line
      var isQuote = false
      var row = parse(index, quotes: true, &isQuote)
      if row == nil {
        unclosedCount += 1
        row = parse(index, quotes: false, &isQuote)
      }
      guard let row else { return }
      index = row.after
      line = start + row.lineCount
      if row.fields == [""], !isQuote { continue }
      let count = table.rows.first?.count ?? row.fields.count
      table.rows.append((0..<count).map { $0 < row.fields.count ? row.fields[$0] : "" })
      table.lines.append(start)
    }
  }

  private func isEnd(_ index: Int) -> Bool {
    index >= text.count || text[index] == "\n" || text[index] == "\r"
  }

  private func parse(
    _ start: Int, quotes: Bool, _ isQuote: inout Bool
  ) -> (fields: [String], after: Int, lineCount: Int)? {
    var index = start
    var fields: [String] = []
    var lineCount = 1
    isQuote = false
    while true {
      var field = ""
      let firstLine = lineCount
      if quotes, index < text.count, text[index] == "\"" {
        isQuote = true
        index += 1
        while true {
          guard index < text.count else { return nil }
          if text[index] == "\"" {
            guard index + 1 < text.count, text[index + 1] == "\"" else { break }
            index += 1
          }
          if text[index] == "\r" || text[index] == "\n" && text[index - 1] != "\r" {
            lineCount += 1
          }
          field.append(text[index])
          index += 1
        }
        index += 1
        if lineCount > firstLine, !isEnd(index), text[index] != "," { return nil }
      }
      while !isEnd(index), text[index] != "," {
        field.append(text[index])
        index += 1
      }
      fields.append(field)
      if index >= text.count { return (fields, index, lineCount) }
      guard text[index] == "," else {
        let isPair = text[index] == "\r" && index + 1 < text.count && text[index + 1] == "\n"
        return (fields, index + (isPair ? 2 : 1), lineCount)
      }
      index += 1
    }
  }
}

extension SourceStream {
  /// Some bytes, in chunks of a given length.
  convenience init(name: String, bytes: [UInt8], chunkByteCount: Int = 1 << 18) {
    var offset = 0
    self.init(name: name) { () throws(FormatError) in
      let end = min(bytes.count, offset + chunkByteCount)
      defer { offset = end }
      return Array(bytes[offset..<end])
    }
  }
}

extension TableLayout {
  /// RFC 4180.
  static let commas = TableLayout(delimiter: 0x2C, quote: 0x22)
}
