/// Which dive sites are asked for; empty, it means all places, those that are none too.
public struct DiveSiteFilter: Hashable, Sendable {
  /// What there is to dive at; none means all.
  public var kinds: Set<DiveSite.Kind> = []
  /// From where one gets in.
  public var entry: DiveSite.Entry?
  /// The greatest difficulty.
  public var maxDifficulty: Int?
  /// What water it is.
  public var water: DiveSite.Water?

  /// All places.
  public init() {}
}

extension QueryParts {
  /// That a place is a dive site that fits.
  mutating func add(_ filter: DiveSiteFilter, _ column: String) {
    guard filter != DiveSiteFilter() else { return }
    var conditions: [String] = []
    var values: [String] = []
    if !filter.kinds.isEmpty {
      conditions.append("kind IN (\(filter.kinds.map { _ in "?" }.joined(separator: ", ")))")
      values += filter.kinds.map(\.rawValue).sorted()
    }
    if let entry = filter.entry {
      conditions.append("entry = ?")
      values.append(entry.rawValue)
    }
    if let water = filter.water {
      conditions.append("water = ?")
      values.append(water.rawValue)
    }
    if let difficulty = filter.maxDifficulty { conditions.append("difficulty <= \(difficulty)") }
    add(
      "\(column) IN (SELECT place_id FROM dive_site WHERE \(conditions.joined(separator: " AND ")))",
      values)
  }
}
