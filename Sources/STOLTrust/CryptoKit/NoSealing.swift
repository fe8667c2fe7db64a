#if canImport(CryptoKit)
/// Makes no keys: CryptoKit has neither Argon2id nor XChaCha20 nor BLAKE2b.
package enum DerivedKeys {
  /// The number of bytes of all keys and digests.
  package static let byteCount = 32

  /// Throws.
  ///
  /// - Throws: `SealError.unavailable`
  package static func random() throws(SealError) -> SecretBytes { throw .unavailable }

  /// Throws.
  ///
  /// - Throws: `SealError.unavailable`
  package static func key(
    for purpose: String, of key: SecretBytes
  ) throws(SealError) -> SecretBytes {
    throw .unavailable
  }

  /// Nothing.
  package static func digest(of bytes: [UInt8], with key: SecretBytes) -> [UInt8] { [] }
}

/// Seals nothing.
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
  package init(
    cost: PassphraseCost, salt: [UInt8], nonce: [UInt8], sealed: [UInt8]
  ) throws(SealError) {
    (self.cost, self.salt, self.nonce, self.sealed) = (cost, salt, nonce, sealed)
  }

  /// Throws.
  ///
  /// - Throws: `SealError.unavailable`
  package init(
    _ secret: SecretBytes, under passphrase: SecretBytes, cost: PassphraseCost, context: String
  ) throws(SealError) {
    throw .unavailable
  }

  /// Throws.
  ///
  /// - Throws: `SealError.unavailable`
  package func open(
    _ passphrase: SecretBytes, context: String
  ) throws(SealError) -> SecretBytes {
    throw .unavailable
  }
}

/// Seals nothing.
package enum SealedBytes {
  /// Throws.
  ///
  /// - Throws: `SealError.unavailable`
  package static func seal(_ bytes: [UInt8], key: SecretBytes) throws -> [UInt8] {
    throw SealError.unavailable
  }

  /// Throws.
  ///
  /// - Throws: `SealError.unavailable`
  package static func open(_ sealed: [UInt8], key: SecretBytes) throws -> [UInt8] {
    throw SealError.unavailable
  }

  /// As many.
  package static func byteCount(of plain: Int) -> Int { plain }
}
#endif
