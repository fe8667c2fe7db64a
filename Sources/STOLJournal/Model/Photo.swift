public import STOLMedia
public import STOLTrust

/// A photo of a place, an event, an organism or an occurrence, or beside a note.
///
/// Its file lies beside the journal under its digest, once however often it is a photo of something.
public struct Photo: Hashable, Sendable, Codable {
  /// Its identity.
  public var id: JournalID
  /// What it is of.
  public var target: JournalID
  /// The file.
  public var file: MediaFile
  /// What the file was called.
  public var name: String?
  /// What is to be read below it.
  public var caption: String?
  /// Its place among the photos of its target, from 1; those without one come last.
  public var ordinal: Int?
  /// When it was taken, by the clock of the camera.
  public var time: LocalTime?
  /// The minutes that this clock was ahead of UTC; nil where nobody knows.
  public var utcOffsetMin: Int?
  /// Where it was taken.
  public var position: Position?
  /// Metres above the sea, times 100.
  public var elevationCm: Int?
  /// Who took it.
  public var author: String?
  /// What others may do with it.
  public var licence: String?
  /// Where it is from: an address, which nobody opens.
  public var source: String?

  /// A photo of something.
  public init(id: JournalID = JournalID(), target: JournalID, file: MediaFile) {
    self.id = id
    self.target = target
    self.file = file
  }

  func validate() throws(JournalError) {
    try file.validate()
    try requireName(name, "name")
    try requireText(caption, "caption")
    try require(ordinal, "ordinal", 1...1_000_000)
    try require(utcOffsetMin, "utc_offset_min", -1080...1080)
    try position?.validate()
    try require(elevationCm, "elevation_cm", Organism.elevationRange)
    try requireName(author, "author")
    try requireName(licence, "licence")
    try requireName(source, "source")
  }

  /// The UUID that a file always gets as a photo of something.
  package static func id(of digest: Digest, target: JournalID) -> JournalID {
    target.derived("photo \(digest)")
  }
}

/// A file beside the journal: what its bytes are, which never change.
public struct MediaFile: Hashable, Sendable, Codable {
  /// The SHA-256 digest of its bytes.
  public var sha256: Digest
  /// Its format.
  public var type: MediaImageType
  /// How many bytes it has.
  public var byteCount: Int
  /// Its pixels from left to right, as they lie in the file.
  public var width: Int
  /// Its pixels from top to bottom.
  public var height: Int
  /// How the image lies, from 1 to 8 as Exif has it; nil where nobody says.
  public var orientation: Int?

  /// A file.
  public init(
    sha256: Digest, type: MediaImageType, byteCount: Int, width: Int, height: Int,
    orientation: Int? = nil
  ) {
    self.sha256 = sha256
    self.type = type
    self.byteCount = byteCount
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  func validate() throws(JournalError) {
    try require(byteCount, "byte_count", 1...PhotoFacts.byteLimit)
    try require(width, "width", 1...Self.sideLimit)
    try require(height, "height", 1...Self.sideLimit)
    guard width * height < PhotoFacts.pixelLimit else {
      throw .invalid(
        field: "width", value: "\(width) x \(height)",
        remedy: "fewer than \(PhotoFacts.pixelLimit) pixels")
    }
    try require(orientation, "orientation", 1...8)
  }

  /// The longest side of an image.
  static let sideLimit = PhotoFacts.pixelLimit - 1
}

extension MediaFile {
  private enum CodingKeys: String, CodingKey {
    case sha256, type, byteCount, width, height, orientation
  }

  /// Reads what `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError`
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decode(String.self, forKey: .sha256)
    guard let digest = Hexadecimal.bytes(text).flatMap({ Digest($0) }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .sha256, in: container,
        debugDescription: "a SHA-256 digest: 64 of the digits 0 to 9 and a to f")
    }
    self.init(
      sha256: digest, type: try container.decode(MediaImageType.self, forKey: .type),
      byteCount: try container.decode(Int.self, forKey: .byteCount),
      width: try container.decode(Int.self, forKey: .width),
      height: try container.decode(Int.self, forKey: .height),
      orientation: try container.decodeIfPresent(Int.self, forKey: .orientation))
  }

  /// Writes its members, the digest as hexadecimal digits.
  ///
  /// - Throws: what `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("\(sha256)", forKey: .sha256)
    try container.encode(type, forKey: .type)
    try container.encode(byteCount, forKey: .byteCount)
    try container.encode(width, forKey: .width)
    try container.encode(height, forKey: .height)
    try container.encodeIfPresent(orientation, forKey: .orientation)
  }
}
