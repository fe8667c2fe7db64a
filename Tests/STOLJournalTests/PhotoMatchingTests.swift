import TestSupport
import Testing

@testable import STOLJournal

@Suite("Photos placed by a track")
struct PhotoMatchingTests {
  private static func fix(_ seconds: Int?, _ latitude: Int, _ longitude: Int, _ metres: Int? = 5)
    -> PositionFix
  {
    PositionFix(
      position: Position(latitudeE7: latitude, longitudeE7: longitude, uncertaintyM: metres),
      elevationCm: latitude, seconds: seconds)
  }

  @Test func aPlaceIsOnTheLineBetweenPoints() throws {
    let track = TimedTrack([
      Self.fix(100, 0, 0), Self.fix(nil, 9, 9), Self.fix(200, 1000, -1000), Self.fix(2000, 0, 0),
      Self.fix(200, 7, 7), Self.fix(2010, 5, 1_799_999_999), Self.fix(2020, 5, -1_799_999_999, nil),
    ])
    #expect(track.count == 5)
    let middle = try #require(track.place(at: 125, within: 300))
    #expect((middle.position.latitudeE7, middle.position.longitudeE7) == (250, -250))
    #expect(middle.elevationCm == 250)
    // 3.93 m to the nearer point.
    #expect(middle.position.uncertaintyM == 9)
    #expect(track.place(at: 200, within: 1)?.position.latitudeE7 == 1000)
    #expect(track.place(at: 201, within: 1799) == nil)
    #expect(track.place(at: 201, within: 1800) != nil)
    #expect(track.place(at: 50, within: 49) == nil && track.place(at: 50, within: 50) != nil)
    #expect(track.place(at: 2320, within: 300)?.position.longitudeE7 == -1_799_999_999)
    #expect(track.place(at: 2321, within: 300) == nil)
    // On both sides of 180 degrees it is near.
    let east = try #require(track.place(at: 2015, within: 300))
    #expect(east.position.longitudeE7.magnitude == 1_800_000_000)
    #expect(east.position.uncertaintyM == nil)
    #expect(TimedTrack([]).place(at: 0, within: 300) == nil)
  }

  /// A search for the points on both sides, by looking at all of them.
  @Test func placesAreThoseOfBruteForce() throws {
    var generator = SeededGenerator(seed: 252)
    for _ in 0..<300 {
      var times: Set<Int> = []
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        times.insert(Int.random(in: 0...60, using: &generator))
      }
      let fixes = times.map { Self.fix($0, $0 * 1000, 0) }
      let track = TimedTrack(fixes)
      let gap = Int.random(in: 1...30, using: &generator)
      for seconds in -5...65 {
        let before = times.filter { $0 <= seconds }.max()
        let after = times.filter { $0 >= seconds }.min()
        var isThere = false
        if let before, let after {
          isThere = after - before <= gap
        } else if let only = before ?? after {
          isThere = abs(only - seconds) <= gap
        }
        let found = track.place(at: seconds, within: gap)
        #expect((found != nil) == isThere)
        // These points move a thousand units a second.
        let expected = min(max(seconds, times.min() ?? 0), times.max() ?? 0) * 1000
        if let found { #expect(found.position.latitudeE7 == expected) }
      }
    }
  }

  @Test func photosGetThePlacesOfTheirTimes() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    try journal.save(walk.records)
    // 2026-03-15T07:44:30Z.
    let start = 1_773_560_670
    let track = TimedTrack([Self.fix(start - 100, 1000, 0), Self.fix(start + 100, 3000, 0)])
    func photo(_ number: UInt8, _ change: (inout Photo) throws -> Void) throws -> JournalID {
      let file = try PhotoFile(PhotoSample.full.jpeg(number: number), name: nil)
      var photo = file.photo(of: walk.oak.id)
      (photo.position, photo.elevationCm) = (nil, nil)
      try change(&photo)
      try journal.save([.photo(photo)], files: [file])
      return photo.id
    }
    let placed = try photo(1) { _ in }
    let hasPlace = try photo(2) { $0.position = Position(latitudeE7: 5, longitudeE7: 5) }
    let noTime = try photo(3) { $0.time = try LocalTime("2026-03-15") }
    let noOffset = try photo(4) { $0.utcOffsetMin = nil }
    let noPoint = try photo(5) { $0.time = try LocalTime("2026-03-16T09:44:30") }
    let ids = [placed, hasPlace, noTime, noOffset, noPoint, walk.oak.id, JournalID()]
    let expected: [PhotoMatch] = [
      .placed(Position(latitudeE7: 2000, longitudeE7: 0, uncertaintyM: 17)), .hasPlace, .noTime,
      .noOffset, .noPoint,
    ]
    for isRehearsal in [true, false] {
      let (matches, batch) = try journal.match(
        ids, with: track, offsetS: nil, gapS: 300, isRehearsal: isRehearsal)
      #expect(try matches.prefix(5).map { try $0.get() } == expected)
      #expect(matches.suffix(2).allSatisfy { (try? $0.get()) == nil })
      #expect((batch == nil) == isRehearsal)
      let kept = try journal.record(placed)?.record.position
      #expect((kept == nil) == isRehearsal)
    }
    // What a photo says of its clock is what holds of it.
    let again = try photo(6) { _ in }
    let (own, _) = try journal.match(
      [again], with: track, offsetS: 0, gapS: 300, isRehearsal: true)
    #expect(try own[0].get() == expected[0])
    // A clock that was a minute late, for those that are left.
    let (matches, _) = try journal.match(
      [noOffset], with: track, offsetS: 7200 - 60, gapS: 300)
    #expect(
      try matches[0].get()
        == .placed(Position(latitudeE7: 2600, longitudeE7: 0, uncertaintyM: 10)))
    try journal.undo()
    #expect(try journal.record(noOffset)?.record.position == nil)
    #expect(try journal.check() == [])
  }
}
