import STOLSystem
import STOLTrust
public import Foundation
public import Logging
public import STOLData

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
  private nonisolated let listeners = ProgressListeners()
  private var running: Task<InstalledReference, any Error>?

  /// A service for `directory`.
  ///
  /// - Parameters:
  ///   - directory: where databases and keys are kept.
  ///   - provider: what is told when an import has ended.
  ///   - logger: where errors go.
  public init(
    directory: DataDirectory, provider: LocalDatabaseProvider? = nil,
    logger: Logger = Logger(label: "stol.import")
  ) {
    self.init(directory: directory, provider: provider, logger: logger) {
      try Keyring(folder: directory.keys)
    }
  }

  init(
    directory: DataDirectory, provider: LocalDatabaseProvider?, logger: Logger,
    keyring: @escaping @Sendable () throws -> Keyring
  ) {
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
    guard running == nil else { throw ImportError.importAlreadyInProgress }
    let (directory, keyring, listeners) = (directory, keyring, listeners)
    // Not on this actor: it must hear `cancelImport` meanwhile.
    let task = Task.detached {
      let work = ReferenceImport(
        of: path, into: directory, trusting: try keyring(), options: options)
      return try work.run { step in
        try Task.checkCancellation()
        listeners.yield(step)
      }
    }
    running = task
    defer { running = nil }
    do {
      let reference = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      try await provider?.reload()
      return reference
    } catch {
      if !(error is CancellationError) { logger.error("\(error)") }
      throw error
    }
  }

  /// Ends an import that is running; without one nothing happens.
  public func cancelImport() async { running?.cancel() }
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
