import TestSupport

/// Damages the bytes of a source in the ways in which files get damaged, and in some that they do not.
struct Mutator {
  private var random: SeededGenerator

  /// The same seed gives the same damage.
  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// What no field should be.
  private static let fields: [[UInt8]] = [
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-1", "0", "4294967295",
    "99999999999999", "4611686018427387904", "1758", "NULL", "\\N", "\"", "\"\"", "'", "<i>",
    "&amp;",
    "&#x110000;", "\u{FEFF}", "\u{0301}", "\u{2028}", "\u{1F600}", "×", "Aus bus", "a|b|c", "1|2",
    "1,2", "2;1", "synonym", "bare name", "unranked", "true", "()", "[]", "{}", "http://", "..",
    "/",
  ].map { Array($0.utf8) }
  private static let signs: [UInt8] = [
    0x00, 0x09, 0x0A, 0x0D, 0x20, 0x22, 0x27, 0x28, 0x29, 0x2C, 0x3A, 0x3B, 0x3C, 0x3E, 0x5B, 0x5C,
    0x5D, 0x7B, 0x7C, 0x7D, 0x80, 0xC3, 0xED, 0xFE, 0xFF,
  ]

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[number(0...choices.count - 1)]
  }

  /// Damages some bytes one to four times.
  mutating func damage(_ bytes: inout [UInt8]) {
    for _ in 0..<number(1...4) { damageOnce(&bytes) }
  }

  private mutating func damageOnce(_ bytes: inout [UInt8]) {
    switch number(0...12) {
    case 0 where !bytes.isEmpty: bytes[number(0...bytes.count - 1)] ^= 1 << UInt8(number(0...7))
    case 1: bytes.insert(pick(Self.signs), at: number(0...bytes.count))
    case 2: bytes.removeSubrange(range(in: bytes, upTo: 40))
    case 3:
      let copied = Array(bytes[range(in: bytes, upTo: 200)])
      bytes.insert(contentsOf: copied, at: number(0...bytes.count))
    case 4: bytes.removeSubrange(number(0...bytes.count)...)
    case 5: spliceLines(&bytes)
    case 6, 7, 8: swapFields(&bytes)
    case 9, 10: bytes.replaceSubrange(fieldRange(in: bytes), with: pick(Self.fields))
    case 11 where number(0...9) == 0:
      let sign = pick([UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "("), 0xFF, 0x22, 0x20])
      bytes.replaceSubrange(
        fieldRange(in: bytes), with: [UInt8](repeating: sign, count: pick([300, 99_999, 1 << 20])))
    case 12:
      let place = range(in: bytes, upTo: 8)
      bytes.replaceSubrange(
        place, with: place.map { _ in UInt8(truncatingIfNeeded: random.next()) })
    default: bytes.insert(contentsOf: pick(Self.fields), at: number(0...bytes.count))
    }
  }

  private mutating func range(in bytes: [UInt8], upTo length: Int) -> Range<Int> {
    let start = number(0...bytes.count)
    return start..<min(bytes.count, start + number(0...length))
  }

  private static func endsField(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x22, 0x2C, 0x3A, 0x3B, 0x3C, 0x3E, 0x7C: true
    default: false
    }
  }

  private mutating func fieldRange(in bytes: [UInt8]) -> Range<Int> {
    var start = number(0...bytes.count)
    var end = start
    while start > 0, !Self.endsField(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, !Self.endsField(bytes[end]) { end += 1 }
    return start..<end
  }

  private mutating func swapFields(_ bytes: inout [UInt8]) {
    let (one, other) = (fieldRange(in: bytes), fieldRange(in: bytes))
    guard one.upperBound <= other.lowerBound else { return }
    let (first, second) = (Array(bytes[one]), Array(bytes[other]))
    bytes.replaceSubrange(other, with: first)
    bytes.replaceSubrange(one, with: second)
  }

  private mutating func spliceLines(_ bytes: inout [UInt8]) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    let (from, to) = (number(0...lines.count - 1), number(0...lines.count - 1))
    switch number(0...2) {
    case 0: lines.swapAt(from, to)
    case 1: lines.insert(lines[from], at: to)
    default: lines[to] = Array(lines[to].prefix(lines[to].count / 2) + lines[from].suffix(20))
    }
    bytes = Array(lines.joined(separator: [0x0A]))
  }
}
