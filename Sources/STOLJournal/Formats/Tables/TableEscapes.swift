/// Undoes what exports do to texts so that they harm neither a terminal nor a spreadsheet.
enum TableEscapes {
  private static let backslash = UInt8(ascii: "\\")
  private static let apostrophe = UInt8(ascii: "'")

  /// The text of a cell of tab-separated values, in which a backslash stands before t, n, r, itself and u{...}.
  static func tabSeparated(_ cell: String) -> String {
    unescaped(cell) { letter in
      switch letter {
      case UInt8(ascii: "t"): UInt8(ascii: "\t")
      case UInt8(ascii: "n"): UInt8(ascii: "\n")
      case UInt8(ascii: "r"): UInt8(ascii: "\r")
      case backslash: backslash
      default: nil
      }
    }
  }

  /// The text of a cell of comma-separated values: u{...} behind a backslash is a character, and an apostrophe before
  /// what a spreadsheet takes for a formula is none of the text.
  static func commaSeparated(_ cell: String) -> String {
    let text = unescaped(cell) { _ in nil }
    return isQuotedFormula(text) ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
  }

  /// A text so that `commaSeparated` gives it back of what is made of it: apostrophes before the sign of a formula
  /// get one more, and a backslash before u{ becomes a character in that form.
  static func forCommaSeparated(_ text: String) -> String {
    let plain = replacing("\\u{", in: text, with: "\\u{5c}u{")
    return isQuotedFormula(plain) ? "'" + plain : plain
  }

  /// A text with another one in the place of each `part`, byte by byte.
  static func replacing(_ part: String, in text: String, with other: String) -> String {
    let part = Array(part.utf8)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: part) {
        result += other.utf8
        index += part.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a text is apostrophes and then what begins a formula.
  private static func isQuotedFormula(_ text: String) -> Bool {
    guard text.utf8.first == apostrophe else { return false }
    let sign = text.utf8.first { $0 != apostrophe }
    return sign.map { Array("=+-@\t\r".utf8).contains($0) } ?? false
  }

  /// A text with what stands for `letter` behind a backslash, and for the number of a character.
  private static func unescaped(_ cell: String, _ meaning: (_ letter: UInt8) -> UInt8?) -> String {
    guard cell.utf8.contains(backslash) else { return cell }
    let bytes = Array(cell.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == backslash, index + 1 < bytes.count else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if let byte = meaning(bytes[index + 1]) {
        result.append(byte)
        index += 2
      } else if let (scalar, count) = scalar(bytes[(index + 1)...]) {
        result += scalar.utf8
        index += 1 + count
      } else {
        result.append(backslash)
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The character that "u{202e}" at the beginning stands for, and how long that is.
  private static func scalar(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, count: Int)? {
    guard bytes.starts(with: "u{".utf8) else { return nil }
    let digits = bytes.dropFirst(2).prefix(7).prefix { $0 != UInt8(ascii: "}") }
    guard (1...6).contains(digits.count),
      bytes.dropFirst(2 + digits.count).first == UInt8(ascii: "}"),
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    return (scalar, digits.count + 3)
  }
}
