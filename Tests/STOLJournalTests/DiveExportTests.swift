import STOLFormats
import STOLSystem
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Exports of dives")
struct DiveExportTests {
  /// Random dives that say what a format can hold, and nothing else.
  private struct Dives {
    var maker: RandomRecords
    let format: ExportFormat
    private static let words = [
      "Ada Lark", "5 mm", "\u{C4} & <b> \"q\" 'x'", "]]>", "\u{1F333}", "=1",
    ]
    private var isUDDF: Bool { format == .uddf }

    init(seed: UInt64, _ format: ExportFormat) {
      (maker, self.format) = (RandomRecords(seed: seed), format)
    }

    mutating func word() -> String { maker.one(of: Self.words, or: "") }
    mutating func maybeWord() -> String? { maker.chance(50) ? word() : nil }

    mutating func event(_ place: JournalID?, _ persons: [Person], _ trip: JournalID?) throws
      -> Event
    {
      let second = maker.number(0...59)
      var event = Event(
        id: maker.newID(), kind: .dive,
        start: try LocalTime("2026-03-\(maker.number(1...28).digits(2))T09:44:\(second.digits(2))"))
      event.place = maker.chance(70) ? place : nil
      event.remarks = maker.chance(50) ? "two\n\(word())" : nil
      let roles: [Participant.Role] = isUDDF ? [.buddy] : [.buddy, .guide]
      for person in persons where maker.chance(50) {
        event.persons.insert(
          Participant(person: person.id, role: maker.one(of: roles, or: .buddy)))
      }
      if isUDDF {
        event.utcOffsetMin = maker.maybe(-1080...1080)
      } else {
        event.parent = maker.chance(40) ? trip : nil
        event.tags = maker.tags()
      }
      event.dive = try dive()
      return event
    }

    private mutating func dive() throws -> Dive {
      var dive = Dive()
      dive.number = maker.maybe(1...1_000_000)
      dive.durationS = maker.maybe(0...2_678_400)
      (dive.meanDepthMm, dive.maxDepthMm) = maker.ordered(0...12_000_000)
      (dive.waterMinCk, dive.airCk) = (maker.maybe(20_000...40_000), maker.maybe(15_000...40_000))
      (dive.currentLevel, dive.weightG) = (maker.maybe(0...5), maker.maybe(1...1_000_000))
      dive.suit = maybeWord()
      if isUDDF {
        dive.visibilityCm = maker.maybe(0...100_000)
        dive.waterMaxCk = dive.waterMinCk.map { maker.number($0...40_000) }
      } else {
        dive.surfaceMbar = maker.maybe(300...1200)
      }
      for _ in 0..<maker.number(0...2) { dive.tanks.append(tank()) }
      for _ in 0..<maker.number(0...(isUDDF ? 1 : 2)) { dive.logs.append(try log(dive.tanks)) }
      let modes: [Dive.Mode] = [.openCircuit, .closedCircuit, .semiClosedCircuit, .free]
      // UDDF has it in the first sample.
      let hasSamples = dive.logs.first?.hasSamples ?? false
      if !isUDDF || hasSamples, maker.chance(50) {
        dive.mode = maker.one(of: modes, or: .free)
      }
      return dive
    }

    private mutating func tank() -> Dive.Tank {
      var tank = Dive.Tank()
      tank.volumeMl = maker.maybe(1...100_000)
      (tank.endMbar, tank.startMbar) = maker.ordered(0...500_000)
      tank.o2Permille = maker.maybe(0...600)
      tank.hePermille = tank.o2Permille == nil ? nil : maker.maybe(1...400)
      if !isUDDF {
        tank.workMbar = maker.maybe(1...500_000)
        tank.use = maker.one(of: [nil, .diluent, .oxygen], or: nil)
      }
      return tank
    }

    private mutating func log(_ tanks: [Dive.Tank]) throws -> Dive.Log {
      var log = Dive.Log()
      log.model = word()
      log.serial = maker.one(of: [nil, "0012abcd", "S 9"], or: nil)
      if !isUDDF {
        log.fingerprint = maybeWord()
        log.start = try maker.maybeTime()
      }
      try log.set(isUDDF ? samples(tanks) : looseSamples())
      return log
    }

    /// Samples of which any may be at times of their own.
    private mutating func looseSamples() -> DiveSamples {
      var samples = maker.samples()
      for index in samples.events.indices { samples.events[index].what = word() }
      return samples
    }

    /// Samples of which each has a depth, and of events those that UDDF has words for.
    private mutating func samples(_ tanks: [Dive.Tank]) -> DiveSamples {
      var (samples, time) = (DiveSamples(), 0)
      let mixes = tanks.map { $0.o2Permille.map { "\($0)" } ?? "" }
      for _ in 0..<maker.number(0...8) {
        time += maker.number(1...1000)
        samples.depthMm.append(maker.number(0...12_000_000), at: time)
        if maker.chance(30) {
          samples.temperatureCk.append(maker.number(20_000...40_000), at: time)
        }
        for number in tanks.indices where maker.chance(30) {
          samples.pressureMbar[number + 1, default: DiveSamples.Series()]
            .append(maker.number(0...500_000), at: time)
        }
        if maker.chance(20) {
          samples.events.append(DiveSamples.Mark(timeS: time, what: "ascent"))
        }
        if let tank = tanks.indices.first(where: { !mixes[$0].isEmpty }), maker.chance(20) {
          samples.events.append(DiveSamples.Mark(timeS: time, what: "gaschange", tank: tank + 1))
        }
      }
      return samples
    }
  }

  /// What a format can hold of dives comes back equal.
  @Test(
    arguments: [ExportFormat.subsurface, .uddf], 0..<UInt64(Sweep.count(few: 6, full: 300)))
  func whatAFormatHoldsComesBack(format: ExportFormat, seed: UInt64) throws {
    var dives = Dives(seed: seed, format)
    let journal = try TestJournal().open()
    var site = Place(kind: .site, name: "Blue & Corner")
    site.position = Position(latitudeE7: 71_325_570, longitudeE7: -1_342_242_131)
    site.locality = "Palau, west"
    site.diveSite = DiveSite()
    site.diveSite?.description = "A wall\nand \"a\" hook"
    if format == .uddf {
      site.elevationCm = -125
      site.diveSite?.minDepthMm = 5000
      site.diveSite?.maxDepthMm = 40_125
      site.diveSite?.kind = .quarry
    } else {
      site.waterBody = "Philippine Sea"
    }
    let persons = ["Ada", "Bob Lark"].map {
      Person(id: JournalID(naming: ["dive", "person", $0]), name: $0)
    }
    var trip = Event(kind: .trip, start: try LocalTime("2026-03-01"))
    trip.remarks = "A month"
    var events = try (0..<20).map { _ in try dives.event(site.id, persons, trip.id) }
    if format == .subsurface { events.append(trip) }
    let type = format == .uddf ? "x-rating_of_10" : "x-rating"
    let rating = Measure(
      id: events[0].id.derived(type), target: events[0].id, type: type, number: 4)
    try journal.save(
      [.place(site), .measure(rating)] + persons.map { .person($0) } + events.map { .event($0) })
    let (bytes, report) = try journal.exported(format)
    #expect(report.losses == [:], "\(report.lines)")
    let (rows, refusals, beside) = try DiveFile.rows(bytes)
    #expect(refusals == [] && rows.flagged == [] && beside.leftOut == [:])
    let found = Dictionary(
      (rows.dives + rows.trips).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for event in events { #expect(found[event.id] == event, "seed \(seed)") }
    #expect(found.count == events.count && rows.places == [site] && rows.measures == [rating])
    // The journal itself says the same already.
    let before = try journal.history().count
    let summary = try journal.importing(try DiveFile.reader(bytes))
    #expect(summary.rowCounts.keys.allSatisfy { $0 == .same }, "\(summary.rowCounts)")
    #expect(try journal.history().count == before)
  }

  /// A dive with all that there is, and what a format cannot hold of it in its report.
  private static func whole() throws -> [JournalRecord] {
    let guide = Person(name: "Gus")
    var place = Place(kind: .area, name: "Bay")
    place.country = "PW"
    var event = Event(kind: .dive, start: try LocalTime("2026-03-15"))
    event.position = Position(latitudeE7: 10_000_000, longitudeE7: 20_000_000, uncertaintyM: 5)
    event.place = place.id
    event.weather = "fog"
    event.tags = ["a,b"]
    event.persons = [
      Participant(person: guide.id, role: .guide),
      Participant(person: guide.id, role: .instructor, number: "7"),
    ]
    var dive = Dive()
    (dive.mode, dive.salinityMgL, dive.signedMs, dive.waterMaxCk) = (.gauge, 35_000, 1, 30_000)
    var tank = Dive.Tank()
    (tank.use, tank.workMbar, tank.hePermille) = (.travel, 232_000, 100)
    dive.tanks = [tank]
    dive.logs = [try DiveLogTests.sample(), try DiveLogTests.sample()]
    event.dive = dive
    let turtle = Occurrence(event: event.id)
    return [
      .person(guide), .place(place), .event(event), .occurrence(turtle),
      .identification(Identification(occurrence: turtle.id, verbatimName: "Piscis ignotus")),
      .note(Note(target: event.id, text: "Late")),
      .measure(Measure(target: event.id, type: "x-mood", number: 3)),
    ]
  }

  @Test(
    arguments: [
      (
        ExportFormat.subsurface,
        [
          "commas in a tag (now semicolons)", "dive.mode gauge", "event.dive.salinityMgL",
          "event.dive.signedMs", "event.dive.waterMaxCk", "event.persons.number",
          "event.position.uncertaintyM", "event.weather", "identifications", "measures",
          "notes of their own (joined)", "occurrences", "persons that are neither buddy nor guide",
          "place.country", "places that are no dive sites (as such)",
          "positions of dives beside their place", "uses of tanks but for diluent and oxygen",
        ]
      ),
      (
        .uddf,
        [
          "dive.mode gauge", "event.dive.logs.fingerprint", "event.dive.logs.start",
          "event.dive.salinityMgL", "event.dive.signedMs", "event.dive.tanks.use",
          "event.dive.tanks.workMbar", "event.persons.number", "event.position.latitudeE7",
          "event.position.longitudeE7", "event.position.uncertaintyM", "event.tags",
          "event.weather",
          "events that the format has no word for", "helium of tanks that is 0, or without oxygen",
          "identifications", "logs after the first", "measures",
          "moments without a depth (now between the others)", "notes of their own (joined)",
          "occurrences", "persons that are no buddies", "places of dives that are no dive sites",
          "pressures in tanks that are not there",
          "times of dives of which the day is known (now midnight)",
        ]
      ),
    ] as [(ExportFormat, [String])])
  func whatAFormatCannotHoldIsNamed(format: ExportFormat, losses: [String]) throws {
    let journal = try TestJournal().open()
    try journal.save(try Self.whole())
    let (bytes, report) = try journal.exported(format)
    #expect(report.losses.keys.sorted() == losses)
    let (rows, refusals, _) = try DiveFile.rows(bytes)
    #expect(refusals == [] && rows.dives.count == 1)
    let samples = try #require(rows.dives[0].dive?.logs.first?.samples)
    #expect(samples.depthMm.count >= 6)
    #expect(report.lines.first?.contains("1 dive") == true)
  }

  /// Nobody but oneself gets persons, serial numbers or exact places of what is obscured.
  @Test(arguments: [ExportFormat.subsurface, .uddf])
  func othersGetWhatTheyMayHave(format: ExportFormat) throws {
    let journal = try TestJournal().open()
    var records = try Self.whole()
    var secret = Event(kind: .dive, start: try LocalTime("2026-04-20T08:15:00"))
    secret.position = Position(latitudeE7: 123_456_789, longitudeE7: 234_567_891)
    secret.remarks = "Seahorses"
    secret.privacy = .obscured
    records.append(.event(secret))
    try journal.save(records)
    let shared = try journal.exported(format, for: SharingTests.shared())
    let text = String(decoding: shared.bytes, as: UTF8.self)
    for word in ["Gus", "7f3a", "0102ff", "Seahorses", "08:15", "2026-04", "12.345", "23.456"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(text.contains("Perdix") && shared.report.losses["dives without a day"] == 1)
    let exact = String(decoding: try journal.exported(format).bytes, as: UTF8.self)
    #expect(exact.contains("7f3a") && exact.contains("Seahorses"))
  }
}
