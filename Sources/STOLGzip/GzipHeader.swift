/// The header of a gzip member, RFC 1952 section 2.3, as far as its extra field.
///
/// Read without zlib, so that it may be done before a signature has been checked.
public struct GzipHeader: Equatable, Sendable {
  /// The extra field, or nil if there is none.
  public let extraField: [UInt8]?

  /// The number of bytes that hold any header up to the end of its extra field.
  public static let prefixLimit = fixedByteCount + 2 + GzipEncoder.extraFieldLimit

  private static let fixedByteCount = 10
  private static let hasExtraField: UInt8 = 1 << 2

  /// Reads the header that `prefix`, the beginning of a stream, starts with; nil if it is none.
  public init?(prefix: [UInt8]) {
    guard prefix.count >= Self.fixedByteCount, prefix.starts(with: [0x1F, 0x8B, 8]) else {
      return nil
    }
    guard prefix[3] & Self.hasExtraField != 0 else {
      extraField = nil
      return
    }
    let start = Self.fixedByteCount + 2
    guard prefix.count >= start else { return nil }
    let count = Int(prefix[start - 2]) | Int(prefix[start - 1]) << 8
    guard count <= prefix.count - start else { return nil }
    extraField = Array(prefix[start..<start + count])
  }

  /// The contents of all subfields with this id in the extra field.
  ///
  /// - Returns: nil if the subfields do not fill the field exactly.
  public func subfields(_ id: (UInt8, UInt8)) -> [[UInt8]]? {
    guard let field = extraField else { return [] }
    var found: [[UInt8]] = []
    var offset = 0
    while offset < field.count {
      guard field.count - offset >= 4 else { return nil }
      let count = Int(field[offset + 2]) | Int(field[offset + 3]) << 8
      guard count <= field.count - offset - 4 else { return nil }
      if (field[offset], field[offset + 1]) == id {
        found.append(Array(field[offset + 4..<offset + 4 + count]))
      }
      offset += 4 + count
    }
    return found
  }
}
