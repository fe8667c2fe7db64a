import STOLSystem

/// The keyring as kept in the data directory, Format/CONTAINER.md section 9.
extension Keyring {
  private static let kind = "stol-keys-2"
  private static let olderKind = "stol-keys-1"
  private static let expected = "a stol key list (its first line is \(kind))"
  private static let longestFile = 1 << 20
  /// In the place of datasets: a key that signs keyrings.
  private static let anyKeyring = "@root"

  /// Where the keys that are not built in are kept, in the folder of keys.
  public static func path(in folder: String) -> String { folder + "/keys.txt" }

  /// The keys built in and those kept in `folder`, which need not exist.
  ///
  /// - Throws: `KeyError` if the file is damaged: nothing is then trusted, as a revocation may be lost.
  public init(folder: String) throws(KeyError) {
    try self.init(folder: folder, builtIn: BuiltInKeys.all)
  }

  init(
    folder: String, builtIn: [(key: VerifyingKey, role: KeyRole)]
  ) throws(KeyError) {
    self.init(builtIn: builtIn)
    let path = Self.path(in: folder)
    guard fileExists(path) else { return }
    do {
      try read(KeyFile.text(path: path, limit: Self.longestFile, kind: Self.expected))
    } catch .system(let error) {
      throw .system(error)
    } catch {
      throw .unreadableKeyring(path: path, reason: error.description)
    }
  }

  /// As often somebody looks who does not wait for good: two seconds.
  private static let greatestLookCount = 400

  /// Changes the keyring kept in `folder`, one process at a time.
  ///
  /// - Parameters:
  ///   - folder: where it is kept.
  ///   - isPatient: whether to wait for another process however long it takes.
  ///   - change: what is done to it.
  /// - Returns: the keyring after the change, durable.
  /// - Throws: `KeyError`, among them `.inUse` for whoever is not patient.
  @discardableResult
  public static func update(
    folder: String, isPatient: Bool = true, _ change: (inout Keyring) throws(KeyError) -> Void
  ) throws(KeyError) -> Keyring {
    do {
      try createFolder(folder)
      var looks = 0
      let lock = try FolderLock(path: folder) {
        looks += 1
        if !isPatient, looks > greatestLookCount { throw KeyError.inUse(folder: folder) }
      }
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
      case .keyring: text += "\(entry.role) \(entry.key)\n"
      case .added(let label):
        added += "added \(entry.key) \(entry.scope?.text ?? Self.anyKeyring) \(label)\n"
      }
    }
    return text + added + revokedIDs.sorted().map { "revoked \($0)\n" }.joined()
  }

  private mutating func read(_ text: String) throws(KeyError) {
    guard !text.hasPrefix(Self.olderKind + "\n") else {
      throw .malformed(
        line: 1,
        reason: "of an older stol, whose keys were for any dataset; add each key again with "
          + "stol db keys add NAME.pub --dataset ID")
    }
    var lines = try KeyText(text, kind: Self.kind, expected: Self.expected)
    if let words = lines.words(after: "ring").map(Array.init) {
      let version = try lines.version(words.first)
      guard words.count == 2, let digest = Hexadecimal.bytes(words[1]).flatMap({ Digest($0) })
      else {
        throw .malformed(line: lines.lineNumber, reason: "expected a version and a digest")
      }
      applied = Applied(version: version, digest: digest)
    }
    for role in KeyRole.allCases {
      entries += try lines.keys(after: role.rawValue).map { Entry($0, role, .keyring) }
    }
    while let words = lines.words(after: "added").map(Array.init) {
      let key = try VerifyingKey(words: words.prefix(2), line: lines.lineNumber)
      guard words.count == 4 else {
        throw .malformed(
          line: lines.lineNumber, reason: "expected a key, its datasets and its label")
      }
      if words[2] == Self.anyKeyring[...] {
        entries.append(Entry(key, .root, .added(label: String(words[3]))))
        continue
      }
      guard let scope = KeyScope(text: words[2]) else {
        throw .malformed(line: lines.lineNumber, reason: "expected ids of datasets, with commas")
      }
      entries.append(Entry(key, .current, scope: scope, .added(label: String(words[3]))))
    }
    revokedIDs.formUnion(try lines.ids(after: "revoked"))
    try lines.finish()
  }
}
