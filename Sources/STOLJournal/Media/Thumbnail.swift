import STOLMedia

/// How large a thumbnail is: so many pixels its longer edge has at most.
public enum ThumbnailSize: Int, CaseIterable, Sendable {
  /// For a line of a list.
  case small = 64
  /// For a page of photos.
  case large = 512
}

/// Small images of photos: JPEG files that are seen the right way up, and say nothing but their colours.
enum Thumbnail {
  private static let quality = 80

  /// Those of the photo in a file, one of each size; nothing where none can be made.
  ///
  /// The image of a JPEG file is decoded. For other formats, and where that takes too much memory, the one is taken that
  /// the camera put beside it, if that has the same shape: the image may have been cropped since, and no thumbnail
  /// shows what was cut away.
  ///
  /// - Complexity: O(number of bytes)
  static func files(of bytes: [UInt8]) -> [ThumbnailSize: [UInt8]] {
    guard let parts = try? PhotoParts(bytes) else { return [:] }
    let own = parts.type == .jpeg ? image(ByteField(bytes)) : nil
    guard let image = own ?? embedded(parts) else { return [:] }
    let turned = image.turned(by: parts.exif.facts.orientation ?? 1)
    var files: [ThumbnailSize: [UInt8]] = [:]
    for size in ThumbnailSize.allCases {
      files[size] = JPEGCodec.file(
        JPEGCodec.reduced(turned, edge: size.rawValue), quality: quality,
        profile: own == nil ? nil : parts.profile)
    }
    return files
  }

  private static func image(_ file: ByteField) -> Pixels? {
    JPEGCodec.image(file, edge: ThumbnailSize.large.rawValue)?.pixels
  }

  /// The image that the camera put beside the photo, if it has the same shape.
  private static func embedded(_ parts: PhotoParts) -> Pixels? {
    guard let image = parts.exif.thumbnail.flatMap(image),
      max(image.width, image.height) >= ThumbnailSize.small.rawValue
    else { return nil }
    // Both products are below 2^40, and equal for the same shape; cameras round to whole pixels.
    let (own, other) = (parts.width * image.height, parts.height * image.width)
    return abs(own - other) * 50 <= own ? image : nil
  }
}
