#if !canImport(CryptoKit)
import CSodium

/// Secrets sealed with a passphrase: Argon2id derives the key, XChaCha20-Poly1305 seals.
enum PassphraseSeal {
  static let saltByteCount = 16
  static let nonceByteCount = 24
  /// What sealing adds.
  static let tagByteCount = 16
  private static let keyByteCount = 32

  /// The key that belongs to a passphrase; nil if memory runs out.
  static func key(
    from passphrase: SecretBytes, cost: PassphraseCost, salt: [UInt8]
  ) -> SecretBytes? {
    precondition(salt.count == saltByteCount)
    let byteCount = passphrase.count
    return unsafe SecretBytes(count: keyByteCount) { block in
      unsafe passphrase.withBytes { passphrase in
        unsafe passphrase.withMemoryRebound(to: CChar.self, capacity: byteCount) { text in
          // SAFETY: 32 bytes are written; passphrase and salt are read within their lengths.
          unsafe crypto_pwhash(
            block, UInt64(keyByteCount), text, UInt64(byteCount), salt, UInt64(cost.passCount),
            Int(cost.memoryKiB) << 10, crypto_pwhash_alg_argon2id13()) == 0
        }
      }
    }
  }

  /// The secret, sealed together with `context`, which stays readable but cannot be changed.
  static func seal(
    _ secret: SecretBytes, context: [UInt8], key: SecretBytes, nonce: [UInt8]
  ) -> [UInt8] {
    precondition(key.count == keyByteCount && nonce.count == nonceByteCount)
    let byteCount = secret.count
    var sealed = [UInt8](repeating: 0, count: byteCount + tagByteCount)
    unsafe secret.withBytes { secret in
      unsafe key.withBytes { key in
        // SAFETY: secret and tag fit the array; the other lengths are passed or were checked.
        _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
          &sealed, nil, secret, UInt64(byteCount), context, UInt64(context.count), nil, nonce, key)
      }
    }
    return sealed
  }

  /// What was sealed; nil for another key, or if anything has been changed.
  static func open(
    _ sealed: [UInt8], context: [UInt8], key: SecretBytes, nonce: [UInt8]
  ) -> SecretBytes? {
    precondition(key.count == keyByteCount && nonce.count == nonceByteCount)
    guard sealed.count >= tagByteCount else { return nil }
    return unsafe SecretBytes(count: sealed.count - tagByteCount) { block in
      unsafe key.withBytes { key in
        // SAFETY: the block takes the text without its tag; other lengths are passed or checked.
        unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
          block, nil, nil, sealed, UInt64(sealed.count), context, UInt64(context.count), nonce,
          key) == 0
      }
    }
  }
}
#endif
