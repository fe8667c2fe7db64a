/// One input of a question: a line of a batch, or the arguments.
package struct QuestionInput {
  /// The bytes, of which texts are made only where one is needed.
  let bytes: ArraySlice<UInt8>
  /// What stands between the members of a set: a tab, or what was asked for, in a line; between
  /// arguments what they cannot hold.
  private let separator: [UInt8]
  /// Whether it is a line among others.
  let isLine: Bool

  package init(line: ArraySlice<UInt8>, separator: [UInt8] = [UInt8(ascii: "\t")]) {
    bytes = line
    self.separator = separator
    isLine = true
  }

  package init(arguments: [String]) {
    bytes = Array(arguments.joined(separator: "\0").utf8)[...]
    separator = [0]
    isLine = false
  }

  /// One set of all members of all lines, as a file of many taxa has them.
  package init(members: [UInt8]) {
    bytes = members[...]
    separator = [0]
    isLine = false
  }

  /// The whole input.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls `body` with each member of the set, empty ones too, until it returns false.
  @inline(__always)
  package func forEachMember(_ body: (ArraySlice<UInt8>) -> Bool) {
    var rest = bytes
    while let end = Self.start(of: separator, in: rest) {
      guard body(rest[..<end]) else { return }
      rest = rest[(end + separator.count)...]
    }
    _ = body(rest)
  }

  @inline(__always)
  private static func start(of separator: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard let first = separator.first else { return nil }
    var searched = text
    while let start = searched.firstIndex(of: first) {
      if separator.count == 1 || text[start...].starts(with: separator) { return start }
      searched = text[(start + 1)...]
    }
    return nil
  }

  /// The number of members of the set.
  var memberCount: Int {
    var count = 0
    forEachMember { _ in
      count += 1
      return true
    }
    return count
  }
}
