package import STOLFormats

/// Reads a table with a header, as comma-separated or tab-separated values, by a mapping of its columns.
package final class TableImportReader: ImportReader {
  /// A column that is mapped.
  private struct Column {
    let entry: TableMapping.Entry
    let index: Int
  }

  private var rows: TableReader
  private let findings = TableFindings()
  /// The names of its columns.
  package let header: [String]
  private let mapping: TableMapping
  private let columns: [Column]
  private let source: String
  private let isOwn: Bool
  private let hasOrganism: Bool
  private let isOfPlaces: Bool
  private let isTabbed: Bool
  private let acceptsNullIsland: Bool
  /// What tells the rows so far from each other, and how often it came again.
  private var seen: Set<JournalID> = []
  private var repeats: [JournalID: Int] = [:]
  private var lastPosition: Position?
  /// Whether a cell so far, or in the beginning of the file, has a decimal comma.
  private var hasCommas = false

  /// The columns of the table that are not taken.
  package let unread: [String]

  package var byteCount: Int? { rows.byteCount }

  /// A table.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning.
  ///   - fileName: what it is called: its end tells which of two equal separators counts.
  ///   - delimiter: what separates cells; nil for what its beginning tells.
  ///   - mapping: what its columns say; nothing is needed for an export of the journal.
  ///   - acceptsNullIsland: whether 0 N 0 E is a place like others.
  /// - Throws: `JournalError.invalid` for a mapping that does not fit, `FormatError`.
  package init(
    _ stream: SourceStream, fileName: String, delimiter: UInt8? = nil,
    mapping: TableMapping = TableMapping(), acceptsNullIsland: Bool = false
  ) throws {
    let (head, whole) = try ImportFormat.peek(stream)
    var layout = Self.layout(of: head, fileName)
    if let delimiter, layout.delimiter != [delimiter] {
      layout.delimiter = [delimiter]
      layout.quote = delimiter == UInt8(ascii: "\t") ? nil : UInt8(ascii: "\"")
    }
    let findings = findings
    var rows = TableReader(whole, layout, fileName: fileName) { finding, example in
      findings.add(finding, example())
    }
    let header = try rows.header() ?? []
    // The row behind one that is left out is no header.
    if header.isEmpty || findings.hasTooLongRow {
      throw JournalError.invalid(
        field: "file", value: fileName,
        remedy: header.isEmpty
          ? "empty: the first row of a table has the names of its columns"
          : "a table whose first row is that long: it has the names of its columns")
    }
    findings.removeAll()
    let own = mapping.entries.isEmpty ? TableMapping.own(header) : nil
    var mapping = mapping
    if let own { try mapping.add(own) }
    guard !mapping.entries.isEmpty else {
      throw JournalError.invalid(
        field: "--map", value: header.prefix(8).joined(separator: ", "),
        remedy: "say what the columns mean, as --map species=name; --propose proposes it")
    }
    if own == nil { try mapping.requireSource() }
    var columns: [Column] = []
    for entry in mapping.entries {
      let found = header.indices.filter { header[$0] == entry.column }
      guard let index = found.first, found.count == 1 else {
        throw JournalError.invalid(
          field: "--map", value: entry.column,
          remedy: found.isEmpty
            ? "there is no such column; there is \(header.prefix(50).joined(separator: ", "))"
            : "several columns are called so: give each its own name")
      }
      columns.append(Column(entry: entry, index: index))
    }
    let taken = Set(columns.map(\.index))
    unread = header.indices.filter { !taken.contains($0) && !header[$0].isEmpty }.map { header[$0] }
    isOwn = own != nil
    isTabbed = layout.delimiter == [UInt8(ascii: "\t")]
    source = mapping.source ?? header.joined(separator: "\u{1F}")
    hasOrganism = mapping.hasOrganism
    isOfPlaces = own == nil && mapping.isOfPlaces
    self.acceptsNullIsland = acceptsNullIsland
    self.columns = columns
    self.header = header
    self.mapping = mapping
    self.rows = rows
    hasCommas = Self.hasDecimalComma(in: head, layout, columns, mapping)
  }

  /// Whether a number in the beginning of a file has a decimal comma, which says what the points above it are.
  private static func hasDecimalComma(
    in head: [UInt8], _ layout: TableLayout, _ columns: [Column], _ mapping: TableMapping
  ) -> Bool {
    guard mapping.hasDecimalComma == nil else { return false }
    // The last row may be cut where there is more.
    let isAll = head.count < ImportFormat.headByteCount
    let end = isAll ? head.endIndex : head.lastIndex(of: UInt8(ascii: "\n")) ?? head.endIndex
    var rest = Array(head[..<end])
    let stream = SourceStream(name: "head") { () throws(FormatError) in
      defer { rest = [] }
      return rest
    }
    var rows = TableReader(stream, layout, fileName: "head") { _, _ in }
    guard (try? rows.header()) != nil else { return false }
    while (try? rows.next()) == true {
      for column in columns
      where hasDecimalComma(rows.text(column.index), column.entry, mapping) {
        return true
      }
    }
    return false
  }

  private static func hasDecimalComma(
    _ text: String, _ entry: TableMapping.Entry, _ mapping: TableMapping
  ) -> Bool {
    guard mapping.hasDecimalComma == nil else { return false }
    if case .field(let field) = entry.target, field.isDegree {
      return CellText.hasCertainDecimalComma(text, isDegree: true)
    }
    guard entry.unit != nil, entry.unit != "cell" else { return false }
    return CellText.hasCertainDecimalComma(text, isDegree: false)
  }

  /// How the table is written: that of an export is known.
  private static func layout(of head: [UInt8], _ fileName: String) -> TableLayout {
    for (separator, quote) in [(UInt8(ascii: ","), UInt8(ascii: "\"")), (UInt8(ascii: "\t"), nil)]
      as [(UInt8, UInt8?)]
    where head.starts(with: Array(TableField.occurrenceUUID.rawValue.utf8) + [separator]) {
      return TableLayout(delimiter: separator, quote: quote, headerRowCount: 1)
    }
    var layout = TableLayout.guess(fileName: fileName, head: head)
    layout.areNullWordsEmpty = true
    return layout
  }

  // MARK: - Rows

  /// The next row, or why it is none; nil at the end.
  ///
  /// - Throws: `FormatError`
  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    do {
      guard try findings.goOn(&rows) else { return nil }
      return .success(try row())
    } catch let refusal as ImportRefusal {
      return .failure(refusal)
    }
  }

  private func row() throws -> ImportRow {
    let line = rows.line
    var flags = try findings.flags(
      line: line, fieldCount: rows.fieldCount, columnCount: header.count)
    var row = TableRow(
      line: line, mapping: mapping, acceptsNullIsland: acceptsNullIsland || isOwn)
    for column in columns {
      let text = cell(column)
      row.set(column.entry, to: text)
      hasCommas = hasCommas || Self.hasDecimalComma(text, column.entry, mapping)
    }
    row.hasCommasBeside = hasCommas
    let id = try identity(row)
    var records = TableRecords(
      row: row, id: id, source: source, isOwn: isOwn, hasOrganism: hasOrganism)
    records.isOfPlace = isOfPlaces
    var found: ImportRow
    let position: Position?
    if isOfPlaces {
      guard row.text(.place) != nil else {
        throw row.refusal(.place, "is missing", "a place has a name")
      }
      found = try records.makeWithoutOccurrence()
      position = found.records.first { $0.kind == .place }?.position
    } else {
      (found, position) = try records.make()
    }
    if !isOwn { found.add(credit: mapping.credit) }
    if let position {
      if let lastPosition, Self.isSwapped(position, beside: lastPosition) {
        flags.append(
          ImportFlag(
            column: row.column(of: .latitude), value: row.text(.latitude) ?? "",
            reason:
              "lies far from the row before, and would lie near it with latitude and longitude "
              + "swapped"))
      } else {
        lastPosition = position
      }
    }
    var made = found
    made.flags = flags + made.flags
    return made
  }

  private func cell(_ column: Column) -> String {
    let index = column.index
    if isOwn {
      let text = rows.wholeText(index)
      return isTabbed ? TableEscapes.tabSeparated(text) : TableEscapes.commaSeparated(text)
    }
    // Namibia is NA.
    if column.entry.target == .field(.country) {
      return rows.wholeText(index).filter { $0 != " " }
    }
    return rows.text(index)
  }

  /// The UUID of what the row is about: that of its identifier, else of its cells and how often they came before.
  private func identity(_ row: TableRow) throws -> JournalID {
    let field = isOwn ? TableField.occurrenceUUID : .id
    let known: JournalID
    if isOwn {
      guard let id = try row.uuid(field) else {
        throw row.refusal(field, "is missing", "each row of an export has one")
      }
      known = id
    } else if let text = row.text(field) {
      known = TableRow.uuid(text) ?? JournalID(naming: ["occurrence", source, text])
    } else {
      let cells = (0..<rows.fieldCount).map { rows.text($0) }
      let id = JournalID(naming: ["row", source] + cells)
      guard !seen.insert(id).inserted else { return id }
      let count = repeats[id, default: 0] + 1
      repeats[id] = count
      return JournalID(naming: ["row", source] + cells + ["\(count)"])
    }
    guard seen.insert(known).inserted else {
      throw row.refusal(
        field, "is that of a row above too", "give each row its own, or map another column as id")
    }
    return known
  }

  /// Whether a position lies far from another one, and near it once latitude and longitude are swapped.
  static func isSwapped(_ position: Position, beside other: Position) -> Bool {
    let swapped = Position(
      latitudeE7: position.longitudeE7, longitudeE7: position.latitudeE7)
    return abs(swapped.latitudeE7) <= 90 * Position.unitsPerDegree
      && position.distanceM(to: other) > 1_000_000 && swapped.distanceM(to: other) < 100_000
  }
}
