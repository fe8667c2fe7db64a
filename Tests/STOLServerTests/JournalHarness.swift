import Foundation
import STOLData
import STOLJournal
import STOLPack
import STOLSystem
import TestSupport
import Testing

@testable import STOLServer

/// Pages over a small database and a journal of their own, asked as a browser asks.
struct JournalHarness {
  let folder: TemporaryFolder
  let pages: Pages
  /// The species that there are, each with its family.
  static let species =
    (1...12).map { ("Felis number\($0)", "Felidae") }
    + ["Ophrys apifera", "Orchis militaris", "Dactylorhiza majalis"].map { ($0, "Orchidaceae") }

  init() throws {
    folder = try TemporaryFolder()
    var rows = Rows()
    let life = rows.add("Biota", "domain", "life")
    let animals = rows.add("Animalia", "kingdom", below: life, "animals")
    let families = [
      "Felidae": rows.add("Felidae", "family", below: animals, "cats"),
      "Orchidaceae": rows.add("Orchidaceae", "family", below: life, "orchids"),
    ]
    for (name, family) in Self.species {
      rows.add(name, "species", below: families[family])
    }
    let path = folder.path + "/small.stolpack"
    try rows.write(to: path)
    var options = Explorer.Options(
      directory: DataDirectory(override: folder.path + "/home"), version: "stol 0")
    options.packPath = path
    pages = Pages(services: try Services(options), token: "secret")
  }

  func get(_ target: String) async throws -> Reply {
    let parts = target.split(separator: "?", maxSplits: 1)
    let query = try #require(Fields(parsing: parts.dropFirst().first ?? ""))
    let address = try #require(Address(path: String(parts[0]), query: query), "\(target)")
    return await pages.reply(to: Visit(address: address, form: nil, language: "en"))
  }

  func text(_ target: String) async throws -> String {
    String(decoding: try await get(target).bytes, as: UTF8.self)
  }

  func json(_ target: String) async throws -> [String: Any] {
    let reply = try await get(target)
    #expect(reply.status == 200, "\(target)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(reply.bytes)) as? [String: Any], "\(target)")
  }

  func post(_ target: String, _ fields: [(String, String)], _ file: SentFile? = nil) async throws
    -> Reply
  {
    var form = Fields()
    for (name, value) in fields { form.append(name, value) }
    let address = try #require(Address(path: target))
    var visit = Visit(address: address, form: form, language: "en")
    visit.files = file.map { [$0] } ?? []
    return await pages.reply(to: visit)
  }

  /// The numbers of the table of a page that says what is in a file, by what stands beside them.
  static func counts(in page: String) throws -> [String: Int] {
    let table = try #require(
      page.split(separator: "<caption>In the file</caption>").dropFirst().first)
    let page = try #require(table.split(separator: "</table>").first)
    let rows = try Regex("<th scope=\"row\">(?:<bdi>)?([^<]*)(?:</bdi>)?</th><td>([0-9,]+)</td>")
    var counts: [String: Int] = [:]
    for match in page.matches(of: rows) {
      let what = String(match[1].substring ?? "")
      counts[what] = Int((match[2].substring ?? "").filter { $0 != "," })
    }
    return counts
  }

  /// What a hidden field of a page says.
  static func hidden(_ name: String, in page: String) throws -> String {
    let field = try Regex("<input type=\"hidden\" name=\"\(name)\" value=\"([^\"]*)\">")
    return String(try #require(page.firstMatch(of: field)?[1].substring, "\(name)"))
  }
}

extension Reply {
  /// All that is sent.
  var allBytes: [UInt8] {
    get throws {
      guard let spooled else { return bytes }
      return bytes + (try spooled.bytes(at: 0, limit: spooled.byteCount))
    }
  }
}

/// A random journal of all kinds of records, some of which others may not have.
struct RandomJournal {
  /// What was noted of a sighting.
  struct Noted {
    let name: String
    let kind: Event.Kind
    let time: LocalTime
    let event: JournalID
    /// The species; nil where it is not known.
    var species: String? { JournalHarness.species.first { $0.0 == name }?.0 }
    var family: String? {
      name == "Felidae" ? name : JournalHarness.species.first { $0.0 == name }?.1
    }
  }

  private(set) var noted: [Noted] = []
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func time() throws -> LocalTime {
    let first = CivilDate(year: 2021, month: 1, day: 1).days
    let day = JournalWords.day(first + Int.random(in: 0..<1500, using: &random))
    if chance(8) { return try LocalTime(String(day.prefix(4))) }
    if chance(12) { return try LocalTime(String(day.prefix(7))) }
    return try LocalTime(chance(50) ? day : day + "T09:44")
  }

  private mutating func position() -> Position? {
    guard chance(70) else { return nil }
    return Position(
      latitudeE7: Int.random(in: -890_000_000...890_000_000, using: &random),
      longitudeE7: Int.random(in: -1_790_000_000...1_790_000_000, using: &random),
      uncertaintyM: chance(50) ? 12 : nil)
  }

  private mutating func privacy() -> Privacy {
    chance(25) ? chance(50) ? .private : .obscured : .open
  }

  /// Notes so many events, each with some sightings.
  mutating func fill(_ journal: LocalJournal, eventCount: Int) async throws {
    var records: [JournalRecord] = []
    let ada = Person(name: "Ada, \"the first\"")
    records.append(.person(ada))
    var places: [JournalID] = []
    for number in 0..<4 {
      var place = Place(kind: number == 0 ? .area : .site, name: "Place \(number)")
      place.position = position()
      place.privacy = privacy()
      places.append(place.id)
      records.append(.place(place))
    }
    var trees: [JournalID] = []
    for number in 0..<3 {
      var organism = Organism()
      organism.name = "Tree \(number)"
      organism.position = position()
      organism.privacy = privacy()
      trees.append(organism.id)
      records.append(.organism(organism))
    }
    for number in 0..<eventCount {
      var event = Event(
        kind: [Event.Kind.visit, .dive, .survey, .planting].randomElement(using: &random) ?? .visit,
        start: try time())
      if event.kind == .dive {
        var dive = Dive()
        dive.durationS = Int.random(in: 600...4000, using: &random)
        dive.maxDepthMm = Int.random(in: 3000...40_000, using: &random)
        event.dive = dive
      }
      event.position = position()
      event.place = chance(40) ? places.randomElement(using: &random) : nil
      event.privacy = privacy()
      if chance(30) { event.persons = [Participant(person: ada.id, role: .observer)] }
      records.append(.event(event))
      if chance(30) {
        records.append(.note(Note(target: event.id, text: "note, \(number)\nof \"two\" lines")))
      }
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        var seen = Occurrence(event: event.id)
        seen.position = chance(30) ? position() : nil
        seen.organism = chance(15) ? trees.randomElement(using: &random) : nil
        seen.privacy = privacy()
        let name =
          chance(15)
          ? "Felidae" : JournalHarness.species.randomElement(using: &random)?.0 ?? ""
        let reading = try await journal.reading(of: name)
        records += [
          .occurrence(seen), .identification(reading.identification(of: seen.id)),
        ]
        noted.append(Noted(name: name, kind: event.kind, time: event.start, event: event.id))
        if chance(20) { records.append(.note(Note(target: seen.id, text: "seen, \(number)"))) }
      }
    }
    try await journal.save(records)
  }
}
