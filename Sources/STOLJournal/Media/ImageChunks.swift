/// The chunks of a PNG or WebP file, one after another up to the end of its image.
struct ImageChunks {
  struct Chunk {
    /// Four letters.
    let type: String
    /// All of it, with its length and check sum.
    let range: Range<Int>
    /// What is in it.
    let payload: ByteField
  }

  private let field: ByteField
  private let isPNG: Bool
  /// Where the next one begins; behind the image at its end.
  private(set) var offset: Int
  private let end: Int

  /// The chunks of a file that begins as a PNG file does.
  init(png bytes: [UInt8]) {
    field = ByteField(bytes)
    isPNG = true
    offset = 8
    end = bytes.count
  }

  /// The chunks of a file that begins as a WebP file does.
  init(webP bytes: [UInt8]) throws(PhotoFault) {
    field = ByteField(bytes, isLittleEndian: true)
    isPNG = false
    offset = 12
    // The length of what follows it, rounded up.
    guard let length = field.number(at: 4, bytes: 4), length + 8 <= bytes.count else {
      throw .truncated(at: bytes.count, "its image, which is longer")
    }
    end = length + 8
  }

  /// The chunks of a frame of an animation, which is in a WebP file from one byte to another one.
  init(webPFrame range: Range<Int>, of bytes: [UInt8]) {
    field = ByteField(bytes, isLittleEndian: true)
    isPNG = false
    // Behind where the frame lies, how large it is, how long it is shown, and how.
    offset = min(range.lowerBound + Self.frameHeadCount, range.upperBound)
    end = range.upperBound
  }

  static let frameHeadCount = 16

  /// The next chunk; nil at the end of the image.
  mutating func next() throws(PhotoFault) -> Chunk? {
    if !isPNG, offset >= end { return nil }
    let start = offset
    guard let length = field.number(at: isPNG ? start : start + 4, bytes: 4),
      let name = field.part(at: isPNG ? start + 4 : start, count: 4)
    else { throw .truncated(at: field.count, "its image") }
    // A check sum follows in PNG, and in WebP an odd length is made even.
    let tail = isPNG ? 4 : length % 2
    guard let payload = field.part(at: start + 8, count: length),
      payload.range.upperBound + tail <= (isPNG ? field.count : end)
    else { throw .truncated(at: field.count, "the part that begins at byte \(start)") }
    offset = payload.range.upperBound + tail
    let chunk = Chunk(type: name.text, range: start..<offset, payload: payload)
    if isPNG, chunk.type == "IEND" { isEnded = true }
    return chunk
  }

  /// Whether the last chunk of a PNG file was given.
  private(set) var isEnded = false
}
