import STOLSystem
import STOLTrust

/// The files beside a journal, each under the digits of its SHA-256 digest: `media/ab/cdef...`.
struct MediaFolder {
  let path: String

  /// Where a file lies.
  func path(of digest: Digest) -> String {
    let digits = "\(digest)"
    return "\(path)/\(digits.prefix(2))/\(digits.dropFirst(2))"
  }

  /// Whether a file is there, by its length.
  func has(_ file: MediaFile) -> Bool {
    let found = try? RegularFile(path: path(of: file.sha256), followsLinks: false).byteCount
    return found == file.byteCount
  }

  /// Keeps a file durably, for its owner only; one that is there, and whole, stays.
  ///
  /// - Returns: whether it was not there.
  /// - Throws: `SystemError`
  func keep(_ file: PhotoFile) throws(SystemError) -> Bool {
    let target = path(of: file.file.sha256)
    if has(file.file), (try? SHA256.digest(ofFileAt: target)) == file.file.sha256 { return false }
    let folder = "\(path)/\("\(file.file.sha256)".prefix(2))"
    try createFolder(folder)
    try synchronizeFolder(of: folder)
    try synchronizeFolder(of: path)
    var new = try ReplacementFile(path: target, isOwnersOnly: true)
    try new.append(file.bytes)
    try new.finish()
    return true
  }

  /// The bytes of a file.
  ///
  /// - Throws: `JournalError.lostFile` where it is gone, or another one.
  func bytes(of file: MediaFile) throws(JournalError) -> [UInt8] {
    let path = path(of: file.sha256)
    let bytes: [UInt8]
    do {
      bytes = try RegularFile(path: path, followsLinks: false)
        .bytes(at: 0, limit: PhotoFacts.byteLimit + 1)
    } catch {
      throw .lostFile(path: path, reason: "cannot be read: \(error.code)")
    }
    guard SHA256.digest(of: bytes) == file.sha256 else {
      throw .lostFile(path: path, reason: "is not the file that was kept")
    }
    return bytes
  }

  /// All that lies in the folder: its path, and the digest that it states.
  ///
  /// - Complexity: O(n log n)
  func entries() -> [(path: String, digest: Digest?)] {
    fileNames(inFolder: path).sorted().flatMap { part in
      let folder = "\(path)/\(part)"
      return fileNames(inFolder: folder).sorted().map { name in
        ("\(folder)/\(name)", Hexadecimal.bytes(part + name).flatMap { Digest($0) })
      }
    }
  }
}
