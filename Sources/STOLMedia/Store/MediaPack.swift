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
  /// What is wrong with it: then it has no images, and can only be deleted or installed again.
  public let damage: MediaError?

  init(_ archive: MediaArchive, isBundled: Bool) {
    let manifest = archive.manifest
    id = manifest.id
    title = manifest.title
    licence = manifest.licence
    releaseNumber = manifest.release.number
    buildTime = manifest.release.buildTime.description
    imageCount = manifest.images.count
    byteCount = Int64(archive.byteCount)
    self.isBundled = isBundled
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
    self.damage = damage
  }
}
