#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The bytes of one pack: a read-only mapping of a file, or an owned copy.
///
/// They live until the last reference goes away. A mapping stays valid when the file is renamed over
/// or deleted; stol never truncates a pack in place.
@safe
public final class PackBytes: Sendable {
  // SAFETY: set once in `init`, never written through, released only in `deinit`.
  private nonisolated(unsafe) let start: UnsafeRawPointer
  private let isMapping: Bool
  /// The number of bytes.
  public let byteCount: Int

  /// Maps the file at `path`.
  ///
  /// - Throws: `PackError.system` if a system call fails, `PackError.truncated` if the file is empty.
  /// - Complexity: O(1); pages are read on first touch.
  public init(path: String) throws(PackError) {
    let file = try Descriptor(opening: path, flags: O_RDONLY)
    byteCount = try file.regularFileByteCount()
    guard byteCount > 0 else {
      throw .truncated(section: "header", need: Layout.headerByteCount, got: 0)
    }
    unsafe start = try file.map(byteCount: byteCount)
    isMapping = true
  }

  /// Copies `bytes` into a heap block of exactly their size, aligned as a mapping would be.
  public init(copying bytes: [UInt8]) {
    byteCount = bytes.count
    isMapping = false
    // SAFETY: the block holds byteCount bytes, all of them filled before the pointer is kept.
    let block = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(bytes.count, 1), alignment: Layout.alignment)
    unsafe block.copyBytes(from: bytes)
    unsafe start = UnsafeRawPointer(block.baseAddress.unsafelyUnwrapped)
  }

  deinit {
    // SAFETY: the only release of what `init` acquired; no span outlives its borrow of self.
    if isMapping {
      unsafe munmap(UnsafeMutableRawPointer(mutating: start), byteCount)
    } else {
      unsafe UnsafeMutableRawPointer(mutating: start).deallocate()
    }
  }

  /// All bytes, valid while `self` is borrowed.
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      // SAFETY: the memory is immutable and lives as long as self, which the span borrows.
      let span = unsafe RawSpan(_unsafeStart: start, byteCount: byteCount)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}
