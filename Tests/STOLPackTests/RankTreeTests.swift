import STOLPack
import Testing

/// Trees in which any rank may stand anywhere, against the rows that they were made from.
struct RankTreeTests {
  /// Ranks and the place of each among these, nil for none; the main ones, whatever they are called.
  private static let ranks: [(word: String, place: Int?, isMain: Bool)] = [
    ("superkingdom", 0, true), ("family", 1, true), ("tribe", 2, false), ("species", 3, true),
    ("no rank", nil, false),
  ]

  /// Every forest of three taxa with five ranks, and of four with three.
  @Test func everySmallTreeCountsItsMainRanks() throws {
    var mismatches = Mismatches()
    for (size, words) in [(1, 5), (2, 5), (3, 5), (4, 3)] {
      for parents in SmallForests.parents(size) {
        for number in 0..<SmallForests.power(words, size) {
          // Of three ranks: a main one, one with a place, one without.
          let choice = words == 5 ? [0, 1, 2, 3, 4] : [1, 2, 4]
          let ranks = (0..<size).map { choice[number / SmallForests.power(words, $0) % words] }
          try Self.check(parents, ranks, &mismatches)
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil)
    #expect(mismatches.comparisonCount > 10_000)
  }

  @Test func warningsNameTheTaxonAsItsSourceDoes() throws {
    var taxonomy = TestTaxonomy()
    func add(_ id: String, below parent: String?, _ rank: String, status: String = "accepted") {
      taxonomy.taxa.append(
        TaxonRow(
          id: TaxonID(sourceText: id).rawValue,
          parentID: parent.map { TaxonID(sourceText: $0).rawValue }, rank: rank,
          scientificName: "Taxon \(id)", status: status, conservation: "XX", sourceID: id))
    }
    add("wfo-1", below: nil, "species")
    add("wfo-2", below: "wfo-1", "genus")
    add("wfo-3", below: "wfo-1", "genus", status: "synonym")
    #expect(
      try taxonomy.warnings().map(\.description) == [
        "1 taxa whose rank is not below that of their parent (first: id wfo-2)",
        "1 synonym rows whose parent_id leads to a taxon of another rank (first: id wfo-3)",
        "3 conservation codes outside the IUCN's (first: id wfo-1)",
      ])
  }

  @Test func aRankIsAskedForInAnyCase() throws {
    var taxonomy = TestTaxonomy()
    let words = ["superkingdom", "Subclass II", "subclass ii", "Clade"]
    for (number, word) in words.enumerated() {
      taxonomy.taxa.append(
        TaxonRow(
          id: Int64(number), parentID: number > 0 ? Int64(number - 1) : nil, rank: word,
          scientificName: "Taxon \(number)"))
    }
    let pack = try taxonomy.pack()
    func found(_ word: String) -> Set<String> {
      let ranks = pack.view.taxa.ranks
      return Set(ranks.rows(named: word).map { ranks[$0].rawValue })
    }
    for word in words { #expect(found(word) == [word]) }
    #expect(found("SUBCLASS II") == ["Subclass II", "subclass ii"])
    #expect(found("clade") == ["Clade"])
    #expect(found("Domain") == ["superkingdom"])
    #expect(found("tribe").isEmpty && found("").isEmpty)
  }

  @Test func noLabelOfATreeEndsALine() throws {
    let names = ["Aus", "Aus bus", "Aus's", "A\nus", "Aus\u{2028}", "Aus\u{7F} b"]
    let expected = [
      "Aus", "'Aus bus'", "'Aus''s'", "'A\\u{a}us'", "Aus\\u{2028}", "'Aus\\u{7f} b'",
    ]
    for (name, label) in zip(names, expected) {
      var taxonomy = TestTaxonomy()
      taxonomy.taxa = [TaxonRow(id: 1, parentID: nil, rank: "genus", scientificName: name)]
      let pack = try taxonomy.pack()
      #expect(pack.view.newick(of: TaxonOrdinal(rawValue: 0)) { _ in true } == label + ";")
    }
  }

  private static func check(
    _ parents: [Int?], _ ranks: [Int], _ mismatches: inout Mismatches
  ) throws {
    var taxonomy = TestTaxonomy()
    for (taxon, parent) in parents.enumerated() {
      taxonomy.taxa.append(
        TaxonRow(
          id: Int64(taxon), parentID: parent.map { Int64($0) }, rank: Self.ranks[ranks[taxon]].word,
          scientificName: "Taxon \(taxon)"))
    }
    let pack = try taxonomy.pack()
    try pack.verify()
    let view = pack.view
    let what = "\(parents) \(ranks)"
    func ordinal(_ taxon: Int) throws -> TaxonOrdinal {
      let found = view.ids.taxon(TaxonID(rawValue: Int64(taxon)))
      return try #require(found)
    }
    func lineage(_ taxon: Int) -> [Int] { [taxon] + (parents[taxon].map(lineage) ?? []) }
    func mainCount(_ taxa: some Sequence<Int>) -> Int {
      taxa.count { Self.ranks[ranks[$0]].isMain }
    }
    for a in parents.indices {
      mismatches.compare(view.rank(of: try ordinal(a)).rawValue, Self.ranks[ranks[a]].word, what)
      mismatches.compare(view.tree.mainDepth(of: try ordinal(a)), mainCount(lineage(a)), what)
      mismatches.compare(
        view.taxa.mainRank(of: try ordinal(a)) != nil, Self.ranks[ranks[a]].isMain, what)
      for b in parents.indices {
        // The steps between main ranks are those on the two ways to the common ancestor.
        let ancestor = lineage(a).first { lineage(b).contains($0) }
        let expected = ancestor.map { ancestor in
          mainCount(lineage(a).prefix { $0 != ancestor })
            + mainCount(lineage(b).prefix { $0 != ancestor })
        }
        mismatches.compare(view.linnaeanDistance(try ordinal(a), try ordinal(b)), expected, what)
        let compared = view.compare(try ordinal(a), try ordinal(b)).distance
        mismatches.compare(compared, expected, what)
      }
      for rank in Self.ranks {
        guard let row = view.taxa.ranks.row(of: TaxonRank(rawValue: rank.word)) else { continue }
        let isAbove = Self.isAtOrAbove(lineage(a).map { Self.ranks[ranks[$0]].place }, rank.place)
        mismatches.compare(
          view.isAtOrAbove(try ordinal(a), row), isAbove, "\(what): \(a), \(rank.word)")
      }
    }
  }

  /// Whether a taxon with these places, from itself upwards, stands at a place or above it.
  private static func isAtOrAbove(_ lineage: [Int?], _ place: Int?) -> Bool {
    guard let place else { return true }
    if let own = lineage[0] { return own <= place }
    guard let above = lineage.compactMap({ $0 }).first else { return true }
    return above < place
  }

  @Test func theTableOfRanksIsInOrder() throws {
    var taxonomy = TestTaxonomy()
    let words = ["zz", "clade", "strain", "superkingdom", "variety", "varietas", "tribe"]
    for (number, word) in words.enumerated() {
      taxonomy.taxa.append(
        TaxonRow(id: Int64(number), parentID: nil, rank: word, scientificName: "A\(number)"))
    }
    let pack = try taxonomy.pack()
    try pack.verify()
    let view = pack.view
    let all = view.taxa.ranks.all.map(\.rawValue)
    #expect(
      all == [
        "superkingdom", "kingdom", "phylum", "class", "order", "family", "tribe", "genus",
        "species", "varietas", "variety", "strain", "clade", "zz",
      ])
    // What stands for a main rank is found by its name.
    let domain = view.taxa.ranks.row(of: .domain)
    #expect(domain == RankRow(rawValue: 0))
    let main = view.taxa.ranks.mainRank(of: RankRow(rawValue: 0))
    #expect(main == .domain)
    let places = (0..<14).map { view.taxa.ranks.place(of: RankRow(rawValue: $0)) }
    #expect(places[9] == places[10] && places[11] != nil && places[12] == nil)
    let tribe = view.taxa.ranks.mainRank(of: RankRow(rawValue: 6))
    #expect(tribe == nil)
    let unknown = view.taxa.ranks.row(of: TaxonRank(rawValue: "cohort"))
    #expect(unknown == nil)
  }

  /// A rank with a place counts by the nearest one above that has one; equal ones only where they are
  /// main ranks.
  @Test func warnsOfARankAboveTheNearestOneWithAPlace() throws {
    func warnings(_ ranks: [String]) throws -> Int {
      var taxonomy = TestTaxonomy()
      for (number, word) in ranks.enumerated() {
        taxonomy.taxa.append(
          TaxonRow(
            id: Int64(number), parentID: number == 0 ? nil : Int64(number - 1), rank: word,
            scientificName: "A\(number)"))
      }
      return try taxonomy.warnings().filter { $0.kind == .rankNotBelowParent }
        .reduce(0) { $0 + $1.count }
    }
    #expect(try warnings(["family", "tribe", "genus"]) == 0)
    #expect(try warnings(["genus", "no rank", "family"]) == 1)
    #expect(try warnings(["genus", "genus"]) == 1)
    #expect(try warnings(["tribe", "tribe"]) == 0)
    #expect(try warnings(["no rank", "clade", "no rank", "unheard of"]) == 0)
    #expect(try warnings(["superkingdom", "domain"]) == 1)
  }
}
