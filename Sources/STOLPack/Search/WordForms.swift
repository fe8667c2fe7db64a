/// A word of the vocabulary that is a form of a word of a query.
struct WordForm {
  var word: Int
  /// The inflections by which it is one, as `GrammarView.inflection(of:)` has them; bit 0 where it is one in
  /// every name.
  var inflections: UInt16
  /// Whether a comma follows it, so that a part of a name ends there.
  var endsPart = false

  /// All inflections, and names without any.
  static let everywhere = UInt16.max
}

/// Tells which words are forms of one another: singular and plural, and the cases of adjectives that sound alike.
///
/// Two words are forms of one another in a language if their stems are equal. Stems are made by a few rules on the
/// ends of folded words, in the spirit of the S-stemmer (Harman 1991, "How effective is suffixing?") and of minimal
/// stemmers for other languages (Savoy 2006, "Light stemming approaches for the French, Portuguese, German and
/// Hungarian languages"); they are no words and are never shown.
enum WordForms {
  /// Words of fewer bytes have no forms.
  static let leastCount = 3

  /// Plurals of English that no rule gives: the end of the plural, and what the singular has in its position.
  private static let irregularEnds: [(plural: [UInt8], singular: [UInt8])] = [
    ("mice", "mouse"), ("lice", "louse"), ("geese", "goose"), ("teeth", "tooth"), ("feet", "foot"),
    ("children", "child"), ("oxen", "ox"), ("women", "woman"), ("wolves", "wolf"),
    ("calves", "calf"), ("leaves", "leaf"), ("hooves", "hoof"), ("loaves", "loaf"),
    ("thieves", "thief"), ("knives", "knife"), ("elves", "elf"), ("cacti", "cactus"),
    ("fungi", "fungus"), ("octopi", "octopus"), ("larvae", "larva"), ("algae", "alga"),
    ("bacteria", "bacterium"), ("hippopotami", "hippopotamus"), ("halves", "half"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

  /// What may follow the stem of a word, in the order of the inflections.
  private static let ends: [[[UInt8]]] = [
    ["", "s", "es"],
    ["", "e", "en", "er", "es", "ern", "n", "s"],
    ["", "s", "x"],
    ["", "s", "e", "es"],
    ["", "s", "e", "es"],
    ["", "a", "e", "i", "o", "ha", "he", "hi", "ho"],
    ["", "s", "en", "ens"],
    ["", "а", "е", "и", "о", "ы", "ь", "я"],
    ["", "a", "e", "i", "o", "y", "ia", "ie"],
  ].map { $0.map { Array($0.utf8) } }

  /// What stems end with, and what other words of the same stem have there.
  private static func swaps(
    _ inflection: Grammar.Inflection
  ) -> [(stem: [UInt8], word: [UInt8])] {
    switch inflection {
    case .english: englishSwaps
    case .french: frenchSwaps
    case .spanish: spanishSwaps
    case .portuguese: portugueseSwaps
    case .dutch: dutchSwaps
    case .german, .italian, .russian, .polish: noSwaps
    }
  }

  private static let noSwaps = swaps([])
  private static let englishSwaps = swaps([("y", "ies")])
  private static let frenchSwaps = swaps([("al", "aux")])
  private static let spanishSwaps = swaps([("z", "ces")])
  private static let portugueseSwaps = swaps([
    ("ao", "oes"), ("ao", "aes"), ("m", "ns"), ("al", "ais"), ("el", "eis"),
  ])
  private static let dutchSwaps = swaps([
    ("f", "ven"), ("f", "vens"), ("s", "zen"), ("s", "zens"),
  ])

  private static func swaps(_ ends: [(String, String)]) -> [(stem: [UInt8], word: [UInt8])] {
    ends.map { (Array($0.0.utf8), Array($0.1.utf8)) }
  }

  /// Turns a folded word, in UTF-8, into its stem.
  static func stem(_ word: inout [UInt8], _ inflection: Grammar.Inflection) {
    guard word.count >= leastCount else { return }
    switch inflection {
    case .english: stemEnglish(&word)
    case .german: stemGerman(&word)
    case .french:
      if word.ends("aux"), !word.ends("eaux") {
        word.replaceEnd(2, "l")
      } else if word.ends("s") || word.ends("x") {
        word.removeLast()
      }
    case .spanish:
      if word.ends("ces") { return word.replaceEnd(3, "z") }
      stripPlural(&word)
    case .portuguese:
      if word.ends("oes") || word.ends("aes") { return word.replaceEnd(3, "ao") }
      if word.ends("ns") { return word.replaceEnd(2, "m") }
      if word.ends("ais") || word.ends("eis") { return word.replaceEnd(2, "l") }
      stripPlural(&word)
    case .italian:
      guard let last = word.last, isVowel(last) else { return }
      word.removeLast()
      if word.ends("ch") || word.ends("gh") { word.removeLast() }
    case .dutch: stemDutch(&word)
    case .russian:
      // The vowels and the soft sign at the ends of words, each of two bytes.
      if russianEnds.contains(where: { word.ends($0) }) { word.removeLast(2) }
    case .polish:
      if word.ends("ia") || word.ends("ie") { return word.removeLast(2) }
      if let last = word.last, isVowel(last) || last == UInt8(ascii: "y") { word.removeLast() }
    }
  }

  private static let russianEnds: [String] = ["а", "е", "и", "о", "ы", "ь", "я"]

  private static func isVowel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"):
      true
    default: false
    }
  }

  private static func stemEnglish(_ word: inout [UInt8]) {
    for (plural, singular) in irregularEnds where word.ends(plural) {
      word.removeLast(plural.count)
      return word.append(contentsOf: singular)
    }
    guard word.ends("s"), !word.ends("ss"), !word.ends("us"), !word.ends("is") else { return }
    if word.ends("ies"), word.count > 4 { return word.replaceEnd(3, "y") }
    let isHissing =
      word.ends("sses") || word.ends("shes") || word.ends("ches") || word.ends("xes")
      || word.ends("zes")
    word.removeLast(isHissing || word.ends("oes") && word.count > 5 ? 2 : 1)
  }

  private static func stemGerman(_ word: inout [UInt8]) {
    if word.ends("ern"), word.count > 5 { return word.removeLast(3) }
    if word.ends("en") || word.ends("er") || word.ends("es"), word.count > 4 {
      return word.removeLast(2)
    }
    if word.ends("e") || word.ends("s") && word.count > 4 || word.ends("eln") { word.removeLast() }
  }

  private static func stemDutch(_ word: inout [UInt8]) {
    if word.ends("s"), word.count > 4, !word.ends("ss"), !word.ends("us") { word.removeLast() }
    guard word.ends("en"), word.count > 4 else { return }
    word.removeLast(2)
    guard let last = word.last, let before = word.dropLast().last else { return }
    if last == before {
      word.removeLast()
    } else if last == UInt8(ascii: "v") {
      word.replaceEnd(1, "f")
    } else if last == UInt8(ascii: "z") {
      word.replaceEnd(1, "s")
    }
  }

  /// Strips the end of a plural of Spanish or Portuguese, and the vowel that it may bring.
  private static func stripPlural(_ word: inout [UInt8]) {
    if word.ends("s") { word.removeLast() }
    if word.ends("e"), word.count >= leastCount { word.removeLast() }
  }

  /// How many texts may be words with this stem; of those that have it, none is missing whose stem is made by
  /// the rules above.
  static func candidateCount(ofStem stem: [UInt8], _ inflection: Grammar.Inflection) -> Int {
    let swaps = swaps(inflection).count
    let irregular = inflection == .english ? irregularEnds.count : 0
    return ends[inflection.rawValue - 1].count + swaps + irregular + (inflection == .dutch ? 2 : 0)
  }

  /// Makes one of the texts that may be words with this stem; an empty one where a rule gives none.
  static func makeCandidate(
    _ number: Int, ofStem stem: [UInt8], _ inflection: Grammar.Inflection, _ text: inout [UInt8]
  ) {
    text.removeAll(keepingCapacity: true)
    let ends = ends[inflection.rawValue - 1]
    if number < ends.count {
      text.append(contentsOf: stem)
      return text.append(contentsOf: ends[number])
    }
    var rest = number - ends.count
    let swaps = swaps(inflection)
    if rest < swaps.count {
      return replaceEnd(of: stem, swaps[rest].stem, by: swaps[rest].word, &text)
    }
    rest -= swaps.count
    if inflection == .english {
      return replaceEnd(
        of: stem, irregularEnds[rest].singular, by: irregularEnds[rest].plural, &text)
    }
    // "katten" of "kat".
    guard let last = stem.last else { return }
    text.append(contentsOf: stem)
    text.append(last)
    text.append(contentsOf: rest == 0 ? "en".utf8 : "ens".utf8)
  }

  private static func replaceEnd(
    of stem: [UInt8], _ end: [UInt8], by other: [UInt8], _ text: inout [UInt8]
  ) {
    guard stem.ends(end) else { return }
    text.append(contentsOf: stem.prefix(stem.count - end.count))
    text.append(contentsOf: other)
  }
}

extension [UInt8] {
  /// Whether the text ends with `end`, which is not all of it.
  fileprivate func ends(_ end: String) -> Bool {
    var index = count &- end.utf8.count
    guard index > 0 else { return false }
    for byte in end.utf8 {
      if self[index] != byte { return false }
      index &+= 1
    }
    return true
  }

  /// Whether the text ends with `end`.
  fileprivate func ends(_ end: [UInt8]) -> Bool {
    guard count >= end.count else { return false }
    var index = count &- end.count
    for byte in end {
      if self[index] != byte { return false }
      index &+= 1
    }
    return true
  }

  /// Puts other letters in the position of the last ones.
  fileprivate mutating func replaceEnd(_ dropped: Int, _ end: String) {
    removeLast(dropped)
    append(contentsOf: end.utf8)
  }
}
