import Foundation
import TestSupport
import Testing

@Suite("Formats of batches")
struct BatchFormatTests {
  @Test(
    arguments: [
      (
        "--tsv",
        """
        input\tstatus\tid\trank\tscientificName\tmatchedName\tmatchType\tconservationStatus\tdistance\t\
        nameStatus\tnameAuthor\tnameYear\tsensu\tnameID\tcandidates
        lion\tcommon\t8\tspecies\tPanthera leo\tLion\tcommon\tVU\t0\t\t\t\t\t\t
        Panthera\texact\t7\tgenus\tPanthera\tPanthera\tscientific\t\t0\taccepted\tOken\t1816\t\t\t
        zzzz\tnot_found\t\t\t\t\t\t\t\t\t\t\t\t\t
        \tinvalid\t\t\t\t\t\t\t\t\t\t\t\t\t
        """
      ),
      (
        "--csv",
        """
        input,status,id,rank,scientificName,matchedName,matchType,conservationStatus,distance,\
        nameStatus,nameAuthor,nameYear,sensu,nameID,candidates
        lion,common,8,species,Panthera leo,Lion,common,VU,0,,,,,,
        Panthera,exact,7,genus,Panthera,Panthera,scientific,,0,accepted,Oken,1816,,,
        zzzz,not_found,,,,,,,,,,,,,
        ,invalid,,,,,,,,,,,,,
        """
      ),
      (
        "--jsonl",
        """
        {"input":"lion","status":"common","results":[{"id":8,"rank":"species",\
        "scientificName":"Panthera leo","matchedName":"Lion","matchType":"common",\
        "conservationStatus":"VU","distance":0,"nameStatus":null,"nameAuthor":null,"nameYear":null,\
        "sensu":null,"nameID":null}]}
        {"input":"Panthera","status":"exact","results":[{"id":7,"rank":"genus",\
        "scientificName":"Panthera","matchedName":"Panthera","matchType":"scientific",\
        "conservationStatus":null,"distance":0,"nameStatus":"accepted","nameAuthor":"Oken","nameYear":1816,\
        "sensu":null,"nameID":null}]}
        {"input":"zzzz","status":"not_found","results":[]}
        {"input":"","status":"invalid"}
        """
      ),
    ])
  func searchPrintsTheBestHits(_ option: String, _ expected: String) throws {
    let outcome = try SmallTaxonomy.command(
      "query", "search", "-", "--mode", "exact", option, input: "lion\nPanthera\nzzzz\n\n")
    expect(outcome, status: 0)
    // The score is the library's to choose.
    let lines = outcome.lines.map { line in
      guard option != "--jsonl" else {
        return line.replacing(/,"relevanceScore":[0-9.]+/, with: "")
      }
      let separator = option == "--tsv" ? "\t" : ","
      var cells = line.components(separatedBy: separator)
      cells.remove(at: 9)
      return cells.joined(separator: separator)
    }
    #expect(lines == expected.components(separatedBy: "\n"))
  }

  @Test(
    arguments: [
      (
        "--tsv",
        """
        input\tstatus\tid\trank\tscientificName\tdistance\tcandidates\tunknown\t\
        matchedName\tnameStatus\tnameAuthor\tnameYear\tsensu\tnameID
        lion\\ttiger\tcommon\t7\tgenus\tPanthera\t2\t\t\tLion;Tiger\t;\t;\t;\t;\t;
        8\\t101\texact\t\t\t\t\t\t\t\t\t\t\t\t
        """
      ),
      (
        "--csv",
        """
        input,status,id,rank,scientificName,distance,candidates,unknown,\
        matchedName,nameStatus,nameAuthor,nameYear,sensu,nameID
        lion\\u{9}tiger,common,7,genus,Panthera,2,,,Lion;Tiger,;,;,;,;,;
        8\\u{9}101,exact,,,,,,,,,,,,
        """
      ),
      (
        "--jsonl",
        """
        {"input":["lion","tiger"],"status":"common","lca":{"id":7,"parentID":6,"rank":"genus",\
        "scientificName":"Panthera","author":"Oken","year":1816,"taxonStatus":"accepted",\
        "conservationStatus":null},"distance":2,"lineage":,"matchedNames":[\
        {"member":"lion","matchedName":"Lion","nameStatus":null,"nameAuthor":null,"nameYear":null,\
        "sensu":null,"nameID":null},\
        {"member":"tiger","matchedName":"Tiger","nameStatus":null,"nameAuthor":null,"nameYear":null,\
        "sensu":null,"nameID":null}]}\
        {"input":["8","101"],"status":"exact","lca":null,"distance":null}
        """
      ),
    ])
  func setsPrintTheirAncestor(_ option: String, _ expected: String) throws {
    let outcome = try SmallTaxonomy.command(
      "query", "lca", "-", option, input: "lion\ttiger\n8\t101\n")
    expect(outcome, status: 0)
    let lineage = /\[\{"id":1,.*"scientificName":"Panthera".*?\}\]/
    let lines = outcome.lines.map { $0.replacing(lineage, with: "") }
    let joined = lines.joined(separator: option == "--jsonl" ? "" : "\n")
    #expect(joined == expected)
  }

  @Test(arguments: [
    // What is put in, then the cells of TSV, CSV and JSON.
    ("a,b", "a,b", "\"a,b\"", "a,b"), ("a\"b", "a\"b", "\"a\"\"b\"", "a\\\"b"),
    ("back\\slash", "back\\\\slash", "back\\slash", "back\\\\slash"),
    ("a\tb", "a\\tb", "a\\u{9}b", "a\\tb"), ("a\rb", "a\\rb", "\"a\rb\"", "a\\rb"),
    ("=1+1", "=1+1", "'=1+1", "=1+1"), ("+1x", "+1x", "'+1x", "+1x"),
    ("-x", "-x", "'-x", "-x"), ("@x", "@x", "'@x", "@x"),
    // A number is no formula.
    ("-76.480705", "-76.480705", "-76.480705", "-76.480705"), ("+1", "+1", "+1", "+1"),
    ("-1e-07", "-1e-07", "-1e-07", "-1e-07"), ("-1-1", "-1-1", "'-1-1", "-1-1"),
    ("-1.", "-1.", "'-1.", "-1."), ("-", "-", "'-", "-"), ("+1e", "+1e", "'+1e", "+1e"),
    ("=\u{301}x", "=\u{301}x", "'=\u{301}x", "=\u{301}x"),
    (",\u{301}x", ",\u{301}x", "\",\u{301}x\"", ",\u{301}x"),
    ("\tx", "\\tx", "\\u{9}x", "\\tx"), ("\rx", "\\rx", "\"'\rx\"", "\\rx"),
    ("=a,\"b\"", "=a,\"b\"", "\"'=a,\"\"b\"\"\"", "=a,\\\"b\\\""),
    ("\u{1B}[31m", "\\u{1b}[31m", "\\u{1b}[31m", "\\u001b[31m"),
    ("a\u{1B}\rb", "a\\u{1b}\\rb", "\"a\\u{1b}\rb\"", "a\\u001b\\rb"),
    ("a\0b", "a\\u{0}b", "a\\u{0}b", "a\\u0000b"), ("\u{7F}", "\\u{7f}", "\\u{7f}", "\\u007f"),
    ("\u{9B}x", "\\u{9b}x", "\\u{9b}x", "\\u009bx"),
    ("\u{202E}x", "\\u{202e}x", "\\u{202e}x", "\\u202ex"),
    (
      "\u{2066}\u{61C}\u{FEFF}", "\\u{2066}\\u{61c}\\u{feff}", "\\u{2066}\\u{61c}\\u{feff}",
      "\\u2066\\u061c\\ufeff"
    ),
    ("Löwe 虎 🦁", "Löwe 虎 🦁", "Löwe 虎 🦁", "Löwe 虎 🦁"),
  ])
  func textsAreEscaped(_ input: String, _ tsv: String, _ csv: String, _ json: String) throws {
    let command = try SmallTaxonomy.command
    for (option, cell, end) in [("--tsv", tsv, "\t"), ("--csv", csv, ",")] {
      let outcome = try command(
        "query", "rank", "-", option, "--no-header", input: input + "\nspecies\n")
      expect(outcome, status: 0)
      #expect(outcome.text.utf8.starts(with: (cell + end + "invalid").utf8), "\(outcome.text)")
    }
    let line = try command("query", "rank", "-", "--jsonl", input: input + "\nspecies\n").text
    #expect(
      line.utf8.starts(with: "{\"input\":\"\(json)\",\"status\":\"invalid\"}".utf8), "\(line)")
  }

  @Test func linesOfEveryLengthSurviveTheChunks() throws {
    // Lengths that are prime to the chunk put line ends at every place of one.
    let lines = (0..<3000).map { String(repeating: "x", count: $0 * 7 % 509) + "\($0)" }
    let command = try SmallTaxonomy.command
    for end in ["\n", "\r\n"] {
      let input = lines.joined(separator: end)
      let outcome = try command("query", "rank", "-", "--no-header", input: input)
      #expect(outcome.lines.map { $0.prefix { $0 != "\t" } } == lines.map { $0[...] })
      let compressed = try command.shell(
        "gzip -c | stol query rank - --no-header", input: Data(input.utf8))
      #expect(compressed.output == outcome.output)
    }
  }

  @Test func aLineIsInvalidFrom513BytesOn() throws {
    let inputs = [511, 512, 513, 65_536, 65_537, 200_000].map { String(repeating: "a", count: $0) }
    let outcome = try SmallTaxonomy.command(
      "query", "search", "-", "--no-header", "--mode", "exact",
      input: inputs.joined(separator: "\n") + "\nlion\n")
    expect(outcome, status: 0)
    let cells = outcome.lines.map { $0.components(separatedBy: "\t") }
    #expect(
      cells.map { $0[1] } == [
        "not_found", "not_found", "invalid", "invalid", "invalid", "invalid", "common",
      ])
    // Of what is no query at all, enough is shown to find it again.
    #expect(cells.map { $0[0].utf8.count } == [511, 512, 513, 65_536, 512, 512, 4])
  }

  @Test func emptyLinesAndLineEndsAreLinesToo() throws {
    let command = try SmallTaxonomy.command
    for (input, count) in [("", 0), ("\n", 1), ("\r\n\r\n", 2), ("\n\nlion", 3), ("\r", 1)] {
      let outcome = try command("query", "search", "-", "--no-header", input: input)
      #expect(outcome.lines.count == count, "\(input.debugDescription)")
      #expect(outcome.lines.allSatisfy { $0.hasPrefix("\tinvalid\t") || $0.hasPrefix("lion\t") })
    }
  }

  @Test func linesThatAreNotUTF8AreShownRepaired() throws {
    let command = try SmallTaxonomy.command
    let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0x0A, 0xC3, 0x0A, 0xED, 0xA0, 0x80, 0x0A]
    for (option, first) in [
      ("--tsv", "a\u{FFFD}b\tinvalid\t"), ("--csv", "a\u{FFFD}b,invalid,"),
      ("--jsonl", "{\"input\":\"a\u{FFFD}b\",\"status\":\"invalid\"}"),
    ] {
      // JSON has no header to leave out.
      let header = option == "--jsonl" ? [] : ["--no-header"]
      let outcome = try command.run(
        Command.path, ["query", "search", "-", option] + header, input: Data(bytes))
      expect(outcome, status: 1)
      #expect(outcome.lines.count == 3)
      #expect(outcome.text.hasPrefix(first))
      #expect(String(validating: outcome.output, as: UTF8.self) != nil)
    }
  }

  @Test(arguments: ["search", "lca"], ["--tsv", "--csv", "--json", "--jsonl"])
  func aClosedPipeEndsQuietly(_ query: String, _ option: String) throws {
    let command = try SmallTaxonomy.command
    let outcome = try command.shell(
      "seq 1 200000 | stol query \(query) - \(option) | head -1 > /dev/null; exit ${PIPESTATUS[1]}")
    expect(outcome, status: 0)
    #expect(outcome.errorText == "")
  }

  @Test(arguments: [
    ("search", "lion", "\"results\":"), ("lca", "lion\ttiger", "\"lca\":"),
    ("distance", "lion\ttiger", "\"distance\":2"), ("rank", "genus", "\"taxonCount\":"),
  ])
  func everyLineIsAnsweredAsItArrives(_ query: String, _ line: String, _ part: String) throws {
    let (input, output) = (Pipe(), Pipe())
    let process = try ChildProcess(
      Command.path, ["query", query, "-", "--jsonl"],
      environment: SmallTaxonomy.command.environment,
      input: input.fileHandleForReading, output: output.fileHandleForWriting)
    for _ in 0..<3 {
      try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
      // Returns as soon as there is something; a command that waited would hang here.
      let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(answer.hasSuffix("\n") && answer.contains(part))
    }
    try input.fileHandleForWriting.close()
    #expect(process.waitUnlessItHangs() == .status(0))
  }

  @Test func statusTellsExactFromFuzzy() throws {
    let command = try SmallTaxonomy.command
    let input = "panthera leo\npanther\nleo panthera\npantera leo\ntigr\ntiegr\nqqqqqqqq\n"
    let auto = try command("query", "search", "-", "--no-header", input: input)
    expect(auto, status: 0)
    #expect(
      Self.column(1, auto) == [
        "exact", "partial", "partial", "fuzzy", "partial", "fuzzy", "not_found",
      ])
    // "panther" begins the names of four taxa: none is chosen, all are named.
    #expect(Self.column(8, auto) == ["0", "", "0", "1", "0", "1", ""])
    #expect(Self.column(15, auto) == ["", "8;9;10;7", "", "", "", "", ""])
    let strict = try command(
      "query", "search", "-", "--no-header", "--max-distance", "0", input: input)
    #expect(Self.column(1, strict)[3] == "not_found")
    let fuzzy = try command(
      "query", "search", "-", "--no-header", "--mode", "fuzzy", "--max-distance", "3",
      input: "pantra le\n")
    #expect(Self.column(1, fuzzy) == ["fuzzy"])
    #expect(Self.column(8, fuzzy) == ["3"])
    let complete = try command("query", "complete", "-", "--no-header", input: "panhtera\n")
    #expect(Self.column(1, complete) == ["fuzzy"])
  }

  @Test func onlyFuzzyHitsAreFoundToo() throws {
    let outcome = try SmallTaxonomy.command("query", "search", "-", input: "pantera leo\n")
    expect(outcome, status: 0)
  }

  private static func column(_ index: Int, _ outcome: Command.Outcome) -> [String] {
    outcome.lines.map { $0.components(separatedBy: "\t")[index] }
  }
}
