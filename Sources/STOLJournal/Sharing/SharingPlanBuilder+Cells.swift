import GRDB

/// Records that are together, each named by the least of their ids.
private struct Groups {
  private var parents: [Int64: Int64] = [:]

  mutating func root(of id: Int64) -> Int64 {
    var root = id
    while let next = parents[root] { root = next }
    var id = id
    while id != root { id = parents.updateValue(root, forKey: id) ?? root }
    return root
  }

  mutating func join(_ one: Int64, _ other: Int64) {
    let (one, other) = (root(of: one), root(of: other))
    if one != other { parents[max(one, other)] = min(one, other) }
  }
}

/// The cells that others get.
extension SharingPlanBuilder {
  /// The cells of all events, individuals and occurrences that are obscured, by their ids.
  ///
  /// What is together, or in one spot, has one cell as far as that is true: two would tell that it is near their border.
  func cells() throws -> [Int64: Position] {
    var items: [(item: Item, position: Position)] = []
    try forEachPosition { item, position, _ in
      guard item.kind != .place, item.kind != .photo, plan.level(of: item.id) == .obscured else {
        return
      }
      items.append((item, position))
    }
    var groups = Groups()
    var known: [Position: Int64] = [:]
    for (item, position) in items {
      for column in item.kind == .occurrence ? ["event_id", "organism_id"] : ["place_id"] {
        if let owner = try one(column, of: item.kind, item.id) { groups.join(item.id, owner) }
      }
      for cell in ShareGrid.around(position, ShareGrid.spotSide) {
        if let other = known[cell] { groups.join(item.id, other) }
      }
      known[ShareGrid.cell(position, ShareGrid.spotSide)] = item.id
    }
    var taken: [Bool: [Int64: [Position]]] = [:]
    var cells: [Int64: Position] = [:]
    // Later records leave those before where they are.
    for (item, position) in items.sorted(by: { $0.item.id < $1.item.id }) {
      let (root, isWide) = (groups.root(of: item.id), plan.wide.contains(item.id))
      let before = taken[isWide]?[root] ?? []
      var cell = ShareGrid.centre(of: position, near: before, isWide: isWide)
      cells[item.id] = cell
      cell.uncertaintyM = nil
      if !before.contains(cell) { taken[isWide, default: [:]][root, default: []].append(cell) }
    }
    return cells
  }
}
