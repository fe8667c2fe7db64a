import Foundation
import STOLJournal
import STOLSystem
import TestSupport
import Testing

@testable import STOLServer

/// Records in collections: put there and taken out on their pages, listed and drawn on pages of collections.
@Suite("Collections")
struct JournalCollectionTests {
  private let harness: JournalHarness

  init() throws { harness = try JournalHarness() }

  private func post(_ fields: KeyValuePairs<String, String>) async throws -> Reply {
    try await harness.post("/journal/collections", fields.map { ($0.key, $0.value) })
  }

  private func location(_ reply: Reply) throws -> String {
    #expect(reply.status == 303)
    return try #require(reply.fields.first { $0.name == "location" }?.value)
  }

  @Test func recordsComeIntoCollectionsAndLeaveThem() async throws {
    let journal = try harness.pages.services.journal.begun()
    var place = Place(kind: .site, name: "Marrow Hill")
    place.position = Position(latitudeE7: 511_500_000, longitudeE7: -27_000_000)
    var event = Event(kind: .visit, start: try LocalTime("2025-05-04"))
    event.place = place.id
    var tree = Organism()
    tree.name = "Row 1"
    var (seen, other) = (Occurrence(event: event.id), Occurrence(event: event.id))
    seen.organism = tree.id
    other.position = Position(latitudeE7: 0, longitudeE7: 10_000_000)
    try await journal.save([
      .place(place), .event(event), .organism(tree), .occurrence(seen), .occurrence(other),
      .identification(Identification(occurrence: seen.id, verbatimName: "Felis number1")),
    ])
    // Of each kind one, in one collection, however often it is put there.
    for id in [place.id, event.id, tree.id, seen.id] {
      let target = try location(
        try await post(["action": "add", "id": "\(id)", "name": "Orchard"]))
      #expect(target.contains("\(id)?done=collected&batch="))
      let page = try await harness.text(target)
      #expect(page.contains(">Orchard<") && page.contains("Take it out") && page.contains("Undo"))
      let again = try location(try await post(["action": "add", "id": "\(id)", "name": "Orchard"]))
      #expect(again.hasSuffix("done=collected"), "nothing has changed")
    }
    let list = try #require(
      try await harness.json("/journal/collections.json")["collections"] as? [[String: Any]])
    #expect(list.count == 1 && list[0]["recordCount"] as? Int == 4)
    let id = try #require(list[0]["collection"] as? String)
    #expect(try await harness.text("/journal/collections").contains("4 records"))
    let answer = try await harness.json("/journal/collection/\(id).json")
    #expect((answer["records"] as? [Any])?.count == 4)
    // What was seen on an event that is in it is in it too.
    #expect((answer["sightings"] as? [Any])?.count == 2)
    #expect(try await harness.json("/journal.json?collection=\(id)")["count"] as? Int == 2)
    #expect(try await harness.json("/journal/map.json?collection=\(id)")["count"] as? Int == 2)
    let page = try await harness.text("/journal/collection/\(id)")
    for text in ["Orchard", "Marrow Hill", "Row 1", "Visit on 4 May 2025", "Felis number1"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(page.contains("<svg class=\"picture ground\""))
    #expect(try await harness.text("/journal?collection=\(id)").contains("of a collection"))
    // Taken out again, and that undone.
    let out = try location(
      try await post(["action": "remove", "id": "\(event.id)", "collection": id]))
    #expect(out.contains("done=released&batch="))
    #expect(try await harness.json("/journal.json?collection=\(id)")["count"] as? Int == 1)
    let batch = try #require(out.components(separatedBy: "batch=").last)
    _ = try await harness.post("/journal", [("action", "undo"), ("batch", batch)])
    #expect(try await harness.json("/journal.json?collection=\(id)")["count"] as? Int == 2)
    // Deleted, it lets go of what is in it.
    _ = try await harness.post("/journal", [("action", "delete"), ("id", id)])
    #expect(try await harness.get("/journal/collection/\(id)").status == 404)
    #expect(try await harness.get("/journal?collection=\(id)").status == 404)
    #expect(try await harness.json("/journal.json")["count"] as? Int == 2)
  }

  @Test func whatCannotBeIsRefusedAndBeginsNothing() async throws {
    #expect(try await post(["action": "add", "id": "x", "name": "y"]).status == 404)
    let journal = try harness.pages.services.journal.begun()
    let event = Event(kind: .visit, start: try LocalTime("2025-05-04"))
    let note = Note(target: event.id, text: "x")
    try await journal.save([.event(event), .note(note)])
    for (fields, status) in [
      (["action": "add", "id": "x", "name": "y"], 400),
      (["action": "add", "id": "\(event.id)", "name": " "], 400),
      (["action": "add", "id": "\(event.id)", "name": String(repeating: "x", count: 1025)], 400),
      (["action": "add", "id": "\(JournalID())", "name": "y"], 404),
      (["action": "add", "id": "\(note.id)", "name": "y"], 409),
      (["action": "remove", "id": "\(event.id)", "collection": "x"], 400),
      (["action": "x", "id": "\(event.id)"], 400), ([:], 400),
    ] as [(KeyValuePairs<String, String>, Int)] {
      #expect(try await post(fields).status == status, "\(fields)")
    }
    let answer = try await harness.json("/journal/collections.json")
    #expect((answer["collections"] as? [Any])?.isEmpty == true)
    let gone = try await post([
      "action": "remove", "id": "\(event.id)", "collection": "\(JournalID())",
    ])
    #expect(try location(gone).hasSuffix("done=released"))
  }
}
