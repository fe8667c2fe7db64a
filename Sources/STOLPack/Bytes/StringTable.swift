/// A small table of strings, in which a row outside reads as "".
///
/// PACK.md section 4, "strings".
public struct StringTable: ~Escapable {
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
  func utf8(_ row: Int) -> RawSpan {
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
  public subscript(row: Int) -> String { utf8(row).text() }

  /// The row of `text`, or nil.
  ///
  /// - Complexity: O(n)
  public func row(of text: String) -> Int? {
    for row in 0..<count where self[row].utf8.elementsEqual(text.utf8) { return row }
    return nil
  }

  /// All strings.
  public var all: [String] { (0..<count).map { self[$0] } }
}
