/// Which UUIDs may be among some: of one that is, this never says otherwise; of others it seldom says that they may be.
///
/// A filter of Bloom (1970) whose memory does not depend on how many they are.
struct PossibleIDs {
  /// Of three million UUIDs another one in a thousand is taken for one of them, of ten million one in twenty.
  private static let bitCount = UInt64(1 << 26)

  private var words = [UInt64](repeating: 0, count: Int(bitCount / 64))

  /// Adds one.
  mutating func insert(_ id: JournalID) {
    for bit in Self.bits(of: id) { words[Int(bit / 64)] |= 1 << (bit % 64) }
  }

  /// Whether one may be among them.
  func mayContain(_ id: JournalID) -> Bool {
    for bit in Self.bits(of: id) where words[Int(bit / 64)] & 1 << (bit % 64) == 0 { return false }
    return true
  }

  /// The four bits that stand for one.
  private static func bits(of id: JournalID) -> some Sequence<UInt64> {
    let hash = UInt64(truncatingIfNeeded: id.hashValue)
    let (first, step) = (hash >> 32, hash << 1 | 1)
    return (0..<4).lazy.map { (first &+ $0 &* step) % bitCount }
  }
}
