import STOLMatch
import STOLPack
import TestSupport
import Testing

/// Names as people write them, over a few taxa of which every answer can be told by hand.
struct NameMatcherTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func match(
    _ query: MatchQuery, _ options: NameMatcher.Options = NameMatcher.Options()
  ) throws -> (match: NameMatch, id: String?) {
    let pack = try SmallPack.make(SmallPack.life, folder: folder)
    var matcher = NameMatcher(options: options)
    let match = matcher.match(query, in: pack.view)
    return (match, match.taxon.flatMap { pack.view.sourceID(of: $0) })
  }

  @Test(
    arguments: [
      ("Panthera leo", .exact, "6"), ("PANTHERA LEO", .exact, "6"),
      ("Panthera leo (Linnaeus, 1758)", .exact, "6"), ("<i>Panthera leo</i>", .exact, "6"),
      ("Felis leo L.", .synonym, "6"), ("Panthera (Panthera) leo", .exact, "6"),
      ("Panthera lea", .fuzzy, "6"), ("Panthera pardis", .fuzzy, "8"),
      ("Panthra pardus", .fuzzy, "8"), ("Panthera leo subsp. persica", .exact, "7"),
      ("Panthera leo nubica", .partial, "6"), ("Panthera nebulosa", .partial, "5"),
      ("Panthera sp.", .partial, "5"), ("Bromus cf. sterilis L.", .partial, "22"),
      ("Bromus sterile", .fuzzy, "23"), ("Gramineae", .synonym, "21"),
    ] as [(String, MatchStatus, String)])
  func aNameLeadsToItsTaxon(_ name: String, _ status: MatchStatus, _ id: String) throws {
    let found = try match(MatchQuery(name))
    #expect(found.match.status == status, "\(found.match)")
    #expect(found.id == id)
    #expect((1...100).contains(found.match.score))
  }

  @Test(
    arguments: [
      ("PANTHERA LEÖ", .exact, "6"), ("PÁNTHERA LEO", .exact, "6"), ("Panthera Leo", .exact, "6"),
      ("Panthera Leoo", .fuzzy, "6"), ("Panthera Pardvs", .fuzzy, "8"),
      ("Felidae Cat", .partial, "4"), ("Poaceae Green Grass", .partial, "21"),
      ("Panthera Oken", .exact, "5"), ("Panthera leo.", .exact, "6"),
      ("Panthera cf.", .partial, "5"),
      ("Puma Jardine 1834", .exact, "9"), ("Felidae Fischer, 1817", .exact, "4"),
    ] as [(String, MatchStatus, String)])
  func aCapitalAloneMakesNoAuthor(
    _ name: String, _ status: MatchStatus, _ id: String
  ) throws {
    let found = try match(MatchQuery(name))
    #expect(found.match.status == status, "\(found.match)")
    #expect(found.id == id, "\(found.match)")
  }

  @Test func aHomonymIsOneHoweverCertainAnAnswerHasToBe() throws {
    var options = NameMatcher.Options()
    options.leastScore = 99
    let found = try match(MatchQuery("Oenanthe"), options)
    #expect(found.match.status == .ambiguous)
    #expect(Set(found.match.candidates.map(\.taxon)).count == 2)
    #expect(try match(MatchQuery("Panthera Leoo"), options).match.status != .ambiguous)
  }

  @Test(arguments: ["Oenanthe", "Elytrigia repens"])
  func severalTaxaAreAmbiguousWithAllOfThem(_ name: String) throws {
    let found = try match(MatchQuery(name))
    #expect(found.match.status == .ambiguous || found.id == "24")
    #expect(Set(found.match.candidates.map(\.taxon)).count == 2)
  }

  @Test func anAuthorTellsHomonymsApart() throws {
    #expect(try match(MatchQuery("Oenanthe L.")).id == "28")
    #expect(try match(MatchQuery("Oenanthe", authorship: "Vieillot")).id == "12")
    #expect(try match(MatchQuery("Elytrigia repens Nevski")).id == "26")
    #expect(try match(MatchQuery("Elytrigia repens (L.) Desv.")).id == "25")
  }

  @Test func aHintTellsHomonymsApart() throws {
    let plant = MatchQuery("Oenanthe", hints: [("kingdom", "Plantae")])
    #expect(try match(plant).id == "28")
    let spaced = MatchQuery("Oenanthe", hints: [("kingdom", " Plantae\u{A0}"), ("family", " ")])
    #expect(try match(spaced).id == "28")
    let family = MatchQuery("Oenanthe", hints: [("family", "Umbelliferae")])
    #expect(try match(family).id == "28")
    let rank = MatchQuery("P. concolor", hints: [("genus", "Puma")])
    #expect(try match(rank).id == "10")
  }

  @Test func aKingdomThatContradictsIsNoMatch() throws {
    let query = MatchQuery("Puma concolor", hints: [("kingdom", "Plantae")])
    let none = try match(query)
    #expect(none.match.status == .notFound && none.id == nil)
    #expect(none.match.reason == "kingdom differs")
    var options = NameMatcher.Options()
    options.followsGBIF = true
    let found = try match(query, options)
    #expect(found.match.status == .partial && found.id == "20")
    #expect(found.match.difference == .hint)
    // What nobody knows is somewhere in what it is said to be in.
    let unknown = try match(MatchQuery("Zzyzx quuxius", hints: [("kingdom", "Plantae")]))
    #expect(unknown.match.status == .partial && unknown.id == "20")
  }

  @Test func strictTakesNoMisspellingAndNoOtherAuthor() throws {
    var options = NameMatcher.Options()
    options.isStrict = true
    #expect(try match(MatchQuery("Panthera pirdus"), options).match.status == .notFound)
    #expect(try match(MatchQuery("Puma concolor Smith, 1901"), options).match.status == .notFound)
    #expect(try match(MatchQuery("Puma concolor (L., 1771)"), options).id == "10")
  }

  @Test func aSubgenusThatIsNotKnownLeadsToItsGenus() throws {
    for name in ["Panthera (Uncia)", "Panthera (Unciella) Smith, 1900", "Panthera subg. Uncia"] {
      let found = try match(MatchQuery(name))
      #expect(found.match.status == .partial && found.id == "5", "\(name): \(found.match)")
    }
  }

  @Test func aParticleIsAnEpithetWhereSomethingIsCalledSo() throws {
    let lines = SmallPack.life + "\n30 9 species Puma van | Bosmans, 2009"
    let pack = try SmallPack.make(lines, folder: folder)
    var matcher = NameMatcher()
    let species = matcher.match(MatchQuery("Puma van Bosmans, 2009"), in: pack.view)
    #expect(
      species.status == .exact && species.taxon.flatMap { pack.view.sourceID(of: $0) } == "30")
    let genus = matcher.match(MatchQuery("Panthera van Bosmans, 2009"), in: pack.view)
    #expect(genus.taxon.flatMap { pack.view.sourceID(of: $0) } == "5")
  }

  @Test func whatIsNoNameIsNeverAGuess() throws {
    for text in ["BOLD:AAX3687", "tobacco mosaic virus", "Panthera leo × Panthera pardus", "Homo"] {
      #expect(try match(MatchQuery(text)).id == nil, "\(text)")
    }
    for text in ["", " ", "\u{200B}"] {
      #expect(try match(MatchQuery(text)).match.status == .invalid)
    }
    #expect(try match(MatchQuery(String(repeating: "a", count: 513))).match.status == .invalid)
  }

  @Test func lettersThatScannersConfuseCountOnlyWhereThatIsAskedFor() throws {
    var options = NameMatcher.Options()
    options.allowsScannerErrors = true
    let found = try match(MatchQuery("Brornus sterilis"), options)
    #expect(found.id == "23" && found.match.difference == .scanner)
    #expect(try match(MatchQuery("Brornus sterilis")).match.difference != .scanner)
  }

  @Test(arguments: [
    ("Panthera parrdussi", "8"), ("Pamthera pardoss", "8"), ("Puma konkolorre", "10"),
    ("Oenanthe krokataes", "29"), ("Bromuus zterrilys", "23"),
  ])
  func theLikeliestOfWhatIsFarIsAnAnswerOnlyWhereAnyScoreIs(_ name: String, _ id: String) throws {
    var options = NameMatcher.Options()
    options.leastScore = 0
    let found = try match(MatchQuery(name), options)
    #expect(found.match.status == .fuzzy && found.id == id, "\(found.match)")
    #expect(found.match.difference == .farther && found.match.score < 50)
    #expect(try match(MatchQuery(name)).match.status != .fuzzy)
    options.leastScore = 50
    #expect(try match(MatchQuery(name), options).match.status != .fuzzy)
  }

  @Test(arguments: ["Panthera zzzzzz", "Panthera tigris", "Puma yagouaroundi", "Zzzz concolor"])
  func whatIsUnlikeEverythingIsNoAnswerAtAnyScore(_ name: String) throws {
    var options = NameMatcher.Options()
    options.leastScore = 0
    #expect(try match(MatchQuery(name), options).match.status != .fuzzy)
  }

  @Test func ofAuthorsWhoAreNotThoseOfTheNameTheReasonSaysSo() throws {
    for name in ["Panthera leo auct.", "Panthera leo auctt. non L.", "Panthera leo sensu auct."] {
      let found = try match(MatchQuery(name))
      #expect(found.id == "6" && found.match.reason.contains("auct."), "\(found.match.reason)")
    }
    #expect(try match(MatchQuery("Panthera leo sensu Smith")).match.reason == "name")
  }

  @Test(arguments: [
    "Panthera leo or Panthera pardus", "Panthera leo vel pardus", "Panthera leo or pardus",
    "Panthera leo vel Puma concolor", "Panthera leo et pardus", "Panthera leo, pardus",
  ])
  func severalNamesAreNotTheFirst(_ name: String) throws {
    let found = try match(MatchQuery(name))
    #expect([.ambiguous, .partial].contains(found.match.status), "\(found.match)")
    #expect(found.id != "6" && found.match.candidates.count > 1)
  }

  @Test(arguments: ["Panthera leo K-12", "Panthera leo str. K-12", "Panthera leo ATCC 25922"])
  func aStrainIsNotItsSpecies(_ name: String) throws {
    let found = try match(MatchQuery(name))
    #expect(
      found.match.status == .partial && found.id == "6" && found.match.reason == "species only")
  }

  @Test func everyPointOfEveryCandidateIsThere() throws {
    let found = try match(
      MatchQuery("Oenanthe L.", rank: "genus", hints: [("kingdom", "Plantae")]))
    let best = try #require(found.match.candidates.first)
    #expect(best.points.map(\.part) == ["name", "author", "rank", "kingdom"])
    #expect(best.total == best.points.reduce(0) { $0 + $1.value })
    #expect(best.total > found.match.candidates[1].total)
  }

  @Test(arguments: [
    "Panthera leo USNM 1234", "Panthera leo (CBS 100)", "Panthera leo GenBank AB1",
    "Panthera leo voucher X12", "Panthera leo (Linnaeus, 1758) USNM 1234",
  ])
  func aSpecimenIsOfItsSpecies(_ name: String) throws {
    let found = try match(MatchQuery(name))
    #expect(found.match.status == .exact && found.id == "6", "\(found.match)")
    #expect(
      found.match.reason.hasSuffix("of a specimen") && !found.match.reason.contains("differs"))
  }

  @Test(arguments: [
    "Panthera (Foo, 1900)", "Panthera Foo, 1900", "Panthera (Lamarck)", "Panthera Lamarck",
  ])
  func ofAnotherAuthorIsTheGenusAsWell(_ name: String) throws {
    let found = try match(MatchQuery(name))
    #expect(found.id == "5" && found.match.reason.contains("author differs"), "\(found.match)")
  }

  @Test(arguments: ["Oenanthe (Foo, 1900)", "Oenanthe Lamarck"])
  func homonymsOfOneWordOfOtherAuthorsAreNotLost(_ name: String) throws {
    let found = try match(MatchQuery(name))
    #expect(found.match.status == .ambiguous, "\(found.match)")
    #expect(Set(found.match.candidates.map(\.taxon)).count == 2)
  }
}
