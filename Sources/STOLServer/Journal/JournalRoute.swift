import STOLJournal

/// A place of the journal's pages: what follows `/journal` in an address.
enum JournalRoute: Hashable, Sendable {
  /// What was seen, the last one first.
  case list
  case life
  /// The same on the tree of life.
  case lifeTree
  case calendar
  case map
  case photos
  case statistics
  /// What leaves the journal, and the file with it.
  case export
  /// A file that comes into it.
  case `import`
  /// Its passphrase.
  case lock
  /// The form for something that was seen.
  case new
  /// Suggestions for a name, one's own taxa first.
  case completions
  case sighting(JournalID)
  case event(JournalID)
  case place(JournalID)
  case organism(JournalID)
  /// All collections.
  case collections
  case collection(JournalID)
  /// The image of a photo.
  case photo(JournalID)
  /// The same for a line of a list.
  case thumbnail(JournalID)

  /// The routes without a record.
  static let fixed: [JournalRoute] = [
    .list, .life, .lifeTree, .calendar, .map, .photos, .statistics, .collections, .export, .import,
    .lock, .new, .completions,
  ]

  /// The path below `/journal`, empty for the list.
  var path: String {
    switch self {
    case .list: ""
    case .life: "/life"
    case .lifeTree: "/life/tree"
    case .collections: "/collections"
    case .calendar: "/calendar"
    case .map: "/map"
    case .photos: "/photos"
    case .statistics: "/statistics"
    case .export: "/export"
    case .import: "/import"
    case .lock: "/lock"
    case .new: "/new"
    case .completions: "/complete"
    case .sighting(let id): "/sighting/\(id)"
    case .event(let id): "/event/\(id)"
    case .place(let id): "/place/\(id)"
    case .organism(let id): "/organism/\(id)"
    case .collection(let id): "/collection/\(id)"
    case .photo(let id): "/photo/\(id)"
    case .thumbnail(let id): "/photo/\(id)/small"
    }
  }

  /// The forms in which it is answered.
  var forms: [Form] {
    switch self {
    case .map, .lifeTree: [.page, .json, .svg]
    case .list, .life, .calendar, .photos, .statistics, .export, .import, .lock, .sighting,
      .event, .place, .organism, .collections, .collection:
      [.page, .json]
    case .completions: [.json]
    case .new, .photo, .thumbnail: [.page]
    }
  }

  /// The route of the segments behind `journal` that name a record, each UUID in its usual form; nil where
  /// there is none.
  init?(segments: [Substring]) {
    guard segments.count >= 2, let id = JournalID(String(segments[1])),
      "\(id)" == segments[1]
    else { return nil }
    switch (segments[0], segments.dropFirst(2).first, segments.count) {
    case ("sighting", nil, 2): self = .sighting(id)
    case ("event", nil, 2): self = .event(id)
    case ("place", nil, 2): self = .place(id)
    case ("organism", nil, 2): self = .organism(id)
    case ("collection", nil, 2): self = .collection(id)
    case ("photo", nil, 2): self = .photo(id)
    case ("photo", "small", 3): self = .thumbnail(id)
    default: return nil
    }
  }
}

extension Address {
  /// An address of the journal.
  init(_ route: JournalRoute, _ fields: KeyValuePairs<String, String?> = [:]) {
    self.init(.journal(route), .page, fields)
  }

  /// The page of a record; nil for what has no page of its own.
  init?(of record: JournalRecord) {
    switch record {
    case .occurrence: self.init(.sighting(record.id))
    case .event: self.init(.event(record.id))
    case .place: self.init(.place(record.id))
    case .organism: self.init(.organism(record.id))
    case .collection: self.init(.collection(record.id))
    default: return nil
    }
  }
}
