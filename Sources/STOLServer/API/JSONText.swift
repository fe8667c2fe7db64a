import STOLPack

/// A text in JSON that grows value by value.
///
/// Written straight into bytes, without a tree of values in between: completions are asked for on
/// every keystroke.
struct JSONText: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Whether a value stands before the next one in its object or array.
  private var needsComma = false

  init() { bytes.reserveCapacity(1024) }

  /// An object whose members `body` writes.
  init(object body: (inout JSONText) -> Void) {
    self.init()
    object(nil, body)
  }

  /// Adds an object, as a member or for nil as an element.
  mutating func object(_ name: String?, _ body: (inout JSONText) -> Void) {
    nest(name, "{", "}", body)
  }

  /// Adds an array, whose elements `body` adds.
  mutating func array(_ name: String?, _ body: (inout JSONText) -> Void) {
    nest(name, "[", "]", body)
  }

  /// Adds a text, or null.
  mutating func text(_ name: String?, _ value: String?) {
    begin(name)
    guard let value else { return append("null") }
    bytes.append(UInt8(ascii: "\""))
    append(escaping: value)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds a whole number, or null.
  mutating func number(_ name: String?, _ value: (some BinaryInteger)?) {
    begin(name)
    guard let value else { return append("null") }
    bytes += String(value).utf8
  }

  /// Adds an id, or null.
  mutating func id(_ name: String?, _ value: TaxonID?) { number(name, value?.rawValue) }

  /// Adds a number, or null; so too for one that JSON has no digits for.
  mutating func number(_ name: String?, _ value: Double?) {
    begin(name)
    guard let value, value.isFinite else { return append("null") }
    let text = value.description
    bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8
  }

  /// Adds true or false, or null.
  mutating func bool(_ name: String?, _ value: Bool?) {
    begin(name)
    append(value.map { $0 ? "true" : "false" } ?? "null")
  }

  private mutating func nest(
    _ name: String?, _ open: Unicode.Scalar, _ close: Unicode.Scalar,
    _ body: (inout JSONText) -> Void
  ) {
    begin(name)
    bytes.append(UInt8(ascii: open))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }

  private mutating func begin(_ name: String?) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    guard let name else { return }
    bytes.append(UInt8(ascii: "\""))
    bytes += name.utf8
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ literal: String) { bytes += literal.utf8 }

  private mutating func append(escaping value: String) {
    let start = bytes.count
    bytes += value.utf8
    let isPlain = bytes[start...].allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return }
    bytes.removeSubrange(start...)
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "\n"): append("\\n")
      case 0..<0x20:
        append("\\u00")
        let digits = String(byte, radix: 16)
        bytes += (digits.count == 1 ? "0" + digits : digits).utf8
      default: bytes.append(byte)
      }
    }
  }
}
