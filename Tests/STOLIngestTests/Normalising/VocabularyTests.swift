import STOLIngest
import STOLPack
import Testing
import STOLNames

struct SourceRankTests {
  @Test(arguments: [
    ("superkingdom", "domain"), ("acellular root", "domain"), ("Empire", "domain"),
    ("regn.", "kingdom"), ("REINO", "kingdom"), ("division", "phylum"), ("DIVISIO", "phylum"),
    ("cl.", "class"), ("Ordnung", "order"), ("FAMILIA", "family"), ("Famille", "family"),
    ("GÊNERO", "genus"), ("Gattung", "genus"), ("ESPECIE", "species"), (" sp. ", "species"),
  ])
  func keepsTheEightRanks(_ text: String, _ kept: String) {
    #expect(SourceRank(text)?.kept?.name == kept)
  }

  @Test(arguments: [
    ("ssp.", "subspecies"), ("SUB_ESPECIE", "subspecies"),
    ("SUBESPECIE", "subspecies"), ("varietas", "varietas"),
    ("VARIEDADE", "variety"), ("f.", "form"), ("forma", "forma"), ("f. sp.", "forma specialis"),
    ("forma_specialis", "forma specialis"), ("sect.", "section"), ("no rank", "no rank"),
    ("NO_RANK", "no rank"), ("none", "no rank"), ("unranked", "unranked"),
    ("no rank - terminal", "no rank - terminal"), ("clade", "clade"),
    ("species group", "species group"),
    ("Superfamily", "superfamily"), ("section_zoology", "section zoology"),
    ("Infraspecies", "infraspecific name"),
  ])
  func namesOthers(_ text: String, _ name: String) throws {
    let rank = try #require(SourceRank(text))
    #expect(rank.canonicalName == name && rank.kept == nil && rank.isKnown)
  }

  @Test func keepsUnknownWordsAsTheyAre() throws {
    #expect(SourceRank(" ") == nil)
    let rank = try #require(SourceRank(" Wibble "))
    #expect(rank.canonicalName == "Wibble" && rank.level == nil && !rank.isKnown)
    #expect(!rank.isBelowSpecies)
  }

  @Test func ordersRanks() throws {
    let words = [
      "domain", "kingdom", "subkingdom", "phylum", "class", "cohort", "superorder", "order",
      "family",
      "tribe", "genus", "subgenus", "section", "species group", "species", "subspecies", "variety",
      "form", "strain",
    ]
    let levels = try words.map { try #require(SourceRank($0)?.level) }
    #expect(levels == levels.sorted() && Set(levels).count == levels.count)
    #expect(SourceRank("strain")?.isBelowSpecies == true)
    #expect(SourceRank("species")?.isBelowSpecies == false)
    #expect(SourceRank("sect.")?.isBetweenGenusAndSpecies == true)
    #expect(SourceRank("clade")?.level == nil)
  }
}

struct TaxonomicStatusTests {
  @Test(arguments: [
    ("valid", TaxonomicStatus.accepted), ("NOME_ACEITO", .accepted), ("accepted name", .accepted),
    ("Local Biotype", .accepted), ("Artificial Hybrid", .accepted), ("SINONIMO", .synonym),
    ("heterotypic synonym", .synonym), ("HOMOTYPIC_SYNONYM", .synonym), ("misapplied", .synonym),
    ("pro parte synonym", .synonym), ("ambiguous synonym", .synonym), ("invalid", .synonym),
    ("not accepted", .synonym), ("orthographic", .synonym), ("provisionally accepted", .doubtful),
    ("Unplaced", .doubtful), ("unassessed", .doubtful), ("Bare Name", .bareName),
    ("https://example.org/vocabulary/nomenclatural_status/valid", .accepted),
  ])
  func readsWordsOfSources(_ text: String, _ status: TaxonomicStatus) {
    #expect(TaxonomicStatus(text) == status)
  }

  @Test(arguments: ["", "9", "wibble"]) func knowsNothingOfOthers(_ text: String) {
    #expect(TaxonomicStatus(text) == nil)
  }
}

struct NameStatusWordTests {
  @Test(arguments: [
    ("", "synonym", ""), ("synonym", "synonym", ""), ("SYNONYM", "synonym", ""),
    ("invalid", "synonym", "invalid"), ("homotypic", "homotypic", ""),
    ("HOMOTYPIC_SYNONYM", "homotypic", "HOMOTYPIC_SYNONYM"),
    ("heterotypicSynonym", "heterotypic", "heterotypicSynonym"), ("in-part", "in-part", ""),
    ("PROPARTE_SYNONYM", "in-part", "PROPARTE_SYNONYM"),
    ("pro parte synonym", "in-part", "pro parte synonym"), ("p.p.", "in-part", "p.p."),
    ("misapplied", "misapplied", ""), ("misspelling", "misspelling", ""),
    ("equivalent name", "equivalent", "equivalent name"), ("includes", "includes", ""),
    ("genbank acronym", "acronym", "genbank acronym"), ("acronym", "acronym", ""),
    ("ambiguous synonym", "ambiguous", "ambiguous synonym"), ("wibble", "synonym", "wibble"),
    ("accepted", "synonym", "accepted"),
  ])
  func readsWordsOfSources(_ text: String, _ word: String, _ further: String) {
    #expect(NameStatusWord.ofSynonym(text) == word)
    #expect(NameStatusWord.further(text, than: word) == further)
  }

  /// What is said of the use of a name counts where the status says no more than that it is a synonym.
  @Test(arguments: [
    ("auct. non L.", "misapplied"), ("auct non (Roe) Poe", "misapplied"),
    ("Auctt., p.p.", "misapplied"), ("auctorum", "misapplied"), ("sensu auct.", "misapplied"),
    ("p.p.", "in-part"), ("p. p.", "in-part"), ("pro parte", "in-part"), ("p.p. minore", "in-part"),
    ("sensu Busch, 1930", "synonym"), ("non L.", "synonym"), ("s.l.", "synonym"),
    ("auctionis", "synonym"), ("", "synonym"),
  ])
  func readsTheUseOfAName(_ sensu: String, _ word: String) {
    for text in ["", "synonym", "wibble"] {
      #expect(NameStatusWord.ofSynonym(text, sensu: sensu) == word, "\(text)")
    }
    #expect(NameStatusWord.ofSynonym("heterotypic", sensu: sensu) == "heterotypic")
  }
}

struct ConservationCodeTests {
  @Test(arguments: [
    ("LC", "LC"), ("lc", "LC"), ("Least Concern", "LC"), ("LeastConcern", "LC"), ("LR/lc", "LC"),
    ("Lower Risk/least concern", "LC"), ("LR/nt", "NT"), ("LR/cd", "NT"), ("Near Threatened", "NT"),
    ("Lower Risk/conservation dependent", "NT"), ("VU D2", "VU"), ("VU A2cd; D1", "VU"),
    ("Endangered", "EN"), ("EN", "EN"), ("En peligro", "EN"), ("CR (PE)", "CR"),
    ("Critically Endangered (Possibly Extinct)", "CR"), ("vom Aussterben bedroht", "CR"),
    ("Extinct in the Wild", "EW"), ("Extinct", "EX"), ("éteint", "EX"), ("Not Evaluated", "NE"),
    ("Não avaliada", "NE"), ("Data Deficient", "DD"), ("Données insuffisantes", "DD"),
    ("http://example.org/iucn/extinctInTheWild", "EW"), ("https://example.org/status#EN", "EN"),
  ])
  func readsCodesAndPhrases(_ text: String, _ code: String) {
    #expect(ConservationCode(text)?.rawValue == code)
  }

  @Test(arguments: ["", "en estudio", "not endangered", "secure", "G5", "regionally extinct"])
  func knowsNothingOfOthers(_ text: String) {
    #expect(ConservationCode(text) == nil)
  }
}
