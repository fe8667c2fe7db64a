import STOLAnswers
import Testing

@Suite("Decimal numbers")
struct DecimalTests {
  @Test(arguments: [
    (1e-7, "0.0000001"), (-1.5e-7, "-0.00000015"), (9.99e-5, "0.0000999"), (1e-9, "0.000000001"),
    (0.0001, "0.0001"), (0, "0"), (-2, "-2"), (1e-10, "1e-10"), (42.45331, "42.45331"),
  ])
  func anExactNumberHasNoExponentUnlessItIsTiny(value: Double, text: String) {
    #expect(value.exactText == text)
  }

  @Test func anExactNumberIsReadBackAsItWas() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let exponent = Double(Int.random(in: -12...6, using: &generator))
      var value = Double.random(in: -1...1, using: &generator)
      for _ in 0..<Int(abs(exponent)) { value = exponent < 0 ? value / 10 : value * 10 }
      #expect(Double(value.exactText) == value)
    }
  }
}
