/// The different words of all names, numbered in the order in which they come.
///
/// Open addressing with linear probing over one block of memory: no string is allocated.
struct WordTable {
  private(set) var words = TextColumn()
  private var slots = [UInt32](repeating: 0, count: 1 << 12)

  /// The number of `word`.
  mutating func intern(_ word: Span<UInt8>) -> UInt32 {
    if words.count * 2 >= slots.count { grow() }
    var slot = Self.hash(word) & (slots.count - 1)
    while slots[slot] > 0 {
      let number = Int(slots[slot]) - 1
      if words.equals(number, word) { return UInt32(number) }
      slot = (slot + 1) & (slots.count - 1)
    }
    words.append(word)
    slots[slot] = UInt32(words.count)
    return UInt32(words.count - 1)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for number in 0..<words.count {
      var slot = words.withSpan(number) { Self.hash($0) } & (slots.count - 1)
      while slots[slot] > 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }

  /// FNV-1a, mixed at the end; the order of numbers never depends on it.
  private static func hash(_ word: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in word.indices { hash = (hash ^ UInt64(word[index])) &* 0x100_0000_01B3 }
    hash ^= hash >> 32
    return Int(truncatingIfNeeded: hash & 0x7FFF_FFFF)
  }
}
