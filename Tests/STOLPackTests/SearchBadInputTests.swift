import STOLPack
import TestSupport
import Testing

/// Texts that nobody would type: they end as the definition says.
///
/// `Tools/tests/instructions_test.py` counts what such texts cost.
struct SearchBadInputTests {
  static let texts: [String] = {
    var generator = SeededGenerator(seed: 0xBAD)
    let syllables = ["ant", "her", "leo", "ris", "ara", "ina", "ata", "ens", "ell", "ium"]
    var texts = [
      "", " ", "\t \n", "\"leo\"", "\"a a\"", "\"leo leo\"", "\"", "\"\"", "\" \"", "\u{301}",
      "\u{301}\u{308}\u{323}", "\u{3099}",
      "\u{0}", "a\u{0}b", "leo\u{7}", "\u{1B}[31m", "\u{7F}", "\u{200B}", "\u{FEFF}leo", "_", "__",
      "-", "'", "\u{FFFD}", "\u{10FFFF}", "\u{E0001}", "🦁", "👩‍🔬", "\u{202E}oel", "%", "*", "le*",
      "l?o", "OR", "leo AND pan", "\\", "\u{1F1E9}", "ﷺ", "ﷺﷺﷺ",
      String(repeating: "ﷺ", count: 170),
      String(repeating: "a", count: 513), String(repeating: " ", count: 513),
      String(repeating: "leo ", count: 128) + "x", String(repeating: "л", count: 257),
      String(repeating: "l e ", count: 128), String(repeating: "leo ", count: 128),
      String(repeating: "a ", count: 256), String(repeating: "\u{301}", count: 256),
      "e" + String(repeating: "\u{301}", count: 255), String(repeating: "\"", count: 512),
      String(repeating: "🦁", count: 128), String(repeating: "é", count: 256),
      syllables.joined(), syllables.joined(separator: " "),
      String(repeating: syllables.joined(), count: 17),
      "\"" + String(repeating: "leo ", count: 127) + "\"",
    ]
    for letter in "aeilnorst x" { texts.append(String(repeating: letter, count: 512)) }
    for _ in 0..<20 {
      let bytes = (0..<512).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let repaired = String(decoding: bytes, as: UTF8.self)
      texts.append(repaired)
      // Repairing makes it longer: also as much of it as a query may have.
      var short = repaired.unicodeScalars
      while short.count > 170 { short.removeLast() }
      texts.append(String(short))
      let letters = (0..<512).map { _ in UInt8.random(in: 97...122, using: &generator) }
      texts.append(String(decoding: letters, as: UTF8.self))
      let few = (0..<512).map { _ in UInt8(ascii: Bool.random(using: &generator) ? "a" : " ") }
      texts.append(String(decoding: few, as: UTF8.self))
    }
    return texts
  }()

  /// Ordinary names, and some that are as bad as the texts.
  private static let taxonomy: TestTaxonomy = {
    var generator = SeededGenerator(seed: 0xBAD)
    var taxonomy = RandomNames(&generator).taxonomy(&generator)
    let count = taxonomy.taxa.count
    let names = [
      "a", "aa", "a a a a", "leo leo leo", "\u{301}", "\u{200B}", "_", "'", "ﷺ", "🦁",
      String(repeating: "a", count: 510), String(repeating: "a", count: 600),
      String(repeating: "leo ", count: 127), "\u{FFFD}\u{FFFD}", "\"\"", "\"leo\"", "\"a a\"",
    ]
    for (number, name) in names.enumerated() {
      let id = Int64(5000 + number)
      taxonomy.names.append(
        NameRow(
          id: id, taxonID: taxonomy.taxa[number % count].id, name: name, language: "en",
          type: "common"))
      taxonomy.taxa.append(
        TaxonRow(id: id, parentID: nil, rank: "species", scientificName: name))
    }
    return taxonomy
  }()

  @Test(arguments: SearchQuery.Mode.allCases)
  func badTextsEqualBruteForce(mode: SearchQuery.Mode) throws {
    let oracle = SearchOracle(Self.taxonomy)
    let pack = try Self.taxonomy.pack()
    let view = pack.view
    var session = SearchSession()
    var mismatches = Mismatches()
    var filter = SearchOracle.Filter()
    filter.status = "accepted"
    var searchFilter = SearchFilter()
    searchFilter.status = view.taxa.statuses.row(of: "accepted") ?? StatusRow(rawValue: -1)
    for text in Self.texts {
      for distance in [nil, 0, 3] {
        let query = SearchQuery(text, mode: mode, maximumDistance: distance, limit: .max)
        oracle.expect(query, in: view, &session, &mismatches)
      }
      let filtered = SearchQuery(text, mode: mode, limit: 5, filter: searchFilter)
      oracle.expect(filtered, filter: filter, in: view, &session, &mismatches)
    }
    let first = mismatches.first
    #expect(first == nil)
  }
}
