import Foundation
import STOLNames

/// Takes out of raw text what belongs to a page or a terminal and not to a name.
package enum NameCleaner {
  /// How many bytes of UTF-8 a text may have: Format/DATABASE.md.
  package static let byteLimit = 65_536

  /// What was found in a text, and taken out of it.
  package struct Found: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Tags or entities of HTML.
    package static let markup = Found(rawValue: 1)
    /// Control, direction, zero-width and byte order characters.
    package static let controlCharacters = Found(rawValue: 2)
    /// More bytes than a text may have: the end was cut off.
    package static let tooLong = Found(rawValue: 4)
  }

  /// The text as one line: tags removed, entities decoded, controls removed, every run of spaces one
  /// space and none at the ends, NFC, at most `byteLimit` bytes.
  ///
  /// Only tags of HTML are removed, with their ">" within 256 bytes. What
  /// an entity stands for is not read as a tag again; entities are decoded once. Wrongly decoded
  /// text ("Ã©") stays as it is. Line breaks and tabs are spaces.
  ///
  /// - Complexity: O(n); plain ASCII is returned as it is, without a copy.
  package static func clean(_ text: String) -> (text: String, found: Found) {
    if isPlain(text) { return (text, []) }
    var found: Found = []
    var source = Array(text.unicodeScalars)
    if source.contains("<") { replaceMarkup("<", in: &source, &found, tag) }
    if source.contains("&") { replaceMarkup("&", in: &source, &found, entity) }
    var result = String.UnicodeScalarView()
    var isSpaceDue = false
    var isASCII = true
    for scalar in source {
      if isSpace(scalar) {
        isSpaceDue = !result.isEmpty
      } else if isControl(scalar) {
        found.insert(.controlCharacters)
      } else {
        if isSpaceDue { result.append(" ") }
        isSpaceDue = false
        result.append(scalar)
        if !scalar.isASCII { isASCII = false }
      }
    }
    var cleaned = String(result)
    if !isASCII { cleaned = cleaned.precomposedStringWithCanonicalMapping }
    if cleaned.utf8.count > byteLimit {
      found.insert(.tooLong)
      cleaned = prefix(of: cleaned)
    }
    return (cleaned, found)
  }

  /// Whether there is nothing to do: printable ASCII without "<", "&" and superfluous spaces.
  private static func isPlain(_ text: String) -> Bool {
    var last = UInt8(ascii: " ")
    var count = 0
    for byte in text.utf8 {
      if byte <= 0x20 {
        if byte != 0x20 || last == 0x20 { return false }
      } else if byte >= 0x7f || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") {
        return false
      }
      last = byte
      count += 1
    }
    return (last != 0x20 || count == 0) && count <= byteLimit
  }

  /// The longest beginning that is short enough, cut between scalars, without spaces at its end.
  private static func prefix(of text: String) -> String {
    var byteCount = 0
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      byteCount += UTF8.width(scalar)
      if byteCount > byteLimit { break }
      result.append(scalar)
    }
    while result.last == " " { result.removeLast() }
    return String(result)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x09...0x0d, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f,
      0x3000:
      true
    default: false
    }
  }

  /// Controls, soft hyphens, marks and overrides of direction, zero-width characters, byte order
  /// marks, tags, variation selectors of no use in names, and what is no character.
  ///
  /// The joiners U+200C and U+200D are kept: Persian and Indic names need them.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1f, 0x7f...0x9f, 0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x202a...0x202e,
      0x2060...0x206f, 0xfeff, 0xfff9...0xfffb, 0xfdd0...0xfdef, 0xe0000...0xe007f:
      true
    default: scalar.value & 0xfffe == 0xfffe
    }
  }

  /// The longest tag that is recognised, in scalars.
  private static let tagLimit = 256

  /// Elements of HTML that occur in texts; "90-P<gv>1" and "<unknown>" are none.
  private static let tags: Set = [
    "a", "abbr", "article", "b", "bdi", "bdo", "big", "blockquote", "body", "br", "center", "cite",
    "code", "dd", "del", "dfn", "div", "dl", "dt", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6",
    "head", "hr", "html", "i", "img", "ins", "kbd", "li", "link", "mark", "meta", "nobr", "ol", "p",
    "pre", "q", "s", "samp", "script", "section", "small", "span", "strike", "strong", "style",
    "sub",
    "sup", "table", "tbody", "td", "th", "title", "tr", "tt", "u", "ul", "var", "wbr",
  ]

  /// Replaces what `read` recognises after a `mark`: by a scalar, or by nothing.
  private static func replaceMarkup(
    _ mark: Unicode.Scalar, in source: inout [Unicode.Scalar], _ found: inout Found,
    _ read: ([Unicode.Scalar], _ start: Int) -> (scalar: Unicode.Scalar?, end: Int)?
  ) {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      if source[index] == mark, let (scalar, end) = read(source, index) {
        if let scalar { result.append(scalar) }
        found.insert(.markup)
        index = end
      } else {
        result.append(source[index])
        index += 1
      }
    }
    source = result
  }

  /// Tags that end a line or a paragraph, and so separate words.
  private static let breaks: Set = ["br", "p", "div", "li", "tr", "td"]

  /// What stands for the tag that begins here, and the index after it; nil if none does.
  private static func tag(
    _ source: [Unicode.Scalar], _ start: Int
  ) -> (scalar: Unicode.Scalar?, end: Int)? {
    var index = start + 1
    if index < source.count, source[index] == "/" { index += 1 }
    guard index < source.count, isLetter(source[index]) else { return nil }
    let nameStart = index
    while index < source.count, isLetter(source[index]) || isDigit(source[index]) { index += 1 }
    let name = String(String.UnicodeScalarView(source[nameStart..<index])).lowercased()
    guard tags.contains(name) else { return nil }
    // After the tag's name: attributes after a space, an end, or no tag at all ("<foo@bar>").
    guard index < source.count else { return nil }
    guard source[index] == ">" || source[index] == "/" || isSpace(source[index]) else { return nil }
    while index < source.count, index - start < tagLimit {
      if source[index] == ">" { return (breaks.contains(name) ? " " : nil, index + 1) }
      if source[index] == "<" { return nil }
      index += 1
    }
    return nil
  }

  /// The longest entity that is recognised, in scalars.
  private static let entityLimit = 12

  private static func entity(
    _ source: [Unicode.Scalar], _ start: Int
  ) -> (scalar: Unicode.Scalar?, end: Int)? {
    let end = min(source.count, start + entityLimit)
    guard let semicolon = source[start..<end].firstIndex(of: ";"), semicolon > start + 1 else {
      return nil
    }
    var name = String(String.UnicodeScalarView(source[(start + 1)..<semicolon]))
    guard name.hasPrefix("#") else {
      return HTMLEntities.byName[name].map { ($0, semicolon + 1) }
    }
    name.removeFirst()
    let isHex = name.hasPrefix("x") || name.hasPrefix("X")
    if isHex { name.removeFirst() }
    guard let value = UInt32(name, radix: isHex ? 16 : 10), name.first != "+",
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return (scalar, semicolon + 1)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
