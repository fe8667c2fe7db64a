/// Which words are forms of one another, and which are the heads of names, by their definition in words.
///
/// Rules are tried in order, and the first one whose end the word has is applied; nothing is generated.
enum FormsOracle {
  private struct Rule {
    let end: String
    let other: String
    /// The word has at least so many bytes.
    var least = 3
    var unless: [String] = []

    func applied(to word: String) -> String? {
      guard word.utf8.count >= least, word.utf8.count > end.utf8.count || isWhole,
        word.hasSuffix(end), !unless.contains(where: { word.hasSuffix($0) })
      else { return nil }
      return String(word.dropLast(end.count)) + other
    }

    /// Whether the end may be all of the word.
    var isWhole = false
  }

  private static let irregular = [
    "mice": "mouse", "lice": "louse", "geese": "goose", "teeth": "tooth", "feet": "foot",
    "children": "child", "oxen": "ox", "women": "woman", "wolves": "wolf", "calves": "calf",
    "leaves": "leaf", "hooves": "hoof", "loaves": "loaf", "thieves": "thief", "knives": "knife",
    "elves": "elf", "cacti": "cactus", "fungi": "fungus", "octopi": "octopus",
    "larvae": "larva", "algae": "alga", "bacteria": "bacterium",
    "hippopotami": "hippopotamus", "halves": "half",
  ]

  private static let rules: [String: [Rule]] = [
    "en": irregular.keys.sorted { $0.count > $1.count }.map {
      Rule(end: $0, other: irregular[$0] ?? "", isWhole: true)
    } + [
      Rule(end: "ss", other: "ss"), Rule(end: "us", other: "us"), Rule(end: "is", other: "is"),
      Rule(end: "ies", other: "y", least: 5), Rule(end: "sses", other: "ss"),
      Rule(end: "shes", other: "sh"), Rule(end: "ches", other: "ch"),
      Rule(end: "xes", other: "x"), Rule(end: "zes", other: "z"),
      Rule(end: "oes", other: "o", least: 6), Rule(end: "s", other: ""),
    ],
    "de": [
      Rule(end: "ern", other: "", least: 6), Rule(end: "en", other: "", least: 5),
      Rule(end: "er", other: "", least: 5), Rule(end: "es", other: "", least: 5),
      Rule(end: "e", other: ""), Rule(end: "s", other: "", least: 5),
      Rule(end: "eln", other: "el"),
    ],
    "fr": [
      Rule(end: "eaux", other: "eau"), Rule(end: "aux", other: "al"), Rule(end: "s", other: ""),
      Rule(end: "x", other: ""),
    ],
    "nl": [
      Rule(end: "ss", other: "ss"), Rule(end: "us", other: "us"),
      Rule(end: "s", other: "", least: 5),
    ],
    "ru": "аеиоыья".map { Rule(end: String($0), other: "") },
    "pl": ["ia", "ie", "a", "e", "i", "o", "y"].map { Rule(end: $0, other: "") },
  ]

  /// What words of a language have in common; the word itself for a language without rules.
  static func stem(_ word: String, _ language: String) -> String {
    guard word.utf8.count >= 3 else { return word }
    func first(_ rules: [Rule]) -> String {
      for rule in rules { if let stem = rule.applied(to: word) { return stem } }
      return word
    }
    switch language {
    case "es", "pt":
      let whole =
        language == "es"
        ? [Rule(end: "ces", other: "z")]
        : [
          Rule(end: "oes", other: "ao"), Rule(end: "aes", other: "ao"),
          Rule(end: "ns", other: "m"), Rule(end: "ais", other: "al"), Rule(end: "eis", other: "el"),
        ]
      for rule in whole { if let stem = rule.applied(to: word) { return stem } }
      var stem = word
      if stem.hasSuffix("s") { stem.removeLast() }
      if stem.utf8.count >= 3, stem.hasSuffix("e") { stem.removeLast() }
      return stem
    case "it":
      guard let last = word.last, "aeio".contains(last) else { return word }
      let stem = String(word.dropLast())
      let isHard = stem.utf8.count > 2 && (stem.hasSuffix("ch") || stem.hasSuffix("gh"))
      return isHard ? String(stem.dropLast()) : stem
    case "nl":
      let word = first(rules["nl"] ?? [])
      guard word.utf8.count > 4, word.hasSuffix("en") else { return word }
      let stem = word.utf8.dropLast(2)
      guard let last = stem.last, let before = stem.dropLast().last else {
        return String(stem) ?? word
      }
      if last == before { return String(stem.dropLast()) ?? word }
      if last == UInt8(ascii: "v") { return (String(stem.dropLast()) ?? "") + "f" }
      if last == UInt8(ascii: "z") { return (String(stem.dropLast()) ?? "") + "s" }
      return String(stem) ?? word
    default: return first(rules[language] ?? [])
    }
  }

  private static let inflected: Set<String> = [
    "en", "de", "fr", "es", "pt", "it", "nl", "ru", "pl",
  ]

  /// Whether a word of a name in a language is a form of a word of a query, and whether a part of the name ends
  /// with it; nil for a scientific name.
  static func isForm(
    _ word: [UInt32], of asked: [UInt32], in language: String?
  ) -> (isForm: Bool, endsPart: Bool) {
    let (word, asked) = (text(word), text(asked))
    if word == asked { return (true, false) }
    guard asked.utf8.count >= 3 else { return (false, false) }
    if word == asked + "," { return (true, true) }
    let code = code(language)
    guard inflected.contains(code) else { return (false, false) }
    let wanted = stem(asked, code)
    if word.utf8.count >= 3, stem(word, code) == wanted { return (true, false) }
    guard word.hasSuffix(","), word.utf8.count > 3 else { return (false, false) }
    return stem(String(word.dropLast()), code) == wanted ? (true, true) : (false, false)
  }

  private static func code(_ language: String?) -> String {
    String((language ?? "").prefix { $0 != "-" })
  }

  static func text(_ word: [UInt32]) -> String {
    var result = ""
    for value in word { result.unicodeScalars.append(Unicode.Scalar(value) ?? "?") }
    return result
  }

  /// Whether a letter is Thai, Lao, Tibetan, Burmese, Khmer, Japanese or Chinese.
  static func isOfScriptWithoutSpaces(_ letter: UInt32) -> Bool {
    let blocks: [ClosedRange<UInt32>] = [
      0xE00...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF,
      0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF,
    ]
    return blocks.contains { $0.contains(letter) }
  }

  private static let headFirst = Set(
    "ar br ca co cs cy es eu fa fr ga gd gl he id it ms oc pl pt ro sk sw vi".split(separator: " ")
      .map(String.init))
  private static let links = Set(
    "& and et of og och oder or ou und with y".split(separator: " ").map(String.init))

  /// The places of the words of a name that say what is named.
  static func heads(of name: [[UInt32]], in language: String?) -> Set<Int> {
    guard !name.isEmpty else { return [] }
    guard language != nil else { return [0] }
    let isFirst = headFirst.contains(code(language))
    return Set(
      name.indices.filter { place in
        if isFirst { return place == 0 || links.contains(text(name[place - 1])) }
        return place == name.count - 1 || links.contains(text(name[place + 1]))
      })
  }
}
