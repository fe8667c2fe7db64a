public import STOLPack
import STOLSystem
import STOLTrust

extension Pack {
  /// Where this pack, mapped from the file `itself`, differs from the one at `path`, in words; nil where
  /// every byte is the same.
  ///
  /// - Complexity: O(length)
  package func difference(fromPackAt path: String, itself: String) throws -> String? {
    let mine = try RegularFile(path: itself, followsLinks: true)
    let other = try RegularFile(path: path, followsLinks: true)
    let chunk = 1 << 20
    var offset = 0
    while offset < max(mine.byteCount, other.byteCount) {
      let (a, b) = (
        try mine.bytes(at: offset, limit: chunk), try other.bytes(at: offset, limit: chunk)
      )
      if a != b {
        let same = zip(a, b).prefix { $0 == $1 }.count
        return "\(part(at: offset + same)) differs, at byte \(offset + same)"
      }
      offset += chunk
    }
    return nil
  }

  /// Checks that the pack in the file `itself` is, byte for byte, what a database compiles to.
  ///
  /// - Parameters:
  ///   - database: the SQLite file.
  ///   - itself: the file of this pack.
  ///   - scratch: where the database is compiled to; the file is removed.
  ///   - onStage: called now and then.
  /// - Throws: `PackError.wrongSource`, `.differs`, `CompileError`, `SystemError`.
  /// - Complexity: O(n log n) for n taxa
  public func requireCompiled(
    from database: String, itself: String, scratch: String,
    onStage: @escaping (PackCompiler.Stage) -> Void = { _ in }
  ) throws {
    let digest = try SHA256.digest(ofFileAt: database).bytes
    guard digest == source.sha256 else {
      func text(_ digest: [UInt8]) -> String {
        "SHA-256 " + digest.prefix(8).map { ("0" + String($0, radix: 16)).suffix(2) }.joined()
          + "..."
      }
      throw PackError.wrongSource(expected: text(source.sha256), got: text(digest))
    }
    TemporaryFiles.add(scratch)
    defer { TemporaryFiles.remove(scratch) }
    _ = try PackCompiler(path: database, onStage: onStage).compile(to: scratch)
    if let reason = try difference(fromPackAt: scratch, itself: itself) {
      throw PackError.differs(reason: reason)
    }
  }
}
