import GRDB
package import STOLPack

/// A made-up journal for trying out: an orchard over two years, and a dive trip.
package struct DemoJournal: ~Copyable {
  private let pack: Pack
  private var reader = JournalNameReader()
  private var made: [JournalRecord] = []

  private init(_ pack: Pack) { self.pack = pack }

  /// All of its records, the same each time; what they are, a pack says.
  ///
  /// - Throws: `JournalError`, where a time that is written here is none.
  package static func records(in pack: Pack) throws(JournalError) -> [JournalRecord] {
    var demo = DemoJournal(pack)
    try demo.addOrchard()
    try demo.addDives()
    return demo.made
  }

  private func id(_ label: String) -> JournalID {
    JournalID(hashing: "stol journal demo: \(label)".utf8)
  }

  /// Adds an occurrence and what it is taken for.
  private mutating func see(
    _ name: String, in event: Event, as label: String = "", cultivar: String? = nil,
    _ state: (inout Occurrence) -> Void = { _ in }
  ) {
    var seen = Occurrence(id: event.id.derived(name + label), event: event.id)
    state(&seen)
    let pack = pack
    let view = pack.view
    var identification = reader.read(name, in: view)
      .identification(of: seen.id, id: seen.id.derived("identification"))
    identification.cultivar = cultivar
    made += [.occurrence(seen), .identification(identification)]
  }

  private mutating func note(
    _ text: String, on target: JournalID, _ time: String
  ) throws(JournalError) {
    made.append(
      .note(
        Note(id: target.derived(text), target: target, text: text, time: try LocalTime(time))))
  }

  // MARK: - The orchard

  private static let trees = [
    (
      name: "Row 1, tree 1", species: "Malus domestica", cultivar: "Discovery" as String?,
      planted: "2012-11"
    ),
    (
      name: "Row 1, tree 2", species: "Malus domestica", cultivar: "Egremont Russet",
      planted: "2012-11"
    ),
    (name: "Row 1, tree 3", species: "Pyrus communis", cultivar: "Conference", planted: "2013-02"),
    (name: "Row 2, tree 1", species: "Prunus domestica", cultivar: "Victoria", planted: "2013-02"),
    (name: "Row 2, tree 2", species: "Prunus avium", cultivar: nil, planted: "2013-02"),
    (name: "By the gate", species: "Juglans regia", cultivar: nil, planted: "1978"),
  ]

  private mutating func addOrchard() throws(JournalError) {
    let collection = JournalCollection(id: id("Orchard"), name: "Orchard")
    var place = Place(id: id("Marrow Hill"), kind: .site, name: "Marrow Hill Orchard")
    place.position = Position(
      latitudeE7: 511_500_000, longitudeE7: -27_000_000, uncertaintyM: 50)
    (place.country, place.tags) = ("GB", ["orchard"])
    made += [.collection(collection), .place(place)]
    var organisms: [Organism] = []
    for (index, tree) in Self.trees.enumerated() {
      var organism = Organism(id: id(tree.name))
      (organism.name, organism.place, organism.status) = (tree.name, place.id, .alive)
      organism.planted = try LocalTime(tree.planted)
      organism.position = Position(
        latitudeE7: 511_500_000 + 700 * (index / 3), longitudeE7: -27_000_000 + 900 * (index % 3),
        uncertaintyM: 4)
      organism.collections = [collection.id]
      organisms.append(organism)
      made.append(.organism(organism))
    }
    let visits = [
      (start: "2024-04-21T10:30", weather: "sun, light wind"),
      (start: "2025-04-13T09:50", weather: "fog until ten"),
      (start: "2025-09-20T15:10", weather: "warm and still"),
    ]
    for visit in visits {
      var event = Event(id: id(visit.start), kind: .visit, start: try LocalTime(visit.start))
      (event.place, event.utcOffsetMin, event.weather) = (place.id, 60, visit.weather)
      made.append(.event(event))
      for (tree, organism) in zip(Self.trees, organisms) {
        see(tree.species, in: event, as: tree.name, cultivar: tree.cultivar) {
          ($0.organism, $0.establishment) = (organism.id, .cultivated)
        }
      }
      see("Apis mellifera", in: event) { ($0.count, $0.countKind) = (40, .about) }
      see("Osmia sp.", in: event) { ($0.count, $0.countKind) = (3, .least) }
    }
    let autumn = Event(id: id(visits[2].start), kind: .visit, start: try LocalTime(visits[2].start))
    // Written wrong, so that there is a name to decide.
    see("Coccinela septempunctata", in: autumn)
    try note("In full blossom", on: organisms[0].id, "2024-04-21")
    try note("Frost has taken half of the blossom", on: organisms[3].id, "2025-04-13")
    try note("31 kg of apples", on: organisms[0].id, "2025-09-20")
  }

  // MARK: - The dive trip

  private mutating func addDives() throws(JournalError) {
    let region = Place(id: id("Amber Sea"), kind: .region, name: "Amber Sea")
    made.append(.place(region))
    var sites: [JournalID] = []
    for (index, name) in ["Lantern Wall", "Turtle Garden", "Old Anchor"].enumerated() {
      var site = Place(id: id(name), kind: .site, name: name)
      site.position = Position(
        latitudeE7: 71_000_000 + 90_000 * index, longitudeE7: 1_340_000_000, uncertaintyM: 100)
      (site.parent, site.waterBody) = (region.id, "Philippine Sea")
      // Nobody has dived there yet.
      if index == 2 { site.states = [.wishlist] }
      sites.append(site.id)
      made.append(.place(site))
    }
    var trip = Event(id: id("trip"), kind: .trip, start: try LocalTime("2025-03-10"))
    (trip.end, trip.place) = (try LocalTime("2025-03-12"), region.id)
    made.append(.event(trip))
    let dives = [
      (site: 0, start: "2025-03-10T09:44", minutes: 52, depthM: 27, endBar: 60),
      (site: 1, start: "2025-03-10T14:05", minutes: 61, depthM: 14, endBar: 80),
      (site: 1, start: "2025-03-11T09:30", minutes: 58, depthM: 16, endBar: 70),
      (site: 0, start: "2025-03-12T10:10", minutes: 47, depthM: 31, endBar: 55),
    ]
    for (index, dive) in dives.enumerated() {
      var event = Event(id: id(dive.start), kind: .dive, start: try LocalTime(dive.start))
      (event.parent, event.place, event.utcOffsetMin) = (trip.id, sites[dive.site], 540)
      var log = Dive()
      (log.number, log.mode, log.durationS) = (index + 1, .openCircuit, dive.minutes * 60)
      (log.maxDepthMm, log.meanDepthMm) = (dive.depthM * 1000, dive.depthM * 550)
      (log.waterMinCk, log.waterMaxCk, log.visibilityCm) = (30_115, 30_215, 2_500)
      var tank = Dive.Tank()
      (tank.volumeMl, tank.startMbar, tank.endMbar) = (12_000, 200_000, dive.endBar * 1000)
      tank.o2Permille = 320
      log.tanks = [tank]
      event.dive = log
      made.append(.event(event))
      see("Chelonia mydas", in: event) {
        ($0.count, $0.countKind) = (dive.site == 1 ? 3 : 1, .exact)
        $0.minDepthMm = 6_000
      }
      see(dive.site == 1 ? "Amphiprion ocellaris" : "Carcharhinus amblyrhynchos", in: event) {
        ($0.count, $0.countKind) = (4, .least)
      }
      see("Pterois volitans", in: event) { $0.presence = index == 3 ? .present : .absent }
    }
    try note("Strong current at the corner; turned at 31 m", on: id(dives[3].start), "2025-03-12")
  }
}

extension JournalFile {
  /// Whether there are live records but for some.
  package func hasLiveRecords(but ids: Set<JournalID>) throws -> Bool {
    try read { database in
      let cursor = try Row.fetchCursor(
        database, sql: "SELECT uuid FROM record WHERE deleted_ms IS NULL")
      while let row = try cursor.next() {
        if try !ids.contains(row.uuid("uuid")) { return true }
      }
      return false
    }
  }
}
