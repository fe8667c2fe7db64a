import Foundation
import STOLData
import STOLJournal
import STOLPack
import STOLSystem
import TestSupport
import Testing

@testable import STOLServer

/// Pages of the journal over a small database, against what its records say.
@Suite("Journal pages")
struct JournalPagesTests {
  private let harness: JournalHarness
  private var pages: Pages { harness.pages }

  init() throws { harness = try JournalHarness() }

  private func get(_ target: String) async throws -> Reply { try await harness.get(target) }

  private func text(_ target: String) async throws -> String { try await harness.text(target) }

  private func json(_ target: String) async throws -> [String: Any] {
    try await harness.json(target)
  }

  private func post(_ target: String, _ fields: KeyValuePairs<String, String>) async throws -> Reply
  {
    try await harness.post(target, fields.map { ($0.key, $0.value) })
  }

  private func location(_ reply: Reply) throws -> String {
    #expect(reply.status == 303)
    return try #require(reply.fields.first { $0.name == "location" }?.value)
  }

  // MARK: - A random journal

  private struct Noted {
    var id: JournalID
    var name: String
    var position: Position?
    var day: Int
    var isDive: Bool
    var tag: String?
    var isOrchid: Bool { !name.hasPrefix("Felis") }
    var date: CivilDate { CivilDate(days: day) }
  }

  /// Fills the journal at random; what it holds.
  private func filled(_ count: Int, seed: UInt64) async throws -> [Noted] {
    var random = SeededGenerator(seed: seed)
    let names =
      (1...12).map { "Felis number\($0)" } + ["Ophrys apifera", "Orchis militaris"]
    let journal = try pages.services.journal.begun()
    var noted: [Noted] = []
    var records: [JournalRecord] = []
    for index in 0..<count {
      let day =
        CivilDate(year: 2023, month: 1, day: 1).days + Int.random(in: 0..<1000, using: &random)
      var event = Event(
        kind: Int.random(in: 0..<4, using: &random) == 0 ? .dive : .visit,
        start: try LocalTime(JournalWords.day(day)))
      // Some lie where the map turns around, some on each other, some nowhere.
      switch Int.random(in: 0..<5, using: &random) {
      case 0: event.position = nil
      case 1:
        event.position = Position(
          latitudeE7: 511_500_000 + Int.random(in: 0..<2000, using: &random),
          longitudeE7: -27_000_000)
      case 2:
        event.position = Position(
          latitudeE7: Int.random(in: -300_000_000...300_000_000, using: &random),
          longitudeE7: (Bool.random(using: &random) ? 1 : -1)
            * (1_800_000_000 - Int.random(in: 0..<20_000_000, using: &random)))
      default:
        event.position = Position(
          latitudeE7: Int.random(in: -900_000_000...900_000_000, using: &random),
          longitudeE7: Int.random(in: -1_800_000_000...1_800_000_000, using: &random))
      }
      if event.kind == .dive { event.dive = Dive() }
      var occurrence = Occurrence(event: event.id)
      let tag = index % 7 == 0 ? "veteran" : nil
      if let tag { occurrence.tags = [tag] }
      let name = try #require(names.randomElement(using: &random))
      let reading = try await journal.reading(of: name)
      records += [
        .event(event), .occurrence(occurrence),
        .identification(reading.identification(of: occurrence.id)),
      ]
      noted.append(
        Noted(
          id: occurrence.id, name: name, position: event.position, day: day,
          isDive: event.kind == .dive, tag: tag))
    }
    try await journal.save(records)
    return noted
  }

  @Test func lookingBeginsNoJournal() async throws {
    for route in JournalRoute.fixed {
      for form in route.forms {
        let reply = try await get(Address(.journal(route), form).path)
        #expect(reply.status == 200, "\(route)")
        #expect(reply.fields.contains { $0 == ("cache-control", "no-store") }, "\(route)")
      }
    }
    #expect(!JournalFile.isPresent(in: pages.services.directory))
    #expect(try await text("/journal").contains("stol journal demo"))
  }

  @Test func listsCountWhatFits() async throws {
    let noted = try await filled(300, seed: 1)
    let boxes = ["-10,-20,40,60", "-30,170,30,-170", "51,-3,52,-2", "-90,-180,90,180"]
    var filters: [(String, (Noted) -> Bool)] = [
      ("", { _ in true }), ("year=2024", { $0.date.year == 2024 }),
      ("month=5", { $0.date.month == 5 }), ("kind=dive", { $0.isDive }),
      ("tag=veteran", { $0.tag != nil }), ("taxon=orchids", { $0.isOrchid }),
      ("taxon=Felis+number3", { $0.name == "Felis number3" }),
      (
        "taxon=orchids&month=5&year=2024",
        { $0.isOrchid && $0.date.month == 5 && $0.date.year == 2024 }
      ),
      ("taxon=nothing+of+the+kind", { _ in false }),
      ("day=\(JournalWords.day(noted[0].day))", { $0.day == noted[0].day }),
    ]
    for box in boxes {
      let bounds = try #require(JournalFilter.bounds(box))
      filters.append(("box=\(box)", { $0.position.map(bounds.contains) ?? false }))
    }
    for (query, fits) in filters {
      let wanted = Set(noted.filter(fits).map { "\($0.id)" })
      var found: [String] = []
      var target: String? = "/journal.json?\(query)"
      while let page = target {
        let answer = try await json(page)
        #expect(answer["count"] as? Int == wanted.count, "\(query)")
        found += (answer["sightings"] as? [[String: Any]] ?? []).compactMap {
          $0["sighting"] as? String
        }
        target = (answer["next"] as? String).map { "/journal.json?\(query)&after=\($0)" }
      }
      #expect(found.count == wanted.count && Set(found) == wanted, "\(query)")
      // The page says the same number.
      let said = Words.count(wanted.count, "sighting", "sightings").capitalisedFirst
      #expect(try await text("/journal?\(query)").contains("\(said) in all"), "\(query)")
    }
    let facets = try #require(try await json("/journal.json")["facets"] as? [String: Any])
    for (name, key, count) in [
      ("years", "year", { (value: Int) in noted.filter { $0.date.year == value }.count }),
      ("months", "month", { (value: Int) in noted.filter { $0.date.month == value }.count }),
    ] {
      for facet in try #require(facets[name] as? [[String: Int]]) {
        #expect(facet["count"] == count(try #require(facet[key])), "\(name)")
      }
    }
  }

  @Test func theLifeListAndTheCalendarAreThoseOfTheRecords() async throws {
    let noted = try await filled(200, seed: 2)
    let life = try #require(try await json("/journal/life.json")["taxa"] as? [[String: Any]])
    let wanted = Dictionary(grouping: noted, by: \.name)
    #expect(life.count == wanted.count)
    for entry in life {
      let name = try #require((entry["taxon"] as? [String: Any])?["scientificName"] as? String)
      let days = try #require(wanted[name]).map(\.day)
      #expect(entry["sightingCount"] as? Int == days.count)
      #expect(entry["firstTime"] as? String == days.min().map { JournalWords.day($0) })
      #expect(entry["lastTime"] as? String == days.max().map { JournalWords.day($0) })
    }
    for year in 2022...2026 {
      let days = try #require(
        try await json("/journal/calendar.json?year=\(year)")["days"] as? [[String: Any]])
      let counts = Dictionary(grouping: noted.filter { $0.date.year == year }, by: \.day)
      #expect(days.count == counts.count)
      for day in days {
        let number = try LocalTime(try #require(day["day"] as? String)).firstDay
        #expect(day["sightingCount"] as? Int == counts[number]?.count)
      }
      // Each day that has any is a link to its list.
      let page = try await text("/journal/calendar?year=\(year)")
      for number in counts.keys {
        #expect(page.contains("\"/journal?day=\(JournalWords.day(number))\""))
      }
    }
  }

  @Test func marksOfAMapStandForAllThatIsThere() async throws {
    let noted = try await filled(400, seed: 3)
    var random = SeededGenerator(seed: 4)
    var views = [JournalMapView.world]
    for zoom in 0...22 {
      let spot = try #require(noted.compactMap(\.position).randomElement(using: &random))
      views.append(
        JournalMapView(latitude: spot.latitude, longitude: spot.longitude, zoom: zoom))
    }
    for view in views {
      let address = view.address(JournalFilter(), .json)
      let answer = try await json(address.text)
      // Numbers of an address are rounded; what counts is the view that it names.
      let named = try #require(JournalMapView(address.query))
      let bounds = try named.bounds()
      let there = noted.filter { $0.position.map(bounds.contains) ?? false }
      let marks = try #require(answer["marks"] as? [[String: Any]])
      #expect(answer["count"] as? Int == there.count, "\(view)")
      #expect(marks.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == there.count, "\(view)")
      let page = try await get(view.address(JournalFilter()).text)
      #expect(page.bytes.count <= 60_000, "\(view): \(page.bytes.count)")
      for mark in marks where mark["sighting"] is NSNull {
        // Looking nearer loses none of those that the mark stands for.
        let href = try #require(mark["href"] as? String)
        #expect(href != view.address(JournalFilter()).text)
        if href.hasPrefix("/journal/map?") {
          let nearer = try await json(href.replacing("/journal/map?", with: "/journal/map.json?"))
          let count = try #require(nearer["count"] as? Int)
          #expect(count >= (mark["count"] as? Int ?? 0), "\(view): \(href)")
        }
      }
    }
    // Without a view the map holds all that has a position.
    let all = try await json("/journal/map.json")
    #expect(all["count"] as? Int == noted.filter { $0.position != nil }.count)
  }

  @Test func whatIsNotedIsNoMarkup() async throws {
    let evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;"
    let journal = try pages.services.journal.begun()
    var place = Place(kind: .site, name: evil)
    (place.locality, place.waterBody, place.tags) = (evil, evil, [evil])
    place.position = Position(latitudeE7: 10_000_000, longitudeE7: 10_000_000)
    var person = Person(name: evil)
    person.id = JournalID()
    var event = Event(kind: .dive, start: try LocalTime("2025-05-04T10:00"))
    (event.place, event.weather, event.remarks, event.tags) = (place.id, evil, evil, [evil])
    event.protocol = evil
    event.persons = [Participant(person: person.id, role: .buddy)]
    var dive = Dive()
    dive.suit = evil
    event.dive = dive
    var organism = Organism()
    (organism.name, organism.place, organism.tags) = (evil, place.id, [evil])
    var seen = Occurrence(event: event.id)
    (seen.organism, seen.sex, seen.lifeStage, seen.behaviour) = (organism.id, evil, evil, evil)
    (seen.remarks, seen.tags) = (evil, [evil])
    let taxon = TaxonReference(
      idSpace: "other", id: evil, name: evil, authorship: evil, rank: evil, kingdoms: [])
    let identification = Identification(
      occurrence: seen.id, verbatimName: evil, taxon: taxon, match: .chosen)
    var measure = Measure(target: organism.id, type: "x-bark", text: evil)
    measure.time = try LocalTime("2025")
    try await journal.save([
      .place(place), .person(person), .event(event), .organism(organism), .occurrence(seen),
      .identification(identification),
      .identification(Identification(occurrence: seen.id, verbatimName: evil + "2")),
      .note(Note(target: seen.id, text: evil)), .measure(measure),
      .note(Note(target: organism.id, text: evil, time: try LocalTime("2025"))),
    ])
    let routes: [JournalRoute] =
      JournalRoute.fixed + [
        .sighting(seen.id), .event(event.id), .place(place.id), .organism(organism.id),
      ]
    let encoded = try #require(evil.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    for route in routes where route.forms.contains(.page) {
      for query in [
        "", "?taxon=\(encoded)&tag=\(encoded)", "?done=\(encoded)&batch=\(encoded)",
        "?when=\(encoded)",
      ] {
        let reply = try await get(Address(route).path + query)
        let page = String(decoding: reply.bytes, as: UTF8.self)
        #expect(!page.contains("<script>alert") && !page.contains("<img src=x"), "\(route)\(query)")
        // Nothing of it is in a title, which a browser keeps.
        let title = page.components(separatedBy: "<title>").last?.components(separatedBy: "<").first
        #expect(title?.contains("alert") == false, "\(route)")
        #expect(reply.fields.contains { $0 == ("cache-control", "no-store") })
      }
    }
    let form = try await post(
      "/journal/new",
      [
        "id": "\(JournalID())", "taxon": evil, "when": evil, "place": evil, "note": evil,
        "tags": evil, "at": evil, "kind": evil, "more": evil,
      ])
    #expect(form.status == 400)
    #expect(!String(decoding: form.bytes, as: UTF8.self).contains("<script>alert"))
  }

  // MARK: - New notes

  @Test func theSameFormTwiceIsOneRecord() async throws {
    let id = JournalID()
    let fields: KeyValuePairs = [
      "id": "\(id)", "kind": "walk", "taxon": "Ophrys apifera", "count": "3",
      "when": "2025-05-04 10:20",
      "at": "51.15, -2.7", "accuracy": "4", "place": "Marrow Hill", "note": "by the gate",
      "more": "Felis number2=2+\r\nOrchis militarus\r\n", "tags": "veteran, blossom",
    ]
    let first = try location(try await post("/journal/new", fields))
    #expect(first.hasPrefix("/journal/sighting/\(id)?done=new&batch="))
    let second = try location(try await post("/journal/new", fields))
    #expect(second == "/journal/sighting/\(id)?done=same")
    #expect(try await text(second).contains("there is one record of it"))
    let list = try await json("/journal.json")
    #expect(list["count"] as? Int == 3)
    let page = try await text(first)
    #expect(page.contains("The same again here") && page.contains("excellent, within 4 m"))
    // What is merely alike is kept as it was written, and a suggestion.
    let sightings = try #require(list["sightings"] as? [[String: Any]])
    let alike = try #require(
      sightings.first { $0["verbatimName"] as? String == "Orchis militarus" })
    #expect(alike["taxon"] is NSNull)
    let asked = try await text("/journal/sighting/\(try #require(alike["sighting"] as? String))")
    #expect(asked.contains("It is this") && asked.contains("not identified"))
    // One place, however often it is named.
    let again = try await post(
      "/journal/new",
      [
        "id": "\(JournalID())", "kind": "walk", "taxon": "Ophrys apifera", "when": "2025",
        "place": "Marrow Hill",
      ])
    #expect(again.status == 303)
    let journal = try #require(try pages.services.journal.journal())
    #expect(try await journal.places(PlaceQuery()).places.count == 1)
    // And all of it can be undone.
    let batch = try #require(first.components(separatedBy: "batch=").last)
    let refused = try await post("/journal", ["action": "undo", "batch": batch])
    #expect(refused.status == 409, "a later one is at the same place")
  }

  @Test func aTreeIsVisitedAgainInTwoTouches() async throws {
    let id = JournalID()
    let first = try await post(
      "/journal/new",
      [
        "id": "\(id)", "kind": "tree", "taxon": "Orchis militaris", "when": "2025-05-04",
        "at": "51.15, -2.7", "individual": "Row 1, tree 3", "measure": "girth=1.83m",
      ])
    #expect(first.status == 303)
    let form = try await text("/journal/new?again=\(id)")
    func value(_ name: String) throws -> String {
      let field = try #require(
        form.range(of: "name=\"\(name)\" value=\"[^\"]*\"", options: .regularExpression))
      return String(form[field].split(separator: "\"")[3])
    }
    let organism = try value("organism")
    let second = try value("id")
    #expect(second != "\(id)")
    let kept = try await post(
      "/journal/new",
      [
        "id": second, "kind": "tree", "taxon": "Orchis militaris", "when": try value("when"),
        "at": try value("at"), "organism": organism,
      ])
    #expect(try location(kept).hasPrefix("/journal/sighting/\(second)?done=new"))
    let tree = try await json("/journal/organism/\(organism).json")
    #expect((tree["sightings"] as? [Any])?.count == 2)
    let page = try await text("/journal/organism/\(organism)")
    #expect(page.contains("Row 1, tree 3") && page.contains("1830 mm"))
  }

  @Test func aDiveWithSixSpeciesIsOneForm() async throws {
    let id = JournalID()
    let kept = try await post(
      "/journal/new",
      [
        "id": "\(id)", "kind": "dive", "when": "2025-05-04 09:44", "depth": "12", "duration": "46",
        "tank": "12l,200-60bar,EAN32", "water": "28", "place": "Old Anchor",
        "taxon": "Felis number1",
        "more": (2...6).map { "Felis number\($0)=\($0)" }.joined(separator: "\n"),
      ])
    let target = try location(kept)
    #expect(target.hasPrefix("/journal/event/"))
    let page = try await text(target)
    for fact in ["12 m deep", "46 min", "200 to 60 bar", "EAN32", "Old Anchor", "Felis number6"] {
      #expect(page.contains(fact), "\(fact)")
    }
    #expect(try await json("/journal.json?kind=dive")["count"] as? Int == 6)
    #expect(try await text("/journal").contains("metres at the deepest"))
  }

  @Test func whatCannotBeIsSaidAndKeptInTheForm() async throws {
    let good: [String: String] = [
      "id": "\(JournalID())", "kind": "dive", "taxon": "Felis number1", "when": "2025-05-04",
      "at": "51, 2",
    ]
    for (name, value) in [
      ("id", "x"), ("taxon", "other:4"), ("when", ""), ("when", "yesterday"),
      ("when", "2025-02-30"),
      ("at", "here"), ("at", "91, 0"), ("accuracy", "x"), ("accuracy", "0"), ("count", "-1"),
      ("count", "many"),
      ("depth", "12x"), ("duration", "1km"), ("tank", "big"), ("water", "500"), ("privacy", "some"),
      ("more", "Felis=x"),
    ] {
      var form = Fields()
      for (key, known) in good where key != name { form.append(key, known) }
      form.append(name, value)
      let visit = Visit(address: Address(.journal(.new)), form: form, language: "en")
      let reply = await pages.reply(to: visit)
      let page = String(decoding: reply.bytes, as: UTF8.self)
      #expect(reply.status == 400, "\(name)=\(value)")
      #expect(page.contains("It is not kept yet"), "\(name)=\(value)")
      #expect(name == "when" || page.contains("value=\"2025-05-04\""), "\(name)=\(value)")
    }
    let journal = try pages.services.journal.begun()
    #expect(try await journal.sightings(SightingQuery()).sightings.isEmpty)
    #expect(try await journal.places(PlaceQuery()).places.isEmpty)
  }

  @Test func whatIsDeletedComesBack() async throws {
    let noted = try await filled(5, seed: 5)
    let id = noted[2].id
    let deleted = try location(try await post("/journal", ["action": "delete", "id": "\(id)"]))
    #expect(try await json("/journal.json")["count"] as? Int == 4)
    #expect(try await get("/journal/sighting/\(id)").status == 404)
    #expect(try await text(deleted).contains("Undo"))
    let batch = try #require(deleted.components(separatedBy: "batch=").last)
    let undone = try location(try await post("/journal", ["action": "undo", "batch": batch]))
    #expect(undone.hasPrefix("/journal?done=undone"))
    #expect(try await json("/journal.json")["count"] as? Int == 5)
    #expect(try await post("/journal", ["action": "undo", "batch": batch]).status == 409)
    for fields: KeyValuePairs<String, String> in [
      ["action": "undo"], ["action": "undo", "batch": "999999"], ["action": "delete", "id": "x"],
      ["action": "delete", "id": "\(JournalID())"], ["action": "identify", "id": "\(id)"], [:],
    ] {
      #expect([400, 404].contains(try await post("/journal", fields).status), "\(fields)")
    }
  }

  @Test func nothingOfTheJournalIsOnOtherPages() async throws {
    let journal = try pages.services.journal.begun()
    let event = Event(kind: .visit, start: try LocalTime("2025-05-04"))
    let seen = Occurrence(event: event.id)
    try await journal.save([
      .event(event), .occurrence(seen),
      .identification(Identification(occurrence: seen.id, verbatimName: "Zzyzx secretus")),
    ])
    for route in Route.fixed where route.forms.contains(.page) {
      if case .journal = route { continue }
      let reply = await pages.reply(
        to: Visit(address: Address(route), form: nil, language: "en"))
      #expect(!String(decoding: reply.bytes, as: UTF8.self).contains("secretus"), "\(route)")
    }
    #expect(try await text("/complete.json?q=zzy").contains("secretus") == false)
  }
}
