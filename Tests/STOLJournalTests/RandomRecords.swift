import STOLData
import STOLMedia
import STOLTrust
import TestSupport

@testable import STOLJournal

/// Random records of all kinds, of which each refers to earlier ones only.
struct RandomRecords {
  var generator: SeededGenerator
  private var ids: [JournalRecord.Kind: [JournalID]] = [:]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  static let names = [
    "oak", "Ä", "e\u{301}", "a & b <c> \"d\" 'e'", "]]>", "\u{202E}abc", "🌳", "a | b", "=1+1",
    "x,y;z", "\u{FEFF}a", "\u{85}b", String(repeating: "n", count: 1024),
  ]
  static let texts =
    names + [
      "two\nlines", "\r\n\t", "\u{1}\u{8}\u{1F}", "\u{FFFE}\u{FFFF}", "\u{2028}", "a | b | c",
      " | ",
    ]

  mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: range.lowerBound
    case 1: range.upperBound
    default: Int.random(in: range, using: &generator)
    }
  }
  mutating func maybe(_ range: ClosedRange<Int>) -> Int? { chance(50) ? number(range) : nil }
  mutating func one<Value>(of values: [Value], or other: Value) -> Value {
    values.randomElement(using: &generator) ?? other
  }
  mutating func word<Word: JournalWord>(or other: Word) -> Word {
    one(of: Array(Word.allCases), or: other)
  }
  mutating func name() -> String { one(of: Self.names, or: "") }
  mutating func maybeName() -> String? { chance(50) ? name() : nil }
  mutating func maybeText() -> String? { chance(50) ? one(of: Self.texts, or: "") : nil }
  mutating func tags() -> Set<String> {
    Set((0..<number(0...2)).map { _ in one(of: ["wet", "dry", "Ö", "a|b"], or: "") })
  }
  mutating func position() -> Position? {
    guard chance(60) else { return nil }
    return Position(
      latitudeE7: number(-900_000_000...900_000_000),
      longitudeE7: number(-1_800_000_000...1_800_000_000), uncertaintyM: maybe(1...20_040_000))
  }
  mutating func time() throws -> LocalTime {
    try LocalTime(
      one(
        of: [
          "0001", "2026", "2026-03", "2026-03-15", "2024-02-29T23:59", "2026-03-15T09:44:30",
          "9999-12-31T23:59:59",
        ], or: "2026"))
  }
  mutating func maybeTime() throws -> LocalTime? { chance(50) ? try time() : nil }
  mutating func known(_ kinds: JournalRecord.Kind..., percent: Int = 60) -> JournalID? {
    let all = kinds.flatMap { ids[$0] ?? [] }
    return chance(percent) ? all.randomElement(using: &generator) : nil
  }
  mutating func collections() -> Set<JournalID> {
    Set([known(.collection, percent: 40), known(.collection, percent: 20)].compactMap { $0 })
  }
  mutating func ordered(_ range: ClosedRange<Int>) -> (Int?, Int?) {
    let pair = [number(range), number(range)].sorted()
    return (chance(50) ? pair[0] : nil, chance(50) ? pair[1] : nil)
  }
  mutating func newID() -> JournalID {
    JournalID(milliseconds: Int64(number(0...2_000_000_000_000)), using: &generator)
  }

  /// The next record; nil where what it would be of is not there yet.
  mutating func next() throws -> JournalRecord? {
    let kind = word(or: JournalRecord.Kind.place)
    let record: JournalRecord?
    switch kind {
    case .collection:
      record = .collection(
        JournalCollection(id: newID(), name: name(), privacy: word(or: .open)))
    case .person:
      var person = Person(id: newID(), name: name())
      person.orcid = chance(50) ? "0000-0002-1825-0097" : nil
      record = .person(person)
    case .place: record = .place(place())
    case .event: record = .event(try event())
    case .organism: record = .organism(try organism())
    case .occurrence: record = try occurrence()
    case .identification: record = try identification()
    case .note:
      record = try known(.place, .event, .organism, .occurrence, percent: 100).map {
        .note(
          Note(id: newID(), target: $0, text: one(of: Self.texts, or: ""), time: try maybeTime()))
      }
    case .measure: record = try measure()
    case .photo: record = try photo()
    }
    guard let record else { return nil }
    try record.validate()
    ids[kind, default: []].append(record.id)
    return record
  }

  private mutating func place() -> Place {
    var place = Place(id: newID(), kind: word(or: .spot), name: name())
    place.parent = known(.place, percent: 25)
    place.position = position()
    place.elevationCm = maybe(-1_200_000...900_000)
    (place.locality, place.waterBody) = (maybeName(), maybeName())
    place.country = chance(50) ? "PW" : nil
    place.privacy = word(or: .open)
    if place.kind == .site || place.kind == .spot, chance(70) {
      var site = DiveSite()
      site.kind = chance(50) ? word(or: .reef) : nil
      site.entry = chance(50) ? word(or: .boat) : nil
      site.water = chance(50) ? word(or: .salt) : nil
      site.difficulty = maybe(1...5)
      (site.minDepthMm, site.maxDepthMm) = ordered(0...12_000_000)
      (site.season, site.description) = (maybeName(), maybeText())
      place.diveSite = site.isEmpty ? nil : site
    }
    place.states = chance(40) ? [word(or: .wishlist)] : []
    (place.tags, place.collections) = (tags(), collections())
    return place
  }

  private mutating func event() throws -> Event {
    var event = Event(id: newID(), kind: word(or: .visit), start: try time())
    event.status = chance(20) ? .draft : .saved
    event.parent = known(.event, percent: 20)
    event.place = known(.place)
    event.position = position()
    let end = try time()
    event.end = end.lastSecond >= event.start.firstSecond && chance(50) ? end : nil
    event.utcOffsetMin = maybe(-1080...1080)
    event.protocol = maybeName()
    if chance(30) { (event.effortValue, event.effortUnit) = (number(0...1_000_000), name()) }
    event.isCompleteList = chance(50)
    (event.weather, event.remarks) = (maybeName(), maybeText())
    event.privacy = word(or: .open)
    if event.kind == .dive, chance(80) { event.dive = try dive() }
    if let person = known(.person) {
      event.persons = [Participant(person: person, role: word(or: .buddy), number: maybeName())]
    }
    (event.tags, event.collections) = (tags(), collections())
    return event
  }

  private mutating func dive() throws -> Dive {
    var dive = Dive()
    dive.number = maybe(1...1_000_000)
    dive.mode = chance(50) ? word(or: .openCircuit) : nil
    (dive.durationS, dive.bottomS) = (maybe(0...2_678_400), maybe(0...2_678_400))
    (dive.meanDepthMm, dive.maxDepthMm) = ordered(0...12_000_000)
    (dive.waterMinCk, dive.waterMaxCk) = ordered(20_000...40_000)
    dive.airCk = maybe(15_000...40_000)
    (dive.visibilityCm, dive.currentLevel) = (maybe(0...100_000), maybe(0...5))
    (dive.salinityMgL, dive.surfaceMbar) = (maybe(0...400_000), maybe(300...1200))
    (dive.weightG, dive.suit) = (maybe(0...1_000_000), maybeName())
    dive.signedMs = maybe(0...253_402_300_799_999)
    for _ in 0..<number(0...2) {
      var tank = Dive.Tank()
      (tank.volumeMl, tank.workMbar) = (maybe(1...100_000), maybe(1...500_000))
      (tank.endMbar, tank.startMbar) = ordered(0...500_000)
      (tank.o2Permille, tank.hePermille) = (maybe(0...600), maybe(0...400))
      tank.use = chance(50) ? word(or: .bottom) : nil
      dive.tanks.append(tank)
    }
    for _ in 0..<number(0...2) {
      var log = Dive.Log()
      (log.model, log.serial, log.fingerprint) = (maybeName(), maybeName(), maybeName())
      log.start = try maybeTime()
      try log.set(samples())
      dive.logs.append(log)
    }
    return dive
  }

  /// Samples, which may be none.
  mutating func samples() -> DiveSamples {
    var samples = DiveSamples()
    func series(_ range: ClosedRange<Int>, _ maker: inout RandomRecords) -> DiveSamples.Series {
      var (series, time) = (DiveSamples.Series(), 0)
      for _ in 0..<maker.number(0...6) {
        time += maker.number(0...1000)
        series.append(maker.number(range), at: time)
      }
      return series
    }
    samples.depthMm = series(0...12_000_000, &self)
    samples.temperatureCk = series(20_000...40_000, &self)
    for tank in [1, 2, 64] where chance(40) {
      let pressures = series(0...500_000, &self)
      if pressures.count > 0 { samples.pressureMbar[tank] = pressures }
    }
    var time = 0
    for _ in 0..<number(0...2) {
      time += number(0...1000)
      samples.events.append(DiveSamples.Mark(timeS: time, what: name(), tank: maybe(1...64)))
    }
    return samples
  }

  private mutating func organism() throws -> Organism {
    var organism = Organism(id: newID())
    organism.name = maybeName()
    organism.place = known(.place)
    organism.position = position()
    organism.elevationCm = maybe(-1_200_000...900_000)
    organism.status = word(or: .unknown)
    organism.planted = try maybeTime()
    organism.privacy = word(or: .open)
    (organism.tags, organism.collections) = (tags(), collections())
    return organism
  }

  private mutating func occurrence() throws -> JournalRecord? {
    guard let event = known(.event, percent: 100) else { return nil }
    var occurrence = Occurrence(id: newID(), event: event)
    occurrence.organism = known(.organism)
    occurrence.position = position()
    occurrence.time = try maybeTime()
    occurrence.presence = chance(20) ? .absent : .present
    occurrence.count = chance(50) ? occurrence.presence == .absent ? 0 : number(1...1000) : nil
    occurrence.countKind = occurrence.count != nil && chance(50) ? word(or: .exact) : nil
    (occurrence.sex, occurrence.lifeStage, occurrence.behaviour) = (
      maybeName(), maybeName(), maybeName()
    )
    occurrence.establishment = chance(50) ? word(or: .wild) : nil
    (occurrence.minDepthMm, occurrence.maxDepthMm) = ordered(0...12_000_000)
    occurrence.privacy = word(or: .open)
    occurrence.remarks = maybeText()
    (occurrence.tags, occurrence.collections) = (tags(), collections())
    return .occurrence(occurrence)
  }

  private mutating func identification() throws -> JournalRecord? {
    guard let occurrence = known(.occurrence, percent: 100) else { return nil }
    var identification = Identification(
      id: newID(), occurrence: occurrence, verbatimName: name())
    if chance(60) {
      identification.match = one(of: [.exact, .fuzzy, .chosen, .relinked], or: .exact)
      identification.taxon = TaxonReference(
        idSpace: chance(50) ? "ncbi" : nil, id: name(), name: chance(50) ? name() : "",
        authorship: chance(50) ? "L." : "", year: maybe(1...9999),
        rank: chance(50) ? "species" : "",
        kingdoms: chance(50) ? ["Eukaryota", "Animalia"] : [])
    }
    (identification.qualifier, identification.cultivar, identification.rootstock) = (
      maybeName(), maybeName(), maybeName()
    )
    (identification.date, identification.remarks) = (try maybeTime(), maybeText())
    return .identification(identification)
  }

  private mutating func photo() throws -> JournalRecord? {
    guard let target = known(.place, .event, .organism, .occurrence, .note, percent: 100) else {
      return nil
    }
    let number = self.number(0...9)
    guard let digest = Digest([UInt8](repeating: UInt8(number), count: Digest.byteCount)) else {
      return nil
    }
    // A file is always the same.
    let file = MediaFile(
      sha256: digest, type: number % 2 == 0 ? .jpeg : .heic, byteCount: 1 + number * 7_000_000,
      width: 1 + number, height: 3000, orientation: number > 4 ? 6 : nil)
    var photo = Photo(id: newID(), target: target, file: file)
    (photo.name, photo.caption, photo.ordinal) = (maybeName(), maybeText(), maybe(1...1_000_000))
    (photo.time, photo.utcOffsetMin) = (try maybeTime(), maybe(-1080...1080))
    (photo.position, photo.elevationCm) = (position(), maybe(-1_200_000...900_000))
    (photo.author, photo.licence, photo.source) = (maybeName(), maybeName(), maybeName())
    return .photo(photo)
  }

  private mutating func measure() throws -> JournalRecord? {
    guard let target = known(.place, .event, .organism, .occurrence, percent: 100) else {
      return nil
    }
    var measure = Measure(id: newID(), target: target, type: "x-bark_mm")
    switch number(0...3) {
    case 0: (measure.type, measure.number) = ("girth_mm", number(0...1_000_000))
    case 1: (measure.type, measure.text) = ("health", "good")
    case 2: measure.text = name()
    default: (measure.number, measure.text) = (number(-1_000_000...1_000_000), maybeName())
    }
    (measure.method, measure.time, measure.remarks) = (maybeName(), try maybeTime(), maybeText())
    return .measure(measure)
  }
}
