import STOLGzip
import STOLPack

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

/// One line of a batch.
struct InputLine {
  /// The text; for a line that is not UTF-8, repaired.
  let text: String
  /// Whether it was UTF-8 and not too long.
  let isValid: Bool
}

/// Reads lines from a file or the standard input, decompressing gzip, in constant memory.
struct LineReader: ~Copyable {
  private let input: ByteInput
  private let path: String
  private var decoder: GzipDecoder?
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var isFirstChunk = true

  private static let chunkByteCount = 1 << 16
  /// What is kept of a line that is longer than any query may be.
  private static let keptByteCount = 1 << 16

  init(_ source: BatchSource) throws {
    path = source.path ?? "standard input"
    input = try ByteInput(path: source.path)
  }

  /// The next line without its end, or nil; `beforeWaiting` is called before more input is read.
  mutating func next(beforeWaiting: () throws -> Void) throws -> InputLine? {
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      if position == buffer.count {
        if isAtEnd { return line.isEmpty && !isTooLong ? nil : Self.line(line, isTooLong) }
        try beforeWaiting()
        try refill()
        continue
      }
      let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n"))
      let part = buffer[position..<(end ?? buffer.count)]
      if line.count + part.count <= Self.keptByteCount {
        line.append(contentsOf: part)
      } else {
        isTooLong = true
        line.append(contentsOf: part.prefix(Self.keptByteCount - line.count))
      }
      position = end.map { $0 + 1 } ?? buffer.count
      if end != nil { return Self.line(line, isTooLong) }
    }
  }

  private static func line(_ bytes: [UInt8], _ isTooLong: Bool) -> InputLine {
    var bytes = bytes
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if !isTooLong, let text = String(validating: bytes, as: UTF8.self) {
      return InputLine(text: text, isValid: true)
    }
    // The first bytes are enough to find the line again.
    return InputLine(text: String(decoding: bytes.prefix(512), as: UTF8.self), isValid: false)
  }

  private mutating func refill() throws {
    var chunk: [UInt8] = []
    try input.read(into: &chunk, limit: Self.chunkByteCount)
    if isFirstChunk, chunk.starts(with: [0x1F, 0x8B]) { decoder = try GzipDecoder() }
    isFirstChunk = false
    isAtEnd = chunk.isEmpty
    position = 0
    guard decoder != nil else {
      buffer = chunk
      return
    }
    var output: [UInt8] = []
    do {
      try decoder?.decode(chunk) { output += $0 }
      if isAtEnd { try decoder?.finish() }
    } catch let error as GzipError {
      throw CommandFailure(CommandFailure.corrupt, "\(path): \(error)")
    }
    buffer = output
  }
}
