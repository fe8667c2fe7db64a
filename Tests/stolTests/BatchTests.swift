import Foundation
import TestSupport
import Testing

@Suite("Batches")
struct BatchTests {
  static let input = "lion\nprunella\n900\n901\nzzzz\n\n   \ntiger\r\n20\nwolf"

  static let expected = [
    "lion\tcommon\t8", "prunella\tambiguous\t", "900\tmerged\t8", "901\tdeleted\t",
    "zzzz\tnot_found\t", "\tinvalid\t", "   \tinvalid\t", "tiger\tcommon\t9", "20\tsynonym\t8",
    "wolf\tcommon\t15",
  ]

  @Test(arguments: ["show", "lineage", "children", "subtree", "relatives"])
  func givesOneLineForEachLineInOrder(_ query: String) throws {
    let outcome = try SmallTaxonomy.command("query", query, "-", input: Self.input)
    // None of the taxa has children.
    expect(outcome, status: query == "children" ? 1 : 0)
    #expect(outcome.errorText == "")
    #expect(outcome.lines.first?.hasPrefix("input\tstatus\t") == true)
    #expect(outcome.lines.dropFirst().count == Self.expected.count)
    // A list fills its columns with what it lists, in place of the taxon that was asked about.
    let count = query == "show" ? 3 : 2
    for (line, expected) in zip(outcome.lines.dropFirst(), Self.expected) {
      let cells = [line, expected].map { $0.components(separatedBy: "\t").prefix(count) }
      #expect(cells[0] == cells[1])
    }
  }

  @Test func readsFilesAndGzip() throws {
    let command = try SmallTaxonomy.command
    let folder = try TemporaryFolder()
    try Data(Self.input.utf8).write(to: URL(fileURLWithPath: folder("names.txt")))
    let script = """
      cd '\(folder.path)'
      head -n 4 names.txt | gzip > a.gz; tail -n +5 names.txt | gzip > b.gz; cat a.gz b.gz > ab.gz
      gzip -c names.txt > names.gz
      """
    expect(try command.shell(script), status: 0)
    let whole = try command("query", "show", "-", input: Self.input).text
    for name in ["names.txt", "names.gz", "ab.gz"] {
      for arguments in [["--input", folder(name)], [folder(name)], ["-i", folder(name)]] {
        let outcome = try command.run(
          Command.path, ["query", "show"] + arguments, input: Data())
        expect(outcome, status: 0)
        #expect(outcome.text == whole, "\(name) \(arguments)")
      }
      let standard = try command.shell("stol query show - < '\(folder(name))'")
      #expect(standard.text == whole)
    }
  }

  @Test func damagedGzipIsACorruptFile() throws {
    let command = try SmallTaxonomy.command
    let folder = try TemporaryFolder()
    let script = """
      cd '\(folder.path)'
      seq 1 20000 | gzip > a.gz; head -c 3000 a.gz > cut.gz
      (head -c 3000 a.gz; echo xxxxxxxxxx; tail -c +3012 a.gz) > bad.gz
      stol query show cut.gz > cut.out 2> cut.err; echo $?
      stol query show bad.gz > bad.out 2> bad.err; echo $?
      cat cut.err bad.err
      """
    let outcome = try command.shell(script)
    #expect(Array(outcome.lines.prefix(2)) == ["3", "3"])
    #expect(outcome.lines.count == 4)
    #expect(outcome.lines.dropFirst(2).allSatisfy { $0.hasPrefix("stol: ") && $0.contains(".gz") })
  }

  @Test func oneBadLineSpoilsNoOther() throws {
    var input = Data("lion\n".utf8)
    input += Data([0xFF, 0xFE, 0x0A])
    input += Data(repeating: 0x78, count: 10_000_000) + Data("\n".utf8)
    input += Data("a\0b\n".utf8) + Data(repeating: 0x79, count: 600) + Data("\ntiger\n".utf8)
    input += Data(repeating: 0x7A, count: 10_000_000)
    let command = try SmallTaxonomy.command
    let outcome = try command.run(Command.path, ["query", "show", "-"], input: input)
    expect(outcome, status: 0)
    #expect(
      Self.statuses(outcome).dropFirst() == [
        "common", "invalid", "invalid", "not_found", "invalid", "common", "invalid",
      ])
    #expect(outcome.output.count < 100_000)
    #expect(String(validating: outcome.output, as: UTF8.self) != nil)
  }

  /// What is remembered of a line is what it would be answered anew.
  @Test(
    arguments: [["search"], ["search", "--mode", "fuzzy"], ["complete"], ["show"]],
    [["--tsv"], ["--csv"], ["--jsonl"]])
  func linesThatComeAgainAreAnsweredAsBefore(_ query: [String], _ format: [String]) throws {
    let command = try SmallTaxonomy.command
    let ask = { (lines: [Data], threads: String) -> [Data] in
      let header = format == ["--jsonl"] ? [] : ["--no-header"]
      let words = ["query"] + query + ["-", "--threads", threads] + format + header
      let input = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
      let outcome = try command.run(Command.path, words, input: input)
      return outcome.output.split(separator: UInt8(ascii: "\n"))
    }
    // Two that are the same as far as what is shown of one that is too long.
    let shown = Data(repeating: UInt8(ascii: "y"), count: 512)
    let texts = [
      "lion", "Lion", "lion ", "", "leo", "panthera", "nothing", "a;b", "=1", "\"", "8", "tger",
    ]
    let lines =
      texts.map { Data($0.utf8) } + [
        shown, Data(repeating: UInt8(ascii: "y"), count: 100_000), Data([0xFF, 0xFE]),
      ]
    let answers = try lines.map { try #require(try ask([$0, Data("tiger".utf8)], "1").first) }
    var random = SeededGenerator(seed: 5)
    let drawn = (0..<2_000).map { _ in Int.random(in: lines.indices, using: &random) }
    for threads in ["1", "3"] {
      let found = try ask(drawn.map { lines[$0] } + [Data("tiger".utf8)], threads)
      #expect(found.count == drawn.count + 1)
      #expect(found.dropLast().elementsEqual(drawn.map { answers[$0] }), "\(threads)")
    }
  }

  @Test func setsAreSeparatedByTabs() throws {
    let command = try SmallTaxonomy.command
    let input = "lion\ttiger\nlion\tPanthera tigris\twolf\n8\t101\n900\twolf\nfoo\twolf\n\n8\t901\n"
    let outcome = try command("query", "lca", "-", "--no-header", input: input)
    expect(outcome, status: 0)
    let none = "\t\t\t\t\t\t"
    #expect(
      outcome.lines == [
        "lion\\ttiger\tcommon\t7\tgenus\tPanthera\t2\t\t\tLion;Tiger\t;\t;\t;\t;\t;",
        "lion\\tPanthera tigris\\twolf\tcommon\t5\torder\tCarnivora\t\t\t"
          + "\tLion;;Wolf\t;;\t;;\t;;\t;;\t;;",
        "8\\t101\texact\t\t\t\t\t\t" + none,
        "900\\twolf\tmerged\t5\torder\tCarnivora\t6\t\t\t;Wolf\t;\t;\t;\t;\t;",
        "foo\\twolf\tnot_found\t\t\t\t\t\tfoo" + none, "\tinvalid\t\t\t\t\t\t" + none,
        "8\\t901\tdeleted\t\t\t\t\t\t901" + none,
      ])
    let pairs = try command("query", "distance", "-", "--no-header", input: input)
    #expect(
      Self.statuses(pairs) == [
        "common", "invalid", "exact", "merged", "not_found", "invalid", "deleted",
      ])
  }

  @Test func anEmptyMemberOfASetIsInvalid() throws {
    let outcome = try SmallTaxonomy.command(
      "query", "lca", "-", "--no-header", input: "lion\t\ttiger\n")
    #expect(outcome.text.contains("\tinvalid\t"))
  }

  @Test func jsonLinesHaveInputStatusAndResults() throws {
    let command = try SmallTaxonomy.command
    let outcome = try command("query", "search", "-", "--jsonl", input: Self.input)
    expect(outcome, status: 0)
    let objects = try outcome.lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.count == 10)
    #expect(objects.map { $0["input"] as? String } == Self.inputs)
    for object in objects where object["status"] as? String == "not_found" {
      #expect((object["results"] as? [Any])?.isEmpty == true)
    }
    let sets = try command("query", "lca", "-", "--jsonl", input: "lion\ttiger\n8\t101\n")
    #expect(
      sets.lines.first?.hasPrefix("{\"input\":[\"lion\",\"tiger\"],\"status\":\"common\"") == true)
    #expect(sets.lines.last?.contains("\"lca\":null") == true)
  }

  @Test func jsonIsOneArray() throws {
    let command = try SmallTaxonomy.command
    let outcome = try command("query", "show", "-", "--json", input: Self.input)
    let objects = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
    #expect(objects?.count == 10)
    let empty = try command("query", "show", "-", "--json")
    expect(empty, status: 1)
    #expect(empty.text == "[]\n")
  }

  @Test(
    arguments: [
      ("rank", "species\ngenus\n", ["-l", "3"], "cut at 3 by --limit: 2 of 2 lines"),
      ("rank", "species\nclass\n", ["-l", "3"], "cut at 3 by --limit: 1 of 2 lines"),
      ("children", "7\n6\n8\n", ["-l", "2"], "cut at 2 by --limit: 1 of 3 lines"),
      ("subtree", "7\n6\n8\n", ["-l", "2"], "cut at 2 by --limit: 2 of 3 lines"),
      ("relatives", "8\n101\n", ["-l", "5"], "cut at 5 by --limit: 1 of 2 lines"),
      ("relatives", "8\n101\n", ["-l", "6"], ""),
      ("search", "panther\nlion\n", ["-l", "3"], "cut at 3 by --limit: 1 of 2 lines"),
      ("search", "panther\nlion\n", ["-l", "4"], ""),
      ("search", "p\nzzzz\n", ["-l", "3", "--jsonl"], "cut at 3 by --limit: 1 of 2 lines"),
      ("children", "4\n1\n", [], ""),
    ] as [(String, String, [String], String)])
  func everyCutIsSaid(
    _ query: String, _ input: String, _ options: [String], _ said: String
  ) throws {
    let command = try SmallTaxonomy.command
    let arguments = ["query", query, "-"] + options
    let outcome = try command.run(Command.path, arguments, input: Data(input.utf8))
    expect(outcome, status: 0)
    #expect(outcome.errorText == (said.isEmpty ? "" : said + "\n"))
    let quiet = try command.run(Command.path, arguments + ["-q"], input: Data(input.utf8))
    #expect(quiet.errorText == "" && quiet.text == outcome.text)
  }

  @Test func theDefaultOfALimitCutsToo() throws {
    let batch = try Command()("query", "relatives", "-", input: "Panthera leo\nFelis catus\n")
    expect(batch, status: 0)
    #expect(batch.errorText == "cut at 10 by the default of --limit: 2 of 2 lines\n")
    let alone = try Command()("query", "relatives", "Panthera leo")
    #expect(alone.errorText == "there are others; see --limit\n")
    #expect(alone.lines.count == 11)
    #expect(try Command()("query", "relatives", "Panthera leo", "-q").errorText == "")
  }

  @Test(
    arguments: [
      ("search", "prunella", 0), ("show", "prunella", 1), ("children", "lion", 1),
      ("relatives", "1", 1), ("subtree", "lion", 0), ("lineage", "lion", 0),
      ("rank", "phylum", 1), ("search", "panth", 0), ("complete", "zzzz", 1),
      ("lca", "8\t101", 1), ("distance", "8\t9", 0), ("compare", "8\t901", 1),
    ] as [(String, String, Int32)])
  func aloneAndInABatchExitCodesAreTheSame(
    _ query: String, _ input: String, _ status: Int32
  ) throws {
    let command = try SmallTaxonomy.command
    for format in ["--tsv", "--csv", "--json", "--jsonl"] {
      expect(try command("query", query, "-", format, input: input + "\n"), status: status)
      let alone = try command.run(
        Command.path, ["query", query, format] + input.components(separatedBy: "\t"), input: Data())
      expect(alone, status: status)
    }
  }

  @Test func joinedCellsEscapeWhatJoinsThem() throws {
    let folder = try TemporaryFolder()
    let taxa =
      "INSERT INTO taxa VALUES "
      + "(40, 14, 'species', 'Canis a', 'Smith; Jones', 1900, 'accepted', NULL), "
      + #"(41, 14, 'species', 'Canis b', 'Back\slash', NULL, 'accepted', NULL);"#
    try SmallTaxonomy.write(SmallTaxonomy.sql + taxa, to: folder("a.sqlite"))
    expect(try Command()("pack", folder("a.sqlite"), "-q"), status: 0)
    let command = Command(pack: folder("a.stolpack"))
    for (format, separator, authors) in [
      ("--tsv", "\t", #"Smith\\; Jones;Back\\\\slash;Linnaeus"#),
      ("--csv", ",", #"Smith\; Jones;Back\\slash;Linnaeus"#),
    ] {
      let outcome = try command("query", "children", "-", format, input: "14\n")
      let rows = outcome.lines.map { $0.components(separatedBy: separator) }
      let column = try #require(rows[0].firstIndex(of: "author"))
      #expect(rows[1][column] == authors)
    }
    // One of one is joined as well; what is never joined is as it is.
    let subtree = try command("query", "subtree", "-", input: "40\n").text
    #expect(subtree.contains("\t" + #"Smith\\; Jones"# + "\t"))
    let show = try command("query", "show", "-", input: "40\n").text
    #expect(show.contains("\tSmith; Jones\t"))
    let unknown = try command("query", "lca", "-", "--no-header", input: "a;b\tc\n").text
    #expect(unknown.contains("\t" + #"a\\;b;c"# + "\t"))
  }

  @Test func nothingFoundAtAllIsExit1() throws {
    let outcome = try SmallTaxonomy.command("query", "show", "-", input: "zzzz\n901\n")
    expect(outcome, status: 1)
    #expect(outcome.lines.count == 3)
  }

  @Test func tsvEscapesWhatWouldBreakALine() throws {
    let outcome = try SmallTaxonomy.command("query", "show", "101")
    #expect(outcome.text.contains("name (en)\ttab\\tline\\nback\\\\slash\n"))
  }

  @Test func csvQuotesAndDefusesFormulas() throws {
    let outcome = try SmallTaxonomy.command("query", "show", "101", "--csv")
    #expect(outcome.text.contains("author,'=cmd()\n"))
    #expect(outcome.text.contains("name (fr),\"'=1+1,\"\"b\"\"\"\n"))
    #expect(outcome.text.contains("name (en),\"tab\tline\nback\\slash\"\n"))
    for input in ["=cmd()", "+x", "-x", "-1+x", "@x"] {
      let batch = try SmallTaxonomy.command("query", "show", "-", "--csv", input: input)
      #expect(batch.lines.last?.hasPrefix("'" + input) == true)
    }
    // Numbers are none.
    for input in ["+1", "-1", "-1.5e-7"] {
      let batch = try SmallTaxonomy.command("query", "show", "-", "--csv", input: input)
      #expect(batch.lines.last?.hasPrefix(input + ",") == true)
    }
  }

  @Test func inputsAndNamesWithEscapesReachNoTSVRaw() throws {
    let outcome = try SmallTaxonomy.command(
      "query", "show", "-", input: "101\n\u{1B}[31m\u{202E}\n")
    #expect(!outcome.text.contains("\u{1B}") && !outcome.text.contains("\u{202E}"))
  }

  @Test func answersALineBeforeTheInputEnds() throws {
    let (input, output) = (Pipe(), Pipe())
    let process = try ChildProcess(
      Command.path, ["query", "show", "-", "--no-header"],
      environment: SmallTaxonomy.command.environment,
      input: input.fileHandleForReading, output: output.fileHandleForWriting)
    for (name, id) in [("lion", "8"), ("tiger", "9")] {
      try input.fileHandleForWriting.write(contentsOf: Data("\(name)\n".utf8))
      // Returns as soon as there is something; a command that waited would hang here.
      let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(answer.hasPrefix("\(name)\tcommon\t\(id)\t"))
    }
    #expect(process.isRunning)
    try input.fileHandleForWriting.close()
    #expect(process.waitUnlessItHangs() == .status(0))
  }

  @Test func missingInputFileIsExit6() throws {
    let outcome = try SmallTaxonomy.command("query", "show", "--input", "/absent/names.txt")
    expectError(outcome, status: 6, saying: "/absent/names.txt")
  }

  private static let inputs = input.replacingOccurrences(of: "\r", with: "")
    .components(separatedBy: "\n")

  private static func statuses(_ outcome: Command.Outcome) -> [String] {
    outcome.lines.map { line in
      String(line.split(separator: "\t", omittingEmptySubsequences: false).dropFirst().first ?? "")
    }
  }
}
