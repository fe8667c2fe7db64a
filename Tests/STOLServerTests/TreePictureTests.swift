import STOLPack
import TestSupport
import Testing

@testable import STOLServer

@Suite struct TreePictureTests {
  /// A random forest with its pack, and a few of its taxa.
  private static func forest(
    _ seed: UInt64, picking count: Int
  ) throws -> (pack: Pack, taxa: [TaxonOrdinal]) {
    var generator = SeededGenerator(seed: seed)
    let size = Int.random(in: max(count, 5)...400, using: &generator)
    let rows = Rows.random(count: size, reach: seed % 2 == 0 ? 8 : size, &generator)
    let taxa = (0..<size).shuffled(using: &generator).prefix(count)
    return (try rows.pack(), taxa.map { TaxonOrdinal(rawValue: UInt32($0)) })
  }

  /// Expects labels that lie within the picture, none on top of another, and a file that is XML.
  private func check(_ picture: Picture, _ what: Comment) {
    let whole = Box(x: 0, y: 0, width: picture.width, height: picture.height)
    let boxes = picture.marks.flatMap(\.labels).map(\.box)
    #expect(boxes.allSatisfy { whole.contains($0) }, what)
    for (index, box) in boxes.enumerated() {
      #expect(!boxes[(index + 1)...].contains { $0.intersects(box) }, what)
    }
    #expect(XMLElements.read(picture.document) != nil, what)
  }

  @Test func comparesTwoToEightTaxa() throws {
    for seed in 0..<42 as Range<UInt64> {
      let count = 2 + Int(seed % 7)
      let (pack, taxa) = try Self.forest(seed, picking: count)
      let view = pack.view
      let tree = ComparisonTree(of: taxa, in: view, LanguagePreference("en", in: view.names))
      #expect(tree.commonAncestor?.taxon == view.tree.lowestCommonAncestor(taxa))
      #expect(tree.compared.map(\.taxon) == taxa.sorted())
      for node in tree.nodes {
        let parent = node.parent.map { tree.nodes[$0].label.taxon }
        let isFirst = node.label.taxon == tree.commonAncestor?.taxon
        #expect(parent == (isFirst ? nil : view.tree.parent(of: node.label.taxon)))
      }
      for format in PictureFormat.allCases {
        let picture = tree.picture(format)
        check(picture, "seed \(seed)")
        #expect(picture.title.contains(" and "))
      }
      let list = String(decoding: tree.list.bytes, as: UTF8.self)
      #expect(list.count(of: "<li>") == tree.trunk.count + tree.nodes.count)
    }
  }

  @Test func comparesATaxonWithItsAncestorAndWithItself() throws {
    var rows = Rows()
    let root = rows.add("Mammalia", "class", "mammals")
    let genus = rows.add("Panthera", "genus", below: root)
    rows.add("Panthera leo", "species", below: genus, "lion")
    rows.add("Bacteria", "domain")
    let pack = try rows.pack()
    let view = pack.view
    let english = LanguagePreference("en", in: view.names)
    func tree(_ ids: Int64...) -> ComparisonTree {
      ComparisonTree(
        of: ids.compactMap { view.ids.taxon(TaxonID(rawValue: $0)) }, in: view, english)
    }
    #expect(tree(1, 3).commonAncestor?.scientificName == "Mammalia")
    #expect(tree(3, 3).compared.count == 1)
    #expect(tree(3, 4).commonAncestor == nil)
    #expect(tree(3, 4).picture(.wide).description.contains("no common ancestor"))
    #expect(tree().nodes.isEmpty)
    for format in PictureFormat.allCases {
      for tree in [tree(1, 3), tree(3, 3), tree(3, 4), tree(2), tree()] {
        check(tree.picture(format), "a small tree")
      }
    }
  }

  @Test func showsEveryAncestorOfALineage() throws {
    for seed in 0..<20 as Range<UInt64> {
      let (pack, taxa) = try Self.forest(seed, picking: 3)
      let view = pack.view
      for taxon in taxa {
        let path = LineagePath(to: taxon, in: view, LanguagePreference("en", in: view.names))
        #expect(path.stops.map(\.taxon) == view.tree.ancestors(of: taxon) + [taxon])
        for format in PictureFormat.allCases { check(path.picture(format), "seed \(seed)") }
        let list = String(decoding: path.list.bytes, as: UTF8.self)
        #expect(list.count(of: "<li>") == path.stops.count)
      }
    }
  }

  @Test func drawsALineageOfAnyDepth() throws {
    var rows = Rows()
    var parent: Int64?
    for depth in 0..<200 { parent = rows.add("Taxon\(depth)", "genus", below: parent) }
    let pack = try rows.pack()
    let view = pack.view
    let english = LanguagePreference("en", in: view.names)
    let ends = [TaxonOrdinal(rawValue: 20), TaxonOrdinal(rawValue: 199)]
    check(LineagePath(to: ends[1], in: view, english).picture(.narrow), "deep")
    check(ComparisonTree(of: ends, in: view, english).picture(.narrow), "deep")
    check(
      Icicle(of: ends[1], format: .narrow, CladeCounts(of: view), in: view, english).picture, "deep"
    )
  }
}

extension String {
  /// How often a text is found in it.
  fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}

extension TreePictureTests {
  @Test(arguments: [0, 1, 2, 12, 60, 61, 300])
  func showsFavorites(count: Int) throws {
    for seed in 0..<4 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let rows = Rows.random(count: 400, reach: seed % 2 == 0 ? 8 : 400, &generator)
      let pack = try rows.pack()
      let view = pack.view
      let taxa = (0..<400).shuffled(using: &generator).prefix(count).map {
        TaxonOrdinal(rawValue: UInt32($0))
      }
      let tree = FavoritesTree(of: taxa, in: view, LanguagePreference("en", in: view.names))
      #expect(tree.count == count)
      #expect(tree.nodes.count < 2 * FavoritesTree.greatestEndCount)
      let shown = tree.nodes.reduce(0) { $0 + ($1.isFavorite ? max(1, $1.groupedCount) : 0) }
      #expect(shown + tree.hiddenCount == count)
      if count <= FavoritesTree.greatestEndCount {
        #expect(tree.nodes.filter(\.isFavorite).map(\.label.taxon) == taxa.sorted())
      }
      for (position, node) in tree.nodes.enumerated() {
        guard let parent = node.parent else { continue }
        #expect(parent < position)
        let isBelow = view.tree.isAncestor(tree.nodes[parent].label.taxon, of: node.label.taxon)
        #expect(isBelow)
      }
      for format in PictureFormat.allCases { check(tree.picture(format), "seed \(seed)") }
      #expect(
        String(decoding: tree.list.bytes, as: UTF8.self).count(of: "<li>") == tree.nodes.count)
    }
  }
}
