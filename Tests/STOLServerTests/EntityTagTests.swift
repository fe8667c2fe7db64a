import Testing

@testable import STOLServer

@Suite struct EntityTagTests {
  @Test func everyByteAndTheCountMatter() {
    let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 * 37) }
    var tags: Set<String> = []
    for index in bytes.indices {
      for bit in 0..<8 {
        var other = bytes
        other[index] ^= 1 << UInt8(bit)
        tags.insert(EntityTag(of: other).text)
      }
      tags.insert(EntityTag(of: Array(bytes.prefix(index))).text)
    }
    #expect(tags.count == 900)
    #expect(!tags.contains(EntityTag(of: bytes).text))
    #expect(EntityTag(of: bytes) == EntityTag(of: bytes))
  }

  @Test func isFoundAmongOthers() {
    let tag = EntityTag(of: [1, 2, 3])
    for field in [tag.text, "W/\(tag.text)", "\"a\", \(tag.text) ", "*", "\"b\",W/\(tag.text)"] {
      #expect(tag.isAmong(field), "\(field)")
    }
    for field in ["", "\"a\"", String(tag.text.dropFirst()), ",,", "W/"] {
      #expect(!tag.isAmong(field), "\(field)")
    }
  }
}
