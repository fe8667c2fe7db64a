/// Which first words do not rule a name out, as far as they have been looked at.
///
/// Lists of names that share a word at their end have the same first words again and again.
struct FirstWords {
  /// So many words are known at once: 16 KB, emptied in no time.
  private static let capacity = 4_096

  /// For each slot its word, from 1, and whether a name may begin with it.
  private var slots: [UInt32] = []
  /// The edits that a name may have; 0 before anything is known.
  private(set) var limit = 0
  private var last: UInt32 = 0

  /// Forgets all.
  mutating func removeAll() { limit = 0 }

  /// Forgets what was known of another number of edits.
  @inline(__always)
  mutating func prepare(for limit: Int) {
    if limit != self.limit { reset(limit) }
  }

  private mutating func reset(_ limit: Int) {
    self.limit = limit
    last = 0
    if slots.isEmpty {
      slots = [UInt32](repeating: 0, count: Self.capacity)
    } else {
      for index in slots.indices { slots[index] = 0 }
    }
  }

  /// Whether a name may begin with `word`, or nil where that is not known.
  @inline(__always)
  mutating func isPossible(_ word: Int) -> Bool? {
    let key = UInt32(truncatingIfNeeded: word &+ 1) &<< 1
    if last & ~1 != key { last = slots[word & (Self.capacity &- 1)] }
    return last & ~1 == key ? last & 1 == 1 : nil
  }

  /// Notes whether a name may begin with `word`.
  mutating func note(_ word: Int, isPossible: Bool) {
    last = UInt32(truncatingIfNeeded: word &+ 1) &<< 1 | (isPossible ? 1 : 0)
    slots[word & (Self.capacity &- 1)] = last
  }
}
