import Foundation
import STOLJournal
import STOLSystem
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@testable import STOLServer

/// What a map shows besides what was seen, how it names that, and what is kept of it.
@Suite("Maps of the journal")
struct JournalMapTests {
  private let harness: JournalHarness

  init() throws { harness = try JournalHarness() }

  /// Notes some trees, apart from each other, and places of which every other one is on the wishlist.
  private func fill() async throws -> (places: [Place], journal: LocalJournal) {
    let journal = try harness.pages.services.journal.begun()
    var records: [JournalRecord] = []
    for (index, name) in [
      "Felis number1", "Felis number2 'Golden Paw'", "Felis nowhere",
    ].enumerated() {
      var event = Event(kind: .visit, start: try LocalTime("2025-05-04"))
      event.position = Position(
        latitudeE7: 100_000_000 + index * 100_000_000, longitudeE7: index * 200_000_000)
      let seen = Occurrence(event: event.id)
      var identification = try await journal.reading(of: name).identification(of: seen.id)
      if index == 1 {
        // Animals have no cultivars unless somebody says so.
        let taxon = try await journal.reading(of: "Felis number2").taxon
        (identification.taxon, identification.match) = (taxon, .chosen)
      }
      records += [.event(event), .occurrence(seen), .identification(identification)]
    }
    var places: [Place] = []
    for index in 0..<8 {
      var place = Place(kind: .site, name: "Site \(index)")
      place.position = Position(
        latitudeE7: -300_000_000 + index * 80_000_000,
        longitudeE7: -1_200_000_000 + index * 160_000_000)
      if index % 2 == 0 { place.states = [.wishlist] }
      places.append(place)
    }
    places.append(Place(kind: .site, name: "Nowhere"))
    try await journal.save(records + places.map { .place($0) })
    return (places, journal)
  }

  private func marks(_ target: String) async throws -> [[String: Any]] {
    try await harness.json(target)["marks"] as? [[String: Any]] ?? []
  }

  @Test func pinsAreNamedBySpeciesOrAsTheyWereWritten() async throws {
    _ = try await fill()
    func names(_ query: String) async throws -> Set<String> {
      Set(try await marks("/journal/map.json\(query)").compactMap { $0["name"] as? String })
    }
    #expect(try await names("") == ["Felis number1", "Felis number2"])
    #expect(
      try await names("?label=variety") == ["Felis number1", "Golden Paw", "Felis nowhere"])
    #expect(try await names("?label=nonsense") == ["Felis number1", "Felis number2"])
    let page = try await harness.text("/journal/map?label=variety")
    #expect(page.contains("Golden Paw"))
    // The switch leads back, and every link of the map keeps what was chosen.
    #expect(page.contains(">Species</a>"))
    let moves = page.matches(
      of: try Regex("<a class=\"button\" href=\"(/journal/map[^\"]*)\"")
    ).compactMap { $0[1].substring }
    #expect(!moves.isEmpty && moves.allSatisfy { $0.contains("label=variety") }, "\(moves)")
  }

  @Test func placesAndTheWishlistAreOnTheMap() async throws {
    let (places, _) = try await fill()
    for (query, wanted) in [
      ("show=places", places.filter { $0.position != nil }),
      ("show=wishlist", places.filter { $0.states.contains(.wishlist) }),
    ] {
      let answer = try await harness.json("/journal/map.json?\(query)")
      #expect(answer["count"] as? Int == wanted.count, "\(query)")
      var found: Set<String> = []
      for mark in answer["marks"] as? [[String: Any]] ?? [] {
        guard let id = mark["place"] as? String else { continue }
        found.insert(id)
        let place = try #require(places.first { "\($0.id)" == id })
        #expect(mark["name"] as? String == place.name)
        #expect(
          mark["shape"] as? String == (place.states.contains(.wishlist) ? "wish" : "place"))
        #expect(mark["href"] as? String == "/journal/place/\(id)")
      }
      #expect(found == Set(wanted.map { "\($0.id)" }), "\(query)")
      let page = try await harness.text("/journal/map?\(query)")
      #expect(
        page.contains("\(Words.count(wanted.count, "place", "places").capitalisedFirst) on this"))
      #expect(page.contains("Site 0") && !page.contains("Nowhere<"))
    }
    // The world, and each part of it, has the places that are there.
    for zoom in [0, 2, 4] {
      let view = JournalMapView(latitude: 0, longitude: -120, zoom: zoom)
      let bounds = try view.bounds()
      let there = places.filter { $0.position.map(bounds.contains) ?? false }
      let address = view.address(JournalFilter(), .json, MapChoice().with { $0.subject = .places })
      #expect(try await harness.json(address.text)["count"] as? Int == there.count, "\(zoom)")
    }
  }

  @Test func theDrawingIsAFileOfItsOwn() async throws {
    _ = try await fill()
    for query in ["", "?show=places", "?label=variety", "?at=0,0&z=0", "?size=small&spot=1,2"] {
      let reply = try await harness.get("/journal/map.svg\(query)")
      #expect(reply.status == 200 && reply.contentType.hasPrefix("image/svg+xml"))
      #expect(reply.fields.contains { $0 == ("cache-control", "no-store") })
      #expect(XMLParser(data: Data(reply.bytes)).parse(), "\(query)")
      let text = String(decoding: reply.bytes, as: UTF8.self)
      #expect(!text.contains("<a ") && !text.contains("href"), "\(query)")
      #expect(text.contains("http://www.w3.org/2000/svg"))
    }
    #expect(try await harness.text("/journal/map.svg").contains(">Felis number1<"))
    #expect(!(try await harness.text("/journal/map.svg?size=small").contains(">Felis number1<")))
  }

  @Test func aMapIsKeptForTheNextTimeWhereSomebodySaysSo() async throws {
    _ = try await fill()
    let all = try await harness.json("/journal/map.json")["zoom"] as? Int
    func keep(_ map: String) async throws -> Reply {
      try await harness.post("/journal/map", [("action", "keep"), ("map", map)])
    }
    #expect(
      try await keep("at=10,20&z=7&show=places&label=variety&lang=x&nonsense=1").status == 303)
    let kept = try await harness.json("/journal/map.json")
    #expect(kept["zoom"] as? Int == 7 && kept["show"] as? String == "places")
    let page = try await harness.text("/journal/map")
    #expect(page.contains("Begin with all of mine"))
    // Whoever asks for another one gets it.
    #expect(try await harness.json("/journal/map.json?at=0,0&z=3")["zoom"] as? Int == 3)
    #expect(try await harness.json("/journal/map.json?fit=all")["zoom"] as? Int == all)
    // It is in the journal, and nowhere else.
    let journal = try #require(try harness.pages.services.journal.journal())
    let text = try await journal.read { file, _ in try file.setting("explorer_map") }
    #expect(text == "at=10,20&z=7&show=places&label=variety")
    for map in ["", "z=3", "at=91,0&z=3", "at=1,2"] {
      #expect(try await keep(map).status == 400, "\(map)")
    }
    #expect(try await harness.post("/journal/map", [("action", "x")]).status == 400)
    #expect(try await harness.post("/journal/map", [("action", "forget")]).status == 303)
    #expect(try await harness.json("/journal/map.json")["zoom"] as? Int == all)
  }
}
