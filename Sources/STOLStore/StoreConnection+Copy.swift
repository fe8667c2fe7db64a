import Foundation
import GRDB
import STOLSystem
import STOLTrust

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
    _ layout: StoreLayout, in folder: String, _ refusal: StoreError, _ keys: (any StoreKeys)?
  ) throws(StoreError) -> StoreConnection {
    let path = folder + "/" + layout.fileName
    do {
      let queue = try connect(layout, ":memory:", nil, isNew: true)
      if layout.remedy != nil { try requireBegun(path) }
      if try isPresent(path) {
        let lock = try lock(folder, folder)
        defer { _ = lock }
        if let key = try keys?.current() {
          return StoreConnection(
            queue: try decrypted(layout, path, key), identity: nil, setAside: nil,
            refusal: refusal)
        }
        try withUntouched(layout, path, nil) { try $0.backup(to: queue) }
        try queue.writeWithoutTransaction { try prepare($0, layout, path) }
      }
      return StoreConnection(
        queue: queue, identity: nil, setAside: nil, refusal: refusal)
    } catch {
      throw StoreError(error, path: path, remedy: layout.remedy)
    }
  }

  /// A copy in memory of an encrypted file, which SQLite can make of another one only as it rewrites it.
  private static func decrypted(
    _ layout: StoreLayout, _ path: String, _ key: DatabaseKey
  ) throws -> DatabaseQueue {
    let configuration = try configuration(nil, path)
    let uri = "file:/\((configuration.label ?? "stol").replacing(" ", with: "-"))?vfs=memdb"
    let queue = try DatabaseQueue(path: uri, configuration: configuration)
    try withUntouched(layout, path, key) { try $0.copy(to: uri, key: nil) }
    try queue.writeWithoutTransaction { database in
      for function in layout.functions { database.add(function: function) }
      try prepare(database, layout, path)
    }
    return queue
  }

  /// Runs `body` on the file where it lies, or, with a log beside it, on a copy in which SQLite puts both together:
  /// nothing of it is written.
  ///
  /// Whoever calls this holds the lock, and so is alone to write: to SQLite the file is what it says, immutable.
  static func withUntouched<Result>(
    _ layout: StoreLayout, _ path: String, _ key: DatabaseKey?,
    _ body: (DatabaseQueue) throws -> Result
  ) throws -> Result {
    if let log = try? byteCount(ofFile: path + "-wal"), log > 0 {
      let place = try PrivateFolder()
      let copy = place.path + "/" + layout.fileName
      try DatabaseBytes(path: path).copy(to: copy)
      try RegularFile(path: path + "-wal", followsLinks: true).copy(to: copy + "-wal")
      return try closing(
        try DatabaseQueue(path: copy, configuration: configuration(key, path)), body)
    }
    return try closing(try connectInPlace(path, key), body)
  }

  private static func closing<Result>(
    _ queue: DatabaseQueue, _ body: (DatabaseQueue) throws -> Result
  ) throws -> Result {
    defer { try? queue.close() }
    return try body(queue)
  }

  /// A connection that writes nothing, beside the file neither.
  private static func connectInPlace(
    _ path: String, _ key: DatabaseKey?
  ) throws -> DatabaseQueue {
    var configuration = try configuration(key, path)
    configuration.readonly = true
    return try DatabaseQueue(
      path: uri(of: path) + "?immutable=1",
      configuration: configuration)
  }

  /// The address of a file in words that SQLite takes for one.
  static func uri(of path: String) -> String { URL(fileURLWithPath: path).absoluteString }
}
