import Foundation
import GRDB
import STOLSystem

/// What can be read where nothing can be written: in a container, or on a disk that is full.
extension StoreConnection {
  /// Why nothing can be kept, if `error` comes of that.
  static func refusal(of error: StoreError, _ folder: String, _ path: String) -> StoreError? {
    switch error {
    case .noSpace: error
    case .system(let error) where error.code.isReadOnly: .readOnly(path: path)
    case .unusable where fileExists(folder) && !canWrite(inFolder: folder): .readOnly(path: path)
    default: nil
    }
  }

  /// Opens a copy in memory of the file in `folder`, which need not be there.
  ///
  /// - Throws: `StoreError`, where the file is there and cannot be read.
  static func openCopy(
    _ layout: StoreLayout, in folder: String, _ refusal: StoreError
  ) throws(StoreError) -> StoreConnection {
    let path = folder + "/" + layout.fileName
    do {
      let queue = try connect(layout, ":memory:", isNew: true)
      if layout.remedy != nil { try requireBegun(path) }
      if try isPresent(path) { try read(layout, in: folder, into: queue) }
      return StoreConnection(
        queue: queue, identity: nil, setAside: nil, refusal: refusal)
    } catch {
      throw StoreError(error, path: path, remedy: layout.remedy)
    }
  }

  private static func read(
    _ layout: StoreLayout, in folder: String, into queue: DatabaseQueue
  ) throws {
    let path = folder + "/" + layout.fileName
    let lock = try lock(folder, folder)
    try withUntouched(layout, path) { try $0.backup(to: queue) }
    try queue.writeWithoutTransaction { try prepare($0, layout, path) }
    _ = lock
  }

  /// Runs `body` on the file where it lies, or, with a log beside it, on a copy in which SQLite puts both together:
  /// nothing of it is written.
  ///
  /// Whoever calls this holds the lock, and so is alone to write: to SQLite the file is what it says, immutable.
  static func withUntouched<Result>(
    _ layout: StoreLayout, _ path: String, _ body: (DatabaseQueue) throws -> Result
  ) throws -> Result {
    if let log = try? byteCount(ofFile: path + "-wal"), log > 0 {
      let place = try PrivateFolder()
      let copy = place.path + "/" + layout.fileName
      try DatabaseBytes(path: path).copy(to: copy)
      try RegularFile(path: path + "-wal", followsLinks: true).copy(to: copy + "-wal")
      return try closing(try DatabaseQueue(path: copy, configuration: configuration), body)
    }
    return try closing(try connectInPlace(path), body)
  }

  private static func closing<Result>(
    _ queue: DatabaseQueue, _ body: (DatabaseQueue) throws -> Result
  ) throws -> Result {
    defer { try? queue.close() }
    return try body(queue)
  }

  /// A connection that writes nothing, beside the file neither.
  private static func connectInPlace(_ path: String) throws -> DatabaseQueue {
    var configuration = configuration
    configuration.readonly = true
    return try DatabaseQueue(
      path: URL(fileURLWithPath: path).absoluteString + "?immutable=1",
      configuration: configuration)
  }
}
