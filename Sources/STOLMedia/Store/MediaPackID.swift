import STOLTrust

/// The id of a media pack: 1 to 64 of the characters a to z, 0 to 9, dot and hyphen.
public struct MediaPackID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The id as text.
  public let text: String

  /// The id with this text, or nil if it breaks the rule.
  public init?(_ text: String) {
    guard let id = DatasetID(text) else { return nil }
    self.text = id.text
  }

  /// A damaged pack whose file has a name that is no id.
  static let unnamed = MediaPackID(exactly: "unnamed")

  private init(exactly text: String) { self.text = text }

  /// The text.
  public var description: String { text }

  /// Whether one id is before another in the order of their bytes.
  public static func < (a: MediaPackID, b: MediaPackID) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }
}
