/// Something written about a place, an event, an organism or an occurrence, at its own time.
public struct Note: Hashable, Sendable, Codable {
  /// Its identity.
  public var id: JournalID
  /// What it is about.
  public var target: JournalID
  /// When it was written, or what time it is about.
  public var time: LocalTime?
  /// What is written.
  public var text: String

  /// A note.
  public init(id: JournalID = JournalID(), target: JournalID, text: String, time: LocalTime? = nil)
  {
    self.id = id
    self.target = target
    self.time = time
    self.text = text
  }

  func validate() throws(JournalError) { try requireText(text, "text") }
}

/// Some records under a name, as "Victoria's Orchard"; a record may be in several.
public struct JournalCollection: Hashable, Sendable, Codable {
  /// Its identity.
  public var id: JournalID
  /// What it is called.
  public var name: String
  /// How exactly others may know where all is that is in it.
  public var privacy = Privacy.open

  /// A collection; records say that they are in it.
  public init(id: JournalID = JournalID(), name: String, privacy: Privacy = .open) {
    self.id = id
    self.name = name
    self.privacy = privacy
  }

  func validate() throws(JournalError) { try requireName(name, "name") }
}
