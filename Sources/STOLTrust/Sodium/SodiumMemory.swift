#if !canImport(CryptoKit)
import CSodium

/// Memory for secrets, by libsodium.
enum SodiumMemory {
  /// Memory of its own between guard pages; nil if there is none.
  static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    Sodium.start
    // SAFETY: a fresh block, which nobody else knows.
    return unsafe sodium_malloc(byteCount)
  }

  /// Wipes and gives back what `allocate` gave.
  static func free(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
    // SAFETY: the caller has the only reference; sodium_free wipes first.
    unsafe sodium_free(start)
  }

  /// Overwrites with zeros that no optimiser removes.
  static func wipe(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
    // SAFETY: the caller may write that many bytes.
    unsafe sodium_memzero(start, byteCount)
  }
}
#endif
