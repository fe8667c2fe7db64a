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

    /// The cautious ones.
    public init() {}
  }

  private let path: String
  private let store: ReferenceStore
  private let keyring: Keyring
  private let options: Options

  /// An import of the container at `path` into `directory`.
  public init(
    of path: String, into directory: DataDirectory, trusting keyring: Keyring,
    options: Options = Options()
  ) {
    self.path = path
    store = ReferenceStore(in: directory)
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
      try progress(ImportProgress(.copying, share(done, total)))
    }

    try progress(ImportProgress(.verifyingSignature))
    let verified = try Container(path: copy).verified(by: keyring) { done, total in
      try progress(ImportProgress(.verifyingChecksum, share(done, total)))
    }
    _ = try verified.header.requiredPart(.database)
    let installed = try? staging.installed()
    try requireNewer(verified.header, than: installed)

    let database = staging.folder + "/" + ReferenceStore.databaseName
    let pack = staging.folder + "/" + ReferenceStore.packName
    let digest = try decompress(verified, database: database, pack: pack, progress)
    try requireSameContent(verified.header, digest, as: installed)
    let header = verified.header
    let signer = verified.signer.id
    _ = consume verified
    try removeDurably(copy)

    try check(database, header, progress)
    try makePack(pack, from: database, isCarried: header.part(.pack) != nil, progress)

    try progress(ImportProgress(.finalizing))
    return try staging.install { generation in
      InstalledReference(
        generation: generation, isActive: options.activates || installed?.isActive == true,
        dataset: header.release?.dataset.text, releaseNumber: header.releaseNumber,
        buildTime: header.release?.buildTime.description, keyID: signer.description,
        digest: digest.description)
    }
  }

  /// Refuses an older release and another dataset, unless they are asked for.
  private func requireNewer(
    _ header: ContainerHeader, than installed: InstalledReference?
  ) throws(ImportError) {
    guard let installed else { return }
    if let before = installed.dataset, let offered = header.release?.dataset.text,
      before != offered
    {
      guard options.allowsOtherDataset else {
        throw .otherDataset(installed: before, offered: offered)
      }
      return
    }
    guard header.releaseNumber >= installed.releaseNumber || options.allowsDowngrade else {
      throw .downgrade(installed: installed.releaseNumber, offered: header.releaseNumber)
    }
  }

  /// Refuses a release that is installed with another content, unless that is asked for.
  private func requireSameContent(
    _ header: ContainerHeader, _ digest: Digest, as installed: InstalledReference?
  ) throws(ImportError) {
    guard let installed, installed.dataset == header.release?.dataset.text,
      installed.releaseNumber == header.releaseNumber, !options.allowsDowngrade
    else { return }
    guard installed.digest == digest.description else {
      throw .downgrade(installed: installed.releaseNumber, offered: header.releaseNumber)
    }
  }

  /// Writes the parts of the container; returns the digest of the database.
  private func decompress(
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
          try progress(ImportProgress(.decompressing, share(before + done, total)))
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

  private func check(
    _ database: String, _ header: ContainerHeader, _ progress: (ImportProgress) throws -> Void
  ) throws {
    try progress(ImportProgress(.checkingSchema))
    var stopped: (any Error)?
    // SQLite calls back while it works; what progress throws ends it, and is thrown below.
    try withoutActuallyEscaping(progress) { progress in
      var stage = ImportProgress.Stage.checkingSchema
      var calls = 0.0
      let check: DatabaseCheck
      do {
        check = try DatabaseCheck(path: database) {
          calls += 1
          do {
            // How much is left cannot be known: the rest shrinks with each call.
            try progress(ImportProgress(stage, 1 - 1 / (1 + calls / 500)))
          } catch {
            stopped = error
          }
          return stopped != nil
        }
        try check.checkSchema(
          signedVersion: header.schemaVersion,
          supportedVersion: SchemaVersion.newestSupported)
        stage = .runningIntegrityCheck
        try progress(ImportProgress(stage))
        try check.checkIntegrity()
      } catch is CancellationError {
        throw stopped ?? CancellationError()
      }
    }
  }

  /// Verifies the pack that came along, or compiles one.
  private func makePack(
    _ pack: String, from database: String, isCarried: Bool,
    _ progress: (ImportProgress) throws -> Void
  ) throws {
    try progress(ImportProgress(.compiling))
    if isCarried {
      do {
        try Pack(path: pack).verify(of: database)
        return
      } catch PackError.unsupportedVersion {
        // Of another stol: what it was compiled from is there.
      }
    }
    var stopped: (any Error)?
    do {
      try withoutActuallyEscaping(progress) { progress in
        var done = 0.0
        func report(_ share: Double) {
          do {
            try progress(ImportProgress(.compiling, share))
          } catch {
            stopped = stopped ?? error
          }
        }
        let compiler = PackCompiler(
          path: database,
          onStage: { stage in
            switch stage {
            case .reading:
              done += 1
              report(0.4 - 0.4 / (1 + done / 10))
            case .packing(.ordering): report(0.4)
            case .packing(.naming): report(0.5)
            case .packing(.writing): report(0.7)
            }
          }, isCancelled: { stopped != nil })
        _ = try compiler.compile(to: pack)
      }
    } catch CompileError.cancelled {
      throw stopped ?? CancellationError()
    }
    if let stopped { throw stopped }
  }

  private func share(_ done: Int, _ total: Int) -> Double {
    total > 0 ? Double(done) / Double(total) : 1
  }
}

extension Pack {
  /// Verifies the pack, and that it was compiled from the database at `path`.
  fileprivate func verify(of path: String) throws {
    try verify()
    try requireSource(RegularFile(path: path, followsLinks: false))
  }
}
