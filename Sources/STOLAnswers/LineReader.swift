import STOLGzip
import STOLSystem

/// Reads lines from a file or the standard input, decompressing gzip, in constant memory.
package struct LineReader: ~Copyable {
  private let input: ByteInput
  private var decoder: GzipDecoder?
  /// What has been read: lines that have been given, from `position` on the others.
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var isFirstChunk = true
  private var lineRange = 0..<0
  /// Whether the line is UTF-8 and not too long.
  package private(set) var isLineValid = true

  private static let chunkByteCount = 1 << 16
  /// What is kept of a line that is longer than any query may be.
  private static let keptByteCount = 1 << 16
  /// What is shown of a line that is not valid: enough to find it again.
  private static let shownByteCount = 512

  /// Reads the file at `path`, or the standard input for nil.
  package init(path: String?) throws {
    input = try ByteInput(path: path)
  }

  /// The line that `next(beforeWaiting:)` found, without its end; of one that is not valid, the
  /// beginning.
  package var line: ArraySlice<UInt8> { buffer[lineRange] }

  /// Moves to the next line, if there is one; `beforeWaiting` is called before more input is read.
  package mutating func next(beforeWaiting: () throws -> Void) throws -> Bool {
    var isTooLong = false
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        setLine(position..<end, isTooLong)
        position = end + 1
        return true
      }
      if isAtEnd {
        guard position < buffer.count else { return false }
        setLine(position..<buffer.count, isTooLong)
        position = buffer.count
        return true
      }
      buffer.removeFirst(position)
      position = 0
      if buffer.count > Self.keptByteCount {
        isTooLong = true
        buffer.removeLast(buffer.count - Self.keptByteCount)
      }
      searched = buffer.count
      try beforeWaiting()
      try refill()
    }
  }

  private mutating func setLine(_ range: Range<Int>, _ isTooLong: Bool) {
    var range = range
    if range.count > 0, buffer[range.upperBound - 1] == UInt8(ascii: "\r") {
      range = range.lowerBound..<range.upperBound - 1
    }
    isLineValid = !isTooLong && range.count <= Self.keptByteCount && isUTF8(range)
    lineRange = isLineValid ? range : range.prefix(Self.shownByteCount)
  }

  private func isUTF8(_ range: Range<Int>) -> Bool {
    var bits: UInt8 = 0
    for byte in buffer[range] { bits |= byte }
    return bits < 0x80 || String(validating: buffer[range], as: UTF8.self) != nil
  }

  private mutating func refill() throws {
    var chunk: [UInt8] = []
    try input.read(into: &chunk, limit: Self.chunkByteCount)
    if isFirstChunk, chunk.starts(with: [0x1F, 0x8B]) { decoder = try GzipDecoder() }
    isFirstChunk = false
    isAtEnd = chunk.isEmpty
    guard decoder != nil else {
      buffer += chunk
      return
    }
    try decoder?.decode(chunk) { buffer += $0 }
    if isAtEnd { try decoder?.finish() }
  }
}
