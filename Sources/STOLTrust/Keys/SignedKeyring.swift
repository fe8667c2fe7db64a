import STOLSystem

/// A keyring that a maintainer signs to bring new keys in and to revoke old ones.
///
/// Format/CONTAINER.md section 8. Whether its signer is trusted is for `Keyring.apply` to say.
public struct SignedKeyring: Equatable, Sendable {
  /// Grows with every keyring.
  public let version: Int
  /// The keys that sign keyrings.
  public let rootKeys: [VerifyingKey]
  /// Those that sign keyrings which change recovery keys.
  public let recoveryKeys: [VerifyingKey]
  /// The keys in use.
  public let currentKeys: [VerifyingKey]
  /// The keys to be used next.
  public let nextKeys: [VerifyingKey]
  /// Keys that are not to be trusted any more.
  public let revokedIDs: [KeyID]
  /// Whose signature the keyring bears.
  public let signerID: KeyID
  private let text: String
  private let signature: [UInt8]

  /// The greatest number of keys.
  static let keyLimit = 64
  private static let kind = "stol-keyring-2"
  private static let expected = "a stol keyring (its first line is \(kind))"
  private static let longestFile = 128 << 10

  /// Makes and signs a keyring.
  ///
  /// - Throws: `KeyError.malformed` if there is no root key or no current key, if there are too many, or
  ///   if a key is listed twice or both listed and revoked.
  public init(
    version: Int, rootKeys: [VerifyingKey], recoveryKeys: [VerifyingKey] = [],
    currentKeys: [VerifyingKey], nextKeys: [VerifyingKey] = [], revokedIDs: [KeyID] = [],
    signedBy key: SigningKey
  ) throws(KeyError) {
    var text = "\(Self.kind)\nversion \(version)\n"
    for key in rootKeys { text += "root \(key)\n" }
    for key in recoveryKeys { text += "recovery \(key)\n" }
    for key in currentKeys { text += "current \(key)\n" }
    for key in nextKeys { text += "next \(key)\n" }
    for id in Set(revokedIDs).sorted() { text += "revoked \(id)\n" }
    let signature = try key.signature(of: Array(text.utf8))
    let line = "signed \(key.verifyingKey.id) \(Hexadecimal.text(signature))\n"
    try self.init(fileText: text + line)
  }

  /// The keyring that follows this one: its next keys are in use, and `nextKeys` are to follow them.
  ///
  /// Keys that sign keyrings stay as they are.
  ///
  /// - Parameters:
  ///   - nextKeys: those that come after.
  ///   - revokesOld: whether the keys in use now are revoked; else they are no longer listed.
  ///   - key: a root key, or a recovery key.
  /// - Returns: the keyring, of the next version.
  /// - Throws: `KeyError.malformed` if there is no next key to take, or none that is listed may be made.
  public func rotated(
    nextKeys: [VerifyingKey], revokesOld: Bool, signedBy key: SigningKey
  ) throws(KeyError) -> SignedKeyring {
    guard !self.nextKeys.isEmpty else {
      throw .malformed(line: 3, reason: "the keyring has no next key that could be used now")
    }
    return try SignedKeyring(
      version: version + 1, rootKeys: rootKeys, recoveryKeys: recoveryKeys,
      currentKeys: self.nextKeys, nextKeys: nextKeys,
      revokedIDs: revokedIDs + (revokesOld ? currentKeys.map(\.id) : []), signedBy: key)
  }

  /// Reads the keyring at `path`.
  public init(path: String) throws(KeyError) {
    try self.init(
      fileText: try KeyFile.text(path: path, limit: Self.longestFile, kind: Self.expected))
  }

  init(fileText: String) throws(KeyError) {
    var lines = try KeyText(fileText, kind: Self.kind, expected: Self.expected)
    version = try lines.version(lines.words(after: "version")?.first)
    rootKeys = try lines.keys(after: "root")
    recoveryKeys = try lines.keys(after: "recovery")
    currentKeys = try lines.keys(after: "current")
    nextKeys = try lines.keys(after: "next")
    revokedIDs = try lines.ids(after: "revoked")
    let line = lines.lineNumber + 1
    guard let words = lines.words(after: "signed").map(Array.init), words.count == 2,
      let signerID = KeyID(words[0]), let signature = Hexadecimal.bytes(words[1]),
      signature.count == Ed25519.signatureByteCount
    else { throw .malformed(line: line, reason: "expected the line: signed ID SIGNATURE") }
    try lines.finish()
    self.signerID = signerID
    self.signature = signature
    // What is signed is the text above, byte for byte.
    let signedLineByteCount = "signed \(signerID) \(Hexadecimal.text(signature))\n".utf8.count
    text = String(decoding: fileText.utf8.dropLast(signedLineByteCount), as: UTF8.self)
    try checkKeys()
  }

  private func checkKeys() throws(KeyError) {
    let ids = (rootKeys + recoveryKeys + currentKeys + nextKeys).map(\.id)
    let reason: String? =
      if rootKeys.isEmpty {
        "a keyring needs a root key, which signs the next one"
      } else if currentKeys.isEmpty {
        "a keyring needs a current key"
      } else if ids.count > Self.keyLimit {
        "more than \(Self.keyLimit) keys"
      } else if Set(ids).count < ids.count {
        "a key is listed twice"
      } else if !Set(ids).isDisjoint(with: revokedIDs) {
        "a key is both listed and revoked"
      } else {
        nil
      }
    if let reason { throw .malformed(line: 3, reason: reason) }
  }

  /// The content of the file.
  var fileText: String { text + "signed \(signerID) \(Hexadecimal.text(signature))\n" }

  /// What tells it from another keyring of the same version.
  var digest: Digest { SHA256.digest(of: Array(text.utf8)) }

  func isSigned(by key: VerifyingKey) -> Bool {
    key.id == signerID && key.isValid(signature: signature, of: Array(text.utf8))
  }

  /// Writes the keyring file, where none may be yet.
  public func write(to path: String) throws(KeyError) {
    try KeyFile.create(path, Array(fileText.utf8), isOwnersOnly: false)
  }
}
