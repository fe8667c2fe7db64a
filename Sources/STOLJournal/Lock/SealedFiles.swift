import STOLSystem
import STOLTrust

/// How files lie beside a locked journal: sealed, each with a key of its own, under names that say nothing.
struct SealedFiles: Sendable {
  private let nameKey: SecretBytes
  private let fileKey: SecretBytes

  /// The keys for files, of the data key of a journal.
  ///
  /// - Throws: `SealError.outOfMemory`
  init(_ dataKey: SecretBytes) throws(SealError) {
    nameKey = try DerivedKeys.key(for: "stol journal file names", of: dataKey)
    fileKey = try DerivedKeys.key(for: "stol journal files", of: dataKey)
  }

  /// The name of a file with a digest, of a kind: that of its folder.
  func name(of digest: Digest, _ kind: String) -> String {
    Hexadecimal.text(DerivedKeys.digest(of: Array(kind.utf8) + digest.bytes, with: nameKey))
  }

  /// What a file is once it is sealed, which its digest is too.
  ///
  /// - Throws: `SealError`
  func seal(_ bytes: [UInt8], of digest: Digest, as name: String) throws -> [UInt8] {
    try SealedBytes.seal(digest.bytes + bytes, key: try key(name))
  }

  /// What was sealed under a name, and the digest that it was sealed with.
  ///
  /// - Throws: `SealError`
  func open(_ sealed: [UInt8], as name: String) throws -> (digest: Digest, bytes: [UInt8]) {
    let bytes = try SealedBytes.open(sealed, key: try key(name))
    guard let digest = Digest(Array(bytes.prefix(DerivedKeys.byteCount))) else {
      throw SealError.notSealed
    }
    return (digest, Array(bytes.dropFirst(DerivedKeys.byteCount)))
  }

  /// How long a file of so many bytes is once it is sealed.
  static func byteCount(of plain: Int) -> Int {
    SealedBytes.byteCount(of: DerivedKeys.byteCount + plain)
  }

  private func key(_ name: String) throws(SealError) -> SecretBytes {
    try DerivedKeys.key(for: name, of: fileKey)
  }
}

/// A folder of files, each of a digest: as they are, or sealed.
struct FileFolder: Sendable {
  let path: String
  /// What seals them; nil where they lie as they are.
  let sealing: SealedFiles?
  /// What tells sealed files of one digest in several folders apart.
  let kind: String

  /// Where the file of a digest lies.
  func path(of digest: Digest) -> String {
    let digits = sealing?.name(of: digest, kind) ?? "\(digest)"
    return "\(path)/\(digits.prefix(2))/\(digits.dropFirst(2))"
  }

  /// How long a file of so many bytes is here.
  func byteCount(of plain: Int) -> Int {
    sealing == nil ? plain : SealedFiles.byteCount(of: plain)
  }

  /// The bytes of a file, no more than some.
  ///
  /// - Throws: `SystemError`, `SealError`
  func bytes(of digest: Digest, limit: Int) throws -> [UInt8] {
    let bytes = try RegularFile(path: path(of: digest), followsLinks: false)
      .bytes(at: 0, limit: byteCount(of: limit))
    guard let sealing else { return bytes }
    let opened = try sealing.open(bytes, as: sealing.name(of: digest, kind))
    guard opened.digest == digest else { throw SealError.notSealed }
    return opened.bytes
  }

  /// Keeps a file durably, for its owner only.
  ///
  /// - Throws: `SystemError`, `SealError`
  func keep(_ bytes: [UInt8], of digest: Digest) throws {
    let target = path(of: digest)
    let folder = "\(target.prefix(upTo: target.lastIndex(of: "/") ?? target.endIndex))"
    try createFolder(folder)
    try synchronizeFolder(of: folder)
    try synchronizeFolder(of: path)
    let kept =
      try sealing.map { try $0.seal(bytes, of: digest, as: $0.name(of: digest, kind)) } ?? bytes
    var new = try ReplacementFile(path: target, isOwnersOnly: true)
    try new.append(kept)
    try new.finish()
  }

  /// The paths of all that lies here, in its folders.
  ///
  /// - Complexity: O(n log n)
  func paths() -> [String] {
    fileNames(inFolder: path).sorted().flatMap { part in
      fileNames(inFolder: "\(path)/\(part)").sorted().map { "\(path)/\(part)/\($0)" }
    }
  }

  /// The digest of a file that lies here, and what it holds; nil for one with the name of none, or too long, or damaged.
  func file(at path: String, limit: Int) throws(SystemError) -> (digest: Digest, bytes: [UInt8])? {
    let name = path.split(separator: "/").suffix(2).joined()
    let file = try RegularFile(path: path, followsLinks: false)
    guard file.byteCount <= byteCount(of: limit) else { return nil }
    let bytes = try file.bytes(at: 0, limit: file.byteCount)
    guard let sealing else {
      return Hexadecimal.bytes(name).flatMap { Digest($0) }.map { ($0, bytes) }
    }
    guard let opened = try? sealing.open(bytes, as: name),
      sealing.name(of: opened.digest, kind) == name
    else { return nil }
    return opened
  }

  /// Copies all files to another folder, where each is read once more; what is there already stays.
  ///
  /// - Parameters:
  ///   - other: the other folder.
  ///   - limit: how many bytes a file may have.
  ///   - onFile: told of each that is there.
  /// - Returns: the paths of what is none of these files, but for what a killed process left.
  /// - Throws: `SystemError`, `SealError`
  func copyAll(to other: FileFolder, limit: Int, _ onFile: () -> Void) throws -> [String] {
    var left = straysOutsideParts()
    for path in paths() where !Self.isLeftover(path) {
      guard let file = try file(at: path, limit: limit) else {
        left.append(path)
        continue
      }
      defer { onFile() }
      if (try? other.bytes(of: file.digest, limit: limit)) == file.bytes { continue }
      try other.keep(file.bytes, of: file.digest)
      guard try other.bytes(of: file.digest, limit: limit) == file.bytes else {
        throw SystemError(
          operation: "read back", path: other.path(of: file.digest), code: .inputOutput)
      }
    }
    return left
  }

  /// Removes all files that lie here, and what a killed process left of some.
  ///
  /// What has the name of none stays.
  ///
  /// - Throws: `SystemError`, also where a folder could not be looked into, or emptied
  func removeAll() throws(SystemError) {
    for path in paths() where isOurs(path) { try removeDurably(path) }
    for part in fileNames(inFolder: path) { removeEmptyFolder("\(path)/\(part)") }
    removeEmptyFolder(path)
    guard try isPresent(path) else { return }
    // What somebody else has put here stays. What cannot be listed seems to be empty.
    let parts = fileNames(inFolder: path)
    let isDone =
      !parts.isEmpty
      && parts.filter { Hexadecimal.bytes($0)?.count == 1 }.allSatisfy { part in
        let names = fileNames(inFolder: "\(path)/\(part)")
        return !names.isEmpty && !names.contains { isOurs("\(path)/\(part)/\($0)") }
      }
    guard isDone else {
      throw SystemError(operation: "remove all files in", path: path, code: .inputOutput)
    }
  }

  /// Whether a path in a folder here is that of a file of a digest, or of what a killed process left of one.
  private func isOurs(_ path: String) -> Bool { Self.isLeftover(path) || Self.isOfDigest(path) }

  /// Whether a killed process left what is there.
  static func isLeftover(_ path: String) -> Bool { path.hasSuffix(".tmp") }

  /// Whether a path is that of a file of a digest.
  static func isOfDigest(_ path: String) -> Bool {
    let name = path.split(separator: "/").suffix(2).joined()
    return Hexadecimal.bytes(name)?.count == Digest.byteCount
  }

  /// The paths of files that lie here themselves, where no file of a digest does.
  func straysOutsideParts() -> [String] {
    fileNames(inFolder: path).sorted().map { "\(path)/\($0)" }.filter {
      (try? RegularFile(path: $0, followsLinks: false)) != nil
    }
  }
}
