import STOLSystem

#if canImport(CryptoKit)
private typealias SecretMemory = SecretPages
#else
private typealias SecretMemory = SodiumMemory
#endif

/// Bytes that must not leak: in memory of their own between guard pages, kept out of swap where the
/// system allows it, and wiped when the last reference goes away.
@safe
public final class SecretBytes: Sendable, CustomStringConvertible, CustomReflectable {
  // SAFETY: allocated and filled in `init`, only read afterwards, released in `deinit`.
  private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
  /// The number of bytes.
  public let count: Int

  /// `count` bytes that `fill` writes; nil if it returns false, or if memory runs out.
  init?(count: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Bool) {
    // SAFETY: a fresh block of at least one byte, which nobody else knows.
    guard let block = unsafe SecretMemory.allocate(max(count, 1)) else { return nil }
    unsafe start = block.assumingMemoryBound(to: UInt8.self)
    self.count = count
    guard unsafe fill(start) else { return nil }
  }

  /// Moves `bytes` here, which are wiped where they were; nil if memory runs out.
  public convenience init?(moving bytes: inout [UInt8]) {
    defer { Self.wipe(&bytes) }
    unsafe self.init(count: bytes.count) { block in
      // SAFETY: the block has the length of the array.
      unsafe block.update(from: bytes, count: bytes.count)
      return true
    }
  }

  /// Overwrites bytes that held a part of a secret with zeros that no optimiser removes, and empties
  /// the array.
  public static func wipe(_ bytes: inout [UInt8]) {
    let byteCount = bytes.count
    // SAFETY: the array is written for its own length.
    unsafe SecretMemory.wipe(&bytes, byteCount)
    bytes.removeAll()
  }

  deinit {
    // SAFETY: the counterpart of `init`, with the same length; it wipes first.
    unsafe SecretMemory.free(start, max(count, 1))
  }

  /// Calls `body` with the bytes, which must not be kept.
  func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    // SAFETY: the block is alive while self is.
    unsafe body(UnsafePointer(start))
  }

  /// One of them.
  package func byte(at index: Int) -> UInt8 {
    precondition((0..<count).contains(index))
    return unsafe withBytes { unsafe $0[index] }
  }

  /// Their number only.
  public var description: String { "\(count) secret bytes" }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
