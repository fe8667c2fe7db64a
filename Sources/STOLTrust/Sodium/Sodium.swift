#if !canImport(CryptoKit)
import CSodium

/// libsodium, initialized before its first use.
///
/// This folder holds the only Swift that calls it; on Apple's systems, whose SDKs are without it, nothing does.
enum Sodium {
  /// Initializes libsodium, once.
  ///
  /// - Precondition: the operating system has random bytes to give.
  static let start: Void = {
    precondition(sodium_init() >= 0, "libsodium cannot start")
  }()

  /// Fresh random bytes.
  static func randomBytes(_ count: Int) -> [UInt8] {
    start
    var bytes = [UInt8](repeating: 0, count: count)
    // SAFETY: the array holds `count` bytes, all of which are written.
    unsafe randombytes_buf(&bytes, count)
    return bytes
  }
}
#endif
