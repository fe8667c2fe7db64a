import Foundation
import STOLJournal
import STOLSystem
import Testing

@testable import STOLServer

/// The numbers of the journal against what is counted in its notes one by one.
@Suite("Statistics of the journal")
struct JournalStatisticsTests {
  private typealias Noted = RandomJournal.Noted

  @Test(arguments: 0..<8)
  func numbersAreThoseOfTheNotes(seed: Int) async throws {
    let harness = try JournalHarness()
    var random = RandomJournal(seed: UInt64(seed + 100))
    try await random.fill(try harness.pages.services.journal.begun(), eventCount: 80)
    let filters: [(String, (Noted) -> Bool)] = [
      ("", { _ in true }), ("taxon=orchids", { $0.family == "Orchidaceae" }),
      ("taxon=Felis+number3", { $0.name == "Felis number3" }),
      ("kind=dive", { $0.kind == .dive }),
      ("year=2022&taxon=cats", { $0.family == "Felidae" && Self.year($0) == 2022 }),
      ("from=2022&to=2023", { (2022...2023).contains(Self.year($0)) }),
      ("taxon=nothing+of+the+kind", { _ in false }),
    ]
    for (query, fits) in filters {
      let noted = random.noted.filter(fits)
      let found = try await harness.json("/journal/statistics.json?\(query)")
      let page = try await harness.text("/journal/statistics?\(query)")
      #expect(found["sightingCount"] as? Int == noted.count, "\(query)")
      #expect(found["speciesCount"] as? Int == Self.species(noted), "\(query)")
      #expect(
        found["otherSightingCount"] as? Int == noted.count { $0.species == nil }, "\(query)")
      check(found["years"], "year", noted, query) { Self.year($0) }
      check(found["months"], "month", noted, query) { Self.month($0) }
      check(found["occasions"], "kind", noted, query) { $0.kind.rawValue }
      // What was new in a year was in none before.
      var known: Set<String> = []
      for year in found["years"] as? [[String: Int]] ?? [] {
        let seen = Set(noted.filter { Self.year($0) == year["year"] }.compactMap(\.species))
        #expect(year["newSpeciesCount"] == seen.subtracting(known).count, "\(query)")
        known.formUnion(seen)
        #expect(
          page.contains(">\(year["year"] ?? 0)</a></th><td>\(year["speciesCount"] ?? 0)</td>"),
          "\(query)")
      }
      // By the end of each day.
      let growth = found["growth"] as? [[String: Any]] ?? []
      let days = Set(Self.firstDays(noted).values)
      #expect(growth.count == days.count, "\(query)")
      for step in growth {
        let day = try LocalTime(try #require(step["day"] as? String)).firstDay
        let count = Self.firstDays(noted).values.count { $0 <= day }
        #expect(step["speciesCount"] as? Int == count && days.contains(day), "\(query)")
      }
      #expect(page.contains("frame bars") == !noted.isEmpty, "\(query)")
    }
    let all = try await harness.json("/journal/statistics.json")
    let events = Dictionary(grouping: random.noted, by: \.kind).mapValues { Set($0.map(\.event)) }
    for occasion in all["occasions"] as? [[String: Any]] ?? [] {
      let kind = try #require(Event.Kind(rawValue: occasion["kind"] as? String ?? ""))
      // Some have no sightings at all.
      #expect((occasion["eventCount"] as? Int ?? 0) >= events[kind]?.count ?? 0)
    }
    let total = (all["occasions"] as? [[String: Any]] ?? []).reduce(0) {
      $0 + ($1["eventCount"] as? Int ?? 0)
    }
    #expect(total == 80)
  }

  private static func year(_ noted: Noted) -> Int { Int(noted.time.text.prefix(4)) ?? 0 }

  private static func month(_ noted: Noted) -> Int? {
    noted.time.text.utf8.count < 7 ? nil : Int(noted.time.text.dropFirst(5).prefix(2))
  }

  private static func species(_ noted: [Noted]) -> Int { Set(noted.compactMap(\.species)).count }

  /// The first day of each species; of a month or a year the first one of that.
  private static func firstDays(_ noted: [Noted]) -> [String: Int] {
    var days: [String: Int] = [:]
    for one in noted {
      guard let species = one.species else { continue }
      days[species] = min(days[species] ?? .max, one.time.firstDay)
    }
    return days
  }

  private func check<Key: Hashable>(
    _ value: Any?, _ name: String, _ noted: [Noted], _ query: String, by key: (Noted) -> Key?
  ) {
    let wanted = Dictionary(grouping: noted.filter { key($0) != nil }, by: key)
    let rows = value as? [[String: Any]] ?? []
    var sum = 0
    for row in rows {
      let group = (row[name] as? Key).flatMap { wanted[$0] } ?? []
      #expect(row["sightingCount"] as? Int == group.count, "\(query) \(name)")
      #expect(row["speciesCount"] as? Int == Self.species(group), "\(query) \(name)")
      sum += group.count
    }
    #expect(sum == noted.count { key($0) != nil }, "\(query) \(name)")
  }
}
