/// The strings of many rows in one block of memory.
struct TextColumn {
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []

  var count: Int { ends.count }

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    ends.append(bytes.count)
  }

  mutating func append(_ text: Span<UInt8>) {
    for index in text.indices { bytes.append(text[index]) }
    ends.append(bytes.count)
  }

  /// Whether the text of `row` is `text`.
  func equals(_ row: Int, _ text: Span<UInt8>) -> Bool {
    let range = range(row)
    guard range.count == text.count else { return false }
    let bytes = bytes.span
    for index in text.indices where bytes[range.lowerBound &+ index] != text[index] { return false }
    return true
  }

  /// Gives `body` the text of `row`.
  func withSpan<Result>(_ row: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    body(bytes.span.extracting(range(row)))
  }

  /// Where the text of `row` lies in `bytes`.
  func range(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : ends[row - 1])..<ends[row]
  }

  /// The text of `row`.
  subscript(row: Int) -> String { String(decoding: bytes[range(row)], as: UTF8.self) }

  /// Whether the text of row `a` is below that of row `b`, by UTF-8 bytes.
  func isLess(_ a: Int, _ b: Int) -> Bool { order(a, b) < 0 }

  /// The sign of the order of two rows, by UTF-8 bytes.
  func order(_ a: Int, _ b: Int) -> Int {
    let left = range(a)
    let right = range(b)
    let bytes = bytes.span
    for offset in 0..<min(left.count, right.count) {
      let x = bytes[left.lowerBound &+ offset]
      let y = bytes[right.lowerBound &+ offset]
      if x != y { return x < y ? -1 : 1 }
    }
    return left.count - right.count
  }
}

/// Numbers strings in the order in which they come.
struct StringInterner {
  /// A string that equals only one with the same bytes; to `String`, canonical forms are equal.
  private struct Key: Hashable {
    let text: String

    static func == (a: Key, b: Key) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }

  private var rows: [Key: UInt32] = [:]
  private(set) var strings: [String] = []

  init(_ initial: [String] = []) {
    for text in initial { _ = intern(text) }
  }

  mutating func intern(_ text: String) -> UInt32 {
    if let row = rows[Key(text: text)] { return row }
    let row = UInt32(strings.count)
    rows[Key(text: text)] = row
    strings.append(text)
    return row
  }

  /// The strings sorted by their bytes, except that the first `fixed` stay; and where each went.
  func sorted(keeping fixed: Int = 0) -> (strings: [String], newRows: [UInt32]) {
    let order =
      strings.indices.prefix(fixed)
      + strings.indices.dropFirst(fixed).sorted {
        strings[$0].utf8.lexicographicallyPrecedes(strings[$1].utf8)
      }
    var newRows = [UInt32](repeating: 0, count: strings.count)
    for (row, old) in order.enumerated() { newRows[old] = UInt32(row) }
    return (order.map { strings[$0] }, newRows)
  }
}
