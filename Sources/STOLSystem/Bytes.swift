#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension [UInt8] {
  /// Where a byte comes first, from a place on.
  ///
  /// - Complexity: O(distance); many bytes are looked at at once.
  package func firstPlace(of byte: UInt8, from start: Int) -> Int? {
    guard start >= 0, start < count else { return nil }
    return unsafe withUnsafeBytes { block in
      // SAFETY: start < count, so what is looked at stays inside the block, and so does what is found.
      guard let base = block.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), block.count - start)
      else { return nil }
      return unsafe base.distance(to: UnsafeRawPointer(found))
    }
  }
}
