import Foundation
import STOLData
import TestSupport
import Testing

@testable import STOLJournal

/// Journals of every version that there ever was.
///
/// In Format/vectors/journal: `N.sqlite`, and in `N.jsonl` what it
/// says. They are kept, and never made anew.
@Suite("Journals of before")
struct VectorTests {
  private static let folder = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }.appendingPathComponent("Format/vectors/journal").path

  @Test(arguments: 1...JournalLayout.version)
  func everyVersionIsReadAndGoesOn(version: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder("Journal")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(Self.folder)/\(version).sqlite", toPath: path + "/journal.sqlite")
    let journal = try JournalFile(folder: path)
    let expected = try String(contentsOfFile: "\(Self.folder)/\(version).jsonl", encoding: .utf8)
    #expect(try JournalLines.text(of: journal) == expected)
    #expect(try journal.check() == [])
    // What was deleted then can be brought back.
    let batches = try journal.history()
    #expect(batches.map(\.what) == ["delete", "save", "save"])
    try journal.undo(batch: try #require(batches.first).id)
    try journal.save(try Walk().records)
    #expect(try journal.check() == [])
    try journal.rebuild()
    #expect(try journal.check() == [])
  }

  /// Makes the vector of a new version, where there is none.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["STOL_MAKE_JOURNAL_VECTOR"] != nil))
  func makeTheVector() throws {
    let home = try TestJournal()
    let target = "\(Self.folder)/\(JournalLayout.version)"
    try FileManager.default.createDirectory(
      atPath: Self.folder, withIntermediateDirectories: true)
    do {
      let journal = try home.open()
      let walk = try Walk()
      try journal.save(walk.records)
      var dive = Event(kind: .dive, start: try LocalTime("2026-03-15T09:44:30"))
      (dive.place, dive.end) = (walk.place.id, try LocalTime("2026-03-15T10:36"))
      var log = Dive()
      (log.number, log.mode, log.durationS, log.maxDepthMm) = (7, .openCircuit, 3090, 22_400)
      var tank = Dive.Tank()
      (tank.volumeMl, tank.startMbar, tank.endMbar, tank.o2Permille) = (
        12_000, 200_000, 60_000, 320
      )
      (tank.use, log.bottomS, log.signedMs) = (.bottom, 2700, 1_773_600_000_000)
      log.tanks = [tank]
      log.logs = [try DiveLogTests.sample()]
      dive.dive = log
      (dive.effortValue, dive.effortUnit) = (51, "min")
      var ada = Person(name: "Ada")
      ada.orcid = "0000-0002-1825-0097"
      dive.persons = [Participant(person: ada.id, role: .instructor, number: "7")]
      var reef = Place(kind: .site, name: "Blue Corner")
      var site = DiveSite()
      (site.kind, site.entry, site.difficulty, site.season) = (.wall, .boat, 4, "November to April")
      (reef.diveSite, reef.privacy) = (site, .obscured)
      var turtle = Occurrence(event: dive.id)
      (turtle.count, turtle.countKind, turtle.minDepthMm) = (2, .least, 5000)
      try journal.save([
        .event(dive), .occurrence(turtle), .person(ada), .place(reef),
        .photo(try PhotoFile(PhotoSample.full.jpeg(), name: "reef.jpg").photo(of: turtle.id)),
        .measure(Measure(target: turtle.id, type: "length_mm", number: 914, text: "3 ft")),
        .identification(Identification(occurrence: turtle.id, verbatimName: "Chelonia  mydas?")),
      ])
      try journal.delete(walk.bird.id)
      try JournalLines.text(of: journal).write(
        toFile: target + ".jsonl", atomically: true, encoding: .utf8)
    }
    try FileManager.default.copyItem(atPath: home.path, toPath: target + ".sqlite")
  }
}
