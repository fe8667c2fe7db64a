import Foundation
import Testing

@testable import STOLMedia

@Suite("JSON of manifests")
struct JSONReaderTests {
  private func isRead(_ text: String) -> Bool {
    (try? JSONReader.value(Array(text.utf8))) != nil
  }

  @Test func readsEveryKindOfValue() throws {
    let text = " {\"a\": [1, -2, 3.5, 1e3, true, false, null, \"\\u00e4\\ud83e\\udd81\\n\"]}\r\n"
    guard case .object(let object) = try JSONReader.value(Array(text.utf8)),
      case .array(let values)? = object["a"], values.count == 8
    else {
      Issue.record("not an object with an array")
      return
    }
    guard case .integer(1) = values[0], case .integer(-2) = values[1],
      case .otherNumber = values[2], case .otherNumber = values[3], case .bool = values[4],
      case .bool = values[5], case .null = values[6], case .text("\u{E4}\u{1F981}\n") = values[7]
    else {
      Issue.record("\(values)")
      return
    }
  }

  @Test func namesThatOnlyLookTheSameAreTwo() {
    #expect(isRead("{\"\u{E9}\": 1, \"e\u{301}\": 2}"))
    #expect(!isRead("{\"\u{E9}\": 1, \"\\u00e9\": 2}"))
  }

  @Test func integersOf64BitsAreKeptAndOthersAreNone() throws {
    for value in [Int64.min, -1, 0, 1, .max] {
      guard case .integer(value) = try JSONReader.value(Array("\(value)".utf8)) else {
        Issue.record("\(value)")
        continue
      }
    }
    guard case .otherNumber = try JSONReader.value(Array("9223372036854775808".utf8)) else {
      Issue.record("one more than fits")
      return
    }
  }

  @Test func nestingEndsAtItsLimit() {
    let limit = MediaLayout.depthLimit
    for (depth, isFine) in [(limit, true), (limit + 1, false), (1_000_000, false)] {
      let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect(isRead(arrays) == isFine)
    }
    #expect(!isRead(String(repeating: "{\"a\":", count: 100_000)))
  }

  /// Every text of up to four letters of a small alphabet, against Foundation, which takes the same
  /// but for a comma at the end of an array.
  @Test func agreesWithFoundationOnShortTexts() {
    let alphabet: [UInt8] = Array("[]{},:\"01-.e ".utf8)
    var texts: [[UInt8]] = [[]]
    for _ in 1...4 {
      texts = texts.flatMap { text in alphabet.map { text + [$0] } }
      for text in texts {
        let isRead = (try? JSONReader.value(text)) != nil
        let value = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
        let shown = String(decoding: text, as: UTF8.self)
        if isRead != (value != nil), isRead || !shown.contains(",]") { Issue.record("\(shown)") }
      }
    }
  }
}
