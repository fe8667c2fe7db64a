import STOLAnswers
import STOLPack
import TestSupport
import Testing

@testable import STOLServer

@Suite struct IciclePictureTests {
  /// What the icicle must count, from rows alone.
  private struct Oracle {
    let rows: Rows
    private var children: [Int64?: [Int64]] = [:]

    init(_ rows: Rows) {
      self.rows = rows
      for row in rows.taxa { children[row.parentID, default: []].append(row.id) }
    }

    func below(_ id: Int64?) -> [Int64] { children[id] ?? [] }

    func speciesCount(_ id: Int64) -> Int {
      below(id).reduce(rows.taxa[Int(id) - 1].rank == "species" ? 1 : 0) { $0 + speciesCount($1) }
    }

    func tipCount(_ id: Int64) -> Int {
      let isTip = rows.taxa[Int(id) - 1].rank == "species" || below(id).isEmpty
      return below(id).reduce(isTip ? 1 : 0) { $0 + tipCount($1) }
    }

    /// What a clade, or for nil the whole tree, is sized by, and how large it is by that.
    func measured(_ id: Int64?) -> (measure: Icicle.Cell.Measure, count: Int) {
      let tops = id.map { [$0] } ?? below(nil)
      let species = tops.reduce(0) { $0 + speciesCount($1) }
      return species > 0 ? (.species, species) : (.tips, tops.reduce(0) { $0 + tipCount($1) })
    }
  }

  private func check(_ icicle: Icicle, of clade: Int64?, _ oracle: Oracle) {
    let cells = icicle.cells
    let smallest = icicle.format.smallestTarget
    let rowCapacity = Int(icicle.length / smallest)
    // In each row those that can be touched, and at most one beside for each of the row above.
    #expect(cells.count <= 2 * icicle.levels * rowCapacity + 2)
    let (measure, total) = oracle.measured(clade)
    #expect(icicle.measure == measure)
    for level in 0...icicle.levels {
      let row = cells.filter { $0.level == level }.sorted { $0.x < $1.x }
      for (a, b) in zip(row, row.dropFirst()) { #expect(a.x + a.width <= b.x + 0.001) }
    }
    for cell in cells {
      // Each has exactly its share, and whoever is drawn alone can be touched unless it has no siblings as small.
      #expect(abs(cell.width - icicle.length * Double(cell.count) / Double(total)) < 0.001)
      if let id = cell.label?.id.rawValue {
        #expect(
          cell.count == (measure == .species ? oracle.speciesCount(id) : oracle.tipCount(id)))
      }
      let alone = cells.filter { $0.parent == cell.parent && $0.width < smallest - 0.001 }
      #expect(cell.width >= smallest - 0.001 || alone.count == 1)
    }
    for cell in cells {
      if let parent = cell.parent.map({ cells[$0] }) {
        #expect(cell.level == parent.level + 1)
        #expect(cell.x >= parent.x - 0.001)
        #expect(cell.x + cell.width <= parent.x + parent.width + 0.001)
      }
      #expect((0...8).contains(cell.branch))
      #expect(cell.groupedCount == 0 || cell.groupedCount > 1)
      if let id = cell.label?.id.rawValue { #expect(cell.speciesCount == oracle.speciesCount(id)) }
    }
    // Every child is drawn or counted in the group of its parent, with all its species.
    var parents: [(position: Int?, id: Int64?)] = clade == nil ? [(nil, nil)] : []
    for (position, cell) in cells.enumerated()
    where cell.level < icicle.levels && cell.width >= smallest {
      if let id = cell.label?.id.rawValue { parents.append((position, id)) }
    }
    for parent in parents {
      let drawn = cells.filter { $0.parent == parent.position && $0.level > 0 }
      let expected = oracle.below(parent.id)
      #expect(drawn.reduce(0) { $0 + max(1, $1.groupedCount) } == expected.count)
      #expect(
        drawn.reduce(0) { $0 + $1.speciesCount }
          == expected.reduce(0) { $0 + oracle.speciesCount($1) })
      let drawnIDs = Set(drawn.compactMap { $0.label?.id.rawValue })
      #expect(drawnIDs.isSubset(of: expected))
      let count = expected.reduce(0) {
        $0 + (measure == .species ? oracle.speciesCount($1) : oracle.tipCount($1))
      }
      let width = icicle.length * Double(count) / Double(total)
      #expect(abs(drawn.reduce(0) { $0 + $1.width } - width) < 0.001)
    }
    checkLabels(icicle.picture)
  }

  private func checkLabels(_ picture: Picture) {
    let whole = Box(x: 0, y: 0, width: picture.width, height: picture.height)
    for mark in picture.marks {
      #expect(mark.labels.allSatisfy { whole.contains($0.box) })
    }
    let boxes = picture.marks.flatMap(\.labels).map(\.box)
    for (index, box) in boxes.enumerated() {
      #expect(!boxes[(index + 1)...].contains { $0.intersects(box) })
    }
  }

  @Test func agreesWithACountByHandOnRandomTrees() throws {
    for seed in 0..<24 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let count = [1, 5, 30, 300].randomElement(using: &generator) ?? 5
      let reach = [3, 20, 300].randomElement(using: &generator) ?? 3
      let rows = Rows.random(count: count, reach: reach, &generator)
      let pack = try rows.pack()
      let view = pack.view
      let english = LanguagePreference("en", in: view.names)
      let oracle = Oracle(rows)
      let some = Int64.random(in: 1...Int64(count), using: &generator)
      for clade in [nil, some] {
        for format in PictureFormat.allCases {
          for levels in 1...4 {
            let ordinal = clade.flatMap { view.ids.taxon(TaxonID(rawValue: $0)) }
            check(
              Icicle(
                of: ordinal, levels: levels, format: format, CladeCounts(of: view), in: view,
                english), of: clade,
              oracle)
          }
        }
      }
    }
  }

  @Test func agreesWithACountByHandOnEverySmallTree() throws {
    for parents in (1...5).flatMap(allParents) {
      var rows = Rows()
      for (index, parent) in parents.enumerated() {
        rows.add(
          "Taxon\(index)", index % 2 == 0 ? "species" : "genus", below: parent.map { Int64($0 + 1) }
        )
      }
      let pack = try rows.pack()
      let view = pack.view
      let english = LanguagePreference("en", in: view.names)
      for id in [nil, Int64(1)] {
        let ordinal = id.flatMap { view.ids.taxon(TaxonID(rawValue: $0)) }
        check(
          Icicle(of: ordinal, format: .wide, CladeCounts(of: view), in: view, english), of: id,
          Oracle(rows))
      }
    }
  }

  @Test func dividesAPlaceBySizes() {
    let place = Slot(positions: 0..<1, isGroup: false, x: 100, width: 1000)
    func slots(_ sizes: [Int], _ total: Int) -> [Slot] {
      Slot.divide(place, among: sizes, of: total, 50)
    }
    #expect(slots([], 1) == [])
    #expect(slots([7], 7).map(\.width) == [1000])
    #expect(slots([3, 1], 4).map(\.width) == [750, 250])
    // What would be too small is a group of its own size,
    #expect(slots([998, 1, 1], 1000).map(\.width) == [998, 2])
    #expect(slots([998, 1, 1], 1000).map(\.isGroup) == [false, true])
    // unless it is alone.
    #expect(slots([999, 1], 1000).map(\.isGroup) == [false, false])
    // A parent may count itself, and what is not counted has no width.
    #expect(slots([3], 4).map(\.width) == [750])
    #expect(slots([0, 0], 1).map(\.width) == [0])
    #expect(slots([0, 0], 0).map(\.positions) == [0..<2])
  }

  @Test func leadsToCladesTaxaAndLists() throws {
    var rows = Rows()
    let root = rows.add("Mammalia", "class", "mammals")
    let cats = rows.add("Panthera", "genus", below: root)
    for index in 0..<4 { rows.add("Panthera species\(index)", "species", below: cats, "lion") }
    for index in 0..<80 { rows.add("Mus species\(index)", "species", below: root) }
    let pack = try rows.pack()
    let view = pack.view
    let english = LanguagePreference("en", in: view.names)
    let icicle = Icicle(
      of: view.ids.taxon(TaxonID(rawValue: root)), format: .wide, CladeCounts(of: view), in: view,
      english)
    let list = String(decoding: icicle.list.bytes, as: UTF8.self)
    let page = String(decoding: icicle.picture.inline.bytes, as: UTF8.self)
    let space = view.addressSpace
    for text in [
      "href=\"/icicle/\(space):2\"", "href=\"/taxon/\(space):1\"", "href=\"/tree/\(space):1\"",
    ] {
      #expect(list.contains(text))
      #expect(page.contains(text))
    }
    #expect(list.contains("and 80 more</a>, 80 species"))
    #expect(page.contains("+80 more"))
    #expect(list.contains(">Mammals<"))
    #expect(XMLElements.read(icicle.picture.document)?.names.contains("a") == false)
    let json = RowWriter.object { icicle.write(to: &$0) }
    #expect(String(decoding: json, as: UTF8.self).contains("\"groupedCount\":80"))
  }

  @Test func givesNeighboursDifferentColours() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let rows = Rows.random(count: 200, reach: 200, &generator)
      let pack = try rows.pack()
      let view = pack.view
      let icicle = Icicle(
        of: nil, format: .wide, CladeCounts(of: view), in: view,
        LanguagePreference("en", in: view.names))
      let row = icicle.cells.filter { $0.level == 1 && $0.branch > 0 }
      for (a, b) in zip(row, row.dropFirst()) { #expect(a.branch != b.branch) }
    }
  }
}
