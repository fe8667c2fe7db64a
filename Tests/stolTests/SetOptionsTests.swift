import Foundation
import TestSupport
import Testing

@Suite("Options of sets, columns of ranks and trees in Newick format")
struct SetOptionsTests {
  private static func run(_ arguments: [String], _ input: String = "") throws -> Command.Outcome {
    try SmallTaxonomy.command.run(Command.path, ["query"] + arguments, input: Data(input.utf8))
  }

  @Test(arguments: [",", ";", "|", " & ", "\t"])
  func anySeparatorStandsBetweenMembers(_ separator: String) throws {
    let line = ["Panthera leo", "9", "wolf"].joined(separator: separator)
    let outcome = try Self.run(
      ["lca", "-", "--separator", separator, "--jsonl"], line + "\n")
    expect(outcome, status: 0)
    #expect(outcome.text.hasPrefix("{\"input\":[\"Panthera leo\",\"9\",\"wolf\"],"))
    #expect(outcome.text.contains("\"lca\":{\"id\":5,"))
  }

  @Test func unknownMembersAreSaidAndLeftOut() throws {
    let input = "lion\tzzzz\ttiger\nzzzz\tqqqq\n8\t9\n"
    let none = "\t\t\t\t\t\t"
    let strict = try Self.run(["lca", "-", "--no-header"], input)
    #expect(
      strict.lines == [
        "lion\\tzzzz\\ttiger\tnot_found\t\t\t\t\t\tzzzz" + none,
        "zzzz\\tqqqq\tnot_found\t\t\t\t\t\tzzzz;qqqq" + none,
        "8\\t9\texact\t7\tgenus\tPanthera\t2\t\t" + none,
      ])
    let lenient = try Self.run(["lca", "-", "--no-header", "--skip-unknown"], input)
    #expect(
      lenient.lines == [
        "lion\\tzzzz\\ttiger\tcommon\t7\tgenus\tPanthera\t2\t\tzzzz"
          + "\tLion;;Tiger\t;;\t;;\t;;\t;;\t;;",
        "zzzz\\tqqqq\tnot_found\t\t\t\t\t\tzzzz;qqqq" + none,
        "8\\t9\texact\t7\tgenus\tPanthera\t2\t\t" + none,
      ])
    let json = try Self.run(["lca", "lion", "zzzz", "tiger", "--skip-unknown", "--jsonl"])
    #expect(json.text.contains("\"unknown\":[\"zzzz\"]"))
  }

  @Test(arguments: [
    [], ["--skip-unknown"], ["--skip-unknown", "--majority", "0.6"],
    ["--skip-unknown", "--majority", "0.6", "--weights"],
  ])
  func anAmbiguousMemberMakesASetAmbiguousInAnyOrder(_ options: [String]) throws {
    let sets = [
      ["zzzz", "prunella", "lion"], ["prunella", "zzzz", "lion"], ["901", "lion", "prunella"],
      ["prunella", "PRUNELLA"],
    ]
    let lines = sets.map { set in
      (options.last == "--weights" ? set.flatMap { [$0, "1"] } : set).joined(separator: "\t") + "\n"
    }
    let outcome = try Self.run(["lca", "-", "--no-header"] + options, lines.joined())
    let rows = outcome.lines.map { $0.components(separatedBy: "\t") }
    #expect(rows.map { $0[1] } == sets.map { _ in "ambiguous" })
    #expect(rows.map { $0[6] } == sets.map { _ in "33;31" })
    // What names several taxa names some.
    #expect(rows.map { $0[7] } == ["zzzz", "zzzz", "901", ""])
  }

  @Test func allCandidatesOfASetAreNamed() throws {
    for query in [["lca"], ["lca", "--skip-unknown"], ["subtree"], ["subtree", "--newick"]] {
      let outcome = try Self.run(query + ["zzzz", "prunella", "8"])
      expect(outcome, status: 1)
      #expect(
        outcome.errorLines == [
          "stol: \"prunella\" is ambiguous; give an id, --rank or --within:",
          "  33  Prunella (family)  Eukaryota > Animalia",
          "  31  Prunella (genus)  Eukaryota > Plantae",
        ], "\(query)")
    }
  }

  @Test func aMajorityOutvotesAStray() throws {
    func ancestor(_ arguments: [String], _ input: String) throws -> String {
      let outcome = try Self.run(["lca", "-", "--no-header"] + arguments, input + "\n")
      return outcome.lines[0].components(separatedBy: "\t").dropFirst(2).first ?? ""
    }
    let cats = "8\t9\t10\t15"
    #expect(try ancestor([], cats) == "5")
    #expect(try ancestor(["--majority", "0.75"], cats) == "7")
    #expect(try ancestor(["--majority", "0.76"], cats) == "5")
    #expect(try ancestor(["--majority", "1"], cats) == "5")
    // The wolf weighs nine times as much as the lion.
    #expect(try ancestor(["--majority", "0.9", "--weights"], "8\t1\t15\t9") == "15")
    #expect(try ancestor(["--majority", "0.91", "--weights"], "8\t1\t15\t9") == "5")
    for bad in ["8\t1\t15", "8\tx\t15\t1", "8\t-1\t15\t1", "8\tnan\t15\t1"] {
      let outcome = try Self.run(
        ["lca", "-", "--no-header", "--majority", "0.9", "--weights"], bad + "\n")
      #expect(outcome.text.contains("\tinvalid\t"), "\(bad)")
    }
  }

  @Test func membersOfOneSetComeFromAFile() throws {
    let folder = try TemporaryFolder()
    try Data("8\n9\n15\n".utf8).write(to: URL(fileURLWithPath: folder("ids.txt")))
    let file = try Self.run(["lca", "--from", folder("ids.txt"), "--tsv"])
    #expect(file.text == (try Self.run(["lca", "8", "9", "15", "--tsv"])).text)
    let standard = try Self.run(["subtree", "--from", "-", "--newick"], "8\n9\n15\n")
    #expect(standard.text == (try Self.run(["subtree", "8", "9", "15", "--newick"])).text)
  }

  @Test func labelsAreIDsAndSingleChildrenAreLeftOut() throws {
    #expect(
      try Self.run(["subtree", "Carnivora", "--newick", "--labels", "id"]).text
        == "(((15)14)13,((12)11,(8,10,9)7)6)5;\n")
    #expect(
      try Self.run(["subtree", "Carnivora", "--newick", "--labels", "id", "--collapse"]).text
        == "(15,(12,(8,10,9)7)6)5;\n")
    // The root was asked for.
    #expect(
      try Self.run(["subtree", "Felis", "--newick", "--collapse"]).text == "('Felis catus')Felis;\n"
    )
  }

  @Test func aRankCutsATreeOfSeveralTaxaToo() throws {
    let taxa = ["lion", "Felis catus", "wolf", "--rank", "family"]
    let list = try Self.run(["subtree", "--no-header"] + taxa)
    let names = list.lines.map { $0.components(separatedBy: "\t")[3] }
    #expect(names == ["Carnivora", "Felidae"])
    #expect(try Self.run(["subtree", "--newick"] + taxa).text == "(Felidae)Carnivora;\n")
    // The root stays, as that of one taxon does.
    let root = try Self.run(["subtree", "lion", "tiger", "--rank", "family", "--newick"])
    #expect(root.text == "Panthera;\n")
  }

  @Test(
    arguments: [
      ("relatives", ["Felidae", "Felidae", "Felidae", "Canidae", "Prunella", ""]),
      ("lineage", ["Felidae"]), ("subtree", ["Felidae"]),
      ("show", ["Felidae"]),
    ] as [(String, [String])])
  func everyTaxonThatIsListedHasColumnsOfRanks(_ query: String, _ families: [String]) throws {
    let name = "Panthera leo"
    let alone = try Self.run([query, name, "--ranks", "family,family"])
    let rows = alone.lines.map { $0.components(separatedBy: "\t") }
    if query == "show" {
      #expect(rows.contains(["family", "Felidae"]))
    } else {
      #expect(rows[0].filter { $0 == "family" }.count == 1)
      let column = try #require(rows[0].firstIndex(of: "family"))
      #expect(rows.dropFirst().map { $0[column] } == families)
    }
    let batch = try Self.run([query, "-", "--ranks", "family"], name + "\n").lines.map {
      $0.components(separatedBy: "\t")
    }
    let column = try #require(batch[0].firstIndex(of: "family"))
    #expect(batch[1][column] == families.joined(separator: ";"))
    let json = try Self.run([query, name, "--ranks", "family", "--jsonl"]).text
    #expect(json.contains(#""ranks":{"family":"Felidae"}"#))
  }

  @Test func aColumnForEachRankStaysEmptyWhereThereIsNone() throws {
    let outcome = try Self.run(
      ["lineage", "-", "--ranks", "family,phylum,genus"], "8\n33\n5\nzzzz\n")
    let rows = outcome.lines.map { $0.components(separatedBy: "\t") }
    let columns = try ["input", "status", "family", "phylum", "genus"].map { name in
      try #require(rows[0].firstIndex(of: name))
    }
    #expect(
      rows.dropFirst().map { row in columns.map { row[$0] } } == [
        ["8", "exact", "Felidae", "", "Panthera"], ["33", "exact", "Prunella", "", ""],
        ["5", "exact", "", "", ""], ["zzzz", "not_found", "", "", ""],
      ])
  }

  @Test func tiesAreCountedAndAStatusFiltersAnswers() throws {
    let all = try Self.run(["relatives", "lion", "--jsonl"])
    #expect(all.text.contains("\"tieCount\":2"))
    let accepted = try Self.run(["relatives", "lion", "--status", "accepted", "--no-header"])
    #expect(!accepted.text.contains("Felis catus") && accepted.text.contains("Panthera onca"))
    let provisional = try Self.run(["relatives", "lion", "--status", "provisional", "--no-header"])
    #expect(provisional.lines.count == 1 && provisional.text.contains("Felis catus"))
  }

  @Test(arguments: [
    (["show", "lion", "--limit", "3"], "--limit"),
    (["lineage", "lion", "--limit", "3"], "--limit"),
    (["lca", "8", "9", "--limit", "3"], "--limit"),
    (["distance", "8", "9", "--limit", "3"], "--limit"),
    (["compare", "8", "9", "--limit", "3"], "--limit"),
    (["compare", "8", "9", "--ranks", "family"], "--ranks"),
    (["rank", "species", "--rank", "genus"], "--rank"),
    (["lineage", "8", "--ranks", ""], "at least one rank"),
    (["lineage", "8", "--ranks", " , "], "at least one rank"),
    (["show", "-", "--table"], "--table"), (["show", "--input", "-", "--table"], "--table"),
    (["show", "8", "--json", "--no-header"], "--no-header"),
    (["show", "8", "--jsonl", "--no-header"], "--no-header"),
    (["lca", "8", "9", "--separator", ","], "--separator"),
    (["subtree", "8", "9", "--separator", ","], "--separator"),
    (["subtree", "-", "--newick"], "--newick"),
    (["subtree", "--input", "-", "--newick", "--labels", "id"], "--newick"),
    (["subtree", "8", "--newick", "--limit", "2"], "--limit"),
    (["subtree", "8", "--newick", "--lang", "de"], "--lang"),
    (["subtree", "8", "--newick", "--table"], "--table"),
    (["subtree", "8", "--newick", "--no-header"], "--no-header"),
    (["distance", "8", "9", "--lang", "de"], "--lang"),
    (["lca", "8", "9", "--majority", "0.5"], "0.5"), (["lca", "8", "9", "--majority", "2"], "2"),
    (["lca", "8", "9", "--weights"], "--majority"),
    (["lca", "8", "9", "--separator", ""], "separator"),
    (["subtree", "8", "--labels", "id"], "--newick"), (["subtree", "8", "--collapse"], "--newick"),
    (["subtree", "8", "--newick", "--json"], "--newick"),
    (["lineage", "8", "--ranks", "tribe"], "tribe"),
  ])
  func optionsThatDoNothingAreRefused(_ arguments: [String], _ part: String) throws {
    expectError(try Self.run(arguments), status: 2, saying: part)
  }
}
