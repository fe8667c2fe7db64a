import GRDB
public import STOLSystem

/// Why a file of what a person keeps cannot be read or changed.
public enum StoreError: Error, Equatable, Sendable {
  /// A newer stol wrote the file; it is left as it is.
  case newerVersion(path: String, got: Int, expected: Int)
  /// Another process kept the file locked for longer than the wait.
  case busy(path: String)
  /// The disk is full; nothing has changed.
  case noSpace(path: String)
  /// Nothing may be written there; what is kept can be read, and nothing has changed.
  case readOnly(path: String)
  /// SQLite cannot open, read or write the file, which need not be damaged.
  case unusable(path: String, reason: String)
  /// The file was found damaged, or the disk failed, while it was in use.
  case damaged(path: String, reason: String)
  /// The file is damaged, and stays as it is until its owner decides.
  case kept(path: String, reason: String, remedy: String)
  /// What was to go is removed, but bytes of that are left on the disk.
  case notErased(path: String, reason: String)
  /// The file is encrypted, and nobody gave the passphrase; or it has come to be so while it was open.
  case locked(path: String)
  /// The passphrase is another one.
  case wrongPassphrase(path: String)
  /// The recovery code is another one.
  case wrongRecoveryCode(path: String)
  /// The keys of an encrypted file are gone or damaged.
  case noKeys(path: String, reason: String)
  /// The file is encrypted, and this program was built without what reads such.
  case noEncryption(path: String)
  /// A system call failed.
  case system(SystemError)
}

extension StoreError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .system(let error): error.kind
    case .newerVersion, .locked, .wrongPassphrase, .wrongRecoveryCode, .noEncryption: .usage
    case .damaged, .kept, .noKeys: .damaged
    case .busy, .noSpace, .readOnly, .unusable, .notErased: .inputOutput
    }
  }

  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .newerVersion(let path, let got, let expected):
      "\(path): made by a newer stol (version \(got), this one knows \(expected)); update stol"
    case .busy(let path):
      "\(path): another process keeps it locked; end it or try again"
    case .noSpace(let path):
      "\(path): no space left on the disk, so this is not kept; free some and try again"
    case .readOnly(let path):
      "\(path): nothing can be kept there, the folder or its disk is read-only; choose another folder "
        + "with --data-dir or STOL_HOME"
    case .unusable(let path, let reason):
      "\(path): \(reason); check that the folder and the files in it belong to you, and that the disk works"
    case .damaged(let path, let reason):
      "\(path): cannot be read (\(reason)); the next command checks the file and, if it is damaged, "
        + "sets it aside and begins a new one"
    case .kept(let path, let reason, let remedy):
      "\(path): damaged (\(reason)); it is left as it is: \(remedy)"
    case .notErased(let path, let reason):
      "\(path): what was to go is removed, but bytes of that are left on the disk (\(reason)); "
        + "do it again"
    case .locked(let path): "\(path): is locked; give its passphrase"
    case .wrongPassphrase(let path):
      "\(path): another passphrase opens it; nothing has changed; who has lost that has the recovery code"
    case .wrongRecoveryCode(let path):
      "\(path): another recovery code opens it; nothing has changed; a later one may have taken the place of "
        + "this one, and the passphrase opens it too"
    case .noKeys(let path, let reason):
      "\(path): \(reason); what it opens is left as it is: put back a copy of this file, from where you keep copies"
    case .noEncryption(let path):
      "\(path): is encrypted, which this program was built without; take one that Tools/build makes"
    case .system(let error): error.description
    }
  }
}

extension StoreError {
  /// The error that anything thrown while working on a file amounts to.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - path: the file.
  ///   - remedy: what its owner can do where it is damaged; nil where that is moved aside.
  init(_ error: any Error, path: String, remedy: String?) {
    let error = StoreError(error, path: path)
    if case .damaged(let path, let reason) = error, let remedy {
      self = .kept(path: path, reason: reason, remedy: remedy)
    } else {
      self = error
    }
  }

  /// The error that anything thrown while working on the file at `path` amounts to.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as SystemError:
      self = error.code.isNoSpace ? .noSpace(path: path) : .system(error)
    case let error as DatabaseError:
      let reason = error.message ?? "SQLite code \(error.extendedResultCode.rawValue)"
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
      case .SQLITE_FULL: self = .noSpace(path: path)
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path, reason: reason)
      // SQLite says no more than that where its shared memory finds no room.
      case .SQLITE_IOERR, .SQLITE_CANTOPEN:
        self = isDiskFull(at: path) ? .noSpace(path: path) : .unusable(path: path, reason: reason)
      default: self = .unusable(path: path, reason: reason)
      }
    case is RowDecodingError: self = .damaged(path: path, reason: "a value of another type")
    default: self = .unusable(path: path, reason: "\(error)")
    }
  }
}
