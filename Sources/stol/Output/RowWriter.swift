import STOLPack

/// The form of a result.
enum OutputFormat {
  /// Aligned columns, for a terminal.
  case table
  /// Tab-separated values with a header line.
  case tsv
  /// Comma-separated values with a header line.
  case csv
  /// One JSON value.
  case json
  /// One JSON object a line.
  case jsonl
}

/// Writes rows of cells in any format but, for a table, keeps them until the end to align them.
struct RowWriter: ~Copyable {
  private let format: OutputFormat
  private let columns: [String]
  private let style: TextStyle
  private var output: ByteOutput
  private var rows: [[Cell]] = []
  private var marks: [[Range<String.Index>]] = []
  private var rowCount = 0
  private var hasHeader: Bool

  init(_ format: OutputFormat, columns: [String], header: Bool, style: TextStyle) {
    self.format = format
    self.columns = columns
    self.style = style
    hasHeader = header
    output = ByteOutput()
  }

  /// Writes one row; `marks` are the letters of `matchedName` to mark in a table.
  mutating func write(_ cells: [Cell], marks: [Range<String.Index>] = []) throws {
    switch format {
    case .table:
      rows.append(cells)
      self.marks.append(marks)
    case .tsv: try writeLine(cells, separator: "\t") { Escaping.tabSeparated($0.plain) }
    case .csv:
      try writeLine(cells, separator: ",") { cell in
        cell.isNumeric ? cell.plain : Escaping.commaSeparated(cell.plain)
      }
    case .json, .jsonl: try write(.object(zip(columns, cells).map { ($0, JSON($1)) }))
    }
    rowCount += 1
  }

  /// Writes one JSON object, as an element of the array or as a line.
  mutating func write(_ object: JSON) throws {
    if format == .json {
      try output.write(rowCount == 0 ? "[\n  " : ",\n  ")
      try output.write(object.text)
    } else {
      try output.write(object.text + "\n")
    }
    rowCount += 1
  }

  /// Writes everything now, so that whoever reads the other end need not wait.
  mutating func flush() throws { try output.flush() }

  /// Writes what is left.
  mutating func finish() throws {
    switch format {
    case .table: try writeTable()
    case .json: try output.write(rowCount == 0 ? "[]\n" : "\n]\n")
    case .tsv, .csv: try writeHeader()
    case .jsonl: break
    }
    try output.flush()
  }

  private mutating func writeLine(
    _ cells: [Cell], separator: String, _ text: (Cell) -> String
  ) throws {
    try writeHeader()
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += separator }
      line += text(cell)
    }
    line += "\n"
    try output.write(line)
  }

  private mutating func writeHeader() throws {
    guard hasHeader, format == .tsv || format == .csv else { return }
    hasHeader = false
    try output.write(columns.joined(separator: format == .tsv ? "\t" : ",") + "\n")
  }

  /// Columns in which nothing stands are left out.
  private mutating func writeTable() throws {
    let shown = columns.indices.filter { column in rows.contains { !$0[column].plain.isEmpty } }
    guard !rows.isEmpty else { return }
    let texts = rows.map { row in shown.map { Escaping.terminal(row[$0].plain) } }
    var widths = shown.map { hasHeader ? columns[$0].columnCount : 0 }
    for row in texts {
      for (index, text) in row.enumerated() { widths[index] = max(widths[index], text.columnCount) }
    }
    let numeric = shown.map { column in
      rows.allSatisfy { $0[column].isNumeric || $0[column].plain.isEmpty }
    }
    if hasHeader {
      let titles = shown.enumerated().map { index, column in
        columns[column].padded(to: widths[index], onLeft: numeric[index])
      }
      try output.write(style.bold(Self.line(titles)) + "\n")
    }
    let markedColumn = shown.firstIndex { columns[$0] == "matchedName" }
    for (number, row) in texts.enumerated() {
      var cells = row.enumerated().map { index, text in
        text.padded(to: widths[index], onLeft: numeric[index])
      }
      if let column = markedColumn, case .text(let name) = rows[number][shown[column]],
        Escaping.terminal(name) == name
      {
        let padding = cells[column].dropFirst(name.count)
        cells[column] = style.marked(name, marks[number]) + padding
      }
      try output.write(Self.line(cells) + "\n")
    }
  }

  private static func line(_ cells: [String]) -> String {
    var line = cells.joined(separator: "  ")
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}

/// Bold and underlined text where the terminal can show it, plain text elsewhere.
struct TextStyle {
  let isEnabled: Bool

  func bold(_ text: String) -> String { isEnabled ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func dim(_ text: String) -> String { isEnabled ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

  /// `text` with `ranges` bold and underlined.
  func marked(_ text: String, _ ranges: [Range<String.Index>]) -> String {
    guard isEnabled, !ranges.isEmpty else { return text }
    var output = ""
    var last = text.startIndex
    for range in ranges {
      output += text[last..<range.lowerBound]
      output += "\u{1B}[1;4m\(text[range])\u{1B}[0m"
      last = range.upperBound
    }
    return output + text[last...]
  }
}
