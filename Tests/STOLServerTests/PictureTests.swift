import Foundation
import STOLAnswers
import STOLPack
import TestSupport
import Testing

@testable import STOLServer

@Suite struct PictureTests {
  @Test func namesTheColoursThatLOOKNames() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let look = try String(
      contentsOf: root.appendingPathComponent("Sources/STOLServer/LOOK.md"), encoding: .utf8)
    let colours = [
      ("--paper", Palette.paper), ("--surface", Palette.surface), ("--sunken", Palette.sunken),
      ("--ink", Palette.ink), ("--ink-soft", Palette.inkSoft), ("--line", Palette.line),
      ("--line-strong", Palette.lineStrong), ("--accent", Palette.accent),
      ("--warm", Palette.warm),
      ("--warm-soft", Palette.warmSoft), ("--heart", Palette.heart),
    ]
    for (name, colour) in colours { #expect(look.contains("| `\(name)` | \(colour) |")) }
    for colour in Palette.branches { #expect(look.contains(" \(colour) /")) }
  }

  @Test func writesNumbers() {
    #expect(
      [0, 999, 1000, 1_234_567, -1234].map { Words.grouped($0) } == [
        "0", "999", "1,000", "1,234,567", "-1,234",
      ])
    #expect(
      [0, 1, 0.04, 0.06, 12.34, -0.25, -3].map(\.svg) == [
        "0", "1", "0", "0.1", "12.3", "-0.3", "-3",
      ])
  }

  @Test func escapesEveryName() throws {
    let name = "<script>\"&'\u{1}\u{FFFF}\u{FFFE}"
    var rows = Rows()
    let root = rows.add(name, "genus", below: nil, name)
    rows.add(name + " a", "species", below: root, name + "\u{202E}")
    rows.add(name + " b", "species", below: root)
    let pack = try rows.pack()
    let view = pack.view
    let english = LanguagePreference("en", in: view.names)
    let all = [0, 1, 2].map { TaxonOrdinal(rawValue: $0) }
    let icicle = Icicle(of: all[0], format: .wide, CladeCounts(of: view), in: view, english)
    let lineage = LineagePath(to: all[1], in: view, english)
    let comparison = ComparisonTree(of: all, in: view, english)
    let favorites = FavoritesTree(of: all, in: view, english)
    let pictures = [
      icicle.picture, lineage.picture(.wide), comparison.picture(.wide), favorites.picture(.wide),
    ]
    let lists = [icicle.list, lineage.list, comparison.list, favorites.list]
    for html in pictures.map(\.inline) + lists {
      let text = String(decoding: html.bytes, as: UTF8.self)
      #expect(!text.contains("<script"))
      #expect(text.contains("&lt;script&gt;&quot;&amp;&#39;"))
      // One element holds them all, as XML's reader wants it.
      let page = Array("<div>".utf8) + html.bytes + Array("</div>".utf8)
      #expect(XMLElements.read(page) != nil)
    }
    for picture in pictures {
      let elements = XMLElements.read(picture.document)
      #expect(elements?.text.contains("<script>\"&'\u{FFFD}\u{FFFD}\u{FFFD}") == true)
      #expect(elements?.names.contains("a") == false)
    }
  }

  @Test func capitalisesNames() {
    #expect("lion".capitalisedFirst == "Lion")
    #expect("".capitalisedFirst == "")
    #expect("éléphant".capitalisedFirst == "Éléphant")
    #expect("獅子".capitalisedFirst == "獅子")
  }

  @Test func estimatesWidths() {
    #expect(Label.width(of: "") == 0)
    #expect(Label.width(of: "獅子") > 2 * Label.size)
    #expect(Label.width(of: "Panthera leo") > 6 * Label.size)
    let box = Box(x: 0, y: 0, width: 50, height: 100)
    #expect(Label(TextPiece("Panthera leo"), in: box) == nil)
    #expect(Label(TextPiece("Panthera l."), down: box) != nil)
    #expect(Label(TextPiece("Lion"), in: box).map { box.contains($0.box) } == true)
  }

  @Test func keepsLabelsWithinTheirBox() throws {
    var generator = SeededGenerator(seed: 1)
    let rows = Rows.random(count: 50, reach: 50, &generator)
    let pack = try rows.pack()
    let view = pack.view
    let english = LanguagePreference("en", in: view.names)
    for number in 0..<2000 {
      let label = TaxonLabel(TaxonOrdinal(rawValue: UInt32(number % 50)), in: view, english)
      let box = Box(
        x: 10, y: 20, width: .random(in: 0...300, using: &generator),
        height: .random(in: 0...200, using: &generator))
      let boxes = TextPiece.labels(label, fact: "1,234 species", in: box).flatMap(\.labels)
        .map(\.box)
      #expect(boxes.allSatisfy { box.contains($0) })
      for (index, one) in boxes.enumerated() {
        #expect(!boxes[(index + 1)...].contains { $0.intersects(one) })
      }
      let isLarge = box.width >= 240 && box.height >= 80
      #expect(!isLarge || boxes.count >= 2)
    }
  }

  @Test func hasATwinInJSON() throws {
    var generator = SeededGenerator(seed: 2)
    let pack = try Rows.random(count: 50, reach: 5, &generator).pack()
    let view = pack.view
    let english = LanguagePreference("en", in: view.names)
    let taxa = [3, 30, 40].map { TaxonOrdinal(rawValue: $0) }
    let icicle = Icicle(of: nil, format: .narrow, CladeCounts(of: view), in: view, english)
    let favorites = FavoritesTree(of: taxa, in: view, english)
    func count(_ name: String, _ write: (inout RowWriter) -> Void) throws -> Int? {
      let json = RowWriter.object(write)
      let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
      return (object?[name] as? [Any])?.count
    }
    try #expect(count("cells") { icicle.write(to: &$0) } == icicle.cells.count)
    try #expect(count("nodes") { favorites.write(to: &$0) } == favorites.nodes.count)
    let lineage = LineagePath(to: taxa[2], in: view, english)
    try #expect(count("stops") { lineage.write(to: &$0) } == lineage.stops.count)
  }
}
