import STOLTrust

/// A media pack that came with the app or that was installed.
public struct MediaPack: Equatable, Sendable {
  /// The pack; for a damaged one that was installed, what its file is named.
  public let id: MediaPackID
  /// What its maintainer calls it; empty for a damaged one.
  public let title: String
  /// Under what licence its images are, if they are under one.
  public let licence: String?
  /// The number of its release; 0 for a damaged one.
  public let releaseNumber: UInt32
  /// When it was made, `2026-01-31T12:00:00Z`; nil for a damaged one.
  public let buildTime: String?
  /// The number of its images.
  public let imageCount: Int
  /// The bytes that it takes on disk.
  public let byteCount: Int64
  /// Whether it came with the app; then it cannot be deleted.
  public let isBundled: Bool
  /// The id of the key that signed it; nil for one that came with the app.
  public let keyID: String?
  /// Whether that key has been revoked since it was installed.
  public let isKeyRevoked: Bool
  /// What is wrong with it: then it has no images, and can only be deleted or installed again.
  public let damage: MediaError?

  init(
    _ archive: MediaArchive, isBundled: Bool, keyID: String? = nil, isKeyRevoked: Bool = false
  ) {
    let manifest = archive.manifest
    id = manifest.id
    title = manifest.title
    licence = manifest.licence
    releaseNumber = manifest.release.number
    buildTime = manifest.release.buildTime.description
    imageCount = manifest.images.count
    byteCount = Int64(archive.byteCount)
    self.isBundled = isBundled
    (self.keyID, self.isKeyRevoked) = (keyID, isKeyRevoked)
    damage = nil
  }

  init(damaged id: MediaPackID, byteCount: Int64, isBundled: Bool, damage: MediaError) {
    self.id = id
    title = ""
    licence = nil
    releaseNumber = 0
    buildTime = nil
    imageCount = 0
    self.byteCount = byteCount
    self.isBundled = isBundled
    (keyID, isKeyRevoked) = (nil, false)
    self.damage = damage
  }

  /// What somebody should know who sees its images, and what to do; nil where all is well.
  public var problem: String? {
    if let damage { return damage.description }
    guard isKeyRevoked, let keyID else { return nil }
    return "signed by the key \(keyID), which has been revoked; get one that another key signs, "
      + "or remove it: stol media remove \(id)"
  }
}
