import Foundation
import TestSupport
import Testing

@Suite("stol journal export, and fixes")
struct JournalExportTests {
  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"

  private static func orchard() throws -> CommandHome {
    let home = try CommandHome("journal")
    let added = try home(
      "add", "Panthera leo", "--id", id, "--at", "42.45331,-76.4807", "--accuracy", "4", "--when",
      "2026-03-15T09:44", "--utc-offset", "-240", "--collection", "Victoria's Orchard", "--note",
      "a <b>", "--tag", "dry")
    expect(added, status: 0)
    expect(try home("add", "wolf", "--when", "2025", "--no-collection"), status: 0)
    return home
  }

  @Test func aFileIsNamedAndNotWrittenOver() throws {
    let home = try Self.orchard()
    let folder = home.folder("out")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let outcome = try home(
      "export", "--exact", "--format", "treetracker", "--collection", "Victoria's Orchard", "-o",
      folder)
    expect(outcome, status: 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 1)
    let name = try #require(names.first)
    let form = /victorias_orchard_\d{4}-\d{2}-\d{2}_\d{6}\.json/
    #expect(name.wholeMatch(of: form) != nil, "\(name)")
    #expect(outcome.text == "" && outcome.errorText.contains("wrote 1 tree to \(folder)/\(name)"))
    #expect(outcome.errorText.contains("occurrence.tags (1)"))
    let file = home.folder("journal.json")
    expect(try home("export", "--exact", "-o", file, "-q"), status: 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix("{\"format\":\"stol-journal\",\"version\":1,\"writer\":\"stol "))
    expect(try home("add", "tiger"), status: 0)
    expectError(try home("export", "--exact", "-o", file), status: 2, saying: "--force")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    expect(try home("export", "--exact", "-o", file, "--force", "-q"), status: 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) != text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder + "/..").sorted()
        .filter { $0.hasSuffix(".tmp") } == [])
    expectError(
      try home("export", "--exact", "-o", "/no/such/folder/a.gpx"), status: 6, saying: "a.gpx")
  }

  /// A link is followed, what is no file is written to, and nothing but a file is replaced.
  @Test func nothingButAFileIsReplaced() throws {
    let home = try Self.orchard()
    let text = try home("export", "--exact").text
    let (file, link, pipe) = (home.folder("a"), home.folder("b"), home.folder("c"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a")
    for words in [[], ["--force"]] {
      expect(try home(["export", "--exact", "-q", "-o", link] + words), status: 0)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a")
    }
    expectError(try home("export", "--exact", "-q", "-o", link), status: 2, saying: "--force")
    for words in ["export --exact -q -o /dev/stdout", "export --exact -q -o /dev/stdout --force"] {
      let outcome = try home.command.shell("stol journal \(words)")
      expect(outcome, status: 0)
      #expect(outcome.text == text)
      #expect(try home.command.shell("stol journal \(words) | cat").text == text)
      let appended = try home.command.shell(
        "echo first > '\(file)'; stol journal \(words) >> '\(file)'; cat '\(file)'")
      #expect(appended.text == "first\n" + text)
    }
    let read = try home.command.shell(
      "mkfifo '\(pipe)'; cat '\(pipe)' & stol journal export --exact -q -o '\(pipe)' --force; wait; "
        + "test -p '\(pipe)' && echo still a pipe")
    #expect(read.text == text + "still a pipe\n")
  }

  @Test func aPartIsWrittenInAnyFormat() throws {
    let home = try Self.orchard()
    let gpx = try home("export", "--exact", "--format", "gpx", "--from", "2026", "-o", "-")
    expect(gpx, status: 0)
    #expect(gpx.lines.count == 4 && gpx.text.contains("<time>2026-03-15T13:44:00Z</time>"))
    #expect(gpx.text.contains("<desc>a &lt;b&gt;</desc>"))
    let trees = try home("export", "--exact", "--format", "treetracker", "--within", "Felidae")
    #expect(trees.text.contains("\"collection\":\"Victoria's Orchard\""))
    let all = try home("export", "--exact")
    #expect(all.errorText == "" && all.lines.count == 8)
    #expect(try home("export", "--exact", "--to", "2025").lines.count == 3)
    #expect(try home("export", "--exact", "--format", "umilog").text.hasPrefix("{\n\"sites\":[]"))
    expectError(try home("export", "--exact", "--format", "xlsx"), status: 2, saying: "xlsx")
    expectError(
      try home("export", "--exact", "--collection", "x"), status: 1, saying: "no collection")
  }

  private static let poor = "$GPGGA,123518,4807.000,N,01131.000,E,1,08,9.9,545.4,M,46.9,M,,*44\r\n"
  private static let good = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n"

  @Test func theBestFixIsTaken() throws {
    let home = try CommandHome("journal")
    let known = try home("add", "lion", "--fix", "nmea:-", input: "x\n" + Self.poor + Self.good)
    expect(known, status: 0)
    #expect(known.errorText.contains("within 50 m, waiting for a better fix"))
    #expect(known.errorText.contains("took 48.1173,11.5166667, within 5 m, the best of 2 fixes"))
    let rows = try home("list", "--no-header").lines.map { $0.components(separatedBy: "\t") }
    #expect(rows.first?[7...9].map { $0 } == ["48.1173", "11.5166667", "5"])
    let poor = try home("add", "lion", "--fix", "nmea:-", "--good", "30", input: Self.poor)
    #expect(poor.errorText.contains("below 30 m would be good"))
    expect(try home("accuracy", "--set", "5,12,15,20"), status: 0)
    let again = try home("add", "lion", "--fix", "nmea:-", input: Self.poor)
    #expect(again.errorText.contains("below 12 m would be good"))
    let file = home.folder("track.gpx")
    let track = "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>"
    try Data(track.utf8).write(to: URL(fileURLWithPath: file))
    let found = try home("add", "lion", "--fix", file)
    #expect(found.errorText.contains("took 1,2, nobody knows how exact, the only fix"))
    expectError(
      try home("add", "lion", "--fix", "nmea:-", input: "x\n"), status: 2, saying: "no fix",
      "1 lines are no sentences")
    expectError(try home("add", "lion", "--fix", file, "--at", "1,2"), status: 2, saying: "--at")
    expectError(try home("add", "lion", "--good", "5"), status: 2, saying: "--fix")
    expectError(try home("add", "lion", "--fix", "/no/such"), status: 6, saying: "/no/such")
    #expect(try home("list", "--no-header").lines.count == 4)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsKnowTheJournal(shell: String) throws {
    let outcome = try Command()("--generate-completion-script", shell)
    expect(outcome, status: 0)
    let help = try Command()("journal", "--help").text
    let commands =
      help.components(separatedBy: "SUBCOMMANDS:").last?.components(separatedBy: "\n\n").first?
      .split(separator: "\n")
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split { " ,".contains($0) }.first } ?? []
    #expect(commands.count > 10 && commands.contains("export"))
    for word in commands + ["treetracker", "bbox"] {
      #expect(outcome.text.contains(word), "\(word)")
    }
  }
}
