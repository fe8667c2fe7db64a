#if !canImport(CryptoKit)
/// A secret under a passphrase: Argon2id makes a key of that, XChaCha20-Poly1305 seals.
package struct SealedSecret: Equatable, Sendable {
  /// How much work it is to try a passphrase.
  package let cost: PassphraseCost
  /// 16 bytes for Argon2id.
  package let salt: [UInt8]
  /// 24 bytes for XChaCha20.
  package let nonce: [UInt8]
  /// The secret, and 16 bytes more.
  package let sealed: [UInt8]

  /// What was written somewhere.
  ///
  /// - Throws: `SealError.notSealed` where it cannot be such; `SealError.costTooHigh`.
  package init(
    cost: PassphraseCost, salt: [UInt8], nonce: [UInt8], sealed: [UInt8]
  ) throws(SealError) {
    guard cost.isAcceptable else { throw .costTooHigh }
    guard salt.count == PassphraseSeal.saltByteCount, nonce.count == PassphraseSeal.nonceByteCount,
      sealed.count > PassphraseSeal.tagByteCount
    else { throw .notSealed }
    (self.cost, self.salt, self.nonce, self.sealed) = (cost, salt, nonce, sealed)
  }

  /// Seals a secret together with a context, which is not in it but must be the same when it is opened.
  ///
  /// - Throws: `SealError.outOfMemory`
  /// - Complexity: that of Argon2id.
  package init(
    _ secret: SecretBytes, under passphrase: SecretBytes, cost: PassphraseCost, context: String
  ) throws(SealError) {
    let salt = Sodium.randomBytes(PassphraseSeal.saltByteCount)
    let nonce = Sodium.randomBytes(PassphraseSeal.nonceByteCount)
    guard let key = PassphraseSeal.key(from: passphrase, cost: cost, salt: salt) else {
      throw .outOfMemory
    }
    try self.init(
      cost: cost, salt: salt, nonce: nonce,
      sealed: PassphraseSeal.seal(secret, context: Array(context.utf8), key: key, nonce: nonce))
  }

  /// The secret.
  ///
  /// - Throws: `SealError.wrongPassphrase`, `SealError.outOfMemory`
  /// - Complexity: that of Argon2id.
  package func open(
    _ passphrase: SecretBytes, context: String
  ) throws(SealError) -> SecretBytes {
    guard let key = PassphraseSeal.key(from: passphrase, cost: cost, salt: salt) else {
      throw .outOfMemory
    }
    let secret = PassphraseSeal.open(
      sealed, context: Array(context.utf8), key: key, nonce: nonce)
    guard let secret else { throw .wrongPassphrase }
    return secret
  }
}
#endif
