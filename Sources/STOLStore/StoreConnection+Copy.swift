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

  /// Copies the file, and the log that SQLite keeps beside it, where SQLite can put them together.
  private static func read(
    _ layout: StoreLayout, in folder: String, into queue: DatabaseQueue
  ) throws {
    let place = try PrivateFolder()
    let copy = place.path + "/" + layout.fileName
    do {
      let lock = try lock(folder, folder)
      defer { _ = lock }
      for ending in ["", "-wal"] where fileExists(folder + "/" + layout.fileName + ending) {
        let file = try RegularFile(
          path: folder + "/" + layout.fileName + ending, followsLinks: true)
        try file.copy(to: copy + ending)
      }
    }
    let source = try connect(layout, copy)
    try source.backup(to: queue)
    try source.close()
  }
}
