import STOLGzip
package import STOLSystem

/// Reads lines from a file or the standard input, decompressing gzip, many at once and in constant memory.
package struct LineBlocks: ~Copyable {
  private let input: ByteInput
  private var decoder: GzipDecoder?
  /// What has been read: lines that have been given, from `position` on the others.
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var isFirstChunk = true
  /// Ends a wait for more; nil where nobody does.
  private let alarm: InputAlarm?

  private static let chunkByteCount = 1 << 16

  /// Reads the file at `path`, or the standard input for nil; `alarm` ends a wait for more.
  package init(path: String?, alarm: InputAlarm? = nil) throws {
    input = try ByteInput(path: path)
    self.alarm = alarm
  }

  /// Replaces `block` with the next lines that are there, about `limit` bytes of them; waits only where
  /// there is none.
  ///
  /// The end of every line is there but for that of the last one of all, which need not have one. Of a line
  /// that is too long the beginning is given, which is too long too.
  ///
  /// - Returns: false where no line is left.
  package mutating func read(into block: inout [UInt8], limit: Int) throws -> Bool {
    block.removeAll(keepingCapacity: true)
    var searched = position
    while true {
      if let end = endOfLines(limit, searched) {
        block.append(contentsOf: buffer[position..<end])
        position = end
        return true
      }
      if isAtEnd {
        block.append(contentsOf: buffer[position...])
        position = buffer.count
        return !block.isEmpty
      }
      buffer.removeFirst(position)
      position = 0
      if buffer.count > Lines.cutByteCount {
        buffer.removeLast(buffer.count - Lines.cutByteCount)
      }
      searched = buffer.count
      try refill()
    }
  }

  /// Whether the next line can be read without waiting.
  package var hasLine: Bool { buffer.firstPlace(of: Lines.end, from: position) != nil }

  /// The place after the lines that take about so many bytes, before `searched` there being none; nil where
  /// the first one is not there as a whole.
  private func endOfLines(_ limit: Int, _ searched: Int) -> Int? {
    let window = searched..<max(searched, min(position + limit, buffer.count))
    let last =
      buffer[window].lastIndex(of: Lines.end)
      ?? buffer.firstPlace(of: Lines.end, from: window.upperBound)
    return last.map { $0 + 1 }
  }

  private mutating func refill() throws {
    if let alarm, !input.wait(unless: alarm) { throw Turns.GivenUp() }
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

/// The lines of a block, one after another.
package struct Lines {
  /// Where the block of lines is put.
  package var block: [UInt8] = []
  private var position = 0
  /// Whether all of the block is ASCII.
  private var isASCII = true
  private var range = 0..<0
  /// Whether the line is UTF-8 and not too long.
  package private(set) var isLineValid = true

  static let end = UInt8(ascii: "\n")
  /// The most bytes that a line may have, without its end.
  private static let longestByteCount = 1 << 16
  /// What is kept of a longer one: enough for it to be too long whatever its last byte is.
  static let cutByteCount = longestByteCount + 2
  /// What is shown of a line that is not valid: enough to find it again.
  private static let shownByteCount = 512

  package init() {}

  /// Goes to the beginning of the block.
  package mutating func start() {
    position = 0
    var bits: UInt8 = 0
    for byte in block { bits |= byte }
    isASCII = bits < 0x80
  }

  /// The line that `next` found, without its end; of one that is not valid, the beginning.
  package var line: ArraySlice<UInt8> { block[range] }

  /// Moves to the next line, if there is one.
  package mutating func next() -> Bool {
    guard position < block.count else { return false }
    let end = block.firstPlace(of: Self.end, from: position) ?? block.count
    range = position..<end
    position = end + 1
    if !range.isEmpty, block[end - 1] == UInt8(ascii: "\r") { range = range.dropLast() }
    isLineValid = range.count <= Self.longestByteCount && (isASCII || isUTF8(range))
    if !isLineValid { range = range.prefix(Self.shownByteCount) }
    return true
  }

  private func isUTF8(_ range: Range<Int>) -> Bool {
    var bits: UInt8 = 0
    for byte in block[range] { bits |= byte }
    return bits < 0x80 || String(validating: block[range], as: UTF8.self) != nil
  }
}

/// Reads lines one after another; see `LineBlocks`.
package struct LineReader: ~Copyable {
  private var blocks: LineBlocks
  private var lines = Lines()

  private static let blockByteCount = 1 << 14

  /// Reads the file at `path`, or the standard input for nil.
  package init(path: String?) throws { blocks = try LineBlocks(path: path) }

  /// The line that `next` found, without its end; of one that is not valid, the beginning.
  package var line: ArraySlice<UInt8> { lines.line }
  /// Whether the line is UTF-8 and not too long.
  package var isLineValid: Bool { lines.isLineValid }

  /// Moves to the next line, if there is one.
  package mutating func next() throws -> Bool {
    while !lines.next() {
      guard try blocks.read(into: &lines.block, limit: Self.blockByteCount) else { return false }
      lines.start()
    }
    return true
  }
}
