import STOLJournal

/// What a map shows and how it names that, as its address says it.
struct MapChoice: Equatable, Sendable {
  /// What is on the map.
  enum Subject: String, CaseIterable, Sendable {
    /// What was seen.
    case sightings
    /// Every place that is known.
    case places
    /// Where somebody wishes to go.
    case wishlist

    var title: String {
      switch self {
      case .sightings: "What was seen"
      case .places: "All places"
      case .wishlist: "Wishlist"
      }
    }
  }

  /// What stands beside a pin.
  enum Label: String, CaseIterable, Sendable {
    /// The species.
    case species
    /// The variety, else the name as it was written.
    case variety

    var title: String {
      switch self {
      case .species: "Species"
      case .variety: "Variety, or as written"
      }
    }
  }

  var subject = Subject.sightings
  var label = Label.species

  /// What was seen, by species.
  init() {}

  /// What the query of an address says; what cannot be counts as not said.
  init(_ query: Fields) {
    subject = query["show"].flatMap { Subject(rawValue: $0) } ?? .sightings
    label = query["label"].flatMap { Label(rawValue: $0) } ?? .species
  }

  /// The fields of an address that say the same.
  var fields: Fields {
    var fields = Fields()
    fields.append("show", subject == .sightings ? nil : subject.rawValue)
    fields.append("label", label == .species ? nil : label.rawValue)
    return fields
  }

  /// The same with a change.
  func with(_ change: (inout MapChoice) -> Void) -> MapChoice {
    var choice = self
    change(&choice)
    return choice
  }
}
