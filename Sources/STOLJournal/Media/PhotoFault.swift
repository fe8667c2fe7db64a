/// Why bytes are no photo that the journal takes, or not all of one.
public struct PhotoFault: Error, Hashable, Sendable {
  /// The byte at which that shows, from 0.
  public let offset: Int
  /// What is wrong there.
  public let reason: String
  /// What to do.
  public let remedy: String

  /// That a file ends before all of its image is there.
  static func truncated(at offset: Int, _ what: String) -> PhotoFault {
    PhotoFault(
      offset: offset, reason: "the file ends within \(what)",
      remedy: "copy it once more from where it came")
  }

  /// That the image does not keep to its format.
  static func broken(at offset: Int, _ reason: String) -> PhotoFault {
    PhotoFault(
      offset: offset, reason: reason, remedy: "open it elsewhere and save it anew as JPEG or PNG")
  }
}

/// A stretch of bytes in which numbers are read; nothing outside it is.
struct ByteField {
  let bytes: [UInt8]
  /// Where it lies.
  let range: Range<Int>
  /// Whether the lowest byte of a number comes first.
  var isLittleEndian = false

  /// All of some bytes.
  init(_ bytes: [UInt8], isLittleEndian: Bool = false) {
    self.bytes = bytes
    range = bytes.indices
    self.isLittleEndian = isLittleEndian
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>, _ isLittleEndian: Bool) {
    self.bytes = bytes
    self.range = range
    self.isLittleEndian = isLittleEndian
  }

  var count: Int { range.count }

  /// A part of it; nil where that does not lie within.
  func part(at offset: Int, count: Int) -> ByteField? {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      return nil
    }
    let start = range.lowerBound + offset
    return ByteField(bytes, start..<start + count, isLittleEndian)
  }

  /// What is left of it from a place on; nil where that does not lie within.
  func rest(from offset: Int) -> ByteField? {
    offset > count ? nil : part(at: offset, count: count - offset)
  }

  /// The number of so many bytes, at most 8; nil where it does not lie within, or is more than an `Int` holds.
  func number(at offset: Int, bytes width: Int) -> Int? {
    guard width <= 8, let part = part(at: offset, count: width) else { return nil }
    var number: UInt64 = 0
    for index in part.range {
      let at = isLittleEndian ? part.range.upperBound - 1 - (index - part.range.lowerBound) : index
      number = number << 8 | UInt64(bytes[at])
    }
    return Int(exactly: number)
  }

  func starts(with text: String, at offset: Int = 0) -> Bool {
    let expected = Array(text.utf8)
    guard let part = part(at: offset, count: expected.count) else { return false }
    return bytes[part.range].elementsEqual(expected)
  }

  /// Its bytes as a text: what is no UTF-8 becomes U+FFFD.
  var text: String { String(decoding: bytes[range], as: UTF8.self) }
}
