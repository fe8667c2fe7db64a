/// The vocabulary as PACK.md section 8 states it, written down a second time.
///
/// Simple enough to be trusted: one word after the other, nothing kept but the word before.
enum FrontCoding {
  /// The starts of the blocks of 16 words with the end of all, and the coded words.
  static func encode(_ words: [[UInt8]]) -> (blocks: [Int], text: [UInt8]) {
    var blocks: [Int] = []
    var text: [UInt8] = []
    for (number, word) in words.enumerated() {
      var shared = 0
      if number % 16 == 0 {
        blocks.append(text.count)
      } else {
        shared = zip(words[number - 1], word).prefix { $0 == $1 }.count
        append(shared, to: &text)
      }
      append(word.count - shared, to: &text)
      text += word[shared...]
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
