extension SourceFiles {
  /// Opens a table whose first line names its columns, whatever is between its fields.
  ///
  /// - Parameters:
  ///   - name: an element of `names`.
  ///   - findings: where what is odd is counted.
  ///   - isNullWordEmpty: whether the word NULL is an empty field.
  /// - Returns: the rows after that line, and the columns; none of an empty file.
  /// - Throws: what `open(_:)` throws.
  func table(
    _ name: String, findings: Findings, isNullWordEmpty: Bool = false
  ) throws(IngestError) -> (rows: TableReader, columns: ColumnMap) {
    var head: [UInt8] = []
    let start = try open(name)
    while head.count < Self.headByteCount, !head.contains(0x0A) {
      let bytes = try start.next()
      if bytes.isEmpty { break }
      head += bytes
    }
    var layout = TableLayout.guess(fileName: name, head: head)
    layout.isNullWordEmpty = isNullWordEmpty
    // Tabs need no quotes, but R writes them.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if head.dropFirst(head.starts(with: mark) ? 3 : 0).first == 0x22 { layout.quote = 0x22 }
    var rows = TableReader(try open(name), layout, fileName: name, findings: findings)
    let names = try rows.header() ?? []
    return (rows, ColumnMap(names))
  }

  /// More than the longest header line.
  private static var headByteCount: Int { 1 << 16 }
}

extension TableReader {
  /// The text of a field of a column that may not be there.
  func value(_ column: Int?) -> String { column.map { text($0) } ?? "" }

  /// Whether a field says yes.
  func isTrue(_ column: Int?) -> Bool {
    ["true", "t", "1", "yes", "y", "x", "†"].contains(value(column).lowercased())
  }
}

extension Intake {
  /// The parts of a name as a source writes it; one that cannot be read is counted.
  ///
  /// - Parameters:
  ///   - text: the name, cleaned, with or without authorship.
  ///   - authorship: what a column of its own says.
  ///   - rank: its rank.
  ///   - mayHoldAuthorship: whether `text` may hold an authorship.
  ///   - line: where it stands.
  /// - Returns: its parts.
  func nameParts(
    _ text: String, authorship: String = "", rank: SourceRank?, mayHoldAuthorship: Bool = true,
    line: Int?
  ) -> NameParts {
    let parts = ScientificNameParser.parse(
      text, authorship: authorship, rank: rank, mayHoldAuthorship: mayHoldAuthorship)
    if parts.kind == .informal { findings.add(.nameKeptWhole, account.place(line, text)) }
    return parts
  }
}
