import Foundation
import Testing
import STOLSystem

@Suite(
  "Output on a terminal",
  // Skipped where util-linux's command script is absent.
  .enabled(if: Terminal.isAvailable, "needs the command script"))
struct TerminalTests {
  @Test(
    arguments: [
      (
        ["search", "lion", "--mode", "exact"],
        """
        id  rank     scientificName  matchedName  matchType  conservationStatus  distance  relevanceScore
         8  species  Panthera leo    Lion         common     VU                         0          0.9746

        """
      ),
      (
        ["children", "panthera"],
        """
        id  rank     scientificName   commonName  conservationStatus  taxonCount
         8  species  Panthera leo     Lion        VU                           1
        10  species  Panthera onca    Jaguar      NT                           1
         9  species  Panthera tigris  Tiger       EN                           1

        """
      ),
      (
        ["children", "panthera", "--lang", "zh"],
        """
        id  rank     scientificName   commonName  conservationStatus  taxonCount
         8  species  Panthera leo     Lion        VU                           1
        10  species  Panthera onca    Jaguar      NT                           1
         9  species  Panthera tigris  虎          EN                           1

        """
      ),
      (
        ["lineage", "lion"],
        """
        "lion" is a common name of Panthera leo
        Eukaryota  domain
        └─ Animalia  kingdom
           └─ Mammalia  class
              └─ Carnivora  order
                 └─ Felidae  family
                    └─ Panthera  genus
                       └─ Panthera leo  species  Lion

        """
      ),
      (
        ["subtree", "felidae"],
        """
        Felidae  family
        ├─ Felis  genus
        │  └─ Felis catus  species  Cat
        └─ Panthera  genus
           ├─ Panthera leo  species  Lion
           ├─ Panthera onca  species  Jaguar
           └─ Panthera tigris  species  Tiger

        """
      ),
      (
        ["subtree", "lion", "tiger", "wolf"],
        """
        Carnivora  order
        ├─ Canis lupus  species  Gray wolf
        └─ Panthera  genus
           ├─ Panthera leo  species  Lion
           └─ Panthera tigris  species  Tiger

        """
      ),
      (
        ["compare", "lion", "wolf"],
        """
        Carnivora  order  (common ancestor)
        ├─ Felidae  family
        │  └─ Panthera  genus
        │     └─ Panthera leo  species  Lion
        └─ Canidae  family
           └─ Canis  genus
              └─ Canis lupus  species  Gray wolf
        Both are in order Carnivora
        distance: 6 steps

        """
      ),
      (
        ["compare", "lion", "tiger"],
        """
        Panthera  genus  (common ancestor)
        ├─ Panthera leo  species  Lion
        └─ Panthera tigris  species  Tiger
        Both are in genus Panthera
        distance: 2 steps
        trait similarity: 25 %
        both: diet carnivore
        body_length_mm: 1900 mm | -
        habitat: savanna | forest

        """
      ),
      (
        ["relatives", "lion", "-l", "3"],
        """
        "lion" is a common name of Panthera leo
        nth  id  scientificName   commonName  distance  tieCount  lcaID  lca       lcaRank
          1  10  Panthera onca    Jaguar             2         2      7  Panthera  genus
          2   9  Panthera tigris  Tiger              2         2      7  Panthera  genus
          3  12  Felis catus      Cat                4         1      6  Felidae   family
        there are others; see --limit

        """
      ),
      (["distance", "lion", "wolf"], "distance  lcaID  lca\n       6      5  Carnivora\n"),
      (
        ["show", "tiger"],
        """
        "tiger" is a common name of Panthera tigris
        id                  9
        parentID            7
        rank                species
        scientificName      Panthera tigris
        author              (Linnaeus, 1758)
        taxonStatus         accepted
        conservationStatus  EN
        lineage             Eukaryota > Animalia > Mammalia > Carnivora > Felidae > Panthera
        name (en)           Tiger
        name (zh-Hans)      虎
        diet                carnivore
        habitat             forest

        """
      ),
    ] as [([String], String)])
  func alignsTablesAndDrawsTrees(_ arguments: [String], _ expected: String) throws {
    let command = try SmallTaxonomy.command
    let words = [Command.path, "query"] + arguments + ["--no-color"]
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try command.run(
      Terminal.script, ["-qec", line, "/dev/null"], input: Data())
    #expect(outcome.text.replacingOccurrences(of: "\r\n", with: "\n") == expected)
    expect(outcome, status: 0)
  }

  @Test func marksTheMatchedLetters() throws {
    let outcome = try SmallTaxonomy.command.terminal("query", "search", "panthera l")
    #expect(outcome.text.contains("\u{1B}[1;4mPanthera\u{1B}[0m \u{1B}[1;4ml\u{1B}[0meo"))
  }

  @Test(arguments: ["NO_COLOR", "TERM", "--no-color"])
  func plainTextIsHonoured(_ way: String) throws {
    var command = try SmallTaxonomy.command
    if way == "NO_COLOR" { command.environment["NO_COLOR"] = "1" }
    if way == "TERM" { command.environment["TERM"] = "dumb" }
    for query in ["search", "lineage", "show", "children"] {
      let outcome =
        way == "--no-color"
        ? try command.terminal("query", query, "panthera", way)
        : try command.terminal("query", query, "panthera")
      expect(outcome, status: 0)
      #expect(!outcome.text.contains("\u{1B}"), "\(query)")
    }
  }

  @Test(arguments: [
    ["show", "101"], ["lineage", "101"], ["search", "evil"], ["children", "100"],
    ["subtree", "100"], ["relatives", "101"], ["rank", "species"], ["complete", "evil"],
    ["compare", "101", "100"], ["show", "\u{1B}[31m\u{202E}"], ["search", "\u{1B}\u{9B}x"],
    ["show", "101", "--tsv"], ["show", "101", "--csv"], ["show", "101", "--json"],
    ["show", "101", "--jsonl"], ["subtree", "100", "--newick"], ["lca", "101", "\u{1B}[31m"],
    ["show", "lion", "--\u{1B}[31m"], ["search", "x", "--mode", "\u{1B}[31m"],
    ["search", "x", "--lang", "\u{1B}[31m"], ["search", "x", "--trait", "\u{1B}[31m=x"],
    ["search", "x", "--rank", "\u{1B}[31m"], ["show", "--pack", "/\u{1B}[31m"],
  ])
  func noControlCharacterReachesATerminal(_ arguments: [String]) throws {
    let command = try SmallTaxonomy.command
    let words = [Command.path, "query"] + arguments
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    var plain = command
    plain.environment["NO_COLOR"] = "1"
    let outcome = try plain.run(Terminal.script, ["-qec", line, "/dev/null"], input: Data())
    for harmful in ["\u{1B}", "\u{202E}", "\u{9B}"] as [Unicode.Scalar] {
      #expect(!outcome.text.unicodeScalars.contains(harmful), "\(outcome.text.debugDescription)")
    }
    #expect(!outcome.text.isEmpty)
  }

  /// One that does not say how wide it is gets all.
  @Test func aTerminalOfUnknownWidthGetsWholeRows() throws {
    let outcome = try SmallTaxonomy.command.terminal(
      "query", "rank", "species", "--no-color", "--no-header")
    #expect(outcome.lines.count == 8)
  }

  /// Columns end at 2, 11, 27, 40, 51, 71, 81 and 97 characters.
  @Test(arguments: [(1, 1), (20, 2), (39, 3), (40, 4), (80, 6), (96, 7), (97, 8)])
  func aTableFitsTheTerminalAndSaysWhatDoesNot(_ width: Int, _ count: Int) throws {
    let command = try SmallTaxonomy.command
    let words = "query search lion --mode exact --no-color"
    let line = "stty cols \(width); '\(Command.path)' \(words)"
    let outcome = try command.run(Terminal.script, ["-qec", line, "/dev/null"], input: Data())
    expect(outcome, status: 0)
    var lines = outcome.text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    var omitted: [String] = []
    if let note = lines.last, note.hasPrefix("no room for "), let end = note.firstIndex(of: ";") {
      omitted = note[..<end].dropFirst("no room for ".count).components(separatedBy: ", ")
      lines.removeLast()
    }
    let shown = lines[0].split(separator: " ").map(String.init)
    #expect(lines.count == 2)
    #expect(shown.count == count)
    #expect(
      shown + omitted == [
        "id", "rank", "scientificName", "matchedName", "matchType", "conservationStatus",
        "distance", "relevanceScore",
      ])
  }
}
