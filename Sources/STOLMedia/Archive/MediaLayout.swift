import STOLTrust

/// The places and limits of Format/MEDIA.md.
enum MediaLayout {
  /// The magic bytes, section 2.
  static let magic = ContainerLayout.mediaMagic
  /// The version of the archive that this stol reads and writes.
  static let version: UInt32 = 1
  static let versionOffset = 8
  static let manifestByteCountOffset = 12
  static let manifestDigest = 16..<48
  /// The bytes before the manifest.
  static let headByteCount = 48

  /// The greatest archive: 2 GiB.
  static let archiveLimit = 1 << 31
  /// The longest manifest, in bytes: to decode one of a stranger takes up to 25 times as much.
  static let manifestLimit = 4 << 20
  /// The greatest number of images.
  static let imageCountLimit = 10_000
  /// The greatest image, in bytes.
  static let imageLimit = 16 << 20
  /// The longest text of an image or a pack, in bytes of UTF-8.
  static let textLimit = 1000
  /// The longest name of a file, in bytes.
  static let fileNameLimit = 128
}

/// The bytes of an archive before its manifest.
struct ArchiveHead: Hashable {
  let manifestByteCount: Int
  let manifestDigest: Digest

  init(manifestByteCount: Int, manifestDigest: Digest) {
    self.manifestByteCount = manifestByteCount
    self.manifestDigest = manifestDigest
  }

  /// Reads the head that `bytes` are or begin with.
  init(_ bytes: [UInt8]) throws(MediaError) {
    let magic = MediaLayout.magic
    guard bytes.starts(with: magic) else { throw .notAnArchive }
    guard bytes.count >= MediaLayout.headByteCount else { throw .archiveTruncated }
    let version = LittleEndian.uint32(bytes, at: MediaLayout.versionOffset)
    guard version <= MediaLayout.version else { throw .newerArchive(version: version) }
    guard version > 0 else { throw .notAnArchive }
    let count = LittleEndian.uint32(bytes, at: MediaLayout.manifestByteCountOffset)
    guard count >= 1, count <= MediaLayout.manifestLimit,
      let digest = Digest(bytes[MediaLayout.manifestDigest])
    else {
      throw .manifestMalformed(
        reason: "its length \(count) is not from 1 to \(MediaLayout.manifestLimit)")
    }
    manifestByteCount = Int(count)
    manifestDigest = digest
  }

  var bytes: [UInt8] {
    var bytes = MediaLayout.magic
    LittleEndian.append(MediaLayout.version, to: &bytes)
    LittleEndian.append(UInt32(manifestByteCount), to: &bytes)
    return bytes + manifestDigest.bytes
  }
}
