import Testing

@testable import STOLServer

@Suite struct TraitWordsTests {
  @Test(arguments: [
    (403.32, "403"), (13.15, "13.2"), (5.0, "5"), (0.0833333, "0.0833"), (1234.5, "1,234"),
    (99949.4, "99,949"), (0.1, "0.1"), (0, "0"), (-0.25, "-0.25"), (-1500, "-1,500"),
    (1e-20, "1e-20"), (1e300, "1e+300"), (9.999, "10"), (20.7, "20.7"),
  ])
  func threeDigitsCount(number: Double, text: String) {
    #expect(TraitWords.rounded(number) == text)
  }

  /// However it is rounded, it is no further away than half a unit of its third digit.
  @Test func roundingIsNeverFar() throws {
    for step in 0..<2_000 {
      let number = Double(step + 1) * 0.037 * Double(1 + step % 97)
      let text = TraitWords.rounded(number).filter { $0 != "," }
      let shown = try #require(Double(text))
      #expect(abs(shown - number) <= max(0.5, number * 0.005) && abs(shown / number - 1) <= 0.006)
    }
  }

  @Test func whatIsNotKnownIsShownAsItIs() {
    #expect(TraitWords.label("petal_length_mm", unit: "mm") == "Petal length")
    #expect(TraitWords.label("nocturnal") == "Active")
    #expect(TraitWords.group("petal_length_mm") == .other)
  }
}
