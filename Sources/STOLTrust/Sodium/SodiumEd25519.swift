#if !canImport(CryptoKit)
import CSodium

/// Ed25519 of libsodium.
enum SodiumEd25519: Ed25519Library {
  static func randomSeed() -> SecretBytes? {
    unsafe SecretBytes(count: seedByteCount) { block in
      // SAFETY: the block holds that many bytes.
      unsafe randombytes_buf(block, seedByteCount)
      return true
    }
  }

  static func publicKey(ofSeed seed: SecretBytes) -> [UInt8]? { KeyPair(seed: seed)?.publicKey }

  static func signature(of message: [UInt8], seed: SecretBytes) -> [UInt8]? {
    guard let pair = KeyPair(seed: seed) else { return nil }
    var signature = [UInt8](repeating: 0, count: signatureByteCount)
    unsafe pair.secret.withBytes { secret in
      // SAFETY: 64 bytes are written, 64 of the secret and all of the message are read.
      _ = unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), secret)
    }
    return signature
  }

  static func mayBeOfPrimeOrder(_ point: [UInt8]) -> Bool {
    Sodium.start
    // SAFETY: the point has the 32 bytes that are read.
    return unsafe crypto_core_ed25519_is_valid_point(point) == 1
  }

  static func accepts(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
    Sodium.start
    // SAFETY: signature and key have the lengths that are read; all three are only read.
    return unsafe crypto_sign_verify_detached(
      signature, message, UInt64(message.count), publicKey) == 0
  }

  /// A seed expanded: libsodium signs with the 64 bytes of seed and public key.
  private struct KeyPair {
    let publicKey: [UInt8]
    let secret: SecretBytes

    init?(seed: SecretBytes) {
      guard seed.count == seedByteCount else { return nil }
      var publicKey = [UInt8](repeating: 0, count: publicKeyByteCount)
      let secret = unsafe SecretBytes(count: 64) { block in
        unsafe seed.withBytes { seed in
          // SAFETY: 32 and 64 bytes are written, 32 are read.
          unsafe crypto_sign_seed_keypair(&publicKey, block, seed) == 0
        }
      }
      guard let secret else { return nil }
      self.publicKey = publicKey
      self.secret = secret
    }
  }
}
#endif
