public import STOLSystem
public import STOLPack

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
  }

  /// The folder of databases.
  public let folder: String
  private var statePath: String { folder + "/reference.txt" }

  /// The reference kept in `directory`.
  public init(in directory: DataDirectory) { folder = directory.databases }

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
  private static let stagingName = "incoming"
  private static let longestState = 1 << 12

  // MARK: - Reading

  /// What is installed, or nil.
  ///
  /// - Throws: `Failure.stateDamaged`, `SystemError`.
  /// - Complexity: O(1)
  public func installed() throws -> InstalledReference? {
    guard fileExists(statePath) else { return nil }
    let bytes: [UInt8]
    do {
      let file = try RegularFile(path: statePath, followsLinks: false)
      bytes = try file.bytes(at: 0, limit: Self.longestState)
    } catch {
      guard error.code == .noSuchFile else { throw error }
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      let reference = InstalledReference(fileText: text)
    else { throw Failure.stateDamaged(path: statePath) }
    return reference
  }

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
        return (reference, try Pack(path: packPath(reference)))
      } catch {
        guard reference != before else { throw error }
        before = reference
      }
    }
  }

  // MARK: - Changing

  /// Makes queries go to the reference, or to the bundled database.
  ///
  /// - Returns: the reference as it now is.
  /// - Throws: `Failure`, `SystemError`.
  public func setActive(_ isActive: Bool) throws -> InstalledReference {
    try changing {
      guard var reference = try installed() else { throw Failure.notInstalled }
      if isActive {
        do {
          _ = try Pack(path: packPath(reference))
        } catch is PackError {
          // A damaged pack, or one of another stol, is compiled again by whoever opens it.
        }
      }
      guard reference.isActive != isActive else { return reference }
      reference.isActive = isActive
      try write(reference)
      return reference
    }
  }

  /// Removes the reference; without one nothing happens.
  ///
  /// - Throws: `SystemError`.
  public func delete() throws {
    guard fileExists(folder) else { return }
    try changing {
      try removeDurably(statePath)
      removeLeftovers()
    }
  }

  /// Compiles the pack of the reference again, as one of an older stol needs.
  ///
  /// - Throws: `CompileError`, `PackError`, `SystemError`, and what SQLite says.
  public func compileAgain(_ reference: InstalledReference) throws -> Pack {
    let lock = try FolderLock(path: folder)
    defer { _ = lock }
    let path = packPath(reference)
    _ = try PackCompiler(path: databasePath(reference)).compile(to: path)
    return try Pack(path: path)
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
      // A damaged state is replaced; its generation is unknown, so that no name in use is taken.
      let used = fileNames(inFolder: store.folder).compactMap(ReferenceStore.generation)
      let reference = describing((used.max() ?? 0) + 1)
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
      let isFile = name.hasSuffix(".tmp") || name.hasPrefix(Self.uploadPrefix)
      if isFile { TemporaryFiles.remove(path) } else { removeFolder(path) }
    }
    guard let current else { return }
    let used = folder(of: current.generation)
    for name in fileNames(inFolder: used) where name.hasSuffix(".tmp") {
      TemporaryFiles.remove(used + "/" + name)
    }
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
    if name == Self.stagingName || name.hasPrefix("reference.txt.") && name.hasSuffix(".tmp") {
      return true
    }
    guard let generation = Self.generation(of: name) else { return false }
    return generation != current?.generation
  }

  private static func generation(of name: String) -> Int? {
    guard name.hasPrefix("reference-") else { return nil }
    return Int(name.dropFirst("reference-".count))
  }
}

extension ReferenceStore.Failure: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .notInstalled: .notFound
    case .stateDamaged: .damaged
    }
  }

  /// What is wrong, and where.
  public var reason: String {
    switch self {
    case .notInstalled: "no reference database is installed"
    case .stateDamaged(let path): "\(path): damaged"
    }
  }

  /// One line: what is wrong, where, and what to do.
  public var description: String {
    reason + "; get it with: stol db import FILE.stol"
  }
}
