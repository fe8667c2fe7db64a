import STOLMedia

/// The parts of a file with a photo that are not the image itself.
struct PhotoParts {
  let type: MediaImageType
  let width: Int
  let height: Int
  let exif: Exif
  /// The segment of a JPEG file with the profile of its colours, where that is short, and of red, green and blue.
  private(set) var profile: ByteField?

  /// Reads a file; see `PhotoFacts`.
  ///
  /// - Throws: `PhotoFault`
  /// - Complexity: O(number of bytes)
  init(_ bytes: [UInt8]) throws(PhotoFault) {
    guard bytes.count <= PhotoFacts.byteLimit else {
      throw PhotoFault(
        offset: PhotoFacts.byteLimit, reason: "the file has \(bytes.count) bytes",
        remedy: "keep at most \(PhotoFacts.byteLimit) bytes: save it smaller")
    }
    guard let type = MediaImageType(bytes: bytes) else {
      throw PhotoFault(
        offset: 0, reason: "the file begins as no photo does, whatever its name",
        remedy: "take a JPEG, PNG, WebP or HEIC file")
    }
    self.type = type
    var exif: Exif?
    switch type {
    case .jpeg: (width, height, exif, profile) = try Self.jpeg(bytes)
    case .png: (width, height, exif) = try Self.png(bytes)
    case .webp: (width, height, exif) = try Self.webP(bytes)
    case .heic:
      let boxes = try HEIFBoxes(bytes)
      (width, height) = (boxes.width, boxes.height)
      exif = Self.exif(bytes, boxes.exif) ?? Exif()
      // What Exif says of that is not for HEIC.
      exif?.facts.orientation = boxes.orientation
    }
    self.exif = exif ?? Exif()
    guard width > 0, height > 0 else {
      throw .broken(at: 0, "the image is \(width) x \(height) pixels")
    }
    let limit = PhotoFacts.pixelLimit
    guard width < limit, height < limit, width * height < limit else {
      throw PhotoFault(
        offset: 0, reason: "the image is \(width) x \(height) pixels",
        remedy: "keep fewer than \(limit): save it smaller")
    }
  }

  private typealias Parts = (width: Int, height: Int, exif: Exif?)

  private static func jpeg(
    _ bytes: [UInt8]
  ) throws(PhotoFault) -> (width: Int, height: Int, exif: Exif?, profile: ByteField?) {
    var size: (width: Int, height: Int)?
    var exif: Exif?
    var profile: ByteField?
    var segments = JPEGSegments(bytes)
    while let segment = try segments.next() {
      if segment.isFrame, size == nil {
        guard let height = segment.payload.number(at: 1, bytes: 2),
          let width = segment.payload.number(at: 3, bytes: 2)
        else { throw .broken(at: segment.range.lowerBound, "a frame that states no size") }
        size = (width, height)
      } else if segment.marker == 0xE1, exif == nil, segment.payload.starts(with: "Exif\0\0") {
        exif = ExifReader.read(segment.payload)
      } else if segment.marker == 0xE2, profile == nil, isProfile(segment.payload) {
        profile = segment.payload
      }
    }
    guard let size else { throw .broken(at: segments.offset, "the file has no image") }
    return (size.width, size.height, exif, profile)
  }

  /// Whether a segment is a profile that a thumbnail can afford: those of Display P3 and Adobe RGB have some 560 bytes.
  ///
  /// Most of the longer ones are of sRGB, which an image without one is taken for.
  private static func isProfile(_ payload: ByteField) -> Bool {
    payload.count <= 1024 && payload.starts(with: "ICC_PROFILE\0\u{1}\u{1}")
      && payload.starts(with: "RGB ", at: 30)
  }

  private static func png(_ bytes: [UInt8]) throws(PhotoFault) -> Parts {
    var chunks = ImageChunks(png: bytes)
    guard let head = try chunks.next(), head.type == "IHDR",
      let width = head.payload.number(at: 0, bytes: 4),
      let height = head.payload.number(at: 4, bytes: 4)
    else { throw .broken(at: 8, "a PNG file begins with its size (IHDR)") }
    var exif: Exif?
    while !chunks.isEnded, let chunk = try chunks.next() {
      if chunk.type == "eXIf", exif == nil { exif = ExifReader.read(chunk.payload) }
    }
    return (width, height, exif)
  }

  private static func webP(_ bytes: [UInt8]) throws(PhotoFault) -> Parts {
    var chunks = try ImageChunks(webP: bytes)
    var size: (width: Int, height: Int)?
    var exif: Exif?
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
      case "EXIF" where exif == nil: exif = ExifReader.read(field)
      default: break
      }
    }
    guard hasImage, let size else { throw .broken(at: chunks.offset, "the file has no image") }
    return (size.width, size.height, exif)
  }

  /// The Exif structure of a HEIC file: its pieces in a row, behind the place at which it begins.
  private static func exif(_ bytes: [UInt8], _ ranges: [Range<Int>]) -> Exif? {
    let limit = 1 << 20
    guard ranges.reduce(0, { $0 + min($1.count, limit) }) <= limit else { return nil }
    let field = ByteField(ranges.flatMap { Array(bytes[$0]) })
    return field.number(at: 0, bytes: 4).flatMap { field.rest(from: 4 + $0) }
      .flatMap { ExifReader.read($0) }
  }
}
