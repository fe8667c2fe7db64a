import Foundation
import TestSupport
import Testing

/// Which name matched, and what it is: names with records, ids of names, an implied root.
enum NamedTaxonomy {
  private static let rows = """
    INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name, author, year) VALUES
      (-1, NULL, NULL, 'no rank', 'implied root', NULL, NULL),
      (1, '1', -1, 'kingdom', 'Plantae', NULL, NULL), (2, '2', -1, 'kingdom', 'Animalia', NULL, NULL),
      (3, '3', 1, 'genus', 'Elymus', 'Linnaeus', 1753),
      (4, '4', 3, 'species', 'Elymus repens', '(Linnaeus) Gould', NULL),
      (5, '5', 1, 'genus', 'Acer', 'Linnaeus', 1753),
      (6, '6', 5, 'species', 'Acer spicatum', 'Lamarck', 1786),
      (7, '7', 3, 'species', 'Elymus trachycaulus', NULL, NULL),
      (8, '8', 2, 'genus', 'Natalus', NULL, NULL), (9, '9', 5, 'species', 'Acer sp. 1', NULL, NULL),
      (10, '10', 8, 'species', 'Natalus 4711', NULL, NULL),
      (11, '11', 2, 'genus', 'Unknownia', NULL, NULL);
    INSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred, source_id, author, year, rank,
      status, sensu) VALUES
      (1, 4, 'Elytrigia repens', 'la', 'synonym', 0, '100', '(L.) Nevski', 1933, 'species', 'homotypic', NULL),
      (2, 6, 'Acer montanum', 'la', 'synonym', 0, '101', 'auct.', NULL, 'species', 'misapplied',
        'sensu Busch, 1930'),
      (3, 4, 'Elymus vulgaris', 'la', 'synonym', 0, '102', 'Benth.', 1881, 'species', 'in-part', NULL),
      (4, 7, 'Elymus vulgaris', 'la', 'synonym', 0, '102', 'Benth.', 1881, 'species', 'in-part', NULL),
      (5, 6, 'mountain maple', 'en', 'common', 1, NULL, NULL, NULL, NULL, NULL, NULL),
      (6, 6, 'unknown', 'en', 'common', 0, NULL, NULL, NULL, NULL, NULL, NULL),
      (7, 11, 'Duplex bilis', 'la', 'synonym', 0, '103', 'Desv.', 1809, 'species', NULL, NULL),
      (8, 11, 'Duplex bilis', 'la', 'synonym', 0, '104', 'Nevski', NULL, 'species', NULL, NULL);
    INSERT INTO refs (id, taxon_id, citation, ref_type, name_id) VALUES
      (1, 11, 'Book of Desv.', 'taxonomy', 7), (2, 11, 'Book of Nevski.', 'taxonomy', 8),
      (3, 11, 'Book of all', 'taxonomy', NULL);
    INSERT INTO sources (position, kind, name) VALUES (1, 'coldp', 'First'), (2, 'csv', 'Second');
    UPDATE taxa SET source = 1 WHERE id = 6;
    UPDATE names SET source = 1 WHERE id = 2;
    UPDATE names SET source = 2 WHERE id = 5;
    INSERT INTO traits (id, taxon_id, trait_key, trait_value, unit, source) VALUES
      (1, 6, 'habit', 'tree', NULL, 1), (2, 6, 'height', '9', 'm', 2);
    INSERT INTO refs (id, taxon_id, citation, ref_type, source) VALUES
      (4, 6, 'Book of maples', 'taxonomy', 2);
    INSERT INTO dataset VALUES ('id_space', 'tiny');
    INSERT INTO merged_taxa VALUES (900, '900', 6);
    INSERT INTO deleted_taxa VALUES (901, '901');
    """

  private static let compiled = Result {
    try FileManager.default.createDirectory(
      atPath: SharedHome.path, withIntermediateDirectories: true)
    let path = SharedHome.path + "/named.sqlite"
    try SmallTaxonomy.write(Taxonomy.recordTables + rows, to: path)
    expect(try Command()("pack", path, "-q"), status: 0)
    return SharedHome.path + "/named.stolpack"
  }

  static var command: Command { get throws { Command(pack: try compiled.get()) } }
}

@Suite("Which name matched, and what it is")
struct NamedTaxonTests {
  private static func run(_ arguments: String..., input: String = "") throws -> Command.Outcome {
    try NamedTaxonomy.command.run(
      Command.path, ["query"] + arguments, input: Data(input.utf8))
  }

  /// The cells of some columns, for each line of a batch.
  private static func cells(_ outcome: Command.Outcome, _ columns: String...) throws -> [[String]] {
    let rows = outcome.lines.map { $0.components(separatedBy: "\t") }
    let indices = try columns.map { try #require(rows[0].firstIndex(of: $0), "\($0)") }
    return rows.dropFirst().map { row in indices.map { row[$0] } }
  }

  /// Authors stand behind a name in most lists; those that contradict make it another name.
  @Test(arguments: [
    ("Elymus repens (Linnaeus) Gould", "exact", "4"), ("elymus repens (L.) Gould", "exact", "4"),
    ("Elytrigia repens (L.) Nevski", "synonym", "4"),
    ("Elytrigia repens (L.) Nevski, 1933", "synonym", "4"),
    ("Elymus trachycaulus Anybody, 1900", "exact", "7"), ("Acer L.", "exact", "5"),
    ("Acer Linnaeus, 1753", "exact", "5"), ("Acer spicatum Lam.", "exact", "6"),
    ("Duplex bilis Desv.", "synonym", "11"), ("Duplex bilis Nevski", "synonym", "11"),
  ])
  func authorsBehindANameAreNoPartOfIt(_ text: String, _ status: String, _ id: String) throws {
    for query in ["show", "search"] {
      let batch = try Self.run(query, "-", "--tsv", input: text + "\n")
      #expect(try Self.cells(batch, "status", "id") == [[status, id]], "\(query) \(text)")
      let alone = try Self.run(query, text, "--jsonl")
      expect(alone, status: 0)
      #expect(alone.text.contains("\"status\":\"\(status)\""), "\(query) \(text)")
    }
  }

  @Test func severalThatFitItsAuthorsAreAmbiguous() throws {
    for query in ["show", "search"] {
      let batch = try Self.run(query, "-", "--tsv", input: "Elymus vulgaris Benth.\n")
      #expect(
        try Self.cells(batch, "status", "candidates") == [["ambiguous", "4;7"]], "\(query)")
    }
    let one = try Self.run(
      "show", "-", "--tsv", "--within", "Elymus trachycaulus", input: "Elymus vulgaris Benth.\n")
    #expect(try Self.cells(one, "status", "id") == [["synonym", "7"]])
  }

  @Test(arguments: [
    "Elymus repens Smith, 1999", "Elytrigia repens Desv.", "Acer spicatum Linnaeus, 1753",
    "Elymus rapens (L.) Gould", "Elymus repens (L.) Gould sensu Busch", "Elymus ?repens L.",
    "E. repens (L.) Gould", "Elymus repens subsp. Nobody", "Elymus cf. repens (L.) Gould",
    "Elymus (Elymus) repens (L.) Gould", "Elymus repens × Acer spicatum Lam.", "mountain maple L.",
    "Elymus repens Gould in the wild", "Acer montanum auct.",
  ])
  func whatIsNoWholeNameIsNeverExact(_ text: String) throws {
    for query in ["show", "search"] {
      let batch = try Self.run(query, "-", "--tsv", input: text + "\n")
      let status = try Self.cells(batch, "status")[0][0]
      #expect(!["exact", "synonym", "common"].contains(status), "\(query) \(text): \(status)")
    }
  }

  @Test(arguments: ["show", "lineage", "children", "subtree", "relatives"])
  func aBatchSaysWhichNameMatched(_ query: String) throws {
    let input =
      "Acer montanum\nelytrigia repens\n101\nmountain maple\nAcer spicatum\n6\n900\nzzzz\n"
    let outcome = try Self.run(query, "-", input: input)
    let rows = try Self.cells(
      outcome, "status", "matchedName", "nameStatus", "nameAuthor", "nameYear", "sensu", "nameID")
    let misapplied = [
      "synonym", "Acer montanum", "misapplied", "auct.", "", "sensu Busch, 1930", "101",
    ]
    #expect(
      rows == [
        misapplied,
        ["synonym", "Elytrigia repens", "homotypic", "(L.) Nevski", "1933", "", "100"], misapplied,
        ["common", "mountain maple", "", "", "", "", ""], ["exact", "", "", "", "", "", ""],
        ["exact", "", "", "", "", "", ""], ["merged", "", "", "", "", "", ""],
        ["not_found", "", "", "", "", "", ""],
      ])
  }

  @Test func jsonSaysWhichNameMatched() throws {
    let alone = try Self.run("show", "Acer montanum", "--jsonl")
    #expect(alone.errorText == "")
    #expect(
      alone.text.hasSuffix(
        ",\"matchedName\":\"Acer montanum\",\"nameStatus\":\"misapplied\",\"nameAuthor\":\"auct.\","
          + "\"nameYear\":null,\"sensu\":\"sensu Busch, 1930\",\"nameID\":101}\n"))
    #expect(alone.text.contains("\"name\":\"Acer montanum\"") && alone.text.contains("\"id\":101,"))
    #expect(try Self.run("search", "Acer montanum", "--jsonl").text.contains("\"nameID\":101"))
    #expect(try !Self.run("show", "Acer spicatum", "--jsonl").text.contains("matchedName"))
    let set = try Self.run("lca", "6", "Elytrigia repens", "--jsonl")
    #expect(
      set.text.contains(
        "\"matchedNames\":[{\"member\":\"Elytrigia repens\",\"matchedName\":\"Elytrigia repens\","
          + "\"nameStatus\":\"homotypic\""))
  }

  @Test func theNamesOfASetStandInTheOrderOfItsMembers() throws {
    let outcome = try Self.run(
      "lca", "-", "--skip-unknown",
      input: "6\tElytrigia repens\t7\nAcer montanum\t100\n6\t7\nzzzz\tAcer montanum\t6\n")
    #expect(
      try Self.cells(outcome, "matchedName", "nameStatus", "nameID") == [
        [";Elytrigia repens;", ";homotypic;", ";100;"],
        ["Acer montanum;Elytrigia repens", "misapplied;homotypic", "101;100"], ["", "", ""],
        [";Acer montanum;", ";misapplied;", ";101;"],
      ])
  }

  @Test(arguments: [
    (
      "Acer montanum",
      "\"Acer montanum\" is a name misapplied to Acer spicatum: Acer montanum auct. "
        + "sensu Busch, 1930 (id 101)"
    ),
    (
      "100",
      "\"100\" is the id of a homotypic synonym of Elymus repens: Elytrigia repens "
        + "(L.) Nevski, 1933 (id 100)"
    ), ("mountain maple", "\"mountain maple\" is a common name of Acer spicatum"),
    ("900", "\"900\" was merged into Acer spicatum (6)"),
    ("Acer sp.", "\"Acer sp.\" matches in part: genus Acer"),
  ])
  func aPersonIsToldInOneLine(_ text: String, _ sentence: String) throws {
    for query in ["show", "lineage", "subtree"] {
      let outcome = try Self.run(query, text)
      expect(outcome, status: 0)
      #expect(outcome.errorText == sentence + "\n")
      #expect(try Self.run(query, text, "-q").errorText == "")
      #expect(try Self.run(query, text, "--json").errorText == "")
    }
  }

  @Test func whatAnotherSourceSaysIsMarked() throws {
    let lines = try Self.run("show", "6").lines
    for line in [
      "name (en)\tmountain maple (Second)", "name (en)\tunknown", "source\tFirst",
      "misapplied\tAcer montanum auct. sensu Busch, 1930 (id 101)", "habit\ttree",
      "height\t9 m (Second)", "reference\tBook of maples (Second)",
    ] {
      #expect(lines.contains(line), "\(lines)")
    }
  }

  @Test func synonymsOfOneSpellingAreToldApart() throws {
    let show = try Self.run("show", "Duplex bilis")
    #expect(
      show.errorText
        == "\"Duplex bilis\" is a synonym of Unknownia: Duplex bilis Desv., 1809 "
        + "(id 103), one of 2 names of this spelling\n")
    #expect(
      show.lines.suffix(3) == [
        "reference\tBook of Desv. (for Duplex bilis Desv., 1809 (id 103))",
        "reference\tBook of Nevski. (for Duplex bilis Nevski (id 104))", "reference\tBook of all",
      ])
    #expect(
      try Self.run("show", "104").errorText
        == "\"104\" is the id of a synonym of Unknownia: Duplex bilis Nevski (id 104)\n")
    let json = try Self.run("show", "Unknownia", "--jsonl").text
    for (name, author, year, id) in [
      ("\"Duplex bilis\"", "\"Desv.\"", "1809", "103"),
      ("\"Duplex bilis\"", "\"Nevski\"", "null", "104"), ("null", "null", "null", "null"),
    ] {
      #expect(
        json.contains(
          "\"name\":\(name),\"nameAuthor\":\(author),\"nameYear\":\(year),\"sensu\":null,"
            + "\"nameID\":\(id),"))
    }
  }

  @Test func aHitSaysWhoGaveItsNameAndWhatItIs() throws {
    let outcome = try Self.run(
      "search", "-", input: "Elytrigia repens\nAcer montanum\nAcer spicatum\nmountain maple\n100\n")
    let synonym = ["synonym", "homotypic", "(L.) Nevski", "1933", "", "100"]
    #expect(
      try Self.cells(
        outcome, "status", "nameStatus", "nameAuthor", "nameYear", "sensu", "nameID") == [
          synonym, ["synonym", "misapplied", "auct.", "", "sensu Busch, 1930", "101"],
          ["exact", "accepted", "Lamarck", "1786", "", ""], ["common", "", "", "", "", ""], synonym,
        ])
  }

  // MARK: - Open names

  private static let open = [
    "Acer sp.", "ACER SP.", "Acer Sp.", "Acer sp.2", "Acer sp.?", "Acer\u{A0}sp.", "Acer_sp",
    "acer spp", "Acer cf. rubrum", "Acer species",
  ]

  @Test(arguments: [
    ["search"], ["complete"], ["search", "--mode", "fuzzy"], ["search", "--mode", "prefix"],
    ["search", "--mode", "contains"],
    ["show"], ["lineage"], ["children"], ["subtree"], ["relatives"], ["lca"],
    ["lca", "--majority", "0.6"],
  ])
  func anOpenNameIsPartOfAName(_ query: [String]) throws {
    let lines = Self.open.map { $0 + "\n" }.joined()
    let outcome = try NamedTaxonomy.command.run(
      Command.path, ["query"] + query + ["-", "--jsonl"], input: Data(lines.utf8))
    #expect(outcome.lines.count == Self.open.count)
    for line in outcome.lines {
      #expect(line.contains("\"status\":\"partial\""), "\(line)")
      let isList = ["children", "relatives"].contains(query[0])
      #expect(isList || line.contains("\"scientificName\":\"Acer\""), "\(line)")
      #expect(!["search", "lca"].contains(query[0]) || !line.contains("spicatum"), "\(line)")
    }
  }

  /// A taxon that a source calls so is called so.
  @Test(arguments: ["search", "show", "lineage"])
  func aTaxonMayBeCalledSo(_ query: String) throws {
    let outcome = try Self.run(query, "-", "--jsonl", input: "Acer sp. 1\nacer SP. 1\n")
    for line in outcome.lines {
      #expect(line.contains("\"status\":\"exact\"") && line.contains("\"id\":9,"), "\(line)")
    }
    #expect(
      try Self.run("search", "Acer sp.", "--mode", "exact", "--jsonl").text.contains("not_found"))
    // What limits a search is never a part of what was given.
    expectError(
      try Self.run("search", "Acer", "--within", "Acer sp."), status: 1, saying: "Acer sp.")
  }

  // MARK: - Ids

  @Test func aSearchKnowsIds() throws {
    let input = "6\ntiny:6\n900\n901\n100\n102\n4711\ntiny:4711\n99999\n006\n"
    let expected = [
      ["exact", "6"], ["exact", "6"], ["merged", "6"], ["deleted", ""], ["synonym", "4"],
      ["ambiguous", ""], ["partial", "10"], ["not_found", ""], ["not_found", ""],
      ["not_found", ""],
    ]
    for options in [[], ["--mode", "fuzzy"], ["--mode", "exact"]] {
      let outcome = try NamedTaxonomy.command.run(
        Command.path, ["query", "search", "-"] + options, input: Data(input.utf8))
      var cells = try Self.cells(outcome, "status", "id")
      if options.last == "exact" {
        #expect(cells[6] == ["not_found", ""])
        cells[6] = expected[6]
      }
      #expect(cells == expected, "\(options)")
    }
    #expect(try Self.run("search", "6", "--rank", "genus", "--jsonl").text.contains("not_found"))
  }

  @Test func theIdOfANameOfSeveralTaxaIsAmbiguous() throws {
    for query in ["show", "search", "lineage"] {
      let outcome = try Self.run(query, "-", input: "102\n")
      #expect(try Self.cells(outcome, "status", "candidates") == [["ambiguous", "4;7"]])
      let alone = try Self.run(query, "102", "--jsonl")
      #expect(alone.text.contains("\"candidates\":[{\"id\":4,"))
    }
    let refused = try Self.run("show", "102")
    expect(refused, status: 1)
    for name in ["Elymus repens", "Elymus trachycaulus"] {
      #expect(refused.errorText.contains(name))
    }
    let hinted = try Self.run("show", "-", "--within", "7", input: "102\n")
    #expect(try Self.cells(hinted, "status", "id", "nameStatus") == [["synonym", "7", "in-part"]])
  }

  @Test func aNameOfSeveralTaxaIsSuggestedOnce() throws {
    let outcome = try Self.run("show", "Elymus vulgariss")
    expectError(outcome, status: 1, saying: "; did you mean \"Elymus vulgaris\"?")
  }

  // MARK: - What is no name

  @Test(arguments: ["auto", "exact", "prefix", "fuzzy"])
  func whatSaysThatNothingIsKnownIsNoName(_ mode: String) throws {
    let outcome = try Self.run(
      "search", "-", "--mode", mode, input: "NA\nunknown\nnan\nUnknown\nn/a\n")
    #expect(try Self.cells(outcome, "status").allSatisfy { $0 == ["not_found"] })
  }

  @Test func theImpliedRootIsNoInput() throws {
    let show = try Self.run("show", "implied root")
    expectError(show, status: 1, saying: "no taxon \"implied root\"")
    #expect(!show.errorText.contains("did you mean"))
    for query in ["search", "complete"] {
      for text in ["implied root", "implied", "-1"] {
        let outcome = try Self.run(query, "--jsonl", "--", text)
        expect(outcome, status: 1)
        #expect(outcome.text.contains("\"status\":\"not_found\",\"results\":[]"), "\(text)")
      }
    }
    let listed = try Self.run("search", "", "--rank", "no rank", "--jsonl")
    #expect(
      listed.text.contains("{\"id\":null,") && listed.text.hasSuffix(",\"isImplied\":true}]}\n"))
    #expect(try !Self.run("search", "Acer", "--jsonl").text.contains("isImplied"))
    let kingdoms = try Self.run("compare", "1", "2", "--jsonl")
    #expect(kingdoms.text.contains("They share only a root that no source has"))
  }
}
