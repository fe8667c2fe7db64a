#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The names in the folder at `path`, but for itself and the one above; none if it cannot be read.
///
/// - Complexity: O(n)
package func fileNames(inFolder path: String) -> [String] {
  // SAFETY: the path is a NUL-terminated copy; the stream is closed before anything else uses it.
  guard let stream = unsafe opendir(path) else { return [] }
  return unsafe names(in: stream)
}

#if canImport(Darwin)
private typealias FolderStream = UnsafeMutablePointer<DIR>
#else
private typealias FolderStream = OpaquePointer
#endif

/// Reads the names in an open folder and closes it.
private func names(in stream: FolderStream) -> [String] {
  // SAFETY: the caller gives the stream away, which is open, and closed once.
  defer { unsafe closedir(stream) }
  var names: [String] = []
  // SAFETY: an entry is valid until the next call, and its name ends with NUL.
  while let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
      unsafe field.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Creates a folder that must not exist yet, for its owner only.
package func createNewFolder(_ path: String) throws(SystemError) {
  // SAFETY: the path is a NUL-terminated copy for the length of the call.
  guard unsafe mkdir(path, 0o700) == 0 else {
    throw SystemError(operation: "create the folder", path: path, code: .last)
  }
}

/// Removes a folder and the files in it; what is gone already is no error.
///
/// Symbolic links, at `path` itself too, are removed and not followed. Folders inside stay, and then
/// so does it.
package func removeFolder(_ path: String) {
  // SAFETY: the path is a NUL-terminated copy for the length of the call.
  let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  guard folder >= 0 else { return removeFile(path) }
  defer { close(folder) }
  // SAFETY: the stream gets a descriptor of its own and closes it.
  let stream = unsafe fdopendir(dup(folder))
  guard let stream = unsafe stream else { return }
  for name in unsafe names(in: stream) {
    // SAFETY: the name is a NUL-terminated copy, looked up in the open folder.
    _ = unsafe unlinkat(folder, name, 0)
  }
  // SAFETY: as above.
  _ = unsafe rmdir(path)
}

/// Removes a folder that is empty; another one stays.
package func removeEmptyFolder(_ path: String) {
  // SAFETY: the path is a NUL-terminated copy for the length of the call.
  _ = unsafe rmdir(path)
}

/// A folder of a process's own where the system keeps what is not to stay, removed with its files: what a
/// killed process left is removed by the next one.
package struct PrivateFolder: ~Copyable {
  /// Where it is.
  package let path: String

  /// Creates the folder in that of `TMPDIR`, else in `/tmp`, for its owner only.
  package init() throws(SystemError) {
    let parent = environmentValue("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    Self.removeLeftovers(in: parent)
    var template = Array((parent + "/stol.\(processNumber()).XXXXXX").utf8CString)
    let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
      // SAFETY: the buffer holds a NUL-terminated copy of its own, which is changed in place.
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
    }
    guard isMade else {
      throw SystemError(operation: "create a temporary folder in", path: parent, code: .last)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    TemporaryFiles.add(path)
  }

  deinit {
    removeFolder(path)
    TemporaryFiles.forget(path)
  }

  /// Removes the folders of this user's processes that are not there any more.
  private static func removeLeftovers(in parent: String) {
    for name in fileNames(inFolder: parent) where name.hasPrefix("stol.") {
      let words = name.split(separator: ".", omittingEmptySubsequences: false)
      guard words.count == 3, words[2].utf8.count == 6, let owner = Int32(words[1]), owner > 0,
        !isProcessAlive(owner), isOwnFolder(parent + "/" + name)
      else { continue }
      removeFolder(parent + "/" + name)
    }
  }
}

/// Whether a folder, and no link to one, is at `path` and belongs to this user.
private func isOwnFolder(_ path: String) -> Bool {
  var status = stat()
  // SAFETY: the path is a NUL-terminated copy; the call fills in the block that is given.
  guard unsafe lstat(path, &status) == 0 else { return false }
  return FileKind(mode: status.st_mode) == .folder && status.st_uid == effectiveUser
}

/// Whether the disk with the folder of `path` has no room left for the smallest of files.
package func isDiskFull(at path: String) -> Bool {
  let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  var status = statvfs()
  // SAFETY: the path is a NUL-terminated copy; the call fills in the block that is given.
  guard unsafe statvfs(folder, &status) == 0 else { return false }
  return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 1 << 16
}

/// Moves a file or a folder, durably; what was at `path` must be a file, or nothing.
package func moveDurably(_ from: String, to path: String) throws(SystemError) {
  try renameFile(from, to: path)
  try synchronizeFolder(of: path)
}

/// Removes a file, durably; one that is gone already is no error.
package func removeDurably(_ path: String) throws(SystemError) {
  // SAFETY: the path is a NUL-terminated copy for the length of the call.
  guard unsafe unlink(path) == 0 || errno == ENOENT else {
    throw SystemError(operation: "remove", path: path, code: .last)
  }
  try synchronizeFolder(of: path)
}

/// Lets nobody but its owner read or change what is at a path; what belongs to another user stays as it is, and
/// so does what is on a disk that has no such rights.
package func makeOwnersOnly(_ path: String) {
  var status = stat()
  // SAFETY: the path is a NUL-terminated copy; the call fills in the block that is given.
  guard unsafe stat(path, &status) == 0, status.st_uid == effectiveUser,
    status.st_mode & 0o077 != 0
  else { return }
  // SAFETY: the path is a NUL-terminated copy for the length of the call.
  _ = unsafe chmod(path, status.st_mode & 0o700)
}

/// The length of what is at `path`, in bytes, told without opening it.
///
/// - Throws: `SystemError`
package func byteCount(ofFile path: String) throws(SystemError) -> Int {
  var status = stat()
  // SAFETY: stat fills the structure, which outlives the call.
  guard unsafe stat(path, &status) == 0 else {
    throw SystemError(operation: "look at", path: path, code: .last)
  }
  return Int(status.st_size)
}

/// Which file a path leads to, whatever its name.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// The file that is at `path` now, or nil if there is none.
  package init?(path: String) {
    var status = stat()
    // SAFETY: stat fills the structure, which outlives the call.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that is open under a number, or nil if there is none.
  init?(descriptor: CInt) {
    var status = stat()
    // SAFETY: fstat fills the structure, which outlives the call.
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
