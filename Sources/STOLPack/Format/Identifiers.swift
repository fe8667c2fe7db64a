/// The stable 64-bit id of a taxon, as its source database has it.
public struct TaxonID: RawRepresentable, Hashable, Comparable, Sendable,
  ExpressibleByIntegerLiteral
{
  /// The id as a number.
  public let rawValue: Int64
  /// Wraps a number.
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Wraps a literal.
  public init(integerLiteral value: Int64) { rawValue = value }
  /// Orders ids as numbers.
  public static func < (a: TaxonID, b: TaxonID) -> Bool { a.rawValue < b.rawValue }

  /// The id for what a source calls `text`: Format/DATABASE.md, "Ids".
  ///
  /// A number from 0 to 2^62 - 1 in its shortest decimal form is kept. Any other text gives
  /// 2^62 plus 62 bits of its hash, FNV-1a with 64 bits, folded (Fowler, Noll and Vo): the same on
  /// every machine, and no number that is kept.
  ///
  /// - Complexity: O(length of the text)
  public init(sourceText text: String) {
    if let number = Int64(text), (0..<Self.firstOfText).contains(number), String(number) == text {
      rawValue = number
      return
    }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    rawValue = Self.firstOfText + Int64((hash >> 62) ^ (hash & UInt64(Self.firstOfText - 1)))
  }

  /// The key of `text` in a pack: PACK.md section 6.
  ///
  /// Where all ids of the source are numbers, every integer in its shortest decimal form stands for
  /// itself; what is none, and any text elsewhere, has the id of `init(sourceText:)`.
  init(sourceText text: String, amongTexts areTexts: Bool) {
    if !areTexts, let number = Int64(text), String(number) == text {
      self.init(rawValue: number)
    } else {
      self.init(sourceText: text)
    }
  }

  /// Ids from here on stand for texts.
  package static let firstOfText: Int64 = 1 << 62
  /// Whether the id stands for a text that is no number.
  public var standsForText: Bool { rawValue >= Self.firstOfText }
}

/// The position of a taxon in one pack: its number in depth-first preorder, from 0.
///
/// An ordinal means something only together with the pack that gave it.
@frozen
public struct TaxonOrdinal: RawRepresentable, Hashable, Strideable, Sendable {
  /// The number in preorder.
  public let rawValue: UInt32
  /// Wraps a number in preorder.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable
  init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  /// The number in preorder, to index a column with.
  @inlinable
  public var index: Int { Int(truncatingIfNeeded: rawValue) }
  /// Orders by preorder: an ancestor comes before its descendants.
  @inlinable
  public static func < (a: TaxonOrdinal, b: TaxonOrdinal) -> Bool { a.rawValue < b.rawValue }
  /// Whether both are the same taxon of one pack.
  @inlinable
  public static func == (a: TaxonOrdinal, b: TaxonOrdinal) -> Bool { a.rawValue == b.rawValue }
  /// How many taxa further `other` stands in preorder.
  @inlinable
  public func distance(to other: TaxonOrdinal) -> Int { other.index &- index }
  /// The taxon `count` further in preorder.
  @inlinable
  public func advanced(by count: Int) -> TaxonOrdinal { TaxonOrdinal(index &+ count) }
}

/// A taxon and all below it, in preorder: a collection of ordinals.
public typealias Clade = Range<TaxonOrdinal>

extension Clade {
  /// The ordinals as indices of columns.
  @inlinable
  var columnIndices: Range<Int> { lowerBound.index..<upperBound.index }
}

/// The position of a name in one pack.
///
/// The scientific name of the taxon with ordinal `v` is name `v`; the further names (common names
/// and synonyms) follow, grouped by taxon.
public struct NameOrdinal: RawRepresentable, Hashable, Strideable, Sendable {
  /// The position, from 0.
  public let rawValue: UInt32
  /// Wraps a position.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ index: Int) { rawValue = UInt32(truncatingIfNeeded: index) }
  var index: Int { Int(truncatingIfNeeded: rawValue) }
  /// Orders by position.
  public static func < (a: NameOrdinal, b: NameOrdinal) -> Bool { a.rawValue < b.rawValue }
  /// Whether both are the same name of one pack.
  public static func == (a: NameOrdinal, b: NameOrdinal) -> Bool { a.rawValue == b.rawValue }
  /// How many names further `other` stands.
  public func distance(to other: NameOrdinal) -> Int { other.index &- index }
  /// The name `count` further.
  public func advanced(by count: Int) -> NameOrdinal { NameOrdinal(index &+ count) }
}
