import STOLSystem
import STOLTrust
public import Foundation
public import Logging
public import STOLData
package import STOLPack

/// Imports containers as the reference database.
public protocol ImportService: AnyObject, Sendable {
  /// Imports the container at `url` and makes it active.
  ///
  /// - Throws: `ImportError` and others; `CancellationError` after `cancelImport`.
  func importReferenceDB(from url: URL) async throws

  /// Ends an import that is running; without one nothing happens.
  func cancelImport() async

  /// How far imports come, from now on.
  var progress: AsyncStream<ImportProgress> { get }
}

/// Imports into a data directory and tells the provider of it.
public actor ReferenceImporter: ImportService {
  private let directory: DataDirectory
  private let provider: LocalDatabaseProvider?
  private let keyring: @Sendable () throws -> Keyring
  private let logger: Logger
  private let beforeSwitching: @Sendable () throws -> Void
  private nonisolated let listeners = ProgressListeners()
  private var cancelRunning: (@Sendable () -> Void)?

  /// A service for `directory`.
  ///
  /// - Parameters:
  ///   - directory: where databases and keys are kept.
  ///   - provider: what is told when an import has ended.
  ///   - logger: where errors go.
  ///   - beforeSwitching: called right before a database is installed; see `ReferenceStore`.
  public init(
    directory: DataDirectory, provider: LocalDatabaseProvider? = nil,
    logger: Logger = Logger(label: "stol.import"),
    beforeSwitching: @escaping @Sendable () throws -> Void = {}
  ) {
    self.init(
      directory: directory, provider: provider, logger: logger, beforeSwitching: beforeSwitching
    ) {
      try directory.check()
      return try Keyring(folder: directory.keys)
    }
  }

  init(
    directory: DataDirectory, provider: LocalDatabaseProvider?, logger: Logger,
    beforeSwitching: @escaping @Sendable () throws -> Void = {},
    keyring: @escaping @Sendable () throws -> Keyring
  ) {
    self.beforeSwitching = beforeSwitching
    self.directory = directory
    self.provider = provider
    self.logger = logger
    self.keyring = keyring
  }

  /// How far imports come, from now on; each reader gets a stream of its own.
  public nonisolated var progress: AsyncStream<ImportProgress> { listeners.stream() }

  /// Imports the container at `url` and makes it active.
  ///
  /// - Throws: what `importReference` throws.
  public func importReferenceDB(from url: URL) async throws {
    _ = try await importReference(at: url.path)
  }

  /// Imports the container at `path`.
  ///
  /// - Returns: the reference as it is installed.
  /// - Throws: `ImportError.importAlreadyInProgress`, and what `ReferenceImport.run` throws.
  public func importReference(
    at path: String, options: ReferenceImport.Options = ReferenceImport.Options()
  ) async throws -> InstalledReference {
    let (directory, keyring, beforeSwitching) = (directory, keyring, beforeSwitching)
    let reference = try await perform { progress in
      let work = ReferenceImport(
        of: path, into: directory, trusting: try keyring(), options: options,
        beforeSwitching: beforeSwitching)
      return try work.run(progress: progress)
    }
    try await provider?.reload()
    return reference
  }

  /// Does all that `importReference` does, but for installing it.
  ///
  /// - Returns: the pack that would answer.
  /// - Throws: what `importReference` throws.
  package func rehearseImport(
    at path: String, options: ReferenceImport.Options
  ) async throws -> Pack {
    let (directory, keyring) = (directory, keyring)
    return try await perform { progress in
      let folder = try PrivateFolder()
      defer { _ = folder }
      let pack = folder.path + "/then.stolpack"
      let keys = try keyring()
      let work = ReferenceImport(of: path, into: directory, trusting: keys, options: options)
      try ReferenceImport.rehearse(
        path, trusting: keys, in: folder.path, keepingPackAs: pack, before: work, progress: progress
      )
      return try Pack(path: pack)
    }
  }

  /// Does one thing at a time, which `cancelImport` ends.
  private func perform<Value: Sendable>(
    _ body: @escaping @Sendable ((ImportProgress) throws -> Void) throws -> Value
  ) async throws -> Value {
    guard cancelRunning == nil else { throw ImportError.importAlreadyInProgress }
    let listeners = listeners
    // Not on this actor: it must hear `cancelImport` meanwhile.
    let task = Task.detached {
      try body { step in
        try Task.checkCancellation()
        listeners.yield(step)
      }
    }
    cancelRunning = { task.cancel() }
    defer { cancelRunning = nil }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      if !(error is CancellationError) { logger.error("\(error)") }
      throw error
    }
  }

  /// Ends an import that is running; without one nothing happens.
  public func cancelImport() async { cancelRunning?() }
}

/// Those who want to know how far imports come.
private final class ProgressListeners: Sendable {
  private let all = Locked<[Int: AsyncStream<ImportProgress>.Continuation]>([:])

  func stream() -> AsyncStream<ImportProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ImportProgress.self, bufferingPolicy: .bufferingNewest(64))
    let number = all.withLock { all in
      let number = (all.keys.max() ?? 0) + 1
      all[number] = continuation
      return number
    }
    continuation.onTermination = { [weak self] _ in
      self?.all.withLock { _ = $0.removeValue(forKey: number) }
    }
    return stream
  }

  func yield(_ progress: ImportProgress) {
    for listener in all.withLock({ Array($0.values) }) { listener.yield(progress) }
  }
}
