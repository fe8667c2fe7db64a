/// What tells an answer from any other of the same address: RFC 9110, section 8.8.3.
///
/// A browser that has the answer names its tag and need not be sent it again.
struct EntityTag: Equatable, Sendable {
  /// As the fields `ETag` and `If-None-Match` have it.
  let text: String

  /// The tag of bytes in a language: FNV-1a of 64 bits over words of eight bytes, and their count.
  ///
  /// - Complexity: O(n)
  init(of bytes: [UInt8], in language: String = "") {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in language.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word = word &<< 8 | UInt64(byte)
      if index & 7 == 7 {
        hash = (hash ^ word) &* 0x0000_0100_0000_01B3
        hash ^= hash &>> 29
        word = 0
      }
    }
    hash = (hash ^ word) &* 0x0000_0100_0000_01B3
    hash ^= hash &>> 32
    text = "\"\(String(hash, radix: 16))-\(String(bytes.count, radix: 16))\""
  }

  /// Whether a field `If-None-Match` names it, or any.
  func isAmong(_ field: String) -> Bool {
    field.split(separator: ",").contains { part in
      var tag = part.drop { $0 == " " || $0 == "\t" }
      while let last = tag.last, last == " " || last == "\t" { tag.removeLast() }
      if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
      return tag == "*" || tag == text
    }
  }
}
