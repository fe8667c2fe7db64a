import STOLPack
import Testing

/// The oracle of search against cases that were worked out by hand.
struct SearchOracleTests {
  struct Distance: CustomTestStringConvertible {
    var a: String
    var b: String
    var whole: Int
    /// To the nearest prefix of `b`.
    var prefix: Int
    var testDescription: String { "\(a) - \(b)" }
  }

  @Test(arguments: [
    Distance(a: "", b: "", whole: 0, prefix: 0),
    Distance(a: "", b: "abc", whole: 3, prefix: 0),
    Distance(a: "abc", b: "", whole: 3, prefix: 3),
    Distance(a: "abc", b: "abc", whole: 0, prefix: 0),
    Distance(a: "ab", b: "ba", whole: 1, prefix: 1),
    // No substring is edited twice: "ca" to "ac" to "abc" does not count.
    Distance(a: "ca", b: "abc", whole: 3, prefix: 1),
    Distance(a: "abcd", b: "badc", whole: 2, prefix: 2),
    Distance(a: "leo", b: "leopard", whole: 4, prefix: 0),
    Distance(a: "loe", b: "leopard", whole: 5, prefix: 1),
    Distance(a: "panthra l", b: "panthera leo", whole: 3, prefix: 1),
    Distance(a: "pantheral eo", b: "panthera leo", whole: 1, prefix: 1),
    Distance(a: "pantheraleo", b: "panthera leo", whole: 1, prefix: 1),
    Distance(a: "лёв", b: "лев", whole: 1, prefix: 1),
    Distance(a: "子獅", b: "獅子", whole: 1, prefix: 1),
    Distance(a: "kitten", b: "sitting", whole: 3, prefix: 2),
    Distance(a: "sunday", b: "saturday", whole: 3, prefix: 3),
  ])
  func distancesAreThoseOfTheDefinition(_ distance: Distance) {
    let a = distance.a.unicodeScalars.map(\.value)
    let b = distance.b.unicodeScalars.map(\.value)
    #expect(StringAlignment.distance(a, b) == distance.whole)
    #expect(StringAlignment.distance(b, a) == distance.whole)
    #expect(StringAlignment.distance(a, toPrefixOf: b) == distance.prefix)
  }

  /// The definition read from the first letters on, as a recursion.
  private static func distance(_ a: ArraySlice<UInt32>, _ b: ArraySlice<UInt32>) -> Int {
    guard let x = a.first, let y = b.first else { return a.count + b.count }
    var least = 1 + min(distance(a.dropFirst(), b), distance(a, b.dropFirst()))
    least = min(least, distance(a.dropFirst(), b.dropFirst()) + (x == y ? 0 : 1))
    if a.count > 1, b.count > 1, a.prefix(2).elementsEqual(b.prefix(2).reversed()) {
      least = min(least, distance(a.dropFirst(2), b.dropFirst(2)) + 1)
    }
    return least
  }

  @Test func theMatrixEqualsTheRecursion() {
    let texts = Misspelling.allTexts(of: ["a", "b", "c"], upTo: 4)
      .map { $0.unicodeScalars.map(\.value) }
    var mismatches = Mismatches()
    for a in texts {
      for b in texts where b.count > 2 {
        let expected = (0...b.count).map { Self.distance(a[...], b.prefix($0)) }
        mismatches.compare(
          StringAlignment.distances(from: a, toPrefixesOf: b), expected, "\(a) - \(b)")
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  struct Case: CustomTestStringConvertible {
    var query: String
    var name: String
    var distance: Int?
    /// Class and distance, or nil.
    var match: [Int]?
    /// Whether fuzzy mode finds the name.
    var isSimilar: Bool
    var testDescription: String { "\(query) - \(name)" }

    init(_ query: String, _ name: String, k: Int? = nil, _ match: [Int]?, isSimilar: Bool) {
      (self.query, self.name, distance) = (query, name, k)
      (self.match, self.isSimilar) = (match, isSimilar)
    }
  }

  @Test(arguments: [
    Case("Panthera leo", "Panthera leo", [0, 0], isSimilar: true),
    Case("panthera", "Panthera leo", [2, 0], isSimilar: true),
    Case("panth", "Panthera leo", [4, 0], isSimilar: false),
    Case("leo panthera", "Panthera leo", [2, 0], isSimilar: true),
    Case("leo p", "Panthera leo", [5, 0], isSimilar: false),
    // Two edits take "le" to nothing, with which any word begins.
    Case("leo le", "Panthera leo", [9, 2], isSimilar: false),
    Case("Pantera leo", "Panthera leo", [7, 1], isSimilar: true),
    Case("Pantherale o", "Panthera leo", [7, 2], isSimilar: true),
    Case("antera leo", "Panthera leo", [7, 2], isSimilar: true),
    Case("antera loe", "Panthera leo", nil, isSimilar: false),
    Case("antera loe", "Panthera leo", k: 3, [7, 3], isSimilar: true),
    Case("panthra l", "Panthera leo", [8, 1], isSimilar: false),
    Case("panthra", "Panthera leo", [8, 1], isSimilar: true),
    Case("lion mane", "Lion's mane jellyfish", [8, 2], isSimilar: true),
    Case("loe pantera", "Panthera leo", [9, 2], isSimilar: true),
    Case("loe pant", "Panthera leo", [9, 1], isSimilar: false),
    Case("loe ant", "Panthera leo", [9, 2], isSimilar: false),
    Case("leo leo", "Panthera leo", nil, isSimilar: false),
    Case("leo loe", "leo leo x", [8, 1], isSimilar: true),
    // Four letters forgive one error, one letter may be any other.
    Case("aebc", "abcd", [8, 1], isSimilar: false),
    Case("l", "x", k: 1, [7, 1], isSimilar: true),
    // One letter against a word of one letter: there is no beginning of anything in one edit.
    Case("l", "x abc", k: 1, [9, 1], isSimilar: true),
    Case("l", "xy abc", nil, isSimilar: false),
    Case("l", "\u{200B}", k: 1, [7, 1], isSimilar: true),
    Case("ab", "\u{200B}", nil, isSimilar: false),
    Case("ab", "xy", k: 2, [7, 2], isSimilar: true),
    Case("ab", "xyz abc", k: 2, [5, 0], isSimilar: true),
    // Two letters with two errors begin nothing.
    Case("ab", "xyz", k: 2, nil, isSimilar: false),
    Case("abc", "xbyz", k: 2, [8, 2], isSimilar: false),
    Case("abc", "ab", k: 0, nil, isSimilar: false),
    Case("abc", "abcd", k: 0, [4, 0], isSimilar: false),
    Case("aslan", "Ἀσλάν", nil, isSimilar: false),
    Case("λεων", "Λέων", [0, 0], isSimilar: true),
    Case("вел", "лев", nil, isSimilar: false),
    Case("елв", "лев", [7, 1], isSimilar: true),
    Case("子獅", "獅子", k: 1, [7, 1], isSimilar: true),
    Case("\"panthera leo\"", "Panthera leo", [0, 0], isSimilar: true),
    Case("\"pantera leo\"", "Panthera leo", [7, 1], isSimilar: true),
    Case("\"pantera\"", "Panthera leo", [8, 1], isSimilar: false),
  ])
  func classesAreThoseOfTheDefinition(_ this: Case) {
    let query = MatchOracle(this.query, maximumDistance: this.distance)
    let name = MatchOracle.words(this.name)
    let match = query.match(name).map { [$0.matchClass, $0.distance] }
    #expect(match == this.match)
    let isSimilar = query.completeMatch(name) != nil
    #expect(isSimilar == this.isSimilar)
  }

  @Test func wordsAreAssignedAsAWholeNotOneByOne() {
    // The first row takes the dearer column, so that the second one has a column at all.
    #expect(MatchOracle.leastSum([[0, 1], [0, 3]], [0, 1], budget: 3) == 1)
    #expect(MatchOracle.leastSum([[0, 1], [0, 3]], [0, 1], budget: 0) == nil)
    #expect(MatchOracle.leastSum([[0, 0], [0, 0], [0, 0]], [0, 1], budget: 3) == nil)
    #expect(
      MatchOracle.leastSum([[1, 2, 9], [9, 1, 1], [1, 9, 2]], [0, 1, 2], budget: 3) == nil)
    #expect(MatchOracle.leastSum([[1, 2, 9], [9, 1, 0], [0, 9, 2]], [0, 1, 2], budget: 3) == 2)
  }

  private static let cats: SearchOracle = {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa = [
      TaxonRow(id: 1, parentID: nil, rank: "genus", scientificName: "Panthera"),
      TaxonRow(id: 2, parentID: 1, rank: "species", scientificName: "Panthera leo"),
      TaxonRow(id: 3, parentID: 1, rank: "species", scientificName: "Panthera leonis"),
      TaxonRow(id: 4, parentID: 1, rank: "species", scientificName: "Panthera tigris"),
      TaxonRow(id: 5, parentID: nil, rank: "genus", scientificName: "Pantera"),
      TaxonRow(
        id: 6, parentID: 2, rank: "species", scientificName: "Felis leo", status: "synonym"),
    ]
    taxonomy.names = [
      NameRow(id: 1, taxonID: 2, name: "Lion", language: "en", type: "common"),
      NameRow(id: 2, taxonID: 4, name: "Lino", language: "eo", type: "common"),
    ]
    return SearchOracle(taxonomy)
  }()

  struct Search: CustomTestStringConvertible {
    var text: String
    var mode: SearchQuery.Mode
    var language: String?
    /// Name, class and distance of each hit.
    var hits: [String]
    var testDescription: String { "\(mode) \(text) \(language ?? "")" }

    init(_ text: String, _ mode: SearchQuery.Mode, language: String? = nil, _ hits: [String]) {
      (self.text, self.mode, self.language, self.hits) = (text, mode, language, hits)
    }
  }

  @Test(arguments: [
    Search("panthera", .exact, ["Panthera 0 0"]),
    Search("panthera l", .prefix, ["Panthera leo 4 0", "Panthera leonis 4 0"]),
    // Two taxa are fewer than three: similar ones follow.
    Search(
      "panthera leo", .auto,
      ["Panthera leo 0 0", "Panthera leonis 4 0"]),
    Search(
      "pantera", .auto,
      [
        "Pantera 0 0", "Panthera 7 1", "Panthera leo 8 1", "Panthera tigris 8 1",
        "Panthera leonis 8 1",
      ]),
    // Four taxa are enough.
    Search(
      "panthera", .auto,
      ["Panthera 0 0", "Panthera leo 2 0", "Panthera tigris 2 0", "Panthera leonis 2 0"]),
    Search("lion", .auto, ["Lion 0 0", "Lino 7 1", "Panthera leonis 9 1"]),
    Search("lino", .auto, language: "en", ["Lion 7 1"]),
    Search("lion", .auto, language: "la", ["Panthera leonis 9 1"]),
    Search("felis loe", .fuzzy, ["Felis leo 7 1"]),
    Search("leo", .fuzzy, ["Panthera leo 3 0"]),
    Search("leo", .auto, ["Panthera leo 3 0", "Panthera leonis 5 0"]),
    Search("\"leo\"", .auto, ["Panthera leo 3 0"]),
    Search("\"leo\"", .fuzzy, []),
    Search("\"lio\"", .fuzzy, ["Lion 7 1", "Lino 7 1"]),
    Search("\"linn\"", .fuzzy, ["Lion 7 1", "Lino 7 1"]),
  ])
  func searchesFindWhatTheDefinitionSays(_ search: Search) {
    var filter = SearchOracle.Filter()
    if let language = search.language { filter.languages = [language] }
    let hits = Self.cats.search(search.text, mode: search.mode, filter: filter)
    let got = hits.map { "\(Self.cats.names[$0.name].text) \($0.matchClass) \($0.distance)" }
    #expect(got == search.hits)
  }
}
