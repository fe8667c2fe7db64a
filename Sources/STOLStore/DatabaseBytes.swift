import STOLSystem

/// The bytes of a SQLite file, read beside SQLite.
///
/// Who closes any descriptor of a file gives up every lock that the process has on it, those of its connections too:
/// another process then takes itself for the last one, deletes the log, and what these connections commit goes into
/// a file without a name (https://sqlite.org/howtocorrupt.html, section 2.2). What is opened here therefore stays
/// open, one descriptor a file, until the process ends. Nothing is locked in a log: it is read as any file is.
struct DatabaseBytes {
  private static let opened = Locked<[DatabaseBytes]>([])

  private let file: SharedFile
  private let identity: FileIdentity?

  /// The file at `path`.
  ///
  /// - Throws: `SystemError`
  init(path: String) throws(SystemError) {
    if let found = FileIdentity(path: path),
      let known = Self.opened.withLock({ $0.first { $0.identity == found } })
    {
      self = known
      return
    }
    file = SharedFile(try RegularFile(path: path, followsLinks: true))
    identity = file.file.identity
    let opened = self
    Self.opened.withLock { $0.append(opened) }
  }

  /// Reads all of it.
  ///
  /// - Throws: `SystemError` if the disk fails.
  func read() throws(SystemError) { try file.file.read() }

  /// Writes it to a new file at `path`.
  ///
  /// - Throws: `SystemError`
  func copy(to path: String) throws(SystemError) { try file.file.copy(to: path) }
}

/// A file that several have.
private final class SharedFile: Sendable {
  let file: RegularFile

  init(_ file: consuming RegularFile) { self.file = file }
}
