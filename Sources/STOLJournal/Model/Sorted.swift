/// A set that is written in order, so that what is equal is written equally; where it is missing, it is empty.
@propertyWrapper
public struct Sorted<Element: Hashable & Comparable & Codable & Sendable>: Hashable, Sendable {
  /// The set.
  public var wrappedValue: Set<Element>

  /// Wraps a set.
  public init(wrappedValue: Set<Element>) { self.wrappedValue = wrappedValue }
}

extension Sorted: Codable {
  /// Reads an array.
  ///
  /// - Throws: what `decoder` throws.
  public init(from decoder: any Decoder) throws {
    wrappedValue = Set(try [Element](from: decoder))
  }

  /// Writes an array in order.
  ///
  /// - Throws: what `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    try wrappedValue.sorted().encode(to: encoder)
  }
}

extension KeyedDecodingContainer {
  /// A set, which is empty where its key is missing.
  func decode<Element>(_: Sorted<Element>.Type, forKey key: Key) throws -> Sorted<Element> {
    try decodeIfPresent(Sorted<Element>.self, forKey: key) ?? Sorted(wrappedValue: [])
  }
}
