/// Being somewhere for a while (dwc:Event): a walk, a dive, a survey, a trip of several dives.
public struct Event: Hashable, Sendable, Codable {
  /// What kind of event it is.
  public enum Kind: String, JournalWord {
    /// Being there, for as long or short as it was.
    case visit
    /// A dive.
    case dive
    /// Looking for something by a protocol.
    case survey
    /// Something was planted.
    case planting
    /// What several events are part of.
    case trip
  }

  /// Whether it counts.
  public enum Status: String, JournalWord {
    /// Kept, but nobody has said that it is done; it counts nowhere.
    case draft
    /// It counts.
    case saved
  }

  /// Its identity.
  public var id: JournalID
  /// What kind of event it is.
  public var kind: Kind
  /// Whether it counts.
  public var status = Status.saved
  /// The event that it is part of.
  public var parent: JournalID?
  /// Where it was.
  public var place: JournalID?
  /// Where exactly it was.
  public var position: Position?
  /// When it began, by the clock of that place.
  public var start: LocalTime
  /// When it ended; nil where it is not known, or no later than `start` says.
  public var end: LocalTime?
  /// The minutes that this clock was ahead of UTC; nil where nobody knows.
  public var utcOffsetMin: Int?
  /// How one looked (dwc:samplingProtocol).
  public var `protocol`: String?
  /// How much was done to find something, in `effortUnit` (eco:samplingEffortValue).
  public var effortValue: Int?
  /// In what that is counted: "min", "trap nights".
  public var effortUnit: String?
  /// Whether all taxa that were seen are here.
  public var isCompleteList = false
  /// The weather.
  public var weather: String?
  /// What else there is to say.
  public var remarks: String?
  /// What a dive computer knows; of dives only.
  public var dive: Dive?
  /// Who took part.
  @Sorted public var persons: Set<Participant> = []
  /// How exactly others may know where it was, and all that was seen in it.
  public var privacy = Privacy.open
  /// Its tags.
  @Sorted public var tags: Set<String> = []
  /// The collections that it is in.
  @Sorted public var collections: Set<JournalID> = []

  /// An event.
  public init(id: JournalID = JournalID(), kind: Kind, start: LocalTime) {
    self.id = id
    self.kind = kind
    self.start = start
  }

  var startMs: Int64 { start.firstMs(offsetMin: utcOffsetMin) }
  var endMs: Int64 { (end ?? start).lastMs(offsetMin: utcOffsetMin) }

  func validate() throws(JournalError) {
    try position?.validate()
    try require(
      utcOffsetMin, "utc_offset_min", -1080...1080,
      "minutes east of UTC from -1080 to 1080; leave it out where it is not known")
    if let end, end.lastSecond < start.firstSecond {
      throw .invalid(
        field: "local_end", value: end.text, remedy: "not before local_start, \(start.text)")
    }
    try requireName(`protocol`, "protocol")
    try require(effortValue, "effort_value", 0...1_000_000_000_000)
    try requireName(effortUnit, "effort_unit")
    guard (effortValue == nil) == (effortUnit == nil) else {
      throw .invalid(
        field: effortValue == nil ? "effort_value" : "effort_unit", value: "",
        remedy: "give both the number and its unit, or neither")
    }
    try requireName(weather, "weather")
    try requireText(remarks, "remarks")
    if let dive {
      guard kind == .dive else {
        throw .invalid(
          field: "kind", value: kind.rawValue, remedy: "dive, for it has depths, tanks and the like"
        )
      }
      try dive.validate()
    }
    try requireParticipants(persons)
    try requireTags(tags)
  }
}
