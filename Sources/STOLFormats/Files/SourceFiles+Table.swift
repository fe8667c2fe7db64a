extension SourceFiles {
  /// Opens a table whose first line names its columns, whatever is between its fields.
  ///
  /// - Parameters:
  ///   - name: an element of `names`.
  ///   - columnNames: the names of the columns of a table that has no such line; nil for one that has.
  ///   - onFinding: told of what is odd.
  ///   - areNullWordsEmpty: whether the word NULL is an empty field.
  /// - Returns: the rows after that line, and the columns; none of an empty file.
  /// - Throws: what `open(_:)` throws.
  package func table(
    _ name: String, columnNames: [String]? = nil, onFinding: @escaping TableFinding.Handler,
    areNullWordsEmpty: Bool = false
  ) throws(FormatError) -> (rows: TableReader, columns: ColumnMap) {
    let head = try head(of: name)
    var layout = TableLayout.guess(fileName: name, head: head)
    if areMadeTables {
      layout = .tabs
      layout.headerRowCount = 1
    }
    layout.areNullWordsEmpty = areNullWordsEmpty
    if let columnNames {
      layout.headerRowCount = 0
      // Of what may be between fields, that which divides the first line as often as it should.
      let line = head.prefix { $0 != 0x0A }
      for delimiter in [0x09, 0x2C, 0x3B] as [UInt8]
      where line.count(where: { $0 == delimiter }) == columnNames.count - 1 {
        layout.delimiter = [delimiter]
        layout.quote = delimiter == 0x09 ? nil : 0x22
        break
      }
      let rows = TableReader(try open(name), layout, fileName: name, onFinding: onFinding)
      return (rows, ColumnMap(columnNames))
    }
    var rows = TableReader(try open(name), layout, fileName: name, onFinding: onFinding)
    let names = try rows.header() ?? []
    return (rows, ColumnMap(names))
  }

  /// The first bytes of a file: its header and, unless its lines are very long, some rows.
  ///
  /// - Throws: what `open(_:)` throws.
  package func head(of name: String) throws(FormatError) -> [UInt8] {
    try open(name).head(Self.headByteCount) { head in
      head.count { $0 == 0x0A } > Self.headRowCount
    }
  }

  /// More than the longest header line.
  private static var headByteCount: Int { 1 << 16 }
  private static var headRowCount: Int { 100 }
}

extension TableReader {
  /// The text of a field of a column that may not be there.
  package func value(_ column: Int?) -> String { column.map { text($0) } ?? "" }

  /// Whether a field says yes.
  package func isTrue(_ column: Int?) -> Bool { Self.saysYes(value(column)) }

  /// Whether a text says yes.
  package static func saysYes(_ text: String) -> Bool {
    ["true", "t", "1", "yes", "y", "x", "†"].contains(text.lowercased())
  }
}
