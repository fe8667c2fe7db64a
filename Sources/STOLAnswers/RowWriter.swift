import STOLSystem
import STOLPack

/// The form of a result.
package enum OutputFormat {
  /// Cells that are kept, for a terminal to align.
  case table
  /// Tab-separated values with a header line.
  case tsv
  /// Comma-separated values with a header line.
  case csv
  /// One JSON array of objects.
  case json
  /// One JSON object a line.
  case jsonl
  /// One JSON value over many lines, indented.
  case document

  /// Whether fields have names, and may have fields of their own.
  package var isStructured: Bool { self == .json || self == .jsonl || self == .document }
}

/// Writes rows of fields in any format.
///
/// A field goes straight into the output and is escaped where it lies; only a table is kept until the
/// end. Names of fields show in JSON: cells have their place instead, and leave out what has fields
/// of its own.
package struct RowWriter: ~Copyable {
  /// A cell of a table.
  package struct Cell {
    package let text: String
    package let isNumeric: Bool
  }

  /// A row of a table.
  package struct Row {
    package fileprivate(set) var cells: [Cell] = []
    /// The letters of `matchedName` to mark.
    package fileprivate(set) var marks: [Range<String.Index>] = []
  }

  package let format: OutputFormat
  package let columns: [String]
  /// What has been written and not handed on.
  package private(set) var bytes: [UInt8] = []
  /// The rows of a table.
  package private(set) var rows: [Row] = []
  /// Where the bytes go; nil where somebody takes them.
  private var output: RowOutput?
  /// How texts are escaped; nil for a table, whose drawing does that.
  private let place: Escaping.Place?
  private var row = Row()
  private var isHeaderDue: Bool
  private var (rowCount, rowStart) = (0, 0)
  /// The number of cells of the row so far.
  private var cellCount = 0
  /// Rows of cells of so many bytes or more are kept in `lastRow`.
  var leastKeptByteCount = Int.max
  /// The row that was written last, with its end, if it is kept; else nothing.
  private(set) var lastRow: [UInt8] = []
  /// Whether what follows must be separated from what is there.
  private var needsSeparator = false
  /// Where the last text lies in the output.
  private var lastText = 0..<0
  /// How many objects and arrays of a document are open.
  private var depth = 0
  /// The cells of rows that become one row, with whether one of them is a text.
  private var joined: [(bytes: [UInt8], isText: Bool)] = []
  /// A text that may be none.
  private var scratch: [UInt8] = []
  /// Which of the rows that become one is written, and where its cells begin.
  private var joining: (row: Int, start: Int)?

  /// A writer to the standard output.
  package init(_ format: OutputFormat, columns: [String] = [], header: Bool = true) {
    self.init(format, columns, header, RowOutput())
    bytes.reserveCapacity(RowOutput.wantedByteCount + 4096)
  }

  /// A writer of further rows, where others write the first and the end.
  init(continuing format: OutputFormat, columns: [String]) {
    self.init(format, columns: columns, header: false)
    rowCount = 1
  }

  init(
    _ format: OutputFormat, _ columns: [String], _ header: Bool, _ output: RowOutput?
  ) {
    self.format = format
    self.columns = columns
    self.output = output
    place =
      switch format {
      case .table: nil
      case .tsv: .tabSeparatedCell
      case .csv: .commaSeparatedCell
      case .json, .jsonl, .document: .jsonString
      }
    isHeaderDue = header && (format == .tsv || format == .csv)
  }

  /// The bytes of one JSON object, whose members `body` writes.
  package static func object(_ body: (inout RowWriter) -> Void) -> [UInt8] {
    var writer = RowWriter(.jsonl, [], false, nil)
    writer.bytes.reserveCapacity(1024)
    writer.object { body(&$0) }
    return writer.bytes
  }

  // MARK: Rows

  /// Whether no row has been written.
  package var isEmpty: Bool { rowCount == 0 }

  /// Begins a row: in JSON, an object.
  package mutating func beginRow() {
    writeHeader()
    if format == .json { bytes += (rowCount == 0 ? "[\n  " : ",\n  ").utf8 }
    needsSeparator = false
    cellCount = 0
    rowStart = bytes.count
    if format.isStructured { open("{", nil) }
  }

  /// Writes a row again that was kept, in a batch whose header is there.
  mutating func repeatRow(_ row: [UInt8]) throws {
    bytes += row
    try flushIfFull()
  }

  /// Ends a row; cells that were not written stay empty.
  package mutating func endRow() throws {
    if format.isStructured {
      close("}")
      if format == .jsonl { bytes.append(UInt8(ascii: "\n")) }
    } else {
      skipCells(before: columns.count)
      if format == .table {
        rows.append(row)
        row = Row()
      } else {
        bytes.append(UInt8(ascii: "\n"))
      }
    }
    lastRow.removeAll(keepingCapacity: true)
    if bytes.count - rowStart >= leastKeptByteCount { lastRow += bytes[rowStart...] }
    rowCount += 1
    try flushIfFull()
  }

  /// Hands on what waits, if that is much.
  mutating func flushIfFull() throws { try output?.flushIfFull(&bytes) }

  /// Begins a block of rows, which are handed on when it is their turn.
  mutating func beginBlock(_ block: Int, _ turns: Turns) { output?.begin(block, turns) }

  /// Ends a block; returns how many bytes it has.
  mutating func endBlock() throws -> Int { try output?.end(&bytes) ?? bytes.count }

  /// Leaves the cells before a column empty that have not been written.
  mutating func skip(to column: String) {
    skipCells(before: columns[cellCount...].firstIndex(of: column) ?? columns.count)
  }

  /// Leaves the cells before one with this number empty that have not been written.
  private mutating func skipCells(before end: Int) {
    guard joining == nil, format == .tsv || format == .csv else {
      while cellCount < end { null(columns[cellCount]) }
      return
    }
    while cellCount < end {
      if needsSeparator { bytes.append(UInt8(ascii: format == .tsv ? "\t" : ",")) }
      needsSeparator = true
      cellCount += 1
    }
  }

  /// Writes a row, whose fields `body` writes.
  package mutating func row(_ body: (inout RowWriter) throws -> Void) throws {
    beginRow()
    try body(&self)
    try endRow()
  }

  /// Writes the cells of many rows as those of one, joined by ";"; `write` writes one of them.
  ///
  /// Within a text ";" becomes "\;" and "\" becomes "\\", before the cell is escaped as any other.
  /// Memory is used again from row to row.
  mutating func join(_ count: Int, _ write: (Int, inout RowWriter) -> Void) {
    let start = cellCount
    for index in joined.indices {
      joined[index].bytes.removeAll(keepingCapacity: true)
      joined[index].isText = false
    }
    for row in 0..<count {
      joining = (row, start)
      cellCount = start
      write(row, &self)
    }
    joining = nil
    let width = cellCount - start
    cellCount = start
    for index in 0..<width {
      let name = columns[cellCount]
      let (cell, isText) = joined[index]
      if isText { text(name) { $0 += cell } } else { number(name) { $0 += cell } }
    }
  }

  /// Hands everything on now, so that whoever reads the other end need not wait.
  package mutating func flush() throws { try output?.flush(&bytes) }

  /// Writes what is left; the rows of a table are whoever asked's to draw.
  package mutating func finish() throws {
    writeHeader()
    switch format {
    case .json: bytes += (rowCount == 0 ? "[]\n" : "\n]\n").utf8
    case .document: bytes += "\n".utf8
    case .table, .tsv, .csv, .jsonl: break
    }
    try flush()
  }

  mutating func writeHeader() {
    guard isHeaderDue else { return }
    isHeaderDue = false
    bytes += (columns.joined(separator: format == .tsv ? "\t" : ",") + "\n").utf8
  }

  // MARK: Fields

  /// Writes a text, whose bytes `append` appends.
  @inline(__always)
  package mutating func text(_ name: String?, _ append: (inout [UInt8]) -> Void) {
    guard !separate(name) else { return appendJoined(isText: true, append) }
    guard let place else { return keep(append, isNumeric: false) }
    if place == .jsonString { bytes.append(UInt8(ascii: "\"")) }
    let start = bytes.count
    append(&bytes)
    Escaping.escape(&bytes, from: start, for: place)
    lastText = start..<bytes.count
    if place == .jsonString { bytes.append(UInt8(ascii: "\"")) }
  }

  /// Writes the text that was written last in this row once more.
  mutating func textAgain(_ name: String?) {
    _ = separate(name)
    guard format != .table else {
      if let last = row.cells.last { row.cells.append(last) }
      return
    }
    if place == .jsonString { bytes.append(UInt8(ascii: "\"")) }
    bytes.appendAgain(lastText)
    if place == .jsonString { bytes.append(UInt8(ascii: "\"")) }
  }

  /// Writes a text, or nothing for nil.
  package mutating func text(_ name: String?, _ value: String?) {
    guard let value else { return null(name) }
    text(name) { $0 += value.utf8 }
  }

  /// Writes a word of stol's own, which needs no escape in any format.
  mutating func word(_ name: String?, _ value: String) {
    guard !separate(name) else { return appendJoined(isText: true) { $0 += value.utf8 } }
    guard let place else { return keep({ $0 += value.utf8 }, isNumeric: false) }
    if place == .jsonString { bytes.append(UInt8(ascii: "\"")) }
    bytes += value.utf8
    if place == .jsonString { bytes.append(UInt8(ascii: "\"")) }
  }

  /// Writes a text that is there or not, as `append` says that it has appended one; nothing where not.
  @inline(__always)
  mutating func optionalText(_ name: String?, _ append: (inout [UInt8]) -> Bool) {
    // An empty cell is one of nothing.
    if place != nil, !format.isStructured, joining == nil { return text(name) { _ = append(&$0) } }
    scratch.removeAll(keepingCapacity: true)
    guard append(&scratch) else { return null(name) }
    text(name) { [scratch] in $0 += scratch }
  }

  /// Writes a name of the pack, null for nil.
  mutating func text(_ name: String?, _ value: NameOrdinal?, _ view: borrowing PackView) {
    guard let value else { return null(name) }
    text(name) { view.appendText(of: value, to: &$0) }
  }

  /// Writes the scientific name of a taxon.
  mutating func text(_ name: String?, _ taxon: TaxonOrdinal, _ view: borrowing PackView) {
    text(name, NameOrdinal(rawValue: taxon.rawValue), view)
  }

  /// Writes texts as one cell, joined by ";" as the cells of many rows are; `append` appends one.
  mutating func joined(
    _ name: String, _ count: Int, _ append: (Int, inout [UInt8]) -> Void
  ) {
    text(name) { bytes in
      for index in 0..<count {
        if index > 0 { bytes.append(UInt8(ascii: ";")) }
        let start = bytes.count
        append(index, &bytes)
        Escaping.escapeJoined(&bytes, from: start)
      }
    }
  }

  /// Writes a number, or nothing for nil.
  package mutating func number(_ name: String?, _ value: Int?) {
    guard let value else { return null(name) }
    number(name) { $0.append(decimal: Int64(value)) }
  }

  /// Writes the id of a taxon as its source writes it, null for nil and for an implied root; in JSON a
  /// number only where every id of the dataset is one that JSON holds exactly.
  mutating func id(_ name: String?, _ taxon: TaxonOrdinal?, _ view: borrowing PackView) {
    guard let taxon else { return null(name) }
    if !format.isStructured, let number = view.number(of: taxon) {
      return self.number(name) { $0.append(decimal: number) }
    }
    guard !view.isImplied(taxon) else { return null(name) }
    if view.ids.areTexts {
      text(name) { view.ids.appendSourceID(of: taxon, to: &$0) }
    } else if !format.isStructured || view.ids.fitJSONNumbers {
      number(name) { $0.append(decimal: view.ids[taxon].rawValue) }
    } else {
      text(name) { $0.append(decimal: view.ids[taxon].rawValue) }
    }
  }

  /// Writes an id as a source writes it, null for nil.
  package mutating func id(_ name: String?, _ text: String?, isJSONNumber: Bool) {
    guard let text else { return null(name) }
    if isJSONNumber {
      number(name) { $0 += text.utf8 }
    } else {
      self.text(name, text)
    }
  }

  /// Writes the own id of a name as a source writes it, null for nil; in JSON a number where the ids of taxa
  /// are numbers and it is one that JSON holds exactly.
  mutating func nameID(_ name: String?, _ text: String?, isJSONNumber: Bool) {
    let value = isJSONNumber && format.isStructured ? text.flatMap { Int64($0) } : nil
    let isExact = value.map { $0.magnitude < 1 << 53 && String($0) == text } ?? false
    id(name, text, isJSONNumber: isExact)
  }

  /// Writes a number with four decimals at most, or nothing for nil.
  package mutating func number(_ name: String?, _ value: Double?) {
    guard let value else { return null(name) }
    number(name) { $0.append(decimal: value) }
  }

  /// Writes a number with all its digits, or nothing for nil and what has none.
  package mutating func number(_ name: String?, exact value: Double?) {
    guard let value, value.isFinite else { return null(name) }
    number(name) { $0.append(exact: value) }
  }

  @inline(__always)
  private mutating func number(_ name: String?, _ append: (inout [UInt8]) -> Void) {
    if separate(name) {
      appendJoined(isText: false, append)
    } else if format == .table {
      keep(append, isNumeric: true)
    } else {
      append(&bytes)
    }
  }

  /// Writes whether something holds, or nothing for nil.
  package mutating func bool(_ name: String?, _ value: Bool?) {
    guard let value else { return null(name) }
    number(name) { $0 += (value ? "true" : "false").utf8 }
  }

  /// Writes that there is nothing.
  package mutating func null(_ name: String?) {
    if separate(name) {
      appendJoined(isText: false) { _ in }
    } else if format == .table {
      keep({ _ in }, isNumeric: false)
    } else if format.isStructured {
      bytes += "null".utf8
    }
  }

  /// Marks letters of a name in a table.
  mutating func mark(_ letters: () -> [Range<String.Index>]) {
    if format == .table { row.marks = letters() }
  }

  private mutating func keep(_ append: (inout [UInt8]) -> Void, isNumeric: Bool) {
    var text: [UInt8] = []
    append(&text)
    row.cells.append(Cell(text: String(decoding: text, as: UTF8.self), isNumeric: isNumeric))
  }

  private mutating func appendJoined(isText: Bool, _ append: (inout [UInt8]) -> Void) {
    guard let joining else { return }
    let index = cellCount - joining.start - 1
    if index == joined.count { joined.append(([], false)) }
    if joining.row > 0 { joined[index].bytes.append(UInt8(ascii: ";")) }
    let start = joined[index].bytes.count
    append(&joined[index].bytes)
    if isText { Escaping.escapeJoined(&joined[index].bytes, from: start) }
    joined[index].isText = joined[index].isText || isText
  }

  // MARK: Structure, for JSON only

  /// Writes an array, whose elements `body` writes; cells have no room for one.
  package mutating func array(
    _ name: String?, _ body: (inout RowWriter) throws -> Void
  ) rethrows {
    guard format.isStructured else { return }
    open("[", name)
    try body(&self)
    close("]")
  }

  /// Writes an array with an object for each element, whose fields `body` writes.
  package mutating func objects<Element>(
    _ name: String?, _ elements: some Sequence<Element>,
    _ body: (inout RowWriter, Element) throws -> Void
  ) rethrows {
    try array(name) { writer in
      for element in elements { try writer.object { try body(&$0, element) } }
    }
  }

  /// Writes an array of texts.
  package mutating func texts(_ name: String?, _ values: some Sequence<String>) {
    array(name) { for value in values { $0.text(nil, value) } }
  }

  /// Writes texts: in JSON as an array, else as one cell, joined by ";".
  package mutating func list(_ name: String, _ values: [String]) {
    if format.isStructured { return texts(name, values) }
    text(name, values.isEmpty ? nil : values.joined(separator: ";"))
  }

  /// Writes an object, whose fields `body` writes; cells have no room for one.
  package mutating func object(
    _ name: String? = nil, _ body: (inout RowWriter) throws -> Void
  ) rethrows {
    guard format.isStructured else { return }
    open("{", name)
    try body(&self)
    close("}")
  }

  private mutating func open(_ bracket: Unicode.Scalar, _ name: String?) {
    _ = separate(name)
    bytes.append(UInt8(ascii: bracket))
    needsSeparator = false
    depth += 1
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    depth -= 1
    if needsSeparator { breakLine() }
    bytes.append(UInt8(ascii: bracket))
    needsSeparator = true
  }

  /// Writes what stands before a value, separator and name; returns whether it is joined to others.
  @inline(__always)
  private mutating func separate(_ name: String?) -> Bool {
    if joining == nil {
      switch format {
      case .tsv: if needsSeparator { bytes.append(UInt8(ascii: "\t")) }
      case .csv: if needsSeparator { bytes.append(UInt8(ascii: ",")) }
      case .table: break
      case .json, .jsonl, .document: separateMember(name)
      }
    }
    assert(format.isStructured || name == columns[cellCount], "a cell in another column's place")
    cellCount += 1
    needsSeparator = true
    return joining != nil
  }

  private mutating func separateMember(_ name: String?) {
    if needsSeparator { bytes.append(UInt8(ascii: ",")) }
    if depth > 0 { breakLine() }
    guard let name else { return }
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes += name.utf8
    Escaping.escape(&bytes, from: start, for: .jsonString)
    bytes += (format == .document ? "\": " : "\":").utf8
  }

  private mutating func breakLine() {
    guard format == .document else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes += repeatElement(UInt8(ascii: " "), count: 2 * depth)
  }
}
