import Testing

@testable import STOLServer

@Suite struct PageLanguageTests {
  /// Samples of CLDR's rules for cardinal numbers.
  @Test(arguments: [
    (PageLanguage.en, [PluralForm.one: [1], .other: [0, 2, 10, 21, 1_000_000]]),
    (.de, [.one: [1], .other: [0, 2, 101]]),
    (.fr, [.one: [0, 1], .many: [1_000_000, 3_000_000], .other: [2, 17, 1_000_001]]),
    (.pt, [.one: [0, 1], .many: [1_000_000], .other: [2, 17]]),
    (.es, [.one: [1], .many: [1_000_000], .other: [0, 2, 16]]),
    (.zh, [.other: [0, 1, 2, 100]]), (.ja, [.other: [0, 1, 2, 100]]),
    (
      .ar,
      [
        .zero: [0], .one: [1], .two: [2], .few: [3, 10, 103, 110, 1003],
        .many: [11, 26, 99, 111, 1011], .other: [100, 102, 200, 202, 1000, 1_000_000],
      ]
    ),
  ])
  func numbersTakeTheirForms(language: PageLanguage, samples: [PluralForm: [Int]]) {
    #expect(Set(samples.keys) == Set(language.pluralForms))
    for (form, numbers) in samples {
      for number in numbers { #expect(language.pluralForm(of: number) == form, "\(number)") }
    }
  }

  @Test func fractionsTakeTheirForms() {
    #expect(PageLanguage.fr.pluralForm(of: 1.5) == .one)
    #expect(PageLanguage.de.pluralForm(of: 1.5) == .other)
    #expect(PageLanguage.ar.pluralForm(of: 3.5) == .other)
    #expect(PageLanguage.ar.pluralForm(of: 3.0) == .few)
  }

  @Test(arguments: [
    (PageLanguage.en, "1,234", "12,345"), (.de, "1.234", "12.345"),
    (.fr, "1\u{202F}234", "12\u{202F}345"), (.es, "1234", "12.345"), (.pt, "1.234", "12.345"),
    (.zh, "1,234", "12,345"), (.ja, "1,234", "12,345"), (.ar, "1,234", "12,345"),
  ])
  func digitsAreGrouped(language: PageLanguage, short: String, long: String) {
    #expect(language.grouped(1234) == short)
    #expect(language.grouped(12345) == long)
    #expect(language.grouped(-12345) == "-" + long)
    #expect([0, 7, 999].map { language.grouped($0) } == ["0", "7", "999"])
  }

  /// Cases of RFC 9110, sections 12.4.2 and 12.5.4, and of RFC 4647.
  @Test(arguments: [
    ("", nil, PageLanguage.en), ("de", "de", .de), ("de-AT", "de-AT", .de),
    ("da, en-gb;q=0.8, en;q=0.7", "da", .en), ("gsw, fr;q=0.9, de;q=0.8", "gsw", .fr),
    ("en;q=0.5, de;q=0.9", "de", .de), ("en;q=0.5,de;q=0.5", "en", .en),
    ("fr;q=0, es", "es", .es), ("*", nil, .en), ("nl, *;q=0.5", "nl", .en),
    ("nl, *;q=0.5, en;q=0", "nl", .de), ("en;q=0, *", nil, .de), ("*;q=0", nil, .en),
    ("ZH-hans-CN", "ZH-hans-CN", .zh), ("zh-TW,ja;q=0.9", "zh-TW", .zh), ("AR", "AR", .ar),
    ("pt-BR;q=1.000, en;q=0.001", "pt-BR", .pt), ("de ;  q=0.3 , fr\t;\tQ=0.4", "fr", .fr),
    // What is no range or no weight is passed over.
    ("de;q=1.5, fr", "fr", .fr), ("de;q=0.1234, fr", "fr", .fr), ("de;q=, fr", "fr", .fr),
    ("de;level=1, fr", "fr", .fr), ("d€, es", "es", .es), (",,; ,ja,", "ja", .ja),
    ("deutschland-zu-lang, fr", "fr", .fr), ("-de, fr", "fr", .fr), ("de--AT, fr", "fr", .fr),
    ("1de, fr", "fr", .fr), ("de;q=-0.5, fr", "fr", .fr), ("de;q=1.001, fr", "fr", .fr),
  ])
  func languagesAreAccepted(field: String, names: String?, page: PageLanguage) {
    let accepted = AcceptedLanguages(field)
    #expect(accepted.first == names)
    #expect(accepted.page == page)
  }

  @Test func aLongFieldIsNotReadToItsEnd() {
    let field = (1...10_000).map { "x\($0 % 10);q=0.\($0 % 9 + 1)" }.joined(separator: ",")
    #expect(AcceptedLanguages(field).wanted.count <= AcceptedLanguages.greatestCount)
  }
}
