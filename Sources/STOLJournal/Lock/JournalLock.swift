package import STOLData
package import STOLStore
import STOLSystem
package import STOLTrust

/// Locks a journal, and unlocks it: its file is written anew with another key, and the files of photos beside it.
///
/// `key.json` is there, and says `changing`, from before anything changes until all has. The file of the journal takes
/// its place as a whole, once all else is ready: whether it is encrypted then says which way an interrupted change goes.
package enum JournalLock {
  /// What opens a locked journal.
  package enum Opener: Sendable {
    case passphrase(SecretBytes)
    /// As it was typed.
    case recoveryCode(SecretBytes)
  }

  static func sealedFolder(in folder: String) -> String { "\(folder)/sealed" }

  /// Whether the journal is locked; one that was being locked or unlocked is as its file says.
  ///
  /// - Throws: `StoreError`
  package static func isLocked(in directory: DataDirectory) throws(StoreError) -> Bool {
    guard let file = try KeyFile.read(in: directory.journal) else { return false }
    guard file.state == .changing, DatabaseKey.isUsable else { return true }
    return try !endUnlocked(in: directory.journal)
  }

  /// Whether it is being locked or unlocked, or that was interrupted.
  ///
  /// - Throws: `StoreError`
  package static func isInterrupted(in directory: DataDirectory) throws(StoreError) -> Bool {
    try KeyFile.read(in: directory.journal)?.state == .changing
  }

  /// Encrypts the journal and seals the files beside it.
  ///
  /// - Parameters:
  ///   - directory: where it is; none is begun there where there is none.
  ///   - passphrase: what opens it from then on.
  ///   - cost: how much work it is to try another one.
  ///   - onFile: told how many files beside the journal have been sealed so far.
  ///   - show: gets the recovery code, before the journal is locked; what it throws leaves it unlocked.
  /// - Returns: the paths of what is in its folders and stays readable: files of something else, what was set aside,
  ///   archives that are not sealed.
  /// - Throws: `JournalError.alreadyLocked`, `StoreError`, what `show` throws. Then nothing has changed.
  /// - Complexity: O(length of all files)
  package static func lock(
    in directory: DataDirectory, passphrase: SecretBytes, cost: PassphraseCost = .standard,
    onFile: (Int) -> Void = { _ in }, showing show: (String) throws -> Void
  ) throws -> [String] {
    try lock(folder: directory.journal, passphrase, cost, onFile: onFile, show)
  }

  static func lock(
    folder: String, _ passphrase: SecretBytes, _ cost: PassphraseCost,
    onFile: (Int) -> Void = { _ in }, _ show: (String) throws -> Void
  ) throws -> [String] {
    guard DatabaseKey.isUsable else {
      throw StoreError.noEncryption(path: "\(folder)/\(JournalLayout.fileName)")
    }
    // This goes back where an earlier one was interrupted.
    try JournalKeys(folder, passphrase: { passphrase }).prepare()
    guard try KeyFile.read(in: folder) == nil else { throw JournalError.alreadyLocked }
    let damagedFiles = try JournalFile(folder: folder).damagedFiles
    let dataKey = try DerivedKeys.random()
    let keys = try DataKeys(dataKey)
    let code = try RecoveryCode()
    let file = KeyFile(
      state: .changing, keyID: keys.id,
      passphrase: try SealedSecret(
        dataKey, under: passphrase, cost: cost, context: KeyFile.Slot.passphrase.context),
      recovery: try SealedSecret(
        dataKey, under: try code.secret(), cost: .least, context: KeyFile.Slot.recovery.context))
    let store = try ClosedStore(JournalLayout.layout, in: folder)
    guard try KeyFile.read(in: folder) == nil else { throw JournalError.alreadyLocked }
    try file.write(in: folder)
    var left: [String] = []
    do {
      try createFolder(sealedFolder(in: folder))
      try synchronizeFolder(of: sealedFolder(in: folder))
      left = try copyFiles(in: folder, from: nil, to: keys.files, onFile)
      try store.rewrite(from: nil, to: keys.database) { try show(code.text) }
    } catch {
      if try store.isOpen(to: nil) { try removeSealed(in: folder) }
      throw error
    }
    try removeReadable(in: folder, file)
    return damagedFiles + left + unsealedFiles(in: folder)
  }

  /// Decrypts the journal and the files beside it.
  ///
  /// - Parameters:
  ///   - directory: where it is.
  ///   - passphrase: what opens it.
  ///   - onFile: told how many files beside the journal have been opened so far.
  /// - Throws: `JournalError.notLocked`, `JournalError.damagedFile` for a file that cannot be opened,
  ///   `JournalError.needsKeys` for a damaged journal that was set aside, `StoreError`. Then nothing has changed.
  /// - Complexity: O(length of all files)
  package static func unlock(
    in directory: DataDirectory, passphrase: SecretBytes, onFile: (Int) -> Void = { _ in }
  ) throws {
    try unlock(folder: directory.journal, passphrase, onFile: onFile)
  }

  static func unlock(
    folder: String, _ passphrase: SecretBytes, onFile: (Int) -> Void = { _ in }
  ) throws {
    guard let found = try KeyFile.read(in: folder) else { throw JournalError.notLocked }
    try JournalKeys(folder, passphrase: { passphrase }).prepare()
    // An earlier one that was interrupted is at its end now.
    guard try KeyFile.read(in: folder) != nil else { return }
    let keys = try JournalKeys.keys(found.passphrase, passphrase, .passphrase, folder).keys
    let store = try ClosedStore(JournalLayout.layout, in: folder)
    guard let file = try KeyFile.read(in: folder), file.keyID == keys.id else {
      throw StoreError.busy(path: store.path)
    }
    // Who has those keys can still save something of it.
    let damaged = StoreFile.damagedFiles(of: JournalLayout.layout, in: folder)
    if let path = damaged.first(where: isEncrypted) { throw JournalError.needsKeys(path: path) }
    try file.with(.changing).write(in: folder)
    do {
      let left = try copyFiles(in: folder, from: keys.files, to: nil, onFile)
      // What somebody else has put there stays.
      if let path = left.first(where: FileFolder.isOfDigest) {
        throw JournalError.damagedFile(path: path)
      }
      try store.rewrite(from: keys.database, to: nil) {}
    } catch {
      if try store.isOpen(to: keys.database) { try removeReadable(in: folder, file) }
      throw error
    }
    try removeSealed(in: folder)
  }

  /// Gives a locked journal another passphrase, or another recovery code, or both; no other file is written.
  ///
  /// - Parameters:
  ///   - directory: where it is.
  ///   - opener: what opens it now.
  ///   - passphrase: the new one; nil leaves that as it is.
  ///   - cost: how much work it is to try another passphrase.
  ///   - show: gets a new recovery code, before that holds; nil leaves that as it is.
  /// - Throws: `JournalError.notLocked`, `StoreError`, what `show` throws. Then nothing has changed.
  package static func change(
    in directory: DataDirectory, openedBy opener: Opener, to passphrase: SecretBytes?,
    cost: PassphraseCost = .standard, showing show: ((String) throws -> Void)? = nil
  ) throws {
    let folder = directory.journal
    guard let file = try KeyFile.read(in: folder) else { throw JournalError.notLocked }
    let dataKey: SecretBytes
    switch opener {
    case .passphrase(let passphrase):
      dataKey = try JournalKeys.keys(file.passphrase, passphrase, .passphrase, folder).dataKey
    case .recoveryCode(let typed):
      guard let code = RecoveryCode(typed: typed) else {
        throw JournalError.invalid(
          field: "recovery code", value: "what was given",
          remedy: "the nine groups of four as they were shown, of which the last one tells that "
            + "something else was given")
      }
      dataKey = try JournalKeys.keys(file.recovery, try code.secret(), .recovery, folder).dataKey
    }
    let code = try show.map { _ in try RecoveryCode() }
    let sealed = try passphrase.map {
      try SealedSecret(
        dataKey, under: $0, cost: cost, context: KeyFile.Slot.passphrase.context)
    }
    let store = try ClosedStore(JournalLayout.layout, in: folder)
    guard var now = try KeyFile.read(in: folder), now.keyID == file.keyID else {
      throw StoreError.busy(path: store.path)
    }
    if let sealed { now.passphrase = sealed }
    if let code {
      now.recovery = try SealedSecret(
        dataKey, under: try code.secret(), cost: .least, context: KeyFile.Slot.recovery.context)
      try show?(code.text)
    }
    try now.write(in: folder)
  }

  // MARK: - Interrupted changes

  /// Ends an interrupted change where the file of the journal is not encrypted: nothing is locked then.
  ///
  /// - Returns: whether it was so, or nothing is left to end.
  static func endUnlocked(in folder: String) throws(StoreError) -> Bool {
    let store = try ClosedStore(JournalLayout.layout, in: folder)
    guard try KeyFile.read(in: folder)?.state == .changing else { return true }
    guard try store.isOpen(to: nil) else { return false }
    try removeSealed(in: folder)
    return true
  }

  /// Ends an interrupted change where the file of the journal is encrypted: all is locked then.
  ///
  /// What the keys do not open is damaged, and stays with all that lies beside it.
  static func endLocked(in folder: String, _ keys: DataKeys) throws(StoreError) {
    let store = try ClosedStore(JournalLayout.layout, in: folder)
    guard let file = try KeyFile.read(in: folder), file.state == .changing,
      file.keyID == keys.id, try store.isOpen(to: keys.database)
    else { return }
    try removeReadable(in: folder, file)
  }

  /// Throws where the file of the journal is encrypted, or gone, and its keys are too.
  static func requireKeysWhereNeeded(in folder: String) throws(StoreError) {
    let store = try ClosedStore(JournalLayout.layout, in: folder)
    guard try KeyFile.read(in: folder) == nil, try !store.isOpen(to: nil) else { return }
    throw .noKeys(
      path: "\(folder)/\(KeyFile.name)", reason: "is missing, and the journal is locked")
  }

  /// Removes what is sealed, and the keys after it.
  private static func removeSealed(in folder: String) throws(StoreError) {
    let path = "\(folder)/\(KeyFile.name)"
    do {
      TemporaryFiles.removeLeftovers(of: "\(folder)/\(JournalLayout.fileName)")
      let sealed = sealedFolder(in: folder)
      try FileFolder(path: "\(sealed)/media", sealing: nil, kind: "").removeAll()
      for size in ThumbnailSize.allCases {
        try FileFolder(path: "\(sealed)/thumbnails/\(size.rawValue)", sealing: nil, kind: "")
          .removeAll()
      }
      removeEmptyFolder("\(sealed)/thumbnails")
      removeEmptyFolder(sealed)
      try synchronizeFolder(of: path)
      try removeDurably(path)
    } catch {
      throw StoreError(writing: error, path: path)
    }
  }

  /// Removes the files that can be read without a key, and says then that all is locked.
  private static func removeReadable(in folder: String, _ file: KeyFile) throws(StoreError) {
    do {
      TemporaryFiles.removeLeftovers(of: "\(folder)/\(JournalLayout.fileName)")
      let media = MediaFolder(beside: folder, nil)
      let thumbnails = ThumbnailFolder(beside: folder, nil)
      try media.folder.removeAll()
      for size in ThumbnailSize.allCases { try thumbnails.folder(size).removeAll() }
      removeEmptyFolder(thumbnails.path)
    } catch {
      throw StoreError(writing: error, path: folder)
    }
    try file.with(.locked).write(in: folder)
  }

  /// What somebody has put beside the journal, or a backup has, and is no sealed archive.
  private static func unsealedFiles(in folder: String) -> [String] {
    let others = fileNames(inFolder: folder).filter { name in
      name != KeyFile.name && !name.hasPrefix(JournalLayout.fileName)
        && !name.hasPrefix("journal.damaged-") && !ownFolders.contains(name)
    }
    return files(others, in: folder, levels: 8).filter {
      JournalArchive.form(ofFileAt: $0) != .sealed
    }
  }

  /// What lies here is locked, or was named before.
  private static let ownFolders: Set<String> = ["sealed", "media", "thumbnails"]

  /// The files with some names in a folder, and all in folders with such names, down to so many levels.
  private static func files(_ names: [String], in folder: String, levels: Int) -> [String] {
    names.sorted().flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      if (try? RegularFile(path: path, followsLinks: true)) != nil { return [path] }
      return levels > 0 ? files(fileNames(inFolder: path), in: path, levels: levels - 1) : []
    }
  }

  /// Whether a file does not begin as one of SQLite that anybody can read.
  private static func isEncrypted(_ path: String) -> Bool {
    let start = try? RegularFile(path: path, followsLinks: false).bytes(at: 0, limit: 16)
    return start != Array("SQLite format 3\0".utf8)
  }

  /// Copies the files beside the journal, sealed or not, to where they lie not sealed, or sealed.
  private static func copyFiles(
    in folder: String, from old: SealedFiles?, to new: SealedFiles?, _ onFile: (Int) -> Void
  ) throws -> [String] {
    var count = 0
    func onCopy() {
      count += 1
      onFile(count)
    }
    var left = try MediaFolder(beside: folder, old).folder.copyAll(
      to: MediaFolder(beside: folder, new).folder, limit: PhotoFacts.byteLimit, onCopy)
    let (from, to) = (ThumbnailFolder(beside: folder, old), ThumbnailFolder(beside: folder, new))
    if old == nil {
      left += FileFolder(path: from.path, sealing: nil, kind: "").straysOutsideParts()
    }
    for size in ThumbnailSize.allCases {
      let others = try from.folder(size).copyAll(
        to: to.folder(size), limit: ThumbnailFolder.byteLimit, onCopy)
      // A damaged thumbnail is made anew.
      if old == nil { left += others }
    }
    return left
  }
}
