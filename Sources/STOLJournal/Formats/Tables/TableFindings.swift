import STOLFormats

/// What a table says of itself while it is read.
final class TableFindings {
  private var list: [(finding: TableFinding, example: String)] = []

  /// Rows that were too long, and that nobody was told of yet.
  private var waiting: [ImportRefusal] = []
  private var isRowWaiting = false

  /// Goes to the next row, with what the table says of it.
  ///
  /// - Returns: whether there is one.
  /// - Throws: `ImportRefusal` for each row before it that was too long; `FormatError`.
  func goOn(_ rows: inout TableReader) throws -> Bool {
    if waiting.isEmpty, !isRowWaiting {
      removeAll()
      isRowWaiting = try rows.next()
      waiting = tooLongRows
    }
    if !waiting.isEmpty { throw waiting.removeFirst() }
    defer { isRowWaiting = false }
    return isRowWaiting
  }

  func add(_ finding: TableFinding, _ example: String) { list.append((finding, example)) }
  func removeAll() { list.removeAll(keepingCapacity: true) }

  /// Whether a row was too long.
  var hasTooLongRow: Bool { list.contains { $0.finding == .rowTooLong } }

  /// The rows that were too long, and so were left out.
  private var tooLongRows: [ImportRefusal] {
    guard hasTooLongRow else { return [] }
    return list.filter { $0.finding == .rowTooLong }.map { _, example in
      ImportRefusal(
        line: Self.line(in: example), column: "", value: "", reason: "the row is too long",
        remedy: "at most \(TableReader.rowLimit) bytes; a quote there may not be closed")
    }
  }

  /// The number in "file, line 7: what".
  private static func line(in example: String) -> Int {
    let parts = example.split(separator: ", line ")
    return parts.count < 2 ? 0 : Int(parts[parts.count - 1].prefix { $0.isNumber }) ?? 0
  }

  /// What is odd about a row.
  ///
  /// - Parameters:
  ///   - line: its line.
  ///   - fieldCount: how many cells it has, of the columns that there are.
  ///   - columnCount: how many columns there are.
  ///   - isRagged: whether rows may end before the last columns.
  /// - Returns: what is odd.
  /// - Throws: `ImportRefusal` for a row that has more cells, or is in no encoding.
  func flags(
    line: Int, fieldCount: Int, columnCount: Int, isRagged: Bool = false
  ) throws(ImportRefusal) -> [ImportFlag] {
    var flags: [ImportFlag] = []
    for (finding, _) in list {
      switch finding {
      case .wrongColumnCount where fieldCount == columnCount:
        throw ImportRefusal(
          line: line, column: "", value: "", reason: "has more cells than the header",
          remedy: "quote cells that hold what separates them")
      case .wrongColumnCount:
        guard !isRagged else { continue }
        flags.append(
          ImportFlag(
            column: "", value: "\(fieldCount)",
            reason: "has fewer cells than the header, which has \(columnCount)"))
      case .unclosedQuote:
        flags.append(ImportFlag(column: "", value: "\"", reason: "a quote is not closed"))
      case .invalidEncoding:
        throw ImportRefusal(
          line: line, column: "", value: "", reason: "is not in the encoding of the file",
          remedy: "save the file as UTF-8")
      case .windows1252:
        flags.append(
          ImportFlag(column: "", value: "", reason: "is no UTF-8, and was read as Windows-1252"))
      case .rowTooLong: break
      }
    }
    return flags
  }
}
