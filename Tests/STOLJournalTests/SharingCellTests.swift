import Foundation
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Where others may know that something is")
struct SharingCellTests {
  @Test func aHundredExportsAreOne() throws {
    let made = try SharingJournals(seed: 7)
    let journal = try TestJournal().open()
    try journal.save(made.records, files: made.files)
    let first = try journal.exported(.gpx, for: SharingTests.shared()).bytes
    for _ in 1..<100 {
      #expect(try journal.exported(.gpx, for: SharingTests.shared()).bytes == first)
    }
  }

  /// Whoever gets them under many keys, as of a journal that was moved, has but the same again.
  @Test(arguments: 0..<Sweep.count(few: 2, full: 50))
  func exportsUnderManyKeysSayTheSame(seed: Int) throws {
    let made = try SharingJournals(seed: UInt64(seed))
    let journal = try TestJournal().open()
    try journal.save(made.records, files: made.files)
    func lines() throws -> [String] {
      let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/
      let bytes = try journal.exported(.jsonl, for: SharingTests.shared()).bytes
      return String(decoding: bytes, as: UTF8.self).replacing(uuid, with: "")
        .split(separator: "\n").map(String.init).sorted()
    }
    let first = try lines()
    for _ in 0..<3 {
      try journal.set(SharedNames.setting, to: SharedNames.newSetting())
      #expect(try lines() == first)
    }
  }

  /// Nobody is told that a nest is near the border of a cell by who came to it from both sides.
  @Test func aSpotOnBothSidesOfABorderHasOneCell() throws {
    let journal = try TestJournal().open()
    var records: [JournalRecord] = []
    for (index, east) in [2_000, -3_000, 400, -9_000, 19_000].enumerated() {
      var visit = Event(kind: .visit, start: try LocalTime("202\(index)-05"))
      visit.position = Position(latitudeE7: 500_300_000, longitudeE7: 81_000_000 + east)
      var owl = Occurrence(event: visit.id)
      owl.privacy = .obscured
      records += [.event(visit), .occurrence(owl)]
    }
    try journal.save(records)
    let text = String(
      decoding: try journal.exported(.jsonl, for: SharingTests.shared()).bytes, as: UTF8.self)
    #expect(text.components(separatedBy: "\"longitudeE7\":81500000").count == 11)
  }

  /// What others were told of a record does not change with what becomes of another one in its spot.
  @Test(arguments: ["private", "moved", "purged", "draft"])
  func aRecordStaysInItsCell(change: String) throws {
    let journal = try TestJournal().open()
    var visits: [Event] = []
    var records: [JournalRecord] = []
    for north in [-500, 500] {
      var visit = Event(kind: .visit, start: try LocalTime("2026-05"))
      visit.position = Position(latitudeE7: 421_000_000 + north, longitudeE7: -764_500_000)
      var owl = Occurrence(event: visit.id)
      owl.privacy = .obscured
      visits.append(visit)
      records += [.event(visit), .occurrence(owl)]
    }
    try journal.save(records)
    func latitudes() throws -> [String] {
      let bytes = try journal.exported(.jsonl, for: SharingTests.shared()).bytes
      return String(decoding: bytes, as: UTF8.self).matches(of: /"latitudeE7":(\d+)/)
        .map { String($0.1) }
    }
    // The second one has the cell of the first.
    #expect(try latitudes() == Array(repeating: "420500000", count: 4))
    var first = visits[0]
    switch change {
    case "private": first.privacy = .private
    case "moved": first.position = Position(latitudeE7: 435_000_000, longitudeE7: -764_500_000)
    case "draft": first.status = .draft
    default:
      try journal.delete(first.id)
      try journal.purge()
    }
    if change != "purged" { try journal.save([.event(first)]) }
    let now = try latitudes()
    #expect(now.filter { $0 == "420500000" }.count == 2 && !now.contains("421500000"))
    #expect(try journal.check() == [])
  }

  /// A table has nothing of a note that would say who was near a nest in its month, and its report says so.
  @Test(arguments: [ExportFormat.csv, .tsv, .jsonl])
  func aNoteThatIsLeftOutIsCounted(format: ExportFormat) throws {
    let journal = try TestJournal().open()
    var records: [JournalRecord] = []
    for (start, unit, privacy) in [
      ("2026-05", 50_000, Privacy.obscured), ("2010-03", 150_000, .open),
    ] {
      var visit = Event(kind: .visit, start: try LocalTime(start))
      visit.position = Position(latitudeE7: 500_000_000 + unit, longitudeE7: 80_000_000 + unit)
      var seen = Occurrence(event: visit.id)
      seen.privacy = privacy
      let note = Note(target: seen.id, text: "zqnear", time: try LocalTime("2026-05-04"))
      var measure = Measure(target: seen.id, type: "x-zqmany", number: 7)
      measure.time = note.time
      records += [.event(visit), .occurrence(seen)]
      if privacy == .open { records += [.note(note), .measure(measure)] }
    }
    try journal.save(records)
    let (bytes, report) = try journal.exported(format, for: SharingTests.shared())
    #expect(report.sharing.generalised["occurrence"] == 1)
    #expect(report.sharing.withheld == ["note": 1, "measure": 1])
    #expect(!ByteText(bytes).says("zq"))
  }

  /// Amid records that lie everywhere around it, each exactly: where they are missing says no more than the small cell.
  @Test(arguments: [nil, Privacy.obscured, .private])
  func whatIsMissingAroundItHasItNotInTheMiddle(word: Privacy?) throws {
    var generator = SeededGenerator(seed: 7)
    func id() -> JournalID { JournalID(milliseconds: 1_770_000_000_000, using: &generator) }
    let (middleLat, middleLon) = (424_550_000, -764_450_000)
    var open: [JournalRecord] = []
    for (row, column) in (0..<30).flatMap({ row in (0..<30).map { (row, $0) } }) {
      let position = Position(
        latitudeE7: middleLat + (row - 15) * 13_000, longitudeE7: middleLon + (column - 15) * 13_000
      )
      let day = "2026-0\((row + column) % 5 + 1)-1\(row % 9)"
      if (row + column) % 2 == 0 {
        var event = Event(id: id(), kind: .visit, start: try LocalTime(day))
        event.position = position
        open.append(.event(event))
      } else {
        var tree = Organism(id: id())
        tree.position = position
        let note = Note(id: id(), target: tree.id, text: "here", time: try LocalTime(day))
        open += [.organism(tree), .note(note)]
      }
    }
    var event = Event(id: id(), kind: .visit, start: try LocalTime("2026-03-15T09:44"))
    var lion = Occurrence(id: id(), event: event.id)
    lion.privacy = word ?? .open
    let name = Identification(id: id(), occurrence: lion.id, verbatimName: "lion")
    var seen: Set<[UInt8]> = []
    for (lat, lon, day) in [(0, 0, 15), (20_000, 49_000, 1), (49_999, -49_000, 31)] {
      event.position = Position(latitudeE7: middleLat + lat, longitudeE7: middleLon + lon)
      event.start = try LocalTime("2026-03-\(day < 10 ? "0" : "")\(day)")
      let journal = try TestJournal().open()
      try journal.set(SharedNames.setting, to: String(repeating: "0123456789abcdef", count: 4))
      try journal.save(
        open + [.event(event), .occurrence(lion)] + (word == nil ? [.identification(name)] : []))
      let (bytes, report) = try journal.exported(.jsonl, for: SharingTests.shared())
      #expect(report.sharing.generalised["event", default: 0] > 20)
      seen.insert(bytes)
    }
    #expect(seen.count == 1)
  }

  @Test(
    arguments: [
      (0, 0, false, 500_000, 500_000), (-1, -1, false, -500_000, -500_000),
      (424_533_100, -764_807_000, false, 424_500_000, -764_500_000),
      (424_533_100, -764_807_000, true, 422_500_000, -762_500_000),
      (900_000_000, 1_800_000_000, false, 899_500_000, -1_799_500_000),
      (-900_000_000, -1_800_000_000, true, -897_500_000, -1_797_500_000),
      (Int.max, Int.min, false, 899_500_000, -1_799_500_000),
    ] as [(Int, Int, Bool, Int, Int)])
  func aCellHasOneCentre(lat: Int, lon: Int, isWide: Bool, centreLat: Int, centreLon: Int) {
    let centre = ShareGrid.centre(
      of: Position(latitudeE7: lat, longitudeE7: lon), isWide: isWide)
    #expect(centre.latitudeE7 == centreLat && centre.longitudeE7 == centreLon)
  }

  /// What lies around a corner, where four cells meet, is in the cell of the first of it.
  @Test func aCornerIsInOneCell() {
    for isWide in [false, true] {
      let side = isWide ? 5_000_000 : 1_000_000
      for latitude in [0, 45, -80] {
        let (north, east) = (latitude * Position.unitsPerDegree + side, 10 * side)
        let around = [(-1, -1), (1, -1), (-1, 1), (1, 1)].map { up, right in
          Position(
            latitudeE7: north + up * side / 50, longitudeE7: east + right * side / 50,
            uncertaintyM: 30)
        }
        #expect(Set(around.map { ShareGrid.centre(of: $0, isWide: isWide) }).count == 4)
        let first = ShareGrid.centre(of: around[0], isWide: isWide)
        let anchor = Position(latitudeE7: first.latitudeE7, longitudeE7: first.longitudeE7)
        for position in around {
          let centre = ShareGrid.centre(of: position, near: [anchor], isWide: isWide)
          #expect(centre == first)
          #expect(centre.distanceM(to: position) + 30 <= Double(centre.uncertaintyM ?? 0))
        }
      }
    }
  }

  @Test func theUncertaintyIsFiveQuartersOfHalfOfTheDiagonal() {
    let equator = ShareGrid.centre(of: Position(latitudeE7: 1, longitudeE7: 1), isWide: false)
    // A tenth of a degree has 11,119.5 m there.
    #expect(equator.uncertaintyM == 9829)
    let rough = Position(latitudeE7: 1, longitudeE7: 1, uncertaintyM: 50_000)
    #expect(ShareGrid.centre(of: rough, isWide: false).uncertaintyM == 59_829)
    // On both sides of a border, and said of one thing.
    let (west, east) = (
      Position(latitudeE7: 10, longitudeE7: 999_990),
      Position(latitudeE7: 10, longitudeE7: 1_000_010)
    )
    #expect(
      ShareGrid.centre(of: west, isWide: false) != ShareGrid.centre(of: east, isWide: false))
    #expect(
      ShareGrid.centre(
        of: west, near: [Position(latitudeE7: 500_000, longitudeE7: 1_500_000)], isWide: false)
        == ShareGrid.centre(of: east, isWide: false))
  }
}
