/// Rows by their ids: open addressing with linear probing, 8 to 16 bytes a row.
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
    var slot = start(ids[row])
    while slots[slot] != Self.empty {
      if ids[Int(slots[slot])] == ids[row] { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = UInt32(row)
    return nil
  }

  /// The row with this id.
  ///
  /// - Complexity: O(1)
  func row(_ id: Int64, ids: Column<Int64>) -> Int? {
    var slot = start(id)
    while slots[slot] != Self.empty {
      if ids[Int(slots[slot])] == id { return Int(slots[slot]) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Fibonacci hashing: Knuth, The Art of Computer Programming 3, 6.4.
  private func start(_ id: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(shift))
  }
}
