#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Synchronization

/// A read-only mapping of a regular file, valid until the last reference goes away.
///
/// It stays valid when the file is renamed over or deleted.
@safe
package final class MappedFile: Sendable {
  // SAFETY: nil for an empty file; set once in `init`, never written through, unmapped in `deinit`.
  private nonisolated(unsafe) let start: UnsafeRawPointer?
  /// The length of the file when it was mapped.
  package let byteCount: Int
  private let watch: FileWatch?

  /// Maps the file at `path`; one that is watched stays open, so that `isUnchanged` can tell.
  ///
  /// - Complexity: O(1); pages are read on first touch.
  package init(path: String, isWatched: Bool = false) throws(SystemError) {
    // To open a pipe would wait for its writer.
    let file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    byteCount = try file.regularFileByteCount()
    unsafe start = byteCount > 0 ? try file.map(byteCount: byteCount) : nil
    watch = isWatched ? try FileWatch(consume file) : nil
  }

  /// Whether the file has the length and the time of its last change that it had when it was mapped; true
  /// where it is not watched.
  ///
  /// One that is renamed over or deleted has both. One that is written over has not, and its pages may be
  /// gone: to read such ends the process. The file is looked at once in some milliseconds.
  ///
  /// - Complexity: O(1), at times a call of the system
  package var isUnchanged: Bool { watch?.isUnchanged ?? true }

  deinit {
    // SAFETY: the only release of what `init` acquired; no span outlives its borrow of self.
    if let start = unsafe start {
      unsafe munmap(UnsafeMutableRawPointer(mutating: start), byteCount)
    }
  }

  /// All bytes, valid while `self` is borrowed.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      // SAFETY: the memory is immutable and lives as long as self, which the span borrows.
      guard let start = unsafe start else { return RawSpan() }
      let span = unsafe RawSpan(_unsafeStart: start, byteCount: byteCount)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}

/// An open file, and what it was when it was opened.
private final class FileWatch: Sendable {
  private let file: Descriptor
  private let state: FileState
  /// The tick of the clock at which the file was looked at last.
  private let lastTick = Atomic<Int>(.min)

  init(_ file: consuming Descriptor) throws(SystemError) {
    state = try file.state()
    self.file = file
  }

  /// Looks once a tick of the clock, some milliseconds: the system takes as long as a short question.
  var isUnchanged: Bool {
    let tick = clockTick()
    if lastTick.load(ordering: .relaxed) == tick { return true }
    guard (try? file.state()) == state else { return false }
    lastTick.store(tick, ordering: .relaxed)
    return true
  }
}

extension RawSpan {
  /// Asks the system to read these bytes of a mapping from disk now, for most of them will be needed.
  ///
  /// - Complexity: O(1); it does not wait for them.
  package func prefetch() {
    unsafe withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, byteCount > 0 else { return }
      let offset = Int(bitPattern: start) & (Int(getpagesize()) - 1)
      // SAFETY: advice changes no memory; from the beginning of a page to the end of the span.
      unsafe madvise(
        UnsafeMutableRawPointer(mutating: start - offset), byteCount + offset, Int32(MADV_WILLNEED))
    }
  }
}
