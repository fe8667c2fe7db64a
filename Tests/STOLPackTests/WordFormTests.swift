import TestSupport
import Testing

@testable import STOLPack

/// Forms of words and heads of names: rules against their definition, and searches against brute force.
struct WordFormTests {
  /// A singular and a plural, as dictionaries have them.
  struct Pair: CustomTestStringConvertible {
    let inflection: Grammar.Inflection
    let words: [String]
    var testDescription: String { "\(inflection) \(words.joined(separator: " "))" }

    init(_ inflection: Grammar.Inflection, _ words: String...) {
      (self.inflection, self.words) = (inflection, words)
    }
  }

  @Test(arguments: [
    Pair(.english, "lion", "lions"), Pair(.english, "wolf", "wolves"),
    Pair(.english, "mouse", "mice"), Pair(.english, "dormouse", "dormice"),
    Pair(.english, "goose", "geese"), Pair(.english, "butterfly", "butterflies"),
    Pair(.english, "fly", "flies"), Pair(.english, "fox", "foxes"),
    Pair(.english, "finch", "finches"), Pair(.english, "tomato", "tomatoes"),
    Pair(.english, "horse", "horses"), Pair(.english, "grass", "grasses"),
    Pair(.german, "löwe", "löwen"), Pair(.german, "wolf", "wölfe"),
    Pair(.german, "adler", "adlern"), Pair(.german, "eiche", "eichen"),
    Pair(.german, "vogel", "vögel", "vögeln"), Pair(.german, "bär", "bären"),
    Pair(.german, "roter", "rote", "rotes"),
    Pair(.french, "cheval", "chevaux"), Pair(.french, "oiseau", "oiseaux"),
    Pair(.french, "chêne", "chênes"), Pair(.spanish, "león", "leones"),
    Pair(.spanish, "pez", "peces"), Pair(.spanish, "ave", "aves"),
    Pair(.spanish, "lobo", "lobos"), Pair(.spanish, "tigre", "tigres"),
    Pair(.portuguese, "leão", "leões"), Pair(.portuguese, "cão", "cães"),
    Pair(.portuguese, "lobo", "lobos"), Pair(.portuguese, "animal", "animais"),
    Pair(.italian, "lupo", "lupi"), Pair(.italian, "formica", "formiche"),
    Pair(.italian, "volpe", "volpi"), Pair(.dutch, "kat", "katten"),
    Pair(.dutch, "wolf", "wolven"), Pair(.dutch, "muis", "muizen"),
    Pair(.dutch, "adelaar", "adelaars"), Pair(.dutch, "varken", "varkens"),
    Pair(.russian, "волк", "волки"), Pair(.russian, "кошка", "кошки"),
    Pair(.russian, "медведь", "медведи"), Pair(.russian, "серый", "серые"),
    Pair(.polish, "wilk", "wilki"), Pair(.polish, "sowa", "sowy"),
    Pair(.polish, "niedźwiedź", "niedźwiedzie"),
  ])
  func singularAndPluralAreForms(_ pair: Pair) {
    let stems = Set(pair.words.map { Self.stem(Folder.fold($0), pair.inflection) })
    #expect(stems.count == 1, "\(stems)")
  }

  @Test(arguments: [
    Pair(.english, "bus", "bu"), Pair(.english, "iris", "iri"), Pair(.english, "bee", "beet"),
    Pair(.german, "hai", "hain"), Pair(.dutch, "kat", "kate"), Pair(.spanish, "sol", "sola"),
  ])
  func otherWordsAreNone(_ pair: Pair) {
    let stems = Set(pair.words.map { Self.stem(Folder.fold($0), pair.inflection) })
    #expect(stems.count == 2)
  }

  private static func stem(_ word: String, _ inflection: Grammar.Inflection) -> String {
    var bytes = Array(word.utf8)
    WordForms.stem(&bytes, inflection)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let languages: [(code: String, inflection: Grammar.Inflection)] = [
    ("en", .english), ("de", .german), ("fr", .french), ("es", .spanish), ("pt", .portuguese),
    ("it", .italian), ("nl", .dutch), ("ru", .russian), ("pl", .polish),
  ]

  /// Ends of words as the rules have them, with letters before them that rules look at.
  private static func word(_ generator: inout SeededGenerator) -> String {
    let beginnings = [
      "", "a", "k", "wol", "mo", "ca", "lе", "x", "oo", "kat", "mui", "wolv", "zz", "вол",
    ]
    let ends = [
      "", "s", "es", "ss", "us", "is", "ies", "y", "mice", "mouse", "wolves", "wolf", "e", "en",
      "er",
      "ern", "el", "eln", "al", "aux", "eau", "eaux", "x", "z", "ces", "ao", "oes", "aes", "m",
      "ns",
      "ais", "eis", "a", "i", "o", "che", "chi", "gh", "ca", "f", "v", "ven", "zen", "ens", "ten",
      "tten", "а", "ь", "ы", "ia", "ie", "xes", "ches", "zes", "oxen", "fungi", "fungus", ",",
    ]
    return (beginnings.randomElement(using: &generator) ?? "")
      + (ends.randomElement(using: &generator) ?? "")
      + (Bool.random(using: &generator) ? "" : ends.randomElement(using: &generator) ?? "")
  }

  /// The stems equal those of the definition, and what is generated for one stem is all that has it.
  @Test func allFormsOfAWordAreGenerated() {
    var generator = SeededGenerator(seed: 27)
    var mismatches = Mismatches()
    let words = Set((0..<900).map { _ in Self.word(&generator) }).sorted()
    for (code, inflection) in Self.languages {
      var byStem: [String: Set<String>] = [:]
      for word in words {
        let stem = Self.stem(word, inflection)
        mismatches.compare(stem, FormsOracle.stem(word, code), "\(code) \(word)")
        if word.utf8.count >= WordForms.leastCount { byStem[stem, default: []].insert(word) }
      }
      for (stem, expected) in byStem {
        let bytes = Array(stem.utf8)
        var text: [UInt8] = []
        var found: Set<String> = []
        for number in 0..<WordForms.candidateCount(ofStem: bytes, inflection) {
          WordForms.makeCandidate(number, ofStem: bytes, inflection, &text)
          found.insert(String(decoding: text, as: UTF8.self))
        }
        mismatches.require(
          found.isSuperset(of: expected), "\(code) \(stem): \(expected.subtracting(found))")
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  /// Taxa with names in nine languages, many of one word in several forms.
  private static func taxonomy(_ generator: inout SeededGenerator) -> TestTaxonomy {
    var taxonomy = TestTaxonomy()
    let words = [
      "lion", "lions", "lion,", "wolf", "wolves", "mouse", "mice,", "mice", "whale", "whales",
      "blue",
      "shark", "sharks", "and", "of", "&", "rouge", "rouges", "lobo", "lobos", "gris", "grises",
      "löwe", "löwen", "leão", "leões", "волк", "волки", "wilk", "wilki", "kat", "katten", "lupo",
      "lupi",
    ]
    let codes = ["en", "en", "en", "de", "fr", "es", "pt-BR", "it", "nl", "ru", "pl", "cs", "zh"]
    for number in 0..<60 {
      let id = Int64(number + 1)
      let genus = number % 5 == 0
      taxonomy.taxa.append(
        TaxonRow(
          id: id, parentID: genus ? nil : id - Int64(number % 5), rank: genus ? "genus" : "species",
          scientificName: genus ? "Genus\(number)" : "Genus\(number / 5 * 5) lions",
          prominence: number % 7 == 0 ? Int64(number) : nil))
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let text = (0..<Int.random(in: 1...4, using: &generator))
          .map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: " ")
        taxonomy.names.append(
          NameRow(
            id: Int64(taxonomy.names.count), taxonID: id, name: text,
            language: codes.randomElement(using: &generator) ?? "en",
            type: Int.random(in: 0..<8, using: &generator) == 0 ? "synonym" : "common"))
      }
    }
    return taxonomy
  }

  @Test(arguments: TestSeeds.first(12))
  func searchesWithFormsEqualBruteForce(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let oracle = SearchOracle(Self.taxonomy(&generator))
    let pack = try oracle.taxonomy.pack()
    try pack.verify()
    let view = pack.view
    for taxon in view.tree.taxa {
      #expect(view.taxa.prominence(of: taxon) == oracle.prominences[taxon.index])
      let reasons = view.prominenceReasons(of: taxon)
      let stated = oracle.tree.rows[oracle.tree.ids[taxon.index]]?.prominence
      #expect(stated != nil || reasons.computed == reasons.value)
    }
    var session = SearchSession()
    var mismatches = Mismatches()
    let asked = [
      "lion", "lions", "wolf", "wolves", "mouse", "mice", "whale", "blue whales", "lobos",
      "lobo gris",
      "löwe", "leao", "волк", "wilki", "katten", "lupi", "rouge", "genus0 lion", "lion genus5",
      "lions wolf",
      "whales lions mice", "sharks of", "lion sha", "wolves mou", "\"blue whale\"", "\"lions\"",
      "lio", "wo", "l",
    ]
    for text in asked {
      for mode in SearchQuery.Mode.allCases {
        for words in [SearchQuery.Words.anyForm, .asTyped] {
          for limit in [3, 10, Int.max] {
            oracle.expect(
              SearchQuery(text, mode: mode, words: words, limit: limit), in: view, &session,
              &mismatches)
          }
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }
}
