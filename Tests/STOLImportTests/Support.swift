import Foundation
import Testing

@testable import STOLImport
@testable import STOLTrust

/// Keys that are the same in every run.
enum TestKey {
  /// The key that grows from 32 times `byte`.
  static func signing(_ byte: UInt8) throws -> SigningKey {
    try SigningKey(seed: secret([UInt8](repeating: byte, count: 32)))
  }

  static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    var bytes = bytes
    return try #require(SecretBytes(moving: &bytes))
  }

  static func passphrase(_ text: String) throws -> SecretBytes { try secret(Array(text.utf8)) }
}

extension String {
  /// The bytes that hexadecimal digits stand for.
  var hexadecimal: [UInt8] {
    get throws { try #require(Hexadecimal.bytes(self)) }
  }
}
