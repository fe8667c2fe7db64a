/// A decimal number with a unit behind it or none, as other programs write it: "12.3 m", "1.5e5".
///
/// Digits are taken as they are written; behind the first 12 that are not zeros in front they count as zeros.
struct WrittenNumber: Equatable {
  let digits: Int
  /// How many of the digits stand behind the point; fewer than none where zeros follow.
  let decimals: Int
  /// What stands behind the number, without white space around it.
  let unit: Substring

  /// The number that a text begins with; nil for a text that begins with none.
  init?(_ text: String) {
    let bytes = text.utf8
    var index = bytes.startIndex
    func byte() -> UInt8? { index < bytes.endIndex ? bytes[index] : nil }
    while let next = byte(), Self.isSpace(next) { index = bytes.index(after: index) }
    let isNegative = byte() == UInt8(ascii: "-")
    if isNegative || byte() == UInt8(ascii: "+") { index = bytes.index(after: index) }
    var (value, count, places, isBehindPoint, hasDigit) = (0, 0, 0, false, false)
    while let next = byte() {
      if next == UInt8(ascii: "."), !isBehindPoint {
        isBehindPoint = true
      } else if let digit = Self.digit(next) {
        hasDigit = true
        if count < 12 {
          value = value * 10 + digit
          if value > 0 { count += 1 }
          if isBehindPoint { places += 1 }
        } else if !isBehindPoint {
          places -= 1
        }
      } else {
        break
      }
      index = bytes.index(after: index)
    }
    guard hasDigit else { return nil }
    if let next = byte(), next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      var end = bytes.index(after: index)
      let sign = end < bytes.endIndex ? bytes[end] : 0
      if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { end = bytes.index(after: end) }
      var (exponent, exponentCount) = (0, 0)
      while end < bytes.endIndex, let digit = Self.digit(bytes[end]), exponentCount < 4 {
        exponent = exponent * 10 + digit
        exponentCount += 1
        end = bytes.index(after: end)
      }
      if exponentCount > 0 {
        places += sign == UInt8(ascii: "-") ? exponent : -exponent
        index = end
      }
    }
    digits = isNegative ? -value : value
    decimals = places
    var end = bytes.endIndex
    while let next = byte(), Self.isSpace(next) { index = bytes.index(after: index) }
    while end > index, Self.isSpace(bytes[bytes.index(before: end)]) {
      end = bytes.index(before: end)
    }
    unit = text[index..<end]
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
  }

  /// The number times a ratio, rounded to the nearest whole number, a half away from zero; nil where it is beyond
  /// all measure.
  func scaled(by factor: Int, over ratio: Int = 1) -> Int? {
    if digits == 0 { return 0 }
    guard (-17...36).contains(decimals) else { return decimals < 0 ? nil : 0 }
    var (number, divisor) = (digits, ratio)
    guard Self.multiply(&number, factor) else { return nil }
    for _ in 0..<max(0, -decimals) { guard Self.multiply(&number, 10) else { return nil } }
    for _ in 0..<max(0, decimals) {
      // More than it is divided by it is not.
      guard Self.multiply(&divisor, 10) else { return 0 }
    }
    let (quotient, rest) = number.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
    let rounded = quotient + (rest >= divisor.magnitude - rest ? 1 : 0)
    return Int(exactly: rounded).map { number < 0 ? -$0 : $0 }
  }

  private static func multiply(_ value: inout Int, _ factor: Int) -> Bool {
    let (product, isOver) = value.multipliedReportingOverflow(by: factor)
    value = product
    return !isOver
  }
}
