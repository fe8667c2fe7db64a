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
      let queue = try connect(layout, ":memory:")
      if fileExists(path) { try read(layout, in: folder, into: queue) }
      return StoreConnection(
        queue: queue, identity: nil, setAside: nil, refusal: refusal)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Reads the file where it lies, or, with a log beside it, a copy in which SQLite puts both together.
  private static func read(
    _ layout: StoreLayout, in folder: String, into queue: DatabaseQueue
  ) throws {
    let path = folder + "/" + layout.fileName
    let lock = try lock(folder, folder)
    // Who holds the lock is alone to write, so that the file is what it says to SQLite: immutable.
    if let log = try? RegularFile(path: path + "-wal", followsLinks: true), log.byteCount > 0 {
      let place = try PrivateFolder()
      let copy = place.path + "/" + layout.fileName
      for ending in ["", "-wal"] {
        try RegularFile(path: path + ending, followsLinks: true).copy(to: copy + ending)
      }
      try backUp(try connect(layout, copy), into: queue)
    } else {
      try backUp(try connectInPlace(path), into: queue)
      try queue.writeWithoutTransaction { try prepare($0, layout, path) }
    }
    _ = lock
  }

  private static func backUp(_ source: DatabaseQueue, into queue: DatabaseQueue) throws {
    try source.backup(to: queue)
    try source.close()
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
