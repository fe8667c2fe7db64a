import Testing

@testable import STOLTrust

extension String {
  /// The bytes that hexadecimal digits stand for.
  var hexadecimal: [UInt8] {
    get throws { try #require(Hexadecimal.bytes(self)) }
  }
}

/// The seed of these bytes.
func seed(_ bytes: [UInt8]) throws -> SecretBytes {
  var bytes = bytes
  return try #require(SecretBytes(moving: &bytes))
}

/// Encodings that name points of special kinds.
enum Encodings {
  /// A point of order 8.
  static let ofOrderEight = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"

  /// All encodings of the eight points whose order divides 8, the canonical ones first.
  ///
  /// The seven values that libsodium's `ge25519_has_small_order` refuses, with either sign.
  static let ofSmallOrder = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  ]
}

/// The libraries that are here, each behind the same rules.
enum Library: CaseIterable {
  case cryptoKit
  #if !canImport(CryptoKit)
  case sodium
  #endif

  private var ed25519: any Ed25519Library.Type {
    switch self {
    case .cryptoKit: CryptoKitEd25519.self
    #if !canImport(CryptoKit)
    case .sodium: SodiumEd25519.self
    #endif
    }
  }

  func randomSeed() -> SecretBytes? { ed25519.randomSeed() }
  func publicKey(ofSeed seed: SecretBytes) -> [UInt8]? { ed25519.publicKey(ofSeed: seed) }

  func signature(of message: [UInt8], seed: SecretBytes) -> [UInt8]? {
    ed25519.signature(of: message, seed: seed)
  }

  /// What the library says by itself.
  func accepts(_ signature: [UInt8], _ message: [UInt8], _ key: [UInt8]) -> Bool {
    ed25519.accepts(signature: signature, of: message, publicKey: key)
  }

  /// What the rules say.
  func isValid(_ signature: [UInt8], _ message: [UInt8], _ key: [UInt8]) -> Bool {
    ed25519.isValid(signature: signature, of: message, publicKey: key)
  }

  /// What the rules say of a key.
  func isValid(publicKey: [UInt8]) -> Bool { ed25519.isValid(publicKey: publicKey) }

  /// The computation of a digest, begun.
  func sha256() -> any SHA256Library { hash.init() }

  private var hash: any SHA256Library.Type {
    switch self {
    case .cryptoKit: CryptoKitSHA256.self
    #if !canImport(CryptoKit)
    case .sodium: SodiumSHA256.self
    #endif
    }
  }
}
