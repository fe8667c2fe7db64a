#if canImport(CryptoKit)
/// Ed25519 of RFC 8032 with strict rules, by CryptoKit.
typealias Ed25519 = CryptoKitEd25519
#else
/// Ed25519 of RFC 8032 with strict rules, by libsodium.
typealias Ed25519 = SodiumEd25519
#endif

/// A library that signs with Ed25519; what it accepts beyond Format/CONTAINER.md is refused here.
protocol Ed25519Library {
  /// A fresh random seed; nil if memory runs out.
  static func randomSeed() -> SecretBytes?

  /// The public key that belongs to `seed`; nil if that has another length, or if memory runs out.
  static func publicKey(ofSeed seed: SecretBytes) -> [UInt8]?

  /// The signature of `message`; nil as above.
  static func signature(of message: [UInt8], seed: SecretBytes) -> [UInt8]?

  /// Whether a point that is canonical and not of small order is of the prime-order group, as far as the
  /// library can tell.
  static func mayBeOfPrimeOrder(_ point: [UInt8]) -> Bool

  /// Whether the library itself takes `signature` for one of `message` by the holder of `publicKey`.
  ///
  /// - Precondition: signature and key have the length of such.
  static func accepts(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool
}

extension Ed25519Library {
  static var seedByteCount: Int { 32 }
  static var publicKeyByteCount: Int { 32 }
  static var signatureByteCount: Int { 64 }

  /// Whether `key` may be a public key: the canonical encoding of a point that is not of small order and,
  /// where the library can tell, of the prime-order group.
  static func isValid(publicKey key: [UInt8]) -> Bool {
    key.count == publicKeyByteCount && EncodedPoint.isCanonical(key)
      && !EncodedPoint.isOfSmallOrder(key) && mayBeOfPrimeOrder(key)
  }

  /// Whether `signature` is one of `message` by the holder of `publicKey`.
  static func isValid(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
    guard signature.count == signatureByteCount, isValid(publicKey: publicKey) else { return false }
    let (r, s) = (signature[..<32], signature[32...])
    return EncodedPoint.isCanonical(r) && !EncodedPoint.isOfSmallOrder(r)
      && EncodedPoint.isBelow(EncodedPoint.groupOrder, s)
      && accepts(signature: signature, of: message, publicKey: publicKey)
  }
}

/// What the 32 bytes of a point of edwards25519 tell without arithmetic; RFC 8032, section 5.1.2.
enum EncodedPoint {
  /// The order of the group, 2^252 + 27742317777372353535851937790883648493, the lowest byte first.
  static let groupOrder: [UInt8] =
    [
      0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE,
      0x14,
    ] + [UInt8](repeating: 0, count: 15) + [0x10]

  /// 2^255 - 19, which coordinates are below.
  private static let prime: [UInt8] = [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]

  /// The y of the points whose order divides 8: those of order 1, 2, 4 and twice 8.
  ///
  /// With either sign they are such points, or no points at all. The canonical ones of the seven values that
  /// libsodium's `ge25519_has_small_order` refuses.
  private static let smallOrder: [[UInt8]] = [
    [1] + [UInt8](repeating: 0, count: 31),
    [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    [UInt8](repeating: 0, count: 32),
    [
      0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98,
      0xF0,
      0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC,
      0x05,
    ],
    [
      0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67,
      0x0F,
      0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03,
      0x7A,
    ],
  ]

  /// Whether y is below the prime.
  ///
  /// An x of zero with a sign is canonical in no encoding, and of small order in each.
  static func isCanonical(_ bytes: some Collection<UInt8>) -> Bool {
    isBelow(prime, withoutSign(bytes)[...])
  }

  /// Whether the bytes are those of a canonical y of a point whose order divides 8, with either sign.
  static func isOfSmallOrder(_ bytes: some Collection<UInt8>) -> Bool {
    smallOrder.contains(withoutSign(bytes))
  }

  /// Whether a number of 32 bytes, the lowest first, is below another.
  static func isBelow(_ limit: [UInt8], _ number: ArraySlice<UInt8>) -> Bool {
    for (byte, bound) in zip(number.reversed(), limit.reversed()) where byte != bound {
      return byte < bound
    }
    return false
  }

  private static func withoutSign(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var bytes = Array(bytes)
    if let last = bytes.indices.last { bytes[last] &= 0x7F }
    return bytes
  }
}
