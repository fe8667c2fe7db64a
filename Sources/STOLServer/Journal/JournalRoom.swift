import STOLData
import STOLJournal
import STOLStore
import STOLSystem
import STOLTrust

/// The journal of a data directory, opened when somebody first asks for it.
///
/// Looking begins none: an installation without a journal keeps nothing of it. One that is locked is opened by its
/// passphrase, and stays so until somebody shuts it or the program ends.
final class JournalRoom: Sendable {
  private let directory: DataDirectory
  private let provider: any DatabaseProvider
  private let opened = Locked<LocalJournal?>(nil)
  /// What slows whoever tries passphrases.
  let tries = TryLimit()
  /// Whether a recovery code was shown, and nobody has said yet that it is written down.
  let isCodeOpen = Locked(false)

  init(directory: DataDirectory, provider: any DatabaseProvider) {
    (self.directory, self.provider) = (directory, provider)
  }

  /// The journal, or nil where there is none yet.
  ///
  /// - Throws: `StoreError`; `.locked` for one that is locked.
  func journal() throws(StoreError) -> LocalJournal? {
    if let journal = opened.withLock({ $0 }) { return journal }
    return JournalFile.isPresent(in: directory) ? try begun() : nil
  }

  /// The journal, which begins empty where there is none yet.
  ///
  /// - Throws: `StoreError`
  func begun() throws(StoreError) -> LocalJournal { try open { nil } }

  /// Opens a locked journal by its passphrase.
  ///
  /// - Throws: `StoreError`; `.wrongPassphrase` for another one.
  func unlock(_ passphrase: SecretBytes) throws(StoreError) {
    close()
    _ = try open { passphrase }
  }

  private func open(_ passphrase: @escaping PassphraseSource) throws(StoreError) -> LocalJournal {
    let (directory, provider) = (directory, provider)
    return try opened.withLock { opened -> Result<LocalJournal, StoreError> in
      if let journal = opened { return .success(journal) }
      do throws(StoreError) {
        let journal = try LocalJournal(
          directory: directory, provider: provider, passphrase: passphrase)
        opened = journal
        return .success(journal)
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Forgets it, so that it is opened again: somebody has locked or unlocked it.
  func close() { opened.withLock { $0 = nil } }

  /// Whether somebody has opened it.
  var isOpened: Bool { opened.withLock { $0 != nil } }
}
