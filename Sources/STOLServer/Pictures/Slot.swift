/// The place of a child, or of a group of children, in the row below its parent.
struct Slot: Equatable, Sendable {
  /// The children, by position.
  var positions: Range<Int>
  let isGroup: Bool
  var x: Double
  var width: Double

  /// Divides a place among children by their sizes, which descend: each has exactly its share of `total`,
  /// the size of the parent.
  ///
  /// Those that would be narrower than `smallest` are one group, whatever its width. A group has two
  /// members at least.
  ///
  /// - Complexity: O(n) for n children.
  static func divide(
    _ place: Slot, among sizes: [Int], of total: Int, _ smallest: Double
  ) -> [Slot] {
    let unit = total > 0 ? place.width / Double(total) : 0
    var count = sizes.prefix { Double($0) * unit >= smallest }.count
    if count == sizes.count - 1 { count += 1 }
    var slots: [Slot] = []
    var x = place.x
    for position in 0..<count {
      let width = Double(sizes[position]) * unit
      slots.append(Slot(positions: position..<position + 1, isGroup: false, x: x, width: width))
      x += width
    }
    if count < sizes.count {
      let width = Double(sizes[count...].reduce(0, +)) * unit
      slots.append(Slot(positions: count..<sizes.count, isGroup: true, x: x, width: width))
    }
    return slots
  }
}
