import Foundation
import STOLPack
import TestSupport
import Testing

/// Searches of random taxonomies against brute force over the rows.
struct SearchModelTests {
  @Test(arguments: TestSeeds.first(60))
  func searchEqualsBruteForce(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let source = RandomNames(&generator)
    let taxonomy = source.taxonomy(&generator)
    let oracle = SearchOracle(taxonomy)
    let pack = try taxonomy.pack()
    try pack.verify()
    let view = pack.view
    var session = SearchSession()
    var mismatches = Mismatches()
    for _ in 0..<300 {
      let edits = [0, 0, 1, 2, 3].randomElement(using: &generator) ?? 0
      let text = Misspelling.random(
        source.query(oracle, &generator), count: edits, letters: RandomNames.letters, &generator)
      let filter = Self.filter(taxonomy, &generator)
      let wished = RandomNames.languages.shuffled(using: &generator)
        .prefix([0, 0, 1, 2].randomElement(using: &generator) ?? 0)
      let query = SearchQuery(
        text, mode: .random(&generator),
        maximumDistance: [nil, nil, 0, 1, 2, 3, -1, 9].randomElement(using: &generator) ?? nil,
        words: Bool.random(using: &generator) ? .anyForm : .asTyped,
        preferredLanguages: Set(
          view.names.languages.all.indices.filter { wished.contains(view.names.languages.all[$0]) }
            .map { LanguageRow(rawValue: $0) }),
        limit: [0, 1, 2, 5, 50, Int.max].randomElement(using: &generator) ?? 50,
        filter: Self.searchFilter(filter, oracle, view))
      oracle.expect(query, filter: filter, in: view, &session, &mismatches)
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// One letter or space lost, added, replaced or swapped, at every position of every name.
  @Test(arguments: TestSeeds.first(6))
  func everySingleErrorIsForgiven(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let source = RandomNames(&generator)
    let oracle = SearchOracle(source.taxonomy(&generator))
    let pack = try oracle.taxonomy.pack()
    let view = pack.view
    var session = SearchSession()
    var mismatches = Mismatches()
    for name in oracle.names.shuffled(using: &generator).prefix(12) {
      for text in Misspelling.single(name.text, letters: ["a", "л", " "]) {
        let query = SearchQuery(text, mode: .random(&generator), limit: .max)
        oracle.expect(query, in: view, &session, &mismatches)
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  private static func filter(
    _ taxonomy: TestTaxonomy, _ generator: inout SeededGenerator
  ) -> SearchOracle.Filter {
    var filter = SearchOracle.Filter()
    guard Int.random(in: 0..<3, using: &generator) > 0 else { return filter }
    func isWanted() -> Bool { Int.random(in: 0..<4, using: &generator) == 0 }
    if isWanted() { filter.rank = MainRank.allCases.randomElement(using: &generator)?.name }
    if isWanted() { filter.status = Bool.random(using: &generator) ? "accepted" : "doubtful" }
    if isWanted() {
      filter.conservation = (RandomNames.codes.randomElement(using: &generator) ?? nil) ?? ""
    }
    if isWanted() {
      let count = Int.random(in: 0...3, using: &generator)
      filter.languages = Set(RandomNames.languages.shuffled(using: &generator).prefix(count))
    }
    if isWanted() {
      filter.clade =
        taxonomy.taxa.filter { $0.status != "synonym" }
        .randomElement(using: &generator)?.id
    }
    for key in ["habitat", "diet", "none"] where isWanted() {
      let value = ["a", "b", nil].randomElement(using: &generator) ?? nil
      filter.traits.append((key, value))
    }
    return filter
  }

  /// The filter in the numbers of a pack; one that no taxon passes where the pack has no such row.
  private static func searchFilter(
    _ filter: SearchOracle.Filter, _ oracle: SearchOracle, _ view: borrowing PackView
  ) -> SearchFilter {
    func none<Element>() -> TableRow<Element> { TableRow(rawValue: -1) }
    var result = SearchFilter()
    if let rank = filter.rank {
      result.rank = view.taxa.ranks.row(of: TaxonRank(rawValue: rank)) ?? none()
    }
    if let status = filter.status {
      // What schema 1 calls doubtful is provisional.
      let word = status == "doubtful" ? "provisional" : status
      result.status = view.taxa.statuses.row(of: word) ?? none()
    }
    if let code = filter.conservation {
      result.conservation = view.taxa.conservationCodes.row(of: code) ?? none()
    }
    if let clade = filter.clade { result.clade = view.tree.subtree(of: oracle.tree.ordinal(clade)) }
    if let languages = filter.languages {
      result.languages = []
      for language in languages {
        if let row = view.names.languages.row(of: language) { result.languages?.insert(row) }
      }
    }
    for (key, value) in filter.traits {
      result.traits.append(Set(view.traits.pairs(key: key, value: value)))
    }
    return result
  }

  @Test(arguments: TestSeeds.first(40))
  func resolvingANameEqualsBruteForce(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let source = RandomNames(&generator)
    let taxonomy = source.taxonomy(&generator)
    let oracle = SearchOracle(taxonomy)
    let pack = try taxonomy.pack()
    let view = pack.view
    var mismatches = Mismatches()
    var ahead = NameReadAhead()
    let texts = oracle.names.map(\.text) + (0..<50).map { _ in source.name(&generator) }
    for text in texts {
      let filter = Self.filter(taxonomy, &generator)
      // Of the names that equal the text, the best of each taxon: scientific names, else all others,
      // the best known first.
      let hits = oracle.search(text, mode: .exact, words: .asTyped, filter: filter)
      let scientific = hits.filter { oracle.names[$0.name].type.isEmpty }
      let best = scientific.isEmpty ? hits : scientific
      var word = best.isEmpty ? "none" : "several"
      if best.count == 1 {
        switch oracle.names[best[0].name].type {
        case "": word = "exact"
        case "synonym": word = "synonym"
        default: word = "common"
        }
      }
      let got: (word: String, taxa: [Int])
      let resolved = view.resolve(text, filter: Self.searchFilter(filter, oracle, view))
      // Before and after it is read ahead.
      for _ in 0..<2 {
        if let plain = view.resolvePlain(
          Array(text.utf8).span, filter: Self.searchFilter(filter, oracle, view))
        {
          mismatches.compare(plain, resolved, "\"\(text)\" \(filter), plain")
        }
        ahead.note(Array(text.utf8).span, in: view)
        ahead.read(in: view)
      }
      switch resolved {
      case .found(let taxon): got = ("exact", [taxon.index])
      case .synonym(let taxon, _): got = ("synonym", [taxon.index])
      case .common(let taxon, _): got = ("common", [taxon.index])
      case .ambiguous(let found): got = ("several", found.map(\.index))
      case .notFound: got = ("none", [])
      case .merged, .deleted, .invalid: got = ("an id", [-1])
      }
      mismatches.compare(got.word, word, "\"\(text)\" \(filter)")
      mismatches.compare(got.taxa, best.map(\.taxon), "\"\(text)\" \(filter)")
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// Two taxa named alike, one of them with a common name, of a lower rank.
  private static let homonyms: TestTaxonomy = {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa = [
      TaxonRow(id: 1, parentID: nil, rank: "genus", scientificName: "Leo"),
      TaxonRow(id: 2, parentID: nil, rank: "species", scientificName: "Leo"),
      TaxonRow(id: 3, parentID: nil, rank: "species", scientificName: "Panthera leo"),
    ]
    taxonomy.names = [NameRow(id: 1, taxonID: 2, name: "lion", language: "en", type: "common")]
    return taxonomy
  }()

  @Test func ambiguousNamesComeBestKnownFirst() throws {
    let pack = try Self.homonyms.pack()
    let view = pack.view
    guard case .ambiguous(let taxa) = view.resolve("leo") else {
      Issue.record("not ambiguous")
      return
    }
    let ids = taxa.map { view.ids[$0].rawValue }
    #expect(ids == [2, 1])
  }

  @Test func exactSearchOfAQuotedTextFindsEqualNamesOnly() throws {
    let pack = try Self.homonyms.pack()
    let view = pack.view
    let hits = view.search(SearchQuery("\"leo\"", mode: .exact))
    let ids = hits.map { view.ids[$0.taxon].rawValue }
    #expect(ids == [2, 1])
  }

  /// NCBI writes names that are not validly published so.
  @Test func aNameInDoubleQuotesIsFoundByItself() throws {
    var taxonomy = Self.homonyms
    for (id, name) in [
      (50, "Bacillus leo"), (51, "\"Bacillus leo\""), (52, "\"Bacillus leo\" group"),
    ] {
      taxonomy.taxa.append(
        TaxonRow(id: Int64(id), parentID: nil, rank: "species", scientificName: name))
    }
    taxonomy.taxa.append(TaxonRow(id: 53, parentID: nil, rank: "species", scientificName: "\"\""))
    let pack = try taxonomy.pack()
    try pack.verify()
    let view = pack.view
    func ids(_ text: String, _ mode: SearchQuery.Mode) -> [Int64] {
      view.search(SearchQuery(text, mode: mode)).map { view.ids[$0.taxon].rawValue }
    }
    let found = ids("\"Bacillus leo\"", .exact)
    #expect(found == [51])
    let others = ids("\"bacillus leo\"", .auto)
    #expect(others == [51, 50])
    let plain = ids("Bacillus leo", .exact)
    #expect(plain == [50])
    let empty = ids("\"\"", .exact)
    #expect(empty == [53])
    let resolved = view.resolve("\"Bacillus leo\"").taxon.map { view.ids[$0].rawValue }
    #expect(resolved == 51)
    let word = view.resolve("\"Bacillus\"")
    #expect(word == .notFound)
  }

  @Test func resolvingAQuotedTextGuessesNothing() throws {
    let pack = try Self.homonyms.pack()
    let view = pack.view
    // Only "Panthera leo" holds the word, and that is not its name.
    let resolution = view.resolve("\"panthera\"")
    #expect(resolution == .notFound)
  }

  @Test func resolvesIdsBlanksAndOverlongTexts() throws {
    let pack = try Self.homonyms.pack()
    let view = pack.view
    let answers = [
      view.resolve("3"), view.resolve("99"), view.resolve("-1"), view.resolve(""),
      view.resolve(" \t\n"), view.resolve(String(repeating: "a", count: 513)),
      view.resolve(String(repeating: "a", count: 512)), view.resolve("LION"),
    ]
    let lion = TaxonOrdinal(rawValue: 1)
    let last = TaxonOrdinal(rawValue: 2)
    let expected: [TaxonResolution] = [
      .found(last), .notFound, .notFound, .invalid, .invalid, .invalid, .notFound,
      .common(lion, NameOrdinal(rawValue: 3)),
    ]
    #expect(answers == expected)
  }

  @Test func onlyPlainNamesOfOneTaxonAreResolvedAsPlain() throws {
    let pack = try Self.homonyms.pack()
    let view = pack.view
    for text in ["LION", "panthera LEO"] {
      let plain = view.resolvePlain(Array(text.utf8).span)
      #expect(plain != nil && plain == view.resolve(text))
    }
    for text in ["leo", "tiger", "3", "", " lion", "l\u{EF}on", String(repeating: "a", count: 513)]
    {
      let plain = view.resolvePlain(Array(text.utf8).span)
      #expect(plain == nil, "\(text)")
    }
  }

  private static let nastyPieces = [
    "a", "A", "b", "Ab", "aB", " ", "  ", "_", "-", "–", "'", "’", "é", "e\u{301}", "É", "ß", "ẞ",
    "Æ", "×", "\u{301}", "\u{200B}", "\u{A0}", "\t", "\n", "\u{0}", "ﬁ", "獅子", "ライオン", "가", "हि",
    "1", "Ⅷ", "\u{FEFF}", "🦁", "leo", "Leo", "LEO", "z", "Z", "[", "@", "{", "`", "\"",
  ]

  @Test(arguments: TestSeeds.first(40))
  func namesReadBackAsTheyWereWritten(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func piece() -> String { Self.nastyPieces.randomElement(using: &generator) ?? "a" }
    func name() -> String {
      (0..<Int.random(in: 1...6, using: &generator)).map { _ in piece() }.joined()
    }
    var taxonomy = RandomNames(&generator).taxonomy(&generator)
    for index in taxonomy.taxa.indices {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: taxonomy.taxa[index].scientificName = name()
      case 1:
        // As a binomial would be, with a nasty first or second word.
        let parent = taxonomy.taxa.first { $0.id == taxonomy.taxa[index].parentID }
        taxonomy.taxa[index].scientificName = (parent?.scientificName ?? piece()) + " " + piece()
      default: break
      }
    }
    for index in taxonomy.names.indices { taxonomy.names[index].name = name() }
    let oracle = SearchOracle(taxonomy)
    let pack = try taxonomy.pack()
    let view = pack.view
    var mismatches = Mismatches()
    for expected in oracle.names {
      let number = NameOrdinal(rawValue: UInt32(expected.number))
      let what = "name \(expected.number)"
      mismatches.compare(Array(view.names.text(of: number).utf8), Array(expected.text.utf8), what)
      mismatches.compare(view.names.taxon(of: number).index, expected.taxon, "taxon of \(what)")
      guard !expected.type.isEmpty else { continue }
      mismatches.compare(view.names.type(of: number).rawValue, expected.type, "type of \(what)")
      mismatches.compare(
        view.names.languages[view.names.language(of: number)], expected.language,
        "language of \(what)")
      mismatches.compare(
        view.names.isPreferred(number), expected.isPreferred, "preference of \(what)")
    }
    mismatches.compare(view.names.furtherCount, oracle.names.count - view.taxonCount, "count")
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
    try pack.verify()
  }

  /// Texts that Swift holds to be equal, but that have other bytes, are told apart.
  @Test func textsOfOtherBytesReadBackAsTheyWereWritten() throws {
    let forms = ["Mu\u{308}ller", "M\u{FC}ller"]
    var taxonomy = TestTaxonomy()
    for (index, form) in forms.enumerated() {
      let id = Int64(index)
      taxonomy.taxa.append(
        TaxonRow(
          id: id, parentID: nil, rank: "genus", scientificName: form, author: form,
          conservation: form))
      taxonomy.names.append(
        NameRow(id: id, taxonID: id, name: form, language: form, type: "common"))
      taxonomy.traits.append(
        TraitRow(id: id, taxonID: id, key: form, value: form, unit: form))
    }
    let pack = try taxonomy.pack()
    let view = pack.view
    var got: [[[UInt8]]] = []
    for index in 0..<2 {
      let ordinal = TaxonOrdinal(rawValue: UInt32(index))
      let taxon = view.taxon(ordinal)
      let names = view.furtherNames(of: ordinal)
      let traits = view.traitList(of: ordinal)
      let texts =
        [taxon.scientificName, taxon.author ?? "", taxon.conservationStatus ?? ""]
        + names.flatMap { [$0.name, $0.language] }
        + traits.flatMap { [$0.key, $0.value, $0.unit ?? ""] }
      got.append(texts.map { Array($0.utf8) })
    }
    let expected = forms.map { [[UInt8]](repeating: Array($0.utf8), count: 8) }
    #expect(got == expected)
  }

  @Test(arguments: TestSeeds.first(10))
  func theSameRowsGiveTheSameBytes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let taxonomy = RandomNames(&generator).taxonomy(&generator)
    let facts = [("release", "1"), ("id", "x"), ("name", "Näme")]
    let first = try taxonomy.packBytes(merged: [(5000, 0)], deleted: [6000, 5500], dataset: facts)
    let second = try taxonomy.packBytes(merged: [(5000, 0)], deleted: [6000, 5500], dataset: facts)
    let isSame = first == second
    #expect(isSame, "seed \(seed)")
  }

  @Test func bytesDoNotDependOnLocaleOrTimeZone() async {
    await #expect(processExitsWith: .success) {
      var generator = SeededGenerator(seed: 1)
      let taxonomy = RandomNames(&generator).taxonomy(&generator)
      let plain = try taxonomy.packBytes()
      for (name, value) in [("LANG", "tr_TR.UTF-8"), ("LC_ALL", "tr_TR.UTF-8"), ("TZ", "NZ")] {
        // SAFETY: both strings outlive the call, and this process has no other thread at work.
        unsafe setenv(name, value, 1)
      }
      tzset()
      let same = try taxonomy.packBytes() == plain
      exit(same ? 0 : 1)
    }
  }
}
