/// What a field `Accept-Language` says: RFC 9110, section 12.5.4.
struct AcceptedLanguages: Equatable, Sendable {
  /// The ranges that are wanted, the best first; those of one weight in the order of the field.
  private(set) var wanted: [String] = []
  /// The ranges that are refused, by a weight of 0.
  private(set) var refused: [String] = []

  /// More ranges than these are not read.
  static let greatestCount = 32
  /// Longer tags than this are none: RFC 5646, section 4.4.1.
  private static let greatestLength = 35

  /// Reads a field; what is no range with a weight is passed over.
  init(_ field: String) {
    var ranges: [(text: String, weight: Int)] = []
    for member in field.split(separator: ",").prefix(Self.greatestCount) {
      let parts = member.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
      guard Self.isRange(parts[0]), parts.count <= 2,
        let weight = parts.count == 1 ? 1000 : Self.weight(parts[1])
      else { continue }
      ranges.append((String(parts[0]), weight))
    }
    refused = ranges.filter { $0.weight == 0 }.map(\.text)
    // A stable sort.
    wanted = ranges.enumerated().filter { $1.weight > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.text)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }

  /// `*`, or letters and then letters and digits, one to eight between hyphens: RFC 4647, section 2.1.
  private static func isRange(_ text: Substring) -> Bool {
    if text == "*" { return true }
    guard text.utf8.count <= greatestLength else { return false }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.enumerated().allSatisfy { index, part in
      (1...8).contains(part.utf8.count)
        && part.allSatisfy { $0.isASCII && ($0.isLetter || index > 0 && $0.isNumber) }
    }
  }

  /// A weight in thousandths, of which three digits may be written: RFC 9110, section 12.4.2.
  private static func weight(_ text: Substring) -> Int? {
    guard text.prefix(2).lowercased() == "q=" else { return nil }
    let parts = text.dropFirst(2).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, whole == "0" || whole == "1" else { return nil }
    let digits = parts.count == 2 ? parts[1] : ""
    guard digits.utf8.count <= 3, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    let padded = digits + String(repeating: "0", count: 3 - digits.utf8.count)
    guard let thousandths = Int(padded), whole == "0" || thousandths == 0 else { return nil }
    return whole == "1" ? 1000 : thousandths
  }

  /// The first language that is wanted, for names; nil where any will do.
  var first: String? { wanted.first.flatMap { $0 == "*" ? nil : $0 } }

  /// The language for pages: the first one wanted that there is; English where there is none.
  var page: PageLanguage {
    for range in wanted {
      if range != "*" {
        if let language = PageLanguage(tag: range), !isRefused(language) { return language }
      } else if let language = PageLanguage.allCases.first(where: { !isRefused($0) }) {
        // Whatever no other range names.
        return language
      }
    }
    return .en
  }

  /// Whether a language as such is refused; of a region alone says nothing of others.
  private func isRefused(_ language: PageLanguage) -> Bool {
    refused.contains {
      $0.lowercased() == language.rawValue || $0.lowercased() == language.tag.lowercased()
    }
  }
}
