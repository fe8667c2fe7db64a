import STOLGzip
import STOLPack
import STOLSystem

/// Where the lines of a batch come from.
struct BatchSource {
  /// The path of a file, or nil for the standard input.
  let path: String?

  /// The source that the arguments name: `-`, `--input`, or a single argument that is a file and can
  /// be no name, having a slash or a dot in it.
  init?(arguments: [String], input: String?) throws {
    if let input {
      path = input == "-" ? nil : input
    } else if arguments == ["-"] {
      path = nil
    } else if arguments.count == 1, arguments[0].contains(where: { "/.".contains($0) }),
      fileExists(arguments[0])
    {
      path = arguments[0]
    } else {
      return nil
    }
  }
}

/// One input of a query: a line of a batch, or the arguments.
struct QueryInput {
  /// The bytes, of which texts are made only where one is needed.
  let bytes: ArraySlice<UInt8>
  /// What stands between the members of a set: a tab in a line; between arguments what they cannot
  /// hold.
  private let separator: UInt8

  init(line: ArraySlice<UInt8>) {
    bytes = line
    separator = UInt8(ascii: "\t")
  }

  init(arguments: [String]) {
    bytes = Array(arguments.joined(separator: "\0").utf8)[...]
    separator = 0
  }

  /// The whole input.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls `body` with each member of the set, empty ones too, until it returns false.
  @inline(__always)
  func forEachMember(_ body: (ArraySlice<UInt8>) -> Bool) {
    var rest = bytes
    while let end = rest.firstIndex(of: separator) {
      guard body(rest[..<end]) else { return }
      rest = rest[(end + 1)...]
    }
    _ = body(rest)
  }

  /// The number of members of the set.
  var memberCount: Int { bytes.reduce(1) { $1 == separator ? $0 + 1 : $0 } }
}

/// Reads lines from a file or the standard input, decompressing gzip, in constant memory.
struct LineReader: ~Copyable {
  private let input: ByteInput
  private let path: String
  private var decoder: GzipDecoder?
  /// What has been read: lines that have been given, from `position` on the others.
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var isFirstChunk = true
  private var lineRange = 0..<0
  /// Whether the line is UTF-8 and not too long.
  private(set) var isLineValid = true

  private static let chunkByteCount = 1 << 16
  /// What is kept of a line that is longer than any query may be.
  private static let keptByteCount = 1 << 16
  /// What is shown of a line that is not valid: enough to find it again.
  private static let shownByteCount = 512

  init(_ source: BatchSource) throws {
    path = source.path ?? "standard input"
    input = try ByteInput(path: source.path)
  }

  /// The line that `next(beforeWaiting:)` found, without its end; of one that is not valid, the
  /// beginning.
  var line: ArraySlice<UInt8> { buffer[lineRange] }

  /// Moves to the next line, if there is one; `beforeWaiting` is called before more input is read.
  mutating func next(beforeWaiting: () throws -> Void) throws -> Bool {
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
    do {
      try decoder?.decode(chunk) { buffer += $0 }
      if isAtEnd { try decoder?.finish() }
    } catch let error as GzipError {
      throw CommandFailure(CommandFailure.corrupt, "\(path): \(error)")
    }
  }
}
