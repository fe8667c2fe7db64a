import STOLPack
import TestSupport

/// Random taxonomies with so few words that they come again and again, and queries to ask of them.
struct RandomNames {
  static let words = [
    "leo", "lea", "le", "gorilla", "gori", "pan", "panthera", "a", "ab", "abc", "cat", "king",
    "of", "the", "löwe", "лев", "獅子", "o'x", "x-y", "ﬁn", "λέων", "львёнок", "أسد", "الأسد", "शेर",
    "सिंह", "狮子", "大獅子", "ライオン", "ガ", "か\u{3099}", "x\u{301}\u{323}", "🦁", "👩‍🔬", "gorillas",
    "panthra", "l", "aa",
  ]
  /// What misspelt names get in addition to their own letters.
  static let letters: [Unicode.Scalar] = ["a", "l", "x", "ё", "子", "\u{301}", " "]
  static let languages = ["en", "de", "la", "ja", "en-GB"]
  static let codes: [String?] = [nil, "LC", "EN", "other"]

  /// The words of one taxonomy: a few of all.
  private let few: [String]

  init(_ generator: inout SeededGenerator) {
    few = Array(
      Self.words.shuffled(using: &generator)
        .prefix(Int.random(in: 2...Self.words.count, using: &generator)))
  }

  func word(_ generator: inout SeededGenerator) -> String {
    few.randomElement(using: &generator) ?? "leo"
  }

  /// One to four words in one of the styles that a pack tells apart, or in none of them.
  func name(_ generator: inout SeededGenerator) -> String {
    let count = [1, 1, 2, 2, 3, 4].randomElement(using: &generator) ?? 1
    let words = (0..<count).map { _ in word(&generator) }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return words.joined(separator: " ")
    case 1: return words.map { $0.capitalisedFirst }.joined(separator: " ")
    case 2: return words.joined(separator: " ").uppercased()
    case 3: return words.joined(separator: "  ") + " "
    default: return words.joined(separator: " ").capitalisedFirst
    }
  }

  func taxonomy(_ generator: inout SeededGenerator) -> TestTaxonomy {
    var taxonomy = TestTaxonomy()
    let count = Int.random(in: 1...60, using: &generator)
    var ranks: [Int] = []
    for index in 0..<count {
      let parent =
        index > 0 && Int.random(in: 0..<8, using: &generator) > 0
        ? Int.random(in: 0..<index, using: &generator) : nil
      ranks.append(
        min(7, (parent.map { ranks[$0] } ?? -1) + Int.random(in: 1...3, using: &generator)))
      var text = name(&generator)
      if let parent, Int.random(in: 0..<3, using: &generator) > 0 {
        text = taxonomy.taxa[parent].scientificName + " " + word(&generator)
      } else if Bool.random(using: &generator) {
        text = word(&generator).capitalisedFirst
      }
      taxonomy.taxa.append(
        TaxonRow(
          id: Int64(index * 7 % 61), parentID: parent.map { Int64($0 * 7 % 61) },
          rank: MainRank.allCases[ranks[index]].name, scientificName: text,
          status: Int.random(in: 0..<4, using: &generator) == 0 ? "doubtful" : "accepted",
          conservation: Self.codes.randomElement(using: &generator) ?? nil))
    }
    for number in 0..<Int.random(in: 0...10, using: &generator) {
      taxonomy.taxa.append(
        TaxonRow(
          id: Int64(1000 + number),
          parentID: Int64(Int.random(in: 0..<count, using: &generator) * 7 % 61),
          rank: "species", scientificName: name(&generator), status: "synonym"))
    }
    for number in 0..<Int.random(in: 0...80, using: &generator) {
      taxonomy.names.append(
        NameRow(
          id: Int64(number), taxonID: taxonomy.taxa.randomElement(using: &generator)?.id ?? 0,
          name: name(&generator),
          language: Self.languages.randomElement(using: &generator) ?? "en",
          type: NameType.allCases.randomElement(using: &generator)?.rawValue ?? "common",
          isPreferred: Bool.random(using: &generator)))
    }
    for number in 0..<Int.random(in: 0...60, using: &generator) {
      taxonomy.traits.append(
        TraitRow(
          id: Int64(number), taxonID: Int64(Int.random(in: 0..<count, using: &generator) * 7 % 61),
          key: ["habitat", "diet"].randomElement(using: &generator) ?? "",
          value: ["a", "b", "c"].randomElement(using: &generator) ?? ""))
    }
    taxonomy.taxa.shuffle(using: &generator)
    return taxonomy
  }

  /// A query that is likely to find something in `oracle`.
  func query(_ oracle: SearchOracle, _ generator: inout SeededGenerator) -> String {
    let name = oracle.names.randomElement(using: &generator)?.text ?? ""
    let words = name.split(separator: " ").map(String.init)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0, 1: return name
    case 2, 3: return String(name.prefix(Int.random(in: 1...max(1, name.count), using: &generator)))
    case 4, 5:
      let some = words.shuffled(using: &generator)
        .prefix(Int.random(in: 1...max(1, words.count), using: &generator))
      let text = some.joined(separator: " ")
      return String(text.dropLast(Int.random(in: 0...2, using: &generator)))
    case 6:
      let start = Int.random(in: 0..<max(1, words.count), using: &generator)
      return "\"" + words.dropFirst(start).prefix(2).joined(separator: " ") + "\""
    case 7: return "\"\(word(&generator)) \(word(&generator))\""
    case 8:
      let word = word(&generator)
      return Bool.random(using: &generator)
        ? "\(self.word(&generator)) \(word.prefix(1))"
        : "\(word.dropFirst()) \(word) \(word.prefix(2)) \(word)"
    case 9: return "\(word(&generator)) \(word(&generator)) \(word(&generator))"
    case 10:
      return ["zzz", "leo zzz", "zzz leo", "", " ", "\"\"", "\u{301}", "l"]
        .randomElement(using: &generator) ?? ""
    default: return word(&generator).uppercased()
    }
  }
}

extension SearchQuery.Mode {
  /// Modes of which each is as likely, but for two in which most can go wrong.
  static func random(_ generator: inout SeededGenerator) -> Self {
    [.exact, .prefix, .contains, .auto, .auto, .fuzzy, .fuzzy].randomElement(using: &generator)
      ?? .auto
  }
}

extension String {
  /// The first letter as a capital, the rest as it is.
  var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
