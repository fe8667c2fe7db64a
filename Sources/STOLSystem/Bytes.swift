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

  /// Appends bytes that are there already.
  ///
  /// - Precondition: the range is one of this array.
  package mutating func appendAgain(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let start = count
    append(contentsOf: repeatElement(0, count: range.count))
    // SAFETY: the range ends before `start`, and as many bytes follow that.
    unsafe withUnsafeMutableBytes { block in
      guard let base = block.baseAddress else { return }
      unsafe memcpy(base + start, base + range.lowerBound, range.count)
    }
  }

  /// Appends the bytes of a number, the lowest first.
  ///
  /// - Precondition: `count` is 8 at most.
  package mutating func append(bytesOf number: UInt64, count: Int) {
    precondition(count >= 0 && count <= 8)
    // SAFETY: the number has 8 bytes.
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { bytes in
      unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }
}
