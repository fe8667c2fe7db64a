extension SourceFiles {
  /// Opens a table whose first line names its columns, whatever is between its fields.
  ///
  /// - Parameters:
  ///   - name: an element of `names`.
  ///   - onFinding: told of what is odd.
  ///   - isNullWordEmpty: whether the word NULL is an empty field.
  /// - Returns: the rows after that line, and the columns; none of an empty file.
  /// - Throws: what `open(_:)` throws.
  package func table(
    _ name: String, onFinding: @escaping TableFinding.Handler, isNullWordEmpty: Bool = false
  ) throws(FormatError) -> (rows: TableReader, columns: ColumnMap) {
    let head = try open(name).head(Self.headByteCount) { $0.contains(0x0A) }
    var layout = TableLayout.guess(fileName: name, head: head)
    layout.isNullWordEmpty = isNullWordEmpty
    // Tabs need no quotes, but R writes them.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if head.dropFirst(head.starts(with: mark) ? 3 : 0).first == 0x22 { layout.quote = 0x22 }
    var rows = TableReader(try open(name), layout, fileName: name, onFinding: onFinding)
    let names = try rows.header() ?? []
    return (rows, ColumnMap(names))
  }

  /// More than the longest header line.
  private static var headByteCount: Int { 1 << 16 }
}

extension TableReader {
  /// The text of a field of a column that may not be there.
  package func value(_ column: Int?) -> String { column.map { text($0) } ?? "" }

  /// Whether a field says yes.
  package func isTrue(_ column: Int?) -> Bool {
    ["true", "t", "1", "yes", "y", "x", "†"].contains(value(column).lowercased())
  }
}
