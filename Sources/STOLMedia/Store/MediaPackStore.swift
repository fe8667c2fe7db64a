import STOLSystem
public import STOLData
import STOLTrust

/// Where installed media packs are kept, and the only code that changes what is kept there.
///
/// A pack is one file, `ID.stolimages`. One rename installs or replaces it, and one call removes it,
/// so that a process that dies at any moment leaves the old pack or the new one. What else an
/// import leaves behind is removed by the next one who takes the lock.
public struct MediaPackStore: Sendable {
  /// What the name of an archive ends with.
  public static let suffix = ".stolimages"
  private static let stagingName = "incoming"
  /// As often somebody looks who does not wait for good: two seconds.
  private static let greatestLookCount = 400

  /// The folder of media packs.
  public let folder: String
  private let keys: String

  /// The packs kept in `directory`.
  public init(in directory: DataDirectory) {
    folder = directory.media
    keys = directory.keys
  }

  /// The archive of a pack.
  public func path(of id: MediaPackID) -> String { folder + "/" + id.text + Self.suffix }

  /// The ids of what is installed, damaged or not, in the order of their bytes.
  ///
  /// - Complexity: O(n log n)
  public var ids: [MediaPackID] {
    fileNames(inFolder: folder).compactMap { name in
      name.hasSuffix(Self.suffix) ? MediaPackID(String(name.dropLast(Self.suffix.count))) : nil
    }.sorted()
  }

  /// The packs that are installed, damaged ones too, in the order of their ids.
  ///
  /// - Complexity: O(bytes of all manifests)
  public var packs: [MediaPack] { opened().map(\.pack) }

  /// The bytes that the installed packs take on disk.
  ///
  /// - Complexity: O(number of packs)
  public var storageByteCount: Int64 { ids.reduce(0) { $0 + byteCount(of: $1) } }

  /// Every pack and its archive, which a damaged one has not.
  func opened() -> [(pack: MediaPack, archive: MediaArchive?)] {
    let ids = ids
    guard !ids.isEmpty else { return [] }
    // Where one of the two lists is damaged, nobody knows of whom a pack is; images are shown all the same.
    let releases = (try? ReleaseRecord(folder: folder).releases()) ?? [:]
    let revoked = Set((try? Keyring(folder: keys).revokedIDs)?.map(\.description) ?? [])
    return ids.compactMap { id in
      do {
        let archive = try archive(of: id)
        let key = releases[id.text]?.keyID
        let isRevoked = key.map(revoked.contains) ?? false
        return (
          MediaPack(archive, isBundled: false, keyID: key, isKeyRevoked: isRevoked), archive
        )
      } catch {
        // One that was deleted meanwhile is not damaged.
        guard self.ids.contains(id) else { return nil }
        let damage = error as? MediaError ?? .notAnArchive
        return (
          MediaPack(damaged: id, byteCount: byteCount(of: id), isBundled: false, damage: damage),
          nil
        )
      }
    }
  }

  /// The archive of a pack, which must be the pack that its name says.
  func archive(of id: MediaPackID) throws -> MediaArchive {
    let archive = try MediaArchive(path: path(of: id))
    guard archive.manifest.id == id else {
      throw MediaError.otherRelease(
        manifest: archive.manifest.id.text, container: id.text)
    }
    return archive
  }

  /// The archive of a pack, or nil if none is installed or it is damaged.
  ///
  /// - Throws: what keeps it from being read, for then nobody knows which release it is.
  func soundArchive(of id: MediaPackID) throws -> MediaArchive? {
    guard fileExists(path(of: id)) else { return nil }
    do {
      return try archive(of: id)
    } catch let error as MediaError {
      if case .file = error { throw error }
      return nil
    }
  }

  /// The bytes that a pack takes on disk; 0 if it is not installed.
  public func byteCount(of id: MediaPackID) -> Int64 {
    Int64((try? RegularFile(path: path(of: id), followsLinks: false).byteCount) ?? 0)
  }

  // MARK: - Changing

  /// Removes a pack, damaged or not.
  ///
  /// Whoever is reading an image goes on to its end.
  ///
  /// - Parameters:
  ///   - id: the pack.
  ///   - isPatient: whether to wait for an installation however long it takes.
  /// - Throws: `MediaError.notInstalled`, `.file`, or for whoever is not patient `.inUse`.
  public func delete(_ id: MediaPackID, isPatient: Bool = true) throws {
    guard ids.contains(id) else { throw MediaError.notInstalled(id) }
    try MediaError.wrapping {
      var looks = 0
      let lock = try FolderLock(path: folder) {
        looks += 1
        if !isPatient, looks > Self.greatestLookCount { throw MediaError.inUse(folder: folder) }
      }
      defer { _ = lock }
      removeLeftovers()
      // Another one may have been faster, which is no error here.
      do {
        try removeDurably(path(of: id))
      } catch {
        // Not a file: what is there came from outside stol.
        removeFolder(path(of: id))
        if ids.contains(id) { throw error }
      }
    }
  }

  /// Removes what an import that did not end left behind, unless one is running.
  ///
  /// - Complexity: O(number of packs)
  public func recover() {
    guard fileNames(inFolder: folder).contains(where: Self.isLeftover),
      let lock = try? FolderLock(ifFree: folder)
    else { return }
    defer { _ = lock }
    removeLeftovers()
  }

  /// Where this process keeps a container that it receives, until it is installed.
  ///
  /// What a killed process leaves is removed with what an unfinished import leaves.
  package var uploadPath: String { "\(folder)/\(Self.uploadPrefix)\(processNumber()).stol-media" }

  /// What begins the names of containers that are received; the number of the process follows.
  private static let uploadPrefix = "upload-"

  private static func isLeftover(_ name: String) -> Bool {
    if name.hasPrefix(uploadPrefix) {
      let owner = Int32(name.dropFirst(uploadPrefix.count).prefix { $0 != "." })
      return owner.map { !isProcessAlive($0) } ?? true
    }
    return name == stagingName || ReleaseRecord.isLeftover(name)
  }

  /// Removes what no pack needs; the caller has the lock.
  private func removeLeftovers() {
    for name in fileNames(inFolder: folder) where Self.isLeftover(name) {
      let path = folder + "/" + name
      if name == Self.stagingName { removeFolder(path) } else { TemporaryFiles.remove(path) }
    }
  }

  /// An import in progress: it holds the lock and has a folder for its files.
  struct Staging: ~Copyable {
    /// The folder, empty at first, removed at the end.
    let folder: String
    private let store: MediaPackStore
    private let lock: FolderLock

    fileprivate init(_ store: MediaPackStore, _ lock: consuming FolderLock) throws(SystemError) {
      self.store = store
      self.lock = lock
      folder = store.folder + "/" + MediaPackStore.stagingName
      store.removeLeftovers()
      try createNewFolder(folder)
    }

    deinit { removeFolder(folder) }

    /// Makes the archive at `path`, in the folder, the pack `id`.
    func install(_ path: String, as id: MediaPackID) throws(SystemError) {
      try moveDurably(path, to: store.path(of: id))
    }
  }

  /// Begins an import, after one that may be running.
  ///
  /// - Parameter onWaiting: called while another one runs; what it throws is thrown on.
  /// - Returns: the import, which holds the lock.
  /// - Throws: `SystemError`, or what `onWaiting` throws.
  func stage(onWaiting: () throws -> Void) throws -> Staging {
    try createFolder(folder)
    return try Staging(self, FolderLock(path: folder, onWaiting: onWaiting))
  }
}
