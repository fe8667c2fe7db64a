import STOLFormats

/// The rows of a table that another program has written, whose cells are asked for by the names of their columns.
final class ForeignTable {
  /// Where a column is, and what stands for its empty cells; nothing of one that there is not.
  private struct Column {
    let index: Int?
    let value: String?
  }

  private var rows: TableReader
  private let findings = TableFindings()
  /// The names of its columns; empty where one has none.
  let header: [String]
  /// The columns by what is the same for all spellings of a name.
  private let columns: [String: Int]
  /// What stands for cells that are empty.
  private let defaults: [String: String]
  private let key: (String) -> String
  /// Whether rows may end before the last columns.
  private let isRagged: Bool
  /// The columns that were asked for.
  private var places: [String: Column] = [:]
  private var taken: [Bool]
  /// Whether cells are counted that nobody asks for.
  var countsRest = true
  /// What stands before the names of columns in messages, where the table is one of several.
  var prefix = ""
  /// What is odd about the row.
  var flags: [ImportFlag] = []
  /// What of the rows is not kept as it is.
  private(set) var beside = ImportBeside()

  /// The number of the line that the row begins on.
  var line: Int { rows.line }
  /// How many bytes the rows so far have.
  var byteCount: Int { rows.byteCount }

  /// A table whose first row names its columns.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning.
  ///   - fileName: what it is called.
  ///   - isRagged: whether rows may end before the last columns.
  ///   - key: what is the same for all spellings of a column's name.
  /// - Throws: `JournalError.invalid` for an empty file, or columns of one name; `FormatError`.
  init(
    _ stream: SourceStream, fileName: String, isRagged: Bool = false,
    key: @escaping (String) -> String = { $0 }
  ) throws {
    let (head, whole) = try ImportFormat.peek(stream)
    let findings = findings
    var rows = TableReader(
      whole, TableLayout.guess(fileName: fileName, head: head), fileName: fileName
    ) { finding, example in findings.add(finding, example()) }
    header = try rows.header() ?? []
    guard !header.isEmpty, !findings.hasTooLongRow else {
      throw JournalError.invalid(
        field: "file", value: fileName,
        remedy: "a table whose first row has the names of its columns")
    }
    var columns: [String: Int] = [:]
    for (index, name) in header.enumerated() where !name.isEmpty {
      // Of two nobody knows which one is meant.
      guard columns.updateValue(index, forKey: key(name)) == nil else {
        throw JournalError.invalid(
          field: "column", value: name,
          remedy: "several columns are called so: give each its own name")
      }
    }
    self.columns = columns
    self.key = key
    self.isRagged = isRagged
    defaults = [:]
    taken = header.map { _ in false }
    self.rows = rows
  }

  /// A table of which something else says what its columns are.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning.
  ///   - fileName: what it is called.
  ///   - layout: how it is written.
  ///   - names: the names of its columns; the first of one name counts.
  ///   - defaults: what stands for empty cells, and for columns that there are not, by their keys.
  ///   - key: what is the same for all spellings of a column's name.
  init(
    _ stream: SourceStream, fileName: String, layout: TableLayout,
    names: [(name: String, index: Int)], defaults: [String: String],
    key: @escaping (String) -> String
  ) {
    let findings = findings
    rows = TableReader(stream, layout, fileName: fileName) { finding, example in
      findings.add(finding, example())
    }
    let count = (names.map(\.index).max() ?? -1) + 1
    var header = [String](repeating: "", count: count)
    var columns: [String: Int] = [:]
    for (name, index) in names {
      if columns[key(name)] == nil { columns[key(name)] = index }
      if header[index].isEmpty { header[index] = name }
    }
    self.header = header
    self.columns = columns
    self.defaults = defaults
    self.key = key
    isRagged = false
    taken = header.map { _ in false }
  }

  /// Whether there is a column of this name, or a value that all rows have in its place.
  func has(_ column: String) -> Bool {
    let found = place(of: column)
    return found.index != nil || found.value != nil
  }

  private func place(of column: String) -> Column {
    if let known = places[column] { return known }
    let known = key(column)
    let found = Column(index: columns[known], value: defaults[known])
    places[column] = found
    return found
  }

  // MARK: - Rows

  /// Goes to the next row and makes something of it; nil at the end.
  ///
  /// - Throws: `FormatError`; what `make` throws, but for an `ImportRefusal`.
  func next<Row>(_ make: () throws -> Row) throws -> Result<Row, ImportRefusal>? {
    do {
      guard try findings.goOn(&rows) else { return nil }
      flags = try findings.flags(
        line: line, fieldCount: rows.fieldCount, columnCount: rows.columnCount ?? header.count,
        isRagged: isRagged)
      let row = try make()
      if countsRest { countRest() }
      return .success(row)
    } catch let refusal as ImportRefusal {
      return .failure(refusal)
    }
  }

  /// Counts cells that say something and that nobody ever asks for.
  private func countRest() {
    for index in taken.indices where !taken[index] && !header[index].isEmpty {
      if !rows.isEmpty(index) { beside.leave([header[index]]) }
    }
  }

  /// Takes a column that says nothing of its own.
  func take(_ column: String) {
    if let index = place(of: column).index { taken[index] = true }
  }

  /// Counts something that is not kept as it is.
  func leave(_ what: String) { beside.leave([what]) }

  /// Notes that something is odd about the row.
  func flag(_ column: String, _ reason: String) {
    flags.append(ImportFlag(column: prefix + column, value: text(column) ?? "", reason: reason))
  }

  /// Why the row cannot be kept: what a column says.
  func refusal(_ column: String, _ reason: String, _ remedy: String) -> ImportRefusal {
    ImportRefusal(
      line: line, column: prefix + column, value: text(column) ?? "", reason: reason,
      remedy: remedy)
  }

  // MARK: - Cells

  /// The text of a cell without spaces around it; nil where it is empty.
  func text(_ column: String) -> String? {
    let place = place(of: column)
    guard let index = place.index else { return place.value }
    taken[index] = true
    let text = rows.text(index)
    return text.isEmpty ? place.value : text
  }

  /// The text of the first of several columns that has one.
  func first(_ columns: String...) -> String? {
    var found: String?
    // All are asked for, so that none is counted as left.
    for column in columns { found = found ?? text(column) }
    return found
  }

  /// All cells of the row.
  var cells: [String] { (0..<rows.fieldCount).map { rows.text($0) } }

  /// A number times a ratio, rounded to the nearest, which is counted where it is another.
  func number(
    _ column: String, times numerator: Int, over denominator: Int = 1
  ) throws(ImportRefusal) -> Int? {
    guard let text = text(column) else { return nil }
    guard let number = ExactDecimal(text),
      let value = number.scaled(by: numerator, over: denominator)
    else { throw refusal(column, "is no number", "digits with at most one point") }
    if !number.isWhole(times: numerator, over: denominator) { leave("\(column), rounded") }
    return value
  }

  /// A whole number, which may be written with zeros behind a point.
  func whole(_ column: String) throws(ImportRefusal) -> Int? {
    guard let text = text(column) else { return nil }
    guard let number = ExactDecimal(text), number.isWhole(times: 1, over: 1),
      let value = number.scaled(by: 1, over: 1)
    else { throw refusal(column, "is no whole number", "digits alone") }
    return value
  }

  /// A position of two columns, and one with the metres around it, rounded up.
  func position(
    _ latitude: String, _ longitude: String, within uncertainty: String? = nil
  ) throws(ImportRefusal) -> Position? {
    let (north, east) = (text(latitude), text(longitude))
    var metres: Int?
    if let uncertainty, let text = text(uncertainty), north != nil {
      guard let thousandths = DecimalText.value(text, decimals: 3), thousandths >= 0 else {
        throw refusal(uncertainty, "is no number of metres", "digits with at most one point")
      }
      // Programs write 0 where they do not know it.
      metres = thousandths == 0 ? nil : (thousandths + 999) / 1000
    }
    guard let north, let east else {
      guard north == nil, east == nil else {
        throw refusal(
          north == nil ? latitude : longitude, "is missing", "a position has both, or neither")
      }
      return nil
    }
    do {
      return try Position(latitude: north, longitude: east, uncertaintyM: metres)
    } catch {
      guard case .invalid(let field, _, let remedy) = error else {
        throw ImportRefusal(error, line: line)
      }
      let column = field == "latitude" ? latitude : field == "longitude" ? longitude : uncertainty
      var swapped = ""
      if field == "latitude", (try? Position(latitude: east, longitude: north)) != nil {
        swapped = "; are latitude and longitude swapped?"
      }
      throw refusal(column ?? field, "cannot be", remedy + swapped)
    }
  }

  /// A row of records, each of which is looked at.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - sources: for fields of records the columns that they were made of.
  /// - Returns: the row.
  /// - Throws: `ImportRefusal`, with the column.
  func row(
    _ records: [JournalRecord], _ sources: KeyValuePairs<String, String>
  ) throws(ImportRefusal) -> ImportRow {
    var row = ImportRow(line: line, records: records, flags: flags)
    for (field, column) in sources {
      guard let text = text(column) else { continue }
      row.members[field] = ImportMember(name: prefix + column, shown: text)
    }
    for record in records {
      do {
        try record.validate()
      } catch {
        throw ImportRefusal(error, line: line).shown(by: row.members)
      }
    }
    return row
  }
}

extension ExactDecimal {
  /// Whether the number times a ratio is a whole one.
  func isWhole(times numerator: Int, over denominator: Int) -> Bool {
    let (product, overflow) = digits.multipliedReportingOverflow(by: numerator)
    guard !overflow else { return false }
    var divisor = denominator
    for _ in 0..<decimals {
      let (next, isOver) = divisor.multipliedReportingOverflow(by: 10)
      guard !isOver else { return false }
      divisor = next
    }
    return product.isMultiple(of: divisor)
  }
}
