import STOLPack
import STOLSystem

/// The form of a result.
enum OutputFormat {
  /// Aligned columns, for a terminal.
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
  var isStructured: Bool { self == .json || self == .jsonl || self == .document }
}

/// Writes rows of fields in any format.
///
/// A field goes straight into the output and is escaped where it lies; only a table is kept until the
/// end, to be aligned. Names of fields show in JSON only: cells have their place instead.
struct RowWriter: ~Copyable {
  let format: OutputFormat
  private let columns: [String]
  /// How texts are escaped; nil for a table, which does that itself.
  private let place: Escaping.Place?
  private var table: Table
  private var output = ByteOutput()
  private var isHeaderDue: Bool
  private var rowCount = 0
  /// The number of cells of the row so far.
  private var cellCount = 0
  /// Whether what follows must be separated from what is there.
  private var needsSeparator = false
  /// Where the last text lies in the output.
  private var lastText = 0..<0
  /// How many objects and arrays of a document are open.
  private var depth = 0

  init(
    _ format: OutputFormat, columns: [String] = [], header: Bool = true,
    style: TextStyle = TextStyle(isEnabled: false)
  ) {
    self.format = format
    self.columns = columns
    place =
      switch format {
      case .table: nil
      case .tsv: .tabSeparatedCell
      case .csv: .commaSeparatedCell
      case .json, .jsonl, .document: .jsonString
      }
    table = Table(columns: columns, hasHeader: header, style: style)
    isHeaderDue = header && (format == .tsv || format == .csv)
  }

  // MARK: Rows

  /// Begins a row: in JSON, an object.
  mutating func beginRow() {
    writeHeader()
    if format == .json { output.bytes += (rowCount == 0 ? "[\n  " : ",\n  ").utf8 }
    needsSeparator = false
    cellCount = 0
    if format.isStructured { open("{", nil) }
  }

  /// Ends a row; cells that were not written stay empty.
  ///
  /// `marks` are the letters of `matchedName` to mark in a table.
  mutating func endRow(marks: [Range<String.Index>] = []) throws {
    if format.isStructured {
      close("}")
      if format == .jsonl { output.bytes.append(UInt8(ascii: "\n")) }
    } else {
      while cellCount < columns.count { null(nil) }
      if format == .table {
        table.endRow(marks: marks)
      } else {
        output.bytes.append(UInt8(ascii: "\n"))
      }
    }
    rowCount += 1
    try output.flushIfFull()
  }

  /// Writes everything now, so that whoever reads the other end need not wait.
  mutating func flush() throws { try output.flush() }

  /// Writes what is left.
  mutating func finish() throws {
    writeHeader()
    switch format {
    case .table: for line in table.lines { try output.write(line + "\n") }
    case .json: try output.write(rowCount == 0 ? "[]\n" : "\n]\n")
    case .document: try output.write("\n")
    case .tsv, .csv, .jsonl: break
    }
    try output.flush()
  }

  private mutating func writeHeader() {
    guard isHeaderDue else { return }
    isHeaderDue = false
    output.bytes += (columns.joined(separator: format == .tsv ? "\t" : ",") + "\n").utf8
  }

  // MARK: Fields

  /// Writes a text, whose bytes `append` appends.
  @inline(__always)
  mutating func text(_ name: String?, _ append: (inout [UInt8]) -> Void) {
    separate(name)
    guard let place else {
      var bytes: [UInt8] = []
      append(&bytes)
      table.append(String(decoding: bytes, as: UTF8.self), isNumeric: false)
      return
    }
    if place == .jsonString { output.bytes.append(UInt8(ascii: "\"")) }
    let start = output.bytes.count
    append(&output.bytes)
    Escaping.escape(&output.bytes, from: start, for: place)
    lastText = start..<output.bytes.count
    if place == .jsonString { output.bytes.append(UInt8(ascii: "\"")) }
  }

  /// Writes the text that was written last in this row once more.
  mutating func textAgain(_ name: String?) {
    guard format != .table else { return table.appendAgain() }
    separate(name)
    if place == .jsonString { output.bytes.append(UInt8(ascii: "\"")) }
    for index in lastText { output.bytes.append(output.bytes[index]) }
    if place == .jsonString { output.bytes.append(UInt8(ascii: "\"")) }
  }

  /// Writes a text, or nothing for nil.
  mutating func text(_ name: String?, _ value: String?) {
    guard let value else { return null(name) }
    text(name) { $0 += value.utf8 }
  }

  /// Writes a name of the pack.
  mutating func text(_ name: String?, _ value: NameOrdinal, _ view: borrowing PackView) {
    text(name) { view.names.appendText(of: value, to: &$0) }
  }

  /// Writes the scientific name of a taxon.
  mutating func text(_ name: String?, _ taxon: TaxonOrdinal, _ view: borrowing PackView) {
    text(name, NameOrdinal(rawValue: taxon.rawValue), view)
  }

  /// Writes a number, or nothing for nil.
  mutating func number(_ name: String?, _ value: Int?) {
    guard let value else { return null(name) }
    number(name) { $0.append(decimal: Int64(value)) }
  }

  /// Writes an id, or nothing for nil.
  mutating func number(_ name: String?, _ value: TaxonID?) {
    guard let value else { return null(name) }
    number(name) { $0.append(decimal: value.rawValue) }
  }

  /// Writes a number with four decimals at most, or nothing for nil.
  mutating func number(_ name: String?, _ value: Double?) {
    guard let value else { return null(name) }
    number(name) { $0.append(decimal: value) }
  }

  /// Writes a number with all its digits, or nothing for nil.
  mutating func number(_ name: String?, exact value: Double?) {
    guard let value else { return null(name) }
    number(name) { $0.append(exact: value) }
  }

  @inline(__always)
  private mutating func number(_ name: String?, _ append: (inout [UInt8]) -> Void) {
    separate(name)
    if format == .table {
      var digits: [UInt8] = []
      append(&digits)
      table.append(String(decoding: digits, as: UTF8.self), isNumeric: true)
    } else {
      append(&output.bytes)
    }
  }

  /// Writes whether something holds; for JSON only.
  mutating func bool(_ name: String?, _ value: Bool) {
    separate(name)
    output.bytes += (value ? "true" : "false").utf8
  }

  /// Writes that there is nothing.
  mutating func null(_ name: String?) {
    separate(name)
    if format == .table {
      table.append("", isNumeric: false)
    } else if format.isStructured {
      output.bytes += "null".utf8
    }
  }

  // MARK: Structure, for JSON only

  /// Writes an array, whose elements `body` writes.
  mutating func array(_ name: String?, _ body: (inout RowWriter) throws -> Void) rethrows {
    open("[", name)
    try body(&self)
    close("]")
  }

  /// Writes an object, whose fields `body` writes.
  mutating func object(_ name: String? = nil, _ body: (inout RowWriter) throws -> Void) rethrows {
    open("{", name)
    try body(&self)
    close("}")
  }

  private mutating func open(_ bracket: Unicode.Scalar, _ name: String?) {
    separate(name)
    output.bytes.append(UInt8(ascii: bracket))
    needsSeparator = false
    depth += 1
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    depth -= 1
    if needsSeparator { breakLine() }
    output.bytes.append(UInt8(ascii: bracket))
    needsSeparator = true
  }

  /// Writes what stands before a value: separator and name.
  @inline(__always)
  private mutating func separate(_ name: String?) {
    switch format {
    case .tsv: if needsSeparator { output.bytes.append(UInt8(ascii: "\t")) }
    case .csv: if needsSeparator { output.bytes.append(UInt8(ascii: ",")) }
    case .table: break
    case .json, .jsonl, .document: separateMember(name)
    }
    cellCount += 1
    needsSeparator = true
  }

  private mutating func separateMember(_ name: String?) {
    if needsSeparator { output.bytes.append(UInt8(ascii: ",")) }
    if depth > 0 { breakLine() }
    guard let name else { return }
    output.bytes.append(UInt8(ascii: "\""))
    let start = output.bytes.count
    output.bytes += name.utf8
    Escaping.escape(&output.bytes, from: start, for: .jsonString)
    output.bytes += (format == .document ? "\": " : "\":").utf8
  }

  private mutating func breakLine() {
    guard format == .document else { return }
    output.bytes.append(UInt8(ascii: "\n"))
    output.bytes += repeatElement(UInt8(ascii: " "), count: 2 * depth)
  }
}
