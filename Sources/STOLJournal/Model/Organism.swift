/// An individual that is seen again (dwc:Organism): a tree, a whale with a name.
///
/// What it is, its occurrences say.
public struct Organism: Hashable, Sendable, Codable {
  /// What has become of it.
  public enum Status: String, JournalWord {
    /// It lives.
    case alive
    /// It is dead, and there.
    case dead
    /// It is not there any more.
    case gone
    /// Nobody knows.
    case unknown
  }

  /// Its identity.
  public var id: JournalID
  /// What it is called, or the number on its tag.
  public var name: String?
  /// Where it is.
  public var place: JournalID?
  /// Where exactly it is.
  public var position: Position?
  /// Metres above the sea, times 100.
  public var elevationCm: Int?
  /// What has become of it.
  public var status = Status.unknown
  /// When it was planted.
  public var planted: LocalTime?
  /// How exactly others may know where it is.
  public var privacy = Privacy.open
  /// Its tags.
  @Sorted public var tags: Set<String> = []
  /// The collections that it is in.
  @Sorted public var collections: Set<JournalID> = []

  /// An individual.
  public init(id: JournalID = JournalID()) { self.id = id }

  static let elevationRange = -1_200_000...900_000

  func validate() throws(JournalError) {
    try requireName(name, "name")
    try position?.validate()
    try require(elevationCm, "elevation_cm", Self.elevationRange)
    try requireTags(tags)
  }
}
