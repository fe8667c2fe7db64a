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

  private let read: () throws -> [UInt8]
  /// What separates fields; nil where each line is one field.
  package let delimiter: UInt8?
  /// Whether fields may stand in quotes.
  package let isQuoted: Bool
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var line = 1
  /// The byte order mark of the file, which is written again too.
  package private(set) var mark: [UInt8] = []

  /// The longest row, in bytes; a quote that nothing closes must not swallow a file.
  package static let rowLimit = 1 << 20

  /// A table of what `read` gives, nothing at the end.
  ///
  /// - Parameters:
  ///   - head: the first bytes, already read.
  ///   - delimiter: what separates fields; nil where each line is one field.
  ///   - isQuoted: whether fields may stand in double quotes.
  ///   - read: the further bytes.
  package init(
    head: [UInt8], delimiter: UInt8?, isQuoted: Bool, read: @escaping () throws -> [UInt8]
  ) {
    self.read = read
    self.delimiter = delimiter
    self.isQuoted = isQuoted && delimiter != nil
    buffer = head
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      mark = Array(head.prefix(3))
      position = 3
    }
  }

  /// The next row, or nil at the end.
  ///
  /// - Throws: `FormatError.unreadable` for a row that is too long, what `read` throws.
  /// - Complexity: O(length)
  package mutating func next() throws -> Row? {
    var fields: [Range<Int>] = []
    var start = position
    var index = position
    var isInQuotes = false
    var lines = 0
    while true {
      if index == buffer.count {
        guard try refill(&index, &start, &fields) else {
          guard index > position else { return nil }
          fields.append((start - position)..<(index - position))
          return take(index, lineEnd: [], fields, lines)
        }
        continue
      }
      let byte = buffer[index]
      if byte == UInt8(ascii: "\n") { lines += 1 }
      if isInQuotes {
        if byte == UInt8(ascii: "\"") {
          // One that follows another is a letter; where the buffer ends, more is read first.
          if index + 1 == buffer.count, try refill(&index, &start, &fields) { continue }
          if index + 1 < buffer.count, buffer[index + 1] == byte {
            index += 1
          } else {
            isInQuotes = false
          }
        }
      } else if byte == UInt8(ascii: "\""), isQuoted, index == start {
        isInQuotes = true
      } else if byte == delimiter {
        fields.append((start - position)..<(index - position))
        start = index + 1
      } else if byte == UInt8(ascii: "\n") {
        let hasReturn = index > start && buffer[index - 1] == UInt8(ascii: "\r")
        let end = hasReturn ? index - 1 : index
        fields.append((start - position)..<(end - position))
        return take(end, lineEnd: Array(buffer[end...index]), fields, lines)
      }
      index += 1
      guard index - position <= Self.rowLimit else {
        throw FormatError.unreadable(
          path: "line \(line)",
          reason: "longer than \(Self.rowLimit) bytes: a quote there may not be closed")
      }
    }
  }

  private mutating func take(
    _ end: Int, lineEnd: [UInt8], _ fields: [Range<Int>], _ lines: Int
  ) -> Row {
    let row = Row(
      bytes: Array(buffer[position..<end]), fields: fields, lineEnd: lineEnd, line: line)
    position = end + lineEnd.count
    line += max(lines, 1)
    return row
  }

  /// Reads more, where there is more; what was read of the row before moves to the beginning.
  private mutating func refill(
    _ index: inout Int, _ start: inout Int, _ fields: inout [Range<Int>]
  ) throws -> Bool {
    guard !isAtEnd else { return false }
    let more = try read()
    guard !more.isEmpty else {
      isAtEnd = true
      return false
    }
    if position > 0 {
      buffer.removeFirst(position)
      index -= position
      start -= position
      position = 0
    }
    buffer += more
    return true
  }
}
