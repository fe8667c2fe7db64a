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
    let parts = try PhotoParts(bytes)
    (type, width, height) = (parts.type, parts.width, parts.height)
    exif = parts.exif.facts
  }
}
