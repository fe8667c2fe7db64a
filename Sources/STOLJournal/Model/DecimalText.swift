import Foundation

/// Decimal numbers as whole numbers of their last place.
package enum DecimalText {
  /// The number that a text is, times ten to the power of `decimals`, rounded half away from zero; nil for
  /// what is none, or has more than 16 digits before its point and of those decimals.
  ///
  /// - Complexity: O(length)
  package static func value(_ text: String, decimals: Int) -> Int? {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let parts = rest.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let whole = parts.first, !whole.isEmpty, whole.count + decimals <= 16,
      parts.allSatisfy({ $0.allSatisfy(digits.contains) }), parts.count == 1 || !parts[1].isEmpty
    else { return nil }
    let fraction = parts.count == 2 ? Array(parts[1]) : []
    var value = whole.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) }
    for place in 0..<decimals {
      value = value * 10 + (place < fraction.count ? Int(fraction[place] - digits.lowerBound) : 0)
    }
    if fraction.count > decimals, fraction[decimals] >= UInt8(ascii: "5") { value += 1 }
    return isNegative ? -value : value
  }

  /// A whole number of the last of `decimals` places as a decimal number, without zeros at its end.
  package static func text(_ value: Int, decimals: Int) -> String {
    var digits = Array(String(value.magnitude).utf8)
    if digits.count <= decimals {
      digits.insert(
        contentsOf: repeatElement(UInt8(ascii: "0"), count: decimals + 1 - digits.count), at: 0)
    }
    var fraction = digits.suffix(decimals)
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    let sign = value < 0 ? "-" : ""
    let whole = String(decoding: digits.dropLast(decimals), as: UTF8.self)
    return sign + whole + (fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self))
  }
}

func sine(_ angle: Double) -> Double { sin(angle) }
func cosine(_ angle: Double) -> Double { cos(angle) }
func arcSine(_ ratio: Double) -> Double { asin(ratio) }
