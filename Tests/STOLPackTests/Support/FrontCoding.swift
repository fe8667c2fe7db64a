/// The vocabulary as PACK.md section 8 states it, written down a second time.
///
/// Simple enough to be trusted: one word after the other, nothing kept but the first of its block.
enum FrontCoding {
  /// The starts of the blocks of 16 words with the end of all, and the coded words.
  static func encode(_ words: [[UInt8]]) -> (blocks: [Int], text: [UInt8]) {
    var blocks: [Int] = []
    var text: [UInt8] = []
    for (number, word) in words.enumerated() {
      if number % 16 == 0 { blocks.append(text.count) }
      let head = number % 16 == 0 ? [] : words[number / 16 * 16]
      let shared = zip(head, word).prefix { $0 == $1 }.count
      let rest = Array(word.dropFirst(shared))
      text.append(UInt8(min(shared, 15) * 16 + min(rest.count, 15)))
      for length in [shared, rest.count] where length >= 15 { append(length - 15, to: &text) }
      text += rest
    }
    return (blocks + [text.count], text)
  }

  private static func append(_ number: Int, to text: inout [UInt8]) {
    var rest = number
    while rest > 127 {
      text.append(UInt8(128 + rest % 128))
      rest /= 128
    }
    text.append(UInt8(rest))
  }
}
