@testable import STOLPack
import TestSupport
import Testing

/// Searches for names that are longer than an automaton holds, as those of strains of viruses, against brute force.
struct LongNameTests {
  /// Names that begin alike and have long last words, or a letter that hundreds have behind these, and genera
  /// with long names and species of one letter.
  private static func taxonomy(_ generator: inout SeededGenerator) -> TestTaxonomy {
    func text(_ letters: String, _ lengths: ClosedRange<Int>) -> String {
      let count = Int.random(in: lengths, using: &generator)
      return String((0..<count).map { _ in letters.randomElement(using: &generator) ?? "a" })
    }
    var taxonomy = TestTaxonomy()
    func add(_ name: String, _ parent: Int64?) {
      taxonomy.taxa.append(
        TaxonRow(
          id: Int64(taxonomy.taxa.count + 1), parentID: parent, rank: "species",
          scientificName: name))
    }
    add("Influenza A virus", nil)
    for number in 0..<600 {
      let strain = "(A/\(text("abcd", 6...44))/\(text("12", 2...5))(H\(text("12", 1...2))N1))"
      switch number % 6 {
      case 0..<3: add("Influenza A virus \(strain)", 1)
      case 3: add("Influenza A virus \(strain) \(text("ab1", 1...1))", 1)
      case 4: add("Influenza A \(text("ab1", 1...1))", 1)
      default:
        add("\(text("ABCD", 1...1))\(text("abcd", 59...70))", 1)
        let genus = taxonomy.taxa[taxonomy.taxa.count - 1].scientificName
        add("\(genus) \(text("ab1", 1...1))", Int64(taxonomy.taxa.count))
      }
    }
    return taxonomy
  }

  /// One or two edits, most of them near the end or of a space.
  private static func misspelt(_ name: String, _ generator: inout SeededGenerator) -> String {
    var letters = Array(name.lowercased())
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let first = Bool.random(using: &generator) ? 0 : max(0, letters.count - 5)
      let index = Int.random(in: first..<letters.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: letters.insert(" ", at: index)
      case 1: letters.remove(at: index)
      case 2: if index > 0 { letters.swapAt(index - 1, index) }
      case 3: letters[index] = "b"
      default: if let space = letters.lastIndex(of: " ") { letters.remove(at: space) }
      }
    }
    return String(letters)
  }

  @Test(arguments: TestSeeds.first(4))
  func namesLongerThanAnAutomaton(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let taxonomy = Self.taxonomy(&generator)
    let long = taxonomy.taxa.map(\.scientificName).filter { $0.count > LetterMasks.maximumCount }
    let oracle = SearchOracle(taxonomy)
    let pack = try taxonomy.pack()
    let view = pack.view
    var session = SearchSession()
    for round in 0..<60 {
      let text = Self.misspelt(long.randomElement(using: &generator) ?? "", &generator)
      let query = SearchQuery(
        round % 3 == 0 ? "\"\(text)\"" : text, mode: .fuzzy, maximumDistance: 1 + round % 3,
        limit: [.max, 20, 1].randomElement(using: &generator) ?? 20)
      oracle.expect(query, in: view, &session, &mismatches)
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// A last word that very many names have, a space put before it, and a long word before that.
  @Test func aFrequentLastWord() throws {
    var taxonomy = TestTaxonomy()
    let name = "Virus of \(String(repeating: "abc", count: 22))"
    for text in [name + "x", name + " x"] + (0..<200).map({ "Other \($0) x" }) {
      taxonomy.taxa.append(
        TaxonRow(
          id: Int64(taxonomy.taxa.count + 1), parentID: nil, rank: "species", scientificName: text))
    }
    let pack = try taxonomy.pack()
    var session = SearchSession()
    session.search(SearchQuery("\"\(name)y\"", mode: .fuzzy), in: pack.view)
    #expect(session.hits.map { Int($0.distance) } == [1, 2])
  }
}
