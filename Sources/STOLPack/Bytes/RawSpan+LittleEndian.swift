/// Reads of little-endian integers that never leave the span: what lies outside reads as zero.
///
/// These are the only loads from the bytes of a pack.
extension RawSpan {
  /// The 64 bits at `offset`, or 0 if fewer than 8 bytes are there.
  @inline(__always)
  func uint64(at offset: Int) -> UInt64 {
    guard offset >= 0, offset <= byteCount &- 8 else { return 0 }
    // SAFETY: 0 <= offset <= byteCount - 8, checked above.
    return unsafe UInt64(
      littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The 64 bits at `offset`, for columns that have checked their length once.
  ///
  /// - Precondition: `0 <= offset <= byteCount - 8`.
  @unsafe @inline(__always)
  func uncheckedUInt64(at offset: Int) -> UInt64 {
    // SAFETY: the caller's, as stated.
    unsafe UInt64(
      littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The 32 bits at `offset`, or 0 if fewer than 4 bytes are there.
  @inline(__always)
  func uint32(at offset: Int) -> UInt32 {
    guard offset >= 0, offset <= byteCount &- 4 else { return 0 }
    // SAFETY: 0 <= offset <= byteCount - 4, checked above.
    return unsafe UInt32(
      littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }

  /// Four times 32 bits from `offset` on, or zeros if fewer than 16 bytes are there.
  @inline(__always)
  func fourUInt32(at offset: Int) -> SIMD4<UInt32> {
    guard offset >= 0, offset <= byteCount &- 16 else { return .zero }
    // SAFETY: 0 <= offset <= byteCount - 16, checked above.
    let four = unsafe unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset, as: SIMD4<UInt32>.self)
    #if _endian(big)
    return SIMD4(four.x.byteSwapped, four.y.byteSwapped, four.z.byteSwapped, four.w.byteSwapped)
    #else
    return four
    #endif
  }

  /// Whether the 64 bytes at `offset` are there and all zero.
  @inline(__always)
  func areZero(sixtyFourAt offset: Int) -> Bool {
    guard offset >= 0, offset <= byteCount &- 64 else { return false }
    // SAFETY: 0 <= offset <= byteCount - 64, checked above.
    let all = unsafe unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset, as: SIMD8<UInt64>.self)
    let four = all.lowHalf | all.highHalf
    let two = four.lowHalf | four.highHalf
    return two.x | two.y == 0
  }

  /// The byte at `offset`, or 0 outside the span.
  @inline(__always)
  func uint8(at offset: Int) -> UInt8 {
    guard offset >= 0, offset < byteCount else { return 0 }
    // SAFETY: 0 <= offset < byteCount, checked above.
    return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// `count` bytes from `offset` on, from one to seven, the first one lowest and zeros above them; those
  /// outside of the span read as zeros.
  @inline(__always)
  func few(at offset: Int, _ count: Int) -> UInt64 {
    let unwanted = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    if offset >= 0, offset <= byteCount &- 8 {
      return (uint64(at: offset) &<< unwanted) &>> unwanted
    }
    let end = offset &+ count
    if end >= 8, end <= byteCount { return uint64(at: end &- 8) &>> unwanted }
    var value: UInt64 = 0
    for index in 0..<count {
      value |= UInt64(uint8(at: offset &+ index)) &<< UInt64(truncatingIfNeeded: 8 &* index)
    }
    return value
  }

  /// The bytes of `range`, cut to what is there.
  @_lifetime(copy self)
  func clamped(_ range: Range<Int>) -> RawSpan {
    let lower = Swift.max(0, Swift.min(range.lowerBound, byteCount))
    let upper = Swift.max(lower, Swift.min(range.upperBound, byteCount))
    return extracting(lower..<upper)
  }

  /// A copy of all bytes as text, ill-formed sequences repaired.
  func text() -> String {
    // SAFETY: the buffer is read inside the call only.
    unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

extension UInt64 {
  /// Eight times the same byte.
  @inline(__always)
  static func bytes(_ byte: UInt64) -> UInt64 { 0x0101_0101_0101_0101 &* byte }
}

extension Int {
  /// A number of a pack as an index; what is too great for an index of 32 bits reads as the greatest.
  @inline(__always)
  init(stored value: UInt64) {
    #if _pointerBitWidth(_64)
    self.init(truncatingIfNeeded: value)
    #else
    self.init(clamping: value)
    #endif
  }

  /// As above.
  @inline(__always)
  init(stored value: UInt32) { self.init(stored: UInt64(value)) }
}

extension [UInt8] {
  /// Appends all of `bytes`.
  mutating func append(contentsOf bytes: RawSpan) {
    // SAFETY: the buffer is read inside the call only.
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// All elements as raw bytes.
  var rawSpan: RawSpan {
    @_lifetime(borrow self)
    get {
      let elements = span
      // SAFETY: bytes have no padding, and the span borrows self.
      return unsafe _overrideLifetime(elements.bytes, borrowing: self)
    }
  }
}

extension Span<UInt8> {
  /// All elements as raw bytes.
  var rawSpan: RawSpan {
    @_lifetime(copy self)
    // SAFETY: bytes have no padding.
    get { unsafe bytes }
  }
}

extension String {
  /// Gives `body` the UTF-8 of the text, without copying it where it is contiguous already.
  func withUTF8Span<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    var text = self
    return text.withUTF8 {
      // SAFETY: the span is used inside the call only.
      unsafe body(Span(_unsafeElements: $0))
    }
  }
}
