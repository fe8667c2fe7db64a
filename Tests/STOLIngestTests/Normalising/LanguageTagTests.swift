import Foundation
import STOLIngest
import Testing
import STOLNames

struct LanguageTagTests {
  @Test(arguments: [
    ("eng", "en"), ("fre", "fr"), ("fra", "fr"), ("ger", "de"), ("deu", "de"), ("chi", "zh"),
    ("zho", "zh"), ("wel", "cy"), (" en", "en"), ("EN", "en"), ("pt-br", "pt-BR"),
    ("pt_BR", "pt-BR"),
    ("pt-", "pt"), ("zh-hans", "zh-Hans"), ("zh-cmn-hans-cn", "cmn-Hans-CN"), ("en-uk", "en-GB"),
    ("es-419", "es-419"), ("de-ch-1996", "de-CH-1996"), ("en-x-Foo", "en-x-foo"), ("ceb", "ceb"),
    ("be-x-old", "be-tarask"), ("zh-yue", "yue"), ("zh-min-nan", "nan"), ("zh-classical", "lzh"),
    ("roa-rup", "rup"), ("simple", "en"), ("nrm", "nrf"), ("iw", "he"), ("i-klingon", "tlh"),
    ("jp", "ja"), ("cz", "cs"), ("dk", "da"), ("kr", "ko"), ("gr", "el"), ("English", "en"),
    ("german", "de"), ("Portuguese (Brazil)", "pt-BR"), ("Chinese (Simplified)", "zh-Hans"),
    ("French, Canadian", "fr-CA"), ("Sotho, Southern", "st"), ("Español", "es"), ("中文", "zh"),
    ("Spanish; Castilian", "es"), ("Finnish (Finland)", "fi"),
  ])
  func makesTags(_ text: String, _ tag: String) {
    #expect(LanguageTag.canonical(text) == tag)
    #expect(LanguageTag.canonical(tag) == tag)
  }

  @Test(arguments: [
    "", " ", "-", "e0", "qq", "xyzzy", "und", "mis", "qaa", "12", "wibble wobble", "Te Reo Maori",
    "Old English", "Woi Wurrung", "Bad Name", "en US",
  ])
  func doesNotKnowOthers(_ text: String) {
    #expect(LanguageTag.canonical(text) == LanguageTag.unknown)
  }

  @Test(
    .enabled(
      if: RealSources.isAvailable("vernacular/vernacular.tsv"),
      "needs ../shared/data/reference/vernacular/vernacular.tsv"))
  func makesValidTagsOfDirtyCodes() throws {
    var codes: Set<Substring> = []
    for line in try RealSources.text("vernacular/vernacular.tsv").split(separator: "\n").dropFirst()
    {
      codes.insert(line.split(separator: "\t", omittingEmptySubsequences: false)[1])
    }
    #expect(codes.count == 485)
    var unknown: [Substring] = []
    for code in codes {
      let tag = LanguageTag.canonical(String(code))
      #expect(isWellFormed(tag), "\(code): \(tag)")
      #expect(LanguageTag.canonical(tag) == tag, "\(code): \(tag)")
      if tag == LanguageTag.unknown { unknown.append(code) }
    }
    #expect(unknown.count <= 13, "\(unknown.sorted())")
  }

  /// RFC 5646, section 2.1, without extensions and grandfathered tags.
  private func isWellFormed(_ tag: String) -> Bool {
    var parts = tag.split(separator: "-", omittingEmptySubsequences: false)[...]
    func take(_ matches: (Substring) -> Bool) -> Bool {
      guard let first = parts.first, matches(first) else { return false }
      parts.removeFirst()
      return true
    }
    let letters = { (text: Substring) in text.allSatisfy { $0.isASCII && $0.isLetter } }
    let alphanumeric = { (text: Substring) in
      text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    guard take({ (2...3).contains($0.count) && letters($0) && $0 == $0.lowercased() }) else {
      return false
    }
    _ = take { $0.count == 4 && letters($0) && $0 == $0.capitalized }
    _ = take {
      $0.count == 2 && letters($0) && $0 == $0.uppercased()
        || $0.count == 3 && $0.allSatisfy(\.isNumber)
    }
    while take({
      (5...8).contains($0.count) && alphanumeric($0)
        || $0.count == 4 && $0.first?.isNumber == true && alphanumeric($0)
    }) {}
    if take({ $0 == "x" }) {
      guard !parts.isEmpty else { return false }
      while take({ (1...8).contains($0.count) && alphanumeric($0) }) {}
    }
    return parts.isEmpty
  }
}
