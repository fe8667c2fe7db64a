/// A decimal number as it was written, without any loss: `digits` by ten to the power of `decimals`.
struct ExactDecimal: Equatable {
  let digits: Int
  let decimals: Int

  /// The number that a text is: a sign or none, digits and at most one point, at most 17 digits in all; nil for
  /// another text.
  init?(_ text: some StringProtocol) {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let parts = rest.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let range = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(range.contains) }),
      parts.reduce(0, { $0 + $1.count }) <= 17
    else { return nil }
    let value = parts.joined().reduce(0) { $0 * 10 + Int($1 - range.lowerBound) }
    digits = isNegative ? -value : value
    decimals = parts.count == 2 ? parts[1].count : 0
  }

  /// The number plus `offset` hundredths, times a ratio, rounded to the nearest whole number, a half away from
  /// zero; nil where that, or a step on the way, is beyond `Int`.
  func scaled(plusHundredths offset: Int = 0, by numerator: Int, over denominator: Int) -> Int? {
    var (number, divisor) = (digits, denominator)
    func multiply(_ value: inout Int, _ factor: Int) -> Bool {
      let (product, overflow) = value.multipliedReportingOverflow(by: factor)
      value = product
      return !overflow
    }
    var hundredths = offset
    var places = decimals
    if offset != 0 {
      while places < 2 {
        guard multiply(&number, 10) else { return nil }
        places += 1
      }
      for _ in 2..<max(2, places) { guard multiply(&hundredths, 10) else { return nil } }
      let (sum, overflow) = number.addingReportingOverflow(hundredths)
      guard !overflow else { return nil }
      number = sum
    }
    guard multiply(&number, numerator) else { return nil }
    for _ in 0..<places { guard multiply(&divisor, 10) else { return nil } }
    let (quotient, rest) = number.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
    let rounded = quotient + (rest >= divisor.magnitude - rest ? 1 : 0)
    return Int(exactly: rounded).map { number < 0 ? -$0 : $0 }
  }
}
