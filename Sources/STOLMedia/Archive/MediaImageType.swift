/// The types of images that a media pack may hold.
public enum MediaImageType: String, CaseIterable, Sendable, CustomStringConvertible {
  /// Portable Network Graphics.
  case png
  /// JPEG.
  case jpeg
  /// WebP.
  case webp
  /// HEIF with HEVC, as cameras of phones write it.
  case heic

  /// How many bytes tell the type.
  static let prefixByteCount = 12

  /// The name.
  public var description: String { rawValue }

  /// The type of the image that begins with `bytes`, or nil; the image is not decoded.
  ///
  /// - Complexity: O(1)
  public init?(bytes: some Collection<UInt8>) {
    let start = Array(bytes.prefix(Self.prefixByteCount))
    let tail = start.dropFirst(8)
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if start.starts(with: Array("RIFF".utf8)), tail.elementsEqual("WEBP".utf8) {
      self = .webp
    } else if start.dropFirst(4).starts(with: "ftyp".utf8),
      tail.elementsEqual("heic".utf8) || tail.elementsEqual("heix".utf8)
    {
      self = .heic
    } else {
      return nil
    }
  }
}
