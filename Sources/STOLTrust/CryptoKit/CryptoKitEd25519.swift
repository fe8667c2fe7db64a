// STOL_SWIFT_CRYPTO: the tests compile this with swift-crypto, which has CryptoKit's interface on Linux.
#if canImport(CryptoKit)
import CryptoKit
import Foundation
#elseif STOL_SWIFT_CRYPTO
import Crypto
import Foundation
@testable import STOLTrust
#endif

#if canImport(CryptoKit) || STOL_SWIFT_CRYPTO
/// Ed25519 of CryptoKit.
enum CryptoKitEd25519: Ed25519Library {
  static func randomSeed() -> SecretBytes? {
    unsafe SecretBytes(count: seedByteCount) { block in
      // Apple's is a generator for cryptography.
      var generator = SystemRandomNumberGenerator()
      // SAFETY: the block holds that many bytes.
      for place in 0..<seedByteCount { unsafe block[place] = generator.next() }
      return true
    }
  }

  static func publicKey(ofSeed seed: SecretBytes) -> [UInt8]? {
    key(ofSeed: seed).map { Array($0.publicKey.rawRepresentation) }
  }

  /// Apple's library gives another signature every time, each of them valid.
  static func signature(of message: [UInt8], seed: SecretBytes) -> [UInt8]? {
    guard let signature = try? key(ofSeed: seed)?.signature(for: message) else { return nil }
    return Array(signature)
  }

  /// CryptoKit cannot tell; see Format/CONTAINER.md, section 5, for what that means.
  static func mayBeOfPrimeOrder(_ point: [UInt8]) -> Bool { true }

  static func accepts(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
    let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
    return key?.isValidSignature(signature, for: message) ?? false
  }

  private static func key(ofSeed seed: SecretBytes) -> Curve25519.Signing.PrivateKey? {
    unsafe seed.withBytes { bytes in
      // SAFETY: the seed has that many bytes, which are only read, and copied by the key.
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: seed.count)
      return unsafe try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    }
  }
}
#endif
