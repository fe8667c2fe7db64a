/// A row of a small table of a pack, which means something together with that pack only.
///
/// `Element` says of which table, so that a row of one cannot be used for another.
@frozen
public struct TableRow<Element>: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of the row, from 0.
  public let rawValue: Int
  /// Wraps the number of a row.
  @inlinable
  public init(rawValue: Int) { self.rawValue = rawValue }
  @inlinable
  init(_ number: Int) { rawValue = number }
  /// Orders by number.
  @inlinable
  public static func < (a: TableRow, b: TableRow) -> Bool { a.rawValue < b.rawValue }
}

/// A small table of strings, in which a row outside reads as "".
///
/// PACK.md section 4, "strings".
public struct StringTable<Element>: ~Escapable {
  /// A row of this table.
  public typealias Row = TableRow<Element>

  private let bytes: RawSpan
  /// The number of strings.
  public let count: Int

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, count: Int) {
    self.bytes = bytes
    self.count = count
  }

  /// The bytes of string `row`.
  @_lifetime(copy self)
  func utf8(_ row: Row) -> RawSpan {
    let row = row.rawValue
    guard row >= 0, row < count else { return bytes.clamped(0..<0) }
    let text = (count &+ 1) &* 4
    let lower = Int(stored: bytes.uint32(at: row &* 4))
    let upper = min(Int(stored: bytes.uint32(at: row &* 4 &+ 4)), bytes.byteCount)
    guard lower <= upper else { return bytes.clamped(0..<0) }
    return bytes.clamped(text &+ lower..<text &+ upper)
  }

  /// String `row`.
  ///
  /// - Complexity: O(length)
  public subscript(row: Row) -> String { utf8(row).text() }

  /// The row of `text`, or nil.
  ///
  /// - Complexity: O(n)
  public func row(of text: String) -> Row? {
    for row in 0..<count where self[Row(row)].utf8.elementsEqual(text.utf8) { return Row(row) }
    return nil
  }

  /// All strings, that of row 0 first.
  public var all: [String] { (0..<count).map { self[Row($0)] } }
}
