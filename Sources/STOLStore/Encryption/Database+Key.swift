import GRDB
import STOLTrust

extension Database {
  /// Sets the key, before anything is read; nil for a file that is not encrypted.
  func setKey(_ key: DatabaseKey?) throws {
    guard let key else { return }
    // SAFETY: the connection is open as long as this object is used.
    let code = unsafe sqliteConnection.map { unsafe key.set(on: $0) }
    guard let code, code == 0 else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code ?? 1), message: "the key does not open it")
    }
  }
}

extension DatabaseQueue {
  /// Writes all that is in the file to another one, encrypted or not.
  func copy(to uri: String, key: DatabaseKey?) throws {
    try writeWithoutTransaction { database in
      // SAFETY: the connection is open as long as this object is used.
      let code = unsafe database.sqliteConnection.map { connection in
        unsafe DatabaseKey.copy(connection, to: uri, key: key)
      }
      guard let code, code == 0 else {
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code ?? 1), message: database.lastErrorMessage)
      }
    }
  }
}
