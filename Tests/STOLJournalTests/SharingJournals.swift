import Foundation
import STOLData
import STOLPack
import TestSupport

@testable import STOLJournal

/// Random journals of a few places, in which every text that somebody could write says whose it is.
struct SharingJournals {
  /// A database with a genus of cats of which one species is critically endangered.
  static let pack = Result {
    let folder = try TemporaryFolder()
    let more = """
      INSERT INTO dataset VALUES ('id_space', 'cats');
      INSERT INTO taxa VALUES
        (30, 5, 'species', 'Panthera critica', NULL, NULL, 'accepted', 'CR'),
        (31, 30, 'subspecies', 'Panthera critica minor', NULL, NULL, 'accepted', NULL);
      """
    return try Pack(path: try Taxonomy.compile(Taxonomy.cats + more, in: folder))
  }

  /// Names that somebody may write, and what the database says of them or an ancestor.
  static let names: [(text: String, hasTaxon: Bool, threat: String?)] = [
    ("Canis lupus", true, nil), ("Quercus robur", true, nil), ("Panthera", true, nil),
    ("Canis", true, nil), ("Panthera leo", true, "VU"), ("Panthera tigris", true, "EN"),
    ("Panthera critica", true, "CR"), ("Panthera critica minor", true, "CR"),
    ("lion", false, "VU"), ("Panthera tigris?", false, "EN"), ("a dog", false, nil),
  ]

  static func threat(_ identification: Identification) -> String? {
    let name = identification.taxon?.name ?? identification.verbatimName
    return names.first { $0.text == name }?.threat
  }

  private var generator: SeededGenerator
  private var count = 0
  private(set) var records: [JournalRecord] = []
  /// The files of its photos.
  private(set) var files: [PhotoFile] = []
  /// What cameras wrote into these, which no copy has.
  private(set) var cameraTexts: [String] = PhotoSample.secrets
  /// What is written in a record, by the record it is about.
  private(set) var texts: [JournalID: [String]] = [:]

  private let middle: Position

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    middle = Position(
      latitudeE7: [-899_500_000, 0, 424_533_100, 899_999_000, 500_000_000][Int(seed % 5)],
      longitudeE7: [1_799_999_000, 0, -764_807_000, 1_000_000, -1_799_990_000][Int(seed / 5 % 5)])
    try make()
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  private mutating func one<Value>(of values: [Value]) -> Value? {
    values.randomElement(using: &generator)
  }

  private mutating func newID() -> JournalID {
    JournalID(
      milliseconds: Int64.random(in: 1_770_000_000_000...1_780_000_000_000, using: &generator),
      using: &generator)
  }

  /// A text that is nowhere else.
  private mutating func text(_ what: String, of id: JournalID) -> String {
    count += 1
    let text = "zq\(what)\(count)qz"
    texts[id, default: []].append(text)
    return text
  }

  private mutating func maybeText(_ what: String, of id: JournalID) -> String? {
    chance(60) ? text(what, of: id) : nil
  }

  private mutating func privacy(_ percent: Int) -> Privacy {
    chance(percent) ? chance(50) ? .private : .obscured : .open
  }

  /// A position around the middle, near others or far from them.
  private mutating func position() -> Position? {
    guard chance(60) else { return nil }
    let reach = one(of: [300, 20_000, 200_000, 2_000_000, 9_000_000]) ?? 300
    func moved(_ value: Int, _ limit: Int, _ generator: inout SeededGenerator) -> Int {
      let sum = value + Int.random(in: -reach...reach, using: &generator)
      return min(max(sum, -limit), limit)
    }
    return Position(
      latitudeE7: moved(middle.latitudeE7, 900_000_000, &generator),
      longitudeE7: moved(middle.longitudeE7, 1_800_000_000, &generator),
      uncertaintyM: chance(50) ? Int.random(in: 1...20_000, using: &generator) : nil)
  }

  private mutating func time() throws -> LocalTime {
    let month = Int.random(in: 1...12, using: &generator)
    let text = "202\(Int.random(in: 4...6, using: &generator))-\(month < 10 ? "0" : "")\(month)"
    if chance(5) { return try LocalTime(String(text.prefix(4))) }
    if chance(15) { return try LocalTime(text) }
    let day = "\(text)-\(Int.random(in: 10...28, using: &generator))"
    guard chance(70) else { return try LocalTime(day) }
    let clock = (0..<3).map { _ in Int.random(in: 10...23, using: &generator) }
    return try LocalTime("\(day)T\(clock[0]):\(clock[1]):\(clock[2])")
  }

  private mutating func maybeTime() throws -> LocalTime? { chance(70) ? try time() : nil }

  private mutating func collections(_ all: [JournalID]) -> Set<JournalID> {
    Set(chance(30) ? [one(of: all)].compactMap { $0 } : [])
  }

  private mutating func make() throws {
    let groups = (0..<3).map { _ in newID() }
    for id in groups {
      records.append(
        .collection(
          JournalCollection(id: id, name: text("group", of: id), privacy: privacy(8))))
    }
    let persons = (0..<2).map { _ in newID() }
    for id in persons { records.append(.person(Person(id: id, name: text("person", of: id)))) }
    var places: [JournalID] = []
    for _ in 0..<6 {
      var place = Place(id: newID(), kind: .site, name: "")
      place.kind = one(of: [.region, .area, .site, .site, .spot, .home]) ?? .site
      place.name = text("place", of: place.id)
      place.parent = chance(40) ? one(of: places) : nil
      place.position = position()
      place.locality = maybeText("locality", of: place.id)
      place.waterBody = maybeText("water", of: place.id)
      place.privacy = privacy(8)
      place.tags = chance(30) ? [text("tag", of: place.id)] : []
      place.collections = collections(groups)
      if place.kind == .site {
        var site = DiveSite()
        site.description = text("site", of: place.id)
        place.diveSite = site
      }
      places.append(place.id)
      records.append(.place(place))
    }
    var events: [JournalID] = []
    var trips: [JournalID] = []
    for _ in 0..<12 {
      var event = Event(
        id: newID(), kind: one(of: [.visit, .survey, .dive, .dive, .trip]) ?? .visit,
        start: try time())
      event.parent = chance(30) ? one(of: trips) : nil
      if event.kind == .trip { trips.append(event.id) }
      event.place = chance(50) ? one(of: places) : nil
      event.position = position()
      event.utcOffsetMin = chance(50) ? 0 : nil
      event.weather = maybeText("weather", of: event.id)
      event.protocol = maybeText("protocol", of: event.id)
      event.remarks = maybeText("remark", of: event.id)
      event.privacy = privacy(5)
      if event.kind == .dive {
        var dive = Dive()
        dive.suit = text("suit", of: event.id)
        event.dive = dive
      }
      event.persons = [
        Participant(
          person: one(of: persons) ?? persons[0], role: .instructor,
          number: text("number", of: persons[0]))
      ]
      event.tags = chance(30) ? [text("tag", of: event.id)] : []
      event.collections = collections(groups)
      events.append(event.id)
      records.append(.event(event))
    }
    var organisms: [JournalID] = []
    for _ in 0..<5 {
      var organism = Organism(id: newID())
      organism.name = maybeText("tree", of: organism.id)
      organism.place = chance(50) ? one(of: places) : nil
      organism.position = position()
      organism.planted = chance(30) ? try time() : nil
      organism.privacy = privacy(5)
      organism.tags = chance(30) ? [text("tag", of: organism.id)] : []
      organism.collections = collections(groups)
      organisms.append(organism.id)
      records.append(.organism(organism))
    }
    let pack = try Self.pack.get()
    let view = pack.view
    var seen: [JournalID] = []
    for _ in 0..<20 {
      var it = Occurrence(id: newID(), event: one(of: events) ?? events[0])
      it.organism = chance(40) ? one(of: organisms) : nil
      it.position = position()
      it.time = chance(40) ? try time() : nil
      it.sex = maybeText("sex", of: it.id)
      it.behaviour = maybeText("behaviour", of: it.id)
      it.remarks = maybeText("remark", of: it.id)
      it.count = chance(50) ? 1 : nil
      it.privacy = privacy(6)
      it.tags = chance(30) ? [text("tag", of: it.id)] : []
      it.collections = collections(groups)
      seen.append(it.id)
      records.append(.occurrence(it))
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        // Most are of nothing that is threatened.
        let names = chance(85) ? Array(Self.names.prefix(4)) : Self.names
        guard let name = one(of: names) else { continue }
        var identification = Identification(
          id: newID(), occurrence: it.id, verbatimName: name.text)
        if name.hasTaxon, let taxon = view.resolve(name.text).taxon {
          identification.taxon = view.reference(to: taxon)
          identification.match = .exact
        }
        identification.qualifier = chance(20) ? "cf. \(text("qualifier", of: it.id))" : nil
        identification.cultivar = chance(20) ? text("cultivar", of: it.id) : nil
        identification.remarks = maybeText("why", of: it.id)
        identification.date = chance(50) ? try time() : nil
        records.append(.identification(identification))
      }
    }
    for target in places + events + organisms + seen where chance(30) {
      let note = newID()
      records.append(
        .note(Note(id: note, target: target, text: text("note", of: note), time: try maybeTime())))
      let id = newID()
      var measure = Measure(id: id, target: target, type: "x-\(text("type", of: id))", number: 7)
      measure.method = maybeText("method", of: id)
      measure.time = try maybeTime()
      records.append(.measure(measure))
    }
    let notes = records.compactMap { if case .note(let note) = $0 { note.id } else { nil } }
    for target in places + events + organisms + seen + notes where chance(25) {
      try addPhoto(of: target)
    }
  }

  private mutating func addPhoto(of target: JournalID) throws {
    let old = chance(15) ? one(of: files) : nil
    let position = position()
    let file = try old ?? newFile(position)
    var photo = Photo(id: newID(), target: target, file: file.file)
    photo.name = chance(80) ? text("file", of: photo.id) + ".jpg" : nil
    photo.caption = maybeText("caption", of: photo.id)
    photo.author = maybeText("author", of: photo.id)
    photo.source = maybeText("source", of: photo.id)
    photo.ordinal = chance(50) ? 1 : nil
    (photo.position, photo.time) = (position, try maybeTime())
    if old == nil { files.append(file) }
    records.append(.photo(photo))
  }

  /// A file of an image of its own, or rarely of the same one with something else written beside it.
  private mutating func newFile(_ position: Position?) throws -> PhotoFile {
    var sample = PhotoSample.full
    let camera = text("camera", of: JournalID())
    cameraTexts.append(camera)
    sample.image = [(0x010F, .text(camera)), (0x0110, .text("Camera 7"))]
    if let position {
      func ratios(_ value: Int) -> PhotoSample.Value {
        .ratios([(UInt32(value.magnitude), 10_000_000), (0, 1), (0, 1)])
      }
      sample.place = [
        (1, .text(position.latitudeE7 < 0 ? "S" : "N")), (2, ratios(position.latitudeE7)),
        (3, .text(position.longitudeE7 < 0 ? "W" : "E")), (4, ratios(position.longitudeE7)),
      ]
    }
    let number = chance(10) ? 0 : files.count + 1
    let file =
      switch number % 3 {
      case 0: sample.png(width: 100 + number)
      case 1: sample.webP(width: 100 + number)
      default: sample.jpeg(width: 100 + number)
      }
    return try PhotoFile(file, name: nil)
  }
}
