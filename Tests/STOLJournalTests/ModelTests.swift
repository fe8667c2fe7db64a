import STOLData
import Testing

@testable import STOLJournal

@Suite("Values of the journal")
struct ModelTests {
  @Test func aUUIDIsReadAsItIsWritten() throws {
    let text = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"
    let id = try #require(JournalID(text))
    #expect("\(id)" == text)
    #expect(JournalID(text.uppercased()) == id)
    #expect(JournalID(text.filter { $0 != "-" }) == id)
    #expect(JournalID(bytes: id.bytes) == id)
    for text in [
      "", "0192f3a4", text + "0", text.replacing("-", with: "0"), text.replacing("f", with: "g"),
      "0192f3a-45b6c-7d8e-9fab-cdef01234567",
    ] {
      #expect(JournalID(text) == nil, "\(text)")
    }
  }

  @Test func newUUIDsAreOfVersion7AndInTheOrderOfTime() {
    var generator = SystemRandomNumberGenerator()
    let ids = (0..<100).map { JournalID(milliseconds: 1_700_000_000_000 + $0, using: &generator) }
    #expect(ids == ids.sorted() && Set(ids).count == 100)
    for id in ids + [JournalID()] {
      let digits = Array("\(id)")
      #expect(digits[14] == "7" && "89ab".contains(digits[19]))
    }
  }

  @Test(arguments: [
    ("2026", 1_767_225_600, 1_798_761_599, nil as Int?),
    ("2024-02", 1_706_745_600, 1_709_251_199, nil), ("2025-12", 1_764_547_200, 1_767_225_599, nil),
    ("1969-12-31", -86_400, -1, -1), ("1970-01-01T00:00", 0, 59, 0),
    ("2026-03-15 09:44", 1_773_567_840, 1_773_567_899, 20_527),
    ("2026-03-15T09:44:30", 1_773_567_870, 1_773_567_870, 20_527),
  ])
  func aLocalTimeStandsForAllOfIt(text: String, first: Int, last: Int, day: Int?) throws {
    let time = try LocalTime(text)
    #expect(time.firstSecond == first && time.lastSecond == last && time.dayNumber == day)
    #expect(time.text == text.replacing(" ", with: "T"))
    #expect(time.firstMs(offsetMin: 60) == Int64(first - 3600) * 1000)
    #expect(time.lastMs(offsetMin: nil) == Int64(last) * 1000 + 999)
  }

  @Test(arguments: [
    "", "26", "0000", "2026-00", "2026-13", "2025-02-29", "2026-3-15", "2026-03-15T",
    "2026-03-15T24:00",
    "2026-03-15T09:60", "2026-03-15T09:44:60", "2026-03-15T09:44Z", "2026/03/15", "today", "２０２６",
    "2026-03-15T09:44:30.5",
  ])
  func whatIsNoLocalTimeIsRefused(text: String) {
    #expect(throws: JournalError.self) { try LocalTime(text) }
  }

  @Test func degreesAreRoundedAndWrittenShort() throws {
    let position = try Position(latitude: "42.453310049", longitude: "-76.4807", uncertaintyM: 4)
    #expect(position.latitudeE7 == 424_533_100 && position.longitudeE7 == -764_807_000)
    #expect(position.latitudeText == "42.45331" && position.longitudeText == "-76.4807")
    #expect(try Position(latitude: "-0.00000005", longitude: "+180").latitudeText == "-0.0000001")
    for (latitude, longitude) in [
      ("90.0000001", "0"), ("0", "180.1"), ("1e1", "0"), ("42,5", "0"), ("", "0"), ("0", "."),
      ("1.", "0"), ("42°", "0"), ("nan", "0"), ("1234567890", "0"), ("--1", "0"),
    ] {
      #expect(throws: JournalError.self, "\(latitude) \(longitude)") {
        try Position(latitude: latitude, longitude: longitude)
      }
    }
  }

  @Test func distancesAreThoseOfASphere() throws {
    func position(_ latitude: String, _ longitude: String) throws -> Position {
      try Position(latitude: latitude, longitude: longitude)
    }
    let degree = try position("0", "0").distanceM(to: try position("0", "1"))
    #expect(abs(degree - 111_195) < 1)
    #expect(try position("0", "179.5").distanceM(to: try position("0", "-179.5")) - degree < 0.001)
    #expect(abs(try position("90", "0").distanceM(to: try position("-90", "7")) - 180 * degree) < 1)
    #expect(try position("10", "20").distanceM(to: try position("10", "20")) == 0)
    // In a file that somebody else wrote there may be more degrees than there are.
    let (west, east) = (
      Position(latitudeE7: 0, longitudeE7: .min), Position(latitudeE7: 0, longitudeE7: .max)
    )
    #expect(west.distanceM(to: east) <= 180.001 * degree)
  }

  /// Every rule of Format/JOURNAL.md about one record, with the field that the error names.
  @Test func whatCannotBeIsRefusedByItsField() throws {
    func photo(_ change: (inout Photo) -> Void) throws -> JournalRecord {
      var photo = try PhotoFile(PhotoSample().jpeg(), name: nil).photo(of: JournalID())
      change(&photo)
      return .photo(photo)
    }
    func place(_ change: (inout Place) -> Void) -> JournalRecord {
      var place = Place(kind: .site, name: "Blue Corner")
      change(&place)
      return .place(place)
    }
    func event(_ kind: Event.Kind = .dive, _ change: (inout Event) throws -> Void) throws
      -> JournalRecord
    {
      var event = Event(kind: kind, start: try LocalTime("2026-03-15"))
      event.dive = kind == .dive ? Dive() : nil
      try change(&event)
      return .event(event)
    }
    func dive(_ change: (inout Dive) -> Void) throws -> JournalRecord {
      try event { event in
        var dive = Dive()
        change(&dive)
        event.dive = dive
      }
    }
    func tank(_ change: (inout Dive.Tank) -> Void) throws -> JournalRecord {
      try dive { dive in
        var tank = Dive.Tank()
        change(&tank)
        dive.tanks = [tank]
      }
    }
    func occurrence(_ change: (inout Occurrence) -> Void) -> JournalRecord {
      var occurrence = Occurrence(event: JournalID())
      change(&occurrence)
      return .occurrence(occurrence)
    }
    func identification(_ change: (inout Identification) -> Void) -> JournalRecord {
      var identification = Identification(
        occurrence: JournalID(), verbatimName: "a", taxon: taxon(1, "A"), match: .exact)
      change(&identification)
      return .identification(identification)
    }
    func site(_ change: (inout DiveSite) -> Void) -> DiveSite {
      var site = DiveSite()
      change(&site)
      return site
    }
    let someone = JournalID()
    let long = String(repeating: "é", count: 513)
    let cases: [(String, JournalRecord)] = [
      ("name", place { $0.name = "" }), ("name", place { $0.name = " \u{A0}" }),
      ("name", place { $0.name = "a\nb" }), ("name", place { $0.name = "a\0" }),
      ("name", place { $0.name = long }),
      ("latitude", place { $0.position = Position(latitudeE7: 900_000_001, longitudeE7: 0) }),
      ("longitude", place { $0.position = Position(latitudeE7: 0, longitudeE7: -1_800_000_001) }),
      ("latitude", place { $0.position = Position(latitudeE7: .min, longitudeE7: 0) }),
      ("longitude", place { $0.position = Position(latitudeE7: 0, longitudeE7: .min) }),
      (
        "uncertainty_m",
        place { $0.position = Position(latitudeE7: 0, longitudeE7: 0, uncertaintyM: 0) }
      ),
      (
        "uncertainty_m",
        place { $0.position = Position(latitudeE7: 0, longitudeE7: 0, uncertaintyM: -1) }
      ),
      ("elevation_cm", place { $0.elevationCm = 900_001 }),
      ("country", place { $0.country = "pw" }),
      ("country", place { $0.country = "PLW" }), ("locality", place { $0.locality = "" }),
      ("water_body", place { $0.waterBody = "\t" }), ("tag", place { $0.tags = ["a", "A"] }),
      ("tag", place { $0.tags = [""] }),
      ("kind", place { ($0.kind, $0.diveSite) = (.shop, site { $0.difficulty = 1 }) }),
      ("dive_site", place { $0.diveSite = DiveSite() }),
      ("difficulty", place { $0.diveSite = site { $0.difficulty = 6 } }),
      ("min_depth_mm", place { $0.diveSite = site { ($0.minDepthMm, $0.maxDepthMm) = (2, 1) } }),
      ("season", place { $0.diveSite = site { $0.season = "" } }),
      ("description", place { $0.diveSite = site { $0.description = "\0" } }),
      ("effort_unit", try event { $0.effortValue = 1 }),
      ("effort_value", try event { $0.effortUnit = "min" }),
      ("effort_value", try event { ($0.effortValue, $0.effortUnit) = (-1, "min") }),
      (
        "persons",
        try event {
          $0.persons = [
            Participant(person: someone, role: .buddy),
            Participant(person: someone, role: .buddy, number: "7"),
          ]
        }
      ),
      (
        "number",
        try event { $0.persons = [Participant(person: someone, role: .guide, number: "")] }
      ),
      ("bottom_s", try dive { $0.bottomS = -1 }),
      ("salinity_mg_l", try dive { $0.salinityMgL = 400_001 }),
      ("signed_ms", try dive { $0.signedMs = -1 }), ("work_mbar", try tank { $0.workMbar = 0 }),
      ("name", .person(Person(name: ""))),
      ("tags", place { $0.tags = Set((0...64).map { "\($0)" }) }),
      ("local_end", try event { $0.end = try LocalTime("2026-03-14") }),
      ("utc_offset_min", try event { $0.utcOffsetMin = 1081 }),
      ("weather", try event { $0.weather = "" }), ("remarks", try event { $0.remarks = "" }),
      ("kind", try event(.visit) { $0.dive = Dive() }), ("number", try dive { $0.number = 0 }),
      ("mean_depth_mm", try dive { ($0.meanDepthMm, $0.maxDepthMm) = (2, 1) }),
      ("max_depth_mm", try dive { $0.maxDepthMm = -1 }),
      ("water_min_ck", try dive { ($0.waterMinCk, $0.waterMaxCk) = (30_000, 29_999) }),
      ("current_level", try dive { $0.currentLevel = 6 }),
      ("duration_s", try dive { $0.durationS = -1 }),
      ("surface_mbar", try dive { $0.surfaceMbar = 1 }),
      ("tanks", try dive { $0.tanks = Array(repeating: Dive.Tank(), count: 65) }),
      ("end_mbar", try tank { ($0.startMbar, $0.endMbar) = (60_000, 200_000) }),
      ("he_permille", try tank { ($0.o2Permille, $0.hePermille) = (320, 681) }),
      ("o2_permille", try tank { $0.o2Permille = 1001 }),
      ("count", occurrence { $0.count = 0 }), ("count", occurrence { $0.count = -1 }),
      ("count", occurrence { ($0.presence, $0.count) = (.absent, 1) }),
      ("count_kind", occurrence { $0.countKind = .about }),
      ("min_depth_mm", occurrence { ($0.minDepthMm, $0.maxDepthMm) = (2, 1) }),
      ("verbatim_name", identification { $0.verbatimName = "" }),
      ("match", identification { $0.taxon = nil }), ("match", identification { $0.match = .none }),
      ("taxon id space", identification { $0.taxon?.idSpace = "NCBI" }),
      ("taxon id", identification { $0.taxon?.id = "" }),
      ("taxon kingdom", identification { $0.taxon?.kingdoms = ["a\nb"] }),
      ("text", .note(Note(target: JournalID(), text: ""))),
      ("text", .note(Note(target: JournalID(), text: String(repeating: "a", count: 65_537)))),
      ("name", .collection(JournalCollection(name: ""))),
      ("caption", try photo { $0.caption = "" }), ("ordinal", try photo { $0.ordinal = 0 }),
      ("utc_offset_min", try photo { $0.utcOffsetMin = 1081 }),
      ("latitude", try photo { $0.position = Position(latitudeE7: 900_000_001, longitudeE7: 0) }),
      ("licence", try photo { $0.licence = "a\nb" }), ("width", try photo { $0.file.width = 0 }),
      ("width", try photo { ($0.file.width, $0.file.height) = (30_000, 30_000) }),
      ("byte_count", try photo { $0.file.byteCount = 1 << 26 + 1 }),
    ]
    for (field, record) in cases {
      do {
        try record.validate()
        Issue.record("\(field): accepted \(record)")
      } catch JournalError.invalid(let named, _, let remedy) {
        #expect(named == field && !remedy.isEmpty, "\(record)")
      }
    }
    try place { _ in }.validate()
    try event { $0.end = try LocalTime("2026-03") }.validate()
    try occurrence { ($0.presence, $0.count) = (.absent, 0) }.validate()
    try identification { _ in }.validate()
  }

  @Test(arguments: [
    ("a depth", "max_depth_mm", "20000000", "0 to 12000000 (0 m to 12000 m, and it is 20000 m)"),
    ("a mean", "mean_depth_mm", "30500", "max_depth_mm, which is 22000 (30.5 m is more than 22 m)"),
    ("a heat", "air_ck", "14999", "(-123.15 C to 126.85 C, and it is -123.16 C)"),
    ("a lead", "weight_g", "-1", "0 to 1000000 (0 kg to 1000 kg, and it is -0.001 kg)"),
    ("a far number", "air_ck", "\(Int.min)", "C)"), ("a current", "current_level", "6", "0 to 5"),
  ])
  func aNumberOutOfBoundsIsSaidInTheUnitThatPeopleUse(
    _ what: String, _ field: String, _ value: String, _ end: String
  ) throws {
    var dive = Dive()
    switch what {
    case "a depth": dive.maxDepthMm = Int(value)
    case "a mean": (dive.meanDepthMm, dive.maxDepthMm) = (Int(value), 22_000)
    case "a current": dive.currentLevel = Int(value)
    case "a lead": dive.weightG = Int(value)
    default: dive.airCk = Int(value)
    }
    let error = #expect(throws: JournalError.self) { try dive.validate() }
    guard case .invalid(field, value, let remedy)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(remedy.hasSuffix(end), "\(remedy)")
  }

  @Test func aWordThatIsNoneIsAnsweredByThoseThatAre() {
    #expect(
      throws: JournalError.invalid(
        field: "kind", value: "reef", remedy: "one of region, area, site, spot, shop, home")
    ) {
      try Place.Kind(word: "reef", field: "kind")
    }
  }

  /// Whether a file says so or two records become one, nobody is told more than before.
  @Test func whatBecomesOneIsAsPrivateAsTheStricter() throws {
    for (number, own) in Privacy.allCases.enumerated() {
      for (otherNumber, other) in Privacy.allCases.enumerated() {
        let expected = Privacy.allCases[max(number, otherNumber)]
        var (place, known) = (Place(kind: .site, name: "A"), Place(kind: .site, name: "A"))
        (place.privacy, known.privacy) = (own, other)
        var seen = Occurrence(event: JournalID())
        var before = seen
        (seen.privacy, before.privacy) = (own, other)
        let pairs: [(JournalRecord, JournalRecord)] = [
          (.place(place), .place(known)), (.occurrence(seen), .occurrence(before)),
        ]
        for (new, old) in pairs {
          for record in [new.merged(over: old), try #require(new.merged(with: old))] {
            switch record {
            case .place(let merged): #expect(merged.privacy == expected)
            case .occurrence(let merged): #expect(merged.privacy == expected)
            default: Issue.record("\(record)")
            }
          }
        }
      }
    }
  }
}
