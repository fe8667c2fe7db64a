import STOLPack
import TestSupport
import Testing

/// Searches with one limit beside the same with another.
struct SearchLimitTests {
  /// Few taxa with many names that are equal, or nearly so.
  private static func taxonomyOfEqualNames(_ generator: inout SeededGenerator) -> TestTaxonomy {
    var taxonomy = TestTaxonomy()
    let words = ["gepard", "gepart", "gepards", "leopard", "nandu", "nanda", "mandu"]
    for id in 1...Int64(Int.random(in: 3...24, using: &generator)) {
      let word = words.randomElement(using: &generator) ?? ""
      taxonomy.taxa.append(
        TaxonRow(
          id: id, parentID: nil, rank: Bool.random(using: &generator) ? "genus" : "species",
          scientificName: word.capitalisedFirst + (Bool.random(using: &generator) ? " \(id)" : "")))
      // More than the buffer of hits holds, which is cut to the limit when it is full.
      let count = [0, 0, 1, 3, 15, 16, 19, 63, 64, 90].randomElement(using: &generator) ?? 0
      let name = words.randomElement(using: &generator) ?? ""
      for number in 0..<count {
        taxonomy.names.append(
          NameRow(
            id: id * 100 + Int64(number), taxonID: id,
            name: Int.random(in: 0..<20, using: &generator) == 0 ? "\(name) \(number)" : name,
            language: "x-\(number)", type: number % 7 == 0 ? "synonym" : "common"))
      }
    }
    return taxonomy
  }

  /// What is found for a limit is the beginning of what is found for a greater one.
  @Test(arguments: TestSeeds.first(40))
  func aGreaterLimitOnlyAddsHits(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let oracle = SearchOracle(Self.taxonomyOfEqualNames(&generator))
    let pack = try oracle.taxonomy.pack()
    let view = pack.view
    var session = SearchSession()
    var mismatches = Mismatches()
    for text in ["gepard", "gepar", "nandu", "nand", "gepard 3", "leopard", "mandu"] {
      for words in [SearchQuery.Words.anyForm, .asTyped] {
        let all = view.search(SearchQuery(text, words: words, limit: .max))
        for limit in [1, 2, 3, 5, 10, 11, 20, 21, 50] {
          let query = SearchQuery(text, words: words, limit: limit)
          oracle.expect(query, in: view, &session, &mismatches)
          mismatches.compare(
            view.search(query), Array(all.prefix(limit)), "\(words) \(text) \(limit)")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }
}
