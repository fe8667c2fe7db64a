@testable import STOLPack
import TestSupport
import Testing

/// Searches in packs in which tens of thousands of names hold one word, against brute force.
struct FrequentWordTests {
  /// A genus with thousands of species, of which some have no epithet, and thousands of names that
  /// begin with one word without being its children.
  private static func taxonomy(_ generator: inout SeededGenerator) -> TestTaxonomy {
    func text(_ letters: String, _ lengths: ClosedRange<Int>) -> String {
      let count = Int.random(in: lengths, using: &generator)
      return String((0..<count).map { _ in letters.randomElement(using: &generator) ?? "a" })
    }
    var taxonomy = TestTaxonomy()
    func add(_ name: String, _ parent: Int64?, _ rank: String = "species") {
      taxonomy.taxa.append(
        TaxonRow(
          id: Int64(taxonomy.taxa.count + 1), parentID: parent, rank: rank, scientificName: name))
    }
    add("Lepidopterae", nil, "genus")
    add("unclassified Lepidopterae", 1, "genus")
    add("Sp", nil, "genus")
    for number in 0..<24_000 {
      switch number % 12 {
      case 0..<5: add("Lepidopterae sp. \(text("ABCDE", 2...4))-\(text("123", 2...6))", 2)
      case 5..<8: add("Lepidopterae \(text("aeiomnrst", 5...9))", 1)
      case 8..<11: add("uncultured \(text("Eiomnrst", 7...9)) \(text("abc", 1...3))", nil)
      default: add("\(text("KLMaeio", 5...8)) \(text("sp. ", 3...3))", nil)
      }
    }
    for number in 0..<400 {
      taxonomy.names.append(
        NameRow(
          id: Int64(number + 1), taxonID: Int64(number * 7 + 4),
          name: "uncultured \(text("Eiomnrst", 7...9))", language: "la", type: "synonym"))
    }
    return taxonomy
  }

  /// Two edits anywhere, or one that moves a space and another.
  private static func misspelt(
    _ name: String, _ round: Int, _ generator: inout SeededGenerator
  ) -> String {
    var letters = Array(name.lowercased())
    func edit() {
      let index = Int.random(in: 0..<letters.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: letters.insert("e", at: index)
      case 1: letters.remove(at: index)
      default: if index > 0 { letters.swapAt(index - 1, index) }
      }
    }
    let spaces = letters.indices.filter { letters[$0] == " " && $0 + 1 < letters.count }
    if round % 3 == 0, let space = spaces.randomElement(using: &generator) {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: letters.remove(at: space)
      case 1: letters.swapAt(space, space + 1)
      default: letters.swapAt(space - 1, space)
      }
    } else {
      edit()
    }
    if round % 4 > 0 { edit() }
    return String(letters)
  }

  @Test(arguments: TestSeeds.first(2))
  func restsOfNamesWithAWordThatVeryManyHave(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let taxonomy = Self.taxonomy(&generator)
    let oracle = SearchOracle(taxonomy)
    let pack = try taxonomy.pack()
    let view = pack.view
    var session = SearchSession()
    for round in 0..<16 {
      let name = taxonomy.taxa.randomElement(using: &generator)?.scientificName ?? ""
      var text = Self.misspelt(name, round, &generator)
      for mode in [SearchQuery.Mode.fuzzy, .auto] {
        if mode == .auto { text = String(text.prefix(text.count - round % 4)) }
        let query = SearchQuery(
          text, mode: mode, maximumDistance: 1 + round / 2 % 2,
          words: Bool.random(using: &generator) ? .anyForm : .asTyped,
          limit: [.max, 20, 3, 1].randomElement(using: &generator) ?? 20)
        oracle.expect(query, in: view, &session, &mismatches)
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// A set of blocks has every name of a list, and few others where these lie together.
  @Test func blocksHoldTheNamesOfAList() throws {
    var generator = SeededGenerator(seed: 5)
    var mismatches = Mismatches()
    let pack = try Self.taxonomy(&generator).pack()
    let view = pack.view
    var blocks = NameBlocks()
    for word in 0..<view.names.vocabulary.count where word % 31 == 0 || word < 20 {
      let rows = view.postings.rows(of: word..<word + 1)
      for nameCount in [view.names.count, 40_000_000] {
        blocks.removeAll(nameCount: nameCount)
        blocks.insert(rows, view)
        mismatches.require(
          rows.allSatisfy { blocks.mayContain(view.postings[$0]) },
          "word \(word) of \(nameCount) names")
      }
      blocks.removeAll(nameCount: view.names.count)
      mismatches.require(
        !rows.contains { blocks.mayContain(view.postings[$0]) }, "emptied, word \(word)")
    }
    blocks.removeAll(nameCount: view.names.count)
    blocks.insert(TaxonOrdinal(rawValue: 100)..<TaxonOrdinal(rawValue: 300))
    let held = (0..<view.names.count).filter { blocks.mayContain(NameOrdinal($0)) }
    #expect(held == Array(100..<300))
    let first = mismatches.first
    #expect(first == nil)
  }
}
