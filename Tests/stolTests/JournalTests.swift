import Foundation
import GRDB
import TestSupport
import Testing

@Suite("stol journal")
struct JournalTests {
  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"

  @Test func theSameCommandTwiceAddsOnce() throws {
    let home = try CommandHome("journal")
    func add(_ more: String...) throws -> Command.Outcome {
      try home.command.run(
        Command.path,
        ["journal", "add", "panthera  LEO", "--id", Self.id, "--when", "2026-03-15"] + more,
        input: Data())
    }
    let first = try add("--at", "-1.5,36.25", "--accuracy", "4", "--count", "2", "--tag", "dry")
    expect(first, status: 0)
    #expect(first.lines == ["new\t\(Self.id)\tunstated:8"])
    #expect(first.errorText == "stol: read as Panthera leo\n")
    let again = try add("--at", "-1.5,36.25", "--accuracy", "4", "--count", "2", "--tag", "dry")
    #expect(again.lines == ["same\t\(Self.id)\tunstated:8"])
    let other = try add("--count", "3", "-q")
    #expect(other.lines == ["updated\t\(Self.id)\tunstated:8"])
    #expect(other.errorText == "")
    #expect(try home.fields("undo") == [["undone", "2", "3"]])
    let rows = try home.fields("list", "--no-header", "--tag", "DRY", "--within", "Felidae")
    #expect(rows.count == 1)
    #expect(rows.first?.first == Self.id)
    #expect(
      rows.first?.dropFirst(2).map { $0 } == [
        "2026-03-15", "panthera  LEO", "Panthera leo", "unstated:8", "same", "-1.5", "36.25", "4",
        "present", "2", "excellent",
      ])
    #expect(try home.fields("list", "--bbox", "-2,36,-1,37", "--no-header") == rows)
    try home.expectEmpty("list", "--bbox", "-2,37,-1,36.2", "--no-header")
    try home.expectEmpty("list", "--within", "Plantae", "--no-header")
    #expect(try home.fields("check") == [["ok"]])
  }

  @Test func aNameThatIsMerelySimilarWaitsForADecision() throws {
    let home = try CommandHome("journal")
    for _ in 0..<2 {
      let added = try home("add", "Panthera leoo")
      expect(added, status: 0)
      #expect(added.lines.first?.hasSuffix("\t") == true)
      #expect(added.errorText.contains("is it Panthera leo (unstated:8)?"))
    }
    let open = try home.fields("names", "--no-header")
    #expect(open.map { Array($0.prefix(2)) } == [["Panthera leoo", "2"]])
    #expect(
      try home.fields("names", "decide", "Panthera leoo", "lion", "--dry-run") == [
        ["2", "unstated:8"]
      ])
    #expect(try home.fields("names", "--no-header") == open)
    #expect(try home.fields("names", "decide", "Panthera leoo", "lion") == [["2", "unstated:8"]])
    try home.expectEmpty("names", "--no-header")
    let rows = try home.fields("list", "--no-header")
    #expect(
      rows.map { Array($0[3...5]) }
        == Array(
          repeating: ["Panthera leoo", "Panthera leo", "unstated:8"], count: 2))
    expect(try home("names", "decide", "Panthera leoo", "lion"), status: 1)
    expectError(try home("names", "decide", "Panthera leoo"), status: 2, saying: "taxon")
    let life = try home.fields("life", "--no-header")
    #expect(life.map { Array($0.prefix(5)) } == [["8", "Panthera leo", "same", "unstated:8", "2"]])
  }

  @Test func theLastCollectionIsRemembered() throws {
    let home = try CommandHome("journal")
    func collections(_ arguments: String...) throws -> String {
      let added = try home.command.run(
        Command.path, ["journal", "add", "wolf"] + arguments, input: Data())
      let id = try #require(added.lines.first?.components(separatedBy: "\t")[1])
      let shown = try home("show", id).lines.first ?? ""
      return shown.components(separatedBy: "\"collections\":")[1].components(separatedBy: "]")[0]
    }
    let first = try collections("--collection", "Orchard")
    #expect(first.utf8.count == 39)
    #expect(try collections() == first)
    #expect(try collections("--no-collection") == "[")
    #expect(try collections() == "[")
    #expect(try collections("--collection", "Orchard") == first)
    #expect(try home.fields("list", "--collection", "Orchard", "--no-header").count == 3)
    expectError(try home("list", "--collection", "x"), status: 1, saying: "there is \"Orchard\"")
    expectError(
      try home("add", "wolf", "--collection", "a", "--no-collection"), status: 2,
      saying: "--no-collection")
  }

  @Test func whatIsDeletedTogetherComesBackTogether() throws {
    let home = try CommandHome("journal")
    let other = "0192f3a4-5b6c-7d8e-9fab-cdef01234569"
    for id in [Self.id, other] { _ = try home("add", "lion", "--id", id, "--when", "2026") }
    let lines = "\(Self.id)\n\n\(other)\n"
    let rows = [["deleted", Self.id, "3"], ["deleted", other, "3"]]
    #expect(
      try home.fields("delete", "--dry-run", "-", input: lines).map { Array($0.prefix(3)) } == rows)
    #expect(try home.fields("list", "--no-header").count == 2)
    // One that is not there keeps all from going.
    expectError(
      try home("delete", Self.id, "0192f3a4-5b6c-7d8e-9fab-cdef01234560"), status: 1,
      saying: "0192f3a4-5b6c-7d8e-9fab-cdef01234560")
    #expect(try home.fields("list", "--no-header").count == 2)
    #expect(try home.fields("delete", "-", input: lines) == rows.map { $0 + ["3"] })
    expect(try home("list"), status: 1)
    let undone = try home("undo", "--json").text.filter { !$0.isWhitespace }
    #expect(undone == "{\"outcome\":\"undone\",\"batch\":3,\"by\":4}")
    #expect(try home.fields("list", "--no-header").count == 2)
  }

  @Test func whatIsDeletedCanBeBroughtBack() throws {
    let home = try CommandHome("journal")
    _ = try home("add", "lion", "--id", Self.id, "--note", "Two cubs", "--when", "2026")
    #expect(try home.fields("search", "cub", "--no-header").map(\.first) == [Self.id])
    #expect(try home.fields("delete", Self.id) == [["deleted", Self.id, "4", "2"]])
    #expect(try home.fields("delete", Self.id) == [["unchanged", Self.id, "0", ""]])
    expect(try home("search", "cub"), status: 1)
    let shown = try home("show", Self.id)
    expect(shown, status: 0)
    #expect(shown.errorText == "stol: \(Self.id): deleted\n")
    expectError(try home("undo", "1"), status: 2, saying: "batch 2", "undo that first")
    #expect(try home.fields("undo") == [["undone", "2", "3"]])
    #expect(try home.fields("search", "cub", "--no-header").map(\.first) == [Self.id])
    let history = try home.fields("history", "--no-header")
    #expect(
      history.map { [$0[0], $0[2], $0[3]] } == [
        ["3", "undo", "4"], ["2", "delete", "4"], ["1", "save", "4"],
      ])
    #expect(try home.fields("history", Self.id, "--no-header").count == 3)
    #expect(try home.fields("undo") == [["undone", "1", "4"]])
    expectError(try home("undo"), status: 1, saying: "nothing to undo")
  }

  @Test func aDamagedJournalIsLeftAsItIs() throws {
    let home = try CommandHome("journal")
    let folder = home.folder("home/Journal")
    let backup = home.folder("backup.jsonl")
    _ = try home("add", "lion")
    expect(try home("export", "--exact", "-o", backup, "-q"), status: 0)
    let saved = try Data(contentsOf: URL(fileURLWithPath: backup))
    let file = URL(fileURLWithPath: folder + "/journal.sqlite")
    var bytes = try Data(contentsOf: file)
    bytes[3] ^= 1
    try bytes.write(to: file)
    for words in [
      ["list"], ["status"], ["add", "wolf"], ["export", "--exact", "-o", backup, "--force"],
      ["undo"],
      ["purge", "--yes"], ["check", "--rebuild"], ["demo"], ["import", backup],
    ] {
      expectError(try home(words), status: 3, saying: "journal.sqlite", "--set-aside")
    }
    let check = try home("check", "-q")
    expectError(check, status: 3, saying: "journal.sqlite", "backup", "--set-aside")
    #expect(check.lines == ["file: file is not a database"])
    #expect(try Data(contentsOf: file) == bytes)
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == saved)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["journal.sqlite"])
    let aside = folder + "/journal.damaged-1.sqlite"
    #expect(try home.fields("check", "--set-aside") == [["set aside", aside], ["ok"]])
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes)
    let again = try home("check", "--set-aside")
    #expect(again.lines == ["set aside\t\(aside)", "ok"])
    #expect(again.errorText.contains("not damaged"))
    #expect(try home("status").text.contains(aside))
    #expect(
      try home("status", "--json").text.contains("\"damagedFiles\": [\n    \"\(aside)\"\n  ]"))
    expect(try home("import", backup, "-q"), status: 0)
    #expect(try home.fields("list", "--no-header").count == 1)
    #expect(try home.fields("purge", "--dry-run").last == ["damaged file", aside])
    #expect(try home.fields("purge", "--yes").last == ["damaged file", aside])
    #expect(try home.fields("check").last == ["ok"])
    #expect(!FileManager.default.fileExists(atPath: aside))
  }

  /// Checks that rows were refused and why, whatever else is said.
  private func expectRefused(
    _ outcome: Command.Outcome, saying parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(outcome, status: 2, sourceLocation: sourceLocation)
    for part in parts {
      #expect(
        outcome.errorText.contains(part), "\(outcome.errorText)", sourceLocation: sourceLocation)
    }
  }

  @Test func linesGoFromOneJournalToAnother() throws {
    let (home, other) = (try CommandHome("journal"), try CommandHome("journal"))
    _ = try home("add", "lion", "--at", "0,180", "--note", "a\tb\n\"c\"", "--collection", "Ö")
    _ = try home("add", "nothing known")
    let file = home.folder("journal.jsonl")
    #expect(try home.fields("export", "--exact", "-o", file, "-q") == [])
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(try home("export", "--exact").text == text)
    func outcomes(new: Int = 0, same: Int = 0) -> [[String]] {
      let counts = [("new", new), ("same", same)]
      return [["outcome", "rows"]] + counts.map { [$0.0, "\($0.1)"] }
        + ["deleted", "updated", "duplicate?", "flagged", "differs", "refused"].map { [$0, "0"] }
    }
    func imported(_ arguments: String..., input: String = "") throws -> [[String]] {
      let outcome = try other(["import"] + arguments, input: input)
      expect(outcome, status: 0)
      return outcome.lines.map { $0.components(separatedBy: "\t") }
    }
    #expect(try imported(file, "--dry-run") == outcomes(new: 8))
    #expect(try other("export", "--exact").text == "")
    #expect(try imported("-", input: text) == outcomes(new: 8))
    #expect(try other("export", "--exact").text == text)
    #expect(try imported(file) == outcomes(same: 8))
    #expect(try other.fields("import", file, "-q") == [])
    // A line that is none is named, and spoils no other unless that is asked for.
    let third = try CommandHome("journal")
    let spoilt = text + "{}\n"
    let strict = try third("import", "-", "--strict", input: spoilt)
    expectRefused(strict, saying: "line 9", "recordKind")
    #expect(try third("export", "--exact").text == "")
    expectRefused(try third("import", "-", input: spoilt), saying: "line 9", "recordKind")
    #expect(try third("export", "--exact").text == text)
    expectError(try third("import", "/no/such/file"), status: 6, saying: "/no/such/file")
  }

  @Test func aTableIsImported() throws {
    let home = try CommandHome("journal")
    let table = home.folder("trees.csv")
    let text = "treeid,botanic,lat,lon,DBH\n1,Panthera leo,42.1,-76.1,3\n2,Elm,north,-76.1,4\n"
    try text.write(toFile: table, atomically: true, encoding: .utf8)
    expectError(try home("import", table), status: 2, saying: "--map", "--propose")
    let proposal = try home("import", table, "--propose").text
    #expect(proposal.contains("botanic=name\n") && proposal.contains("# DBH=dbh_mm:?"))
    #expect(proposal.contains("\n=source=trees\n"))
    expectError(
      try home("import", table, "--map", "treeid=id"), status: 2, saying: "--source Cornell")
    expectError(
      try home("import", table, "--map", "DBH=dbh_mm"), status: 2, saying: "DBH=dbh_mm:in")
    let map = [
      "treeid=id", "botanic=name", "lat=latitude", "lon=longitude", "=date=2019",
      "=source=campus",
    ].flatMap { ["--map", $0] }
    let arguments = ["import", table] + map + ["--into-collection", "Campus"]
    let dry = try home(arguments + ["--dry-run"])
    #expect(dry.text.split(separator: "\n").contains("new\t1"))
    expect(dry, status: 2)
    #expect(try home("export", "--exact").text == "")
    let first = try home(arguments)
    expectRefused(first, saying: "1 of 2 rows refused")
    #expect(first.errorText.contains("line 3, lat, 'north' is no number"))
    #expect(first.errorText.contains("not taken: \"DBH\""))
    let again = try home(arguments + ["--jsonl", "-q"]).text.split(separator: "\n")
    let nameless = try home(
      ["import", "-", "--map", "day=date"], input: "day\n2020-01-01\n2020-01-02\n")
    expect(nameless, status: 0)
    #expect(nameless.errorText.contains("2 rows without a name"))
    #expect(try home(["import", "-", "--propose"], input: "day\n").text.contains("is a name"))
    expect(try home("undo"), status: 0)
    #expect(again.count == 2 && again[0].contains("\"outcome\":\"same\""))
    #expect(again[1].contains("\"column\":\"lat\"") && again[1].contains("\"value\":\"north\""))
    #expect(try home.fields("history", "--no-header").count == 3)
    let second = try home(
      ["import", "-", "--into-last-collection"] + map, input: "treeid,botanic,lat,lon\n3,Elm,1,2\n")
    expect(second, status: 0)
    #expect(try home.fields("list", "--collection", "Campus", "--no-header").count == 2)
    expectRefused(try home(arguments + ["--strict", "--update"]), saying: "line 3, lat, 'north'")
    let other = try home(
      ["import", "-"] + map, input: "treeid,botanic,lat,lon\n1,Elm,-20,120\n3,Elm,1,2\n")
    expectRefused(
      other, saying: "line 2, event.position", "(differs)",
      "1 of 2 rows differs from what is there")
    #expect(other.lines.contains("differs  1") || other.lines.contains("differs\t1"))
    let image = home.folder("oak.jpg")
    try Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]).write(to: URL(fileURLWithPath: image))
    expectError(
      try home("import", image), status: 2, saying: "oak.jpg: is a JPEG image, which is not read")
  }

  @Test func whatMayBeWrongIsListedAndKept() throws {
    let home = try CommandHome("journal")
    let added = try home("add", "lion", "--at", "-1.5,36.25", "--accuracy", "20")
    #expect(added.errorText.contains("--accept-accuracy"))
    let accepted = try home(
      "add", "lion", "--at", "-1.5,36.25", "--accuracy", "25", "--accept-accuracy", "--when",
      "2026-03-15T09:44")
    #expect(!accepted.errorText.contains("poor"))
    let lines = try home.fields("check")
    #expect(
      lines.map { $0.prefix(3).joined(separator: " ") } == [
        "finding accuracy event", "finding accuracy event", "finding offset event", "ok",
      ])
    #expect(try home.fields("accuracy") == [["5,10,15,20"]])
    #expect(try home.fields("accuracy", "--set", "10,20,30,40") == [["10,20,30,40"]])
    #expect(try home.fields("check").count == 2)
    #expect(
      try home.fields("list", "--no-header").compactMap(\.last) == ["acceptable", "acceptable"])
    expectError(try home("accuracy", "--set", "1"), status: 2, saying: "5,10,15,20")
  }

  @Test func aListIsATableInAPipeWhereThatIsAsked() throws {
    let home = try CommandHome("journal")
    expect(try home("add", "-", "-q", input: "lion\t1,2\t2026\nquagga\t\t2026\n"), status: 0)
    let lines = try home("list", "--table").lines
    #expect(lines.count == 3 && lines.allSatisfy { !$0.contains("\t") })
    #expect(lines.first?.hasPrefix("time") == true)
    let columns = lines.map { line in
      line.range(of: "lion|quagga|verbatimName", options: .regularExpression)
        .map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(Set(columns).count == 1 && columns[0] != nil)
    #expect(try home("list", "--tsv").lines == home("list").lines)
  }

  @Test func manyFindingsAreOneLine() throws {
    let home = try CommandHome("journal")
    let input = (1...11).map { "lion\t\t2026-03-15T09:\($0 + 10)\n" }.joined()
    expect(try home("add", "-", "-q", input: input), status: 0)
    let found = try home.fields("check")
    #expect(found.count == 2 && found.last == ["ok"])
    #expect(
      found.first?.prefix(6).map { $0 } == [
        "findings", "offset", "event", "11", "utc_offset_min", "2026-03-15T09:11 and others",
      ])
    #expect(found.first?.last?.hasSuffix("--each lists them") == true)
    let each = try home.fields("check", "--each")
    #expect(each.count == 12 && each.last == ["ok"])
    #expect(each.dropLast().allSatisfy { $0.prefix(3) == ["finding", "offset", "event"] })
    let lines = try home("check", "--jsonl").lines
    #expect(lines.count == 11)
    #expect(
      zip(lines, each).allSatisfy { line, row in
        line.contains("\"finding\":\"offset\",\"kind\":\"event\",\"id\":\"\(row[3])\"")
      })
    expectError(try home("check", "--each", "--json"), status: 2, saying: "--each")
    expect(try home("undo"), status: 0)
    #expect(try home.fields("check").first?.first == "finding")
  }

  @Test func aCommonNameIsSuggestedAndSaidToBeOne() throws {
    let home = try CommandHome("journal")
    let added = try home("add", "LION")
    expect(added, status: 0)
    #expect(added.errorText.contains("a common name; is it Panthera leo (unstated:8, common name)"))
    let row = try #require(try home.fields("names", "--no-header").first)
    #expect(row.prefix(4) == ["LION", "1", "common", "a common name"])
    #expect(row.last?.hasPrefix("Panthera leo (unstated:8, common name)") == true)
    let line = try #require(try home("names", "--jsonl").lines.first)
    #expect(line.contains("\"matchedName\":\"Lion\",\"difference\":\"common name\""))
    let read = try home("add", "Panthera leo 'Simba'")
    // An animal has no cultivars.
    #expect(read.errorText.contains("what this in it means: \"'Simba'\"; is it Panthera leo"))
  }

  @Test func duplicatesAreListedAndMerged() throws {
    let home = try CommandHome("journal")
    var ids: [String] = []
    for name in ["Panthera leo", "Panthera", "Panthera leo"] {
      let at = ids.count == 2 ? "10,10" : "-1.5,36.25"
      let added = try home("add", name, "--at", at, "--when", "2026-03-15", "--note", name)
      ids.append(try #require(added.lines.first?.components(separatedBy: "\t")[1]))
    }
    let rows = try home.fields("duplicates", "--no-header")
    #expect(rows == [[ids[0], ids[1], "50", "one taxon within the other;0 m apart"]])
    let event = try #require(try home.fields("list", "--no-header").first)[1]
    expectError(
      try home("merge", ids[0], event), status: 2,
      saying: "of the kind occurrence, as the record that stays; this one is of the kind event")
    let plan = try home.fields("merge", ids[0], ids[1], "--dry-run")
    #expect(
      plan == [["moved", "identification", "1"], ["moved", "note", "1"], ["merged", ids[0], ""]])
    #expect(try home.fields("merge", ids[0], ids[1]).last == ["merged", ids[0], "4"])
    #expect(try home.fields("list", "--no-header").count == 2)
    try home.expectEmpty("duplicates", "--no-header")
    expectError(try home("merge", ids[0], ids[1]), status: 2, saying: "deleted")
    _ = try home("undo")
    #expect(try home.fields("duplicates", "--no-header") == rows)
  }

  @Test func aVisitThatIsFilledByAMergeIsSaid() throws {
    let home = try CommandHome("journal")
    var ids: [String] = []
    for options in [[], ["--at", "-1.5,36.25"]] {
      let added = try home(["add", "Panthera leo", "--when", "2026-03-15"] + options)
      ids.append(try #require(added.lines.first?.components(separatedBy: "\t")[1]))
    }
    let event = try #require(
      try home.fields("list", "--no-header").first { $0[0] == ids[0] })[1]
    for arguments in [["--dry-run"], []] {
      let lines = try home(["merge", ids[0], ids[1]] + arguments).lines
      #expect(lines.contains("filled\tevent\t\(event)"))
    }
    #expect(try home.fields("list", "--no-header").map { $0[7] } == ["-1.5"])
  }

  @Test func mapsAndFacetsAndListsOfLife() throws {
    let home = try CommandHome("journal")
    for (name, at, when) in [
      ("Panthera leo", "-1.5,36.25", "2025-03-15"), ("Panthera tigris", "20,80", "2026-01-02"),
      ("Panthera leo", "-1.6,36.25", "2026-03"), ("Panthera", "20,80", "2026"),
    ] {
      expect(try home("add", name, "--at", at, "--when", when, "--tag", "wild"), status: 0)
    }
    let dots = try home.fields("map", "--bbox", "-2,36,-1,37", "--no-header")
    #expect(
      dots.map { $0.dropFirst().prefix(4).joined(separator: " ") } == [
        "Panthera leo -1.5 36.25 1", "Panthera leo -1.6 36.25 1",
      ])
    let clusters = try home.fields("map", "--limit", "1", "--no-header")
    #expect(clusters.map { $0[4] } == ["2", "2"])
    try home.expectEmpty("map", "--places", "--no-header")
    expectError(try home("map", "--places", "--year", "2026"), status: 2, saying: "--places")
    let facets = try home.fields("facets", "--year", "2026", "--no-header")
    #expect(facets.filter { $0[0] == "year" }.map { $0[1] + " " + $0[3] } == ["2026 3", "2025 1"])
    #expect(facets.filter { $0[0] == "month" }.map { $0[1] + " " + $0[3] } == ["1 1", "3 1"])
    #expect(facets.filter { $0[0] == "tag" }.map { $0[1] + " " + $0[3] } == ["wild 3"])
    #expect(
      try home.fields("popular", "--no-header").map { $0[1] + " " + $0[2] }
        == ["Panthera leo 2", "Panthera tigris 1"])
    #expect(
      try home.fields("calendar", "--by", "month", "--no-header")
        == [["2025-03", "1"], ["2026-01", "1"], ["2026-03", "1"]])
    #expect(
      try home.fields("calendar", "--no-header") == [["2025-03-15", "1"], ["2026-01-02", "1"]])
    #expect(
      try home.fields("life", "--by", "year", "--no-header")
        == [["2025", "", "1", "1", "1"], ["2026", "", "3", "2", "3"]])
    let new = try home.fields("life", "--new", "--from", "2026", "--to", "2026", "--no-header")
    #expect(Set(new.map { $0[1] }) == ["Panthera", "Panthera tigris"])
    expectError(try home("life", "--new"), status: 2, saying: "--from")
    expectError(try home("life", "--by", "week"), status: 2, saying: "year, month, country, place")
  }

  @Test func faultsAreNamedAndMended() throws {
    let home = try CommandHome("journal")
    _ = try home("add", "lion")
    let queue = try DatabaseQueue(path: home.folder("home/Journal/journal.sqlite"))
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "UPDATE day_tally SET sighting_count = 9")
    }
    try queue.close()
    let found = try home("check")
    #expect(found.lines.contains { $0.hasPrefix("day_tally") })
    #expect(found.errorText.contains("--rebuild"))
    #expect(found.status != 0)
    #expect(try home.fields("check", "--rebuild") == [["ok"]])
    #expect(try home.fields("check") == [["ok"]])
    let status = try home("status").text
    #expect(status.contains("sightings"))
  }

  @Test(arguments: [
    (["add", ""], "verbatim_name"), (["add", "a", "--at", "1"], "latitude,longitude"),
    (["add", "a", "--at", "91,0"], "latitude"), (["add", "a", "--at", "1,2,3"], "--at"),
    (["add", "a", "--accuracy", "4"], "--at"),
    (["add", "a", "--at", "0,0", "--accuracy", "0"], "uncertainty_m"),
    (["add", "a", "--when", "2026-02-30"], "--when"), (["add", "a", "--count", "-1"], "count"),
    (["add", "a", "--utc-offset", "9999"], "utc_offset_min"), (["add", "a", "--id", "7"], "UUID"),
    (["add", "a", "--tag", ""], "tag"), (["add", "a", "--note", ""], "text"),
    (["add", "a", "--collection", ""], "name"), (["list", "--limit", "0"], "--limit"),
    (["search", "a", "--limit", "0"], "--limit"), (["list", "--bbox", "1,2,3"], "--bbox"),
    (["list", "--bbox", "2,0,1,0"], "south"), (["list", "--from", "x"], "--from"),
    (["list", "--from", "2026", "--to", "2025"], "--from"),

    (["list", "--month", "13"], "--month"), (["facets", "--month", "0"], "--month"),
    (["life", "--year", "10000"], "--year"), (["map", "--country", "Palau"], "--country"),
    (["list", "--json", "--csv"], "choose one"), (["list", "--table", "--tsv"], "choose one"),
    (["show", "x"], "UUID"), (["delete"], "Missing"),
    (["history", "x"], "UUID"), (["undo", "x"], "batch"),
  ])
  func whatCannotBeIsRefusedInALine(arguments: [String], word: String) throws {
    let home = try CommandHome("journal")
    let outcome = try home(arguments)
    expectError(outcome, status: 2, saying: word)
    #expect(try home("export", "--exact").text == "")
  }

  @Test func whatIsUnknownIsNotFound() throws {
    let home = try CommandHome("journal")
    expectError(try home("show", Self.id), status: 1, saying: Self.id)
    expectError(try home("delete", Self.id), status: 1, saying: Self.id)
    expectError(try home("undo"), status: 1, saying: "nothing to undo")
    expectError(try home("undo", "7"), status: 1, saying: "7")
    expectError(try home("list", "--collection", Self.id), status: 1, saying: Self.id)
    expectError(try home("list", "--collection", "x"), status: 1, saying: "no collection \"x\"")
    expectError(try home("list", "--within", "Panthera leu"), status: 1, saying: "Panthera leu")
    expectError(try home("add", "lion", "--within", "nowhere"), status: 1, saying: "nowhere")
    expectError(try home("list", "--tag", "x"), status: 1, saying: "nothing has the tag \"x\"")
    expectError(try home("list", "--country", "PW"), status: 1, saying: "country \"PW\"")
    expectError(try home("list", "--place", "Nope"), status: 1, saying: "Nope", "place add")
    _ = try home("add", "lion", "--tag", "dry")
    expectError(try home("list", "--tag", "x"), status: 1, saying: "there is \"dry\"")
  }

  /// A list of which nothing is found says so by its exit code, whatever it lists.
  @Test(arguments: [
    ["list"], ["life"], ["life", "--by", "year"], ["search", "a"], ["names"], ["map"],
    ["map", "--places"], ["facets"], ["popular"], ["calendar"], ["calendar", "--by", "month"],
    ["duplicates"], ["history"], ["tag", "list"], ["collection", "list"], ["person", "list"],
    ["place", "list"], ["place", "near", "--at", "1,2"], ["place", "duplicates"],
  ])
  func anEmptyListIsNothingFound(arguments: [String]) throws {
    let home = try CommandHome("journal")
    let empty = try home(arguments + ["--no-header"])
    expect(empty, status: 1)
    #expect(empty.text == "" && empty.errorText == "")
    let json = try home(arguments + ["--json"])
    expect(json, status: 1)
    #expect(json.text == "[]\n")
  }

  @Test func placesAndCountriesAreNamedAsPeopleDo() throws {
    let home = try CommandHome("journal")
    _ = try home("place", "add", "Palau", "--kind", "region", "--country", "PW")
    _ = try home("place", "add", "Blue Corner", "--parent", "Palau", "--tag", "reef")
    let dive = try home("dive", "--place", "Blue Corner", "--saw", "Panthera leo")
    expect(dive, status: 0)
    let id = try #require(dive.lines.first?.components(separatedBy: "\t")[1])
    expectError(
      try home("dive", "--id", id, "--saw", "Quercus robur=3"), status: 2,
      saying: "--saw 1 is Panthera leo in this dive")
    for arguments in [["--place", "palau"], ["--place", "Blue Corner"], ["--country", "pw"]] {
      let listed = try home(["list", "--no-header"] + arguments)
      expect(listed, status: 0)
      #expect(listed.lines.count == 1)
    }
    expectError(try home("list", "--country", "FR"), status: 1, saying: "there is \"PW\"")
    // The tag is there, and not of what was seen.
    try home.expectEmpty("list", "--tag", "reef", "--no-header")
  }

  @Test func aSpaceBesideTheCommaOfAPositionIsNoneOfIt() throws {
    let home = try CommandHome("journal")
    expect(try home("add", "lion", "--at", "42.45331, -76.48070"), status: 0)
    #expect(try home.fields("list", "--no-header").map { $0[7] + $0[8] } == ["42.45331-76.4807"])
  }

  @Test func nullIslandIsAskedFor() throws {
    let home = try CommandHome("journal")
    for arguments in [
      ["add", "lion", "--at", "0,0"], ["dive", "--at", "0, 0.00000001"],
      ["place", "add", "A", "--at", "-0,0"],
    ] {
      expectError(try home(arguments), status: 2, saying: "--accept-null-island")
    }
    #expect(try home("export", "--exact").text == "")
    expect(try home("add", "lion", "--at", "0,0", "--accept-null-island"), status: 0)
    let lines = try home("export", "--exact").text
    let other = try CommandHome("journal")
    expect(try other(["import", "-"], input: lines), status: 0)
    #expect(try other("export", "--exact").text == lines)
    #expect(try other("check").lines.contains { $0.hasPrefix("finding\tnullIsland\tevent\t") })
  }

  @Test func theCollectionThatWasUsedLastIsNamed() throws {
    let home = try CommandHome("journal")
    let first = try home("add", "lion", "--collection", "Orchard")
    #expect(!first.errorText.contains("Orchard"))
    let second = try home("add", "lion")
    #expect(
      second.errorText.contains("\"Orchard\"") && second.errorText.contains("--no-collection"))
    #expect(try home(["add", "-"], input: "tiger\n").errorText.contains("\"Orchard\""))
    #expect(try home("add", "lion", "-q").errorText == "")
    #expect(try !home("add", "lion", "--no-collection").errorText.contains("Orchard"))
  }

  @Test func namesThatWereFoundAreCellsOfTheirOwn() throws {
    let home = try CommandHome("journal")
    _ = try home("add", "panthera  LEO", "--id", Self.id, "--when", "2026")
    #expect(
      try home.fields("search", "leo")
        == [
          ["id", "kind", "name", "scientificName"],
          [Self.id, "occurrence", "panthera  LEO", "Panthera leo"],
        ])
    _ = try home("place", "add", "Łódź Ünïcødé")
    for text in ["lodz", "unicode", "ŁÓDŹ"] {
      #expect(try home.fields("search", text, "--no-header").map { $0[2] } == ["Łódź Ünïcødé"])
    }
  }
}

extension CommandHome {
  /// Checks that a list is empty, and that its exit code says so.
  func expectEmpty(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try self(arguments)
    expect(outcome, status: 1, sourceLocation: sourceLocation)
    #expect(outcome.text + outcome.errorText == "", sourceLocation: sourceLocation)
  }

  /// The fields of the lines that a run writes, which says nothing else.
  func fields(
    _ arguments: String..., input: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [[String]] {
    let outcome = try self(arguments, input: input)
    expect(outcome, status: 0, sourceLocation: sourceLocation)
    #expect(outcome.errorText == "", sourceLocation: sourceLocation)
    return outcome.lines.map { $0.components(separatedBy: "\t") }
  }
}
