import STOLSystem

/// What a map draws at one spot: a sighting, or several that would lie over each other.
package struct MapMark: Equatable, Sendable {
  /// Where it is drawn, in units of the map.
  package let x, y: Double
  /// How many sightings it stands for.
  package private(set) var count: Int
  /// The sighting, where it is one that is known.
  package private(set) var dot: SightingDot?
  /// The western and eastern, the northern and southern edge of what it stands for, in units of the map.
  package private(set) var left, right, top, bottom: Double

  /// Draws a point that stands for `count` sightings.
  package init(x: Double, y: Double, count: Int, dot: SightingDot? = nil) {
    (self.x, self.y, self.count, self.dot) = (x, y, count, dot)
    (left, right, top, bottom) = (x, x, y, y)
  }

  private mutating func take(_ other: MapMark) {
    count += other.count
    dot = nil
    (left, right) = (min(left, other.left), max(right, other.right))
    (top, bottom) = (min(top, other.top), max(bottom, other.bottom))
  }

  /// The marks that are drawn: of those that are nearer to each other than `distance`, the greatest stands for all.
  ///
  /// Nothing is lost: the counts of what is given and of what is returned have one sum.
  ///
  /// - Complexity: O(number of marks × number of those that are returned)
  package static func gathered(_ marks: [MapMark], nearerThan distance: Double) -> [MapMark] {
    let order = marks.indices.sorted {
      (marks[$1].count, $0) < (marks[$0].count, $1)
    }
    var drawn: [MapMark] = []
    for index in order {
      let mark = marks[index]
      let near = drawn.firstIndex { other in
        let (x, y) = (other.x - mark.x, other.y - mark.y)
        return x * x + y * y < distance * distance
      }
      if let near { drawn[near].take(mark) } else { drawn.append(mark) }
    }
    return drawn.sorted { ($1.count, $0.y, $0.x) < ($0.count, $1.y, $1.x) }
  }
}
