extension JournalRecord {
  /// What it refers to, each with the kinds that it may be.
  var references: [(id: JournalID, kinds: [Kind])] {
    var references: [(JournalID, [Kind])] = []
    func add(_ id: JournalID?, _ kinds: Kind...) {
      if let id { references.append((id, kinds)) }
    }
    switch self {
    case .place(let place): add(place.parent, .place)
    case .event(let event):
      add(event.parent, .event)
      add(event.place, .place)
      for participant in event.persons.sorted() { add(participant.person, .person) }
    case .organism(let organism): add(organism.place, .place)
    case .occurrence(let occurrence):
      add(occurrence.event, .event)
      add(occurrence.organism, .organism)
    case .identification(let identification): add(identification.occurrence, .occurrence)
    case .note(let note): add(note.target, .place, .event, .organism, .occurrence)
    case .measure(let measure): add(measure.target, .place, .event, .organism, .occurrence)
    case .photo(let photo): add(photo.target, .place, .event, .organism, .occurrence, .note)
    case .collection, .person: break
    }
    for collection in collections { add(collection, .collection) }
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
