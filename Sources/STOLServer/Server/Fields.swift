import Foundation

/// The fields of a query or of a form, in order; a name may come more than once.
struct Fields: Equatable, Sendable {
  /// More than this many are no query of ours.
  static let greatestCount = 64
  /// And more than this many no form, in which each favourite may be one.
  static let greatestFormCount = 4096

  private(set) var pairs: [(name: String, value: String)] = []

  init() {}

  /// Reads what a browser writes: `name=value` joined by `&`, a space as `+`, others as `%XX`.
  ///
  /// - Returns: nil for what is no such text, or has too many fields.
  init?(parsing text: some StringProtocol, atMost greatestCount: Int = greatestCount) {
    for part in text.split(separator: "&", omittingEmptySubsequences: true) {
      guard pairs.count < greatestCount else { return nil }
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0]),
        let value = Self.decoded(sides.dropFirst().first ?? "")
      else { return nil }
      pairs.append((name, value))
    }
  }

  private static func decoded(_ text: some StringProtocol) -> String? {
    text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }
      ? text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding : String(text)
  }

  /// The first value of a field that has text, without blanks around it.
  subscript(name: String) -> String? { all(name).first }

  /// All values of a field that have text, without blanks around them.
  func all(_ name: String) -> [String] {
    pairs.compactMap { pair in
      guard pair.name == name else { return nil }
      let value = pair.value.trimmingCharacters(in: .whitespacesAndNewlines)
      return value.isEmpty ? nil : value
    }
  }

  /// The first value of a field as it came, blanks around it too.
  func verbatim(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// A number of a field within bounds; what is none counts as not given.
  func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
    self[name].flatMap(Int.init).map { min(max($0, range.lowerBound), range.upperBound) }
  }

  /// Adds a field; nil adds none.
  mutating func append(_ name: String, _ value: String?) {
    if let value { pairs.append((name, value)) }
  }

  /// Puts `value` in place of all values of a field.
  mutating func set(_ name: String, _ value: String?) {
    pairs.removeAll { $0.name == name }
    append(name, value)
  }

  /// The fields as a query, with everything encoded that is not plain.
  var text: String {
    pairs.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,")

  static func == (a: Fields, b: Fields) -> Bool { a.pairs.elementsEqual(b.pairs, by: ==) }
}
