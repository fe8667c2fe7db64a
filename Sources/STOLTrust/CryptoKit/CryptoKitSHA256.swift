#if canImport(CryptoKit)
import CryptoKit
import Foundation

private typealias System = CryptoKit.SHA256
#elseif STOL_SWIFT_CRYPTO
import Crypto
import Foundation
@testable import STOLTrust

private typealias System = Crypto.SHA256
#endif

#if canImport(CryptoKit) || STOL_SWIFT_CRYPTO
/// SHA-256 of CryptoKit.
struct CryptoKitSHA256: SHA256Library {
  private var hash = System()

  mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }
  func finish() -> [UInt8] { Array(hash.finalize()) }
}
#endif
