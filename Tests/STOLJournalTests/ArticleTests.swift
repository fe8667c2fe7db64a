import Foundation
import STOLData
import STOLPack
import Testing

@testable import STOLJournal

@Suite("From a walk to a journal")
struct ArticleTests {
  private static let source = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()

  @Test func theCodeOfTheArticleDoesWhatItSays() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let pack = try BundledDatabase.open()
    var wood = Place(kind: .site, name: "Beech Wood")
    wood.position = try Position(latitude: "42.45331", longitude: "-76.48070", uncertaintyM: 30)
    var walk = Event(kind: .visit, start: try LocalTime("2026-03-15T09:44"))
    walk.place = wood.id
    var oak = Occurrence(event: walk.id)
    (oak.count, oak.countKind) = (2, .exact)

    var reader = JournalNameReader()
    let view = pack.view
    let reading = reader.read("quercus robur", in: view)
    let name = reading.identification(of: oak.id)
    #expect(name.taxon?.name == "Quercus robur")

    let entry: [JournalRecord] = [
      .place(wood), .event(walk), .occurrence(oak), .identification(name),
    ]
    let saved = try journal.save(entry)
    let again = try journal.save(entry)
    #expect(saved.results == [.new, .new, .new, .new])
    #expect(again.batch == nil)

    var query = SightingQuery()
    query.bounds = try Bounds(
      southE7: 420_000_000, westE7: -770_000_000, northE7: 430_000_000, eastE7: -760_000_000)
    let (sightings, next) = try journal.sightings(query)
    let life = try journal.lifeList(SightingQuery(), in: pack)
    #expect(sightings.map(\.occurrence) == [oak.id] && next == nil)
    #expect(life.map(\.currentName) == ["Quercus robur"])

    let deletion = try journal.delete(walk.id)
    let undone = try journal.undo(batch: deletion.batch)
    #expect(deletion.deleted.contains(oak.id) && undone.undone == deletion.batch)
    #expect(try journal.check() == [])
  }

  @Test func theArticleHoldsTheCodeOfThisTest() throws {
    let root = (0..<3).reduce(Self.source) { url, _ in url.deletingLastPathComponent() }
    let article = try String(
      contentsOf: root.appending(path: "Sources/stol.docc/FromAWalkToAJournal.md"),
      encoding: .utf8)
    let code = Self.withoutIndentation(try String(contentsOf: Self.source, encoding: .utf8))
    let blocks = article.components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }.map(\.element)
    #expect(blocks.count == 5)
    for block in blocks {
      let wanted = Self.withoutIndentation(String(block.dropFirst("swift\n".count)))
      #expect(code.contains(wanted), "not in this test:\n\(block)")
    }
  }

  private static func withoutIndentation(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }
}
