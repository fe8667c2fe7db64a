import STOLSystem

extension [UInt8] {
  /// Appends the decimal digits of `value`.
  package mutating func append(decimal value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digitsOf: value.magnitude)
  }

  /// Appends `value` with four decimals at most, without zeros at the end.
  mutating func append(decimal value: Double) {
    let scaled = (value * 10_000).rounded()
    let (whole, part) = Int(abs(scaled)).quotientAndRemainder(dividingBy: 10_000)
    if scaled < 0 { append(UInt8(ascii: "-")) }
    append(digitsOf: UInt64(whole))
    guard part > 0 else { return }
    append(UInt8(ascii: "."))
    append(digitsOf: UInt64(part), atLeast: 4)
    while last == UInt8(ascii: "0") { removeLast() }
  }

  /// Appends `value`, which is finite, as short as it can be told from any other; without an exponent
  /// from 1e-9 on.
  mutating func append(exact value: Double) {
    let text = value.description
    // These are written with an exponent, which not everybody reads.
    if (1e-9..<1e-4).contains(value.magnitude) { return append(scientific: text) }
    append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
  }

  /// Appends a number such as "-1.5e-07" with all its zeros.
  private mutating func append(scientific text: String) {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else {
      return append(contentsOf: text.utf8)
    }
    if text.first == "-" { append(UInt8(ascii: "-")) }
    append(contentsOf: "0.".utf8)
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -exponent - 1))
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    append(contentsOf: parts[0].utf8.filter { digits.contains($0) })
  }

  private mutating func append(digitsOf value: UInt64, atLeast width: Int = 1) {
    var (rest, width) = (value, width)
    if value >= 100_000_000 {
      append(digitsOf: value / 100_000_000)
      (rest, width) = (value % 100_000_000, 8)
    }
    // Eight digits at most, the first in the lowest byte.
    var digits: UInt64 = 0
    var digitCount = 0
    repeat {
      digits = digits << 8 | UInt64(UInt8(ascii: "0")) &+ rest % 10
      rest /= 10
      digitCount += 1
    } while rest > 0 || digitCount < width
    append(bytesOf: digits, count: digitCount)
  }
}

extension Double {
  /// The number, which is finite, as short as it can be told from any other.
  package var exactText: String {
    var digits: [UInt8] = []
    digits.append(exact: self)
    return String(decoding: digits, as: UTF8.self)
  }

  /// The number with four decimals at most, without zeros at the end.
  package var decimalText: String {
    var digits: [UInt8] = []
    digits.append(decimal: self)
    return String(decoding: digits, as: UTF8.self)
  }
}
