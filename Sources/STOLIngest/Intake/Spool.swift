import STOLSystem
import STOLNames

/// Records of text on disk, written once and read in any order, fastest in the order of writing.
final class Spool {
  private var file: ScratchFile
  private var window: [UInt8] = []
  private var windowStart = 0
  private static let windowByteCount = 1 << 18
  /// What is read at once for a record that does not follow the ones before.
  private static let jumpByteCount = 1 << 12

  init(beside path: String) throws {
    file = try ScratchFile(beside: path)
  }

  /// How many bytes have been written: where the next record will be.
  var byteCount: Int { file.byteCount }

  /// Appends a record; its offset reads it again.
  func append(_ record: RecordBuilder) throws -> UInt64 {
    let offset = UInt64(file.byteCount)
    try file.append(record.framed)
    return offset
  }

  /// Writes what waits.
  func finish() throws {
    try file.flush()
  }

  /// The record at `offset`.
  func record(at offset: UInt64) throws -> RecordReader {
    if file.isWaiting { try finish() }
    let start = try position(Int(offset), count: RecordBuilder.headByteCount)
    var length = 0
    for place in 0..<RecordBuilder.headByteCount {
      length |= Int(window[start + place]) << (8 * place)
    }
    let body = try position(Int(offset) + RecordBuilder.headByteCount, count: length)
    return RecordReader(bytes: window[body..<body + length])
  }

  /// Where `count` bytes at `offset` lie in the window, after moving it if need be.
  private func position(_ offset: Int, count: Int) throws -> Int {
    let windowEnd = windowStart + window.count
    if offset < windowStart || offset + count > windowEnd {
      let isNext = offset >= windowStart && offset <= windowEnd + Self.jumpByteCount
      let limit = isNext ? Self.windowByteCount : Self.jumpByteCount
      windowStart = offset
      window = try file.bytes(at: offset, limit: max(limit, count))
      guard window.count >= count else {
        throw SystemError(operation: "read", path: "the scratch file", code: .inputOutput)
      }
    }
    return offset - windowStart
  }
}

/// A record in the making: numbers and texts, one after the other.
struct RecordBuilder {
  static let headByteCount = 4
  private var bytes: [UInt8] = [0, 0, 0, 0]
  /// How many texts were longer than a database may hold, and were cut.
  private(set) var cutCount = 0
  /// How many years were none of a description.
  private(set) var impossibleYearCount = 0

  mutating func add(_ number: Int) {
    var rest = UInt(bitPattern: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func add(_ text: String) {
    guard text.utf8.count > NameCleaner.byteLimit else {
      add(text.utf8.count)
      bytes.append(contentsOf: text.utf8)
      return
    }
    add(Array(text.utf8).span)
  }

  /// Adds texts, one after the other.
  mutating func add(_ texts: String...) { for text in texts { add(text) } }

  /// Adds a year, or none for what cannot be one of a description.
  mutating func add(year: Int?) {
    guard let year, AuthorshipParser.years.contains(year) else {
      if year != nil { impossibleYearCount += 1 }
      add(0)
      return
    }
    add(year + 1)
  }

  /// Adds a text that is in UTF-8 already.
  mutating func add(_ text: Span<UInt8>) {
    var count = text.count
    if count > NameCleaner.byteLimit {
      count = NameCleaner.byteLimit
      // Not within a scalar.
      while count > 0, text[count] & 0xC0 == 0x80 { count -= 1 }
      cutCount += 1
    }
    add(count)
    for index in 0..<count { bytes.append(text[index]) }
  }

  /// The bytes with their number before them.
  var framed: [UInt8] {
    var result = bytes
    for place in 0..<Self.headByteCount {
      result[place] = UInt8(truncatingIfNeeded: (bytes.count - Self.headByteCount) >> (8 * place))
    }
    return result
  }
}

/// Reads what a `RecordBuilder` put down, in the same order.
struct RecordReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// How long the record is.
  var byteCount: Int { bytes.count }

  mutating func number() -> Int {
    var result: UInt = 0
    var shift: UInt = 0
    while true {
      let byte = bytes[position]
      position += 1
      result |= UInt(byte & 0x7F) << shift
      if byte < 0x80 { return Int(bitPattern: result) }
      shift += 7
    }
  }

  mutating func text() -> String {
    let count = number()
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }
  mutating func year() -> Int? {
    let number = number()
    return number == 0 ? nil : number - 1
  }
}
