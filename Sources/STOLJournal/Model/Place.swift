/// Somewhere that has a name (dcterms:Location): a region, a dive site, an orchard.
public struct Place: Hashable, Sendable, Codable {
  /// What kind of place it is.
  public enum Kind: String, JournalWord {
    /// Part of the world.
    case region
    /// Part of a region.
    case area
    /// Where one goes: a dive site, a reserve, an orchard.
    case site
    /// A spot of one's own.
    case spot
    /// Where something is sold or lent.
    case shop
    /// Where one lives.
    case home
  }

  /// What somebody means to do there; that one has been there, events say.
  public enum State: String, JournalWord {
    /// One wishes to go there.
    case wishlist
    /// One will go there.
    case planned
  }

  /// Its identity.
  public var id: JournalID
  /// What kind of place it is.
  public var kind: Kind
  /// What it is called.
  public var name: String
  /// The place that it is part of.
  public var parent: JournalID?
  /// Where it is.
  public var position: Position?
  /// Metres above the sea, times 100.
  public var elevationCm: Int?
  /// Where it is, in words.
  public var locality: String?
  /// The sea, lake or river.
  public var waterBody: String?
  /// The country as two letters of ISO 3166-1.
  public var country: String?
  /// What a diver asks about it; of sites and spots only.
  public var diveSite: DiveSite?
  /// How exactly others may know where it is.
  public var privacy = Privacy.open
  /// What somebody means to do there.
  @Sorted public var states: Set<State> = []
  /// Its tags.
  @Sorted public var tags: Set<String> = []
  /// The collections that it is in.
  @Sorted public var collections: Set<JournalID> = []

  /// A place.
  public init(id: JournalID = JournalID(), kind: Kind, name: String) {
    self.id = id
    self.kind = kind
    self.name = name
  }

  func validate() throws(JournalError) {
    try requireName(name, "name")
    try position?.validate()
    try require(elevationCm, "elevation_cm", -1_200_000...900_000)
    try requireName(locality, "locality")
    try requireName(waterBody, "water_body")
    if let country {
      let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
      guard country.utf8.count == 2, country.utf8.allSatisfy(letters.contains) else {
        throw .invalid(
          field: "country", value: country, remedy: "two capitals of ISO 3166-1, as PW for Palau")
      }
    }
    if let diveSite {
      guard kind == .site || kind == .spot else {
        throw .invalid(
          field: "kind", value: kind.rawValue,
          remedy: "site or spot, for it says what there is to dive at")
      }
      try diveSite.validate()
    }
    try requireTags(tags)
  }
}
