import CDefaultDatabase

/// The pack of the embedded default taxonomy, in the pages of the program.
package final class EmbeddedPack: Sendable {
  /// The only one.
  package static let shared = EmbeddedPack()

  private init() {}

  /// A copy of its bytes.
  package func copied() -> [UInt8] {
    // SAFETY: the array holds byteCount constant bytes.
    unsafe [UInt8](
      UnsafeBufferPointer(start: stol_default_pack_bytes(), count: stol_default_pack_byte_count))
  }

  /// Its bytes, on a boundary of 64 bytes.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      // SAFETY: the array holds byteCount constant bytes and lives as long as the process.
      let span = unsafe RawSpan(
        _unsafeStart: stol_default_pack_bytes(), byteCount: stol_default_pack_byte_count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}
