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

/// A library's computation of a SHA-256 digest.
protocol SHA256Library: Sendable {
  /// Begins.
  init()
  /// Adds bytes.
  mutating func update(_ bytes: [UInt8])
  /// The 32 bytes of the digest of all that was added; more may be added after.
  func finish() -> [UInt8]
}

/// Computes a SHA-256 digest, piece by piece: CryptoKit does, and where it is missing libsodium.
package struct SHA256 {
  #if canImport(CryptoKit)
  private var library = CryptoKitSHA256()
  #else
  private var library = SodiumSHA256()
  #endif

  package init() {}

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) { library.update(bytes) }

  /// The digest of all that was added.
  package func finish() -> Digest { Digest(exactly: library.finish()) }

  /// The digest of `bytes`.
  package static func digest(of bytes: [UInt8]) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }
}
