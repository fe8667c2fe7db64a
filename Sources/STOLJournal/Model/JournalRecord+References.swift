extension JournalRecord {
  /// What it refers to, each with the member that says it and the kinds that it may be.
  var references: [(member: String, id: JournalID, kinds: [Kind])] {
    var references: [(String, JournalID, [Kind])] = []
    func add(_ member: String, _ id: JournalID?, _ kinds: Kind...) {
      if let id { references.append((member, id, kinds)) }
    }
    switch self {
    case .place(let place): add("parent", place.parent, .place)
    case .event(let event):
      add("parent", event.parent, .event)
      add("place", event.place, .place)
      for participant in event.persons.sorted() {
        add("persons.person", participant.person, .person)
      }
    case .organism(let organism): add("place", organism.place, .place)
    case .occurrence(let occurrence):
      add("event", occurrence.event, .event)
      add("organism", occurrence.organism, .organism)
    case .identification(let identification):
      add("occurrence", identification.occurrence, .occurrence)
    case .note(let note): add("target", note.target, .place, .event, .organism, .occurrence)
    case .measure(let measure):
      add("target", measure.target, .place, .event, .organism, .occurrence)
    case .photo(let photo):
      add("target", photo.target, .place, .event, .organism, .occurrence, .note)
    case .collection, .person: break
    }
    for collection in collections { add("collections", collection, .collection) }
    return references
  }

  /// The collections that it is in.
  var collections: Set<JournalID> {
    get {
      switch self {
      case .place(let place): place.collections
      case .event(let event): event.collections
      case .organism(let organism): organism.collections
      case .occurrence(let occurrence): occurrence.collections
      default: []
      }
    }
    set {
      switch self {
      case .place(var place):
        place.collections = newValue
        self = .place(place)
      case .event(var event):
        event.collections = newValue
        self = .event(event)
      case .organism(var organism):
        organism.collections = newValue
        self = .organism(organism)
      case .occurrence(var occurrence):
        occurrence.collections = newValue
        self = .occurrence(occurrence)
      default: break
      }
    }
  }

  /// Where it says that it is.
  var position: Position? {
    switch self {
    case .place(let place): place.position
    case .event(let event): event.position
    case .organism(let organism): organism.position
    case .occurrence(let occurrence): occurrence.position
    case .photo(let photo): photo.position
    default: nil
    }
  }

  /// When it says that it was, from its beginning on.
  var time: LocalTime? {
    switch self {
    case .event(let event): event.start
    case .occurrence(let occurrence): occurrence.time
    case .photo(let photo): photo.time
    default: nil
    }
  }
}
