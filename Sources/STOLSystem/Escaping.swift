/// Makes text from a database safe for the place where it is printed.
package enum Escaping {
  /// For a terminal: control characters, line separators and bidirectional controls become visible
  /// escapes, so that no name can move the cursor or reorder a line.
  package static func terminal(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      if isHarmful(scalar) {
        output += visible(scalar)
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// A line of JSON that says the same and can be printed: what could harm a terminal, which stands in strings only,
  /// is escaped there as JSON does.
  package static func jsonLine(_ line: String) -> String {
    guard line.unicodeScalars.contains(where: isHarmful) else { return line }
    var output: [UInt8] = []
    append(line, to: &output) { scalar, output in
      guard isHarmful(scalar) else { return false }
      output += unit(scalar).utf8
      return true
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Where a text is to stand.
  package enum Place {
    /// A cell of tab-separated values: tab, line ends and the backslash become `\t`, `\n`, `\r`, `\\`,
    /// and whatever could harm a terminal `\u{...}`.
    case tabSeparatedCell
    /// A cell of comma-separated values: quoted as RFC 4180 says; a text that a spreadsheet would take
    /// for a formula, which a number is not, gets an apostrophe in front. Line ends, and tabs beside
    /// them, stay as they are.
    case commaSeparatedCell
    /// Between the quotes of a JSON string.
    case jsonString
  }

  /// Escapes what has been appended to `output` from `start` on; what is no UTF-8 is repaired.
  ///
  /// - Complexity: O(length); a text of plain ASCII is only looked at.
  package static func escape(_ output: inout [UInt8], from start: Int, for place: Place) {
    guard !isPlain(output[start...], in: place) else { return }
    if place != .commaSeparatedCell, escapeLetters(&output, from: start, in: place) { return }
    let text = String(decoding: output[start...], as: UTF8.self)
    output.removeSubrange(start...)
    if place == .commaSeparatedCell {
      appendCommaSeparated(text, to: &output)
      return
    }
    append(text, to: &output) { scalar, output in
      if let letter = letter(for: UInt8(truncatingIfNeeded: scalar.value), in: place),
        scalar.isASCII
      {
        output.append(UInt8(ascii: "\\"))
        output.append(letter)
      } else if isHarmful(scalar) {
        output += (place == .jsonString ? unit(scalar) : visible(scalar)).utf8
      } else {
        return false
      }
      return true
    }
  }

  /// Escapes what has been appended to `output` from `start` on as one of several texts of a cell: a
  /// backslash goes before what would end it, and before a backslash.
  ///
  /// - Complexity: O(length); a text without either is only looked at.
  package static func escapeJoined(_ output: inout [UInt8], from start: Int) {
    func isSpecial(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\\")
    }
    guard output[start...].contains(where: isSpecial) else { return }
    let text = Array(output[start...])
    output.removeSubrange(start...)
    for byte in text {
      if isSpecial(byte) { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
  }

  /// The letter that stands for `byte` after a backslash, or nil for a byte that needs none.
  private static func letter(for byte: UInt8, in place: Place) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\t"): UInt8(ascii: "t")
    case UInt8(ascii: "\n"): UInt8(ascii: "n")
    case UInt8(ascii: "\r"): UInt8(ascii: "r")
    case UInt8(ascii: "\\"): byte
    case UInt8(ascii: "\""): place == .jsonString ? byte : nil
    default: nil
    }
  }

  /// Escapes ASCII that needs letters after backslashes only, as the tabs of a set do, in place;
  /// returns false for any other text.
  private static func escapeLetters(
    _ output: inout [UInt8], from start: Int, in place: Place
  ) -> Bool {
    var escapeCount = 0
    for byte in output[start...] {
      if letter(for: byte, in: place) != nil {
        escapeCount += 1
      } else if byte < 0x20 || byte > 0x7E {
        return false
      }
    }
    var source = output.count
    output += repeatElement(0, count: escapeCount)
    var target = output.count
    while source < target {
      source -= 1
      target -= 1
      let letter = letter(for: output[source], in: place)
      output[target] = letter ?? output[source]
      guard letter != nil else { continue }
      target -= 1
      output[target] = UInt8(ascii: "\\")
    }
    return true
  }

  /// Whether `text` is printable ASCII without a character that is special in `place`.
  private static func isPlain(_ text: ArraySlice<UInt8>, in place: Place) -> Bool {
    let (first, second): (UInt8, UInt8) =
      switch place {
      case .tabSeparatedCell: (UInt8(ascii: "\\"), UInt8(ascii: "\\"))
      case .commaSeparatedCell: (UInt8(ascii: "\""), UInt8(ascii: ","))
      case .jsonString: (UInt8(ascii: "\""), UInt8(ascii: "\\"))
      }
    if place == .commaSeparatedCell, let start = text.first, isFormulaStart(start),
      !isSignedNumber(text)
    {
      return false
    }
    var found: UInt8 = 0
    // Neither branches nor a way out: so the compiler looks at sixteen bytes at once.
    for byte in text {
      found |= (byte &- 0x20 >= 0x5F ? 1 : 0) | (byte == first ? 1 : 0) | (byte == second ? 1 : 0)
    }
    return found == 0
  }

  /// Whether a spreadsheet takes a text that begins with `byte` for a formula.
  private static func isFormulaStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "\t"), UInt8(ascii: "\r"):
      true
    default: false
    }
  }

  /// Whether a text is a sign and a decimal number, with an exponent or none, as a spreadsheet reads it.
  private static func isSignedNumber(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    func dropSign(_ rest: inout ArraySlice<UInt8>) {
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    }
    func dropDigits(_ rest: inout ArraySlice<UInt8>) -> Bool {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      return !digits.isEmpty
    }
    dropSign(&rest)
    guard dropDigits(&rest) else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard dropDigits(&rest) else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      dropSign(&rest)
      guard dropDigits(&rest) else { return false }
    }
    return rest.isEmpty
  }

  private static func appendCommaSeparated(_ text: String, to output: inout [UInt8]) {
    let hasLineEnds = text.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let isQuoted =
      hasLineEnds || text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") }
    if isQuoted { output += "\"".utf8 }
    // A tab in a single line is made visible and starts no formula.
    if let first = text.utf8.first, isFormulaStart(first),
      hasLineEnds || first != UInt8(ascii: "\t")
    {
      output += "'".utf8
    }
    append(text, to: &output) { scalar, output in
      switch scalar {
      case "\"": output += "\"\"".utf8
      case "\t", "\n", "\r":
        guard !hasLineEnds else { return false }
        output += visible(scalar).utf8
      case _ where isHarmful(scalar): output += visible(scalar).utf8
      default: return false
      }
      return true
    }
    if isQuoted { output += "\"".utf8 }
  }

  /// Appends `text`; scalars for which `replace` returns true it has appended in its own way.
  private static func append(
    _ text: String, to output: inout [UInt8],
    _ replace: (Unicode.Scalar, inout [UInt8]) -> Bool
  ) {
    for scalar in text.unicodeScalars where !replace(scalar, &output) {
      output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }
  }

  private static func visible(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16))}"
  }

  /// A scalar of the basic plane as JSON escapes it, RFC 8259 section 7.
  private static func unit(_ scalar: Unicode.Scalar) -> String {
    let code = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - code.count) + code
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0x061C:
      true
    default: false
    }
  }
}
