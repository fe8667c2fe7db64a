import STOLIngest
import Testing
import STOLNames

struct ScientificNameParserTests {
  @Test(arguments: [
    ("Aus", "Aus", ""), ("Aus Smith", "Aus", "Smith"), ("Aus bus", "Aus bus", ""),
    ("Aus  bus   (L.,  1758)", "Aus bus", "(L., 1758)"),
    ("Auaceae Bau. & J.Cau", "Auaceae", "Bau. & J.Cau"),
    ("Auales de Bau ex Cau & D. Eau", "Auales", "de Bau ex Cau & D. Eau"),
    ("Aus A. Bau-Cau, 1862", "Aus", "A. Bau-Cau, 1862"),
    ("Aus bus d'Eau, 1840", "Aus bus", "d'Eau, 1840"),
    ("Aus bus van den Bau & von Cau", "Aus bus", "van den Bau & von Cau"),
    ("Aus bus (Bau)Cau", "Aus bus", "(Bau)Cau"),
    ("Aus bus cus Dau, 1900", "Aus bus cus", "Dau, 1900"),
    ("Aus bus var. cus Dau", "Aus bus var. cus", "Dau"),
    ("Aus bus ssp. cus", "Aus bus subsp. cus", ""),
    ("Aus bus Bau subsp. bus", "Aus bus subsp. bus", "Bau"),
    ("Aus bus Bau subsp. cus Dau", "Aus bus subsp. cus", "Dau"),
    ("Aus bus Bau f. ex Cau f. dus Eau f.", "Aus bus f. dus", "Eau f."),
    ("Aus bus Bau et al. var.cus Dau", "Aus bus var. cus", "Dau"),
    ("Aus (Bus) cus Dau", "Aus (Bus) cus", "Dau"), ("Aus (Bau) Cau", "Aus", "(Bau) Cau"),
    ("Aüs subgen. Bus Cau", "Aüs subgen. Bus", "Cau"),
    ("Aus sect. Bus (Bau) Cau", "Aus sect. Bus", "(Bau) Cau"),
    ("A. bus Cau", "A. bus", "Cau"), ("Aus bus-cus 't Dau", "Aus bus-cus", "'t Dau"),
    ("Aus bus (L.) ‘t Cau", "Aus bus", "(L.) ‘t Cau"),
    ("Aus bus Bau in Cau & Dau, 1998a", "Aus bus", "Bau in Cau & Dau, 1998a"),
    ("Aus bus hort.", "Aus bus", "hort."), ("Aus secundum", "Aus secundum", ""),
    ("Aus bus (Bau) S.L. Cau", "Aus bus", "(Bau) S.L. Cau"),
    ("Aus bus ‘Ōsumi, 1950", "Aus bus", "‘Ōsumi, 1950"),
  ])
  func separatesNameAndAuthorship(_ text: String, _ canonical: String, _ authorship: String) {
    let parts = ScientificNameParser.parse(text)
    #expect(parts.canonicalName == canonical && parts.authorship == authorship)
    #expect(parts.kind == .scientific && parts.phrase.isEmpty)
  }

  @Test(arguments: [
    ("×Aus Bau", "× Aus", "Bau"), ("xAus bus", "× Aus bus", ""),
    ("x Aus bus Cau", "× Aus bus", "Cau"),
    ("Aus × bus Cau", "Aus × bus", "Cau"), ("Aus x bus", "Aus × bus", ""),
    ("Aus ×bus", "Aus × bus", ""),
    ("Aus bus subsp. ×cus Dau", "Aus bus subsp. × cus", "Dau"),
    ("Aus ×bus Cau nothovar. × dus", "Aus × bus nothovar. × dus", ""),
  ])
  func normalisesHybridMarks(_ text: String, _ canonical: String, _ authorship: String) {
    let parts = ScientificNameParser.parse(text)
    #expect(parts.canonicalName == canonical && parts.authorship == authorship)
  }

  @Test(arguments: [
    ("Zea mays everta", "everta", SourceRank("subspecies"), "Zea mays everta"),
    ("Zea mays var. alba", "alba", SourceRank("variety"), "Zea mays var. alba"),
    ("Zea maxima", "maxima", SourceRank("species"), "Zea maxima"),
    ("Zea maxima", "maxima", nil, "Zea maxima"),
    ("Zea mays auct", "auct", SourceRank("species"), "Zea mays"),
    ("Zea hort", "hort", SourceRank("genus"), "Zea"),
  ])
  func keepsAnEpithetThatIsGivenAsAuthorship(
    _ text: String, _ given: String, _ rank: SourceRank?, _ canonical: String
  ) {
    #expect(
      ScientificNameParser.parse(text, authorship: given, rank: rank).canonicalName == canonical)
  }

  @Test func leavesWordsThatBeginWithX() {
    #expect(ScientificNameParser.parse("Xus xenops").canonicalName == "Xus xenops")
  }

  @Test(arguments: [
    "Aus bus × Aus cus", "Aus bus x A. cus", "Aus × Bus", "Aus bus Bau × Aus cus Dau",
    "Aus bus × cus",
  ])
  func keepsFormulasWhole(_ text: String) {
    let parts = ScientificNameParser.parse(text)
    #expect(parts.canonicalName == text && parts.kind == .hybridFormula)
  }

  @Test(arguments: [
    "SH0887892.09FU", "BOLD:AAA1234", "Candidatus Aus bus", "Aus sp. 1", "Aus sp.",
    "uncultured bacterium",
    "Incertae sedis", "incertae sedis", "Aus virus", "Aus bus virus 2", "Aus bus K-12",
    "Aus bus str. X",
    "Aus bus strain ATCC 123", "[Aus] bus", "Aus cf. bus", "Aus aff. bus Cau", "? bus Cau",
    "Aus_bus",
    "+ Aus", "Unidentified", "AusBus", "Aus bus var.", "Aus bus, cus", "1234", "Aus bus 1900 cus",
  ])
  func keepsOthersWhole(_ text: String) {
    let parts = ScientificNameParser.parse(text)
    #expect(parts.canonicalName == text && parts.kind == .informal && parts.authorship.isEmpty)
  }

  @Test(arguments: ["Aus bus 'Cus'", "Aus ‘Bus Cus’", "Aus bus cv. Cus", "Aus \"Bus\""])
  func keepsCultivarsWhole(_ text: String) {
    let parts = ScientificNameParser.parse(text)
    #expect(parts.canonicalName == text && parts.kind == .cultivar)
  }

  @Test(arguments: [
    ("Aus bus (auct.) Cau", "", "(auct.) Cau"),
    ("Aus bus auct., nom. nud.", "", "auct., nom. nud."),
    ("Aus bus (non Cau, 1836) sensu Dau, 1968", "", "(non Cau, 1836) sensu Dau, 1968"),
    ("Aus bus Cau et al., 1999 emend. Dau, 2004", "Cau et al., 1999", "emend. Dau, 2004"),
    ("Aus bus (Bau, 1985) Cau, 2011 nec Bau, 1985", "(Bau, 1985) Cau, 2011", "nec Bau, 1985"),
    ("Aus bus Cau, nom. illeg., non A. cus", "Cau", "nom. illeg., non A. cus"),
    ("Aus bus Cau & Dau sensu lato", "Cau & Dau", "sensu lato"),
    ("Aus bus Cau s. l.", "Cau", "s. l."),
    ("Aus bus Cau, p.p.", "Cau", "p.p."), ("Aus bus (Bau non Cau) Dau", "(Bau non Cau) Dau", ""),
    ("Aus bus Cau, 1830: 196", "Cau, 1830", "196"),
  ])
  func separatesPhrases(_ text: String, _ authorship: String, _ phrase: String) {
    let parts = ScientificNameParser.parse(text)
    #expect(
      parts.canonicalName == "Aus bus" && parts.authorship == authorship && parts.phrase == phrase)
  }

  @Test func takesMarksOff() {
    let extinct = ScientificNameParser.parse("†Aus bus Cau, 1900")
    #expect(extinct.canonicalName == "Aus bus" && extinct.isExtinct && extinct.year == 1900)
    let doubtful = ScientificNameParser.parse("Aus ?bus Cau")
    #expect(doubtful.canonicalName == "Aus bus" && doubtful.isUncertain)
    #expect(doubtful.authorship == "Cau")
    #expect(ScientificNameParser.parse("Aus cf. bus").isUncertain)
  }

  @Test func believesTheSeparateAuthorship() {
    let cut = ScientificNameParser.parse("Aus bus (Bau, 1758)", authorship: " (Bau, 1758) ")
    #expect(cut.canonicalName == "Aus bus" && cut.authorship == "(Bau, 1758)" && cut.year == 1758)
    let other = ScientificNameParser.parse("Aus bus B.", authorship: "Bau")
    #expect(other.canonicalName == "Aus bus" && other.authorship == "Bau")
    let without = ScientificNameParser.parse("Aus bus", authorship: "Bau auct. non Cau")
    #expect(without.authorship == "Bau" && without.phrase == "auct. non Cau")
    let capital = ScientificNameParser.parse("Aus Smithi", authorship: "(Bau, 1884)")
    #expect(capital.canonicalName == "Aus Smithi" && capital.authorship == "(Bau, 1884)")
    let strange = ScientificNameParser.parse("Aus sp. 1 Bau", authorship: "Bau")
    #expect(strange.canonicalName == "Aus sp. 1" && strange.authorship == "Bau")
  }

  @Test func usesTheRank() {
    let species = SourceRank.species
    #expect(ScientificNameParser.parse("Aus Smithi", rank: species).canonicalName == "Aus Smithi")
    #expect(ScientificNameParser.parse("Aus la", rank: species).kind == .scientific)
    #expect(ScientificNameParser.parse("Aus Smith", rank: .genus).canonicalName == "Aus")
    let van = ScientificNameParser.parse("Aus van Cau, 2009", rank: species)
    #expect(van.canonicalName == "Aus van" && van.authorship == "Cau, 2009")
    #expect(ScientificNameParser.parse("Aus van Cau, 2009").authorship == "van Cau, 2009")
    let subgenus = ScientificNameParser.parse("Aus (Bus) Cau, 1900", rank: SourceRank("subgenus"))
    #expect(subgenus.canonicalName == "Aus (Bus)" && subgenus.authorship == "Cau, 1900")
  }

  @Test func findsNoAuthorshipWhereThereCannotBeOne() {
    let parts = ScientificNameParser.parse("Aus bus Cau", mayHoldAuthorship: false)
    #expect(parts.canonicalName == "Aus bus Cau" && parts.kind == .informal)
  }

  /// No letter is lost or invented, whatever the words and their order.
  @Test func keepsEveryLetter() {
    let pieces = [
      "Aus", "bus", "Cau", "(Dau)", "f.", "var.", "sp.", "×", "1900", "non", "de", "'Eus'", "(",
      "?",
    ]
    var count = 0
    for a in pieces {
      for b in pieces {
        for c in pieces {
          for d in pieces {
            let text = "\(a) \(b) \(c) \(d)"
            let parts = ScientificNameParser.parse(text)
            // The authorship of a species goes where one below it has its own.
            if parts.kind == .scientific, text.contains("var.") || text.contains("f.") { continue }
            let whole = parts.canonicalName + parts.authorship + parts.phrase
            let letters = { (text: String) in text.filter { $0.isLetter || $0.isNumber } }
            #expect(letters(whole) == letters(text), "\(text): \(parts)")
            count += 1
          }
        }
      }
    }
    #expect(count > 10_000)
  }
}

struct AuthorshipParserTests {
  @Test(arguments: [
    ("L.", nil), ("(Linnaeus, 1758)", 1758), ("Bau, 1910 (1812)", 1910),
    ("(Bau, 1910 (1812))", 1910), ("Bau, 1973 [1974]", 1973), ("Bau 1845-1846", 1845),
    ("(Bau, 1985) Cau, 2011", 1985), ("Bau, 1935h", 1935), ("Bau, 198?", nil),
    ("Bau (1935)", 1935), ("Bau, 9999", nil), ("Bau, 19351, 1936", 1936), ("", nil),
    ("(Bau, AB; Cau, CD, 1843)", 1843),
  ])
  func findsTheFirstYear(_ text: String, _ year: Int?) {
    let parsed = AuthorshipParser.parse(text)
    #expect(parsed.year == year && parsed.text == text)
  }

  @Test func keepsWhatIsNoAuthorship() {
    #expect(AuthorshipParser.parse("see 12 #$").text == "see 12 #$")
    #expect(AuthorshipParser.parse("auct. non L.").phrase == "auct. non L.")
  }
}
