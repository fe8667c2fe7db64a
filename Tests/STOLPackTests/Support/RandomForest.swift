import STOLPack
import TestSupport

/// Random rows: several roots, names that come twice, ranks left out, ids of all sizes.
enum RandomForest {
  private static let words = [
    "Aa", "Ab", "Aba", "Panthera", "Pan", "Gorilla", "Centropogon", "É", "Ébène", "Äa", "Лев",
    "獅子", "O'Brien", "d'Orbigny", "A_b", "A (b)", "A,b;c:d", "'", "''", "[x]", "a", "Zz", "A b",
    "X-y", "X.1", "猫'", "Aa aa",
  ]
  private static let epithets = ["aa", "ab", "b", "leo", "pan", "gorilla", "é", "x-y", "o'b"]

  /// A forest of `count` taxa, its rows shuffled.
  static func make(count: Int, _ generator: inout SeededGenerator) -> TestTaxonomy {
    var taxonomy = TestTaxonomy()
    let ids = randomIDs(count, &generator)
    let rootCount = Int.random(in: 1...4, using: &generator)
    // How far back a parent may lie: 1 makes paths, the count makes bushes.
    let reach = [1, 2, 5, 20, count].randomElement(using: &generator) ?? count
    var ranks: [Int] = []
    var depths: [Int] = []
    for index in 0..<count {
      var parent: Int?
      if index >= rootCount || (index > 0 && Bool.random(using: &generator)) {
        parent = Int.random(in: max(0, index - reach)..<index, using: &generator)
      }
      // No taxon has more than 255 ancestors.
      if let candidate = parent, depths[candidate] == 255 { parent = nil }
      depths.append(parent.map { depths[$0] + 1 } ?? 0)
      let above = parent.map { ranks[$0] } ?? -1
      ranks.append(min(7, above + Int.random(in: 1...3, using: &generator)))
      taxonomy.taxa.append(
        TaxonRow(
          id: ids[index], parentID: parent.map { ids[$0] },
          rank: MainRank.allCases[ranks[index]].name,
          scientificName: name(below: parent.map { taxonomy.taxa[$0] }, &generator)))
    }
    addTraits(&taxonomy, &generator)
    taxonomy.taxa.shuffle(using: &generator)
    return taxonomy
  }

  /// A size that is small as often as it is large.
  static func count(_ generator: inout SeededGenerator) -> Int {
    let most = [3, 10, 40, 150, 400].randomElement(using: &generator) ?? 40
    return Int.random(in: 1...most, using: &generator)
  }

  private static func name(below parent: TaxonRow?, _ generator: inout SeededGenerator) -> String {
    let word = words.randomElement(using: &generator) ?? "Aa"
    guard let parent, Int.random(in: 0..<3, using: &generator) > 0 else { return word }
    return "\(parent.scientificName.prefix(20)) \(epithets.randomElement(using: &generator) ?? "b")"
  }

  private static func randomIDs(_ count: Int, _ generator: inout SeededGenerator) -> [Int64] {
    var ids: Set<Int64> = []
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max, 1 << 32, -(1 << 32)]
    let kinds = Int.random(in: 1...4, using: &generator)
    while ids.count < count {
      switch Int.random(in: 0..<kinds, using: &generator) {
      case 0: ids.insert(Int64.random(in: 1...2000, using: &generator))
      case 1: ids.insert(Int64.random(in: -1000...1000, using: &generator))
      case 2: ids.insert(Int64.random(in: .min ... .max, using: &generator))
      default: ids.insert(edges.randomElement(using: &generator) ?? 0)
      }
      // Edges alone are too few.
      if kinds == 4 { ids.insert(Int64.random(in: -1_000_000...1_000_000, using: &generator)) }
    }
    return ids.sorted().shuffled(using: &generator).prefix(count).map { $0 }
  }

  private static func addTraits(
    _ taxonomy: inout TestTaxonomy, _ generator: inout SeededGenerator
  ) {
    for number in 0..<Int.random(in: 0...taxonomy.taxa.count * 3, using: &generator) {
      guard let taxon = taxonomy.taxa.randomElement(using: &generator) else { return }
      taxonomy.traits.append(
        TraitRow(
          id: Int64(number), taxonID: taxon.id,
          key: ["habitat", "diet", "mass"].randomElement(using: &generator) ?? "",
          value: ["a", "b", "forêt", ""].randomElement(using: &generator) ?? "",
          unit: [nil, "kg", "m"].randomElement(using: &generator) ?? nil))
    }
  }
}
