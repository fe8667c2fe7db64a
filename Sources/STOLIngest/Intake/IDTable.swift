/// Rows by their ids: open addressing with linear probing, 6 to 12 bytes a row.
struct IDTable {
  private var slots: [UInt32]
  private let shift: Int
  private static let empty = UInt32.max

  /// A table for `count` rows.
  init(count: Int) {
    var bits = 4
    while 1 << bits < count + count / 2 { bits += 1 }
    slots = Array(repeating: Self.empty, count: 1 << bits)
    shift = 64 - bits
  }

  /// Enters a row, or gives the row that has this id already.
  ///
  /// - Complexity: O(1)
  mutating func insert(_ row: Int, ids: Column<Int64>) -> Int? {
    let slot = slot(of: ids[row], ids)
    if slots[slot] != Self.empty { return Int(slots[slot]) }
    slots[slot] = UInt32(row)
    return nil
  }

  /// The row with this id.
  ///
  /// - Complexity: O(1)
  func row(_ id: Int64, ids: Column<Int64>) -> Int? {
    let slot = slot(of: id, ids)
    return slots[slot] == Self.empty ? nil : Int(slots[slot])
  }

  /// The slot with this id, or the empty one for it.
  ///
  /// Fibonacci hashing: Knuth, The Art of Computer Programming 3, 6.4.
  private func slot(of id: Int64, _ ids: Column<Int64>) -> Int {
    let hash = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: hash >> UInt64(shift))
    while slots[slot] != Self.empty, ids[Int(slots[slot])] != id {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}
