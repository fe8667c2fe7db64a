import STOLSystem

/// The keyring as kept in the data directory, Format/CONTAINER.md section 9.
extension Keyring {
  private static let kind = "stol-keys-1"
  private static let expected = "a stol key list (its first line is \(kind))"
  private static let longestFile = 1 << 20

  /// Where the keys that are not built in are kept, in the folder of keys.
  public static func path(in folder: String) -> String { folder + "/keys.txt" }

  /// The keys built in and those kept in `folder`, which need not exist.
  ///
  /// - Throws: `KeyError` if the file is damaged: nothing is then trusted, as a revocation may be lost.
  public init(folder: String) throws(KeyError) {
    try self.init(folder: folder, builtIn: BuiltInKeys.all)
  }

  init(folder: String, builtIn: [VerifyingKey]) throws(KeyError) {
    self.init(builtIn: builtIn)
    let path = Self.path(in: folder)
    guard fileExists(path) else { return }
    try read(KeyFile.text(path: path, limit: Self.longestFile, kind: Self.expected))
  }

  /// Changes the keyring kept in `folder`, one process at a time.
  ///
  /// - Returns: the keyring after the change, durable.
  public static func update(
    folder: String, _ change: (inout Keyring) throws(KeyError) -> Void
  ) throws(KeyError) -> Keyring {
    do {
      try createFolder(folder)
      let lock = try FolderLock(path: folder)
      defer { _ = lock }
      let before = try Keyring(folder: folder)
      var after = before
      try change(&after)
      if after != before { try replaceFile(path(in: folder), with: Array(after.fileText.utf8)) }
      return after
    } catch let error as SystemError {
      throw .system(error)
    } catch let error as KeyError {
      throw error
    } catch {
      throw .wrongKind(expected: Self.expected)
    }
  }

  var fileText: String {
    var text = Self.kind + "\n"
    if let applied { text += "ring \(applied.version) \(applied.digest)\n" }
    var added = ""
    for entry in entries {
      switch entry.origin {
      case .builtIn: break
      case .current: text += "current \(entry.key)\n"
      case .next: text += "next \(entry.key)\n"
      case .added(let label): added += "added \(entry.key) \(label)\n"
      }
    }
    return text + added + revokedIDs.sorted().map { "revoked \($0)\n" }.joined()
  }

  private mutating func read(_ text: String) throws(KeyError) {
    var lines = try KeyText(text, kind: Self.kind, expected: Self.expected)
    if let words = lines.words(after: "ring").map(Array.init) {
      let version = try lines.version(words.first)
      guard words.count == 2, let digest = Hexadecimal.bytes(words[1]).flatMap({ Digest($0) })
      else {
        throw .malformed(line: lines.lineNumber, reason: "expected a version and a digest")
      }
      applied = Applied(version: version, digest: digest)
    }
    entries += try lines.keys(after: "current").map { Entry(key: $0, origin: .current) }
    entries += try lines.keys(after: "next").map { Entry(key: $0, origin: .next) }
    while let words = lines.words(after: "added").map(Array.init) {
      let key = try VerifyingKey(words: words.prefix(2), line: lines.lineNumber)
      guard words.count == 3 else {
        throw .malformed(line: lines.lineNumber, reason: "expected a key and its label")
      }
      entries.append(Entry(key: key, origin: .added(label: String(words[2]))))
    }
    revokedIDs.formUnion(try lines.ids(after: "revoked"))
    try lines.finish()
  }
}
