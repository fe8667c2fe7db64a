import STOLPack
import STOLSystem
public import STOLTrust
public import STOLData

/// One import of a container as the reference database.
///
/// Nothing that is installed changes before the last step, which is one rename. Until then all files
/// are in a folder of the import's own, which it removes when it fails or is cancelled; what a killed
/// one leaves is removed by the next start. Imports into one folder wait for each other.
public struct ReferenceImport {
  /// What may happen that has to be asked for.
  public struct Options: Equatable, Sendable {
    /// Whether an older release, or the same with other content, may replace the installed one.
    public var allowsDowngrade = false
    /// Whether another dataset may replace the installed one.
    public var allowsOtherDataset = false
    /// Whether the reference becomes active.
    public var activates = true
    /// Whether a pack that came along is compared, byte for byte, with what the database compiles to.
    ///
    /// Else its SHA-256 of the database is compared, and its own rules are checked, which a device with
    /// little memory can do.
    public var compiles = true

    /// The cautious ones.
    public init() {}
  }

  private let path: String
  private let store: ReferenceStore
  private let keyring: Keyring
  private let options: Options

  /// An import of the container at `path` into `directory`.
  ///
  /// - Parameters:
  ///   - path: the container.
  ///   - directory: where databases are kept.
  ///   - keyring: the keys to trust.
  ///   - options: what has to be asked for.
  ///   - beforeSwitching: called right before it is installed; see `ReferenceStore`.
  public init(
    of path: String, into directory: DataDirectory, trusting keyring: Keyring,
    options: Options = Options(), beforeSwitching: @escaping @Sendable () throws -> Void = {}
  ) {
    self.path = path
    store = ReferenceStore(in: directory, beforeSwitching: beforeSwitching)
    self.keyring = keyring
    self.options = options
  }

  /// Imports the container.
  ///
  /// - Parameter progress: called often; what it throws ends the import and is thrown on.
  /// - Returns: the reference as it is installed.
  /// - Throws: `ImportError`, `SystemError`, `PackError`, `CompileError`, `ReferenceStore.Failure`, or
  ///   what `progress` throws; the reference that was installed before stays as it was.
  /// - Complexity: O(n log n) for n taxa; about 4 s for 500,000.
  public func run(
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> InstalledReference {
    try progress(ImportProgress(.copying))
    var staging = try store.stage { try progress(ImportProgress(.copying)) }
    let copy = staging.folder + "/container.stol"
    try Container.copy(from: path, to: copy) { done, total in
      try progress(ImportProgress(.copying, Self.share(done, total)))
    }

    try progress(ImportProgress(.verifyingSignature))
    let verified = try Container(path: copy).verified(by: keyring) { done, total in
      try progress(ImportProgress(.verifyingChecksum, Self.share(done, total)))
    }
    _ = try verified.header.requiredPart(.database)
    let installed = try? staging.installed()
    let dataset = verified.header.release?.dataset.text
    let highest = try dataset.flatMap { try store.highestRelease(of: $0) }
    try requireNewer(verified.header, than: installed, highest)

    let database = staging.folder + "/" + ReferenceStore.databaseName
    let pack = staging.folder + "/" + ReferenceStore.packName
    let digest = try Self.decompress(verified, database: database, pack: pack, progress)
    try requireSameContent(verified.header, digest, as: installed, highest)
    let header = verified.header
    let signer = verified.signer.id
    _ = consume verified
    try removeDurably(copy)

    _ = try Self.checkContent(header, digest, database, pack, compiles: options.compiles, progress)

    try progress(ImportProgress(.finalizing))
    return try staging.install { generation in
      InstalledReference(
        generation: generation, isActive: options.activates || installed?.isActive == true,
        dataset: header.release?.dataset.text, releaseNumber: header.releaseNumber,
        buildTime: header.release?.buildTime.description, keyID: signer.description,
        digest: digest.description)
    }
  }

  /// Does all that an import of the container at `path` does, but for installing it.
  ///
  /// Whether an older release may be installed is for the folder to say that it is installed in: `planned`
  /// asks it.
  ///
  /// - Parameters:
  ///   - path: the container.
  ///   - keyring: the keys to trust.
  ///   - folder: where the files are written, which are removed; nobody else changes it.
  ///   - packPath: where the pack goes in the end; nil for nowhere.
  ///   - planned: the import that is to follow; nil for none.
  ///   - progress: called often; what it throws ends the work and is thrown on.
  /// - Returns: what was found.
  /// - Throws: what `run` throws for what is wrong with the container.
  /// - Complexity: that of `run`.
  @discardableResult
  package static func rehearse(
    _ path: String, trusting keyring: Keyring, in folder: String,
    keepingPackAs packPath: String? = nil, before planned: ReferenceImport? = nil,
    progress: (ImportProgress) throws -> Void = { _ in }
  ) throws -> Rehearsed {
    let copy = folder + "/container.stol"
    let database = folder + "/" + ReferenceStore.databaseName
    let pack = folder + "/" + ReferenceStore.packName
    for file in [copy, database, pack] { TemporaryFiles.add(file) }
    defer { for file in [copy, database, pack] { TemporaryFiles.remove(file) } }
    try progress(ImportProgress(.copying))
    try Container.copy(from: path, to: copy) { done, total in
      try progress(ImportProgress(.copying, share(done, total)))
    }
    try progress(ImportProgress(.verifyingSignature))
    let verified = try Container(path: copy).verified(by: keyring) { done, total in
      try progress(ImportProgress(.verifyingChecksum, share(done, total)))
    }
    _ = try verified.header.requiredPart(.database)
    let installed = try? planned?.store.installed()
    let highest = try verified.header.release.flatMap {
      try planned?.store.highestRelease(of: $0.dataset.text)
    }
    try planned?.requireNewer(verified.header, than: installed, highest)
    let digest = try decompress(verified, database: database, pack: pack, progress)
    try planned?.requireSameContent(verified.header, digest, as: installed, highest)
    let isOlder = try checkContent(
      verified.header, digest, database, pack, compiles: true, progress)
    if let packPath { try moveDurably(pack, to: packPath) }
    return Rehearsed(
      databaseByteCount: try RegularFile(path: database, followsLinks: false).byteCount,
      isPackOfOlderFormat: isOlder)
  }

  /// What a rehearsal found.
  package struct Rehearsed {
    /// The length of the database.
    package let databaseByteCount: Int
    /// Whether a pack came along that is of an older format, and was left aside.
    package let isPackOfOlderFormat: Bool
  }

  /// Refuses an older release than any that was installed, and another dataset, unless they are asked for.
  private func requireNewer(
    _ header: ContainerHeader, than installed: InstalledReference?,
    _ highest: ReleaseRecord.Release?
  ) throws(ImportError) {
    let offered = header.release?.dataset.text
    if let before = installed?.dataset, before != offered, !options.allowsOtherDataset {
      throw .otherDataset(installed: before, offered: offered)
    }
    var last = highest?.number ?? 0
    if let installed, installed.dataset == offered { last = max(last, installed.releaseNumber) }
    guard header.releaseNumber >= last || options.allowsDowngrade else {
      throw .downgrade(installed: last, offered: header.releaseNumber)
    }
  }

  /// Refuses a release that was installed with another content, unless that is asked for.
  private func requireSameContent(
    _ header: ContainerHeader, _ digest: Digest, as installed: InstalledReference?,
    _ highest: ReleaseRecord.Release?
  ) throws(ImportError) {
    guard !options.allowsDowngrade else { return }
    let number = header.releaseNumber
    var known: [String] = []
    if let highest, highest.number == number { known.append(highest.digest) }
    if let installed, installed.dataset == header.release?.dataset.text,
      installed.releaseNumber == number
    {
      known.append(installed.digest)
    }
    guard known.allSatisfy({ $0 == digest.description }) else {
      throw .downgrade(installed: number, offered: number)
    }
  }

  /// Checks the database, and the pack that came along, or compiles one; returns whether the pack that came
  /// along is of an older format.
  private static func checkContent(
    _ header: ContainerHeader, _ digest: Digest, _ database: String, _ pack: String,
    compiles: Bool, _ progress: (ImportProgress) throws -> Void
  ) throws -> Bool {
    try withoutActuallyEscaping(progress) { progress in
      let rehearsal = DatabaseRehearsal(
        of: database, signedVersion: header.schemaVersion, progress: progress)
      try rehearsal.checkDatabase()
      guard header.part(.pack) != nil else {
        try rehearsal.compile(to: pack)
        return false
      }
      return try rehearsal.checkPack(pack, digest: digest, compiles: compiles)
    }
  }

  /// Writes the parts of the container; returns the digest of the database.
  private static func decompress(
    _ container: borrowing VerifiedContainer, database: String, pack: String,
    _ progress: (ImportProgress) throws -> Void
  ) throws -> Digest {
    var databaseDigest: Digest?
    let total = container.header.parts.reduce(0) { $0 + $1.storedByteCount }
    var before = 0
    for part in container.header.parts {
      var output = try ReplacementFile(path: part.kind == .database ? database : pack)
      let content = try container.decompress(
        part, into: { try output.append($0) },
        progress: { done, _ in
          try progress(ImportProgress(.decompressing, Self.share(before + done, total)))
        })
      try output.finish()
      before += part.storedByteCount
      if part.kind == .database { databaseDigest = content.digest }
    }
    guard let databaseDigest else {
      throw ContainerError.databaseCorrupt(detail: "the container carries none")
    }
    return databaseDigest
  }

  private static func share(_ done: Int, _ total: Int) -> Double {
    total > 0 ? Double(done) / Double(total) : 1
  }
}
