/// A word of a closed list, as Format/JOURNAL.md has it.
public protocol JournalWord: RawRepresentable, CaseIterable, Hashable, Comparable, Codable,
  Sendable
where RawValue == String {}

extension JournalWord {
  /// Orders by the letters of the words.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// Reads a word.
  ///
  /// - Throws: `DecodingError` for one that may not stand there, with those that may.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let word = try container.decode(String.self)
    guard let value = Self(rawValue: word) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "one of " + Self.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = value
  }

  /// The value that a word stands for.
  ///
  /// - Throws: `JournalError.invalid`, with the words that may stand there.
  public init(word: String, field: String) throws(JournalError) {
    guard let value = Self(rawValue: word) else {
      throw .invalid(
        field: field, value: word,
        remedy: "one of " + Self.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = value
  }
}
