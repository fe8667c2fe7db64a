import Foundation
import Testing

@Suite("stol query")
struct QueryTests {
  /// The fields of a taxon in a list.
  static let listColumns =
    "id\tparentID\trank\tscientificName\tauthor\tyear\ttaxonStatus\tconservationStatus"
    + "\tcommonName\ttaxonCount"

  @Test(
    arguments: [
      (
        ["search", "lion", "--mode", "exact"],
        "id\trank\tscientificName\tmatchedName\tmatchType\tconservationStatus\t"
          + "distance\trelevanceScore\tnameStatus\tnameAuthor\tnameYear\tsensu\tnameID\n"
          + "8\tspecies\tPanthera leo\tLion\tcommon\tVU\t0\t0.9746\t\t\t\t\t\n"
      ),
      (
        ["children", "panthera"],
        """
        \(Self.listColumns)
        8\t7\tspecies\tPanthera leo\t(Linnaeus)\t1758\taccepted\tVU\tLion\t1
        10\t7\tspecies\tPanthera onca\t(Linnaeus)\t1758\taccepted\tNT\tJaguar\t1
        9\t7\tspecies\tPanthera tigris\t(Linnaeus)\t1758\taccepted\tEN\tTiger\t1

        """
      ),
      (
        ["children"],
        """
        \(Self.listColumns)
        1\t\tdomain\tEukaryota\t\t\taccepted\t\t\t19
        100\t\tdomain\tViruses\t\t\taccepted\t\t\t2

        """
      ),
      (
        ["lineage", "8"],
        """
        \(Self.listColumns)
        1\t\tdomain\tEukaryota\t\t\taccepted\t\t\t19
        2\t1\tkingdom\tAnimalia\tLinnaeus\t1758\taccepted\t\t\t15
        4\t2\tclass\tMammalia\tLinnaeus\t1758\taccepted\t\t\t12
        5\t4\torder\tCarnivora\t\t\taccepted\t\t\t11
        6\t5\tfamily\tFelidae\t\t\taccepted\t\t\t7
        7\t6\tgenus\tPanthera\tOken\t1816\taccepted\t\t\t4
        8\t7\tspecies\tPanthera leo\t(Linnaeus)\t1758\taccepted\tVU\tLion\t1

        """
      ),
      (
        ["subtree", "Felidae", "--rank", "genus"],
        """
        \(Self.listColumns)\tspeciesCount
        6\t5\tfamily\tFelidae\t\t\taccepted\t\t\t7\t4
        11\t6\tgenus\tFelis\t\t\taccepted\t\t\t2\t1
        7\t6\tgenus\tPanthera\tOken\t1816\taccepted\t\t\t4\t3

        """
      ),
      (
        ["subtree", "Felidae", "--newick"],
        "(('Felis catus')Felis,('Panthera leo','Panthera onca','Panthera tigris')Panthera)Felidae;\n"
      ),
      (
        ["subtree", "lion", "tiger", "wolf", "--newick"],
        "('Canis lupus',('Panthera leo','Panthera tigris')Panthera)Carnivora;\n"
      ),
      (
        ["lca", "lion", "tiger", "wolf"],
        "id\trank\tscientificName\tdistance\n5\torder\tCarnivora\t\n"
      ),
      (["distance", "lion", "wolf"], "distance\tlcaID\tlca\n6\t5\tCarnivora\n"),
      (
        ["compare", "lion", "tiger"],
        "distance\tlcaID\tlca\ttraitSimilarity\n2\t7\tPanthera\t0.25\n"
      ),
      (
        ["relatives", "lion", "--within", "Felidae"],
        """
        nth\tid\tscientificName\tcommonName\tdistance\ttieCount\tlcaID\tlca\tlcaRank\tlcaDepth
        1\t10\tPanthera onca\tJaguar\t2\t2\t7\tPanthera\tgenus\t5
        2\t9\tPanthera tigris\tTiger\t2\t2\t7\tPanthera\tgenus\t5
        3\t12\tFelis catus\tCat\t4\t1\t6\tFelidae\tfamily\t4

        """
      ),
      (
        ["rank", "family"],
        """
        \(Self.listColumns)
        13\t5\tfamily\tCanidae\t\t\taccepted\t\t\t3
        6\t5\tfamily\tFelidae\t\t\taccepted\t\t\t7
        33\t2\tfamily\tPrunella\t\t\taccepted\t\t\t2

        """
      ),
      (
        ["show", "lion"],
        """
        field\tvalue
        id\t8
        parentID\t7
        rank\tspecies
        scientificName\tPanthera leo
        author\t(Linnaeus)
        year\t1758
        taxonStatus\taccepted
        conservationStatus\tVU
        lineage\tEukaryota > Animalia > Mammalia > Carnivora > Felidae > Panthera
        name (en)\tLion
        name (de)\tLöwe
        synonym\tFelis leo Linnaeus, 1758 (id 20)
        body_length_mm\t1900 mm
        diet\tcarnivore
        habitat\tsavanna
        reference\tLinnaeus 1758 https://doi.org/10.5962/bhl.title.542
        merged id\t900

        """
      ),
    ] as [([String], String)])
  func printsTabSeparatedValuesInAPipe(_ arguments: [String], _ expected: String) throws {
    let command = try SmallTaxonomy.command
    let outcome = try command.run(
      Command.path, ["query"] + arguments, input: Data())
    expect(outcome, status: 0)
    #expect(outcome.text == expected)
    // Of one taxon it is said that it was not called by its own name.
    let isSaid = ["show", "relatives"].contains(arguments[0])
    #expect(outcome.errorText == (isSaid ? "\"lion\" is a common name of Panthera leo\n" : ""))
    let explicit = try command.run(
      Command.path, ["query"] + arguments + ["--tsv"], input: Data())
    #expect(explicit.text == outcome.text)
    if !arguments.contains("--newick") {
      let bare = try command.run(
        Command.path, ["query"] + arguments + ["--no-header"], input: Data())
      #expect(bare.lines == Array(outcome.lines.dropFirst()))
    }
  }

  static let everyQuery: [[String]] = [
    ["search", "lion"], ["complete", "panth"], ["show", "lion"], ["lineage", "lion"],
    ["children", "panthera"], ["subtree", "felidae"], ["lca", "lion", "tiger"],
    ["distance", "lion", "wolf"], ["compare", "lion", "tiger"], ["relatives", "lion"],
    ["rank", "species"],
  ]

  @Test(arguments: everyQuery)
  func everyFormatParses(_ arguments: [String]) throws {
    for command in [try SmallTaxonomy.command, Command()] {
      let isOneAnswer = ["show", "lineage", "lca", "distance", "compare"].contains(arguments[0])
      let limit = isOneAnswer ? [] : ["--limit", "5"]
      func run(_ option: String) throws -> Command.Outcome {
        let outcome = try command.run(
          Command.path, ["query"] + arguments + [option] + limit, input: Data())
        expect(outcome, status: 0)
        return outcome
      }
      let json = try JSONSerialization.jsonObject(with: run("--json").output)
      #expect(json is [Any] || json is [String: Any])
      let lines = try run("--jsonl").lines
      #expect(lines.count == 1)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
      // "lion" and "wolf" are common names; "panth" begins names of several taxa.
      let statuses = [
        "complete": "partial", "children": "exact", "subtree": "exact", "rank": "exact",
      ]
      #expect(object["status"] as? String == statuses[arguments[0]] ?? "common")
      let isSet = ["lca", "distance", "compare"].contains(arguments[0])
      if isSet {
        #expect(object["input"] as? [String] == Array(arguments.dropFirst()))
      } else {
        #expect(object["input"] as? String == arguments[1])
      }
      let members: [String: [String]] = [
        "lca": ["lca", "distance", "lineage"], "distance": ["distance"], "compare": ["lca"],
        "lineage": ["lineage"], "relatives": ["relatives"],
      ]
      for member in members[arguments[0]] ?? ["results"] { #expect(object[member] != nil) }
      let tsv = try run("--tsv").lines
      let widths = Set(
        tsv.map { $0.split(separator: "\t", omittingEmptySubsequences: false).count })
      #expect(widths.count == 1)
      let csv = try run("--csv").lines
      #expect(csv.first == tsv.first?.replacingOccurrences(of: "\t", with: ","))
    }
  }

  @Test func jsonOfATaxonHasTheNamesOfTheContract() throws {
    let outcome = try SmallTaxonomy.command("query", "children", "panthera", "--json")
    let taxa = try Self.results(outcome)
    let names: Set = [
      "id", "parentID", "rank", "scientificName", "author", "year", "taxonStatus",
      "conservationStatus",
    ]
    #expect(taxa.count == 3)
    for taxon in taxa { #expect(names.isSubset(of: taxon.keys)) }
    let hits = try SmallTaxonomy.command("query", "search", "lion", "--json")
    let hit = try Self.results(hits).first
    let hitNames: Set = [
      "id", "scientificName", "matchedName", "matchType", "rank", "conservationStatus",
      "relevanceScore", "distance",
    ]
    #expect(hitNames.isSubset(of: Set((hit ?? [:]).keys)))
  }

  /// What the one answer of `--json` holds.
  private static func results(
    _ outcome: Command.Outcome, _ member: String = "results"
  ) throws -> [[String: Any]] {
    let answers = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
    #expect(answers?.count == 1)
    return try #require(answers?.first?[member] as? [[String: Any]])
  }

  @Test func showGivesReferencesInEveryFormat() throws {
    let command = try SmallTaxonomy.command
    for option in ["--json", "--jsonl", "--tsv", "--csv"] {
      let outcome = try command("query", "show", "lion", option)
      #expect(outcome.text.contains("Linnaeus 1758"), "\(option)")
    }
  }

  @Test(arguments: [
    ["search", "zzzz"], ["complete", "zzzz"], ["children", "lion"], ["relatives", "1"],
    ["rank", "phylum"], ["search", "lion", "--rank", "genus"],
  ])
  func emptyResultIsAnEmptyArrayAndExit1(_ arguments: [String]) throws {
    let outcome = try SmallTaxonomy.command.run(
      Command.path, ["query"] + arguments + ["--json"], input: Data())
    expect(outcome, status: 1)
    #expect(
      try Self.results(outcome, arguments[0] == "relatives" ? "relatives" : "results").isEmpty)
  }

  @Test(arguments: [["children", "lion"], ["relatives", "1"], ["rank", "phylum"]])
  func saysThatNothingWasFound(_ arguments: [String]) throws {
    let outcome = try SmallTaxonomy.command.run(
      Command.path, ["query"] + arguments, input: Data())
    expectError(outcome, status: 1)
  }

  @Test func listsTheCandidatesOfAnAmbiguousName() throws {
    let command = try SmallTaxonomy.command
    let outcome = try command("query", "show", "prunella")
    expect(outcome, status: 1)
    #expect(outcome.text == "")
    #expect(
      outcome.errorLines == [
        "stol: \"prunella\" is ambiguous; give an id, --rank or --within:",
        "  33  Prunella (family)  Eukaryota > Animalia",
        "  31  Prunella (genus)  Eukaryota > Plantae",
      ])
    for settled in [["--within", "Plantae"], ["--rank", "genus"], ["--within", "30"]] {
      let found = try command.run(
        Command.path, ["query", "show", "prunella"] + settled, input: Data())
      expect(found, status: 0)
      #expect(found.text.contains("id\t31\n"))
    }
  }

  @Test(arguments: [
    (["show", "lionx"], "Lion"), (["show", "Panthera leoo"], "Panthera leo"),
    (["show", "pantera leo"], "Panthera leo"), (["search", "tigre", "--mode", "prefix"], "Tiger"),
    (["search", "liion", "--mode", "prefix"], "Lion"), (["lca", "lion", "tigerr"], "Tiger"),
  ])
  func suggestsNearMisses(_ arguments: [String], _ expected: String) throws {
    let outcome = try SmallTaxonomy.command.run(
      Command.path, ["query"] + arguments, input: Data())
    expectError(outcome, status: 1, saying: "did you mean", expected)
  }

  @Test func suggestsNothingThatTheFilterForbids() throws {
    let command = try SmallTaxonomy.command
    for filter in [["--rank", "genus"], ["--trait", "diet=grass"], ["--within", "Plantae"]] {
      let outcome = try command.run(
        Command.path, ["query", "search", "lion"] + filter, input: Data())
      expectError(outcome, status: 1)
      #expect(!outcome.errorText.contains("\"Lion\""), "\(outcome.errorText)")
    }
  }

  @Test(arguments: [
    (["search", "lion", "--bogus"], "--bogus"),
    (["search", "lion", "--rank", "tribe"], "domain, kingdom, phylum"),
    (["search", "lion", "--lang", "xx"], "de, en, fr"),
    (["search", "lion", "--trait", "colour=red"], "body_length_mm, diet, habitat"),
    (["search", "lion", "--trait", "diet"], "KEY=VALUE"),
    (["search", "lion", "--status", "valid"], "accepted, provisional"),
    (["search", "lion", "--conservation", "ZZ"], "LC, NT, VU"),
    (["search", "lion", "--mode", "magic"], "auto, exact, prefix, fuzzy, contains"),
    (["complete", "lion", "--mode", "magic"], "auto, exact, prefix, fuzzy, contains"),
    (["search", "lion", "--max-distance", "4"], "--max-distance must be 0 to 3"),
    (["complete", "lion", "--max-distance", "9"], "--max-distance must be 0 to 3"),
    (["search", "-", "--max-distance=-1"], "--max-distance must be 0 to 3"),
    (["search", "lion", "--max-distance", "many"], "--max-distance must be 0 to 3"),
    (["search", "lion", "--limit", "0"], "--limit"),
    (["search", "lion", "--limit", "many"], "--limit"),
    (["search", "lion", "--json", "--csv"], "--json"),
    (["search"], "-"), (["show", ""], "name"), (["rank", "tribe"], "domain, kingdom"),
    (["distance", "lion"], "two taxa"), (["compare", "lion"], "two taxa"),
    (["distance", "lion", "tiger", "wolf"], "two taxa"), (["lca"], "id"),
    (["nonsense"], "search"),
  ])
  func usageErrorsAreOneLineAndExit2(_ arguments: [String], _ part: String) throws {
    let outcome = try SmallTaxonomy.command.run(
      Command.path, ["query"] + arguments, input: Data())
    expectError(outcome, status: 2, saying: part)
    #expect(outcome.text == "")
  }

  @Test func deletedMergedAndUnknownIDsAreToldApart() throws {
    let command = try SmallTaxonomy.command
    expectError(try command("query", "show", "901"), status: 1, saying: "deleted")
    expectError(try command("query", "show", "77777"), status: 1, saying: "77777")
    for (id, status) in [("900", "merged"), ("20", "synonym")] {
      let outcome = try command("query", "show", id)
      expect(outcome, status: 0)
      #expect(outcome.text.contains("id\t8\n"))
      let line = try command("query", "show", id, "--jsonl")
      #expect(line.text.contains("\"status\":\"\(status)\""))
    }
  }

  @Test(arguments: ["lca", "distance", "compare"])
  func taxaOfDifferentTreesHaveNoAncestor(_ query: String) throws {
    let command = try SmallTaxonomy.command
    expectError(
      try command("query", query, "8", "101"), status: 1, saying: "no common ancestor")
    let json = try command("query", query, "8", "101", "--json")
    let object = try JSONSerialization.jsonObject(with: json.output, options: .fragmentsAllowed)
    #expect(object is [String: Any] || object is [Any])
    let line = try command("query", query, "8", "101", "--jsonl")
    expect(line, status: 1)
    #expect(line.text.contains("\"lca\":null"))
  }

  @Test func namesInAnotherScriptAndLanguageAreFound() throws {
    let command = try SmallTaxonomy.command
    for (text, id) in [("löwe", "8"), ("LOWE", "8"), ("虎", "9"), ("Felis leo", "8")] {
      let outcome = try command("query", "show", text)
      expect(outcome, status: 0)
      #expect(outcome.text.contains("id\t\(id)\n"))
    }
    // The language moves names up and hides none.
    let search = try command("query", "search", "l")
    let german = try command("query", "search", "l", "--lang", "de")
    func ids(_ outcome: Command.Outcome) -> Set<Substring> {
      Set(outcome.lines.dropFirst().compactMap { $0.split(separator: "\t").first })
    }
    #expect(ids(german) == ids(search) && german.lines.count == 4)
    #expect(german.lines[1].contains("Löwe"))
    // To search in one language alone is another thing.
    let only = try command("query", "search", "l", "--search-lang", "de")
    #expect(only.lines.dropFirst().allSatisfy { $0.contains("Löwe") } && only.lines.count == 2)
    #expect(try command("query", "children", "7", "--lang", "de").text.contains("Löwe"))
  }

  /// "NaN" stands for nothing where a name is asked for, and for three letters inside words.
  @Test func lettersInsideWordsStandForThemselves() throws {
    let name = try Command()("query", "search", "nan")
    let inside = try Command()("query", "search", "nan", "--mode", "contains", "--limit", "50")
    #expect(name.status == 1)
    #expect(inside.status == 0 && inside.lines.count == 51)
    #expect(
      inside.lines.dropFirst().allSatisfy {
        $0.split(separator: "\t", omittingEmptySubsequences: false)[3].lowercased().contains("nan")
      })
  }

  @Test func filtersNarrowASearch() throws {
    let command = try SmallTaxonomy.command
    func ids(_ arguments: String...) throws -> [String] {
      let outcome = try command.run(
        Command.path, ["query", "search"] + arguments + ["--no-header"], input: Data())
      return outcome.lines.map { String($0.prefix { $0 != "\t" }) }.sorted()
    }
    #expect(try ids("", "--trait", "diet=carnivore") == ["8", "9"])
    #expect(try ids("", "--trait", "diet=carnivore", "--trait", "habitat=forest") == ["9"])
    #expect(try ids("", "--conservation", "vu") == ["8"])
    #expect(try ids("", "--status", "provisional") == ["12"])
    #expect(try ids("prunella", "--within", "Animalia") == ["33", "34"])
    #expect(try ids("p", "--rank", "GENUS") == ["31", "7"])
    #expect(try ids("", "--rank", "species", "--limit", "2").count == 2)
    #expect(try ids("lion", "--mode", "exact") == ["8"])
    #expect(try ids("lio", "--mode", "exact") == [])
  }

  @Test(arguments: [
    ("Panthera le", " matches in part: names hold its words, or begin so"),
    ("Panthera leoo", " is no name here; these are spelled alike"), ("Panthera leo", ""),
    ("lion", ""), ("8", ""),
  ])
  func aSearchSaysThatNoNameIsTheWholeText(_ text: String, _ sentence: String) throws {
    let command = try SmallTaxonomy.command
    for query in ["search", "complete"] {
      let expected = sentence.isEmpty ? [] : ["\"\(text)\"\(sentence)"]
      #expect(try command("query", query, text).errorLines == expected)
      #expect(try command("query", query, text, "--table").errorLines == expected)
      #expect(try command("query", query, text, "-q").errorText == "")
      #expect(try command("query", query, text, "--jsonl").errorText == "")
      #expect(try command("query", query, "-", input: text + "\n").errorText == "")
    }
  }

  @Test func quietAndVerboseGoverTheStandardErrorOnly() throws {
    let command = try SmallTaxonomy.command
    let plain = try command("query", "search", "lion")
    let verbose = try command("query", "search", "lion", "-v")
    #expect(verbose.text == plain.text)
    #expect(verbose.errorText.contains("small.stolpack"))
    let quiet = try command("query", "search", "lion", "-q")
    #expect(quiet.text == plain.text && quiet.errorText == "")
  }
}
