#if !canImport(CryptoKit)
import CSodium

/// SHA-256 of libsodium.
struct SodiumSHA256: SHA256Library {
  private var state = crypto_hash_sha256_state()

  init() {
    Sodium.start
    // SAFETY: the state is ours alone.
    _ = unsafe crypto_hash_sha256_init(&state)
  }

  mutating func update(_ bytes: [UInt8]) {
    // SAFETY: the array is read for its own length.
    _ = unsafe crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
  }

  func finish() -> [UInt8] {
    var state = self.state
    var bytes = [UInt8](repeating: 0, count: Digest.byteCount)
    // SAFETY: the array holds the 32 bytes that are written.
    _ = unsafe crypto_hash_sha256_final(&state, &bytes)
    return bytes
  }
}
#endif
