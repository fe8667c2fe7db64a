/// That something was seen in an event, or looked for and not seen (dwc:Occurrence).
public struct Occurrence: Hashable, Sendable, Codable {
  /// Whether it was there.
  public enum Presence: String, JournalWord {
    /// It was there.
    case present
    /// It was looked for, and not there.
    case absent
  }

  /// What a count says.
  public enum CountKind: String, JournalWord {
    /// So many.
    case exact
    /// So many or more.
    case least
    /// More or less so many.
    case about
  }

  /// How it came there.
  public enum Establishment: String, JournalWord {
    /// By itself.
    case wild
    /// Somebody planted or keeps it.
    case cultivated
    /// It, or those before it, got away from there.
    case escaped
  }

  /// Its identity.
  public var id: JournalID
  /// The event in which it was seen.
  public var event: JournalID
  /// The individual, where it is known as one.
  public var organism: JournalID?
  /// Where exactly it was.
  public var position: Position?
  /// When it was seen, where that was not throughout the event.
  public var time: LocalTime?
  /// Whether it was there.
  public var presence = Presence.present
  /// How many.
  public var count: Int?
  /// What the count says.
  public var countKind: CountKind?
  /// Its sex, in words.
  public var sex: String?
  /// Its stage of life, in words.
  public var lifeStage: String?
  /// What it did, in words.
  public var behaviour: String?
  /// How it came there.
  public var establishment: Establishment?
  /// The least depth at which it was.
  public var minDepthMm: Int?
  /// The greatest depth at which it was.
  public var maxDepthMm: Int?
  /// How exactly others may know where it was.
  public var privacy = Privacy.open
  /// What else there is to say.
  public var remarks: String?
  /// Its tags.
  @Sorted public var tags: Set<String> = []
  /// The collections that it is in.
  @Sorted public var collections: Set<JournalID> = []

  /// An occurrence in an event.
  public init(id: JournalID = JournalID(), event: JournalID) {
    self.id = id
    self.event = event
  }

  func validate() throws(JournalError) {
    try position?.validate()
    if presence == .absent {
      guard count == nil || count == 0 else {
        throw .invalid(
          field: "count", value: String(count ?? 0), remedy: "0 or nothing of what is absent")
      }
    } else {
      try require(
        count, "count", 1...1_000_000_000_000,
        "a whole number from 1 to a million millions; of what was looked for and not seen say that it is absent"
      )
    }
    if let countKind, count == nil {
      throw .invalid(
        field: "count_kind", value: countKind.rawValue, remedy: "only with a count: give one too")
    }
    try requireName(sex, "sex")
    try requireName(lifeStage, "life_stage")
    try requireName(behaviour, "behaviour")
    try require(minDepthMm, "min_depth_mm", 0...12_000_000)
    try require(maxDepthMm, "max_depth_mm", 0...12_000_000)
    try requireOrder(minDepthMm, "min_depth_mm", maxDepthMm, "max_depth_mm")
    try requireText(remarks, "remarks")
    try requireTags(tags)
  }
}
