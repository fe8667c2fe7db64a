@testable import STOLJournal

/// Which cells others get, by the words of Format/JOURNAL.md: every two of all that leaves are compared.
extension SharingOracle {
  /// The positions that leave in the place of exact ones, of records in the order in which they were kept.
  func cells(_ order: [JournalID]) -> [JournalID: Position] {
    let items = order.filter { isSeen($0) && level($0) == .obscured && position($0) != nil }
    var group = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1, $0) })
    for (index, one) in items.enumerated() {
      for other in items[..<index] where areTogether(one, other) {
        let (new, old) = (group[one], group[other])
        for id in items where group[id] == new { group[id] = old }
      }
    }
    var taken: [(group: Int?, isWide: Bool, centre: Position)] = []
    var found: [JournalID: Position] = [:]
    for id in items {
      guard let here = position(id) else { continue }
      let (isWide, known) = (wide.contains(id), here.uncertaintyM ?? 0)
      let own = centre(here, isWide: isWide)
      func half(_ centre: Position) -> Int {
        ShareGrid.centre(of: centre, isWide: isWide).uncertaintyM ?? 0
      }
      var chosen =
        taken.first {
          $0.group == group[id] && $0.isWide == isWide
            && ($0.centre == own
              || $0.centre.distanceM(to: here) + Double(known) <= Double(half($0.centre)))
        }?.centre ?? own
      taken.append((group[id], isWide, chosen))
      let radius = half(chosen)
      chosen.uncertaintyM = known > radius ? radius + known : radius
      found[id] = chosen
    }
    return found
  }

  private func centre(_ position: Position, isWide: Bool) -> Position {
    let side = isWide ? 5_000_000 : 1_000_000
    let numbers = cell(position, Double(side)).map { Int($0) * side + side / 2 }
    return Position(latitudeE7: numbers[0] - 900_000_000, longitudeE7: numbers[1] - 1_800_000_000)
  }

  private func areTogether(_ one: JournalID, _ other: JournalID) -> Bool {
    if !belongings(one).isDisjoint(with: belongings(other)) { return true }
    guard let here = position(one), let there = position(other) else { return false }
    let (a, b) = (cell(here, 10_000), cell(there, 10_000))
    let columns = abs(a[1] - b[1])
    return abs(a[0] - b[0]) <= 1 && min(columns, 360_000 - columns) <= 1
  }
}
