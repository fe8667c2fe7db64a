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

/// Which file a path leads to, whatever its name.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// The file that is at `path` now, or nil if there is none.
  package init?(path: String) {
    var status = stat()
    // SAFETY: stat fills the structure, which outlives the call.
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
