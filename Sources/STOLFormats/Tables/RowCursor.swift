/// Finds rows and their fields in bytes that begin with a row, one row after another.
///
/// A row ends with a line end outside quotes. Fields keep their quotes; nothing is copied but what
/// `appendField` is asked for.
package struct RowCursor: Sendable {
  /// What separates fields; more than a byte where nothing does.
  private let delimiter: UInt16
  private let isQuoted: Bool
  /// The row that was found last, without its line end.
  package private(set) var row = 0..<0
  /// Its line end: empty, "\n" or "\r\n".
  package private(set) var lineEnd = 0..<0
  /// How many line ends it has, those in quotes too.
  package private(set) var lineEndCount = 0
  /// Whether a quote of the row is not closed before the bytes end.
  package private(set) var isUnclosed = false
  /// Where its fields end; each begins behind the delimiter that ends the one before.
  private var ends: [Int] = []

  /// A cursor over rows.
  ///
  /// - Parameters:
  ///   - delimiter: what separates fields; nil where each line is one field.
  ///   - isQuoted: whether fields may stand in double quotes.
  package init(delimiter: UInt8?, isQuoted: Bool) {
    self.delimiter = delimiter.map(UInt16.init) ?? 256
    self.isQuoted = isQuoted && delimiter != nil
  }

  /// How many fields the row has.
  package var fieldCount: Int { ends.count }

  /// Finds the row that begins at `start`, which may end with the bytes; whether a line end ends it.
  ///
  /// - Complexity: O(length)
  package mutating func find(in bytes: [UInt8], from start: Int) -> Bool {
    ends.removeAll(keepingCapacity: true)
    lineEndCount = 0
    isUnclosed = false
    let bytes = bytes.span
    let (delimiter, isQuoted) = (delimiter, isQuoted)
    var fieldStart = start
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if UInt16(byte) == delimiter {
        ends.append(index)
        fieldStart = index &+ 1
      } else if byte == UInt8(ascii: "\n") {
        lineEndCount &+= 1
        let hasReturn = index > fieldStart && bytes[index &- 1] == UInt8(ascii: "\r")
        let end = hasReturn ? index &- 1 : index
        ends.append(end)
        row = start..<end
        lineEnd = end..<index &+ 1
        return true
      } else if byte == UInt8(ascii: "\""), isQuoted, index == fieldStart {
        let opening = index
        index = Self.closingQuote(in: bytes, from: index, &lineEndCount)
        isUnclosed = index == bytes.count && !Self.closes(bytes, opening)
        continue
      }
      index &+= 1
    }
    ends.append(index)
    row = start..<index
    lineEnd = index..<index
    return false
  }

  /// The place behind the row that begins at `start`, as `find` does; nil where no line end ends it.
  ///
  /// - Complexity: O(length)
  func skip(in bytes: [UInt8], from start: Int) -> Int? {
    let bytes = bytes.span
    let delimiter = delimiter
    var lineEndCount = 0
    var isFieldStart = true
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\""), isFieldStart, isQuoted {
        index = Self.closingQuote(in: bytes, from: index, &lineEndCount)
        isFieldStart = false
        continue
      }
      index &+= 1
      if byte == UInt8(ascii: "\n") { return index }
      isFieldStart = UInt16(byte) == delimiter
    }
    return nil
  }

  /// Whether the quote at `start` is closed at the end of the bytes: those behind it are odd in number.
  private static func closes(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
    var count = 0
    for index in (start &+ 1)..<bytes.count where bytes[index] == UInt8(ascii: "\"") { count &+= 1 }
    return !count.isMultiple(of: 2)
  }

  /// The place behind the quote that closes the one at `start`, or the end.
  @inline(__always)
  private static func closingQuote(
    in bytes: Span<UInt8>, from start: Int, _ lineEndCount: inout Int
  ) -> Int {
    var index = start &+ 1
    while index < bytes.count {
      let byte = bytes[index]
      index &+= 1
      if byte == UInt8(ascii: "\n") { lineEndCount &+= 1 }
      guard byte == UInt8(ascii: "\"") else { continue }
      // One that follows another is a letter.
      guard index < bytes.count, bytes[index] == byte else { return index }
      index &+= 1
    }
    return index
  }

  /// Where a field of the row lies, with its quotes; nil where the row has no such field.
  package func field(_ index: Int) -> Range<Int>? {
    guard ends.indices.contains(index) else { return nil }
    return (index == 0 ? row.lowerBound : ends[index - 1] + 1)..<ends[index]
  }

  /// Appends a field of the row without its quotes; nothing where the row has no such field.
  package func appendField(_ index: Int, of bytes: [UInt8], to output: inout [UInt8]) {
    guard let range = field(index) else { return }
    let quote = UInt8(ascii: "\"")
    guard range.count > 1, bytes[range.lowerBound] == quote, bytes[range.upperBound - 1] == quote
    else {
      output.append(contentsOf: bytes[range])
      return
    }
    var index = range.lowerBound + 1
    while index < range.upperBound - 1 {
      output.append(bytes[index])
      index += bytes[index] == quote && bytes[index + 1] == quote ? 2 : 1
    }
  }
}

/// Many whole rows as they stand in the input, cut into pieces that can be worked on apart.
package struct RowBlock: Sendable {
  /// Some whole rows.
  package struct Piece: Sendable {
    /// Where they lie in the block.
    package let range: Range<Int>
    /// The number of their first line, from 1.
    package let line: Int
  }

  /// The rows; the last one of the input may have no line end.
  package let bytes: [UInt8]
  /// All of the bytes, in their order.
  package let pieces: [Piece]

  /// A block of some rows, a piece for each.
  package init(_ rows: [RawTable.Row]) {
    var bytes: [UInt8] = []
    var pieces: [Piece] = []
    for row in rows {
      let start = bytes.count
      bytes += row.bytes
      bytes += row.lineEnd
      pieces.append(Piece(range: start..<bytes.count, line: row.line))
    }
    self.init(bytes: bytes, pieces: pieces)
  }

  init(bytes: [UInt8], pieces: [Piece]) {
    self.bytes = bytes
    self.pieces = pieces
  }
}
