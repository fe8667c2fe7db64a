/// The place of a child, or of a group of children, in the row below its parent.
struct Slot: Equatable, Sendable {
  /// The children, by position.
  var positions: Range<Int>
  let isGroup: Bool
  var x: Double
  var width: Double

  /// Divides a place among children by their sizes, which descend.
  ///
  /// None is narrower than `smallest`. What would be narrower is widened as long as all of it takes
  /// no more than a quarter of the place, or half where the rest is more than half of all; the
  /// others are one group. A group has two members at least.
  ///
  /// - Complexity: O(n + s²) for n children and s places.
  static func divide(_ place: Slot, among sizes: [Int], _ smallest: Double) -> [Slot] {
    guard !sizes.isEmpty else { return [] }
    let total = sizes.reduce(0, +)
    let fitting = max(1, Int(place.width / smallest))
    let wide = sizes.prefix(fitting).prefix {
      Double($0) * place.width >= smallest * Double(total)
    }.count
    let rest = total - sizes.prefix(wide).reduce(0, +)
    let widened = Int(place.width * (rest * 2 > total ? 0.5 : 0.25) / smallest)
    var count = min(sizes.count, wide + widened)
    // A group takes a place too.
    if count == sizes.count - 1 { count += 1 }
    if count > fitting || (count < sizes.count && count == fitting) { count = fitting - 1 }
    var slots = (0..<count).map { Slot(positions: $0..<$0 + 1, isGroup: false, x: 0, width: 0) }
    if count < sizes.count {
      slots.append(Slot(positions: count..<sizes.count, isGroup: true, x: 0, width: 0))
    }
    setWidths(of: &slots, slots.map { sizes[$0.positions].reduce(0, +) }, place, smallest)
    return slots
  }

  /// Gives every place its share, but `smallest` at least.
  private static func setWidths(
    of slots: inout [Slot], _ sizes: [Int], _ place: Slot, _ smallest: Double
  ) {
    var narrow: Set<Int> = []
    var unit = 0.0
    repeat {
      let free = place.width - Double(narrow.count) * smallest
      let size = sizes.indices.reduce(0) { narrow.contains($1) ? $0 : $0 + sizes[$1] }
      unit = free / Double(max(1, size))
      let further = sizes.indices.filter {
        !narrow.contains($0) && Double(sizes[$0]) * unit < smallest
      }
      if further.isEmpty || narrow.count + further.count == sizes.count { break }
      narrow.formUnion(further)
    } while true
    var x = place.x
    for index in slots.indices {
      slots[index].x = x
      slots[index].width = narrow.contains(index) ? smallest : Double(sizes[index]) * unit
      x += slots[index].width
    }
  }
}
