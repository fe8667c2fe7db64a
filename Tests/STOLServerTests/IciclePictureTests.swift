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
  }

  private func check(_ icicle: Icicle, of clade: Int64?, _ oracle: Oracle) {
    let cells = icicle.cells
    let smallest = icicle.format.smallestTarget
    let rowCapacity = Int(icicle.length / smallest)
    #expect(cells.count <= icicle.levels * rowCapacity + 1)
    for level in 0...icicle.levels {
      let row = cells.filter { $0.level == level }.sorted { $0.x < $1.x }
      for (a, b) in zip(row, row.dropFirst()) { #expect(a.x + a.width <= b.x + 0.001) }
      #expect(row.allSatisfy { $0.width >= smallest - 0.001 })
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
    for (position, cell) in cells.enumerated() where cell.level < icicle.levels {
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
      if !expected.isEmpty {
        let width = parent.position.map { cells[$0].width } ?? icicle.length
        #expect(abs(drawn.reduce(0) { $0 + $1.width } - width) < 0.001)
      }
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
              Icicle(of: ordinal, levels: levels, format: format, in: view, english), of: clade,
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
        check(Icicle(of: ordinal, format: .wide, in: view, english), of: id, Oracle(rows))
      }
    }
  }

  @Test func dividesAPlaceBySizes() {
    let place = Slot(positions: 0..<1, isGroup: false, x: 100, width: 1000)
    func widths(_ sizes: [Int]) -> [Double] { Slot.divide(place, among: sizes, 50).map(\.width) }
    #expect(widths([]) == [])
    #expect(widths([7]) == [1000])
    #expect(widths([3, 1]) == [750, 250])
    // What would be too small is widened while there is room for it,
    #expect(widths([998, 1, 1]) == [900, 50, 50])
    // and else a group.
    #expect(Slot.divide(place, among: [900] + .init(repeating: 1, count: 100), 50).count == 7)
    let many = Slot.divide(place, among: .init(repeating: 1, count: 1000), 50)
    #expect(many.count == 11)
    #expect(many.last?.positions == 10..<1000)
    let little = Slot(positions: 0..<1, isGroup: false, x: 0, width: 60)
    #expect(Slot.divide(little, among: [5, 5], 50).map(\.isGroup) == [true])
  }

  @Test func leadsToCladesTaxaAndLists() throws {
    var rows = Rows()
    let root = rows.add("Mammalia", "class", "mammals")
    let cats = rows.add("Panthera", "genus", below: root)
    for index in 0..<4 { rows.add("Panthera species\(index)", "species", below: cats, "lion") }
    for index in 0..<100 { rows.add("Mus species\(index)", "species", below: root) }
    let pack = try rows.pack()
    let view = pack.view
    let english = LanguagePreference("en", in: view.names)
    let icicle = Icicle(
      of: view.ids.taxon(TaxonID(rawValue: root)), format: .wide, in: view, english)
    let list = String(decoding: icicle.list.bytes, as: UTF8.self)
    let page = String(decoding: icicle.picture.inline.bytes, as: UTF8.self)
    let space = view.addressSpace
    for text in [
      "href=\"/icicle/\(space):2\"", "href=\"/taxon/\(space):1\"", "href=\"/tree/\(space):1\"",
    ] {
      #expect(list.contains(text))
      #expect(page.contains(text))
    }
    #expect(list.contains("and 89 more</a>, 89 species"))
    #expect(page.contains("+89 more"))
    #expect(list.contains(">Mammals<"))
    #expect(XMLElements.read(icicle.picture.document)?.names.contains("a") == false)
    let json = RowWriter.object { icicle.write(to: &$0) }
    #expect(String(decoding: json, as: UTF8.self).contains("\"groupedCount\":89"))
  }

  @Test func givesNeighboursDifferentColours() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let rows = Rows.random(count: 200, reach: 200, &generator)
      let pack = try rows.pack()
      let view = pack.view
      let icicle = Icicle(
        of: nil, format: .wide, in: view, LanguagePreference("en", in: view.names))
      let row = icicle.cells.filter { $0.level == 1 && $0.branch > 0 }
      for (a, b) in zip(row, row.dropFirst()) { #expect(a.branch != b.branch) }
    }
  }
}
