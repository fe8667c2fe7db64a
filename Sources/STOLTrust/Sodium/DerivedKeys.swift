#if !canImport(CryptoKit)
import CSodium

/// Keys that are made of another one, each for a purpose: BLAKE2b with a key (`crypto_generichash`).
package enum DerivedKeys {
  /// The number of bytes of all keys and digests.
  package static let byteCount = 32

  /// A new random key.
  ///
  /// - Throws: `SealError.outOfMemory`
  package static func random() throws(SealError) -> SecretBytes {
    var bytes = Sodium.randomBytes(byteCount)
    guard let key = SecretBytes(moving: &bytes) else { throw .outOfMemory }
    return key
  }

  /// The key for a purpose.
  ///
  /// - Throws: `SealError.outOfMemory`
  package static func key(
    for purpose: String, of key: SecretBytes
  ) throws(SealError) -> SecretBytes {
    var digest = digest(of: Array(purpose.utf8), with: key)
    guard let derived = SecretBytes(moving: &digest) else { throw .outOfMemory }
    return derived
  }

  /// The digest of bytes, which nobody can make who does not have the key.
  package static func digest(of bytes: [UInt8], with key: SecretBytes) -> [UInt8] {
    Sodium.start
    var digest = [UInt8](repeating: 0, count: byteCount)
    let keyByteCount = key.count
    unsafe key.withBytes { key in
      // SAFETY: 32 bytes are written; the other lengths are those of the arrays.
      _ = unsafe crypto_generichash(
        &digest, byteCount, bytes, UInt64(bytes.count), key, keyByteCount)
    }
    return digest
  }
}
#endif
