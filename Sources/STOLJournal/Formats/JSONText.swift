import Foundation

/// Writes JSON.
enum JSONText {
  /// Whether nothing of a text is to be escaped between quotation marks, as of most.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
  }

  /// A text between quotation marks.
  static func quoted(_ text: String) throws -> String {
    if isPlain(text) { return "\"\(text)\"" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: try encoder.encode(text), as: UTF8.self)
  }
}

/// Writes an object: its members in the order in which they are added, without those that say nothing.
struct JSONObjectWriter {
  private var members: [String] = []

  /// The object.
  var json: String { "{\(members.joined(separator: ","))}" }

  /// Adds a text.
  mutating func text(_ name: String, _ text: String?) throws {
    if let text { add(name, try JSONText.quoted(text)) }
  }

  /// Adds a list of texts, unless it is empty.
  mutating func texts(_ name: String, _ texts: [String]) throws {
    guard !texts.isEmpty else { return }
    add(name, "[\(try texts.map(JSONText.quoted).joined(separator: ","))]")
  }

  /// Adds a whole number of the last of some decimal places.
  mutating func number(_ name: String, _ value: Int?, decimals: Int = 0) {
    if let value { add(name, DecimalText.text(value, decimals: decimals)) }
  }

  /// Adds a truth.
  mutating func bool(_ name: String, _ value: Bool) { add(name, value ? "true" : "false") }

  private mutating func add(_ name: String, _ value: String) {
    members.append("\"\(name)\":\(value)")
  }
}
