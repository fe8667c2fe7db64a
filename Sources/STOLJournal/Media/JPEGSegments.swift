import STOLSystem

/// The segments of a JPEG file (ITU-T T.81, annex B), one after another up to the end of its image.
struct JPEGSegments {
  struct Segment {
    /// The byte behind FF.
    let marker: UInt8
    /// All of it, with the image data that follows a start of scan.
    let range: Range<Int>
    /// What is in it.
    let payload: ByteField

    /// Whether it is a start of frame, which states the size.
    var isFrame: Bool { (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker) }
  }

  let field: ByteField
  /// Where the next one begins; behind the image at its end.
  private(set) var offset = 2

  /// The segments of a file that begins as a JPEG file does.
  init(_ bytes: [UInt8]) { field = ByteField(bytes) }

  private var bytes: [UInt8] { field.bytes }

  /// The next segment; nil at the end of the image.
  mutating func next() throws(PhotoFault) -> Segment? {
    while true {
      let start = offset
      guard start + 1 < bytes.count else {
        throw .truncated(at: bytes.count, "its image: the end mark FF D9 is missing")
      }
      guard bytes[start] == 0xFF else {
        throw .broken(at: start, "a marker of JPEG begins with FF, and this is another byte")
      }
      let marker = bytes[start + 1]
      switch marker {
      case 0xFF:
        offset += 1
      case 0xD9:
        offset += 2
        return nil
      case 0x01, 0xD0...0xD7:
        // These have no length.
        offset += 2
      default:
        return try segment(marker, at: start)
      }
    }
  }

  private mutating func segment(_ marker: UInt8, at start: Int) throws(PhotoFault) -> Segment {
    guard let length = field.number(at: start + 2, bytes: 2) else {
      throw .truncated(at: bytes.count, "a segment")
    }
    guard length >= 2, marker != 0 else {
      throw .broken(at: start, "no segment of JPEG begins so")
    }
    guard let payload = field.part(at: start + 4, count: length - 2) else {
      throw .truncated(at: bytes.count, "the segment that begins at byte \(start)")
    }
    offset = payload.range.upperBound
    if marker == 0xDA { try skipImageData() }
    return Segment(marker: marker, range: start..<offset, payload: payload)
  }

  /// Goes to the marker behind the image data, in which FF is followed by 00 or a restart.
  private mutating func skipImageData() throws(PhotoFault) {
    while let place = bytes.firstPlace(of: 0xFF, from: offset), place + 1 < bytes.count {
      offset = place
      switch bytes[place + 1] {
      case 0x00, 0xD0...0xD7: offset += 2
      case 0xFF: offset += 1
      default: return
      }
    }
    throw .truncated(at: bytes.count, "its image data")
  }
}
