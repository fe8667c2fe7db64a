import Foundation
import STOLData
import STOLJournal
import STOLSystem
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@testable import STOLServer

/// The life list on the tree of life, against the records and the plain life list.
@Suite("Life list on the tree")
struct JournalLifeTreeTests {
  private let harness: JournalHarness

  init() throws { harness = try JournalHarness() }

  @Test(arguments: [1, 2, 3] as [UInt64]) func countsAreThoseOfTheRecords(seed: UInt64) async throws
  {
    var random = RandomJournal(seed: seed)
    try await random.fill(try harness.pages.services.journal.begun(), eventCount: 60)
    let noted = random.noted.filter { $0.family != nil }
    for (query, wanted) in [
      ("", noted), ("?year=2022", noted.filter { $0.time.text.hasPrefix("2022") }),
      ("?taxon=cats", noted.filter { $0.family == "Felidae" }),
    ] {
      let answer = try await harness.json("/journal/life/tree.json\(query)")
      let names = Set(wanted.map(\.name))
      #expect(answer["count"] as? Int == names.count, "\(query)")
      let nodes = try #require(answer["nodes"] as? [[String: Any]])
      for node in nodes {
        let name = try #require(node["scientificName"] as? String)
        let inside = wanted.filter { noted in
          switch name {
          case "Biota": true
          case "Animalia": noted.family == "Felidae"
          default: noted.name == name || noted.family == name
          }
        }
        #expect(node["sightingCount"] as? Int == inside.count, "\(query) \(name)")
        #expect(node["taxonCount"] as? Int == Set(inside.map(\.name)).count, "\(query) \(name)")
        #expect(node["isSeen"] as? Bool == names.contains(name), "\(query) \(name)")
      }
      // Every taxon that was seen is drawn, and each of its families.
      let drawn = Set(nodes.compactMap { $0["scientificName"] as? String })
      #expect(names.union(wanted.compactMap(\.family)).isSubset(of: drawn), "\(query)")
      // The list beside the drawing says the same.
      let page = try await harness.text("/journal/life/tree\(query)")
      for node in nodes {
        let count = try #require(node["taxonCount"] as? Int)
        let sightings = Words.count(
          try #require(node["sightingCount"] as? Int), "sighting", "sightings")
        let fact = count > 1 ? "\(count) taxa, \(sightings)" : sightings
        #expect(page.contains(fact), "\(query): \(fact)")
        // What a node leads to is there, and another page than this one.
        let href = try #require(node["href"] as? String)
        #expect(try await harness.get(href).status == 200, "\(href)")
        #expect(href != "/journal/life/tree\(query)")
      }
    }
  }

  @Test func itIsADrawingToo() async throws {
    var random = RandomJournal(seed: 5)
    let empty = try await harness.get("/journal/life/tree.svg")
    #expect(empty.status == 200 && empty.contentType.hasPrefix("image/svg+xml"))
    try await random.fill(try harness.pages.services.journal.begun(), eventCount: 20)
    let reply = try await harness.get("/journal/life/tree.svg?format=narrow")
    #expect(XMLParser(data: Data(reply.bytes)).parse())
    #expect(String(decoding: reply.bytes, as: UTF8.self).contains("Felidae"))
    #expect(reply.fields.contains { $0 == ("cache-control", "no-store") })
    let page = try await harness.text("/journal/life")
    #expect(page.contains("/journal/life/tree\""))
    // A taxon of no database is counted, and not drawn.
    let journal = try harness.pages.services.journal.begun()
    let event = Event(kind: .visit, start: try LocalTime("2025-05-04"))
    let seen = Occurrence(event: event.id)
    try await journal.save([
      .event(event), .occurrence(seen),
      .identification(
        Identification(
          occurrence: seen.id, verbatimName: "Nessie",
          taxon: .init(
            idSpace: "lake", id: "1", name: "Nessiteras rhombopteryx", authorship: "",
            rank: "species", kingdoms: []), match: .chosen)),
    ])
    #expect(try await harness.json("/journal/life/tree.json")["absentCount"] as? Int == 1)
  }
}
