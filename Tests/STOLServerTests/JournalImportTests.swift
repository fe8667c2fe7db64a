import Foundation
import STOLJournal
import STOLSystem
import TestSupport
import Testing

@testable import STOLServer

/// Files that come into the journal: what would become of them, what is decided, and what is kept.
@Suite("Bringing files into the journal")
struct JournalImportTests {
  private let harness: JournalHarness

  init() throws { harness = try JournalHarness() }

  private static let header =
    "Submission ID,Common Name,Scientific Name,Taxonomic Order,Count,State/Province,County,"
    + "Location ID,Location,Latitude,Longitude,Date,Time,Protocol,Duration (Min),All Obs Reported,"
    + "Distance Traveled (km),Area Covered (ha),Number of Observers,Breeding Code,"
    + "Observation Details,Checklist Comments,ML Catalog Numbers\n"

  private static func row(_ submission: Int, _ name: String, count: String = "2") -> String {
    "S\(submission),,\(name),1,\(count),US-NY,Tompkins,L9,Woods,42.4,-76.45,"
      + "2022-12-0\(submission),06:05 AM,eBird - Casual Observation,,0,,,,,,,\n"
  }

  /// Names that are known, misspelt, several and unknown, and a count that is none.
  private static let table =
    header + row(1, "Felis number1") + row(2, "Ophrys apifora") + row(3, "Ophrys apifora")
    + row(4, "Orchis militarix") + row(5, "Quercus nobody") + row(6, "Felis number2", count: "many")

  private func send(_ text: String, name: String = "C:\\data\\MyEBirdData.csv") async throws
    -> Reply
  {
    try await harness.post(
      "/journal/import", [("action", "send")], SentFile(name: name, bytes: Array(text.utf8)))
  }

  private func state() async throws -> [String: Any] {
    try await harness.json("/journal/import.json")
  }

  private func sightings() async throws -> [[String: Any]] {
    try await harness.json("/journal.json")["sightings"] as? [[String: Any]] ?? []
  }

  @Test func aLookKeepsNothing() async throws {
    #expect(try await send(Self.table).status == 303)
    let found = try await state()
    #expect(found["state"] as? String == "waiting")
    #expect(found["file"] as? String == "MyEBirdData.csv")
    #expect(found["format"] as? String == "ebird")
    #expect(found["rowCount"] as? Int == 6)
    let outcomes = try #require(found["outcomes"] as? [[String: Any]])
    #expect(outcomes.reduce(0) { $0 + ($1["rowCount"] as? Int ?? 0) } == 6)
    let refused = (found["rows"] as? [[String: Any]] ?? []).filter {
      $0["outcome"] as? String == "refused"
    }
    let reason = try #require((refused.first?["reasons"] as? [[String: Any]])?.first)
    #expect(refused.count == 1 && refused[0]["line"] as? Int == 7)
    #expect(reason["column"] as? String == "Count" && reason["value"] as? String == "many")
    let page = try await harness.text("/journal/import")
    for word in ["Nothing of it is kept yet", "refused", "many", "Ophrys apifora, 2 rows"] {
      #expect(page.replacing(try Regex("</?bdi>"), with: "").contains(word), "\(word)")
    }
    #expect(!JournalFile.isPresent(in: harness.pages.services.directory))
    // Nor does a look into a journal that is there.
    _ = try harness.pages.services.journal.begun()
    #expect(try await send(Self.table).status == 303)
    #expect(try await sightings().isEmpty)
  }

  @Test func namesAreWhatWasDecidedAndNothingElse() async throws {
    _ = try await send(Self.table)
    let found = try await state()
    let questions = try #require(found["questions"] as? [[String: Any]])
    #expect(
      questions.compactMap { $0["name"] as? String } == [
        "Ophrys apifora", "Orchis militarix", "Quercus nobody",
      ])
    #expect(questions.compactMap { $0["rowCount"] as? Int } == [2, 1, 1])
    func candidates(_ place: Int) -> [[String: Any]] {
      (questions[place]["candidates"] as? [[String: Any]] ?? []).compactMap {
        $0["taxon"] as? [String: Any]
      }
    }
    let bee = try #require(
      candidates(0).first { $0["scientificName"] as? String == "Ophrys apifera" })
    #expect(!candidates(1).isEmpty && candidates(2).isEmpty)
    let upload = try #require(found["upload"] as? String)
    let fields = [
      ("action", "import"), ("upload", upload),
      ("name-\(questions[0]["key"] as? String ?? "")", bee["reference"] as? String ?? ""),
      ("name-\(questions[1]["key"] as? String ?? "")", ""),
      // What nobody has offered is not taken.
      ("name-\(questions[2]["key"] as? String ?? "")", bee["reference"] as? String ?? ""),
    ]
    #expect(try await harness.post("/journal/import", fields).status == 303)
    let names = try await sightings().map { sighting in
      "\(sighting["verbatimName"] as? String ?? ""): "
        + "\((sighting["taxon"] as? [String: Any])?["scientificName"] as? String ?? "-")"
    }
    #expect(
      names.sorted() == [
        "Felis number1: Felis number1", "Ophrys apifora: Ophrys apifera",
        "Ophrys apifora: Ophrys apifera", "Orchis militarix: -", "Quercus nobody: -",
      ])
    let done = try await state()
    #expect(done["state"] as? String == "done" && done["decidedNameCount"] as? Int == 1)
    let batch = try #require(done["batch"] as? Int)
    // A double click, and the page loaded again, are one import.
    #expect(try await harness.post("/journal/import", fields).status == 303)
    #expect(try await state()["batch"] as? Int == batch)
    #expect(try await sightings().count == 5)
    // The same file again is there already.
    _ = try await send(Self.table)
    let again = try await state()
    #expect(
      (again["outcomes"] as? [[String: Any]] ?? []).contains {
        $0["outcome"] as? String == "same" && $0["rowCount"] as? Int == 5
      }, "\(again["outcomes"] ?? "")")
    #expect(try await harness.text("/journal/import").contains("5 rows are there already"))
    // And all of it is undone as one.
    #expect(
      try await harness.post("/journal", [("action", "undo"), ("batch", "\(batch)")]).status == 303)
    #expect(try await sightings().isEmpty)
  }

  @Test func twoAtOnceAreOneImport() async throws {
    _ = try await send(Self.table)
    let upload = try #require(try await state()["upload"] as? String)
    let fields = [("action", "import"), ("upload", upload)]
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try await harness.post("/journal/import", fields).status }
      }
      for try await status in group { #expect(status == 303) }
    }
    #expect(try await sightings().count == 5)
    let journal = try #require(try harness.pages.services.journal.journal())
    let batches = try await journal.read { file, _ in try file.history().count }
    #expect(batches == 1)
  }

  @Test func anotherFileTakesThePlaceOfTheFirst() async throws {
    _ = try await send(Self.table)
    let first = try #require(try await state()["upload"] as? String)
    _ = try await send(Self.header + Self.row(1, "Felis number1"))
    let reply = try await harness.post(
      "/journal/import", [("action", "import"), ("upload", first)])
    #expect(reply.status == 409)
    #expect(try await state()["rowCount"] as? Int == 1)
    #expect(try await harness.post("/journal/import", [("action", "drop")]).status == 303)
    #expect(try await state()["state"] as? String == "none")
    for fields in [
      [("action", "import")], [("action", "import"), ("upload", first)],
      [("action", "look"), ("upload", first)],
    ] {
      #expect(try await harness.post("/journal/import", fields).status == 409)
    }
    #expect(try await harness.post("/journal/import", [("action", "send")]).status == 400)
    #expect(try await harness.post("/journal/import", [("action", "x")]).status == 400)
    #expect(!JournalFile.isPresent(in: harness.pages.services.directory))
  }

  @Test func aTableSaysWhatItsColumnsMean() async throws {
    let table = "tree,species,seen,height\n1,Felis number1,2024-05-04,3\n"
    _ = try await send(table, name: "trees.csv")
    let found = try await state()
    let upload = try #require(found["upload"] as? String)
    let page = try await harness.text("/journal/import")
    #expect(page.contains("What its columns mean"))
    #expect(!page.contains(harness.folder.path) && !page.contains("/tmp/"))
    let map = "species=name\nseen=date\nheight=height_cm:m\ntree=id\n=source=Orchard\n"
    #expect(
      try await harness.post(
        "/journal/import", [("action", "look"), ("upload", upload), ("map", map)]
      ).status == 303)
    let again = try await state()
    #expect(again["state"] as? String == "waiting", "\(again)")
    #expect(again["rowCount"] as? Int == 1)
    #expect(
      try await harness.post(
        "/journal/import",
        [("action", "import"), ("upload", again["upload"] as? String ?? "")]
      ).status == 303)
    #expect(try await sightings().count == 1)
  }

  @Test(arguments: [
    "", "\0\u{1}\u{2}", "PK\u{3}\u{4}", "SQLite format 3\0", "{\"a\":", "<gpx", "<html></html>",
    "a,b\n\"", "%PDF-1.4", "stol journal", "[]", "{}", "\u{FEFF}",
  ])
  func whatIsNoneIsRefused(text: String) async throws {
    let reply = try await send(text, name: "<script>.csv")
    #expect([303, 400].contains(reply.status))
    let found = try await state()
    #expect(found["state"] as? String != "done")
    let page = try await harness.text("/journal/import")
    #expect(!page.contains("<script>") && !page.contains("/tmp/"))
    #expect(!JournalFile.isPresent(in: harness.pages.services.directory))
  }
}
