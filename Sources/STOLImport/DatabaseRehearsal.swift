import STOLData
import STOLPack
import STOLSystem
package import STOLTrust

/// All checks of a database, and of the pack that came with it, before they are installed or signed.
///
/// Import, `stol verify` of a container and `stol db sign` do the same work, so that what one of them
/// accepts the others accept.
package struct DatabaseRehearsal {
  private let database: String
  private let signedVersion: UInt32
  private let progress: (ImportProgress) throws -> Void

  /// Checks of the database at `database`.
  ///
  /// - Parameters:
  ///   - database: the file, which nobody changes meanwhile.
  ///   - signedVersion: the version of its schema that the container states.
  ///   - progress: called often; what it throws ends the checks and is thrown on.
  package init(
    of database: String, signedVersion: UInt32, progress: @escaping (ImportProgress) throws -> Void
  ) {
    self.database = database
    self.signedVersion = signedVersion
    self.progress = progress
  }

  /// Checks the schema, every page and every length of the database.
  ///
  /// - Throws: `ContainerError`, `ImportError`, or what `progress` throws.
  /// - Complexity: O(length of the database)
  package func checkDatabase() throws {
    try progress(ImportProgress(.checkingSchema))
    var stopped: (any Error)?
    var stage = ImportProgress.Stage.checkingSchema
    var calls = 0.0
    do {
      // SQLite calls back while it works; what progress throws ends it, and is thrown below.
      let check = try DatabaseCheck(path: database) {
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
        signedVersion: signedVersion, supportedVersion: SchemaVersion.newestSupported)
      stage = .runningIntegrityCheck
      try progress(ImportProgress(stage))
      try check.checkIntegrity()
    } catch is CancellationError {
      throw stopped ?? CancellationError()
    }
  }

  /// Compiles the database into a pack at `path`.
  ///
  /// - Throws: `CompileError`, `SystemError`, or what `progress` throws.
  /// - Complexity: O(n log n)
  package func compile(to path: String) throws {
    try progress(ImportProgress(.compiling))
    var stopped: (any Error)?
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
    do {
      _ = try compiler.compile(to: path)
    } catch CompileError.cancelled {
      throw stopped ?? CancellationError()
    }
    if let stopped { throw stopped }
  }

  /// Checks the pack at `path`, and that it is the one of the database.
  ///
  /// - Parameters:
  ///   - path: the pack that came along. One of an older format, whole by its header, is replaced by what is
  ///     compiled.
  ///   - digest: the SHA-256 of the database.
  ///   - compiles: whether the database is compiled and the bytes compared; else the digest of the
  ///     database that the pack states is, and the pack is verified.
  /// - Returns: whether it was of an older format.
  /// - Throws: `ImportError.otherPack`, `PackError`, `CompileError`, or what `progress` throws.
  /// - Complexity: O(n log n)
  package func checkPack(_ path: String, digest: Digest, compiles: Bool) throws -> Bool {
    try progress(ImportProgress(.compiling))
    let carried: Pack
    do {
      carried = try Pack(path: path)
    } catch let error as PackError {
      guard try Pack.isOfOlderFormat(path: path) else { throw error }
      // What it was compiled from is there.
      try compile(to: path)
      return true
    }
    guard carried.source.sha256 == digest.bytes else {
      throw ImportError.otherPack(reason: "it was compiled from another one")
    }
    guard compiles else {
      try carried.verify()
      return false
    }
    let own = path + ".own"
    TemporaryFiles.add(own)
    defer { TemporaryFiles.remove(own) }
    try compile(to: own)
    if let reason = try carried.difference(fromPackAt: own, itself: path) {
      throw ImportError.otherPack(reason: reason)
    }
    return false
  }
}
