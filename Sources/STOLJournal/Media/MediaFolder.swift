import STOLSystem
import STOLTrust

/// The files beside a journal, each under the digits of its SHA-256 digest: `media/ab/cdef...`.
///
/// Beside a locked journal they are sealed, and lie under other names: `sealed/media/ab/cdef...`.
struct MediaFolder {
  let folder: FileFolder

  /// The files as they are in a folder.
  init(path: String) { folder = FileFolder(path: path, sealing: nil, kind: "media") }

  /// The files beside the journal in a folder, sealed or not.
  init(beside journal: String, _ sealing: SealedFiles?) {
    folder = FileFolder(
      path: "\(journal)/\(sealing == nil ? "" : "sealed/")media", sealing: sealing, kind: "media")
  }

  /// Where a file lies.
  func path(of digest: Digest) -> String { folder.path(of: digest) }

  /// Whether a file is there, by its length.
  func has(_ file: MediaFile) -> Bool {
    let found = try? RegularFile(path: path(of: file.sha256), followsLinks: false).byteCount
    return found == folder.byteCount(of: file.byteCount)
  }

  /// Keeps a file durably, for its owner only; one that is there, and whole, stays.
  ///
  /// - Returns: whether it was not there.
  /// - Throws: `SystemError`, `SealError`
  func keep(_ file: PhotoFile) throws -> Bool {
    if has(file.file), (try? bytes(of: file.file)) != nil { return false }
    try folder.keep(file.bytes, of: file.file.sha256)
    return true
  }

  /// The bytes of a file.
  ///
  /// - Throws: `JournalError.lostFile` where it is gone, or another one.
  func bytes(of file: MediaFile) throws(JournalError) -> [UInt8] {
    let path = path(of: file.sha256)
    let bytes: [UInt8]
    do {
      bytes = try folder.bytes(of: file.sha256, limit: PhotoFacts.byteLimit + 1)
    } catch let error as SystemError {
      throw .lostFile(path: path, reason: "cannot be read: \(error.code)")
    } catch {
      throw .lostFile(path: path, reason: "is not the file that was kept")
    }
    guard SHA256.digest(of: bytes) == file.sha256 else {
      throw .lostFile(path: path, reason: "is not the file that was kept")
    }
    return bytes
  }
}
