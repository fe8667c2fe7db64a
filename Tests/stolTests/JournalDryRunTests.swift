import Foundation
import TestSupport
import Testing

/// What is tried out where there is no journal.
@Suite("stol journal --dry-run")
struct JournalDryRunTests {
  private static let ids = [
    "0192f3a4-5b6c-7d8e-9fab-cdef01234567", "0192f3a4-5b6c-7d8e-9fab-cdef01234568",
  ]

  @Test func aDryRunBeginsNoJournal() throws {
    let home = try CommandHome("journal")
    let (table, archive) = (home.folder("trees.csv"), home.folder("journal.stoljournal"))
    let track = home.folder("track.gpx")
    try Data("name,date\nlion,2026-03-15\n".utf8).write(to: URL(fileURLWithPath: table))
    try Data(
      """
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="1" lon="2"><time>2026-03-15T09:44:30Z</time></trkpt></trkseg></trk></gpx>
      """.utf8
    ).write(to: URL(fileURLWithPath: track))
    let other = try CommandHome("journal")
    expect(try other("add", "lion", "--id", Self.ids[0]), status: 0)
    expect(try other("backup", "-o", archive, "--unsealed", "-q"), status: 0)
    var command = home.command
    let temporary = home.folder("tmp")
    command.environment["TMPDIR"] = temporary
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: false)
    for (arguments, status) in [
      (["add", "lion", "--collection", "Orchard"], 0), (["demo"], 0), (["purge"], 0),
      (["import", table, "--map", "name=name", "--map", "date=date"], 0),
      (["restore", archive], 0),
      (["import", table, "--map", "name=name", "--map", "date=name"], 2),
      (["delete", Self.ids[0]], 1), (["merge"] + Self.ids, 1),
      (["photo", "match", "--gpx", track], 0), (["place", "add", "Reef"], 0),
      (["person", "add", "Ada"], 0), (["note", Self.ids[0], "x"], 1),
      (["measure", Self.ids[0], "mass=1kg"], 1),
      (["tag", "add", Self.ids[0], "x"], 1), (["tag", "remove", Self.ids[0], "x"], 1),
      (["collection", "put", "x", Self.ids[0]], 1),
      (["place", "state", Self.ids[0], "planned"], 1),
      (["privacy", "set", "open", Self.ids[0]], 1), (["names", "decide", "x", "lion"], 1),
      (["relink", "decide", "x", "lion"], 1),
    ] as [([String], Int32)] {
      let outcome = try command.run(
        Command.path, ["journal"] + arguments + ["--dry-run"], input: Data())
      #expect(outcome.status == status, "\(arguments): \(outcome.errorText)")
      #expect(!FileManager.default.fileExists(atPath: home.folder("home")), "\(arguments)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: temporary) == [], "\(arguments)")
    }
    expect(try command.run(Command.path, ["journal", "add", "lion"], input: Data()), status: 0)
    #expect(FileManager.default.fileExists(atPath: home.folder("home/Journal/journal.sqlite")))
  }
}
