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
  /// The keys kept in a data directory cannot be read, so that nothing is trusted: a revocation may be lost.
  case unreadableKeyring(path: String, reason: String)
  /// Another process changes the keys kept in this folder.
  case inUse(folder: String)
  /// The bytes are no acceptable Ed25519 public key.
  case invalidPublicKey
  /// The passphrase does not open the key, or the key file is damaged.
  case wrongPassphrase
  /// Secret key files cannot be read or written on Apple's systems.
  case noSecretKeyFiles
  /// Memory for Argon2id or for a secret is missing.
  case outOfMemory
  /// The key has been revoked.
  case revoked(KeyID)
  /// No such key is known here, or it was not added by hand.
  case unknown(KeyID)
  /// The key is not trusted for releases of this dataset, or where it is nil, for files that name none.
  case outOfScope(KeyID, DatasetID?)
  /// The key signs databases, and keyrings are to be signed by others; or the other way round.
  case otherRole(KeyID)
  /// The key is not one that signs keyrings.
  case notARoot(KeyID)
  /// A root key signed a keyring that changes recovery keys.
  case recoveryKeyNeeded(KeyID)
  /// A keyring revokes all keys that could sign the next one.
  case noRootLeft
  /// The version of a keyring is too far above that of the one applied before.
  case keyringJump(version: Int, applied: Int)
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
    case .wrongPassphrase, .noSecretKeyFiles, .outOfMemory, .otherRole, .inUse: .usage
    case .revoked, .unknown, .signatureInvalid, .outOfScope, .notARoot, .recoveryKeyNeeded,
      .noRootLeft, .keyringJump:
      .untrusted
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
    case .unreadableKeyring(let path, let reason):
      "\(path): \(reason); nothing is trusted meanwhile, for a revocation may be lost: put back a copy of the "
        + "file, or move it away, add each key again and revoke again what it revoked (stol db keys)"
    case .inUse(let folder):
      "\(folder): another process changes the keys now; try again once it has ended"
    case .invalidPublicKey: "not an acceptable Ed25519 public key; get the file again"
    case .wrongPassphrase: "wrong passphrase, or the key file is damaged"
    case .noSecretKeyFiles:
      "secret key files need libsodium, which Apple's systems are without; sign on Linux"
    case .outOfMemory: "not enough memory to open or make the key"
    case .revoked(let id): "the key \(id) has been revoked; use another key"
    case .unknown(let id): "the key \(id) is not known here; see: stol db keys list"
    case .outOfScope(let id, let dataset?):
      "the key \(id) is not trusted for the dataset \(dataset); if its owner may sign that: "
        + "stol db keys add NAME.pub --dataset \(dataset)"
    case .outOfScope(let id, nil):
      "the key \(id) is not trusted for files that name no dataset; if its owner may sign those: "
        + "stol db keys add NAME.pub --unnamed"
    case .otherRole(let id):
      "the key \(id) is trusted for the other purpose; one key signs databases or keyrings, never both"
    case .notARoot(let id):
      "the key \(id) may sign databases, but no keyring; see: stol db keys list"
    case .recoveryKeyNeeded(let id):
      "a keyring that adds, drops or revokes a recovery key must be signed by one, and not by the "
        + "key \(id); ask its maintainer"
    case .noRootLeft: "the keyring revokes every key that could sign the next; ask its maintainer"
    case .keyringJump(let version, let applied):
      "keyring version \(version) is more than \(Keyring.versionJumpLimit) above "
        + "\(applied == 0 ? "0, as none" : "version \(applied), which") has been applied; "
        + "apply those between first, or ask its maintainer"
    case .signatureInvalid: "the signature of the keyring is invalid; get the file again"
    case .olderKeyring(let version, let applied):
      "keyring version \(version) is older than version \(applied), which has been applied; "
        + "get the newest"
    case .conflictingKeyring(let version):
      "another keyring of version \(version) has been applied; ask its maintainer for a newer one"
    }
  }
}
