/// What a diver asks about a place; what one's own dives say about it follows from those.
public struct DiveSite: Hashable, Sendable, Codable {
  /// From where one gets in.
  public enum Entry: String, JournalWord {
    /// From the shore.
    case shore
    /// From a boat.
    case boat
  }

  /// What there is to dive at.
  public enum Kind: String, JournalWord {
    /// A reef.
    case reef
    /// A wreck.
    case wreck
    /// A wall.
    case wall
    /// A cave or a cavern.
    case cave
    /// A lake.
    case lake
    /// A quarry.
    case quarry
  }

  /// What water it is.
  public enum Water: String, JournalWord {
    /// Of the sea.
    case salt
    /// Of a river or a lake.
    case fresh
    /// Between the two.
    case brackish
  }

  /// What there is to dive at.
  public var kind: Kind?
  /// From where one gets in.
  public var entry: Entry?
  /// From 1, for beginners, to 5, for few.
  public var difficulty: Int?
  /// Where it begins.
  public var minDepthMm: Int?
  /// Where it ends.
  public var maxDepthMm: Int?
  /// What water it is.
  public var water: Water?
  /// When to go there, in words.
  public var season: String?
  /// What it is like.
  public var description: String?

  /// A site of which nothing is known.
  public init() {}

  /// Whether it says nothing.
  public var isEmpty: Bool { self == DiveSite() }

  /// The site with what another one of the same place says where it says nothing.
  func merged(over old: DiveSite?) -> DiveSite {
    guard let old else { return self }
    var site = self
    site.kind = kind ?? old.kind
    site.entry = entry ?? old.entry
    site.difficulty = difficulty ?? old.difficulty
    site.minDepthMm = minDepthMm ?? old.minDepthMm
    site.maxDepthMm = maxDepthMm ?? old.maxDepthMm
    site.water = water ?? old.water
    site.season = season ?? old.season
    site.description = description ?? old.description
    return site
  }

  func validate() throws(JournalError) {
    guard !isEmpty else {
      throw .invalid(
        field: "dive_site", value: "", remedy: "leave it out, or say something about the site")
    }
    try require(difficulty, "difficulty", 1...5)
    try require(minDepthMm, "min_depth_mm", 0...12_000_000)
    try require(maxDepthMm, "max_depth_mm", 0...12_000_000)
    try requireOrder(minDepthMm, "min_depth_mm", maxDepthMm, "max_depth_mm")
    try requireName(season, "season")
    try requireText(description, "description")
  }
}
