import Foundation
import TestSupport
import Testing

/// The commands that enter what is in the journal beside sightings.
@Suite("stol journal: dives, places, measures and the like")
struct JournalEntryTests {
  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"
  private let home: CommandHome

  init() throws { home = try CommandHome("journal") }

  /// The fields of the lines that a run writes.
  private func fields(
    _ arguments: String..., input: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [[String]] {
    let outcome = try home(arguments, input: input)
    expect(outcome, status: status, sourceLocation: sourceLocation)
    return outcome.lines.map { $0.components(separatedBy: "\t") }
  }

  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any])
  }

  @Test func aDiveIsKeptWithAllThatWasSeen() throws {
    func dive() throws -> [[String]] {
      try fields(
        "dive", "--id", Self.id, "--place", "Blue Corner", "--new-place", "--start",
        "2026-03-15T09:44", "--max-depth", "72ft", "--duration", "52min", "--tank",
        "12l,200-60bar,EAN32", "--water-temperature", "26.5C,28C", "--visibility", "25m",
        "--current", "3", "--saw", "Panthera leo=2+", "--saw", "nothing known", "--buddy",
        "Ada Reef",
        "--instructor", "Ben", "--instructor-number", "7", "-q")
    }
    let first = try dive()
    #expect(first.map { $0[0] } == ["new", "new", "new"])
    #expect(first[0][1] == Self.id && first[1][2...] == ["unstated:8", "Panthera leo"])
    #expect(try dive().map { $0[0] } == ["same", "same", "same"])
    let shown = try home("show", Self.id, "--facts")
    expect(shown, status: 0)
    let event = try object(shown.lines[0])
    let facts = try #require(event["dive"] as? [String: Any])
    #expect(facts["maxDepthMm"] as? Int == 21_946 && facts["durationS"] as? Int == 3120)
    #expect(facts["waterMinCk"] as? Int == 29_965 && facts["waterMaxCk"] as? Int == 30_115)
    #expect((event["persons"] as? [Any])?.count == 2)
    let follows = try object(try #require(shown.lines.last))
    let seen = try #require(follows["seen"] as? [[String: Any]])
    #expect(seen.map { $0["count"] as? Int } == [2, nil])
    let names = (follows["participants"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect(names == ["Ada Reef", "Ben"])
    let place = try fields("place", "list", "--state", "visited", "--no-header")
    #expect(place.map { $0[2] } == ["Blue Corner"])
    let said = try home("show", place[0][0], "--facts")
    let ofPlace = try object(try #require(said.lines.last))
    #expect((ofPlace["facts"] as? [String: Any])?["diveCount"] as? Int == 1)
    #expect(try fields("person", "list", "--no-header").map { $0[1] } == ["Ada Reef", "Ben"])
    #expect(try object(home("status", "--json").text)["diveSeconds"] as? Int == 3120)
    #expect(try fields("check").last == ["ok"])
  }

  @Test func measuresAreAddedWithTheirUnits() throws {
    let added = try fields(
      "add", "Panthera leo", "--id", Self.id, "--when", "2026", "--measure", "mass=190kg", "-q")
    #expect(added == [["new", Self.id, "unstated:8"]])
    func measure() throws -> [[String]] {
      try fields("measure", Self.id, "length=6ft", "health=good", "--when", "2026-03-15")
    }
    let first = try measure()
    #expect(first.map { $0[0] } == ["new", "new"])
    #expect(first.map { Array($0[2...]) } == [["length_mm", "1829", ""], ["health", "", "good"]])
    #expect(try measure().map { $0[0] } == ["same", "same"])
    let lines = try fields(
      "measure", "-",
      input: "\(Self.id)\tmass=180kg\n\(Self.id)\tmass=3m\nx\tstems=1\n\(Self.id)\n",
      status: 2)
    #expect(lines.map { $0[0] } == ["new", "invalid", "invalid", "invalid"])
    #expect(lines[1].last?.contains("unit of length") == true)
    #expect(try fields("note", Self.id, "Two, at noon", "--when", "2026-03")[0][0] == "new")
    #expect(
      try fields("note", "-", input: "\(Self.id)\tAnd dusk\nx\n", status: 2).map { $0[0] } == [
        "new", "invalid",
      ])
    #expect(try fields("show", Self.id).count == 2 + 4 + 2)
    #expect(try fields("check") == [["ok"]])
  }

  @Test(arguments: [
    (["add", "-", "--when", "2026", "--collection", "Zoo"], "tiger\n\nlion\tx\n\u{FFFD}\n"),
    (["place", "add", "-"], "Reef\t1,2\n \nBad\t91,0\n"), (["person", "add", "-"], "Ada\n\nBen\n"),
    (["note", "-"], "UUID\tx\n\nx\n"), (["measure", "-"], "UUID\tmass=1kg\n\nUUID\tmass=1m\n"),
  ])
  func everyLineHasARowAlsoWhereNothingIsKept(_ arguments: [String], _ text: String) throws {
    let input = text.replacing("UUID", with: Self.id)
    _ = try fields("add", "lion", "--id", Self.id, "--when", "2026", "-q")
    func kept() throws -> [String] {
      try ["list", "status", "place list", "person list", "collection list"].map {
        try home($0.components(separatedBy: " ") + ["--json"]).text
      } + [home(["export", "--exact"]).text]
    }
    func rows(_ options: String...) throws -> [[String]] {
      let outcome = try home(arguments + options, input: input)
      expect(outcome, status: 2)
      return outcome.lines.map { $0.components(separatedBy: "\t") }
    }
    let before = try kept()
    let dry = try rows("--dry-run")
    #expect(try kept() == before)
    let lines = input.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(dry.count == lines.count)
    let begins = lines.map { line in
      line.allSatisfy(\.isWhitespace) ? "" : line.components(separatedBy: "\t")[0]
    }
    #expect(dry.map { $0[$0.count - 2] } == begins)
    #expect(dry[1][0] == "invalid" && dry[1].last == "a blank line")
    #expect(try rows("-q").map { $0[0] } == dry.map { $0[0] })
    #expect(try kept() != before)
  }

  @Test func tagsAndCollectionsTakeMany() throws {
    let other = try fields("add", "tiger", "--when", "2026", "-q")[0][1]
    _ = try fields("add", "lion", "--id", Self.id, "--when", "2026", "-q")
    let input = "\(Self.id)\nx\n\(other)\n"
    let before = try fields("export", "--exact")
    let dry = try fields("tag", "add", "-", "cat", "big", "--dry-run", input: input, status: 2)
    #expect(dry.map { $0[0] } == ["updated", "invalid", "updated"])
    #expect(try fields("export", "--exact") == before)
    #expect(
      try fields("tag", "add", "-", "cat", "big", input: input, status: 2).map { $0[0] }
        == dry.map { $0[0] })
    #expect(try fields("tag", "list", "--no-header") == [["big", "2"], ["cat", "2"]])
    #expect(try fields("tag", "remove", Self.id, "BIG") == [["updated", Self.id]])
    let collection = try fields("collection", "add", "Zoo")[0]
    #expect(try fields("collection", "add", "Zoo")[0] == ["same", collection[1]])
    let put = try fields("collection", "put", "Zoo", Self.id, other)
    #expect(put.map { $0[0] } == ["updated", "updated"])
    #expect(try fields("collection", "take", "Zoo", other) == [["updated", other]])
    #expect(try fields("collection", "list", "--no-header") == [[collection[1], "Zoo", "1"]])
    expectError(try home("collection", "put", "Zu", Self.id), status: 1, saying: "Zoo")
    expectError(try home("tag", "add", collection[1], "a"), status: 2, saying: "collection")
    let json = try home("collection", "put", "Zoo", other, "--json")
    let rows = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [[String: Any]]
    #expect(rows?.first?["status"] as? String == "updated")
    #expect(try fields("check") == [["ok"]])
  }

  @Test func placesAreAddedFoundAndPlanned() throws {
    let region = try fields("place", "add", "Palau", "--kind", "region", "--country", "PW")[0][1]
    let site = try fields(
      "place", "add", "Blue Corner", "--at", "7.134,134.2205", "--parent", "Palau", "--site-kind",
      "wall", "--entry", "boat", "--difficulty", "4", "--max-depth", "30m", "--season", "winter")[
        0][1]
    let shops = try fields(
      "place", "add", "-", "--kind", "shop",
      input: "Sam's\t7.34,134.46\nBad\t91,0\nFar\t-7,134\nSpot\t7.135,134.22\tspot\n", status: 2)
    #expect(shops.map { $0[0] } == ["new", "invalid", "new", "new"])
    #expect(
      try fields("place", "list", "--within", "palau", "--no-header").map { $0[0] } == [site])
    try home.expectEmpty("place", "list", "--difficulty", "3", "--no-header")
    #expect(try fields("place", "list", "--entry", "boat", "--no-header").map { $0[0] } == [site])
    let near = try fields("place", "near", "Blue Corner", "--kind", "shop", "--no-header")
    #expect(near.map { $0[2] } == ["Sam's"])
    #expect(
      try fields("place", "near", "--at", "-7,134", "--radius", "1m", "--no-header").count == 1)
    #expect(
      try fields("place", "state", "Blue Corner", "wishlist", "planned") == [["updated", site]])
    #expect(
      try fields("place", "list", "--state", "planned", "--no-header").map { $0[0] } == [site])
    #expect(try fields("place", "state", site, "none") == [["updated", site]])
    expectError(try home("place", "near", region), status: 2, saying: "no position")
    expectError(try home("place", "state", "Nowhere", "planned"), status: 1, saying: "Nowhere")
    let twin = try home("place", "add", "Blue Corner")
    #expect(twin.errorText.contains(site))
    expectError(try home("place", "near", "Blue Corner"), status: 1, saying: "several places")
    #expect(try fields("check") == [["ok"]])
  }

  @Test func linesOfNamesAreAdded() throws {
    let input =
      "Panthera leo\t1,2\t2026-03\t2\tasleep\t\(Self.id)\n\nnothing known\nlion\tx\ntiger\t\t\tmany\n"
    let added = try home(["add", "-", "--when", "2026", "--tag", "zoo"], input: input)
    expectError(added, status: 2, saying: "3 of 5 lines")
    let lines = added.lines.map { $0.components(separatedBy: "\t") }
    #expect(lines.map { $0[0] } == ["new", "invalid", "new", "invalid", "invalid"])
    #expect(
      lines.map { $0[3] } == ["Panthera leo", "", "nothing known", "lion", "tiger"])
    #expect(lines[1].last == "a blank line")
    #expect(lines[0][1...3] == [Self.id, "unstated:8", "Panthera leo"])
    let rows = try fields("list", "--tag", "zoo", "--no-header")
    #expect(Set(rows.map { $0[2] }) == ["2026-03", "2026"])
    expect(try home(["add", "-"], input: "lion\tx\n"), status: 2)
    expect(try home(["add", "-"], input: "lion\n"), status: 0)
  }

  @Test(arguments: [
    (["dive", "--max-depth", "22"], "say the unit"), (["dive", "--duration", "52"], "--duration"),
    (["dive", "--tank", "12"], "tank"), (["dive", "--saw", "a=x"], "count"),
    (["dive", "--water-temperature", "1C,2C,3C"], "--water-temperature"),
    (["dive", "--new-place"], "--place"), (["dive", "--instructor-number", "7"], "--instructor"),
    (["add", "a", "--measure", "girth=3"], "say the unit"),
    (["add", "a", "--measure", "grith=3m"], "girth"), (["add", "-", "--id", "x"], "--id"),
    (["add", "a", "--privacy", "x"], "--privacy"), (["measure", Self.id], "measure"),
    (["note", Self.id], "text"), (["tag", "add", "x", "y"], "UUID"),
    (["person", "add", "Ada", "--orcid", "0000-0002-1825-0098"], "orcid"),
    (["place", "add", "A", "--kind", "shop", "--difficulty", "1"], "kind"),
    (["place", "add", "A", "--difficulty", "6"], "difficulty"),
    (["place", "near"], "--at"), (["place", "state", "A", "visited"], "visited"),
    (["place", "state", "A", "none", "planned"], "none"), (["note", "-", "a"], "lines"),
    (["collection", "put", "A", "x", "--json", "--jsonl"], "choose one"),
  ])
  func whatCannotBeIsRefusedInALine(arguments: [String], word: String) throws {
    expectError(try home(arguments), status: 2, saying: word)
    #expect(try home("export", "--exact").text == "")
  }

  @Test func whatIsUnknownIsNotFound() throws {
    expectError(try home("measure", Self.id, "stems=1"), status: 1, saying: Self.id)
    expectError(try home("note", Self.id, "a"), status: 1, saying: Self.id)
    expectError(try home("tag", "add", Self.id, "a"), status: 1, saying: Self.id)
    expectError(try home("dive", "--place", "Nowhere"), status: 1, saying: "Nowhere")
    expect(try home(["tag", "add", "-", "a"], input: Self.id), status: 1)
  }

  @Test func whatCouldHarmATerminalIsEscaped() throws {
    let text = "a \u{202E}b \u{9B}1m \u{E9} \\ \"c\""
    expect(try home("add", "Panthera leo", "--id", Self.id, "--when", "2026", "-q"), status: 0)
    expect(try home("note", Self.id, text, "-q"), status: 0)
    let shown = try home("show", Self.id)
    let line = try #require(shown.lines.first { $0.contains("\"note\"") })
    #expect(!line.unicodeScalars.contains("\u{202E}") && !line.unicodeScalars.contains("\u{9B}"))
    #expect(try object(line)["text"] as? String == text)
  }

  @Test func whereNobodyReadsTheAnswersTheLastLineThatWasKeptIsNamed() throws {
    let outcome = try home.command.shell(
      "yes 'Panthera leo' | head -400 | stol journal add - -q | true; exit ${PIPESTATUS[2]}")
    expectError(outcome, status: 6, saying: "nobody reads it any more; line ")
    let words = outcome.errorText.split(separator: " ")
    let line = try #require(
      words.firstIndex(of: "line").map { words.index(after: $0) }.flatMap { Int(words[$0]) })
    #expect(try home.fields("list", "--no-header", "--limit", "1000").count == line)
  }

  @Test func spacesBesideAUUIDInALineAreNoneOfIt() throws {
    expect(try home("add", "Panthera leo", "--id", Self.id, "-q"), status: 0)
    expect(try home(["tag", "add", "-", "a"], input: "\(Self.id) \n"), status: 0)
  }

  @Test func aSmallPositionIsPrintedAsItCanBeStated() throws {
    let position = "-0.0000001,0.00001"
    expect(try home("add", "Panthera leo", "--id", Self.id, "--at", position, "-q"), status: 0)
    let row = try #require(try home.fields("list", "--no-header").first)
    #expect(row.contains("-0.0000001") && row.contains("0.00001"))
  }

  @Test func whatIsSaidAgainOfADiveIsAllThatChanges() throws {
    _ = try fields(
      "dive", "--id", Self.id, "--place", "Blue Corner", "--new-place", "--start",
      "2026-03-15T09:44", "--max-depth", "22m", "--tank", "12l,200-60bar", "--buddy", "Ada Reef",
      "--instructor", "Ben", "--tag", "night", "--draft", "--saw", "Panthera leo=2", "-q")
    #expect(try fields("dive", "--id", Self.id, "-q").map { $0[0] } == ["same"])
    let changed = try fields(
      "dive", "--id", Self.id, "--duration", "52min", "--buddy", "Cy", "--no-draft", "--saw",
      "Panthera leo", "-q")
    #expect(changed[0][0] == "updated")
    let shown = try home("show", Self.id, "--facts")
    let event = try object(shown.lines[0])
    let dive = try #require(event["dive"] as? [String: Any])
    #expect(dive["maxDepthMm"] as? Int == 22_000 && dive["durationS"] as? Int == 3120)
    #expect((dive["tanks"] as? [Any])?.count == 1 && event["status"] as? String == "saved")
    #expect(event["start"] as? String == "2026-03-15T09:44" && event["place"] != nil)
    #expect(event["tags"] as? [String] == ["night"])
    let follows = try object(try #require(shown.lines.last))
    let seen = try #require(follows["seen"] as? [[String: Any]])
    #expect(seen.map { $0["count"] as? Int } == [2])
    let names = (follows["participants"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(names?.sorted() == ["Ben", "Cy"])
    _ = try fields("dive", "--id", Self.id, "--place", "Green Corner", "--new-place", "-q")
    #expect(
      Set(try fields("place", "list", "--no-header").map { $0[2] })
        == ["Blue Corner", "Green Corner"])
    #expect(try fields("check").last == ["ok"])
  }

  @Test func aFixAtNullIslandIsPassedOver() throws {
    let points = [("0", "0", "0.1"), ("95", "5", "0.1"), ("52.5", "5.5", "0.9")].map {
      "<trkpt lat=\"\($0)\" lon=\"\($1)\"><hdop>\($2)</hdop></trkpt>"
    }
    func track(_ points: some Sequence<String>) throws -> String {
      let path = home.folder("walk.gpx")
      try Data(
        """
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\
        \(points.joined())</trkseg></trk></gpx>
        """.utf8
      ).write(to: URL(fileURLWithPath: path))
      return path
    }
    let added = try home("add", "Panthera leo", "--fix", track(points))
    expect(added, status: 0)
    #expect(added.errorText.contains("1 at 0,0") && added.errorText.contains("1 nowhere"))
    #expect(try fields("list", "--no-header")[0][7...9] == ["52.5", "5.5", "5"])
    expectError(
      try home("add", "Panthera leo", "--fix", track(points.prefix(1))), status: 2,
      saying: "--accept-null-island")
  }

  @Test func whatIsAmbiguousNeedsAnID() throws {
    for arguments in [
      ["names", "decide", "lion", "Prunella"], ["add", "a", "--within", "Prunella"],
    ] {
      let asked = try home(arguments)
      expect(asked, status: 1)
      #expect(asked.errorText.contains("give an id:") && !asked.errorText.contains("--rank"))
      #expect(asked.errorText.contains("33"))
    }
  }

  @Test func whatIsSaidAgainOfASightingIsAllThatChanges() throws {
    let first = [
      "add", "Panthera leo", "--id", Self.id, "--when", "2026-03-15", "--at", "-1.5,36", "--count",
      "3", "--tag", "dry", "--no-collection", "-q",
    ]
    expect(try home(first), status: 0)
    let again = ["add", "Panthera leo", "--id", Self.id, "--no-collection", "-q"]
    #expect(try fields("list", "--no-header")[0][7...8] == ["-1.5", "36"])
    #expect(try home(again).text.hasPrefix("same"))
    #expect(try home(again + ["--count", "0"]).text.hasPrefix("updated"))
    let seen = try object(try home("show", Self.id).lines[0])
    #expect(seen["presence"] as? String == "absent" && seen["tags"] as? [String] == ["dry"])
    #expect(try fields("edit", Self.id, "--count", "2")[0][0] == "updated")
    let row = try fields("list", "--no-header")[0]
    #expect(row[2] == "2026-03-15" && row[7...11] == ["-1.5", "36", "", "present", "2"])
  }

  @Test func aLoneRowThatIsRefusedHasNoOthers() throws {
    let lone = try home(
      ["import", "-", "--map", "n=name", "--map", "d=date"], input: "n,d\nlion,never\n")
    expect(lone, status: 2)
    #expect(lone.errorText.contains("1 of 1 row refused\n"), "\(lone.errorText)")
    let two = try home(
      ["import", "-", "--map", "n=name", "--map", "d=date"], input: "n,d\nlion,never\nlion,2026\n")
    expect(two, status: 2)
    #expect(two.errorText.contains("refused; the others are kept\n"), "\(two.errorText)")
  }
}
