import STOLPack
import STOLSystem
import STOLTrust

extension SourceFingerprint {
  /// The fingerprint of the database file at `path`.
  ///
  /// - Throws: `SystemError`, also of what is no regular file.
  /// - Complexity: O(length of the file)
  init(path: String) throws(SystemError) {
    self.init()
    let file = try RegularFile(path: path, followsLinks: true)
    var whole = Checksum()
    var digest = SHA256()
    while true {
      let chunk = try file.bytes(at: Int(byteCount), limit: 1 << 20)
      guard !chunk.isEmpty else { break }
      // The header changes with every write to the file.
      if byteCount == 0 { stamp = Checksum.of(Array(chunk.prefix(100))) }
      byteCount += UInt64(chunk.count)
      whole.update(chunk)
      digest.update(chunk)
    }
    checksum = whole.value
    sha256 = digest.finish().bytes
  }
}
