import STOLIngest
import Testing
import STOLNames

struct NameCleanerTests {
  @Test(arguments: ["Aus bus L.", "", "Aus bus (L., 1758) Mill. [sic]", "a > b"])
  func leavesPlainTextAlone(_ text: String) {
    let (cleaned, found) = NameCleaner.clean(text)
    #expect(cleaned == text && found.isEmpty)
  }

  @Test(arguments: [
    ("<i>Aus bus</i> L.", "Aus bus L."), ("<em class=\"x\">Aus</em>", "Aus"),
    ("Aus<br/>bus", "Aus bus"),
    ("m<sup>2</sup>", "m2"), ("A &amp; B", "A & B"), ("Ren&eacute;e &#233;&#xE9;", "Renée éé"),
    ("&lt;i&gt;Aus", "<i>Aus"), ("&amp;eacute;", "&eacute;"), ("a&nbsp;b", "a b"),
  ])
  func removesMarkup(_ text: String, _ expected: String) {
    let (cleaned, found) = NameCleaner.clean(text)
    #expect(cleaned == expected && found == .markup)
  }

  @Test(arguments: ["a < b", "<1 mm", "<foo@bar>", "A & B", "&nosuch;", "&#xD800;", "&;", "<"])
  func leavesWhatIsNoMarkup(_ text: String) {
    let (cleaned, found) = NameCleaner.clean(text)
    #expect(cleaned == text && found.isEmpty)
  }

  @Test(arguments: [
    ("Aus\u{0}bus", "Ausbus"), ("\u{feff}Aus", "Aus"), ("Aus\u{202e} bus\u{200b}", "Aus bus"),
    ("\u{1b}[1mAus", "[1mAus"),
  ])
  func removesControlCharacters(_ text: String, _ expected: String) {
    let (cleaned, found) = NameCleaner.clean(text)
    #expect(cleaned == expected && found == .controlCharacters)
  }

  @Test func makesSpacesSimple() {
    #expect(NameCleaner.clean("  Aus\u{a0}\u{2009} bus\t\nL. ") == ("Aus bus L.", []))
  }

  @Test func composes() {
    let cleaned = NameCleaner.clean("Ro\u{308}th").text
    #expect(Array(cleaned.unicodeScalars).count == 4)
    #expect(NameCleaner.clean("RÃ¶th").text == "RÃ¶th")
  }

  @Test func cutsLongTextBetweenScalars() {
    let (cleaned, found) = NameCleaner.clean("a" + String(repeating: "é", count: 40_000))
    #expect(cleaned.utf8.count == NameCleaner.byteLimit - 1 && found == .tooLong)
    let plain = NameCleaner.clean(String(repeating: "a", count: 65_537))
    #expect(plain.text.utf8.count == NameCleaner.byteLimit && plain.found == .tooLong)
  }
}

private func == (
  left: (text: String, found: NameCleaner.Found), right: (String, NameCleaner.Found)
) -> Bool {
  left.text == right.0 && left.found == right.1
}
