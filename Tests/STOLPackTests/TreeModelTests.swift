import STOLPack
import TestSupport
import Testing

/// Random forests against the rows that they were made from.
struct TreeModelTests {
  private static let seeds = TestSeeds.first(30)

  /// A forest, compiled, and what its rows say.
  private struct Model {
    let taxonomy: TestTaxonomy
    let oracle: ForestOracle
    let pack: Pack
    var generator: SeededGenerator

    init(seed: UInt64) throws {
      generator = SeededGenerator(seed: seed)
      taxonomy = RandomForest.make(count: RandomForest.count(&generator), &generator)
      oracle = ForestOracle(taxonomy)
      pack = try taxonomy.pack()
    }

    /// A few taxa, some of them perhaps twice.
    mutating func randomTaxa() -> [Int64] {
      let count = Int.random(in: 0...12, using: &generator)
      return (0..<count).compactMap { _ in oracle.ids.randomElement(using: &generator) }
    }
  }

  @Test(arguments: seeds)
  func navigationEqualsTheRows(seed: UInt64) throws {
    let model = try Model(seed: seed)
    let oracle = model.oracle
    let view = model.pack.view
    let tree = view.tree
    var mismatches = Mismatches()
    let ordinals = Array(tree.taxa)
    mismatches.compare(ordinals.map { view.ids[$0].rawValue }, oracle.ids, "ids in preorder")
    mismatches.compare(oracle.ids(tree.roots), oracle.roots, "roots")
    for (taxon, id) in zip(ordinals, oracle.ids) {
      let lineage = oracle.lineage(id)
      let children = oracle.children[id] ?? []
      let parent = tree.parent(of: taxon)
      mismatches.compare(parent.map { oracle.ids[$0.index] }, oracle.parents[id], "parent of \(id)")
      mismatches.compare(tree.depth(of: taxon), lineage.count - 1, "depth of \(id)")
      let ancestors = oracle.ids(tree.ancestors(of: taxon))
      mismatches.compare(ancestors, lineage.dropFirst().reversed(), "ancestors of \(id)")
      mismatches.compare(oracle.ids(tree.children(of: taxon)), children, "children of \(id)")
      mismatches.compare(tree.isLeaf(taxon), children.isEmpty, "leaf \(id)")
      let firstChild = tree.firstChild(of: taxon).map { oracle.ids[$0.index] }
      mismatches.compare(firstChild, children.first, "first child of \(id)")
      let below = Set(oracle.ids.filter { oracle.lineage($0).contains(id) })
      let subtree = tree.subtree(of: taxon)
      mismatches.compare(Set(subtree.map { oracle.ids[$0.index] }), below, "subtree of \(id)")
      mismatches.compare(tree.end(of: taxon), subtree.upperBound, "end of \(id)")
      let siblings = oracle.parents[id].map { oracle.children[$0] ?? [] } ?? oracle.roots
      let next = siblings.drop { $0 != id }.dropFirst().first
      let nextSibling = tree.nextSibling(of: taxon).map { oracle.ids[$0.index] }
      mismatches.compare(nextSibling, next, "next sibling of \(id)")
      for (other, otherID) in zip(ordinals, oracle.ids) {
        mismatches.compare(
          tree.isAncestor(other, of: taxon), lineage.contains(otherID), "\(otherID) above \(id)")
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func columnsEqualTheRows(seed: UInt64) throws {
    let model = try Model(seed: seed)
    let view = model.pack.view
    var mismatches = Mismatches()
    for row in model.taxonomy.taxa {
      let taxon = view.taxon(model.oracle.ordinal(row.id))
      mismatches.compare(taxon.id.rawValue, row.id, "id")
      mismatches.compare(taxon.parentID?.rawValue, row.parentID, "parent of \(row.id)")
      mismatches.compare(taxon.rank.rawValue, row.rank, "rank of \(row.id)")
      mismatches.compare(
        Array(taxon.scientificName.utf8), Array(row.scientificName.utf8), "name of \(row.id)")
      let traits = view.traitList(of: model.oracle.ordinal(row.id))
      let expected = Self.traits(of: row.id, model.taxonomy)
      mismatches.compare(Set(traits.map(Self.parts)), expected, "traits of \(row.id)")
      mismatches.compare(traits.count, expected.count, "number of traits of \(row.id)")
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
    try model.pack.verify()
  }

  @Test(arguments: seeds)
  func commonAncestorsEqualTheRows(seed: UInt64) throws {
    var model = try Model(seed: seed)
    let oracle = model.oracle
    let sets = (0..<100).map { _ in model.randomTaxa() }
    let view = model.pack.view
    let tree = view.tree
    var mismatches = Mismatches()
    let expected = oracle.commonAncestors()
    let depths = oracle.ids.map { oracle.lineage($0).count - 1 }
    for a in oracle.ids.indices {
      for b in oracle.ids.indices {
        let (one, other) = (TaxonOrdinal(rawValue: UInt32(a)), TaxonOrdinal(rawValue: UInt32(b)))
        let ancestor = expected[a][b]
        let got = tree.lowestCommonAncestor(one, other)?.index ?? -1
        mismatches.compare(got, ancestor, "LCA of \(a) and \(b)")
        let walked = tree.lowestCommonAncestorByWalking(one, other)?.index ?? -1
        mismatches.compare(walked, ancestor, "LCA by walking from \(a) and \(b)")
        mismatches.compare(
          tree.distance(one, other),
          ancestor < 0 ? nil : depths[a] + depths[b] - 2 * depths[ancestor], "\(a) to \(b)")
      }
    }
    for ids in sets {
      // The ancestors that all share; the one with the longest lineage is the lowest.
      let shared = ids.map { Set(oracle.lineage($0)) }.reduce(Set(oracle.ids)) {
        $0.intersection($1)
      }
      let lowest =
        ids.isEmpty ? nil : shared.max { oracle.lineage($0).count < oracle.lineage($1).count }
      let got = tree.lowestCommonAncestor(ids.map { oracle.ordinal($0) })
      mismatches.compare(got.map { oracle.ids[$0.index] }, lowest, "LCA of \(ids)")
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func inducedSubtreesHoldTheTaxaAndTheirCommonAncestors(seed: UInt64) throws {
    var model = try Model(seed: seed)
    let oracle = model.oracle
    let sets = (0..<100).map { _ in model.randomTaxa() }
    let view = model.pack.view
    var mismatches = Mismatches()
    let ancestors = oracle.commonAncestors()
    for ids in sets {
      let requested = Set(ids.map { oracle.ordinal($0).index })
      var included = requested
      for a in requested {
        for b in requested where ancestors[a][b] >= 0 { included.insert(ancestors[a][b]) }
      }
      let nodes = included.sorted()
      let expected = nodes.map { node in
        let above = oracle.lineage(oracle.ids[node]).dropFirst().first { id in
          included.contains(oracle.ordinal(id).index)
        }
        return InducedNode(
          taxon: node, parent: above.flatMap { nodes.firstIndex(of: oracle.ordinal($0).index) },
          isRequested: requested.contains(node))
      }
      let got = view.tree.inducedSubtree(ids.map { oracle.ordinal($0) }).nodes.map {
        InducedNode(taxon: $0.taxon.index, parent: $0.parent, isRequested: $0.isRequested)
      }
      mismatches.compare(got, expected, "subtree of \(ids)")
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  private struct InducedNode: Equatable {
    var taxon: Int
    var parent: Int?
    var isRequested: Bool
  }

  @Test(arguments: seeds)
  func eulerTourEqualsARecursiveWalk(seed: UInt64) throws {
    let model = try Model(seed: seed)
    let oracle = model.oracle
    let view = model.pack.view
    var expected: [Int64] = []
    for root in oracle.roots { Self.tour(root, oracle, &expected) }
    let tour = EulerTour(of: view.tree)
    var mismatches = Mismatches()
    mismatches.compare(tour.count, expected.count, "length")
    var walked: [Int64] = []
    tour.forEach { walked.append(oracle.ids[$0.index]) }
    mismatches.compare(walked, expected, "entries")
    for (position, id) in expected.enumerated() {
      mismatches.compare(oracle.ids[tour[position].index], id, "entry \(position)")
    }
    for id in oracle.ids {
      mismatches.compare(
        tour.firstOccurrence(of: oracle.ordinal(id)), expected.firstIndex(of: id), "first \(id)")
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// A taxon, then for each child its tour and the taxon again.
  ///
  /// Simple enough to be trusted: it is the definition.
  private static func tour(_ id: Int64, _ oracle: ForestOracle, _ result: inout [Int64]) {
    result.append(id)
    for child in oracle.children[id] ?? [] {
      tour(child, oracle, &result)
      result.append(id)
    }
  }

  /// All taxa of the rank that share an ancestor, sorted: nothing is searched for.
  @Test(arguments: seeds)
  func relativesEqualBruteForce(seed: UInt64) throws {
    let model = try Model(seed: seed)
    let oracle = model.oracle
    let view = model.pack.view
    let ancestors = oracle.commonAncestors()
    let places = oracle.placesByName()
    let depths = oracle.ids.map { oracle.lineage($0).count - 1 }
    let ranks = oracle.ids.map { oracle.rows[$0]?.rank }
    var mismatches = Mismatches()
    for taxon in oracle.ids.indices {
      let all = oracle.ids.indices.filter {
        $0 != taxon && ranks[$0] == ranks[taxon] && ancestors[taxon][$0] >= 0
      }
      let sorted = all.map { other in
        let ancestor = ancestors[taxon][other]
        let distance = depths[taxon] + depths[other] - 2 * depths[ancestor]
        return [-depths[ancestor], distance, places[other], other, ancestor]
      }.sorted { $0.lexicographicallyPrecedes($1) }
      // All with one common ancestor and one distance are a tie.
      let ties = Dictionary(grouping: sorted) { [$0[4], $0[1]] }.mapValues { $0.count }
      for limit in [0, 1, 3, 10, 100] {
        let got = view.relatives(of: TaxonOrdinal(rawValue: UInt32(taxon)), limit: limit).map {
          [
            $0.distance, places[$0.taxon.index], $0.taxon.index, $0.commonAncestor.index,
            $0.tieCount ?? -1,
          ]
        }
        let expected = sorted.prefix(limit).map {
          Array($0.dropFirst()) + [ties[[$0[4], $0[1]]] ?? 0]
        }
        mismatches.compare(got, expected, "\(limit) relatives of \(taxon)")
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func comparisonsEqualTheRows(seed: UInt64) throws {
    var model = try Model(seed: seed)
    let oracle = model.oracle
    let pairs = (0..<300).map { _ in
      (
        oracle.ids.randomElement(using: &model.generator) ?? 0,
        oracle.ids.randomElement(using: &model.generator) ?? 0
      )
    }
    let view = model.pack.view
    var mismatches = Mismatches()
    for (a, b) in pairs {
      let got = view.compare(oracle.ordinal(a), oracle.ordinal(b))
      let ancestor = oracle.lineage(a).first { oracle.lineage(b).contains($0) }
      let paths = [a, b].map { id in
        let lineage = oracle.lineage(id)
        return ancestor.map { Array(lineage.prefix { $0 != ancestor }) + [$0] } ?? lineage
      }
      let gotAncestor = got.commonAncestor.map { oracle.ids[$0.index] }
      mismatches.compare(gotAncestor, ancestor, "\(a) and \(b)")
      mismatches.compare(oracle.ids(got.pathFromA), paths[0], "path from \(a) to \(b)")
      mismatches.compare(oracle.ids(got.pathFromB), paths[1], "path from \(b) to \(a)")
      // Every taxon has a main rank here.
      let distance = ancestor == nil ? nil : paths[0].count + paths[1].count - 2
      mismatches.compare(got.distance, distance, "distance of \(a) and \(b)")
      let traitsA = Self.traits(of: a, model.taxonomy)
      let traitsB = Self.traits(of: b, model.taxonomy)
      let shared = traitsA.intersection(traitsB)
      let all = traitsA.union(traitsB).count
      mismatches.compare(
        got.traitSimilarity, all == 0 ? nil : Double(shared.count) / Double(all),
        "similarity of \(a) and \(b)")
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// A trait as a list of its key, value and unit.
  private static func parts(_ trait: STOLPack.Trait) -> [String?] {
    [trait.key, trait.value, trait.unit]
  }

  private static func traits(of id: Int64, _ taxonomy: TestTaxonomy) -> Set<[String?]> {
    Set(taxonomy.traits.filter { $0.taxonID == id }.map { [$0.key, $0.value, $0.unit] })
  }

  @Test(arguments: seeds)
  func newickParsesBackToTheTree(seed: UInt64) throws {
    var model = try Model(seed: seed)
    let oracle = model.oracle
    let excluded = Set(
      oracle.ids.filter { _ in Int.random(in: 0..<8, using: &model.generator) == 0 })
    let sets = (0..<20).map { _ in model.randomTaxa() }
    let view = model.pack.view
    var mismatches = Mismatches()
    for id in oracle.ids {
      let text = view.newick(of: oracle.ordinal(id)) { _ in true }
      mismatches.compare(
        NewickTree.parse(text), Self.tree(id, oracle, excluded: []).map { [$0] } ?? [], text)
      let filtered = view.newick(of: oracle.ordinal(id)) {
        !excluded.contains(oracle.ids[$0.index])
      }
      // A tree of no taxa is an empty label.
      mismatches.compare(
        NewickTree.parse(filtered),
        [Self.tree(id, oracle, excluded: excluded) ?? NewickTree(label: "", children: [])],
        filtered)
    }
    for ids in sets {
      let induced = view.tree.inducedSubtree(ids.map { oracle.ordinal($0) })
      let text = view.newick(of: induced)
      let roots = induced.nodes.indices.filter { induced.nodes[$0].parent == nil }
      mismatches.compare(
        NewickTree.parse(text), roots.map { Self.tree($0, induced, oracle) }, text)
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  private static func tree(
    _ id: Int64, _ oracle: ForestOracle, excluded: Set<Int64>
  ) -> NewickTree? {
    guard !excluded.contains(id) else { return nil }
    let children = (oracle.children[id] ?? []).compactMap { tree($0, oracle, excluded: excluded) }
    return NewickTree(label: oracle.name(id), children: children)
  }

  private static func tree(
    _ node: Int, _ induced: InducedSubtree, _ oracle: ForestOracle
  ) -> NewickTree {
    let children = induced.nodes.indices.filter { induced.nodes[$0].parent == node }
    let id = oracle.ids[induced.nodes[node].taxon.index]
    return NewickTree(label: oracle.name(id), children: children.map { tree($0, induced, oracle) })
  }

  /// Labels by id, and nodes with a single child left out, but for those that were asked for.
  @Test(arguments: seeds)
  func newickOfIDsAndOfCollapsedTreesParsesBack(seed: UInt64) throws {
    var model = try Model(seed: seed)
    let oracle = model.oracle
    let sets = (0..<20).map { _ in model.randomTaxa() }
    let view = model.pack.view
    var mismatches = Mismatches()
    func collapsed(_ tree: NewickTree, keeping names: Set<String>) -> NewickTree {
      let children = tree.children.map { collapsed($0, keeping: names) }
      if children.count == 1, !names.contains(tree.label) { return children[0] }
      return NewickTree(label: tree.label, children: children)
    }
    for id in oracle.ids {
      let ids = view.newick(of: oracle.ordinal(id), labels: .id) { _ in true }
      mismatches.compare(
        NewickTree.parse(ids), Self.idTree(id, oracle).map { [$0] } ?? [], ids)
      let text = view.newick(of: oracle.ordinal(id), labels: .id, collapses: true) { _ in true }
      let expected = Self.idTree(id, oracle).map { [collapsed($0, keeping: ["\(id)"])] } ?? []
      mismatches.compare(NewickTree.parse(text), expected, text)
    }
    for ids in sets {
      let induced = view.tree.inducedSubtree(ids.map { oracle.ordinal($0) })
      let whole = try #require(NewickTree.parse(view.newick(of: induced, labels: .id)))
      let text = view.newick(of: induced, labels: .id, collapses: true)
      let kept = Set(ids.map { "\($0)" })
      mismatches.compare(
        NewickTree.parse(text), whole.map { collapsed($0, keeping: kept) }, text)
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  private static func idTree(_ id: Int64, _ oracle: ForestOracle) -> NewickTree? {
    let children = (oracle.children[id] ?? []).compactMap { idTree($0, oracle) }
    return NewickTree(label: "\(id)", children: children)
  }

  /// Quotes are doubled whatever follows them, a combining mark too.
  @Test func newickDoublesAQuoteBeforeACombiningMark() throws {
    var taxonomy = TestTaxonomy()
    let name = "A '\u{301}b'"
    taxonomy.taxa = [TaxonRow(id: 1, parentID: nil, rank: "species", scientificName: name)]
    let pack = try taxonomy.pack()
    let view = pack.view
    let text = view.newick(of: TaxonOrdinal(rawValue: 0)) { _ in true }
    #expect(NewickTree.parse(text) == [NewickTree(label: name, children: [])], "\(text)")
  }

  @Test(arguments: seeds)
  func idsResolveToWhatTheyStandFor(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var taxonomy = RandomForest.make(count: RandomForest.count(&generator), &generator)
    let oracle = ForestOracle(taxonomy)
    // A fifth of the ids that are free become synonyms, merged or deleted.
    var free: Set<Int64> = [.min, .max, 0, -1, 1]
    for id in oracle.ids { free.formUnion([id &+ 1, id &- 1, id ^ .min, id &* 3]) }
    for _ in 0..<20 { free.insert(Int64.random(in: .min ... .max, using: &generator)) }
    free.subtract(oracle.ids)
    // What an id leads to; for a synonym, to its taxon by way of its name.
    var expected: [Int64: TaxonResolution] = [:]
    var synonyms: Set<Int64> = []
    for id in oracle.ids { expected[id] = .found(oracle.ordinal(id)) }
    var merged: [(id: Int64, into: Int64)] = []
    var deleted: [Int64] = []
    for id in free.sorted() {
      let target = oracle.ids.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        // A synonym of a synonym leads on; the row of the target comes first or last.
        let others = taxonomy.taxa.filter { $0.status == "synonym" }.map(\.id)
        let parent = others.randomElement(using: &generator) ?? target
        taxonomy.taxa.append(
          TaxonRow(
            id: id, parentID: parent, rank: "species", scientificName: "Syn \(id)",
            status: "synonym"))
        expected[id] = expected[parent].map { Self.merged($0) }
        synonyms.insert(id)
      case 1:
        merged.append((id, target))
        if Bool.random(using: &generator) { deleted.append(id) }
        expected[id] = .merged(oracle.ordinal(target))
      case 2:
        deleted.append(id)
        expected[id] = .deleted
      default: expected[id] = .notFound
      }
    }
    // What is said of living ids does not count.
    merged += oracle.ids.prefix(3).map { ($0, oracle.ids[0]) }
    deleted += oracle.ids.prefix(3)
    taxonomy.taxa.shuffle(using: &generator)
    merged.shuffle(using: &generator)
    deleted.shuffle(using: &generator)
    let bytes = try taxonomy.packBytes(merged: merged, deleted: deleted)
    let pack = try Pack(PackBytes(copying: bytes))
    let view = pack.view
    var mismatches = Mismatches()
    for (id, resolution) in expected {
      let got = view.ids.resolve(TaxonID(rawValue: id))
      if synonyms.contains(id) {
        mismatches.compare(got.taxon, resolution.taxon, "synonym \(id)")
        mismatches.compare(got.name.map { view.names.text(of: $0) }, "Syn \(id)", "its name")
      } else {
        mismatches.compare(got, resolution, "id \(id)")
      }
      mismatches.compare(view.ids.resolve(sourceID: String(id)), got, "text \(id)")
      mismatches.compare(view.ids.resolve(sourceID: "0\(id)"), .notFound, "text 0\(id)")
      mismatches.compare(view.ids.resolve(sourceID: "+\(id)"), .notFound, "text +\(id)")
      let isCurrent = oracle.positions[id] != nil
      mismatches.compare(view.ids.taxon(TaxonID(rawValue: id)) != nil, isCurrent, "taxon \(id)")
    }
    let ids = Array(expected.keys) + [.min, .max, 0]
    var together = [UInt32](repeating: 7, count: ids.count)
    var found = together.mutableSpan
    view.ids.taxa(ids.span, into: &found)
    for (id, taxon) in zip(ids, together) {
      let alone = view.ids.taxon(TaxonID(rawValue: id))
      mismatches.compare(taxon, alone?.rawValue ?? .max, "taxon \(id) of many")
    }
    let mergedIDs = expected.keys.filter { id in
      if case .merged = expected[id] { true } else { false }
    }.sorted()
    let deletedIDs = expected.keys.filter { expected[$0] == .deleted }.sorted()
    mismatches.compare(view.ids.mergedPairs.map(\.0.rawValue), mergedIDs, "merged ids")
    mismatches.compare(view.ids.deletedIDs.map(\.rawValue), deletedIDs, "deleted ids")
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
    try pack.verify()
  }

  private static func merged(_ resolution: TaxonResolution) -> TaxonResolution {
    switch resolution {
    case .found(let taxon), .merged(let taxon): .merged(taxon)
    default: .notFound
    }
  }
}
