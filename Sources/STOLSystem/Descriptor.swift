#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file descriptor that closes itself, with the few calls this module needs.
///
/// Every call is repeated when a signal interrupts it.
struct Descriptor: ~Copyable {
  let number: CInt
  private let path: String

  init(
    opening path: String, flags: CInt, mode: mode_t = 0, reportingAs shownPath: String? = nil
  ) throws(SystemError) {
    let shownPath = shownPath ?? path
    var fd: CInt
    repeat {
      // SAFETY: the path is a NUL-terminated copy for the length of the call.
      fd = unsafe open(path, flags | O_CLOEXEC, mode)
    } while fd < 0 && errno == EINTR
    guard fd >= 0 else { throw SystemError(operation: "open", path: shownPath, code: .last) }
    number = fd
    self.path = shownPath
  }

  /// Another number for a file that is open already.
  init(duplicating open: CInt, path: String) throws(SystemError) {
    let fd = fcntl(open, F_DUPFD_CLOEXEC, 0)
    guard fd >= 0 else { throw SystemError(operation: "open", path: path, code: .last) }
    number = fd
    self.path = path
  }

  deinit { close(number) }

  /// The length of the regular file, in bytes.
  func regularFileByteCount() throws(SystemError) -> Int {
    var status = stat()
    // SAFETY: fstat fills the structure, which outlives the call.
    guard unsafe fstat(number, &status) == 0 else { throw failure("fstat") }
    let kind = FileKind(mode: status.st_mode)
    guard kind == .file else {
      throw SystemError(
        operation: "open", path: path, code: kind == .folder ? .isFolder : .invalidArgument)
    }
    return Int(status.st_size)
  }

  /// The length of the file, and when it was changed last.
  func state() throws(SystemError) -> FileState {
    var status = stat()
    // SAFETY: fstat fills the structure, which outlives the call.
    guard unsafe fstat(number, &status) == 0 else { throw failure("fstat") }
    #if canImport(Darwin)
    let changed = status.st_mtimespec
    #else
    let changed = status.st_mtim
    #endif
    return FileState(
      byteCount: Int(status.st_size), seconds: Int(changed.tv_sec),
      nanoseconds: Int(changed.tv_nsec))
  }

  /// Maps the first `byteCount` bytes, read-only.
  func map(byteCount: Int) throws(SystemError) -> UnsafeRawPointer {
    // SAFETY: a fresh private read-only mapping; the caller owns and unmaps it.
    let base = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, number, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { throw failure("mmap") }
    // A lookup needs a few pages here and there: what a disk reads ahead around each of them would
    // be most of the file, and memory that a small device lacks. Only advice, so errors are none.
    unsafe madvise(base, byteCount, Int32(MADV_RANDOM))
    return UnsafeRawPointer(base)
  }

  /// Writes all of `bytes` at `offset`, or, for nil, where the last write ended.
  func write(_ bytes: Span<UInt8>, at offset: Int?) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        // SAFETY: done < count, so the rebased pointer stays inside the buffer.
        let rest = unsafe buffer.baseAddress.map { unsafe $0 + done }
        guard let offset else { return unsafe systemWrite(number, rest, buffer.count - done) }
        return unsafe pwrite(number, rest, buffer.count - done, off_t(offset + done))
      }
      if count < 0 {
        guard errno == EINTR else { throw failure("write") }
      } else {
        done += count
      }
    }
  }

  /// The bytes from `offset` on, `limit` of them unless the file ends before.
  func bytes(at offset: Int, limit: Int) throws(SystemError) -> [UInt8] {
    var count = 0
    var failure: CInt = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(limit, 0)) { block, filled in
      while count < limit {
        // SAFETY: count < limit, so the rebased pointer and the length stay inside the block.
        let got = unsafe pread(
          number, block.baseAddress.map { unsafe $0 + count }, limit - count,
          off_t(offset + count))
        if got < 0 {
          if errno == EINTR { continue }
          failure = errno
          break
        }
        if got == 0 { break }
        count += got
      }
      filled = count
    }
    guard failure == 0 else {
      throw SystemError(operation: "read", path: path, code: SystemErrorCode(rawValue: failure))
    }
    return bytes
  }

  /// Makes what was written durable.
  func synchronize() throws(SystemError) {
    while fsync(number) != 0 {
      guard errno == EINTR else { throw failure("fsync") }
    }
  }

  /// Gives back the page cache of a file that has just been written.
  ///
  /// What a writer leaves there are folios of many pages, and a reader that touches one page of a
  /// folio gets all of it mapped: 5 MB for a lookup that needs 80 KB. Read again, a page at a time
  /// comes in.
  func releaseCache() {
    #if os(Linux)
    _ = posix_fadvise(number, 0, 0, Int32(POSIX_FADV_DONTNEED))
    #endif
  }

  private func failure(_ operation: String) -> SystemError {
    SystemError(operation: operation, path: path, code: .last)
  }
}

/// What tells that a file was written to: its length, and the time of its last change.
struct FileState: Equatable, Sendable {
  let byteCount: Int
  let seconds: Int
  let nanoseconds: Int
}

/// What lies at a path, or in an archive.
package enum FileKind: Sendable {
  case file, folder, link, other

  /// The kind that the bits of `st_mode` state.
  package init(mode: some BinaryInteger) {
    self =
      switch mode_t(truncatingIfNeeded: mode) & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
  }
}

/// Checks that a regular file is at `path` and can be read.
package func requireReadableFile(_ path: String) throws(SystemError) {
  _ = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY).regularFileByteCount()
}

/// Moves a file over another one, atomically.
func renameFile(_ from: String, to path: String) throws(SystemError) {
  // SAFETY: both paths are NUL-terminated copies for the length of the call.
  guard unsafe rename(from, path) == 0 else {
    throw SystemError(operation: "rename", path: path, code: .last)
  }
}

/// Removes a file; one that is gone already is no error.
func removeFile(_ path: String) {
  // SAFETY: the path is a NUL-terminated copy for the length of the call.
  _ = unsafe unlink(path)
}

/// The number of this process, to name temporary files with.
package func processNumber() -> Int { Int(getpid()) }

/// Whether a process with this number is there, whosever it is.
package func isProcessAlive(_ number: Int32) -> Bool { kill(number, 0) == 0 || errno == EPERM }

/// `read`, where a method of that name would hide it.
func systemRead(_ number: CInt, _ block: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  // SAFETY: the caller owns `count` bytes at `block`.
  unsafe read(number, block, count)
}

/// `write`, where a method of that name would hide it.
func systemWrite(_ number: CInt, _ block: UnsafeRawPointer?, _ count: Int) -> Int {
  // SAFETY: the caller owns `count` bytes at `block`.
  unsafe write(number, block, count)
}

/// The time on a clock that costs little to read, and moves on once in some milliseconds.
func clockTick() -> Int {
  var time = timespec()
  #if canImport(Darwin)
  let clock = CLOCK_MONOTONIC_RAW_APPROX
  #else
  let clock = CLOCK_MONOTONIC_COARSE
  #endif
  // SAFETY: clock_gettime fills the structure, which outlives the call.
  unsafe clock_gettime(clock, &time)
  return Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
}

/// The value of an environment variable, or nil where it is unset or empty.
///
/// Foundation's dictionary of the whole environment costs a one-shot command a millisecond.
package func environmentValue(_ name: String) -> String? {
  // SAFETY: the name is a NUL-terminated copy; the value is copied before anything can change it.
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(cString: value)
  return text.isEmpty ? nil : text
}

/// Whether this user may make files in the folder at `path`, and its disk is not read-only.
package func canWrite(inFolder path: String) -> Bool { canWrite(path) }

/// Whether this user may write into what is at `path`, and its disk is not read-only.
package func canWrite(_ path: String) -> Bool {
  // SAFETY: the path is a NUL-terminated copy for the length of the call.
  unsafe access(path, W_OK) == 0
}

/// Whether something is at `path`, where this user may know.
///
/// - Throws: `SystemError` where it cannot be said, as in a folder that this user may not look into.
package func isPresent(_ path: String) throws(SystemError) -> Bool {
  // SAFETY: the path is a NUL-terminated copy for the length of the call.
  guard unsafe access(path, F_OK) != 0 else { return true }
  let code = SystemErrorCode.last
  guard code == .noSuchFile || code == SystemErrorCode(rawValue: ENOTDIR) else {
    throw SystemError(operation: "look for", path: path, code: code)
  }
  return false
}

/// Whether something is at `path`, as far as this user may know.
package func fileExists(_ path: String) -> Bool {
  // SAFETY: the path is a NUL-terminated copy for the length of the call.
  unsafe access(path, F_OK) == 0
}
