import CDefaultDatabase

/// The embedded default taxonomy, as gzip-compressed SQLite.
public enum EmbeddedDatabase {
  /// The number of compressed bytes.
  public static var byteCount: Int { stol_default_database_byte_count }

  /// The compressed bytes from `offset` on, at most `limit`.
  public static func bytes(from offset: Int, limit: Int) -> [UInt8] {
    let count = max(0, min(limit, byteCount - offset))
    // SAFETY: the array holds byteCount constant bytes; offset + count does not exceed them.
    return unsafe [UInt8](
      UnsafeBufferPointer(start: stol_default_database_bytes() + offset, count: count))
  }
}
