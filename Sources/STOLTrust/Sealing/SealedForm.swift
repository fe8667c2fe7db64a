/// What is fixed in a file that is sealed with a passphrase, Format/JOURNAL.md.
///
/// The secretstream of libsodium (XChaCha20-Poly1305) with a key by Argon2id.
package enum SealedForm {
  /// What such a file begins with.
  package static let magic: [UInt8] = [0x53, 0x54, 0x4F, 0x4C, 0x00, 0x4A, 0x41, 0x01]
  /// All pieces but the last have so many bytes before they are sealed.
  static let pieceByteCount = 1 << 16
  /// What sealing adds to each piece.
  static let addedByteCount = 17
  static let saltRange = 16..<32
  /// What stands before the header of the stream, behind which an empty piece shows whether the passphrase opens it.
  static let headByteCount = 32
  static let streamByteCount = 24
}

#if canImport(CryptoKit)
/// Seals nothing: CryptoKit has neither Argon2id nor XChaCha20.
package final class SealedWriter {
  /// Throws.
  ///
  /// - Throws: `SealError.unavailable`
  package init(
    _ passphrase: SecretBytes, cost: PassphraseCost = .standard,
    _ write: @escaping ([UInt8]) throws -> Void
  ) throws {
    throw SealError.unavailable
  }

  /// Does nothing.
  package func append(_ bytes: [UInt8]) throws {}

  /// Does nothing.
  package func finish() throws {}
}

/// Opens nothing.
package final class SealedReader {
  /// Throws.
  ///
  /// - Throws: `SealError.unavailable`
  package init(_ passphrase: SecretBytes, _ read: @escaping () throws -> [UInt8]) throws {
    throw SealError.unavailable
  }

  /// Nothing.
  package func next() throws -> [UInt8] { [] }
}
#endif
