/// Makes text from a database safe for the place where it is printed.
enum Escaping {
  /// For a terminal: control characters, line separators and bidirectional controls become visible
  /// escapes, so that no name can move the cursor or reorder a line.
  static func terminal(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      if isHarmful(scalar) {
        output += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// For a cell of tab-separated values: tab, line ends and the backslash as `\t`, `\n`, `\r`, `\\`,
  /// and whatever could harm a terminal as `\u{...}`.
  static func tabSeparated(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isHarmful($0) || $0 == "\\" }) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": output += "\\t"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\\": output += "\\\\"
      case _ where isHarmful(scalar): output += terminal(String(scalar))
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  /// For a cell of comma-separated values: quoted as RFC 4180 says; a text that a spreadsheet would
  /// take for a formula gets an apostrophe in front.
  static func commaSeparated(_ text: String) -> String {
    var text = text.contains(where: { "\n\r".contains($0) }) ? text : terminal(text)
    if let first = text.first, "=+-@\t\r".contains(first) { text = "'" + text }
    guard text.contains(where: { "\",\n\r".contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0x061C:
      true
    default: false
    }
  }
}

extension String {
  /// The number of terminal columns: two for wide East Asian characters and emoji, none for marks.
  var columnCount: Int {
    var count = 0
    for scalar in unicodeScalars {
      if scalar.isASCII {
        count += 1
      } else if scalar.properties.generalCategory == .nonspacingMark
        || scalar.properties.generalCategory == .enclosingMark
        || scalar.properties.generalCategory == .format
      {
        continue
      } else {
        count += scalar.isWide ? 2 : 1
      }
    }
    return count
  }

  /// The text with spaces up to `width` columns.
  func padded(to width: Int, onLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - columnCount))
    return onLeft ? spaces + self : self + spaces
  }
}

extension Unicode.Scalar {
  /// Whether the character takes two columns: the East Asian Wide and Fullwidth blocks.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
