import STOLStore
import STOLSystem
public import STOLTrust

/// What asks for the passphrase of a locked journal; nil where nobody gives one.
public typealias PassphraseSource = @Sendable () -> SecretBytes?

/// The keys of a locked journal, all of its data key.
struct DataKeys: Sendable {
  /// What tells one data key from another one.
  let id: String
  let database: DatabaseKey
  let files: SealedFiles

  init(_ dataKey: SecretBytes) throws(SealError) {
    let id = DerivedKeys.digest(of: Array("stol journal key".utf8), with: dataKey)
    self.id = Hexadecimal.text(id.prefix(8))
    database = DatabaseKey(try DerivedKeys.key(for: "stol journal database", of: dataKey))
    files = try SealedFiles(dataKey)
  }
}

/// What knows whether the journal in a folder is locked, and opens its keys.
///
/// Where locking or unlocking was interrupted, it goes on with that, or back: what the file of the journal is says which.
final class JournalKeys: StoreKeys {
  let folder: String
  private let passphrase: PassphraseSource
  private let opened = Locked<DataKeys?>(nil)
  private let isLocked = Locked(false)

  /// The keys of the journal in a folder, for which `passphrase` is asked once where it is locked.
  init(_ folder: String, passphrase: @escaping PassphraseSource) {
    (self.folder, self.passphrase) = (folder, passphrase)
  }

  /// What seals the files beside the journal; nil where it was not locked when it was opened.
  var sealing: SealedFiles? { isLocked.withLock { $0 } ? opened.withLock { $0?.files } : nil }

  func prepare() throws(StoreError) {
    while let file = try KeyFile.read(in: folder) {
      guard DatabaseKey.isUsable else {
        throw .noEncryption(path: "\(folder)/\(JournalLayout.fileName)")
      }
      if file.state == .changing, try JournalLock.endUnlocked(in: folder) { continue }
      if opened.withLock({ $0?.id }) != file.keyID {
        guard let passphrase = passphrase() else {
          throw .locked(path: "\(folder)/\(JournalLayout.fileName)")
        }
        let keys = try Self.keys(file.passphrase, passphrase, KeyFile.Slot.passphrase, folder).keys
        opened.withLock { $0 = keys }
      }
      if file.state == .changing, let keys = opened.withLock({ $0 }) {
        try JournalLock.endLocked(in: folder, keys)
      }
      return
    }
    // A folder that could not be removed is no sign by itself.
    if fileExists(JournalLock.sealedFolder(in: folder)) {
      try JournalLock.requireKeysWhereNeeded(in: folder)
    }
  }

  func current() throws(StoreError) -> DatabaseKey? {
    guard let file = try KeyFile.read(in: folder) else {
      isLocked.withLock { $0 = false }
      return nil
    }
    guard let keys = opened.withLock({ $0 }), keys.id == file.keyID else {
      throw .locked(path: "\(folder)/\(JournalLayout.fileName)")
    }
    isLocked.withLock { $0 = true }
    return keys.database
  }

  /// The data key under a passphrase, or a recovery code, and what is made of it.
  static func keys(
    _ sealed: SealedSecret, _ passphrase: SecretBytes, _ slot: KeyFile.Slot, _ folder: String
  ) throws(StoreError) -> (dataKey: SecretBytes, keys: DataKeys) {
    do throws(SealError) {
      let dataKey = try sealed.open(passphrase, context: slot.context)
      return (dataKey, try DataKeys(dataKey))
    } catch .wrongPassphrase {
      let path = "\(folder)/\(KeyFile.name)"
      throw slot == .recovery
        ? StoreError.wrongRecoveryCode(path: path) : .wrongPassphrase(path: path)
    } catch {
      throw .unusable(path: "\(folder)/\(KeyFile.name)", reason: "\(error)")
    }
  }
}
