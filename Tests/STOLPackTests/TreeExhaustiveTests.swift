@testable import STOLPack
import Testing

/// Every small forest, and trees that fill blocks of 16 taxa to the brim.
struct TreeExhaustiveTests {
  /// All parent arrays of forests of `count` taxa in preorder; nil is a root.
  ///
  /// The parent of a taxon is the one before it or an ancestor of that, or there is none.
  private static func forests(_ count: Int) -> [[Int?]] {
    var result: [[Int?]] = [[]]
    for taxon in 0..<count {
      result = result.flatMap { parents in
        var choices: [Int?] = [nil]
        var next = taxon > 0 ? taxon - 1 : nil
        while let choice = next {
          choices.append(choice)
          next = parents[choice]
        }
        return choices.map { parents + [$0] }
      }
    }
    return result
  }

  @Test func everyForestOfUpToSevenTaxaAnswersRight() throws {
    var mismatches = Mismatches()
    var forestCount = 0
    for count in 1...7 {
      for parents in Self.forests(count) {
        forestCount += 1
        try Self.check(parents, &mismatches)
      }
    }
    let first = mismatches.first
    #expect(first == nil)
    // The numbers of Catalan: 1 + 2 + 5 + 14 + 42 + 132 + 429.
    #expect(forestCount == 625)
  }

  private static let sizes = [15, 16, 17, 31, 32, 33, 47, 48, 49, 255, 256, 257]

  @Test(arguments: sizes)
  func pathsAcrossBlocksAnswerRight(size: Int) throws {
    // The deepest path that a pack holds has 256 taxa; a longer one goes on from a second root.
    let parents: [Int?] = (0..<size).map { $0 % 256 == 0 ? nil : $0 - 1 }
    var mismatches = Mismatches()
    try Self.check(parents, &mismatches)
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test(arguments: sizes)
  func starsAcrossBlocksAnswerRight(size: Int) throws {
    var mismatches = Mismatches()
    try Self.check((0..<size).map { $0 == 0 ? nil : 0 }, &mismatches)
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test(arguments: sizes)
  func caterpillarsAcrossBlocksAnswerRight(size: Int) throws {
    var mismatches = Mismatches()
    // Each even taxon has a leaf, which comes first, and the next even taxon.
    try Self.check((0..<size).map { $0 == 0 ? nil : ($0 - 1) / 2 * 2 }, &mismatches)
    // The leaf comes last: down the whole spine, then back.
    let spine = (size + 1) / 2
    try Self.check(
      (0..<size).map { $0 == 0 ? nil : $0 < spine ? $0 - 1 : size - 1 - $0 }, &mismatches)
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test(arguments: sizes)
  func forestsOfRootsAloneTakeNoBits(size: Int) throws {
    var mismatches = Mismatches()
    let pack = try Self.check([Int?](repeating: nil, count: size), &mismatches)
    let first = mismatches.first
    #expect(first == nil)
    #expect(pack.directory[.parent].width == 0)
    #expect(pack.directory[.depth].width == 0)
  }

  @Test func aPathOf257TaxaIsTooDeep() throws {
    let taxonomy = Self.taxonomy((0..<257).map { $0 == 0 ? nil : $0 - 1 })
    #expect(throws: CompileError.row(table: "taxa", id: 256, reason: .tooDeep)) {
      try taxonomy.pack()
    }
  }

  /// Rows with the ids 0, 1, 2 and so on, named so that siblings keep their order.
  private static func taxonomy(_ parents: [Int?]) -> TestTaxonomy {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa = parents.enumerated().map { taxon, parent in
      TaxonRow(
        id: Int64(taxon), parentID: parent.map { Int64($0) }, rank: "species",
        scientificName: "Taxon \(1000 + taxon)")
    }
    return taxonomy
  }

  /// Asks everything of a forest whose preorder is known.
  ///
  /// Simple enough to be trusted: ancestors are lists made by following the array.
  @discardableResult
  private static func check(_ parents: [Int?], _ mismatches: inout Mismatches) throws -> Pack {
    let pack = try taxonomy(parents).pack()
    try pack.verify()
    let view = pack.view
    let tree = view.tree
    let taxa = parents.indices
    var lineages: [[Int]] = []
    for taxon in taxa { lineages.append([taxon] + (parents[taxon].map { lineages[$0] } ?? [])) }
    let what = "parents \(parents.map { $0 ?? -1 })"
    mismatches.compare(
      taxa.map { tree.parent(of: TaxonOrdinal($0))?.index }, parents, "parents of \(what)")
    mismatches.compare(
      taxa.map { tree.depth(of: TaxonOrdinal($0)) }, lineages.map { $0.count - 1 },
      "depths of \(what)")
    for a in taxa {
      let end = taxa.last { lineages[$0].contains(a) }.map { $0 + 1 }
      mismatches.compare(tree.end(of: TaxonOrdinal(a)).index, end, "end of \(a), \(what)")
      for b in taxa {
        let ancestor = lineages[a].first { lineages[b].contains($0) }
        mismatches.compare(
          tree.lowestCommonAncestor(TaxonOrdinal(a), TaxonOrdinal(b))?.index, ancestor,
          "LCA of \(a) and \(b), \(what)")
      }
    }
    var entries: [Int] = []
    for taxon in taxa where parents[taxon] == nil { appendTour(of: taxon, parents, to: &entries) }
    let tour = EulerTour(of: tree)
    var got: [Int] = []
    tour.forEach { got.append($0.index) }
    mismatches.compare(got, entries, "tour of \(what)")
    mismatches.compare(tour.count, entries.count, "length of the tour of \(what)")
    mismatches.compare(
      entries.indices.map { tour[$0].index }, entries, "entries of the tour of \(what)")
    mismatches.compare(
      taxa.map { tour.firstOccurrence(of: TaxonOrdinal($0)) },
      taxa.map { entries.firstIndex(of: $0) ?? -1 }, "first occurrences of \(what)")
    return pack
  }

  private static func appendTour(of taxon: Int, _ parents: [Int?], to entries: inout [Int]) {
    entries.append(taxon)
    for child in parents.indices where parents[child] == taxon {
      appendTour(of: child, parents, to: &entries)
      entries.append(taxon)
    }
  }
}
