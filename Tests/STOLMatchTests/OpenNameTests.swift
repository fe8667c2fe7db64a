import Testing

@testable import STOLMatch

@Suite("Names in open nomenclature")
struct OpenNameTests {
  private static func certainPart(_ text: String) -> String? {
    OpenName.certainPart(of: Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("Acer sp.", "Acer"), ("ACER SP.", "ACER"), ("Acer Sp", "Acer"), ("Acer sp.1", "Acer"),
    ("Acer sp1", "Acer"), ("Acer sp. 1", "Acer"), ("Acer sp.?", "Acer"), ("Acer\u{A0}sp.", "Acer"),
    ("Acer\u{2003}sp.", "Acer"), ("Acer\tsp.", "Acer"), ("Acer_sp", "Acer"), ("Acer.sp.", "Acer"),
    ("Acer (sp.)", "Acer"), ("Acer sp.,", "Acer"), ("Acer spp.;", "Acer"), ("Acer sp.nov.", "Acer"),
    ("Acer n. sp.", "Acer"), ("Felidae gen. et sp. nov.", "Felidae"), ("Acer cf. rubrum", "Acer"),
    ("Acer cf.rubrum", "Acer"), ("Acer rubrum aff. x", "Acer rubrum"), ("Acer species", "Acer"),
    ("Acer Spec.", "Acer"), ("Culex gr. pipiens", "Culex"),
    ("Rubus fruticosus agg.", "Rubus fruticosus"),
    ("Acer rubrum ssp.", "Acer rubrum"), ("Acer rubrum subsp", "Acer rubrum"),
    ("Acer rubrum var.", "Acer rubrum"), ("Acer indet.", "Acer"),
    ("Quercus (Lobatae) sp.", "Quercus (Lobatae)"),
    ("Érable sp.", "Érable"), ("  Acer  sp. ", "  Acer"),
  ])
  func whatStandsBeforeTheMarker(_ text: String, _ known: String) {
    #expect(Self.certainPart(text) == known)
  }

  @Test(arguments: [
    "Acer spicatum", "Acer spec", "Acer gr", "Acer agg", "Acer var", "Acer rubrum subsp. rubrum",
    "Acer rubrum var. x", "sp.", " sp.", "1 sp.", "SP-15", "Phage SP-15", "Acer sp-x", "Acer cf7",
    "Acer ésp", "Crisp", "Acer crisp", "", "Aff", "Acer sp'x",
  ])
  func isNotOpen(_ text: String) { #expect(Self.certainPart(text) == nil) }
}
