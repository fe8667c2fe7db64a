/// One input of a question: a line of a batch, or the arguments.
package struct QuestionInput {
  /// The bytes, of which texts are made only where one is needed.
  let bytes: ArraySlice<UInt8>
  /// What stands between the members of a set: a tab in a line; between arguments what they cannot
  /// hold.
  private let separator: UInt8

  package init(line: ArraySlice<UInt8>) {
    bytes = line
    separator = UInt8(ascii: "\t")
  }

  package init(arguments: [String]) {
    bytes = Array(arguments.joined(separator: "\0").utf8)[...]
    separator = 0
  }

  /// Whether it is a line among others.
  var isLine: Bool { separator != 0 }

  /// The whole input.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

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
