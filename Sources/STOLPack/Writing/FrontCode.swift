/// Texts in blocks, each without what it shares with the first one of its block: PACK.md section 8.
struct FrontCode {
  private(set) var blocks: [UInt32] = []
  private(set) var text: [UInt8] = []

  /// Codes texts, of which number `n` lies in `bytes` at `word(n)`.
  init(count: Int, bytes: [UInt8], word: (Int) -> Range<Int>) {
    var head = 0..<0
    for number in 0..<count {
      let range = word(number)
      var shared = 0
      if number % Layout.wordsPerBlock == 0 {
        blocks.append(UInt32(text.count))
        head = range
      } else {
        let most = min(range.count, head.count)
        while shared < most, bytes[range.lowerBound + shared] == bytes[head.lowerBound + shared] {
          shared += 1
        }
      }
      let rest = range.count - shared
      text.append(UInt8(min(shared, 15) << 4 | min(rest, 15)))
      if shared >= 15 { text.appendVariableLength(shared - 15) }
      if rest >= 15 { text.appendVariableLength(rest - 15) }
      text.append(contentsOf: bytes[range.dropFirst(shared)])
    }
    blocks.append(UInt32(text.count))
  }
}

extension [UInt8] {
  /// Appends `value` in LEB128: seven bits a byte, the lowest first, the top bit set but for the last.
  mutating func appendVariableLength(_ value: Int) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(rest & 0x7F | 0x80))
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
