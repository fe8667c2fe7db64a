import CSodium

/// A SHA-256 digest.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// The number of its bytes.
  public static let byteCount = 32
  /// The bytes.
  public let bytes: [UInt8]

  /// The digest that `bytes` are, if there are as many as one has.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  fileprivate init(exactly bytes: [UInt8]) { self.bytes = bytes }

  /// 64 hexadecimal digits.
  public var description: String { Hexadecimal.text(bytes) }
}

/// Computes a SHA-256 digest, piece by piece.
package struct SHA256 {
  private var state = crypto_hash_sha256_state()

  package init() {
    Sodium.start
    // SAFETY: the state is ours alone.
    _ = unsafe crypto_hash_sha256_init(&state)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) {
    // SAFETY: the array is read for its own length.
    _ = unsafe crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
  }

  /// The digest of all that was added.
  package func finish() -> Digest {
    var state = self.state
    var bytes = [UInt8](repeating: 0, count: Digest.byteCount)
    // SAFETY: the array holds the 32 bytes that are written.
    _ = unsafe crypto_hash_sha256_final(&state, &bytes)
    return Digest(exactly: bytes)
  }

  /// The digest of `bytes`.
  package static func digest(of bytes: [UInt8]) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }
}
