import STOLMatch
import STOLPack
import TestSupport
import Testing

/// An answer says no more than is true: of the text as it stands, of hints, of doubts.
struct MatchTruthTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func match(
    _ query: MatchQuery, _ more: String = "", _ options: NameMatcher.Options = NameMatcher.Options()
  ) throws -> (match: NameMatch, id: String?) {
    let pack = try SmallPack.make(SmallPack.life + "\n" + more, folder: folder)
    var matcher = NameMatcher(options: options)
    let match = matcher.match(query, in: pack.view)
    return (match, match.taxon.flatMap { pack.view.sourceID(of: $0) })
  }

  /// Names that a reader of names takes apart.
  private static let marked = """
    31 6 variety Panthera leo var. nubica
    32 5 species Panthera sp. X1
    33 5 species Panthera x hybrida
    34 5 species Panthera leo circovirus
    35 20 genus x Pantherium
    36 5 species Panthera sp.
    37 5 species Candidatus Panthera pardus
    38 21 section Bromus sect. Genea
    39 5 species Panthera hybrid cultivar
    """

  @Test func whatThePackHasIsThatLetterForLetter() throws {
    for line in Self.marked.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      let name = String(words[3])
      for text in [name, name.uppercased(), name.replacing(" x ", with: " × ")] {
        let found = try match(MatchQuery(text), Self.marked)
        #expect(found.match.status == .exact && found.id == String(words[0]), "\(text): \(found)")
      }
      var options = NameMatcher.Options()
      options.isStrict = true
      #expect(try match(MatchQuery(name), Self.marked, options).id == String(words[0]))
    }
    // Every name of a pack, its own and that of a synonym.
    let pack = try SmallPack.make(SmallPack.life + "\n" + Self.marked, folder: folder)
    let view = pack.view
    var matcher = NameMatcher()
    for taxon in view.tree.taxa where !view.isImplied(taxon) {
      let match = matcher.match(MatchQuery(view.names.scientificName(of: taxon)), in: view)
      #expect(
        match.status == .ambiguous
          ? match.candidates.contains { $0.taxon == taxon } : match.taxon == taxon)
    }
  }

  /// Signs are more than letters: "?" doubts, "/" separates.
  @Test(arguments: [
    "Panthera ?nubica", "Panthera leo/nubica", "Panthera (cf.) leo", "Panthera [aff.] leo",
  ])
  func whatSignsSayIsNotLost(_ text: String) throws {
    let found = try match(
      MatchQuery(text), "40 6 variety Panthera leo nubica\n41 5 species Panthera nubica")
    #expect(found.match.status != .exact || found.match.reason.hasSuffix("doubted"), "\(found)")
    #expect(found.match.status != .exact || found.match.score < 95)
  }

  @Test(arguments: [
    "Panthera leo subsp. nov.", "Panthera leo ssp. indet.", "Panthera leo f. sp. canis",
    "Panthera leo bv. 3", "Panthera leo (cf. major)", "Panthera leo cf. persica",
  ])
  func aLowerTaxonThatIsNotKnownIsNotTheSpecies(_ text: String) throws {
    let found = try match(MatchQuery(text))
    #expect(found.match.status == .partial && found.id == "6", "\(found)")
  }

  @Test(arguments: [
    "Panthera Leo", "PANTHERA LEO", "Panthera Leo L.", "Panthera Leo (Linnaeus, 1758)",
  ])
  func capitalsMakeNoAuthorOfAnEpithet(_ text: String) throws {
    let found = try match(MatchQuery(text))
    #expect(found.match.status == .exact && found.id == "6", "\(found)")
  }

  @Test func aMarkerThatOnlyThePackHasIsNoDifference() throws {
    let lines = "31 6 variety Panthera leo var. nubica"
    #expect(try match(MatchQuery("Panthera leo nubica"), lines).id == "31")
    #expect(try match(MatchQuery("Panthera leo var. nubica"), lines).id == "31")
    let other = try match(MatchQuery("Panthera leo subsp. nubica"), lines)
    #expect(other.match.status == .partial && other.id == "6")
    let several = lines + "\n32 6 subspecies Panthera leo subsp. nubica"
    #expect(
      Set(try match(MatchQuery("Panthera leo nubica"), several).match.candidates.map(\.taxon)).count
        == 2)
    #expect(try match(MatchQuery("Panthera leo subsp. nubica"), several).id == "32")
  }

  /// What is true of a whole kingdom or class is no evidence for a letter.
  @Test func aHintThatFitsAllIsNoEvidence() throws {
    func score(_ name: String, _ hints: [(rank: String, name: String)]) throws -> Int {
      var options = NameMatcher.Options()
      options.leastScore = 0
      return try match(MatchQuery(name, hints: hints), "", options).match.score
    }
    let higher = [(rank: "kingdom", name: "Animalia"), (rank: "class", name: "Mammalia")]
    for name in ["Panthera parbux", "Penthara pardus", "Pantheru", "Puma concalar"] {
      #expect(try score(name, higher) == score(name, []), "\(name)")
    }
    let family = higher + [(rank: "family", name: "Felidae")]
    #expect(try score("Panthera parbux", family) == score("Panthera parbux", []))
    #expect(try score("Penthera pardus", family) > score("Penthera pardus", []))
  }

  @Test func whatAgreesMakesUpForNothingThatContradicts() throws {
    var query = MatchQuery("Panthera leo", authorship: "Smith, 1900")
    let alone = try match(query).match
    query.hints = [("kingdom", "Animalia"), ("class", "Mammalia"), ("family", "Felidae")]
    let agreed = try match(query).match
    #expect(alone.score == agreed.score && alone.score < 95)
    #expect(agreed.reason.contains("author differs"))
    // A family of another class is not that of a cat, whatever else fits.
    for hints in [
      [("family", "Poaceae")], [("kingdom", "Animalia"), ("family", "Poaceae")],
      [("kingdom", "Animalia"), ("class", "Aves")],
    ] {
      let found = try match(MatchQuery("Panthera leo", hints: hints))
      #expect(found.match.status == .notFound && found.match.reason.contains("differs"), "\(found)")
    }
    // One of the same class may be that of an older book, and a person should look.
    let near = try match(
      MatchQuery("Panthera leo", hints: [("family", "Canidae")]), "50 3 family Canidae")
    #expect(near.id == "6" && (90..<95).contains(near.match.score), "\(near)")
  }

  @Test func aCodeThatIsNoneSaysNothing() throws {
    for code in ["X12", "ICZN", "zoological", ""] {
      let found = try match(MatchQuery("Panthera leo", code: code))
      #expect(found.id == "6" && !found.match.reason.contains("code"), "\(code): \(found)")
    }
  }

  @Test func yearsFarApartTellHomonymsApart() throws {
    let lines = """
      60 5 species Panthera secunda | Smith, 1900
      = 8 species Panthera secunda | Smith, 1850
      """
    #expect(try match(MatchQuery("Panthera secunda Smith, 1850"), lines).id == "8")
    #expect(try match(MatchQuery("Panthera secunda Smith, 1900"), lines).id == "60")
    let other = try match(MatchQuery("Panthera pardus Linnaeus, 1900"))
    #expect(other.match.reason.contains("author agrees; year differs"), "\(other)")
    // Without a word on it, the one that is accepted is likelier, and no more than that.
    let shared = try match(MatchQuery("Panthera secunda"), lines)
    #expect(shared.id == "60" && shared.match.score < 95)
    #expect(shared.match.reason.contains("of another taxon too"))
  }

  /// The time of a text does not grow with the square of its words.
  @Test func manyWordsAreNoName() throws {
    let text = "Panthera " + Array(repeating: "bus", count: 120).joined(separator: " ")
    #expect(try match(MatchQuery(text)).match.status == .partial)
  }
}
