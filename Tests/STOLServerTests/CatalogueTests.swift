import Testing

@testable import STOLServer

/// Every message is there in every language, with the places and the forms that it needs.
@Suite struct CatalogueTests {
  private static func text(_ language: PageLanguage) throws -> String {
    let asset = try #require(Asset.all["words/\(language.rawValue).txt"])
    return String(decoding: asset.bytes, as: UTF8.self)
  }

  /// What is wrong with a catalogue beside the English one.
  private static func problems(of catalogue: Catalogue) -> [String] {
    let english = Catalogue.of(.en)
    var problems = catalogue.unknownKeys.map { "\($0) is no message" }
    for message in Message.allCases {
      let (entry, model) = (catalogue[message], english[message])
      let isCounted = !model.forms.isEmpty
      if isCounted, entry.any == nil {
        for form in catalogue.language.pluralForms where entry.forms[form] == nil {
          problems.append("\(message) has no form \(form)")
        }
        for form in entry.forms.keys where !catalogue.language.pluralForms.contains(form) {
          problems.append("\(message) has a form \(form), which the language has not")
        }
      } else if entry.any == nil || !isCounted && !entry.forms.isEmpty {
        problems.append("\(message) is missing, or has forms")
      }
      // A form may leave its number out, as "one species" does.
      let wanted = places(of: model).subtracting(isCounted ? ["count"] : [])
      for text in [entry.any].compactMap(\.self) + Array(entry.forms.values) {
        let places = text.places.subtracting(isCounted ? ["count"] : [])
        if places != wanted { problems.append("\(message) has the places \(places)") }
        if text.source.isEmpty { problems.append("\(message) is empty") }
      }
    }
    return problems
  }

  private static func places(of entry: Catalogue.Entry) -> Set<String> {
    ([entry.any].compactMap(\.self) + Array(entry.forms.values))
      .reduce(into: Set()) { $0.formUnion($1.places) }
  }

  @Test(arguments: PageLanguage.allCases)
  func everyMessageIsInEveryLanguage(language: PageLanguage) {
    #expect(Self.problems(of: Catalogue.of(language)) == [])
  }

  /// A line less, a place less or a misspelt key is found.
  @Test(arguments: [PageLanguage.de, .fr, .ja, .ar])
  func whatIsMissingIsFound(language: PageLanguage) throws {
    let lines = try Self.text(language).split(separator: "\n").map(String.init)
    for (index, line) in lines.enumerated().filter({ $0.offset % 7 == 0 }) {
      let key = line.prefix { $0 != " " }
      guard !line.hasPrefix("#"), key != "rank", key != "term" else { continue }
      for damaged in [nil, line.replacing("{", with: "<"), "x" + line] where damaged != line {
        var other = lines
        other[index] = damaged ?? "#"
        let catalogue = Catalogue(language, parsing: other.joined(separator: "\n"))
        // What only holds a number may lose it.
        if damaged != nil, key.contains("."), damaged?.hasPrefix("x") == false { continue }
        #expect(!Self.problems(of: catalogue).isEmpty, "\(damaged ?? "without \(line)")")
      }
    }
  }

  @Test func tablesHaveTheSameWordsInAllLanguages() {
    let languages = PageLanguage.allCases.filter { $0 != .en }
    for language in languages {
      let (catalogue, model) = (Catalogue.of(language), Catalogue.of(.de))
      #expect(Set(catalogue.ranks.keys) == Set(model.ranks.keys), "\(language)")
      #expect(Set(catalogue.terms.keys) == Set(model.terms.keys), "\(language)")
      #expect(!catalogue.ranks.values.contains("") && !catalogue.terms.values.contains(""))
    }
    // What is said of traits and drawings is in them.
    for term in TraitWords.terms + CladeDrawing.allCases.flatMap({ [$0.words, $0.group] }) {
      guard let term else { continue }
      #expect(Catalogue.of(.de).terms[term] != nil, "\(term)")
    }
    #expect(Words.$language.withValue(.ja) { Words.rank("family") } == "科")
    #expect(Words.$language.withValue(.ar) { Words.rank("phratry") } == "phratry")
  }

  /// Scripts have the messages that they say, and no others.
  @Test func scriptsHaveTheirWords() throws {
    var said: Set<String> = []
    for (name, asset) in Asset.all where name.hasSuffix(".js") {
      let text = String(decoding: asset.bytes, as: UTF8.self)
      for match in text.matches(of: #/word\((?:[\w.]+ \? )?'(\w+)'(?: : '(\w+)')?/#) {
        said.formUnion([match.1, match.2].compactMap { $0.map(String.init) })
      }
      for match in text.matches(of: #/\['(\w+)', '(?:gone|threatened|near|safe|unknown)'\]/#) {
        said.insert(String(match.1))
      }
    }
    #expect(said == Set(Message.ofScripts.map { "\($0)" }))
    for language in PageLanguage.allCases {
      let script = String(decoding: Catalogue.of(language).script, as: UTF8.self)
      #expect(script.hasPrefix("export default {") && script.hasSuffix("};\n"))
    }
  }

  @Test func wordsAreFilledInAndEscaped() {
    #expect(Words[.pageOf, ["number": "3", "count": "5"]] == "Page 3 of 5")
    #expect(Words[.species, count: 1] == "one species")
    #expect(Words[.species, count: 1234] == "1,234 species")
    Words.$language.withValue(.de) {
      #expect(Words[.species, count: 1234] == "1.234 Arten")
      #expect(Words[.aboutTaxon, ["taxon": "Löwe"]] == "Über: Löwe")
      let html = Html(.kinBoth, ["clade": Html("<b>")])
      #expect(String(decoding: html.bytes, as: UTF8.self) == "beide gehören zu: &lt;b&gt;")
    }
    // A name keeps its direction to itself.
    Words.$language.withValue(.ar) {
      #expect(Words[.aboutTaxon, ["taxon": "Lion"]].contains("\u{2068}Lion\u{2069}"))
      #expect(Words[.species, count: 2] == "نوعان")
    }
  }

  @Test func rowsAreSentencesOfTheirLanguage() {
    let rows: [(PageLanguage, String)] = [
      (.en, "a, b and c"), (.de, "a, b und c"), (.fr, "a, b et c"), (.es, "a, b y c"),
      (.pt, "a, b e c"), (.zh, "a、b和c"), (.ja, "a、b、c"),
    ]
    for (language, row) in rows {
      Words.$language.withValue(language) {
        #expect(Words.row(["a", "b", "c"]) == row)
        #expect(Words.row(["a"]) == "a")
        #expect(Words.row([]) == "")
      }
    }
    Words.$language.withValue(.es) { #expect(Words.row(["loro", "iguana"]) == "loro e iguana") }
  }
}
