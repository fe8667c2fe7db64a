import STOLNames
import Testing

/// Published names as people write them, by what is difficult in each.
@Suite("Names as written")
struct NamesAsWrittenTests {
  /// A text, the name without authors, who named it, and when.
  typealias Case = (text: String, name: String, authorship: String, year: Int?)

  private static func check(_ cases: [Case], _ kind: NameReader.Kind? = .scientific) {
    for wanted in cases {
      var reader = NameReader()
      reader.read(wanted.text.utf8)
      var name: [UInt8] = []
      reader.appendCanonical(isPlain: true, to: &name)
      #expect(String(decoding: name, as: UTF8.self) == wanted.name, "\(wanted.text)")
      #expect(reader.authorship == wanted.authorship, "\(wanted.text)")
      #expect(reader.year == wanted.year, "\(wanted.text)")
      if let kind { #expect(reader.kind == kind, "\(wanted.text)") }
    }
  }

  @Test func particlesOfAuthors() {
    Self.check([
      ("Balaenoptera borealis de Haan, 1841", "Balaenoptera borealis", "de Haan, 1841", 1841),
      ("Puffinus mauretanicus von und zu Smith", "Puffinus mauretanicus", "von und zu Smith", nil),
      ("Odynerus du Buysson, 1900", "Odynerus", "du Buysson, 1900", 1900),
      ("Sedum dasyphyllum 't Hart", "Sedum dasyphyllum", "'t Hart", nil),
      ("Ilyanthus dela Cruz", "Ilyanthus dela", "Cruz", nil),
      ("Mus booduga dela Cruz, 1990", "Mus booduga", "dela Cruz, 1990", 1990),
      ("Salix alba Smith junior", "Salix alba", "Smith junior", nil),
      ("Salix alba Smith & others, 1900", "Salix alba", "Smith & others, 1900", 1900),
      ("Salix alba Smith &al. 1900", "Salix alba", "Smith & al. 1900", 1900),
      ("Salix alba (auct.) Smith", "Salix alba", "(auct.) Smith", nil),
      ("Russula emetica (Schaeff.:Fr.) Pers.", "Russula emetica", "(Schaeff.: Fr.) Pers.", nil),
      ("Salix alba mihi", "Salix alba", "", nil),
    ])
  }

  @Test func epithetsLikeParticles() {
    Self.check([
      ("Concinnum ten (Yamaguti, 1939)", "Concinnum ten", "(Yamaguti, 1939)", 1939),
      ("Camponotus alii Forel, 1890", "Camponotus alii", "Forel, 1890", 1890),
      ("Myrinia santa Evans", "Myrinia santa", "Evans", nil),
      ("Racta dalla Evans", "Racta dalla", "Evans", nil),
      ("Testudo des Moulins, 1900", "Testudo", "des Moulins, 1900", 1900),
      ("Papilionidae la Smith, 1900", "Papilionidae", "la Smith, 1900", 1900),
    ])
  }

  @Test func yearsAndWhatStandsBehindThem() {
    Self.check([
      ("Panthera leo (Linnaeus, 1758); Gray, 1843", "Panthera leo", "(Linnaeus, 1758)", 1758),
      ("Vibrio cholerae Pacini 1854 (Approved Names 1980)", "Vibrio cholerae", "Pacini 1854", 1854),
      ("Panthera leo 1758", "Panthera leo", "", nil),
      ("Passer montanus Smith \"1900\"", "Passer montanus", "Smith \"1900\"", 1900),
      ("Passer montanus Smith, 1900a", "Passer montanus", "Smith, 1900", 1900),
      (
        "Salix ×rubens (Schrank 1789) Smith (1800)", "Salix rubens",
        "(Schrank 1789) Smith (1800)", 1789
      ),
    ])
  }

  @Test func whatLimitsAName() {
    Self.check([
      ("Salix alba L., P. P.", "Salix alba", "L.", nil),
      ("Salix alba P. P. Smith", "Salix alba", "P. P. Smith", nil),
      ("Salix alba Smith (MS)", "Salix alba", "Smith", nil),
      ("Salix alba [sic] L.", "Salix alba", "L.", nil),
      ("Salix alba L.!", "Salix alba", "L.", nil),
      ("Salix alba new combination", "Salix alba", "", nil),
      ("Salix alba or Salix fragilis", "Salix alba", "", nil),
      ("Salix alba vel fragilis", "Salix alba", "", nil),
      ("Salix alba, fragilis", "Salix alba", "", nil),
      ("Salix alba, var. vitellina", "Salix alba vitellina", "", nil),
      ("Nereis diversicolor 'Muller", "Nereis diversicolor", "", nil),
    ])
  }

  @Test func ranks() {
    Self.check([
      ("Plantago major fo intermedia", "Plantago major intermedia", "", nil),
      ("Plantago major [var.] intermedia", "Plantago major intermedia", "", nil),
      ("Plantago major var. ×intermedia", "Plantago major intermedia", "", nil),
      ("Plantago major prole intermedia Gilib.", "Plantago major intermedia", "Gilib.", nil),
      ("Plantago major L. β intermedia Gilib.", "Plantago major intermedia", "Gilib.", nil),
      ("Plantago major var.β.intermedia", "Plantago major intermedia", "", nil),
      ("Carex sect Vigneastra Tuck.", "Vigneastra", "Tuck.", nil),
      ("Carex ser Vigneastra Tuck.", "Vigneastra", "Tuck.", nil),
      ("Carex (subg. Vignea) arenaria L.", "Carex arenaria", "L.", nil),
      ("Carex (subg. Vignea) Peterm.", "Vignea", "Peterm.", nil),
      ("Bombus (Bombus) Latreille, 1802", "Bombus", "Latreille, 1802", 1802),
      ("Carex (Tuckerm.) Smith", "Carex", "(Tuckerm.) Smith", nil),
      ("Carex (Boott)", "Carex", "(Boott)", nil),
      ("Bombus (Megabombus)", "Megabombus", "", nil),
    ])
  }

  @Test func spellingsOfEpithets() {
    Self.check([
      ("Polygonia C-album (Linnaeus, 1758)", "Polygonia c-album", "(Linnaeus, 1758)", 1758),
      ("Salix 'alba' L.", "Salix alba", "L.", nil),
      ("\"Salix alba\" L.", "Salix alba", "L.", nil),
      ("*Salix alba L.", "Salix alba", "L.", nil),
      ("Hypericum st.johnii Smith", "Hypericum stjohnii", "Smith", nil),
      ("Convolvulus sabatius Viv. ﬂoribundus", "Convolvulus sabatius", "Viv.", nil),
      ("Ruta ﬂoribunda", "Ruta floribunda", "", nil),
      ("Salix mu\u{308}lleri", "Salix muelleri", "", nil),
      ("Vicia villosa—dasycarpa", "Vicia villosa-dasycarpa", "", nil),
      ("Salix alba.Linnaeus", "Salix alba", "Linnaeus", nil),
    ])
  }

  @Test func hybridsOfWhichLittleIsKnown() {
    Self.check(
      [
        ("Salix alba × ?", "Salix alba ×", "", nil),
        ("Salix alba subsp. vitellina × subsp. alba", "Salix alba vitellina ×", "", nil),
      ], .hybridFormula)
    Self.check([
      ("Daphnia (Daphnia) × krausi Flößner", "Daphnia krausi", "Flößner", nil)
    ])
  }

  @Test(arguments: [
    "Escherichia coli K-12", "Escherichia coli K12", "Escherichia coli O157:H7",
    "Escherichia coli ATCC 25922", "Escherichia coli str. K-12",
  ])
  func strainsAreOfASpecies(_ text: String) {
    Self.check([(text, "Escherichia coli", "", nil)], .open)
  }

  @Test func speciesOfVirusesAreBinomials() {
    Self.check([
      ("Betacoronavirus pandemicum", "Betacoronavirus pandemicum", "", nil),
      ("Ichtadenovirus beta2", "Ichtadenovirus beta2", "", nil),
    ])
    Self.check([("Betacoronavirus of bats", "", "", nil)], .virus)
  }

  @Test func wordsThatRunTogether() {
    Self.check([
      ("Salix albaSmith", "Salix alba", "Smith", nil),
      ("Salix albaL. 1753", "Salix alba", "L. 1753", 1753),
      ("Salix alba Smith1900", "Salix alba", "Smith1900", 1900),
      ("Salix alba Smith;Jones 1900", "Salix alba", "Smith; Jones 1900", 1900),
      ("Salix ( Vetrix ) alba", "Salix alba", "", nil),
      ("Salix alba ( Smith ) Jones", "Salix alba", "(Smith) Jones", nil),
      ("Salix alba )", "Salix alba", "", nil),
      ("Poaceae subtrib.Scolinae Smith", "Scolinae", "Smith", nil),
      ("Salix alba deHaan, 1900", "Salix alba", "deHaan, 1900", 1900),
    ])
    Self.check([("Salix sp.Smith 12", "Salix", "", nil), ("Salix sp.A", "Salix", "", nil)], .open)
  }

  @Test func epithetsBehindAuthors() {
    Self.check([
      ("Salix alba L. nothovar minor Smith", "Salix alba minor", "Smith", nil),
      ("Salix alba L. var. β. minor", "Salix alba minor", "", nil),
      ("Salix alba (L. ex. Mill.) minor Smith", "Salix alba minor", "Smith", nil),
      ("Salix alba Smith minor", "Salix alba", "Smith", nil),
      ("Salix alba Smith minor rubra Jones", "Salix alba minor rubra", "Jones", nil),
      ("Salix alba Smith larva", "Salix alba", "Smith", nil),
      ("Salix alba Smith, nigra Jones", "Salix alba", "Smith", nil),
      ("Salix alba Smith & nigra Jones", "Salix alba", "Smith", nil),
      ("Salix alba (s.s.) nigra", "Salix alba", "", nil),
      ("Fagus silvatica in Smith 1900", "Fagus silvatica", "in Smith 1900", 1900),
      ("Helophorus ser Smith, 1900", "Helophorus ser", "Smith, 1900", 1900),
      ("Acidus ser Smith, 1900", "Acidus ser", "Smith, 1900", 1900),
    ])
  }

  @Test func whatStandsAtASubgenus() {
    Self.check([
      ("Salix (Vetrix?) alba L.", "Salix alba", "L.", nil),
      ("Salix [Vetrix] alba", "Salix alba", "", nil),
      ("Salix (Vetrix), alba", "Salix alba", "", nil),
      ("Salix (s. str.) alba L., 1753", "Salix alba", "L., 1753", 1753),
    ])
  }

  @Test func authorsThatEnd() {
    Self.check([
      ("Salix alba Smith, 1900 Jones, 1910", "Salix alba", "Smith, 1900", 1900),
      ("Salix alba (Smith, 1900) Jones, 1910", "Salix alba", "(Smith, 1900) Jones, 1910", 1900),
      ("Salix alba Smith 1899 ex Jones 1900", "Salix alba", "Smith 1899 ex Jones 1900", 1899),
      ("Salix alba Smith (Jones, 1900)", "Salix alba", "Smith", nil),
      ("Salix alba Smith (J.), 1900", "Salix alba", "Smith (J.), 1900", 1900),
      ("Samoa Smith in Koch (Jones), 1886", "Samoa", "Smith in Koch (Jones), 1886", 1886),
      ("Salix alba (Smith) 1900", "Salix alba", "(Smith) 1900", 1900),
      ("Salix alba Smith, ?1900", "Salix alba", "Smith, ?1900", 1900),
      ("Salix alba , Smith, 1900", "Salix alba", "Smith, 1900", 1900),
      ("Salix alba, Salix nigra", "Salix alba", "", nil),
      ("Salix alba van't Hoff", "Salix alba", "van't Hoff", nil),
      ("Salix alba d' Orbigny", "Salix alba", "d' Orbigny", nil),
      ("Salix alba s. Smith", "Salix alba", "", nil),
      ("Navicula bacterium Smith", "Navicula bacterium", "Smith", nil),
    ])
  }

  @Test func whatIsOnlyComparedIsOpen() {
    Self.check(
      [
        ("cf. Salix alba", "Salix alba", "", nil), ("Salix nr alba", "Salix", "", nil),
        ("Salix alba var. cf. minor", "Salix alba minor", "", nil),
      ], .open)
    Self.check(
      [("non Salix alba Smith", "", "", nil), ("OTU 123", "", "", nil)], .informal)
  }

  @Test(arguments: [
    "Salix alba USNM 1234", "Salix alba (CBS 100)", "Salix alba GenBank AB1",
    "Salix alba voucher X12", "Salix alba (ATCC 25922)", "Salix alba (isolate A)",
  ])
  func numbersOfSpecimensAreNoAuthors(_ text: String) {
    Self.check([(text, "Salix alba", "", nil)])
    Self.check([
      (text.replacing("alba", with: "alba Smith, 1900"), "Salix alba", "Smith, 1900", 1900)
    ])
  }

  @Test func capitalsWithAYearAreAuthors() {
    Self.check([("Salix alba SMITH 1900", "Salix alba", "SMITH 1900", 1900)])
  }
}
