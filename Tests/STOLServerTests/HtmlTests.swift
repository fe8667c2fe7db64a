import Foundation
import STOLAnswers
import Testing

@testable import STOLServer

@Suite("HTML and JSON")
struct HtmlTests {
  private static let hostile = "<script>alert(\"1\")</script>&amp;'\u{0}\u{7}\u{202E}\n\t\u{7F}é猫"

  private func text(_ html: Html) -> String { String(decoding: html.bytes, as: UTF8.self) }

  @Test func textsAndValuesAreEscaped() {
    let html = tag("p", .class(Self.hostile)) { Self.hostile }
    let escaped =
      "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;&#39;\u{FFFD}\u{FFFD}\u{202E}\n\t\u{FFFD}é猫"
    #expect(text(html) == "<p class=\"\(escaped)\">\(escaped)</p>")
  }

  @Test func attributesWithoutAValueAreLeftOut() {
    #expect(
      text(
        void(
          "input", .class(nil), Attribute("checked", isSet: true),
          Attribute("disabled", isSet: false))) == "<input checked=\"\">")
  }

  @Test func everyByteOfASCIIStaysOneText() throws {
    for byte in UInt8(0)..<128 {
      let value = String(UnicodeScalar(byte))
      let html = text(tag("a", .value(value)) { value })
      #expect(html.filter { $0 == "<" }.count == 2, "\(byte)")
      #expect(html.filter { $0 == "\"" }.count == 2, "\(byte)")
    }
  }

  @Test func jsonIsReadAsItWasWritten() throws {
    let values = [Self.hostile, "", "\\", "\"", "a\u{2028}b", "\u{1F}"]
    let json = Reply.json { json in
      json.array("texts") { json in for value in values { json.text(nil, value) } }
      json.text("none", nil)
      json.number("whole", Int.min)
      json.number("double", exact: 0.1)
      json.number("endless", exact: Double.infinity)
      json.object("empty") { _ in }
      json.bool("yes", true)
    }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    #expect(object["texts"] as? [String] == values)
    #expect(object["none"] is NSNull)
    #expect(object["whole"] as? Int64 == .min)
    #expect(object["double"] as? Double == 0.1)
    #expect(object["endless"] is NSNull)
    #expect((object["empty"] as? [String: Any])?.isEmpty == true)
    #expect(object["yes"] as? Bool == true)
    #expect(object["apiVersion"] as? Int == 2)
  }

  @Test func numbersAreGrouped() {
    #expect(
      [0, 7, 999, 1000, 82_977, 1_234_567, -1000].map { Words.grouped($0) }
        == ["0", "7", "999", "1,000", "82,977", "1,234,567", "-1,000"])
    #expect(Words.bytes(999) == "999 bytes")
    #expect(Words.bytes(1500) == "1.5 kB")
    #expect(Words.bytes(88_236_032) == "88 MB")
  }
}
