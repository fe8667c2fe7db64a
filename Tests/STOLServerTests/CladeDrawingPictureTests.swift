import STOLPack
import Testing

@testable import STOLServer

@Suite struct CladeDrawingPictureTests {
  @Test(arguments: CladeDrawing.allCases)
  func isWellFormed(drawing: CladeDrawing) {
    let picture = drawing.picture(id: "1")
    #expect(XMLElements.read(picture.document)?.names.contains("path") == true)
    #expect(XMLElements.read(picture.inline.bytes) != nil)
    #expect(drawing.parts.count > 1)
  }

  @Test func everyDrawingIsReachedByAName() {
    #expect(Set(CladeDrawing.byName.values).union([.life]) == Set(CladeDrawing.allCases))
  }

  @Test func isThatOfTheNearestAncestor() throws {
    var rows = Rows()
    let animals = rows.add("Metazoa", "kingdom")
    let mammals = rows.add("Mammalia", "class", below: animals)
    let cats = rows.add("Felidae", "family", below: mammals)
    rows.add("Panthera leo", "species", below: cats)
    rows.add("Canis lupus", "species", below: mammals)
    let pack = try rows.pack()
    let view = pack.view
    let drawings = [1, 2, 3, 4, 5].map { id in
      view.ids.taxon(TaxonID(rawValue: id)).map { CladeDrawing(of: $0, in: view) }
    }
    #expect(drawings == [.life, .mammal, .cat, .cat, .mammal])
  }
}
