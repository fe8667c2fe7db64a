import STOLSystem

/// A table read row by row whose bytes are kept as they are, so that they can be written again with more
/// columns.
///
/// A row ends with a line end outside quotes. What of a field is meant is told apart from how it is written:
/// quotes around it are left off, doubled ones in it are one. Nothing is decoded: what is no UTF-8 stays.
package struct RawTable: ~Copyable {
  /// One row: its bytes without the line end, and its fields.
  package struct Row {
    /// The bytes as they stand in the input.
    package let bytes: [UInt8]
    /// Where the fields lie, with their quotes.
    package let fields: [Range<Int>]
    /// How the line ends: empty, "\n" or "\r\n".
    package let lineEnd: [UInt8]
    /// The number of its first line, from 1.
    package let line: Int

    /// A field without its quotes; nil where the row has no such field.
    package func field(_ index: Int) -> [UInt8]? {
      guard fields.indices.contains(index) else { return nil }
      let range = fields[index]
      let quote = UInt8(ascii: "\"")
      guard range.count > 1, bytes[range.lowerBound] == quote, bytes[range.upperBound - 1] == quote
      else { return Array(bytes[range]) }
      var plain: [UInt8] = []
      var index = range.lowerBound + 1
      while index < range.upperBound - 1 {
        plain.append(bytes[index])
        index += bytes[index] == quote && bytes[index + 1] == quote ? 2 : 1
      }
      return plain
    }
  }

  /// What something else than a header says of the columns: the meta.xml of an archive.
  package struct Description {
    /// The term of each column, without its namespace; empty where nothing is said.
    package var columns: [String]
    /// How many rows at the beginning are none of data.
    package var headerRowCount: Int
    /// What terms are in rows that have no such column, or nothing in it.
    package var defaults: [(term: String, value: String)]
  }

  private let read: () throws -> [UInt8]
  /// What is said of the columns elsewhere; nil where the first row says it.
  package let description: Description?
  /// What separates fields; nil where each line is one field.
  package let delimiter: UInt8?
  /// Whether fields may stand in quotes.
  package let isQuoted: Bool
  private var cursor: RowCursor
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var line = 1
  /// The byte order mark of the file, and the line that names the separator for a spreadsheet, which are written
  /// again too.
  package private(set) var mark: [UInt8] = []

  /// The longest row, in bytes; a quote that nothing closes must not swallow a file.
  package static let rowLimit = 1 << 20
  /// How many bytes a block and a piece of it have, about.
  package static let blockByteCount = 1 << 20
  package static let pieceByteCount = 1 << 12

  /// A table of what `read` gives, nothing at the end.
  ///
  /// - Parameters:
  ///   - head: the first bytes, already read.
  ///   - delimiter: what separates fields; nil where each line is one field.
  ///   - isQuoted: whether fields may stand in double quotes.
  ///   - description: what is said of the columns elsewhere.
  ///   - firstRow: where in `head` the rows begin, behind a mark.
  ///   - read: the further bytes.
  package init(
    head: [UInt8], delimiter: UInt8?, isQuoted: Bool, description: Description? = nil,
    firstRow: Int? = nil, read: @escaping () throws -> [UInt8]
  ) {
    self.read = read
    self.description = description
    self.delimiter = delimiter
    self.isQuoted = isQuoted && delimiter != nil
    cursor = RowCursor(delimiter: delimiter, isQuoted: isQuoted)
    buffer = head
    position = firstRow ?? (head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    mark = Array(head.prefix(position))
  }

  /// A cursor over rows of this table.
  package var rows: RowCursor { RowCursor(delimiter: delimiter, isQuoted: isQuoted) }

  /// The next row, or nil at the end.
  ///
  /// - Throws: `FormatError.unreadable` for a row that is too long, what `read` throws.
  /// - Complexity: O(length)
  package mutating func next() throws -> Row? {
    while !cursor.find(in: buffer, from: position), !isAtEnd {
      try checkLength(buffer.count - position)
      try refill()
    }
    try checkLength(cursor.row.count)
    let end = cursor.lineEnd.upperBound
    guard end > position else { return nil }
    var fields: [Range<Int>] = []
    for index in 0..<cursor.fieldCount {
      guard let field = cursor.field(index) else { continue }
      fields.append((field.lowerBound - position)..<(field.upperBound - position))
    }
    let row = Row(
      bytes: Array(buffer[cursor.row]), fields: fields, lineEnd: Array(buffer[cursor.lineEnd]),
      line: line)
    position = end
    line += max(cursor.lineEndCount, 1)
    return row
  }

  /// The next rows, about a megabyte of them.
  ///
  /// - Parameters:
  ///   - byteCount: about how many bytes they have.
  ///   - pieceByteCount: how many each piece has, and the rest of a row.
  /// - Returns: the rows, or nil at the end.
  /// - Throws: `FormatError.unreadable` for a row that is too long, what `read` throws.
  /// - Complexity: O(length)
  package mutating func nextBlock(
    of byteCount: Int = blockByteCount, inPiecesOf pieceByteCount: Int = pieceByteCount
  ) throws -> RowBlock? {
    while buffer.count - position < byteCount, !isAtEnd { try refill() }
    var pieces: [RowBlock.Piece] = []
    var end = position
    while end - position < byteCount, end < buffer.count {
      var start = end
      while true {
        end = skipRows(from: start, pieceByteCount)
        if end > start || !pieces.isEmpty { break }
        // Not one whole row.
        try checkLength(buffer.count - start)
        try refill()
        start = position
      }
      guard end > start else { break }
      pieces.append(
        RowBlock.Piece(range: (start - position)..<(end - position), line: line))
      line += try countLines(start..<end)
    }
    guard end > position else { return nil }
    defer { position = end }
    return RowBlock(bytes: Array(buffer[position..<end]), pieces: pieces)
  }

  /// The end of so many whole rows as make a piece, or as there are; at the end of the input a row needs
  /// no line end.
  private func skipRows(from start: Int, _ byteCount: Int) -> Int {
    let enough = start + byteCount
    let newline = UInt8(ascii: "\n")
    if !isQuoted {
      if enough < buffer.count, let last = buffer[(enough - 1)...].firstIndex(of: newline) {
        return last + 1
      }
      if isAtEnd { return buffer.count }
      return buffer[start...].lastIndex(of: newline).map { $0 + 1 } ?? start
    }
    var end = start
    while end < min(enough, buffer.count) {
      guard let next = cursor.skip(in: buffer, from: end) else {
        return isAtEnd ? buffer.count : end
      }
      end = next
    }
    return end
  }

  /// How many line ends some whole rows have, none of which may be too long.
  private mutating func countLines(_ rows: Range<Int>) throws -> Int {
    let count = Self.lineEndCount(buffer, rows)
    guard rows.count > Self.rowLimit else { return count }
    var start = rows.lowerBound
    while start < rows.upperBound {
      _ = cursor.find(in: buffer, from: start)
      try checkLength(cursor.row.count)
      start = cursor.lineEnd.upperBound
    }
    return count
  }

  private static func lineEndCount(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    var count = 0
    let bytes = bytes.span
    for index in range { count &+= bytes[index] == UInt8(ascii: "\n") ? 1 : 0 }
    return count
  }

  private func checkLength(_ byteCount: Int) throws {
    guard byteCount <= Self.rowLimit else {
      throw FormatError.unreadable(
        path: "line \(line)",
        reason: "longer than \(Self.rowLimit) bytes: a quote there may not be closed")
    }
  }

  /// Reads more, where there is more; what was read of the row before moves to the beginning.
  private mutating func refill() throws {
    let more = try read()
    guard !more.isEmpty else {
      isAtEnd = true
      return
    }
    if position > 0 {
      buffer.removeFirst(position)
      position = 0
    }
    buffer += more
  }
}
