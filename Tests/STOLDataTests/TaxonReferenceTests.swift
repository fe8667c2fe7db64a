import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

/// References that outlive a database: what they lead to in others.
@Suite("Taxon references")
struct TaxonReferenceTests {
  /// A row of the tables of version 3.
  private struct Row {
    var id: String
    var parent: String?
    var rank: String
    var name: String
    var author: String?
    var synonyms: [(name: String, author: String?)] = []
  }

  private static func quoted(_ text: String?) -> String {
    text.map { "'\($0.replacing("'", with: "''"))'" } ?? "NULL"
  }

  private static func pack(
    _ space: String?, _ rows: [Row], merged: [(String, String)] = [], deleted: [String] = []
  ) throws -> Pack {
    func key(_ id: String) -> Int64 { TaxonID(sourceText: id).rawValue }
    var sql = space.map { "INSERT INTO dataset VALUES ('id_space', '\($0)');" } ?? ""
    sql += "INSERT INTO sources VALUES (1, 'csv', NULL, NULL, NULL, NULL, NULL);"
    for row in rows {
      let parent = row.parent.map { "\(key($0))" } ?? "NULL"
      sql += """
        INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name, author, source) VALUES
          (\(key(row.id)), \(quoted(row.id)), \(parent), '\(row.rank)', \(quoted(row.name)),
           \(quoted(row.author)), 1);
        """
      for synonym in row.synonyms {
        sql += """
          INSERT INTO names (taxon_id, name, lang, name_type, author, source) VALUES
            (\(key(row.id)), \(quoted(synonym.name)), 'la', 'synonym', \(quoted(synonym.author)), 1);
          """
      }
    }
    for (id, into) in merged {
      sql += "INSERT INTO merged_taxa VALUES (\(key(id)), '\(id)', \(key(into)));"
    }
    for id in deleted { sql += "INSERT INTO deleted_taxa VALUES (\(key(id)), '\(id)');" }
    return try TestDatabase.pack(Taxonomy.recordTables + sql)
  }

  private static let cats = [
    Row(id: "1", rank: "kingdom", name: "Metazoa"),
    Row(id: "2", parent: "1", rank: "family", name: "Felidae"),
    Row(id: "3", parent: "2", rank: "genus", name: "Panthera", author: "Oken, 1816"),
    Row(
      id: "4", parent: "3", rank: "species", name: "Panthera leo", author: "(Linnaeus, 1758)",
      synonyms: [("Felis leo", "Linnaeus, 1758")]),
    Row(id: "5", rank: "kingdom", name: "Viridiplantae"),
    Row(id: "6", parent: "5", rank: "genus", name: "Panthera", author: "Nobody, 1900"),
  ]

  /// The outcome as "word name", or "ambiguous name, name".
  private static func outcome(_ reference: TaxonReference, in pack: Pack) -> String {
    let view = pack.view
    let outcome = view.resolve(reference)
    let taxa = outcome.taxon.map { [$0] } ?? outcome.candidates
    let word = outcome.isRenamed ? "renamed" : outcome.word
    let ids = taxa.map { view.sourceID(of: $0) ?? "?" }
    // The one with the id comes first, the others as a search has them.
    let isOfItsSpace = reference.idSpace != nil && reference.idSpace == view.idSpace
    return
      ([word] + ids.prefix(isOfItsSpace ? 1 : 0) + ids.dropFirst(isOfItsSpace ? 1 : 0).sorted())
      .joined(separator: " ")
  }

  private static let lion = TaxonReference(
    idSpace: "ncbi", id: "4", name: "Panthera leo", authorship: "(Linnaeus, 1758)", year: 1758,
    rank: "species", kingdoms: ["Metazoa"])

  @Test func aReferenceHasWhatTheTaxonIsCalled() throws {
    let pack = try Self.pack("ncbi", Self.cats)
    let found = pack.view.ids.taxon(4)
    let taxon = try #require(found)
    var lion = Self.lion
    lion.year = nil
    let reference = pack.view.reference(to: taxon)
    #expect(reference == lion)
    #expect(lion.written == "ncbi:4")
  }

  @Test(arguments: [
    // The id lives under its name, under another one of its synonyms, of its genus, of its epithet.
    ("Panthera leo", "4", "same 4"), ("Felis leo", "4", "renamed 4"),
    ("Panthera rex", "4", "renamed 4"), ("Leo leo", "4", "renamed 4"),
    // Under a name that has nothing to do with it, with and without a taxon of that name.
    ("Canis lupus", "4", "ambiguous 4"), ("Felidae", "4", "ambiguous 4 2"),
    // Retired, and never heard of.
    ("Leo vetus", "104", "merged 4"), ("Leo vetus", "105", "deleted"),
    ("Panthera leo", "999", "absent"),
  ])
  func inItsOwnSpaceTheIDDecides(_ name: String, _ id: String, _ expected: String) throws {
    let pack = try Self.pack("ncbi", Self.cats, merged: [("104", "4")], deleted: ["105"])
    var reference = Self.lion
    reference.name = name
    reference.id = id
    if name == "Felidae" { reference.rank = "family" }
    if name == "Felidae" { reference.authorship = "" }
    #expect(Self.outcome(reference, in: pack) == expected)
  }

  @Test func inAnotherSpaceTheNameDecides() throws {
    let others = [
      Row(id: "k", rank: "kingdom", name: "Animalia"),
      Row(id: "4", parent: "k", rank: "species", name: "Cecropis abyssinica"),
      Row(id: "g", parent: "k", rank: "genus", name: "Panthera", author: "Oken, 1816"),
      Row(
        id: "l", parent: "g", rank: "species", name: "Panthera leo", author: "Linnaeus",
        synonyms: [("Felis tigrina", "Erxleben, 1777")]),
      Row(id: "p", rank: "kingdom", name: "Plantae"),
      Row(id: "pg", parent: "p", rank: "genus", name: "Panthera"),
      Row(id: "t", parent: "g", rank: "species", name: "Panthera tigris"),
      Row(
        id: "u", parent: "g", rank: "species", name: "Panthera uncia",
        synonyms: [("Felis uncia", nil), ("Uncia twice", nil)]),
      Row(
        id: "v", parent: "g", rank: "species", name: "Panthera onca",
        synonyms: [("Uncia twice", nil)]),
    ]
    let pack = try Self.pack("col", others)
    func outcome(_ change: (inout TaxonReference) -> Void) -> String {
      var reference = Self.lion
      change(&reference)
      return Self.outcome(reference, in: pack)
    }
    // Never the swallow that has the number.
    #expect(outcome { _ in } == "by name l")
    #expect(
      outcome {
        $0.authorship = "Smith, 1999"; $0.year = 1999
      } == "absent")
    #expect(outcome { $0.kingdoms = ["Viridiplantae"] } == "absent")
    #expect(outcome { $0.rank = "genus" } == "absent")
    #expect(outcome { $0.rank = "no rank" } == "by name l")
    // A homonym is told by its kingdom, else nothing is guessed.
    #expect(
      outcome {
        $0.name = "Panthera"; $0.rank = "genus"; $0.authorship = ""
      } == "by name g")
    #expect(
      outcome {
        ($0.name, $0.rank, $0.authorship, $0.kingdoms, $0.year) = ("Panthera", "genus", "", [], nil)
      } == "ambiguous g pg")
    #expect(
      outcome {
        $0.name = "Felis tigrina"; $0.authorship = "Erxleben"
      } == "by synonym l")
    #expect(outcome { $0.name = "Felis tigrina" } == "absent")
    #expect(
      outcome {
        $0.name = "Uncia twice"; $0.authorship = ""
      } == "ambiguous u v")
    #expect(outcome { $0.name = "Dodo ineptus" } == "absent")
    #expect(outcome { $0.name = "" } == "absent")
  }

  /// A reference with these kingdoms to a genus that is in several leads to none that it cannot be.
  @Test(arguments: [
    (["Animalia"], ["Chromista"], false), (["Animalia"], ["Protozoa"], false),
    (["Bacteria"], ["Protozoa"], false), (["Eukaryota", "Fungi"], ["Protozoa"], false),
    (["Eukaryota", "Metazoa"], ["Eukaryota", "Magnoliophyta"], false),
    (["Eukaryota", "Viridiplantae"], ["Eukaryota", "Magnoliophyta"], true),
    (["Eukaryota", "Metazoa"], ["Eukaryota"], true), (["Eukaryota"], ["Bacteria"], false),
    (["Plantae"], ["Chromista"], true), (["Fungi"], ["Protozoa"], true),
    (["Chromista"], ["Protozoa"], true), (["Eukaryota"], ["Chromista"], true),
    (["Chromista"], ["Eukaryota", "Bacillariophyta"], true), (["Animalia"], ["Plantae"], false),
    (["Viruses", "Riboviria"], ["Riboviria", "Orthornavirae"], true),
    (["Riboviria"], ["Animalia"], false), (["Eubacteria"], ["Bacteria"], true),
    (["Fungi"], ["Eukaryota", "Oomycota"], true), (["Metazoa"], ["Chordata"], true),
    (["Apiales"], ["Animalia"], true), ([], ["Animalia"], true),
  ])
  func kingdomsThatCannotBeOneKeepNamesApart(
    _ stated: [String], _ above: [String], _ fits: Bool
  ) throws {
    var rows: [Row] = []
    for (number, name) in above.enumerated() {
      let isDomain = ["Eukaryota", "Bacteria", "Viruses"].contains(name)
      let isPhylum = number > 0 && !name.hasSuffix("virae") || name == "Chordata"
      rows.append(
        Row(
          id: "\(number)", parent: number > 0 ? "\(number - 1)" : nil,
          rank: isDomain ? "domain" : isPhylum ? "phylum" : "kingdom", name: name))
    }
    rows.append(Row(id: "9", parent: "\(above.count - 1)", rank: "genus", name: "Oenanthe"))
    let reference = TaxonReference(
      idSpace: "other", id: "1", name: "Oenanthe", rank: "genus", kingdoms: stated)
    #expect(
      Self.outcome(reference, in: try Self.pack("ncbi", rows)) == (fits ? "by name 9" : "absent"))
  }

  /// Homonyms with one number in lists that do not say what theirs are numbers of.
  @Test func anUnstatedNumberDecidesBetweenEqualsOnly() throws {
    func list(_ kingdom: String, _ author: String?) throws -> Pack {
      try Self.pack(
        nil,
        [
          Row(id: "1", rank: "kingdom", name: kingdom),
          Row(id: "5", parent: "1", rank: "genus", name: "Oenanthe", author: author),
          Row(id: "6", parent: "1", rank: "genus", name: "Twice"),
          Row(id: "7", parent: "1", rank: "genus", name: "Twice"),
        ])
    }
    let lists = [
      try list("Animalia", "Vieillot, 1816"), try list("Plantae", "L."), try list("Animalia", nil),
    ]
    for (number, pack) in lists.enumerated() {
      for id in ["1", "5", "6", "7"] {
        let found = Self.reference(to: id, in: pack)
        let reference = try #require(found)
        #expect(Self.outcome(reference, in: pack) == "same \(id)")
        guard id != "1" else { continue }
        let isAlike = number != 1
        #expect(Self.outcome(reference, in: lists[1]) == (isAlike ? "absent" : "same \(id)"))
        #expect(Self.outcome(reference, in: lists[2]) == (isAlike ? "same \(id)" : "absent"))
      }
    }
    let nameless = TaxonReference(idSpace: nil, id: "5")
    #expect(Self.outcome(nameless, in: lists[0]) == "absent")
  }

  /// Where nobody says what ids are ids of, a number alone proves nothing.
  @Test func anUnstatedSpaceNeedsTheName() throws {
    let pack = try Self.pack(nil, Self.cats, merged: [("104", "4")], deleted: ["105"])
    func outcome(_ id: String, _ name: String, _ space: String? = nil) -> String {
      var reference = Self.lion
      (reference.idSpace, reference.id, reference.name) = (space, id, name)
      return Self.outcome(reference, in: pack)
    }
    #expect(outcome("4", "Panthera leo") == "same 4")
    #expect(outcome("4", "Felis leo") == "renamed 4")
    #expect(outcome("3", "Panthera leo") == "by name 4")
    #expect(outcome("104", "Felis leo") == "merged 4")
    #expect(outcome("105", "Panthera leo") == "by name 4")
    #expect(outcome("4", "Canis lupus") == "absent")
    // Another species of the genus, and another with the epithet, in another list.
    #expect(outcome("4", "Panthera rex") == "absent")
    #expect(outcome("4", "Leo leo") == "absent")
    #expect(outcome("104", "Panthera rex") == "absent")
    #expect(outcome("2", "Panthera leo", "ncbi") == "by name 4")
  }

  @Test func writtenFormsAreReadBack() throws {
    for (space, id) in [("ncbi", "9606"), (nil, "x:y"), ("col", "4CGXP"), ("a-b_2", "https://x/1")]
    {
      let reference = TaxonReference(idSpace: space, id: id)
      #expect(TaxonReference(written: reference.written) == reference)
    }
    #expect(TaxonReference(written: "unstated:4")?.idSpace == nil)
    #expect(TaxonReference(written: "unstated-1a2b3c4d:4")?.idSpace == "unstated-1a2b3c4d")
    for text in ["9606", "", ":1", "NCBI:1", "ncbi:", "Panthera leo", "9:1"] {
      #expect(TaxonReference(written: text) == nil, "\(text)")
    }
    let data = try JSONEncoder().encode(Self.lion)
    #expect(try JSONDecoder().decode(TaxonReference.self, from: data) == Self.lion)
    let short = try JSONDecoder().decode(TaxonReference.self, from: Data(#"{"id":"7"}"#.utf8))
    #expect(short == TaxonReference(idSpace: nil, id: "7"))
  }

  /// What the written form cannot name could not be removed again.
  @Test(arguments: [
    #"{"id":"","name":"Foo"}"#, #"{"id":"1","idSpace":"NCBI X"}"#, #"{"id":"1","idSpace":""}"#,
    #"{"id":"1","idSpace":"unstated"}"#, #"{"name":"Foo"}"#, #"{"id":1}"#, #"{"id":null}"#,
    #"{"id":"1","year":"x"}"#, "{",
  ])
  func whatIsNoReferenceIsNotReadAsJSON(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(TaxonReference.self, from: Data(text.utf8))
    }
  }

  /// Of databases of a few names, that share numbers, every reference leads where a plain reading of the
  /// rules says, and back to itself.
  @Test func everyOutcomeIsThatOfTheRules() throws {
    let names = ["Aus bus", "Aus cus", "Dus bus", "Eus fus"]
    let authors = [nil, "Smith, 1900", "Miller, 1950"]
    for seed in 0..<UInt64(Sweep.count(few: 150, full: 3_000)) {
      var random = SeededGenerator(seed: seed)
      func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
      }
      func rows() -> [Row] {
        var rows = ["Animalia", "Plantae"].enumerated().map {
          Row(id: "\($0 + 100)", rank: "kingdom", name: $1)
        }
        for id in 0..<Int.random(in: 1...6, using: &random) {
          rows.append(
            Row(
              id: "\(id)", parent: pick(["100", "101"]), rank: pick(["species", "subspecies"]),
              name: pick(names), author: pick(authors),
              synonyms: (0..<Int.random(in: 0...2, using: &random)).map { _ in
                (pick(names), pick(authors))
              }))
        }
        return rows
      }
      let (first, second) = (rows(), rows())
      let secondSpace = pick(["a", "b"])
      let packs = [try Self.pack("a", first), try Self.pack(secondSpace, second)]
      for row in first where row.rank != "kingdom" {
        let found = Self.reference(to: row.id, in: packs[0])
        let reference = try #require(found)
        #expect(Self.outcome(reference, in: packs[0]) == "same \(row.id)")
        #expect(
          Self.outcome(reference, in: packs[1])
            == Self.expected(row, second, isSameSpace: secondSpace == "a"),
          "seed \(seed), \(row.id)")
      }
    }
  }

  /// What is remembered for many changes nothing, wherever kingdoms and phyla stand in the tree.
  @Test(arguments: 0..<Sweep.count(few: 10, full: 1000))
  func manyAreResolvedAsEachIs(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func pick<Element>(_ choices: [Element]) -> Element {
      choices[Int.random(in: choices.indices, using: &generator)]
    }
    let high = [
      "Metazoa", "Viridiplantae", "Fungi", "Chordata", "Tracheophyta", "Eukaryota", "Alia",
    ]
    let ranks = ["domain", "kingdom", "phylum", "family", "genus", "no rank"]
    var rows: [Row] = []
    for number in 1...40 {
      let isHigh = number < 15
      rows.append(
        Row(
          id: "\(number)",
          parent: number == 1 || pick([true, false, false, false, false])
            ? nil : "\(Int.random(in: 1..<min(number, 15), using: &generator))",
          rank: isHigh ? pick(ranks) : "species",
          name: isHigh ? pick(high) : pick(["Aus bus", "Aus cus", "Dus bus"]),
          author: pick([nil, "L.", "Mill."])))
    }
    let pack = try Self.pack(pick([nil, "test"]), rows)
    let view = pack.view
    var references: [TaxonReference] = []
    for row in rows + rows {
      guard var reference = Self.reference(to: row.id, in: pack) else { continue }
      if pick([true, false]) { reference.kingdoms = [pick(high)] }
      if pick([true, false, false]) { reference.name = pick(["Aus bus", "Aus cus", "Dus bus"]) }
      if pick([true, false]) { reference.idSpace = "other" }
      references.append(reference)
    }
    #expect(view.resolve(references) == references.map { view.resolve($0) }, "seed \(seed)")
  }

  private static func reference(to id: String, in pack: Pack) -> TaxonReference? {
    let view = pack.view
    guard let taxon = view.ids.taxon(TaxonID(sourceText: id)) else { return nil }
    return view.reference(to: taxon)
  }

  /// The rules of a reference, over rows that have kingdoms, and names of two words.
  private static func expected(_ row: Row, _ rows: [Row], isSameSpace: Bool) -> String {
    func genus(_ name: String) -> String { String(name.split(separator: " ")[0]) }
    func epithet(_ name: String) -> String { String(name.split(separator: " ")[1].dropLast(2)) }
    func fits(_ author: String?) -> Bool {
      author == nil || row.author == nil || author == row.author
    }
    let near = rows.filter { $0.rank == row.rank && $0.parent == row.parent }
    let named = near.filter { $0.name == row.name && fits($0.author) }.map(\.id)
    if isSameSpace {
      guard let other = rows.first(where: { $0.id == row.id }) else { return "absent" }
      if other.name == row.name { return "same \(row.id)" }
      if other.synonyms.contains(where: { $0.name == row.name }) { return "renamed \(row.id)" }
      if other.parent == row.parent,
        genus(other.name) == genus(row.name) || epithet(other.name) == epithet(row.name)
      {
        // Not while another taxon has the old name.
        if named.isEmpty { return "renamed \(row.id)" }
      }
      return (["ambiguous", row.id] + named.filter { $0 != row.id }).joined(separator: " ")
    }
    if named.count == 1 { return "by name \(named[0])" }
    if named.count > 1 { return "ambiguous " + named.joined(separator: " ") }
    let synonyms = near.filter { $0.synonyms.contains { $0.name == row.name && fits($0.author) } }
      .map(\.id)
    if synonyms.count == 1 { return "by synonym \(synonyms[0])" }
    return synonyms.isEmpty ? "absent" : "ambiguous " + synonyms.joined(separator: " ")
  }
}
