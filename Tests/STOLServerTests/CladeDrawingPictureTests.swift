import STOLPack
import Testing

@testable import STOLServer

@Suite struct CladeDrawingPictureTests {
  @Test(arguments: CladeDrawing.allCases)
  func isWellFormed(drawing: CladeDrawing) {
    let picture = drawing.picture(id: "1", "A drawing.")
    #expect(XMLElements.read(picture.document)?.names.contains("path") == true)
    #expect(XMLElements.read(picture.inline.bytes) != nil)
    #expect(drawing.parts.count > 1)
  }

  @Test func everyDrawingIsReachedByAName() {
    #expect(Set(CladeDrawing.kinds.values).union([.life]) == Set(CladeDrawing.allCases))
    #expect(Set(CladeDrawing.members.values).isSubset(of: Set(CladeDrawing.kinds.values)))
  }

  private func depiction(_ lineage: String...) throws -> Depiction { try depiction(of: lineage) }

  private func depiction(of lineage: [String]) throws -> Depiction {
    var rows = Rows()
    var parent: Int64?
    for name in lineage { parent = rows.add(name, "clade", below: parent) }
    let pack = try rows.pack()
    let view = pack.view
    let taxon = view.ids.taxon(TaxonID(rawValue: parent ?? 0))
    return Depiction(of: try #require(taxon), in: view)
  }

  @Test func isThatOfItsKindOrOfOneInIt() throws {
    #expect(
      try depiction("Metazoa", "Mammalia")
        == Depiction(drawing: .bear, relation: .member))
    #expect(
      try depiction("Mammalia", "Chiroptera", "Myotis")
        == Depiction(drawing: .bat, relation: .kind))
    #expect(try depiction("Mammalia", "Felidae") == Depiction(drawing: .cat, relation: .member))
    #expect(
      try depiction("Aves", "Struthio camelus") == Depiction(drawing: .feather, relation: .sign))
    #expect(try depiction("Nowhere", "Nothing") == Depiction(drawing: .life, relation: .none))
  }

  /// Well-known taxa, and what they must not be drawn as.
  @Test func noDrawingRatherThanAFalseOne() throws {
    let lineages: [([String], CladeDrawing)] = [
      (["Mammalia", "Felidae", "Panthera", "Panthera leo"], .bigCat),
      (["Mammalia", "Felidae", "Felinae", "Lynx"], .life),
      (["Mammalia", "Feliformia", "Hyaenidae"], .life),
      (["Mammalia", "Primates", "Simiiformes", "Hominidae", "Homo", "Homo sapiens"], .person),
      (["Mammalia", "Primates", "Simiiformes", "Hominidae", "Pan"], .simian),
      (["Mammalia", "Equus"], .life), (["Mammalia", "Cetacea", "Delphinidae"], .life),
      (["Mammalia", "Ursidae", "Ailuropoda"], .life), (["Aves", "Sphenisciformes"], .feather),
      (["Sauropsida", "Crocodylia", "Alligator"], .crocodile),
      (["Sauropsida", "Squamata", "Amphisbaenia"], .life),
      (["Amphibia", "Gymnophiona"], .life), (["Amphibia", "Caudata", "Ambystoma"], .salamander),
      (["Amphibia", "Caudata", "Sirenidae", "Siren"], .life),
      (["Actinopterygii", "Syngnathidae", "Hippocampus"], .life),
      (["Elasmobranchii", "Batoidea", "Manta"], .ray),
      (["Elasmobranchii", "Batoidea", "Pristidae", "Pristis"], .life),
      (["Insecta", "Diptera", "Culicidae"], .life),
      (["Insecta", "Hymenoptera", "Formicidae"], .life),
      (["Insecta", "Odonata"], .life), (["Arachnida", "Ixodida"], .life),
      (["Malacostraca", "Isopoda"], .life), (["Mollusca", "Cephalopoda", "Decapodiformes"], .life),
      (["Mollusca", "Gastropoda", "Nudibranchia"], .life), (["Annelida", "Hirudinea"], .life),
      (["Cnidaria", "Anthozoa"], .life), (["Echinodermata", "Holothuroidea"], .life),
      (["Plantae", "Marchantiophyta"], .life), (["Plantae", "Polypodiopsida", "Equisetum"], .life),
      (["Plantae", "Magnoliopsida", "Arecaceae"], .flower),
      (["Plantae", "Magnoliopsida", "Poaceae", "Bambusoideae"], .flower),
      (["Fungi", "Saccharomyces"], .life), (["Chlorophyta", "Chlorella"], .life),
    ]
    for (lineage, drawing) in lineages {
      #expect(try depiction(of: lineage).drawing == drawing, "\(lineage)")
    }
  }
}
