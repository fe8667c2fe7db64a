import CSQLite
#if Encryption
import CSQLiteMC
#endif

/// The key of an encrypted SQLite file.
package struct DatabaseKey: Sendable {
  private let secret: SecretBytes

  /// Whether this process can read encrypted files at all.
  package static var isUsable: Bool {
    #if Encryption
    true
    #else
    false
    #endif
  }

  /// A key of 32 bytes.
  package init(_ secret: SecretBytes) {
    precondition(secret.count == 32)
    self.secret = secret
  }

  /// Sets the key of a connection that has read nothing yet, and reads its first page.
  ///
  /// - Returns: a code of SQLite; 26 where the file has another key, or none.
  package func set(on connection: OpaquePointer) -> Int32 {
    #if Encryption
    // SAFETY: 32 bytes of the key are read; the caller has an open connection.
    unsafe secret.withBytes { unsafe stol_sqlite3_set_key(connection, $0) }
    #else
    SQLITE_ERROR
    #endif
  }

  /// Writes what a connection reads to a file that is empty or not there, with a key or without one.
  ///
  /// - Parameters:
  ///   - connection: outside of a transaction.
  ///   - uri: that of the file.
  ///   - key: nil for a file that is not encrypted.
  /// - Returns: a code of SQLite.
  package static func copy(
    _ connection: OpaquePointer, to uri: String, key: DatabaseKey?
  ) -> Int32 {
    #if Encryption
    // SAFETY: 32 bytes of the key are read; the caller has an open connection.
    guard let key else { return unsafe stol_sqlite3_copy(connection, uri, nil) }
    return unsafe key.secret.withBytes { unsafe stol_sqlite3_copy(connection, uri, $0) }
    #else
    SQLITE_ERROR
    #endif
  }
}
