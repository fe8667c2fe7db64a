import Foundation
import TestSupport
import Testing

/// What filters do with the taxon that is named, and with what is found about it.
@Suite("Filters of queries")
struct FilterTests {
  private static func run(_ arguments: [String], _ input: String = "") throws -> Command.Outcome {
    try SmallTaxonomy.command.run(Command.path, ["query"] + arguments, input: Data(input.utf8))
  }

  @Test(arguments: [
    ["show", "8", "--rank", "genus"], ["show", "lion", "--rank", "genus"],
    ["show", "900", "--conservation", "EN"],
    ["lineage", "8", "--within", "Canidae"], ["subtree", "8", "--status", "provisional"],
    ["lca", "8", "9", "--conservation", "EN"], ["distance", "9", "8", "--conservation", "EN"],
  ])
  func whatAFilterExcludesIsNotFoundByIDNeither(_ arguments: [String]) throws {
    expectError(
      try Self.run(arguments), status: 1, saying: "Panthera leo (species)", "not pass the filters")
    let json = try Self.run(arguments + ["--jsonl"])
    expect(json, status: 1)
    #expect(json.text.contains("\"status\":\"not_found\""))
    let filter = arguments.suffix(2)
    let line = arguments.dropFirst().dropLast(2).joined(separator: "\t")
    let batch = try Self.run([arguments[0], "-", "--jsonl"] + filter, line + "\n")
    expect(batch, status: 1)
    #expect(batch.text == json.text)
  }

  @Test func whatAFilterLeavesIsFoundByID() throws {
    for arguments in [
      ["show", "8", "--rank", "species"], ["show", "900", "--conservation", "VU"],
      ["lineage", "8", "--within", "Felidae"], ["lca", "8", "9", "--trait", "diet=carnivore"],
    ] {
      expect(try Self.run(arguments), status: 0)
    }
  }

  @Test func ofSeveralTaxaNoneMayPass() throws {
    expectError(
      try Self.run(["show", "Prunella", "--within", "Carnivora"]), status: 1,
      saying: "\"Prunella\" names 2 taxa", "none of which passes the filters")
  }

  @Test(
    arguments: [
      (["children", "Prunella"], nil),
      (["children", "Prunella", "--within", "Plantae"], "32"),
      (["children", "Prunella", "--within", "Animalia"], "34"),
      // Here the rank is that of the parent, of which there is but one; else that of the children.
      (["children", "Prunella", "--rank", "family"], "34"),
      (["children", "Prunella", "--rank", "genus"], "32"),
      (["children", "Prunella", "--within", "Plantae", "--rank", "species"], "32"),
      (["children", "Prunella", "--within", "Plantae", "--rank", "genus"], nil),
      (["children", "33", "--rank", "species"], "34"),
      (["children", "33", "--rank", "genus"], nil),
      (["children", "Animalia", "--within", "Felidae"], nil),
      (["children", "Prunella", "--within", "Felidae"], nil),
      (["children", "Prunella", "--conservation", "LC"], nil),
      (["relatives", "Prunella", "--within", "Plantae"], nil),
      (["relatives", "Prunella", "--rank", "family"], "13;6"),
    ] as [([String], String?)])
  func homonymsAreSettledBeforeTheirChildrenAndRelativesAre(
    _ arguments: [String], _ ids: String?
  ) throws {
    let alone = try Self.run(arguments)
    expect(alone, status: ids == nil ? 1 : 0)
    let column = arguments[0] == "relatives" ? 1 : 0
    let found = alone.lines.dropFirst().map { $0.components(separatedBy: "\t")[column] }
    #expect(found.joined(separator: ";") == ids ?? "")
    let batch = try Self.run(
      [arguments[0], "-", "--no-header"] + arguments.dropFirst(2), arguments[1] + "\n")
    expect(batch, status: ids == nil ? 1 : 0)
    #expect(batch.lines[0].components(separatedBy: "\t")[column + 2] == ids ?? "")
  }

  @Test(
    arguments: [
      (["--conservation", "EN"], ["9"]), (["--conservation", "vu"], []),
      (["--within", "Canidae"], ["15"]), (["--status", "provisional"], ["12"]),
      (["--trait", "diet=carnivore"], ["9"]), (["--rank", "species", "--within", "Felis"], ["12"]),
      (["--rank", "genus"], []),
    ] as [([String], [String])])
  func allFiltersOfRelativesAreOfTheAnswers(_ filter: [String], _ ids: [String]) throws {
    let outcome = try Self.run(["relatives", "lion", "--no-header"] + filter)
    expect(outcome, status: ids.isEmpty ? 1 : 0)
    #expect(outcome.lines.map { $0.components(separatedBy: "\t")[1] } == ids)
    // The taxon is there; what is not is said.
    if ids.isEmpty { #expect(outcome.errorText.contains("the filters leave none")) }
  }

  @Test func allCandidatesAreNamed() throws {
    let folder = try TemporaryFolder()
    let homonyms = (200..<240).map { number in
      """
      INSERT INTO taxa VALUES (\(number), 2, 'family', 'Family \(number)', NULL, NULL, 'accepted', NULL),
        (\(number + 100), \(number), 'genus', 'Idem', NULL, NULL, 'accepted', NULL);
      """
    }
    try SmallTaxonomy.write(
      SmallTaxonomy.sql + homonyms.joined(separator: "\n"), to: folder("many.sqlite"))
    expect(try Command()("pack", folder("many.sqlite"), "-q"), status: 0)
    let outcome = try Command(pack: folder("many.stolpack"))("query", "show", "idem")
    expect(outcome, status: 1)
    let ids = outcome.errorLines.dropFirst().map { $0.split(separator: " ")[0] }
    #expect(ids.sorted() == (300..<340).map { "\($0)"[...] })
  }

  @Test func messagesSayWhatIsWrong() throws {
    expectError(try Self.run(["lca", "8", ""]), status: 2, saying: "needs an id or a name")
    for weights in [
      ["0", "0"], ["1", "x"], ["0x10", "1"], ["1", "-1"], ["inf", "1"], ["", "1"],
      ["1e308", "1e308"],
    ] {
      let taxa = ["lion", weights[0], "tiger", weights[1]]
      expectError(
        try Self.run(["lca", "--majority", "0.9", "--weights", "--"] + taxa), status: 2,
        saying: "weights must be numbers", "not all of them 0", "a sum below 1.8e308")
      let batch = try Self.run(
        ["lca", "-", "--majority", "0.9", "--weights", "--no-header"],
        taxa.joined(separator: "\t") + "\n8\t1\n")
      #expect(batch.lines[0].contains("\tinvalid\t"))
    }
    let spaced = try Self.run(
      ["lca", "lion", " 3", "tiger", "1e0 ", "--majority", "0.7", "--weights", "--no-header"])
    #expect(spaced.text.hasPrefix("8\t"))
  }
}
