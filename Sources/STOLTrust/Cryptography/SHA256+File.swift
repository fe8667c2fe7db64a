package import STOLSystem

extension SHA256 {
  /// The digest of the file at `path`.
  ///
  /// - Throws: `SystemError`, also of what is no regular file.
  /// - Complexity: O(length)
  package static func digest(ofFileAt path: String) throws(SystemError) -> Digest {
    let file = try RegularFile(path: path, followsLinks: true)
    var hash = SHA256()
    let step = 1 << 20
    for offset in stride(from: 0, to: file.byteCount, by: step) {
      hash.update(try file.bytes(at: offset, limit: step))
    }
    return hash.finish()
  }
}
