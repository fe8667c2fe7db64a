#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is written under a temporary name and takes its own at the end.
///
/// Until `finish` returns, a file that was at `path` stays as it was; afterwards the new one is
/// durable: file synchronized, renamed, folder synchronized. A link stays, and the file that it leads to
/// is replaced. A device, a pipe or the standard output is never replaced: it is written to at once, and
/// takes appended bytes only. Errors name `path`.
package struct ReplacementFile: ~Copyable {
  /// Without links.
  private let path: String
  /// Nil where what is at `path` is written to itself.
  private let temporaryPath: String?
  private let file: Descriptor
  private var appendedCount = 0
  private var isFinished = false

  /// Creates the temporary file beside `path`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isOwnersOnly: whether nobody else may read it.
  /// - Throws: `SystemError`
  package init(path: String, isOwnersOnly: Bool = false) throws(SystemError) {
    let isInPlace = isWrittenInPlace(path)
    let target = try isInPlace ? path : targetOfLinks(path)
    let temporary = isInPlace ? nil : TemporaryFiles.name(for: target)
    file = try Self.open(path, temporary, isOwnersOnly: isOwnersOnly)
    self.path = target
    temporaryPath = temporary
  }

  private static func open(
    _ path: String, _ temporaryPath: String?, isOwnersOnly: Bool
  ) throws(SystemError) -> Descriptor {
    guard let temporaryPath else {
      if isStandardOutput(path) {
        return try Descriptor(duplicating: STDOUT_FILENO, path: path)
      }
      return try Descriptor(opening: path, flags: O_WRONLY | O_NOCTTY)
    }
    TemporaryFiles.add(temporaryPath)
    do {
      return try Descriptor(
        opening: temporaryPath, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW,
        mode: isOwnersOnly ? 0o600 : 0o644, reportingAs: path)
    } catch {
      TemporaryFiles.remove(temporaryPath)
      throw error
    }
  }

  deinit {
    if !isFinished, let temporaryPath { TemporaryFiles.remove(temporaryPath) }
  }

  /// Writes `bytes` at `offset`.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    try file.write(bytes.span, at: offset)
  }

  /// Writes `bytes` after all that were appended before.
  package mutating func append(_ bytes: [UInt8]) throws(SystemError) {
    try file.write(bytes.span, at: temporaryPath == nil ? nil : appendedCount)
    appendedCount += bytes.count
  }

  /// A mapping of what has been written so far.
  package func mapped() throws(SystemError) -> MappedFile {
    try MappedFile(path: temporaryPath ?? path)
  }

  /// Makes the file durable and gives it its name.
  package mutating func finish() throws(SystemError) {
    guard let temporaryPath else { return }
    try file.synchronize()
    file.releaseCache()
    try TemporaryFiles.rename(temporaryPath, to: path)
    isFinished = true
  }
}

/// Whether what is at a path, where it is a link what that leads to, is written to as it is: no file, or the
/// standard output.
package func isWrittenInPlace(_ path: String) -> Bool {
  var status = stat()
  // SAFETY: the path is a NUL-terminated copy; the call fills in the block that is given.
  guard unsafe stat(path, &status) == 0 else { return false }
  return FileKind(mode: status.st_mode) != .file || isStandardOutput(path)
}

/// Whether a path leads to what the standard output goes to.
private func isStandardOutput(_ path: String) -> Bool {
  guard let identity = FileIdentity(path: path) else { return false }
  return identity == FileIdentity(descriptor: STDOUT_FILENO)
}

/// Writes a file whole, replacing one that is there only once the new one is complete.
package func replaceFile(_ path: String, with bytes: [UInt8]) throws(SystemError) {
  var file = try ReplacementFile(path: path)
  try file.append(bytes)
  try file.finish()
}

/// The temporary files of this process, which an interrupted command removes.
package enum TemporaryFiles {
  private static let slotCount = 16
  // SAFETY: nil, and nothing below does anything, until a command asks for the handler; then used by
  // the one thread that makes files, and read by the handler, which sees nil or NUL-terminated
  // copies that are never freed.
  private nonisolated(unsafe) static var slots: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

  /// The temporary name for a file that is to become `path`.
  package static func name(for path: String) -> String { "\(path).\(processNumber()).tmp" }

  /// Notes a temporary file, where `removeWhenInterrupted` has been called.
  package static func add(_ path: String) {
    guard let slots = unsafe slots else { return }
    for slot in 0..<slotCount where unsafe slots[slot] == nil {
      // SAFETY: the slot is within the allocation; the copy is left for a handler to read.
      unsafe slots[slot] = strdup(path)
      return
    }
  }

  /// Removes a temporary file; one that is gone already is no error.
  package static func remove(_ path: String) {
    removeFile(path)
    forget(path)
  }

  /// Gives a finished temporary file its name and makes the folder durable.
  ///
  /// Where there is a link of that name, the file takes the place of what that leads to; a device or a pipe is
  /// never replaced.
  package static func rename(_ temporaryPath: String, to path: String) throws(SystemError) {
    let target = try targetOfLinks(path)
    guard !isWrittenInPlace(target) else {
      throw SystemError(operation: "replace", path: path, code: .invalidArgument)
    }
    try renameFile(temporaryPath, to: target)
    forget(temporaryPath)
    try synchronizeFolder(of: target)
  }

  /// Removes what processes that were killed left on their way to `path`; before such a file is begun.
  ///
  /// A killed process may have had the number of this one, as each has in a container: what this one has
  /// not noted is none of its own.
  ///
  /// - Complexity: O(number of files in its folder)
  package static func removeLeftovers(of path: String) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "./"
    let prefix = (slash.map { String(path[path.index(after: $0)...]) } ?? path) + "."
    for name in fileNames(inFolder: folder) where name.hasPrefix(prefix) {
      guard let owner = owner(ofEnding: name.dropFirst(prefix.count)),
        owner == processNumber()
          ? !isNoted(slash == nil ? name : folder + name) : !isProcessAlive(owner)
      else { continue }
      removeFile(folder + name)
    }
  }

  /// What may stand before the number of the process, where a file is of parts of another.
  private static let parts: Set<Substring> = ["scratch", "stolpack", "stolimages"]

  /// The process that made a file with a name that ends so after the first dot, or nil where no stol
  /// makes such names: PID.tmp, PART.PID.tmp, one after the other, and what SQLite puts beside them.
  private static func owner(ofEnding ending: Substring) -> Int32? {
    var ending = ending
    if let journal = ["-journal", "-wal", "-shm"].first(where: ending.hasSuffix) {
      ending = ending.dropLast(journal.count)
    }
    var words = ending.split(separator: ".", omittingEmptySubsequences: false)[...]
    var owner: Int32?
    while let word = words.popFirst() {
      let number = parts.contains(word) ? words.popFirst() : word
      guard let number, let process = Int32(number), process > 0, String(process) == number,
        words.popFirst() == "tmp"
      else { return nil }
      owner = process
    }
    return owner
  }

  /// Removes all temporary files when the process is interrupted or told to end.
  ///
  /// For commands; a library leaves signals alone.
  package static func removeWhenInterrupted() {
    guard unsafe slots == nil else { return }
    // SAFETY: filled before any handler can run, and never freed.
    let fresh = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: slotCount)
    unsafe fresh.initialize(repeating: nil, count: slotCount)
    unsafe slots = fresh
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        // SAFETY: unlink, rmdir, signal and raise may be called from a handler; the slots exist.
        for slot in 0..<TemporaryFiles.slotCount {
          if let path = unsafe TemporaryFiles.slots?[slot] { unsafe unlink(path) }
        }
        // A folder is empty once its files are gone.
        for slot in 0..<TemporaryFiles.slotCount {
          if let path = unsafe TemporaryFiles.slots?[slot] { unsafe rmdir(path) }
        }
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// Whether a file, or the one that it lies beside, is noted.
  private static func isNoted(_ path: String) -> Bool {
    guard let slots = unsafe slots else { return false }
    for slot in 0..<slotCount {
      // SAFETY: the slot is within the allocation and holds nil or a NUL-terminated copy.
      guard let stored = unsafe slots[slot] else { continue }
      if unsafe path.hasPrefix(String(cString: stored)) { return true }
    }
    return false
  }

  /// Forgets a temporary file, or folder, that is gone.
  package static func forget(_ path: String) {
    guard let slots = unsafe slots else { return }
    for slot in 0..<slotCount {
      // SAFETY: the slot is within the allocation and holds nil or a NUL-terminated copy.
      guard let stored = unsafe slots[slot], unsafe String(cString: stored) == path else {
        continue
      }
      unsafe slots[slot] = nil
    }
  }
}

/// Makes what was written to the file at `path` durable.
package func synchronizeFile(_ path: String) throws(SystemError) {
  try Descriptor(opening: path, flags: O_RDONLY | O_NOFOLLOW).synchronize()
}

/// Makes the names in the folder of `path` durable.
package func synchronizeFolder(of path: String) throws(SystemError) {
  let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  try Descriptor(opening: folder, flags: O_RDONLY).synchronize()
}

/// Creates the folder at `path`, for its owner only, and those above it that are missing.
package func createFolder(_ path: String) throws(SystemError) {
  var end = path.startIndex
  while end < path.endIndex {
    end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
    // SAFETY: the path is a NUL-terminated copy for the length of the call.
    if unsafe mkdir(String(path[..<end]), 0o700) != 0, errno != EEXIST, errno != EISDIR {
      throw SystemError(operation: "create the folder", path: path, code: .last)
    }
  }
}

/// Whether two paths lead to the same file.
package func isSameFile(_ a: String, _ b: String) -> Bool {
  guard a != b, let identity = FileIdentity(path: a) else { return a == b }
  return identity == FileIdentity(path: b)
}
