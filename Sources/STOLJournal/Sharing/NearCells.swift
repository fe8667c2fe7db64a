/// The months that a time may be in, counted from the year 0.
struct Months: Hashable {
  private let first: Int
  private let last: Int

  /// The months from a local time to another one.
  init?(_ start: String?, _ end: String? = nil) {
    guard let start, let (first, ownLast) = Self.range(start) else { return nil }
    self.first = first
    last = max(ownLast, end.flatMap { Self.range($0)?.last } ?? ownLast)
  }

  private static func range(_ text: String) -> (first: Int, last: Int)? {
    let parts = text.prefix(7).split(separator: "-").map { Int($0) }
    guard let found = parts.first, let year = found, (0...9999).contains(year) else { return nil }
    guard parts.count > 1, let month = parts[1] else { return (year * 12, year * 12 + 11) }
    return (year * 12 + month - 1, year * 12 + month - 1)
  }

  func overlaps(_ other: Months) -> Bool { first <= other.last && other.first <= last }
}

/// Where something is that others may not know exactly, and what lies near it.
///
/// What is near has the same small cell, and no distance: of a circle without anything that is open everybody would
/// know the middle.
struct NearCells {
  private struct Key: Hashable {
    let cell: Position
    let isWide: Bool
  }

  /// Where what lies in the same cell says where it is, whenever that was.
  private var spots: Set<Key> = []
  /// Where what lies in the same cell says where it is, if it was in the same month.
  private var walks: [Key: Set<Months>] = [:]

  var isEmpty: Bool { spots.isEmpty }

  /// The small cell, with sides of so many parts of those of the cell that others get.
  private static func key(_ position: Position, parts: Int, isWide: Bool) -> Key {
    Key(
      cell: ShareGrid.cell(position, ShareGrid.side(isWide: isWide) / parts), isWide: isWide)
  }

  mutating func add(_ position: Position, _ months: [Months], isWide: Bool) {
    spots.insert(Self.key(position, parts: 10, isWide: isWide))
    walks[Self.key(position, parts: 5, isWide: isWide), default: []].formUnion(months)
  }

  /// Whether a position lies near something, and whether near something in a wide cell; nil where it does not.
  func isWide(near position: Position, _ months: [Months]) -> Bool? {
    [true, false].first { isWide in
      spots.contains(Self.key(position, parts: 10, isWide: isWide))
        || walks[Self.key(position, parts: 5, isWide: isWide)]?
          .contains { month in months.contains { $0.overlaps(month) } } ?? false
    }
  }
}
