#if canImport(CryptoKit)
/// Secret key files need libsodium: CryptoKit has neither Argon2id nor XChaCha20.
extension SigningKey {
  /// Throws.
  ///
  /// - Throws: `KeyError.noSecretKeyFiles`.
  public init(path: String, passphrase: SecretBytes) throws(KeyError) { throw .noSecretKeyFiles }

  /// Throws.
  ///
  /// - Throws: `KeyError.noSecretKeyFiles`.
  public func write(
    to path: String, passphrase: SecretBytes, cost: PassphraseCost = .standard
  ) throws(KeyError) {
    throw .noSecretKeyFiles
  }
}
#else
/// The secret key file, Format/CONTAINER.md section 6.
extension SigningKey {
  private static let magic: [UInt8] = [0x53, 0x54, 0x4F, 0x4C, 0x00, 0x53, 0x4B, 0x01]
  private static let saltRange = 16..<32
  private static let nonceRange = 32..<56
  private static let publicKeyRange = 56..<88
  private static let sealedRange = 88..<136
  private static let kind = "a stol secret key"

  /// Opens the key file at `path`.
  ///
  /// - Throws: `KeyError.wrongPassphrase` also where the file has been changed.
  /// - Complexity: that of Argon2id with the cost the file names, about a second.
  public init(path: String, passphrase: SecretBytes) throws(KeyError) {
    let bytes = try KeyFile.bytes(path: path, limit: Self.sealedRange.upperBound, kind: Self.kind)
    guard bytes.starts(with: Self.magic) else { throw .wrongKind(expected: Self.kind) }
    guard bytes.count == Self.sealedRange.upperBound else {
      throw .malformedBytes(
        offset: bytes.count, reason: "the file ends before byte \(Self.sealedRange.upperBound)")
    }
    let cost = PassphraseCost(
      passCount: LittleEndian.uint32(bytes, at: 8), memoryKiB: LittleEndian.uint32(bytes, at: 12))
    guard cost.isAcceptable else {
      throw .malformedBytes(offset: 8, reason: "Argon2id parameters out of range")
    }
    let key = PassphraseSeal.key(
      from: passphrase, cost: cost, salt: Array(bytes[Self.saltRange]))
    guard let key else { throw .outOfMemory }
    let seed = PassphraseSeal.open(
      Array(bytes[Self.sealedRange]), context: Array(bytes[..<Self.sealedRange.lowerBound]),
      key: key, nonce: Array(bytes[Self.nonceRange]))
    guard let seed else { throw .wrongPassphrase }
    try self.init(seed: seed)
    guard verifyingKey.bytes == Array(bytes[Self.publicKeyRange]) else { throw .wrongPassphrase }
  }

  /// Writes the key file, readable by its owner only, where none may be yet.
  public func write(
    to path: String, passphrase: SecretBytes, cost: PassphraseCost = .standard
  ) throws(KeyError) {
    let salt = Sodium.randomBytes(PassphraseSeal.saltByteCount)
    let nonce = Sodium.randomBytes(PassphraseSeal.nonceByteCount)
    var bytes = Self.magic
    LittleEndian.append(cost.passCount, to: &bytes)
    LittleEndian.append(cost.memoryKiB, to: &bytes)
    bytes += salt + nonce + verifyingKey.bytes
    guard let key = PassphraseSeal.key(from: passphrase, cost: cost, salt: salt) else {
      throw .outOfMemory
    }
    let sealed = PassphraseSeal.seal(seed, context: bytes, key: key, nonce: nonce)
    try KeyFile.create(path, bytes + sealed, isOwnersOnly: true)
  }
}
#endif
