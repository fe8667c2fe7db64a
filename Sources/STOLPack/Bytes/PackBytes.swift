/// Memory that never changes and stays where it is while its owner lives.
package protocol ImmutableMemory: AnyObject, Sendable {
  /// All of it: the same bytes at the same place each time.
  var bytes: RawSpan { @_lifetime(borrow self) get }
  /// Whether nothing is known to have written over it all the same.
  var isUnchanged: Bool { get }
}

extension ImmutableMemory {
  package var isUnchanged: Bool { true }
}

/// The bytes of one pack: those of a mapped file, or a copy.
///
/// They live until the last reference goes away.
@safe
public final class PackBytes: Sendable {
  // SAFETY: set once in `init`, never written through; `owner` keeps a mapping in place, a copy is
  // released in `deinit` only.
  private nonisolated(unsafe) let start: UnsafeRawPointer
  private let owner: (any ImmutableMemory)?
  /// The number of bytes.
  public let byteCount: Int

  /// The bytes of `owner`.
  package init(of owner: any ImmutableMemory) {
    byteCount = owner.bytes.byteCount
    // SAFETY: the memory stays in place while `owner` lives, which this object keeps; nothing of an
    // empty span is ever read.
    unsafe start =
      owner.bytes.withUnsafeBytes { $0.baseAddress }
      ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    self.owner = owner
  }

  /// Copies `bytes` into a heap block of exactly their size, aligned as a mapping would be.
  public init(copying bytes: [UInt8]) {
    byteCount = bytes.count
    owner = nil
    // SAFETY: the block holds byteCount bytes, all of them filled before the pointer is kept.
    let block = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(bytes.count, 1), alignment: Layout.alignment)
    unsafe block.copyBytes(from: bytes)
    unsafe start = UnsafeRawPointer(block.baseAddress.unsafelyUnwrapped)
  }

  deinit {
    // SAFETY: the only release of what `init(copying:)` acquired; no span outlives its borrow of self.
    if owner == nil { unsafe UnsafeMutableRawPointer(mutating: start).deallocate() }
  }

  /// Whether the file that was mapped has not been written over since, up to some milliseconds; true for a
  /// copy.
  ///
  /// - Complexity: O(1), at times a call of the system
  public var isUnchanged: Bool { owner?.isUnchanged ?? true }

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
