import STOLTrust

/// Checks an archive piece by piece while it comes out of a container: manifest, then every image.
///
/// Memory holds the manifest and one piece, however large the archive claims to be.
package struct MediaArchiveCheck {
  private let byteCount: Int
  private var head: ArchiveHead?
  private var manifest: MediaManifest?
  /// The bytes of the head and the manifest so far.
  private var start: [UInt8] = []
  /// How many images are checked.
  private var imagesDone = 0
  private var hash = SHA256()
  /// How many bytes of the image were there, and the first of them.
  private var imageByteCount = 0
  private var imagePrefix: [UInt8] = []

  /// A check of an archive of `byteCount` bytes.
  package init(byteCount: Int) { self.byteCount = byteCount }

  /// Checks the next bytes.
  ///
  /// - Throws: `MediaError` at the first rule that is broken.
  package mutating func update(_ piece: [UInt8]) throws(MediaError) {
    var rest = piece[...]
    while !rest.isEmpty {
      guard let manifest else {
        try readStart(&rest)
        continue
      }
      guard imagesDone < manifest.images.count else {
        throw .lengthMismatch(expected: manifest.imageByteCount, got: byteCount)
      }
      let image = manifest.images[imagesDone]
      let bytes = Array(rest.prefix(image.byteCount - imageByteCount))
      rest = rest.dropFirst(bytes.count)
      imagePrefix += bytes.prefix(MediaImageType.prefixByteCount - imagePrefix.count)
      hash.update(bytes)
      imageByteCount += bytes.count
      if imageByteCount == image.byteCount { try finish(image) }
    }
  }

  /// Checks that nothing is missing.
  ///
  /// - Returns: what the archive says of itself.
  package func finish() throws(MediaError) -> MediaManifest {
    guard let manifest else { throw start.isEmpty ? .notAnArchive : .archiveTruncated }
    guard imagesDone == manifest.images.count else {
      throw .lengthMismatch(
        expected: manifest.imageByteCount, got: byteCount - start.count)
    }
    return manifest
  }

  private mutating func readStart(_ rest: inout ArraySlice<UInt8>) throws(MediaError) {
    let wanted = MediaLayout.headByteCount + (head?.manifestByteCount ?? 0)
    let bytes = rest.prefix(wanted - start.count)
    start += bytes
    rest = rest.dropFirst(bytes.count)
    guard start.count == wanted else { return }
    guard let head else {
      head = try ArchiveHead(start)
      return
    }
    let text = Array(start[MediaLayout.headByteCount...])
    guard SHA256.digest(of: text) == head.manifestDigest else { throw .manifestChecksum }
    let read = try MediaManifest(bytes: text)
    guard start.count + read.imageByteCount == byteCount else {
      throw .lengthMismatch(expected: read.imageByteCount, got: byteCount - start.count)
    }
    manifest = read
  }

  private mutating func finish(_ image: MediaEntry) throws(MediaError) {
    try image.check(imagePrefix, hash.finish())
    imagesDone += 1
    imageByteCount = 0
    imagePrefix = []
    hash = SHA256()
  }
}
