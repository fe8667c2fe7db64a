/// Writes XML 1.0.
struct XMLText {
  /// How many characters were replaced so far, for XML 1.0 cannot hold them.
  private(set) var replacedCount = 0

  /// A text between tags, or between the quotation marks of an attribute.
  mutating func escaped(_ text: String) -> String {
    var output = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output.append(contentsOf: "&amp;".unicodeScalars)
      case "<": output.append(contentsOf: "&lt;".unicodeScalars)
      case ">": output.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": output.append(contentsOf: "&quot;".unicodeScalars)
      // A reader would make a line feed or a space of these.
      case "\r": output.append(contentsOf: "&#13;".unicodeScalars)
      case "\t": output.append(contentsOf: "&#9;".unicodeScalars)
      case "\n": output.append(contentsOf: "&#10;".unicodeScalars)
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}":
        output.append("\u{FFFD}")
        replacedCount += 1
      default: output.append(scalar)
      }
    }
    return String(output)
  }

  /// An element with a text; nothing where there is none.
  mutating func element(_ name: String, _ text: String?) -> String {
    text.map { "<\(name)>\(escaped($0))</\(name)>" } ?? ""
  }
}
