package import STOLFormats
package import STOLSystem

/// The bytes of a file or of the standard input, which can be looked at before they are taken.
package final class ByteChunks {
  private let fill: (inout [UInt8], Int) throws -> Void
  private var ahead: [UInt8] = []
  private var isAtEnd = false
  private static let step = 1 << 16

  /// Reads what `fill` puts into a buffer, at most so many bytes; none at the end.
  package init(_ fill: @escaping (inout [UInt8], Int) throws -> Void) { self.fill = fill }

  /// Reads the file at `path`, or the standard input for nil.
  package convenience init(path: String?) throws(SystemError) {
    let input = InputBox(try ByteInput(path: path))
    self.init { try input.input.read(into: &$0, limit: $1) }
  }

  /// Reads a stream, which nobody else reads.
  package convenience init(_ stream: SourceStream) {
    self.init { buffer, _ in buffer = try stream.next() }
  }

  /// Reads bytes that are there.
  package convenience init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    self.init { buffer, limit in
      buffer = Array(rest.prefix(limit))
      rest = rest.dropFirst(limit)
    }
  }

  /// The first bytes that have not been taken, `count` of them unless the file ends before.
  package func peek(_ count: Int) throws -> [UInt8] {
    while ahead.count < count, !isAtEnd { ahead += try read() }
    return Array(ahead.prefix(count))
  }

  /// The next bytes, as many as there are without waiting; none at the end.
  package func next() throws -> [UInt8] {
    guard ahead.isEmpty else {
      defer { ahead = [] }
      return ahead
    }
    return isAtEnd ? [] : try read()
  }

  /// All bytes that are left.
  ///
  /// - Throws: `JournalError.invalid` where they are more than `limit`.
  package func rest(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let chunk = try next()
      guard !chunk.isEmpty else { return bytes }
      bytes += chunk
      guard bytes.count <= limit else {
        throw JournalError.invalid(
          field: "file", value: "more than \(limit) bytes",
          remedy: "write it as lines, which are read one after another")
      }
    }
  }

  private func read() throws -> [UInt8] {
    var chunk: [UInt8] = []
    try fill(&chunk, Self.step)
    isAtEnd = chunk.isEmpty
    return chunk
  }
}

private final class InputBox {
  let input: ByteInput

  init(_ input: consuming ByteInput) { self.input = input }
}

/// The lines of a file one after another; of one that is too long, its beginning.
package final class ByteLines {
  private let chunks: ByteChunks
  private let limit: Int
  private var buffer: [UInt8] = []
  private var position = 0
  /// The number of the line that was given last, from 1.
  package private(set) var number = 0
  /// Whether that line was cut, for it has more bytes than the limit.
  package private(set) var isCut = false

  /// The lines of what `chunks` gives, each of at most `limit` bytes.
  package init(_ chunks: ByteChunks, limit: Int) {
    self.chunks = chunks
    self.limit = limit
  }

  /// The next line without its end; nil at the end of the file.
  package func next() throws -> [UInt8]? {
    isCut = false
    var line: [UInt8] = []
    var isEmpty = true
    while true {
      let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n"))
      let piece = buffer[position..<(end ?? buffer.count)]
      isCut = isCut || piece.count > limit - line.count
      isEmpty = isEmpty && piece.isEmpty && end == nil
      line += piece.prefix(limit - line.count)
      position += piece.count + 1
      guard end == nil else { break }
      buffer = try chunks.next()
      position = 0
      guard !buffer.isEmpty else {
        if isEmpty { return nil }
        break
      }
    }
    number += 1
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }
}
