import STOLSystem
import STOLTrust

/// An archive of images in a file: its manifest is in memory, its images stay on disk.
struct MediaArchive: Sendable {
  let path: String
  let manifest: MediaManifest
  /// Tells this archive from any other.
  let head: ArchiveHead
  /// The length of the file.
  let byteCount: Int
  /// Where each image begins in the file.
  private let offsets: [Int]

  /// Opens the archive at `path`, which is no symbolic link, and checks its manifest; images are
  /// checked when they are read.
  ///
  /// - Throws: `MediaError`
  /// - Complexity: O(length of the manifest)
  init(path: String) throws {
    (head, manifest, byteCount) = try MediaError.wrapping {
      let file = try RegularFile(path: path, followsLinks: false)
      let head = try ArchiveHead(file.bytes(at: 0, limit: MediaLayout.headByteCount))
      let text = try file.bytes(at: MediaLayout.headByteCount, limit: head.manifestByteCount)
      guard text.count == head.manifestByteCount else { throw MediaError.archiveTruncated }
      guard SHA256.digest(of: text) == head.manifestDigest else {
        throw MediaError.manifestChecksum
      }
      let manifest = try MediaManifest(bytes: text)
      let got = file.byteCount - MediaLayout.headByteCount - text.count
      guard got == manifest.imageByteCount else {
        throw MediaError.lengthMismatch(expected: manifest.imageByteCount, got: got)
      }
      return (head, manifest, file.byteCount)
    }
    self.path = path
    let start = MediaLayout.headByteCount + head.manifestByteCount
    offsets = manifest.imageOffsets.map { start + $0 }
  }

  /// The bytes of an image, which have its type and its digest.
  ///
  /// - Throws: `MediaError`, also where another archive is at `path` now.
  /// - Complexity: O(length of the image)
  func bytes(ofImage index: Int) throws -> [UInt8] {
    let image = manifest.images[index]
    return try MediaError.wrapping {
      let file = try RegularFile(path: path, followsLinks: false)
      let now = try ArchiveHead(file.bytes(at: 0, limit: MediaLayout.headByteCount))
      guard now == head else { throw MediaError.manifestChecksum }
      let bytes = try file.bytes(at: offsets[index], limit: image.byteCount)
      try image.check(bytes, SHA256.digest(of: bytes))
      return bytes
    }
  }
}
