import STOLData
import STOLSystem

/// Writes places, organisms and occurrences as waypoints of GPX 1.1.
///
/// A place is a waypoint where it has a position. An organism is one, with the time when it was seen last.
/// An occurrence is one where it is of no organism, or has a position of its own. Times are moments in UTC, as
/// GPX wants them, and only where the offset of the clock is known; the local time is beside it in any case, with
/// what else GPX has no word for, in elements of a namespace of stol.
enum GPXExport {
  /// The namespace of the elements in `extensions`.
  static let namespace = "urn:stol:journal:1"

  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, by writer: String,
    to sink: inout ExportSink
  ) throws -> ExportReport {
    let index = try RecordIndex(journal, query, sharing)
    var report = ExportReport()
    var xml = XMLText()
    try sink.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="\(xml.escaped(writer))" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:stol="\(namespace)">

      """)
    var count = 0
    func add(_ waypoint: Waypoint, _ position: Position?) throws {
      guard let position else { return report.lose("\(waypoint.kind) without a position") }
      try sink.append(waypoint.text(at: position, &xml, &report))
      count += 1
    }
    for place in index.places { try add(try waypoint(place, index, &report), place.position) }
    for organism in index.organisms {
      try add(try waypoint(organism, index, &report), index.position(of: organism))
    }
    for occurrence in index.occurrences {
      guard occurrence.organism == nil || occurrence.position != nil else {
        // It is in the waypoint of its organism.
        try report.loseAll(
          of: .occurrence(occurrence), but: ["id", "recordKind", "event", "organism", "time"])
        continue
      }
      try report.loseAll(of: .occurrence(occurrence), but: heldOfOccurrence)
      try add(try waypoint(occurrence, index, &report), index.position(of: occurrence))
    }
    for event in index.events.values {
      try report.loseAll(of: .event(event), but: heldOfEvent)
      report.lose("note on an event", index.notes(on: event.id).count)
    }
    report.lose("measures", index.measureCount)
    report.lose("photos", index.photoCount)
    try sink.append("</gpx>\n")
    report.add("waypoints", count)
    report.lose("control characters (replaced)", xml.replacedCount)
    return report
  }

  private static let position: Set<String> = [
    "id", "recordKind", "position.latitudeE7", "position.longitudeE7", "position.uncertaintyM",
  ]
  private static let heldOfPlace = position.union([
    "kind", "name", "elevationCm", "locality", "tags", "collections",
  ])
  private static let heldOfOrganism = position.union([
    "name", "elevationCm", "place", "tags", "collections",
  ])
  private static let heldOfOccurrence = position.union([
    "event", "organism", "time", "presence", "count", "remarks", "tags", "collections",
  ])
  private static let heldOfEvent = position.union(["kind", "start", "utcOffsetMin", "place"])
  private static let heldOfName: Set<String> = [
    "id", "recordKind", "occurrence", "verbatimName", "match", "taxon.idSpace", "taxon.id",
    "taxon.name",
  ]

  private static func waypoint(
    _ place: Place, _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> Waypoint {
    try report.loseAll(of: .place(place), but: heldOfPlace)
    var waypoint = Waypoint(kind: "place", id: place.id, name: place.name)
    waypoint.type = place.kind.rawValue
    waypoint.elevationCm = place.elevationCm
    waypoint.comment = place.locality
    waypoint.notes = index.notes(on: place.id)
    waypoint.tags = place.tags
    waypoint.collections = index.collectionNames(place.collections)
    return waypoint
  }

  private static func waypoint(
    _ organism: Organism, _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> Waypoint {
    try report.loseAll(of: .organism(organism), but: heldOfOrganism)
    let occurrences = index.occurrences(of: organism.id)
    let names = occurrences.flatMap { index.identifications(of: $0.id) }
    var waypoint = Waypoint(
      kind: "organism", id: organism.id,
      name: organism.name ?? names.last?.verbatimName ?? "\(organism.id)")
    waypoint.elevationCm = organism.elevationCm
    waypoint.made = occurrences.last.flatMap { index.time(of: $0) }
    waypoint.notes = ([organism.id] + occurrences.map(\.id)).flatMap { index.notes(on: $0) }
    waypoint.tags = organism.tags
    waypoint.collections = index.collectionNames(organism.collections)
    try waypoint.set(names, heldOfName, &report)
    return waypoint
  }

  private static func waypoint(
    _ occurrence: Occurrence, _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> Waypoint {
    let names = index.identifications(of: occurrence.id)
    var waypoint = Waypoint(
      kind: "occurrence", id: occurrence.id,
      name: names.last?.verbatimName ?? index.organism(occurrence.organism)?.name
        ?? "\(occurrence.id)")
    waypoint.comment = occurrence.remarks
    waypoint.made = index.time(of: occurrence)
    waypoint.count = occurrence.count
    waypoint.isAbsent = occurrence.presence == .absent
    waypoint.tags = occurrence.tags
    waypoint.collections = index.collectionNames(occurrence.collections)
    if occurrence.organism == nil {
      waypoint.notes = index.notes(on: occurrence.id)
      try waypoint.set(names, heldOfName, &report)
    } else {
      waypoint.taxon = names.last?.taxon?.written
    }
    return waypoint
  }
}

/// A waypoint of GPX 1.1, with its elements in the order of that schema.
private struct Waypoint {
  let kind: String
  let id: JournalID
  let name: String
  var type: String?
  var elevationCm: Int?
  var comment: String?
  var made: (time: LocalTime, utcOffsetMin: Int?)?
  var notes: [Note] = []
  var tags: Set<String> = []
  var collections: [String] = []
  var taxon: String?
  var scientificName: String?
  var count: Int?
  var isAbsent = false

  init(kind: String, id: JournalID, name: String) {
    (self.kind, self.id, self.name) = (kind, id, name)
  }

  /// Says what it is by the last of its identifications.
  mutating func set(
    _ names: [Identification], _ held: Set<String>, _ report: inout ExportReport
  ) throws {
    guard let last = names.last else { return }
    taxon = last.taxon?.written
    scientificName = last.taxon?.name
    try report.loseAll(of: .identification(last), but: held)
    report.lose("identifications before the last", names.count - 1)
  }

  func text(at position: Position, _ xml: inout XMLText, _ report: inout ExportReport) -> String {
    // 180 degrees east are west for GPX.
    let isEdge = position.longitudeE7 == 180 * Position.unitsPerDegree
    let longitude = isEdge ? "-180" : position.longitudeText
    let joined = JoinedNotes.text(notes.map(\.text))
    report.lose("\"\(JoinedNotes.separator)\" within a note", joined.changedCount)
    report.lose("note.time", notes.count { $0.time != nil })
    var text = "<wpt lat=\"\(position.latitudeText)\" lon=\"\(longitude)\">"
    text += xml.element("ele", elevationCm.map { DecimalText.text($0, decimals: 2) })
    text += xml.element("time", moment)
    text += xml.element("name", name)
    text += xml.element("cmt", comment)
    text += xml.element("desc", joined.text)
    text += xml.element("type", type ?? kind)
    text += "<extensions>"
    text += xml.element("stol:kind", kind)
    text += xml.element("stol:id", "\(id)")
    text += xml.element("stol:uncertaintyM", position.uncertaintyM.map(String.init))
    text += xml.element("stol:localTime", made?.time.text)
    text += xml.element("stol:utcOffsetMin", made?.utcOffsetMin.map(String.init))
    text += xml.element("stol:scientificName", scientificName.flatMap { $0.isEmpty ? nil : $0 })
    text += xml.element("stol:taxon", taxon)
    text += xml.element("stol:count", count.map(String.init))
    text += xml.element("stol:presence", isAbsent ? "absent" : nil)
    for tag in tags.sorted() { text += xml.element("stol:tag", tag) }
    for name in collections { text += xml.element("stol:collection", name) }
    return text + "</extensions></wpt>\n"
  }

  /// The moments of the years 1 to 9999.
  private static let firstSecond = -62_135_596_800
  private static let lastSecond = 253_402_300_799

  /// The time in UTC, where it is known to be a moment.
  private var moment: String? {
    guard let made, made.time.hasTimeOfDay, let offset = made.utcOffsetMin else { return nil }
    let seconds = made.time.firstSecond - offset * 60
    guard (Self.firstSecond...Self.lastSecond).contains(seconds) else { return nil }
    return timeText(secondsSince1970: seconds) + "Z"
  }
}
