#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A regular file that is read through one descriptor.
///
/// A name that changes its meaning midway changes nothing; what the file holds may still change.
package struct RegularFile: ~Copyable {
  /// The length when it was opened.
  package let byteCount: Int
  private let file: Descriptor

  /// Opens the file at `path`; a folder, pipe, socket or device is refused without waiting for it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - followsLinks: whether the last part of the path may be a symbolic link.
  /// - Throws: `SystemError`
  package init(path: String, followsLinks: Bool) throws(SystemError) {
    let link = followsLinks ? 0 : O_NOFOLLOW
    let opened = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY | link)
    byteCount = try opened.regularFileByteCount()
    file = consume opened
  }

  /// Which file it is; nil where the system does not say.
  package var identity: FileIdentity? { FileIdentity(descriptor: file.number) }

  /// The number of the descriptor, for a library that reads the file; valid as long as `self`.
  package var descriptor: CInt { file.number }

  /// The bytes from `offset` on, `limit` of them unless the file ends before.
  package func bytes(at offset: Int, limit: Int) throws(SystemError) -> [UInt8] {
    try file.bytes(at: offset, limit: limit)
  }
}

extension RegularFile {
  /// Writes what the file holds to a new file at `path`.
  ///
  /// - Complexity: O(length)
  package func copy(to path: String) throws(SystemError) {
    let output = try Descriptor(
      opening: path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    try read { chunk, offset throws(SystemError) in try output.write(chunk.span, at: offset) }
  }

  /// Calls `body` with all that the file holds now, a piece after the other, and where each begins.
  ///
  /// - Complexity: O(length)
  package func read(
    _ body: ([UInt8], Int) throws(SystemError) -> Void = { _, _ in }
  ) throws(SystemError) {
    let step = 1 << 20
    var offset = 0
    while true {
      let chunk = try bytes(at: offset, limit: step)
      guard !chunk.isEmpty else { return }
      try body(chunk, offset)
      offset += chunk.count
    }
  }
}

/// Creates a file that must not exist yet, durably; nothing is left where that fails.
package func createFile(
  _ path: String, _ bytes: [UInt8], isOwnersOnly: Bool
) throws(SystemError) {
  let file = try Descriptor(
    opening: path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
    mode: isOwnersOnly ? 0o600 : 0o644)
  do {
    try file.write(bytes.span, at: 0)
    try file.synchronize()
    try synchronizeFolder(of: path)
  } catch {
    removeFile(path)
    throw error
  }
}

/// A lock on a folder that one process holds at a time, until it goes away or ends.
package struct FolderLock: ~Copyable {
  private let folder: Descriptor

  /// Waits for the lock on the folder at `path`.
  package init(path: String) throws(SystemError) {
    let opened = try Descriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
    _ = try Self.lock(opened, LOCK_EX, path)
    folder = consume opened
  }

  /// Takes the lock on the folder at `path`, or gives nil where another one has it.
  package init?(ifFree path: String) throws(SystemError) {
    let opened = try Descriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
    guard try Self.lock(opened, LOCK_EX | LOCK_NB, path) else { return nil }
    folder = consume opened
  }

  /// Waits for the lock on the folder at `path`, and calls `onWaiting` meanwhile, every two hundredth of a second
  /// and more often at first; what it throws is thrown on.
  ///
  /// Nobody hands the lock over: one who looks less often than that may never meet it free beside another who does
  /// nothing but take it.
  package init(path: String, onWaiting: () throws -> Void) throws {
    var pause: UInt32 = 500
    while true {
      if let lock = try FolderLock(ifFree: path) {
        self = lock
        return
      }
      try onWaiting()
      usleep(pause)
      pause = min(pause * 2, 5000)
    }
  }

  /// Locks an open folder; false where it would have to wait and may not.
  private static func lock(
    _ folder: borrowing Descriptor, _ operation: CInt, _ path: String
  ) throws(SystemError) -> Bool {
    while flock(folder.number, operation) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else {
        throw SystemError(operation: "lock", path: path, code: .last)
      }
    }
    return true
  }
}
