import STOLPack
import TestSupport
import Testing

/// The ancestor of a majority, against a count over every taxon.
@Suite("Majority ancestor")
struct MajorityTests {
  /// Every forest of at most five taxa, with every set of weights of its taxa.
  @Test func isTheDeepestTaxonWithTheShareOnEverySmallForest() throws {
    var mismatches = Mismatches()
    for size in 1...5 {
      for parents in SmallForests.parents(size) {
        let pack = try Self.pack(parents)
        let view = pack.view
        for number in 0..<SmallForests.power(3, size) {
          // No weight, one, or two, which comes as two members.
          let weights = (0..<size).map { Double(number / SmallForests.power(3, $0) % 3) }
          for share in [0.51, 2.0 / 3, 0.75, 1] {
            Self.check(parents, weights, share, view, &mismatches)
          }
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil)
    #expect(mismatches.comparisonCount > 100_000)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func isTheDeepestTaxonWithTheShare(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let size = 60
    let parents = (0..<size).map { taxon in
      taxon == 0 || Int.random(in: 0..<20, using: &generator) == 0
        ? nil : Int.random(in: max(0, taxon - 5)..<taxon, using: &generator)
    }
    let pack = try Self.pack(parents)
    let view = pack.view
    for _ in 0..<500 {
      var weights = [Double](repeating: 0, count: size)
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        weights[Int.random(in: 0..<size, using: &generator)] +=
          Double(Int.random(in: 0...40, using: &generator)) / 8
      }
      let share = Double(Int.random(in: 51...100, using: &generator)) / 100
      Self.check(parents, weights, share, view, &mismatches)
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test func noWeightHasNoAncestor() throws {
    let pack = try Self.pack([nil, 0])
    let view = pack.view
    let none = view.tree.majorityAncestor(of: [], share: 0.9)
    let weightless = view.tree.majorityAncestor(of: [(TaxonOrdinal(rawValue: 0), 0)], share: 0.9)
    #expect(none == nil && weightless == nil)
  }

  private static func check(
    _ parents: [Int?], _ weights: [Double], _ share: Double, _ view: borrowing PackView,
    _ mismatches: inout Mismatches
  ) {
    func lineage(_ taxon: Int) -> [Int] { [taxon] + (parents[taxon].map(lineage) ?? []) }
    // Sums of eighths are exact; a share of them need not be.
    let total = weights.reduce(0, +)
    let heavy = parents.indices.filter { taxon in
      let weight = weights.indices.reduce(0) {
        lineage($1).contains(taxon) ? $0 + weights[$1] : $0
      }
      return total > 0 && weight > share * total - 1e-9
    }
    let expected = heavy.max { lineage($0).count < lineage($1).count }
    var members: [(taxon: TaxonOrdinal, weight: Double)] = []
    for (taxon, weight) in weights.enumerated() where weight > 0 {
      guard let ordinal = view.ids.taxon(TaxonID(rawValue: Int64(taxon))) else { continue }
      members.append((ordinal, weight / 2))
      members.insert((ordinal, weight / 2), at: 0)
    }
    let found = view.tree.majorityAncestor(of: members, share: share)
    mismatches.compare(
      found.map { view.ids[$0].rawValue }, expected.map { Int64($0) },
      "\(parents) \(weights) \(share)")
  }

  private static func pack(_ parents: [Int?]) throws -> Pack {
    var taxonomy = TestTaxonomy()
    for (taxon, parent) in parents.enumerated() {
      taxonomy.taxa.append(
        TaxonRow(
          id: Int64(taxon), parentID: parent.map { Int64($0) }, rank: "no rank",
          scientificName: "Taxon \(taxon)"))
    }
    return try taxonomy.pack()
  }
}
