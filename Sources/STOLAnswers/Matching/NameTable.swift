package import STOLFormats
package import STOLMatch

/// A table whose rows hold names: which of its columns say what, and the rows as they stand.
package struct NameTable: ~Copyable {
  private var table: RawTable
  /// The first row, where that is one of names.
  private var held: RawTable.Row?
  /// The rows before that one, as an archive may have them.
  package private(set) var preface: [UInt8] = []
  /// The row that names the columns; nil where there is none.
  package let header: RawTable.Row?
  private let fields: MatchFields

  /// Reads the header of a table.
  ///
  /// A list, in which each line is a name, has one only where its first line is what columns with names
  /// are called.
  ///
  /// - Throws: `MatchFields.Failure` where a column that was chosen is not there or none holds names, and
  ///   what reading throws.
  package init(_ table: consuming RawTable, _ choice: MatchFields.Choice) throws {
    var table = table
    var fields = MatchFields.line
    var (header, held): (RawTable.Row?, RawTable.Row?) = (nil, nil)
    if let description = table.description {
      fields = try MatchFields(
        header: description.columns, choice, defaults: description.defaults)
      for _ in 0..<description.headerRowCount {
        if let header { preface += header.bytes + header.lineEnd }
        header = try table.next()
      }
    } else if let first = try table.next() {
      let names = Self.texts(of: first)
      if table.delimiter != nil || choice.isStated {
        fields = try MatchFields(header: names, choice)
        header = first
      } else if (try? MatchFields(header: names, choice)) != nil {
        header = first
      } else {
        held = first
      }
    }
    self.table = table
    self.held = held
    self.header = header
    self.fields = fields
  }

  /// The texts of the fields of a row.
  package static func texts(of row: RawTable.Row) -> [String] {
    row.fields.indices.map { String(decoding: row.field($0) ?? [], as: UTF8.self) }
  }

  /// The byte order mark of the table, which is written again too.
  package var mark: [UInt8] { table.mark }
  /// What separates fields; nil where each line is one.
  package var delimiter: UInt8? { table.delimiter }

  /// The next row, or nil at the end.
  ///
  /// - Throws: what `RawTable.next` throws.
  package mutating func next() throws -> RawTable.Row? {
    guard let first = held else { return try table.next() }
    held = nil
    return first
  }

  /// The next rows, about a megabyte of them, or nil at the end.
  ///
  /// - Throws: what `RawTable.nextBlock` throws.
  package mutating func nextBlock() throws -> RowBlock? {
    guard let first = held else { return try table.nextBlock() }
    held = nil
    return RowBlock([first])
  }

  /// A cursor over its rows.
  package var cursor: RowCursor { table.rows }

  /// The rows that are left, or nil where there are more than `limit`.
  ///
  /// - Throws: what `RawTable.next` throws.
  package mutating func rows(upTo limit: Int) throws -> [RawTable.Row]? {
    var rows: [RawTable.Row] = []
    while let row = try next() {
      guard rows.count < limit else { return nil }
      rows.append(row)
    }
    return rows
  }

  /// A way to match its rows; see `TableMatch`.
  package func match(
    adding columns: [MatchColumn], _ options: NameMatcher.Options,
    decisions: MatchDecisions = MatchDecisions(), collectsReview: Bool = false
  ) -> TableMatch {
    TableMatch(
      fields, adding: columns, options, delimiter: table.delimiter ?? UInt8(ascii: "\t"),
      isQuoted: table.isQuoted, fieldCount: table.delimiter == nil ? nil : header?.fields.count,
      decisions: decisions, collectsReview: collectsReview)
  }
}
