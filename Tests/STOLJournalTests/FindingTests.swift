import STOLData
import TestSupport
import Testing

@testable import STOLJournal

@Suite("What may be wrong, and is kept")
struct FindingTests {
  /// The findings of records, as kind, field and value.
  private func findings(
    _ records: [JournalRecord], _ change: (JournalFile) throws -> Void = { _ in }
  ) throws -> [String] {
    let journal = try TestJournal().open()
    try change(journal)
    try journal.save(records)
    #expect(try journal.check() == [])
    return try journal.findings().map { "\($0.kind.rawValue) \($0.field) \($0.value)" }
  }

  private func dive(_ change: (inout Dive) -> Void) throws -> [JournalRecord] {
    var event = Event(kind: .dive, start: try LocalTime("2020-03-15"))
    var dive = Dive()
    change(&dive)
    event.dive = dive
    return [.event(event)]
  }

  @Test func nothingIsFoundWhereNothingIsOdd() throws {
    var records = try Walk().records
    records += try dive {
      ($0.maxDepthMm, $0.waterMinCk, $0.waterMaxCk) = (130_000, 27_115, 30_915)
    }
    #expect(
      try findings(
        records.map { record -> JournalRecord in
          // The walk is in a year that is still to come by the clock of tests.
          if case .event(var event) = record, event.kind == .visit {
            event.start = try LocalTime("2020-03-15T09:44")
            return .event(event)
          }
          if case .occurrence(var occurrence) = record {
            occurrence.time = nil
            return .occurrence(occurrence)
          }
          if case .note(var note) = record {
            note.time = nil
            return .note(note)
          }
          if case .place(var place) = record {
            place.position?.uncertaintyM = 19
            return .place(place)
          }
          return record
        }) == [])
  }

  @Test func nullIslandIsFound() throws {
    func place(_ latitude: Int, _ longitude: Int) -> JournalRecord {
      var place = Place(kind: .site, name: "a")
      place.position = Position(latitudeE7: latitude, longitudeE7: longitude)
      return .place(place)
    }
    var tree = Organism()
    tree.position = Position(latitudeE7: 0, longitudeE7: 0, uncertaintyM: 5)
    let records = [place(0, 1), place(0, 0), place(1, 0), .organism(tree)]
    #expect(
      try findings(records) == ["nullIsland latitude 0,0", "nullIsland latitude 0,0"])
  }

  @Test func measuresThatCanHardlyBeAreFound() throws {
    let tree = Organism()
    func measures(_ all: (String, Int)...) -> [JournalRecord] {
      all.map { .measure(Measure(target: tree.id, type: $0.0, number: $0.1)) }
    }
    let odd = measures(("dbh_mm", 12_001), ("dbh_mm", 0), ("ph_x100", 1201), ("height_cm", 12_001))
    let fine = measures(("dbh_mm", 12_000), ("ph_x100", 700), ("x-bark_mm", 1_000_000))
    #expect(
      try Set(findings([.organism(tree)] + odd + fine)) == [
        "measure dbh_mm 12001 mm", "measure dbh_mm 0 mm", "measure ph_x100 12.01",
        "measure height_cm 12001 cm",
      ])
  }

  @Test func positionsThatArePoorAreFound() throws {
    var site = Place(kind: .site, name: "a")
    site.position = Position(latitudeE7: 480_000_000, longitudeE7: 160_000_000, uncertaintyM: 20)
    var region = Place(kind: .region, name: "b")
    region.position = Position(
      latitudeE7: 480_000_000, longitudeE7: 160_000_000, uncertaintyM: 90_000)
    let records: [JournalRecord] = [.place(site), .place(region)]
    #expect(try findings(records) == ["accuracy uncertainty_m 20 m"])
    #expect(
      try findings(records) { try $0.setAccuracyThresholds(.init("5,10,15,21")) } == [])
  }

  @Test func whatIsStillToComeIsFound() throws {
    // The clock of tests stands at 2023-11-14T22:13:20Z and goes on by seconds; at most 14 hours ahead it is
    // 12:13 of the next day.
    for (time, isFound) in [
      ("2023-11-15", false), ("2023-11-15T12:00", false), ("2023-11-15T13:00", true),
      ("2023-11-16", true), ("2023-11", false), ("2023", false), ("2023-12", true), ("2024", true),
    ] {
      var event = Event(kind: .visit, start: try LocalTime(time))
      event.utcOffsetMin = 0
      #expect(
        try findings([.event(event)]) == (isFound ? ["future local_start \(time)"] : []), "\(time)")
    }
  }

  @Test func divesThatAreOddAreFound() throws {
    #expect(try findings(dive { $0.maxDepthMm = 130_001 }) == ["depth max_depth_mm 130.001 m"])
    #expect(try findings(dive { $0.waterMinCk = 27_114 }) == ["water water_min_ck -2.01 degC"])
    #expect(try findings(dive { $0.waterMaxCk = 30_916 }) == ["water water_max_ck 36.01 degC"])
    var event = Event(kind: .visit, start: try LocalTime("2020-03-15T09:44"))
    #expect(try findings([.event(event)]) == ["offset utc_offset_min 2020-03-15T09:44"])
    event.utcOffsetMin = -240
    #expect(try findings([.event(event)]) == [])
  }

  @Test func sitesAreAsTheirDivesAre() throws {
    let site = Place(kind: .site, name: "Pool")
    var records: [JournalRecord] = [.place(site)]
    for (depth, visibility, water) in [(4000, 200, 31_000), (5000, 300, 30_800)] {
      var event = Event(kind: .dive, start: try LocalTime("2020-03-15"))
      event.place = site.id
      var dive = Dive()
      (dive.maxDepthMm, dive.visibilityCm, dive.waterMinCk) = (depth, visibility, water)
      event.dive = dive
      records.append(.event(event))
    }
    #expect(
      try findings(records) == [
        "water water_min_ck 36.85 degC", "siteDepth mean depth 4.5 m",
        "siteVisibility mean visibility 2.5 m", "siteTemperature mean temperature 35.85 degC",
      ])
  }

  @Test func positionsFarFromTheirPlacesAreFound() throws {
    var region = Place(kind: .region, name: "Palau")
    region.position = Position(latitudeE7: 75_000_000, longitudeE7: 1_345_000_000)
    var site = Place(kind: .site, name: "Far")
    site.parent = region.id
    site.position = Position(latitudeE7: 75_000_000, longitudeE7: 1_350_000_000)
    #expect(try findings([.place(region), .place(site)]) == ["far latitude 7.5,135"])
    region.position?.uncertaintyM = 60_000
    #expect(try findings([.place(region), .place(site)]) == [])
    // A visit that goes far from where it began is a long one.
    var event = Event(kind: .visit, start: try LocalTime("2020-03-15"))
    event.place = site.id
    event.position = Position(latitudeE7: 300_000_000, longitudeE7: 1_350_000_000)
    #expect(try findings([.place(region), .place(site), .event(event)]) == [])
    var austria = Place(kind: .site, name: "Wien")
    austria.position = Position(latitudeE7: 482_000_000, longitudeE7: 163_700_000)
    event.place = austria.id
    event.position = Position(latitudeE7: 163_800_000, longitudeE7: 482_100_000)
    #expect(
      try findings([.place(austria), .event(event)]) == ["swapped latitude 16.38,48.21"])
  }

  @Test func divesOnLandAndPlantsInTheSeaAreFound() throws {
    var vienna = Place(kind: .site, name: "Quarry")
    vienna.position = Position(latitudeE7: 482_082_000, longitudeE7: 163_738_000)
    var lake = Place(kind: .area, name: "Lake")
    lake.waterBody = "Neufelder See"
    var event = Event(kind: .dive, start: try LocalTime("2020-03-15"))
    event.place = vienna.id
    #expect(
      try findings([.place(vienna), .event(event)]) == ["diveOnLand latitude 48.2082,16.3738"])
    // A lake has a name.
    vienna.parent = lake.id
    #expect(try findings([.place(lake), .place(vienna), .event(event)]) == [])
    (lake.kind, lake.waterBody) = (.site, nil)
    #expect(try findings([.place(lake), .place(vienna), .event(event)]).count == 1)
    lake.diveSite = DiveSite()
    for kind in DiveSite.Kind.allCases {
      for water in [nil] + DiveSite.Water.allCases {
        lake.diveSite?.kind = kind
        lake.diveSite?.water = water
        let isInland = kind == .lake || kind == .quarry || water == .fresh
        let found = try findings([.place(lake), .place(vienna), .event(event)])
        #expect(found.isEmpty == isInland, "\(kind), \(String(describing: water)): \(found)")
      }
    }
    let visit = Event(kind: .visit, start: try LocalTime("2020-03-15"))
    var tree = Occurrence(event: visit.id)
    tree.position = Position(latitudeE7: 0, longitudeE7: -1_500_000_000)
    var oak = taxon(1, "Quercus robur")
    func records() -> [JournalRecord] {
      [
        .event(visit), .occurrence(tree),
        .identification(
          Identification(occurrence: tree.id, verbatimName: "oak", taxon: oak, match: .exact)),
      ]
    }
    #expect(try findings(records()) == [])
    oak.kingdoms = ["Eukaryota", "Viridiplantae"]
    #expect(try findings(records()) == ["plantInSea latitude 0,-150"])
    oak.kingdoms = ["Plantae"]
    tree.position?.uncertaintyM = 20_000_000
    #expect(try findings(records()) == ["accuracy uncertainty_m 20000000 m"])
  }

  @Test(arguments: [0, 1, 3, 100])
  func manyAreCounted(limit: Int) throws {
    let journal = try TestJournal().open()
    var generator = SeededGenerator(seed: UInt64(limit))
    var records: [JournalRecord] = []
    for _ in 0..<60 {
      let time = ["2020-03-15T09:44", "2020-03-15", "2099-01-01T10:00"]
      var event = Event(
        kind: .visit, start: try LocalTime(time.randomElement(using: &generator) ?? ""))
      event.position = Position(
        latitudeE7: 0, longitudeE7: 0, uncertaintyM: Int.random(in: 10...30, using: &generator))
      var seen = Occurrence(event: event.id)
      seen.position = event.position
      records += [.event(event), .occurrence(seen)]
    }
    records += try dive { ($0.waterMinCk, $0.waterMaxCk) = (20_000, 40_000) }
    try journal.save(records)
    let all = try journal.findings()
    let groups = try journal.findingGroups(showing: limit)
    func key(_ finding: Finding) -> String {
      "\(finding.kind) \(finding.recordKind) \(finding.field)"
    }
    let expected = Dictionary(grouping: all, by: key)
    #expect(groups.map(\.count).reduce(0, +) == all.count && groups.count == expected.count)
    #expect(expected.count == 8)
    for group in groups where limit > 0 {
      let wanted = try expected[key(#require(group.first.first))] ?? []
      #expect(group.count == wanted.count && group.first == Array(wanted.prefix(limit)))
    }
    let kinds = groups.compactMap(\.first.first?.kind)
    #expect(kinds == Finding.Kind.allCases.flatMap { kind in kinds.filter { $0 == kind } })
  }

  @Test func accuracyHasAWord() throws {
    let words = [
      4: "excellent", 5: "good", 9: "good", 10: "acceptable", 15: "marginal",
      19: "marginal", 20: "poor", 1: "excellent",
    ]
    for (metres, word) in words {
      #expect(AccuracyClass(uncertaintyM: metres).rawValue == word)
    }
    for text in [
      "", "5,10,15", "5,10,15,15", "0,1,2,3", "5,10,15,20,25", "a,b,c,d", "5,10,15,9999999",
    ] {
      #expect(throws: JournalError.self, "\(text)") { try AccuracyClass.Thresholds(text) }
    }
    let journal = try TestJournal().open()
    #expect(try journal.accuracyThresholds() == .usual)
    try journal.setAccuracyThresholds(.init("1,2,3,4"))
    #expect(AccuracyClass(uncertaintyM: 3, try journal.accuracyThresholds()) == .marginal)
    try journal.setAccuracyThresholds(nil)
    #expect(try journal.accuracyThresholds() == .usual)
  }
}
