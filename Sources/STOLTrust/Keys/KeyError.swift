public import STOLSystem

/// Why a key, a key file or a keyring is refused.
public enum KeyError: Error, Equatable, Sendable {
  /// A file could not be read or written.
  case system(SystemError)
  /// The file is not one that holds `expected`.
  case wrongKind(expected: String)
  /// The file breaks the rule named by `reason`, at `line`, from 1.
  case malformed(line: Int, reason: String)
  /// The file breaks the rule named by `reason`, at this byte.
  case malformedBytes(offset: Int, reason: String)
  /// The bytes are no acceptable Ed25519 public key.
  case invalidPublicKey
  /// The passphrase does not open the key, or the key file is damaged.
  case wrongPassphrase
  /// Memory for Argon2id or for a secret is missing.
  case outOfMemory
  /// The key has been revoked.
  case revoked(KeyID)
  /// No such key is known here, or it was not added by hand.
  case unknown(KeyID)
  /// The signature of a keyring does not match its text.
  case signatureInvalid
  /// A newer keyring has been applied.
  case olderKeyring(version: Int, applied: Int)
  /// Another keyring of the same version has been applied.
  case conflictingKeyring(version: Int)
}

extension KeyError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .system(let error): error.kind
    case .wrongPassphrase, .outOfMemory: .usage
    case .revoked, .unknown, .signatureInvalid: .untrusted
    case .olderKeyring, .conflictingKeyring: .older
    default: .damaged
    }
  }

  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .system(let error): error.description
    case .wrongKind(let expected): "not \(expected)"
    case .malformed(let line, let reason): "line \(line): \(reason)"
    case .malformedBytes(let offset, let reason): "byte \(offset): \(reason)"
    case .invalidPublicKey: "not an acceptable Ed25519 public key; get the file again"
    case .wrongPassphrase: "wrong passphrase, or the key file is damaged"
    case .outOfMemory: "not enough memory to open or make the key"
    case .revoked(let id): "the key \(id) has been revoked; use another key"
    case .unknown(let id): "the key \(id) is not known here; see: stol db keys list"
    case .signatureInvalid: "the signature of the keyring is invalid; get the file again"
    case .olderKeyring(let version, let applied):
      "keyring version \(version) is older than version \(applied), which has been applied; "
        + "get the newest"
    case .conflictingKeyring(let version):
      "another keyring of version \(version) has been applied; ask its maintainer for a newer one"
    }
  }
}
