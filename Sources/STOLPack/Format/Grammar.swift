/// How names of people's languages are put together: PACK.md section 7, "Grammar".
enum Grammar {
  /// Which words of a language are forms of one another; the raw values are those of the format.
  enum Inflection: Int, CaseIterable {
    case english = 1
    case german, french, spanish, portuguese, italian, dutch, russian, polish

    private static let codes = ["en", "de", "fr", "es", "pt", "it", "nl", "ru", "pl"]

    /// That of a language subtag.
    init?(code: Substring) {
      guard let index = Self.codes.firstIndex(where: { $0 == code }) else { return nil }
      self = Self.allCases[index]
    }
  }

  /// Languages in which what a name is about comes before what tells it apart, as in "lobo gris".
  private static let headFirstCodes: Set<String> = [
    "ar", "br", "ca", "co", "cs", "cy", "es", "eu", "fa", "fr", "ga", "gd", "gl", "he", "id", "it",
    "ms",
    "oc", "pl", "pt", "ro", "sk", "sw", "vi",
  ]

  /// The words between what a name is about and what is said of it, or between two that it is about.
  static let links = ["&", "and", "et", "of", "og", "och", "oder", "or", "ou", "und", "with", "y"]

  /// What a pack stores for a language: twice its inflection, 0 for none, and 1 where the head is first.
  static func number(ofLanguage tag: String) -> UInt32 {
    let code = tag.prefix { $0 != "-" }
    let inflection = UInt32(Inflection(code: code)?.rawValue ?? 0)
    return inflection << 1 | (headFirstCodes.contains(String(code)) ? 1 : 0)
  }

  /// Above every number that `number(ofLanguage:)` gives.
  static let bound = (Inflection.allCases.count + 1) * 2
}

/// The grammar of the names of a pack: PACK.md section 7.
struct GrammarView: ~Escapable {
  private let languages: PackedColumn
  private let links: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    languages = bytes.packed(.languageGrammar, directory)
    links = bytes.packed(.linkWords, directory)
  }

  /// Whether the head of names in a language comes first.
  @inline(__always)
  func isHeadFirst(_ language: LanguageRow) -> Bool { languages.raw(language.rawValue) & 1 == 1 }

  /// The inflection of a language as a bit, bit 0 where it has none.
  @inline(__always)
  func inflection(of language: LanguageRow) -> UInt16 {
    1 &<< UInt16(truncatingIfNeeded: (languages.raw(language.rawValue) &>> 1) & 15)
  }

  /// The inflections of all languages, as bits.
  var inflections: UInt16 {
    var result: UInt16 = 0
    for row in 0..<languages.count { result |= 1 &<< UInt16(languages.raw(row) &>> 1 & 15) }
    return result
  }

  /// Whether `word` stands between parts of names.
  @inline(__always)
  func isLink(_ word: Int) -> Bool {
    for row in 0..<links.count where links[row] == word { return true }
    return false
  }
}
