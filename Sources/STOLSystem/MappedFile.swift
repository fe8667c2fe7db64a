#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A read-only mapping of a regular file, valid until the last reference goes away.
///
/// It stays valid when the file is renamed over or deleted.
@safe
package final class MappedFile: Sendable {
  // SAFETY: nil for an empty file; set once in `init`, never written through, unmapped in `deinit`.
  private nonisolated(unsafe) let start: UnsafeRawPointer?
  /// The length of the file when it was mapped.
  package let byteCount: Int

  /// Maps the file at `path`.
  ///
  /// - Complexity: O(1); pages are read on first touch.
  package init(path: String) throws(SystemError) {
    // To open a pipe would wait for its writer.
    let file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    byteCount = try file.regularFileByteCount()
    unsafe start = byteCount > 0 ? try file.map(byteCount: byteCount) : nil
  }

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
