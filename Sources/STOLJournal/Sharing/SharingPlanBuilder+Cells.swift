import GRDB
import STOLPack
import STOLStore

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
    // All stay where they were in an earlier export, and later records leave those before where they are.
    let kept = try SharedCell.kept(database)
    var taken: [Bool: [Int64: [Position]]] = [:]
    var cells: [Int64: Position] = [:]
    var others: [(item: Item, position: Position)] = []
    func put(_ item: Item, in cell: Position) {
      cells[item.id] = cell
      let centre = Position(latitudeE7: cell.latitudeE7, longitudeE7: cell.longitudeE7)
      let (root, isWide) = (groups.root(of: item.id), plan.wide.contains(item.id))
      if taken[isWide]?[root]?.contains(centre) != true {
        taken[isWide, default: [:]][root, default: []].append(centre)
      }
    }
    for (item, position) in items.sorted(by: { $0.item.id < $1.item.id }) {
      let isWide = plan.wide.contains(item.id)
      if let known = kept[SharedCell.Key(record: item.id, isWide: isWide)],
        let cell = ShareGrid.cell(at: known, holding: position, isWide: isWide)
      {
        put(item, in: cell)
      } else {
        others.append((item, position))
      }
    }
    for (item, position) in others {
      let (root, isWide) = (groups.root(of: item.id), plan.wide.contains(item.id))
      let before = taken[isWide]?[root] ?? []
      put(item, in: ShareGrid.centre(of: position, near: before, isWide: isWide))
    }
    return cells
  }
}

/// The cells that records had in earlier exports for others: `shared_cell`.
enum SharedCell {
  struct Key: Hashable {
    let record: Int64
    let isWide: Bool
  }

  /// The centres of all that are kept.
  ///
  /// - Complexity: O(number)
  static func kept(_ database: Database) throws -> [Key: Position] {
    var kept: [Key: Position] = [:]
    let rows = try Row.fetchCursor(
      database, sql: "SELECT record_id, is_wide, latitude_e7, longitude_e7 FROM shared_cell")
    while let row = try rows.next() {
      let key = Key(record: try row.value(at: 0), isWide: try row.value(at: 1))
      kept[key] = Position(latitudeE7: try row.value(at: 2), longitudeE7: try row.value(at: 3))
    }
    return kept
  }
}

extension JournalFile {
  /// Keeps the cells that an export for others is about to say, so that later ones say the same.
  ///
  /// Where the journal cannot be written to, it is left.
  ///
  /// - Throws: `StoreError`
  /// - Complexity: that of `SharingPlan`
  func keepSharedCells(threatsOf pack: Pack) throws {
    let new = try read { database in
      let plan = try SharingPlan(
        database, threatened: threatenedOccurrences(in: pack, database))
      let kept = plan.cells.isEmpty ? [:] : try SharedCell.kept(database)
      return plan.cells.compactMap { id, cell -> (key: SharedCell.Key, cell: Position)? in
        let key = SharedCell.Key(record: id, isWide: plan.wide.contains(id))
        let centre = Position(latitudeE7: cell.latitudeE7, longitudeE7: cell.longitudeE7)
        return kept[key] == centre ? nil : (key, centre)
      }.sorted { $0.key.record < $1.key.record }
    }
    guard !new.isEmpty else { return }
    do {
      try file.withDatabase(isChange: true) { database in
        try database.inTransaction(.immediate) {
          for (key, cell) in new {
            try database.cachedStatement(
              sql: """
                INSERT OR REPLACE INTO shared_cell (record_id, is_wide, latitude_e7, longitude_e7)
                SELECT id, ?2, ?3, ?4 FROM record WHERE id = ?1
                """
            ).execute(arguments: [key.record, key.isWide, cell.latitudeE7, cell.longitudeE7])
          }
          return .commit
        }
      }
    } catch StoreError.busy, StoreError.readOnly {
      return
    }
  }
}
