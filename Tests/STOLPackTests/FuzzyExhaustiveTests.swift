import STOLPack
import TestSupport
import Testing

/// Every short text over a small alphabet, asked of small taxonomies over the same alphabet.
struct FuzzyExhaustiveTests {
  /// Letters of one, two and three or four bytes, and the space.
  static let alphabets: [[Unicode.Scalar]] = [
    ["a", "b", "c", " "], ["a", "л", "獅", " "], ["🦁", "ह", "b", " "],
  ]

  private static let distances: [Int?] = [nil, 0, 1, 2, 3]

  /// One to three random words of one to `length` letters.
  private static func name(
    _ letters: [Unicode.Scalar], upTo length: Int, _ generator: inout SeededGenerator
  ) -> String {
    let words = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      word(letters, upTo: length, &generator)
    }
    return words.joined(separator: " ")
  }

  private static func word(
    _ letters: [Unicode.Scalar], upTo length: Int, _ generator: inout SeededGenerator
  ) -> String {
    var result = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 1...length, using: &generator) {
      result.append(letters.dropLast().randomElement(using: &generator) ?? "a")
    }
    return String(result)
  }

  /// Genera with species that take their first word from them, and names of other kinds.
  private static func taxonomy(
    _ letters: [Unicode.Scalar], _ generator: inout SeededGenerator
  ) -> TestTaxonomy {
    let length = Int.random(in: 2...6, using: &generator)
    var taxonomy = TestTaxonomy()
    var id: Int64 = 0
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      let genus = word(letters, upTo: length, &generator).capitalisedFirst
      id += 1
      let genusID = id
      taxonomy.taxa.append(
        TaxonRow(id: genusID, parentID: nil, rank: "genus", scientificName: genus))
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        id += 1
        let isBinomial = Int.random(in: 0..<5, using: &generator) > 0
        taxonomy.taxa.append(
          TaxonRow(
            id: id, parentID: genusID, rank: "species",
            scientificName: isBinomial
              ? genus + " " + word(letters, upTo: length, &generator)
              : name(letters, upTo: length, &generator),
            status: Bool.random(using: &generator) ? "accepted" : "doubtful"))
      }
    }
    let count = id
    for number in 0..<Int64.random(in: 0...20, using: &generator) {
      let text = name(letters, upTo: length, &generator)
      let taxon = Int64.random(in: 1...count, using: &generator)
      if Bool.random(using: &generator) {
        taxonomy.names.append(
          NameRow(
            id: number, taxonID: taxon, name: text, language: "en", type: "common",
            isPreferred: Bool.random(using: &generator)))
      } else {
        taxonomy.taxa.append(
          TaxonRow(
            id: 1000 + number, parentID: taxon, rank: "species", scientificName: text,
            status: "synonym"))
      }
    }
    return taxonomy
  }

  private static func expectAll(
    _ texts: [String], of taxonomy: TestTaxonomy, _ mismatches: inout Mismatches
  ) throws {
    let oracle = SearchOracle(taxonomy)
    let pack = try taxonomy.pack()
    let view = pack.view
    var session = SearchSession()
    for text in texts {
      for mode in [SearchQuery.Mode.fuzzy, .auto] {
        for distance in distances {
          let query = SearchQuery(
            text, mode: mode, maximumDistance: distance,
            words: text.utf8.count % 2 == 0 ? .anyForm : .asTyped, limit: .max)
          oracle.expect(query, in: view, &session, &mismatches)
        }
      }
    }
  }

  @Test(arguments: TestSeeds.first(Sweep.count(few: 8, full: 240)), alphabets)
  func everyTextUpToFourLetters(seed: UInt64, letters: [Unicode.Scalar]) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    try Self.expectAll(
      Misspelling.allTexts(of: letters, upTo: 4), of: Self.taxonomy(letters, &generator),
      &mismatches)
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  @Test(arguments: TestSeeds.first(8))
  func everyTextUpToSixLettersOfTwo(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let letters: [Unicode.Scalar] = ["a", "b", " "]
    var mismatches = Mismatches()
    try Self.expectAll(
      Misspelling.allTexts(of: letters, upTo: 6), of: Self.taxonomy(letters, &generator),
      &mismatches)
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// Every text up to four letters is also a name: as a taxon, or below the genus that begins it.
  @Test(arguments: [false, true])
  func everyNameUpToFourLetters(isBelowGenus: Bool) throws {
    let letters: [Unicode.Scalar] = ["a", "b", " "]
    let texts = Misspelling.allTexts(of: letters, upTo: 4)
    let names = Set(texts.map { $0.split(separator: " ").joined(separator: " ") })
    var taxonomy = TestTaxonomy()
    var genera: [String: Int64] = [:]
    for name in names.sorted() where !name.isEmpty {
      let id = Int64(taxonomy.taxa.count)
      let words = name.split(separator: " ").map(String.init)
      if words.count == 1 { genera[name] = id }
      taxonomy.taxa.append(
        TaxonRow(
          id: id, parentID: isBelowGenus && words.count == 2 ? genera[words[0]] : nil,
          rank: words.count == 1 ? "genus" : "species", scientificName: name.capitalisedFirst))
    }
    var mismatches = Mismatches()
    try Self.expectAll(texts, of: taxonomy, &mismatches)
    let first = mismatches.first
    #expect(first == nil)
  }
}
