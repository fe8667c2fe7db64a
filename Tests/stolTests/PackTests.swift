import Foundation
import STOLPack
import TestSupport
import Testing

@Suite("stol pack, inspect and verify")
struct PackTests {
  @Test func compilesTheSameBytesInAnyLocale() throws {
    let folder = try TemporaryFolder()
    try SmallTaxonomy.write(SmallTaxonomy.sql, to: folder("a.sqlite"))
    var first: Data?
    for (language, zone) in [
      ("C", "UTC"), ("C", "UTC"), ("tr_TR.UTF-8", "Asia/Tokyo"), ("de_DE.UTF-8", "Europe/Berlin"),
    ] {
      var command = Command()
      command.environment["LANG"] = language
      command.environment["LC_ALL"] = language
      command.environment["TZ"] = zone
      let outcome = try command("pack", folder("a.sqlite"), "-o", folder("b.stolpack"))
      expect(outcome, status: 0)
      #expect(outcome.text == "")
      #expect(outcome.errorText.contains("21 taxa, 13 further names, 5 traits"))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder("b.stolpack")))
      #expect(bytes == first ?? bytes)
      first = bytes
    }
    #expect(try folder.contents == ["a.sqlite", "b.stolpack"])
  }

  @Test(arguments: ["a.sqlite", "a.sqlite3", "a.db", "a"])
  func namesThePackAfterTheDatabase(_ name: String) throws {
    let folder = try TemporaryFolder()
    try SmallTaxonomy.write(SmallTaxonomy.sql, to: folder(name))
    let outcome = try Command()("pack", folder(name), "-q")
    expect(outcome, status: 0)
    #expect(outcome.errorText == "")
    #expect(try folder.contents == [name, "a.stolpack"].sorted())
  }

  @Test func strictRefusesWarnings() throws {
    let folder = try TemporaryFolder()
    let wrong = "INSERT INTO names VALUES (99, 555, 'X', 'en', 'common', 0);"
    try SmallTaxonomy.write(SmallTaxonomy.sql + wrong, to: folder("a.sqlite"))
    expectError(
      try Command()("pack", folder("a.sqlite"), "--strict"), status: 2, saying: "names", "99")
    #expect(try folder.contents == ["a.sqlite"])
    let lenient = try Command()("pack", folder("a.sqlite"))
    expect(lenient, status: 0)
    #expect(lenient.errorText.contains("warning: 1 names of taxa that do not exist"))
  }

  @Test func writesTablesForOlderReaders() throws {
    let folder = try TemporaryFolder()
    try SmallTaxonomy.write(SmallTaxonomy.sql, to: folder("a.sqlite"))
    let outcome = try Command()(
      "pack", folder("a.sqlite"), "--euler-tables", folder("old.sqlite"))
    expect(outcome, status: 0)
    #expect(try folder.contents == ["a.sqlite", "a.stolpack", "old.sqlite"])
  }

  @Test func namesTheFileTheRowAndTheReason() throws {
    let folder = try TemporaryFolder()
    let wrong = "INSERT INTO taxa VALUES (77, 78, 'species', 'X', NULL, NULL, 'accepted', NULL);"
    try SmallTaxonomy.write(SmallTaxonomy.sql + wrong, to: folder("a.sqlite"))
    expectError(
      try Command()("pack", folder("a.sqlite")), status: 2, saying: folder("a.sqlite"), "taxa",
      "77", "78")
    #expect(try folder.contents == ["a.sqlite"])
  }

  @Test func missingDatabaseIsExit6() throws {
    let folder = try TemporaryFolder()
    expectError(
      try Command()("pack", folder("absent.sqlite")), status: 6, saying: folder("absent.sqlite"),
      "No such file")
    expectError(try Command()("pack", folder.path), status: 6, saying: folder.path)
  }

  @Test func corruptDatabaseIsExit3() throws {
    let folder = try TemporaryFolder()
    try Data("not a database, but a text of some length".utf8).write(
      to: URL(fileURLWithPath: folder("a.sqlite")))
    expectError(
      try Command()("pack", folder("a.sqlite")), status: 3, saying: folder("a.sqlite"),
      "SQLite")
  }

  @Test func unwritableOutputIsExit6AndNamesThePath() throws {
    let folder = try TemporaryFolder()
    try SmallTaxonomy.write(SmallTaxonomy.sql, to: folder("a.sqlite"))
    let target = folder("absent/b.stolpack")
    let outcome = try Command()("pack", folder("a.sqlite"), "-o", target)
    expectError(outcome, status: 6, saying: target)
    // The file that cannot be written is not the database, and its temporary name is no news.
    #expect(!outcome.errorText.contains("a.sqlite"))
    #expect(!outcome.errorText.contains(".tmp"))
  }

  @Test func refusesToReplaceTheDatabase() throws {
    let folder = try TemporaryFolder()
    try SmallTaxonomy.write(SmallTaxonomy.sql, to: folder("a.sqlite"))
    let before = try Data(contentsOf: URL(fileURLWithPath: folder("a.sqlite")))
    let script = """
      cd '\(folder.path)'; ln -s a.sqlite link.sqlite
      for out in a.sqlite ./a.sqlite '\(folder("a.sqlite"))'; do
        stol pack a.sqlite -o "$out"; echo $?
        stol pack a.sqlite -o b.stolpack --euler-tables "$out"; echo $?
      done
      """
    let outcome = try Command().shell(script)
    #expect(outcome.lines == ["2", "2", "2", "2", "2", "2"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("a.sqlite"))) == before)
  }

  @Test(arguments: [SIGTERM, SIGKILL, SIGINT])
  func interruptionLeavesNoHalfFile(_ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let rows = """
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
      INSERT INTO taxa (id, parent_id, rank, scientific_name)
      SELECT i, 7, 'species', 'Panthera nova' || i FROM n;
      """
    try SmallTaxonomy.write(SmallTaxonomy.sql + rows, to: folder("a.sqlite"))
    let older = Data("an older pack".utf8)
    try older.write(to: URL(fileURLWithPath: folder("a.stolpack")))
    // The moment of writing is short: a run may end before the signal.
    var hits = 0
    for attempt in 0..<4 where hits < 2 {
      let process = try ChildProcess(
        Command.path, ["pack", folder("a.sqlite"), "-q"], environment: Command().environment)
      if attempt == 0 {
        Thread.sleep(forTimeInterval: 0.1)
      } else {
        while process.isRunning, try folder.contents.count < 3 {}
      }
      kill(process.processIdentifier, signal)
      let end = process.wait()
      if attempt > 0, end != .status(0) { hits += 1 }
      let left = try Data(contentsOf: URL(fileURLWithPath: folder("a.stolpack")))
      if left != older {
        let pack = try Pack(path: folder("a.stolpack"))
        try pack.verify()
        #expect(pack.taxonCount == 199_022)
      }
      let names = try folder.contents
      if signal != SIGKILL { #expect(names == ["a.sqlite", "a.stolpack"]) }
      for name in names where name.hasSuffix(".tmp") {
        try FileManager.default.removeItem(atPath: folder(name))
      }
    }
    // What SIGKILL left does not hinder the next run.
    expect(try Command()("pack", folder("a.sqlite"), "-q"), status: 0)
  }

  @Test func inspectTellsDatasetReleaseAndSizes() throws {
    let command = try SmallTaxonomy.command
    let outcome = try command("inspect")
    expect(outcome, status: 0)
    for part in ["Small", "2026-01", "CC0", "taxa        21 (2 roots)", "tree.parent"] {
      #expect(outcome.text.contains(part))
    }
    let named = try Command()("inspect", try SmallTaxonomy.pack)
    #expect(named.text == outcome.text)
  }

  @Test func inspectJSONAddsUpToTheFile() throws {
    for command in [try SmallTaxonomy.command, Command()] {
      let outcome = try command("inspect", "--json")
      expect(outcome, status: 0)
      let object = try #require(
        try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
      let sections = try #require(object["sections"] as? [[String: Any]])
      let sum = sections.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) }
      #expect(sum == object["bytes"] as? Int)
      #expect(object["format"] as? Int == Pack.formatVersion)
      #expect((object["dataset"] as? [String: String])?["release"] != nil)
    }
  }

  @Test func verifyAcceptsWhatPackWrote() throws {
    let path = try SmallTaxonomy.pack
    let outcome = try Command()("verify", path)
    expect(outcome, status: 0)
    #expect(outcome.text.hasPrefix("\(path): ok, 21 taxa"))
    let quiet = try Command()("verify", path, "--quiet")
    expect(quiet, status: 0)
    #expect(quiet.text == "" && quiet.errorText == "")
  }

  @Test func verifyNamesFileAndSectionOfACorruptPack() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: URL(fileURLWithPath: try SmallTaxonomy.pack))
    for position in stride(from: 0, to: whole.count, by: 331) {
      var bytes = whole
      bytes[position] ^= 0x55
      try bytes.write(to: URL(fileURLWithPath: folder("bad.stolpack")))
      let outcome = try Command()("verify", folder("bad.stolpack"))
      // A changed version number is another pack format, not a corrupt file.
      if outcome.status != 2 {
        expectError(outcome, status: 3, saying: folder("bad.stolpack"))
      }
      #expect(outcome.text == "")
    }
    for count in [0, 1, 127, 128, 2_000, whole.count - 1] {
      try whole.prefix(count).write(to: URL(fileURLWithPath: folder("bad.stolpack")))
      expectError(
        try Command()("verify", folder("bad.stolpack")), status: 3, saying: folder("bad.stolpack"))
      expectError(
        try Command(pack: folder("bad.stolpack"))("query", "show", "lion"), status: 3,
        saying: folder("bad.stolpack"))
    }
  }

  @Test func missingPackIsExit6() throws {
    for arguments in [["verify"], ["inspect"], ["query", "show", "lion", "--pack"]] {
      let outcome = try Command().run(
        Command.path, arguments + ["/absent/x.stolpack"], input: Data())
      expectError(outcome, status: 6, saying: "/absent/x.stolpack")
    }
    let folder = try TemporaryFolder()
    expectError(try Command()("verify", folder.path), status: 6, saying: folder.path)
  }

  @Test func databaseThatIsNotThePacksIsRefusedByShow() throws {
    let folder = try TemporaryFolder()
    try SmallTaxonomy.write(SmallTaxonomy.sql, to: folder("a.sqlite"))
    expect(try Command()("pack", folder("a.sqlite"), "-q"), status: 0)
    try SmallTaxonomy.write("DELETE FROM refs", to: folder("a.sqlite"))
    let outcome = try Command(pack: folder("a.stolpack"))("query", "show", "lion")
    expectError(outcome, status: 2, saying: "another database", folder("a.sqlite"))
  }
}
