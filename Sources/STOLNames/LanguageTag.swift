/// Makes a language tag of what sources write for a language.
package enum LanguageTag {
  /// The tag of an unknown language: ISO 639-2.
  package static let unknown = "und"

  /// The tag in canonical form, or "und" for what names no language.
  ///
  /// Accepts codes of ISO 639 with subtags (RFC 5646) in any case, with "-" or "_"; the codes of
  /// MediaWiki; names of languages in English, and of large ones in their own and a few other
  /// languages. A code of three letters that has one of two is shortened, as RFC 5646, section 2.2.1,
  /// asks; others are kept if they are three letters, known or not: there is no registry here.
  /// Subtags that are none are left out, and the language stays. Codes of countries count as
  /// languages where no language has that code: "jp", "cz", "dk", "gr"; and "kr", which is Kanuri
  /// in ISO 639, is Korean in the sources that write it.
  ///
  /// - Complexity: O(length)
  package static func canonical(_ text: String) -> String {
    let raw = trimmingSpaces(text)
    guard !raw.isEmpty, raw.utf8.count <= 100 else { return unknown }
    let lower = raw.lowercased()
    if let tag = LanguageTable.byName[lower] { return tag }
    // Words with spaces between them are a name: "Te Reo Maori" is no kind of Telugu.
    let parts = lower.split { $0 == "-" || $0 == "_" }
    if let tag = LanguageTable.aliases[parts.joined(separator: "-")] { return tag }
    if isCode(lower), let tag = tag(parts.map(String.init)) { return tag }
    // "French, Canadian", "Norwegian (Norway)", "English; American".
    let head = lower.prefix { $0 != "," && $0 != "(" && $0 != ";" && $0 != "/" }
    guard head.count < lower.count else { return unknown }
    return canonical(String(head))
  }

  /// Whether there is nothing but ASCII letters, digits and separators.
  private static func isCode(_ text: String) -> Bool {
    text.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }

  /// Languages before which a tag may name the one that they encompass: RFC 5646, section 2.2.2.
  private static let encompassing: Set<String> = [
    "zh", "ar", "ms", "sw", "uz", "lv", "kok", "sgn",
  ]

  /// RFC 5646, section 2.1: language, script, region, variants, private use.
  private static func tag(_ parts: [String]) -> String? {
    guard var language = parts.first, var tag = languageCode(language) else { return nil }
    var rest = parts.dropFirst()
    if let next = rest.first, next.count == 3, isLetters(next), encompassing.contains(tag) {
      language = next
      tag = languageCode(next) ?? next
      rest = rest.dropFirst()
    }
    // What a code means as a whole may have subtags of its own.
    if tag.contains("-") { return tag }
    if let script = rest.first, script.count == 4, isLetters(script) {
      tag += "-" + script.prefix(1).uppercased() + script.dropFirst()
      rest = rest.dropFirst()
    }
    if let region = rest.first, let code = regionCode(region) {
      tag += "-" + code
      rest = rest.dropFirst()
    }
    var seen: Set<String> = []
    for (index, part) in zip(rest.indices, rest) {
      if part == "x" {
        let privateParts = rest[(index + 1)...].filter { (1...8).contains($0.count) }
        return privateParts.isEmpty ? tag : tag + "-x-" + privateParts.joined(separator: "-")
      }
      guard isVariant(part), seen.insert(part).inserted else { continue }
      tag += "-" + part
    }
    return tag
  }

  /// The code of a language, shortened; nil if it is none.
  private static func languageCode(_ code: String) -> String? {
    if let alias = LanguageTable.aliases[code] { return alias }
    guard isLetters(code) else { return nil }
    switch code.count {
    case 2:
      if code == "kr" { return "ko" }
      return LanguageTable.twoLetter.contains(code) ? code : nil
    case 3:
      // qaa to qtz are for private use and say nothing.
      if code >= "qaa" && code <= "qtz" || code == "mis" || code == "und" { return nil }
      return LanguageTable.shortened[code] ?? code
    default: return nil
    }
  }

  private static func regionCode(_ part: String) -> String? {
    if part.count == 2, isLetters(part) { return part == "uk" ? "GB" : part.uppercased() }
    let isNumber = part.count == 3 && part.utf8.allSatisfy(\.isDigit)
    return isNumber ? part : nil
  }

  private static func isVariant(_ part: String) -> Bool {
    switch part.count {
    case 5...8: true
    case 4: part.utf8.first?.isDigit ?? false
    default: false
    }
  }

  private static func isLetters(_ text: String) -> Bool {
    text.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
  }
}
