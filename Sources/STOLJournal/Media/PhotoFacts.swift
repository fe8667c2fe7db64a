public import STOLMedia

extension MediaImageType: JournalWord {}

/// What a file says about the photo in it; the image itself is not decoded.
public struct PhotoFacts: Hashable, Sendable {
  /// Its format.
  public let type: MediaImageType
  /// Its pixels from left to right, as they lie in the file.
  public let width: Int
  /// Its pixels from top to bottom.
  public let height: Int
  /// What the camera wrote.
  public let exif: ExifFacts

  /// So many bytes a photo has at most.
  public static let byteLimit = 64 << 20
  /// Fewer pixels than that: whoever shows a photo needs memory for them.
  static let pixelLimit = 30_000 * 30_000

  /// Reads a file, as JPEG, PNG, WebP or HEIC, whatever its name.
  ///
  /// - Throws: `PhotoFault` where it is none of these, not all there, or too large.
  /// - Complexity: O(number of bytes)
  public init(_ bytes: [UInt8]) throws(PhotoFault) {
    guard bytes.count <= Self.byteLimit else {
      throw PhotoFault(
        offset: Self.byteLimit, reason: "the file has \(bytes.count) bytes",
        remedy: "keep at most \(Self.byteLimit) bytes: save it smaller")
    }
    guard let type = MediaImageType(bytes: bytes) else {
      throw PhotoFault(
        offset: 0, reason: "the file begins as no photo does, whatever its name",
        remedy: "take a JPEG, PNG, WebP or HEIC file")
    }
    self.type = type
    var exif: ExifFacts?
    switch type {
    case .jpeg: (width, height, exif) = try Self.jpeg(bytes)
    case .png: (width, height, exif) = try Self.png(bytes)
    case .webp: (width, height, exif) = try Self.webP(bytes)
    case .heic:
      let boxes = try HEIFBoxes(bytes)
      (width, height) = (boxes.width, boxes.height)
      exif = Self.exif(bytes, boxes.exif)
      // What Exif says of that is not for HEIC.
      exif?.orientation = boxes.orientation
      if exif == nil, let orientation = boxes.orientation {
        exif = ExifFacts()
        exif?.orientation = orientation
      }
    }
    self.exif = exif ?? ExifFacts()
    guard width > 0, height > 0 else {
      throw .broken(at: 0, "the image is \(width) x \(height) pixels")
    }
    guard width < Self.pixelLimit, height < Self.pixelLimit, width * height < Self.pixelLimit
    else {
      throw PhotoFault(
        offset: 0, reason: "the image is \(width) x \(height) pixels",
        remedy: "keep fewer than \(Self.pixelLimit): save it smaller")
    }
  }

  private typealias Parts = (width: Int, height: Int, exif: ExifFacts?)

  private static func jpeg(_ bytes: [UInt8]) throws(PhotoFault) -> Parts {
    var parts: Parts?
    var exif: ExifFacts?
    var segments = JPEGSegments(bytes)
    while let segment = try segments.next() {
      if segment.isFrame, parts == nil {
        guard let height = segment.payload.number(at: 1, bytes: 2),
          let width = segment.payload.number(at: 3, bytes: 2)
        else { throw .broken(at: segment.range.lowerBound, "a frame that states no size") }
        parts = (width, height, nil)
      } else if segment.marker == 0xE1, exif == nil, segment.payload.starts(with: "Exif\0\0") {
        exif = ExifReader.facts(segment.payload)
      }
    }
    guard let parts else { throw .broken(at: segments.offset, "the file has no image") }
    return (parts.width, parts.height, exif)
  }

  private static func png(_ bytes: [UInt8]) throws(PhotoFault) -> Parts {
    var chunks = ImageChunks(png: bytes)
    guard let head = try chunks.next(), head.type == "IHDR",
      let width = head.payload.number(at: 0, bytes: 4),
      let height = head.payload.number(at: 4, bytes: 4)
    else { throw .broken(at: 8, "a PNG file begins with its size (IHDR)") }
    var exif: ExifFacts?
    while !chunks.isEnded, let chunk = try chunks.next() {
      if chunk.type == "eXIf", exif == nil { exif = ExifReader.facts(chunk.payload) }
    }
    return (width, height, exif)
  }

  private static func webP(_ bytes: [UInt8]) throws(PhotoFault) -> Parts {
    var chunks = try ImageChunks(webP: bytes)
    var size: (width: Int, height: Int)?
    var exif: ExifFacts?
    var hasImage = false
    while let chunk = try chunks.next() {
      let field = chunk.payload
      func number(_ offset: Int, _ count: Int) -> Int {
        field.number(at: offset, bytes: count) ?? 0
      }
      switch chunk.type {
      case "VP8X" where size == nil && field.count >= 10:
        size = (number(4, 3) + 1, number(7, 3) + 1)
      case "VP8 ":
        hasImage = true
        if size == nil { size = (number(6, 2) & 0x3FFF, number(8, 2) & 0x3FFF) }
      case "VP8L":
        hasImage = true
        let sizes = number(1, 4)
        if size == nil, field.count >= 5 {
          size = (sizes & 0x3FFF + 1, sizes >> 14 & 0x3FFF + 1)
        }
      case "ANMF": hasImage = true
      case "EXIF" where exif == nil: exif = ExifReader.facts(field)
      default: break
      }
    }
    guard hasImage, let size else { throw .broken(at: chunks.offset, "the file has no image") }
    return (size.width, size.height, exif)
  }

  /// The Exif structure of a HEIC file: its pieces in a row, behind the place at which it begins.
  private static func exif(_ bytes: [UInt8], _ ranges: [Range<Int>]) -> ExifFacts? {
    let limit = 1 << 20
    guard ranges.reduce(0, { $0 + min($1.count, limit) }) <= limit else { return nil }
    let field = ByteField(ranges.flatMap { Array(bytes[$0]) })
    return field.number(at: 0, bytes: 4).flatMap { field.rest(from: 4 + $0) }
      .flatMap { ExifReader.facts($0) }
  }
}
