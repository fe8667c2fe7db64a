/// What the journal keeps under a UUID.
public enum JournalRecord: Hashable, Sendable {
  /// Somewhere that has a name.
  case place(Place)
  /// Being somewhere for a while.
  case event(Event)
  /// An individual.
  case organism(Organism)
  /// That something was seen.
  case occurrence(Occurrence)
  /// What it was taken for.
  case identification(Identification)
  /// Something written.
  case note(Note)
  /// Some records under a name.
  case collection(JournalCollection)
  /// Something measured.
  case measure(Measure)
  /// Somebody.
  case person(Person)
  /// A photo.
  case photo(Photo)

  /// The kinds of records.
  public enum Kind: String, JournalWord {
    /// A `Place`.
    case place
    /// An `Event`.
    case event
    /// An `Organism`.
    case organism
    /// An `Occurrence`.
    case occurrence
    /// An `Identification`.
    case identification
    /// A `Note`.
    case note
    /// A `JournalCollection`.
    case collection
    /// A `Measure`.
    case measure
    /// A `Person`.
    case person
    /// A `Photo`.
    case photo
  }

  /// Of which kind it is.
  public var kind: Kind {
    switch self {
    case .place: .place
    case .event: .event
    case .organism: .organism
    case .occurrence: .occurrence
    case .identification: .identification
    case .note: .note
    case .collection: .collection
    case .measure: .measure
    case .person: .person
    case .photo: .photo
    }
  }

  /// Its identity.
  public var id: JournalID {
    switch self {
    case .place(let record): record.id
    case .event(let record): record.id
    case .organism(let record): record.id
    case .occurrence(let record): record.id
    case .identification(let record): record.id
    case .note(let record): record.id
    case .collection(let record): record.id
    case .measure(let record): record.id
    case .person(let record): record.id
    case .photo(let record): record.id
    }
  }

  /// What it is part of, where it is a place or an event.
  var parent: JournalID? {
    switch self {
    case .place(let record): record.parent
    case .event(let record): record.parent
    case .organism, .occurrence, .identification, .note, .collection, .measure, .person, .photo: nil
    }
  }

  /// Looks at every field.
  ///
  /// - Throws: `JournalError.invalid`, for the first one that says what cannot be.
  public func validate() throws(JournalError) {
    switch self {
    case .place(let record): try record.validate()
    case .event(let record): try record.validate()
    case .organism(let record): try record.validate()
    case .occurrence(let record): try record.validate()
    case .identification(let record): try record.validate()
    case .note(let record): try record.validate()
    case .collection(let record): try record.validate()
    case .measure(let record): try record.validate()
    case .person(let record): try record.validate()
    case .photo(let record): try record.validate()
    }
  }
}

extension JournalRecord: Codable {
  private enum CodingKeys: String, CodingKey { case recordKind }

  /// Reads what `encode(to:)` writes; members that are nil may be missing.
  ///
  /// - Throws: `DecodingError`
  public init(from decoder: any Decoder) throws {
    let kind = try decoder.container(keyedBy: CodingKeys.self).decode(
      Kind.self, forKey: .recordKind)
    switch kind {
    case .place: self = .place(try Place(from: decoder))
    case .event: self = .event(try Event(from: decoder))
    case .organism: self = .organism(try Organism(from: decoder))
    case .occurrence: self = .occurrence(try Occurrence(from: decoder))
    case .identification: self = .identification(try Identification(from: decoder))
    case .note: self = .note(try Note(from: decoder))
    case .collection: self = .collection(try JournalCollection(from: decoder))
    case .measure: self = .measure(try Measure(from: decoder))
    case .person: self = .person(try Person(from: decoder))
    case .photo: self = .photo(try Photo(from: decoder))
    }
  }

  /// Writes the members of the record, and its kind as `recordKind`.
  ///
  /// - Throws: what `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .recordKind)
    switch self {
    case .place(let record): try record.encode(to: encoder)
    case .event(let record): try record.encode(to: encoder)
    case .organism(let record): try record.encode(to: encoder)
    case .occurrence(let record): try record.encode(to: encoder)
    case .identification(let record): try record.encode(to: encoder)
    case .note(let record): try record.encode(to: encoder)
    case .collection(let record): try record.encode(to: encoder)
    case .measure(let record): try record.encode(to: encoder)
    case .person(let record): try record.encode(to: encoder)
    case .photo(let record): try record.encode(to: encoder)
    }
  }
}
