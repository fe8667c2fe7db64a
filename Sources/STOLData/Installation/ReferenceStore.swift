package import Foundation
public import STOLPack
public import STOLSystem
import STOLTrust

/// Where the reference database is kept, and the only code that changes what is kept there.
///
/// Database and pack of a generation lie in a folder of their own, `reference-N`. The file
/// `reference.txt` says which generation counts; replacing it is what installs or switches, so that a
/// process that dies at any moment leaves the old reference or the new one, complete. What else an
/// import leaves behind is removed by the next one who takes the lock. The bundled database has other
/// names and is never touched.
public struct ReferenceStore: Sendable {
  /// Why a reference cannot be used or changed.
  public enum Failure: Error, Equatable, Sendable {
    /// None is installed.
    case notInstalled
    /// `reference.txt` is damaged.
    case stateDamaged(path: String)
    /// Its database is not there any more, or not as it was installed.
    case databaseLost(path: String)
    /// The list of the highest releases is damaged.
    case recordDamaged(path: String)
    /// The key that signed it has been revoked since it was installed.
    case keyRevoked(id: String)
  }

  /// The folder of databases.
  public let folder: String
  private var statePath: String { folder + "/" + Self.stateName }
  private let keys: String
  private let beforeSwitching: @Sendable () throws -> Void

  /// The reference kept in `directory`.
  ///
  /// - Parameters:
  ///   - directory: where databases are kept.
  ///   - beforeSwitching: called before the reference is installed, activated or deleted, while what was
  ///     active is still there; what it throws is thrown on, and nothing has changed. For what has to be told
  ///     by the database that is active now, as `FavoriteTakeover` has.
  public init(
    in directory: DataDirectory, beforeSwitching: @escaping @Sendable () throws -> Void = {}
  ) {
    folder = directory.databases
    keys = directory.keys
    self.beforeSwitching = beforeSwitching
  }

  /// The folder of a generation.
  func folder(of generation: Int) -> String { "\(folder)/reference-\(generation)" }

  /// The database of a reference.
  public func databasePath(_ reference: InstalledReference) -> String {
    folder(of: reference.generation) + "/" + Self.databaseName
  }

  /// The pack of a reference.
  public func packPath(_ reference: InstalledReference) -> String {
    folder(of: reference.generation) + "/" + Self.packName
  }

  /// The name of the database of a generation.
  public static let databaseName = "reference.sqlite"
  /// The name of its pack.
  public static let packName = "reference.stolpack"
  /// The name of what says which generation counts.
  static let stateName = "reference.txt"
  private static let stagingName = "incoming"
  /// What stol unpacked before it read the built-in pack where it lies in the program.
  private static let oldBundledPack = "bundled.stolpack"
  private static let longestState = 1 << 12

  private var releases: ReleaseRecord { ReleaseRecord(folder: folder) }

  // MARK: - Reading

  /// What is installed, or nil.
  ///
  /// - Throws: `Failure.stateDamaged`, `SystemError`.
  /// - Complexity: O(1)
  public func installed() throws -> InstalledReference? {
    guard fileExists(statePath) else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try stateBytes()
    } catch {
      guard error.code == .noSuchFile else { throw error }
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      let reference = InstalledReference(fileText: text)
    else { throw Failure.stateDamaged(path: statePath) }
    return reference
  }

  private func stateBytes() throws(SystemError) -> [UInt8] {
    let file = try RegularFile(path: statePath, followsLinks: false)
    return try file.bytes(at: 0, limit: Self.longestState)
  }

  /// What `reference.txt` holds, whether or not that can be understood; nothing where there is none.
  var state: [UInt8] { (try? stateBytes()) ?? [] }

  /// The active reference and its pack, or nil if none is active.
  ///
  /// A switch in the meantime removes the files of the generation before; then the next one is
  /// opened.
  ///
  /// - Throws: `Failure` if the reference is missing, damaged, or of a format of another stol.
  /// - Complexity: O(1)
  public func openActive() throws -> (reference: InstalledReference, pack: Pack)? {
    var before: InstalledReference?
    while true {
      guard let reference = try installed(), reference.isActive else { return nil }
      do {
        let pack = try Pack(path: packPath(reference))
        let digest = Digest(pack.source.sha256)?.description ?? ""
        guard digest == reference.digest else {
          throw PackError.wrongSource(expected: reference.digest, got: digest)
        }
        return (reference, pack)
      } catch {
        guard reference != before else { throw error }
        before = reference
      }
    }
  }

  /// When the reference was installed, and when it ceased to answer; nil where there is none.
  ///
  /// Where nobody knows which one was installed any more, that one answers still, and the oldest that is there
  /// may be it.
  ///
  /// - Complexity: O(number of files in the folder)
  package func term() -> (from: Date, until: Date)? {
    let folders: [String]
    var until = Date.distantFuture
    do {
      guard let reference = try installed() else { return nil }
      folders = [folder(of: reference.generation)]
      if !reference.isActive { until = Self.time(statePath) ?? until }
    } catch {
      folders = fileNames(inFolder: folder).compactMap(Self.generation).map(folder(of:))
    }
    let times = folders.map { folder in
      [Self.databaseName, Self.packName].compactMap { Self.time(folder + "/" + $0) }.min()
    }
    return (times.compactMap(\.self).min() ?? .distantPast, until)
  }

  /// When a file was last changed.
  private static func time(_ path: String) -> Date? {
    let values = try? URL(fileURLWithPath: path).resourceValues(
      forKeys: [.contentModificationDateKey])
    return values?.contentModificationDate
  }

  // MARK: - Changing

  /// Makes queries go to the reference, or to the bundled database.
  ///
  /// Before they go to the reference, every byte of its database and its pack is checked; a pack that is
  /// damaged, lost, or of another stol is compiled again.
  ///
  /// - Returns: the reference as it now is.
  /// - Throws: `Failure`, `KeyError`, `SystemError`, `CompileError`.
  /// - Complexity: O(length of both files) for the reference
  public func setActive(_ isActive: Bool) throws -> InstalledReference {
    try changing {
      guard var reference = try installed() else { throw Failure.notInstalled }
      if isActive {
        try requireTrusted(reference)
        try makeSound(reference)
      }
      guard reference.isActive != isActive else { return reference }
      if isActive { try beforeSwitching() }
      reference.isActive = isActive
      try write(reference)
      return reference
    }
  }

  /// Whether the key that signed a reference has been revoked since it was installed.
  ///
  /// - Throws: `KeyError` where the list of keys is damaged, so that nobody knows.
  public func isKeyRevoked(of reference: InstalledReference) throws -> Bool {
    try Keyring(folder: keys).revokedIDs.contains { $0.description == reference.keyID }
  }

  private func requireTrusted(_ reference: InstalledReference) throws {
    guard try !isKeyRevoked(of: reference) else {
      throw Failure.keyRevoked(id: reference.keyID)
    }
  }

  /// Checks the files of a reference and makes the pack again if it is not sound; the caller has the lock.
  private func makeSound(_ reference: InstalledReference) throws {
    guard try soundPack(of: reference) == nil else { return }
    _ = try PackCompiler(path: databasePath(reference)).compile(to: packPath(reference))
  }

  /// Does all that activating the reference does, but for activating it.
  ///
  /// - Parameter path: where the pack is compiled to if that of the reference is not sound.
  /// - Returns: the pack that would answer.
  /// - Throws: `Failure`, `KeyError`, `SystemError`, `CompileError`.
  /// - Complexity: O(length of both files)
  public func rehearseActivation(compilingTo path: String) throws -> Pack {
    guard let reference = try installed() else { throw Failure.notInstalled }
    try requireTrusted(reference)
    if let pack = try soundPack(of: reference) { return pack }
    _ = try PackCompiler(path: databasePath(reference)).compile(to: path)
    return try Pack(path: path)
  }

  /// The pack of a reference; nil if it is not sound, and its database is.
  private func soundPack(of reference: InstalledReference) throws -> Pack? {
    let database = databasePath(reference)
    let lost = Failure.databaseLost(path: database)
    guard fileExists(database) else { throw lost }
    let digest = try SHA256.digest(ofFileAt: database)
    guard digest.description == reference.digest else { throw lost }
    do {
      let pack = try Pack(path: packPath(reference))
      try pack.verify()
      return pack.source.sha256 == digest.bytes ? pack : nil
    } catch {
      // Damaged, lost, or of another stol: all the same, what it was compiled from is sound.
      return nil
    }
  }

  /// Removes the reference; without one nothing happens.
  ///
  /// - Throws: `SystemError`.
  public func delete() throws {
    guard fileExists(folder) else { return }
    try changing {
      try beforeSwitching()
      try removeDurably(statePath)
      removeLeftovers()
    }
  }

  /// Compiles the pack of the reference again, if its database is as it was installed: one of an older stol,
  /// or a damaged one, needs that.
  ///
  /// - Returns: the pack.
  /// - Throws: `Failure.databaseLost`, `CompileError`, `PackError`, `SystemError`, and what SQLite says.
  /// - Complexity: O(length of both files)
  public func compileAgain(_ reference: InstalledReference) throws -> Pack {
    let lock = try FolderLock(path: folder)
    defer { _ = lock }
    try makeSound(reference)
    return try Pack(path: packPath(reference))
  }

  /// Removes what an import that did not end left behind, unless one is running.
  ///
  /// - Complexity: O(number of files in the folder of databases)
  public func recover() {
    let current = try? installed()
    guard fileNames(inFolder: folder).contains(where: { isLeftover($0, current) }),
      let lock = try? FolderLock(ifFree: folder)
    else { return }
    defer { _ = lock }
    removeLeftovers()
  }

  /// An import in progress: it holds the lock and has a folder for its files.
  package struct Staging: ~Copyable {
    /// The folder, empty at first.
    package let folder: String
    private let store: ReferenceStore
    private let lock: FolderLock
    private var isInstalled = false

    fileprivate init(_ store: ReferenceStore, _ lock: consuming FolderLock) throws {
      self.store = store
      self.lock = lock
      folder = store.folder + "/" + ReferenceStore.stagingName
      store.removeLeftovers()
      try createNewFolder(folder)
    }

    deinit {
      if !isInstalled { removeFolder(folder) }
    }

    /// What is installed now; nobody else changes it meanwhile.
    package func installed() throws -> InstalledReference? { try store.installed() }

    /// Makes the files in the folder the reference.
    ///
    /// - Parameter describing: makes the reference of a generation.
    /// - Returns: that reference.
    /// - Throws: `Failure`; what was installed before is then still there.
    package mutating func install(
      _ describing: (_ generation: Int) -> InstalledReference
    ) throws -> InstalledReference {
      try store.beforeSwitching()
      // A damaged state is replaced; its generation is unknown, so that no name in use is taken.
      let used = fileNames(inFolder: store.folder).compactMap(ReferenceStore.generation)
      let reference = describing((used.max() ?? 0) + 1)
      // Before the release counts: a record of one that was never installed does no harm.
      if let dataset = reference.dataset {
        try store.releases.note(
          dataset, number: reference.releaseNumber, digest: reference.digest)
      }
      try moveDurably(folder, to: store.folder(of: reference.generation))
      isInstalled = true
      try store.write(reference)
      store.removeLeftovers()
      return reference
    }
  }

  /// Begins an import, after one that may be running.
  ///
  /// - Parameter onWaiting: called while another one runs; what it throws is thrown on.
  /// - Returns: the import, which holds the lock.
  /// - Throws: `SystemError`, or what `onWaiting` throws.
  package func stage(onWaiting: () throws -> Void = {}) throws -> Staging {
    try createFolder(folder)
    return try Staging(self, FolderLock(path: folder, onWaiting: onWaiting))
  }

  private func changing<Result>(_ body: () throws -> Result) throws -> Result {
    try createFolder(folder)
    let lock = try FolderLock(path: folder)
    defer { _ = lock }
    return try body()
  }

  private func write(_ reference: InstalledReference) throws {
    try replaceFile(statePath, with: Array(reference.fileText.utf8))
  }

  /// Removes what no reference needs; the caller has the lock.
  private func removeLeftovers() {
    let current: InstalledReference?
    // Where the state cannot be read, nobody knows which generation is needed.
    do { current = try installed() } catch { return }
    for name in fileNames(inFolder: folder) where isLeftover(name, current) {
      let path = folder + "/" + name
      let isFile =
        name.hasSuffix(".tmp") || name.hasPrefix(Self.uploadPrefix) || name == Self.oldBundledPack
      if isFile { TemporaryFiles.remove(path) } else { removeFolder(path) }
    }
    guard let current else { return }
    let used = folder(of: current.generation)
    for name in fileNames(inFolder: used) where name.hasSuffix(".tmp") {
      TemporaryFiles.remove(used + "/" + name)
    }
  }

  /// The highest release of a dataset that was ever installed.
  package func highestRelease(of dataset: String) throws -> ReleaseRecord.Release? {
    try releases.highest(of: dataset)
  }

  /// Where this process keeps a container that it receives, until it is imported.
  ///
  /// What a killed process leaves is removed with what an unfinished import leaves.
  package var uploadPath: String { "\(folder)/\(Self.uploadPrefix)\(processNumber()).stol" }

  /// What begins the names of containers that are received; the number of the process follows.
  package static let uploadPrefix = "upload-"

  private func isLeftover(_ name: String, _ current: InstalledReference?) -> Bool {
    if name.hasPrefix(Self.uploadPrefix) {
      let owner = Int32(name.dropFirst(Self.uploadPrefix.count).prefix { $0 != "." })
      return owner.map { !isProcessAlive($0) } ?? true
    }
    if name == Self.oldBundledPack || name == Self.stagingName { return true }
    if name.hasPrefix("reference.txt."), name.hasSuffix(".tmp") { return true }
    if ReleaseRecord.isLeftover(name) { return true }
    guard let generation = Self.generation(of: name) else { return false }
    return generation != current?.generation
  }

  /// The generation that a folder of this name is of; nil for another name.
  static func generation(of name: String) -> Int? {
    guard name.hasPrefix("reference-") else { return nil }
    return Int(name.dropFirst("reference-".count))
  }
}

extension ReferenceStore.Failure: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .notInstalled: .notFound
    case .stateDamaged, .recordDamaged, .databaseLost: .damaged
    case .keyRevoked: .untrusted
    }
  }

  /// What is wrong, and where.
  public var reason: String {
    switch self {
    case .notInstalled: "no reference database is installed"
    case .stateDamaged(let path): "\(path): damaged"
    case .databaseLost(let path): "\(path): lost, or changed since it was installed"
    case .recordDamaged(let path):
      "\(path): damaged, so that nobody knows which releases were installed"
    case .keyRevoked(let id):
      "the reference database is signed by the key \(id), which has been revoked"
    }
  }

  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .recordDamaged:
      reason + "; if older ones than those may be installed, delete it"
    case .keyRevoked:
      reason
        + "; get one that another key signs: stol db import FILE.stol, or remove it: stol db delete"
    default: reason + "; get it with: stol db import FILE.stol"
    }
  }
}
