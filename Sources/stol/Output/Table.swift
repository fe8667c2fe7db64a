import STOLAnswers
import STOLSystem

/// Rows that are aligned.
///
/// What is wider than the terminal loses its last columns.
struct Table {
  private let columns: [String]
  private let hasHeader: Bool
  private let style: TextStyle
  private let rows: [[RowWriter.Cell]]
  private let marks: [[Range<String.Index>]]
  private let width: Int

  /// The rows that were written; of their columns those that are `shown`, in this order, as far as
  /// there is room in lines of `width` characters.
  init(
    _ writer: borrowing RowWriter, shown: [String]?, hasHeader: Bool, _ style: TextStyle,
    width: Int = .max
  ) {
    let all = writer.columns
    let positions = (shown ?? all).compactMap { all.firstIndex(of: $0) }
    columns = positions.map { all[$0] }
    rows = writer.rows.map { row in positions.map { row.cells[$0] } }
    marks = writer.rows.map(\.marks)
    self.hasHeader = hasHeader
    self.style = style
    self.width = width
  }

  /// The lines of the table, without columns in which nothing stands, and the columns for which there
  /// is no room.
  var drawing: (lines: [String], omitted: [String]) {
    var shown = columns.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
    guard !rows.isEmpty else { return ([], []) }
    let texts = rows.map { row in shown.map { Escaping.terminal(row[$0].text) } }
    var widths = shown.map { hasHeader ? columns[$0].columnCount : 0 }
    for row in texts {
      for (index, text) in row.enumerated() { widths[index] = max(widths[index], text.columnCount) }
    }
    var total = 0
    var fitting = 0
    while fitting < shown.count, fitting == 0 || total + widths[fitting] <= width {
      total += widths[fitting] + Self.gap.count
      fitting += 1
    }
    let omitted = shown[fitting...].map { columns[$0] }
    shown.removeLast(omitted.count)
    let numeric = shown.map { column in
      rows.allSatisfy { $0[column].isNumeric || $0[column].text.isEmpty }
    }
    var lines: [String] = []
    if hasHeader {
      let titles = shown.enumerated().map { index, column in
        columns[column].padded(to: widths[index], onLeft: numeric[index])
      }
      lines.append(style.bold(Self.line(titles)))
    }
    let markedColumn = shown.firstIndex { columns[$0] == "matchedName" }
    for (number, row) in texts.enumerated() {
      var cells = row.prefix(shown.count).enumerated().map { index, text in
        text.padded(to: widths[index], onLeft: numeric[index])
      }
      if let column = markedColumn {
        let name = rows[number][shown[column]].text
        if row[column] == name {
          let padding = cells[column].dropFirst(name.count)
          cells[column] = style.marked(name, marks[number]) + padding
        }
      }
      lines.append(Self.line(cells))
    }
    return (lines, omitted)
  }

  /// What divides columns.
  private static let gap = "  "

  private static func line(_ cells: [String]) -> String {
    var line = cells.joined(separator: gap)
    while line.hasSuffix(" ") { line.removeLast() }
    return line
  }
}

extension RowWriter {
  /// Writes what is left; a table is drawn, with the columns that are `shown` and fit the terminal,
  /// and the others are named where nobody asked for quiet.
  mutating func present(
    shown: [String]? = nil, header: Bool = true, quiet: Bool = false,
    _ style: TextStyle = TextStyle(isEnabled: false)
  ) throws {
    try finish()
    guard format == .table else { return }
    let table = Table(
      self, shown: shown, hasHeader: header, style, width: Terminal.columnCount ?? .max)
    let (lines, omitted) = table.drawing
    try writeLines(lines)
    guard !omitted.isEmpty, !quiet else { return }
    writeStandardError(
      "no room for \(omitted.joined(separator: ", ")); a wider window or a pipe has them\n")
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
