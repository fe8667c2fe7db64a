import CDoor

/// The texts of a column, read in place: `stol_texts` of stol.h.
@safe
struct TextColumn: ~Escapable {
  private enum Layout {
    case offsets
    case views
  }

  let count: Int
  private let argument: Argument
  private let layout: Layout
  private let offsets: Offsets
  private let bytes: RawSpan
  private let views: RawSpan
  // SAFETY: `bufferCount` pointers and lengths, checked against NULL; the caller of the library keeps them
  // and what they point to during the call, which this value does not outlive.
  private let buffers: UnsafePointer<UnsafeRawPointer?>?
  private let bufferByteCounts: UnsafePointer<Int64>?
  private let bufferCount: Int
  private let validity: RawSpan
  private let firstBit: Int

  private static let viewByteCount = 16
  /// A text of so many bytes at most lies within its view.
  private static let shortByteCount = 12

  /// The column that a struct describes.
  @_lifetime(immortal)
  init(_ pointer: UnsafePointer<stol_texts>?, _ argument: Argument) throws(DoorError) {
    unsafe try self.init(argument.sized(pointer), argument)
  }

  /// The column that a struct describes whose size has been looked at.
  // SAFETY: the pointers of the struct are checked one by one.
  @_lifetime(immortal)
  init(_ texts: stol_texts, _ argument: Argument) throws(DoorError) {
    self.argument = argument
    count = unsafe try argument.count(texts.count)
    let noBytes = RawSpan()
    switch unsafe texts.layout {
    case 32, 64:
      layout = .offsets
      unsafe bytes = try argument.rawSpan(texts.bytes, argument.count(texts.byte_count))
      unsafe offsets = try Offsets(
        texts.offsets, bits: texts.layout, count: count, bound: texts.byte_count, argument)
      views = noBytes
      unsafe buffers = nil
      unsafe bufferByteCounts = nil
      bufferCount = 0
    case 128:
      layout = .views
      offsets = try Offsets(argument)
      bytes = noBytes
      unsafe views = try argument.rawSpan(texts.offsets, count * Self.viewByteCount)
      unsafe bufferCount = Int(texts.buffer_count)
      guard bufferCount >= 0 else { throw argument.wrong("has fewer than no buffers") }
      if bufferCount > 0 {
        unsafe buffers = try argument.checked(texts.buffers)
        unsafe bufferByteCounts = try argument.checked(texts.buffer_byte_counts)
      } else {
        unsafe buffers = nil
        unsafe bufferByteCounts = nil
      }
    default:
      throw unsafe argument.wrong("has layout \(texts.layout), not 32, 64 or 128")
    }
    firstBit = unsafe try argument.count(texts.validity_offset)
    if count > 0, unsafe texts.validity != nil {
      unsafe validity = try argument.rawSpan(texts.validity, (firstBit + count + 7) / 8)
    } else {
      validity = noBytes
    }
  }

  /// The bytes of a row; nil for a null and for what is not UTF-8.
  @_lifetime(copy self)
  func utf8(_ row: Int) throws(DoorError) -> Span<UInt8>? {
    guard let bytes = try raw(row) else { return nil }
    let text = Span<UInt8>(_bytes: bytes)
    return text.isUTF8 ? text : nil
  }

  /// The bytes of a row, UTF-8 or not; none for a null.
  @_lifetime(copy self)
  func bytes(_ row: Int) throws(DoorError) -> Span<UInt8> {
    guard let bytes = try raw(row) else { return Span() }
    return Span(_bytes: bytes)
  }

  /// The text of a row; nil for a null and for what is not UTF-8.
  @inline(__always)
  func string(_ row: Int) throws(DoorError) -> String? {
    guard let bytes = try raw(row) else { return nil }
    let isASCII = bytes.isASCII
    // SAFETY: any byte is a UInt8; the buffer is used within the closure only.
    return unsafe bytes.withUnsafeBytes { bytes in
      // Nothing is to be repaired in ASCII, and to validate it costs more than the rest.
      isASCII
        ? unsafe String(decoding: bytes, as: UTF8.self)
        : unsafe String(validating: bytes, as: UTF8.self)
    }
  }

  /// The bytes of a row; nil for a null.
  @inline(__always)
  @_lifetime(copy self)
  private func raw(_ row: Int) throws(DoorError) -> RawSpan? {
    guard isValid(row) else { return nil }
    switch layout {
    case .offsets: return bytes.extracting(try offsets.range(row))
    case .views: return try view(row)
    }
  }

  @inline(__always)
  private func isValid(_ row: Int) -> Bool {
    guard validity.byteCount > 0 else { return true }
    let bit = firstBit + row
    // SAFETY: bit < firstBit + count, for which `validity` has the bytes; the load checks it again.
    return unsafe validity.unsafeLoad(fromByteOffset: bit >> 3, as: UInt8.self) >> UInt8(bit & 7)
      & 1 == 1
  }

  /// What a view shows: a text within it, or a part of a buffer.
  @_lifetime(copy self)
  private func view(_ row: Int) throws(DoorError) -> RawSpan {
    let start = row * Self.viewByteCount
    // SAFETY: row < count, and `views` has 16 bytes for each; the loads check it again.
    let length = unsafe Int(views.unsafeLoadUnaligned(fromByteOffset: start, as: Int32.self))
    guard length >= 0 else { throw argument.wrong("has a view of length \(length) in row \(row)") }
    if length <= Self.shortByteCount {
      return views.extracting(start + 4..<start + 4 + length)
    }
    // SAFETY: as above.
    let number = unsafe Int(views.unsafeLoadUnaligned(fromByteOffset: start + 8, as: Int32.self))
    let offset = unsafe Int(views.unsafeLoadUnaligned(fromByteOffset: start + 12, as: Int32.self))
    guard number >= 0, number < bufferCount else {
      throw argument.wrong("has a view of buffer \(number) in row \(row)")
    }
    // SAFETY: number < bufferCount, and both arrays have so many elements.
    let byteCount = unsafe bufferByteCounts.unsafelyUnwrapped[number]
    guard offset >= 0, Int64(offset) + Int64(length) <= byteCount else {
      throw argument.wrong("has a view beyond its buffer in row \(row)")
    }
    guard let buffer = unsafe buffers.unsafelyUnwrapped[number] else {
      throw argument.wrong("has no buffer \(number)")
    }
    // SAFETY: the bytes lie within the buffer, by the length that the caller gives; they stay there during
    // the call, as `views` does.
    let bytes = unsafe RawSpan(_unsafeStart: buffer + offset, byteCount: length)
    return unsafe _overrideLifetime(bytes, copying: self)
  }
}

/// Offsets of 32 or 64 bits, of which row i lies between the i-th and the next.
struct Offsets: ~Escapable {
  /// The number of rows.
  let count: Int
  private let values: RawSpan
  private let isWide: Bool
  /// What no offset exceeds.
  private let bound: Int
  private let argument: Argument

  /// Offsets of no rows.
  @_lifetime(immortal)
  init(_ argument: Argument) throws(DoorError) {
    unsafe try self.init(nil, bits: 32, count: 0, bound: 0, argument)
  }

  /// One more than `count` offsets; of no rows there need be none.
  @_lifetime(immortal)
  init(
    _ start: UnsafeRawPointer?, bits: Int32, count: Int, bound: Int, _ argument: Argument
  ) throws(DoorError) {
    self.count = count
    self.bound = bound
    self.argument = argument
    isWide = bits == 64
    unsafe values = try argument.rawSpan(
      start, count > 0 ? (count + 1) * (isWide ? 8 : 4) : 0)
  }

  /// The elements of a row.
  ///
  /// - Throws: where its offsets descend, or lead before the first element or beyond the last.
  @inline(__always)
  func range(_ row: Int) throws(DoorError) -> Range<Int> {
    let lower = self[row]
    let upper = self[row + 1]
    guard lower >= 0, lower <= upper, upper <= bound else {
      throw wrong(row, lower, upper)
    }
    return lower..<upper
  }

  private func wrong(_ row: Int, _ lower: Int, _ upper: Int) -> DoorError {
    argument.wrong("has offsets \(lower) and \(upper) in row \(row), and \(bound) elements")
  }

  @inline(__always)
  private subscript(index: Int) -> Int {
    // SAFETY: index <= count, and there are count + 1 values; the loads check it again.
    isWide
      ? unsafe Int(values.unsafeLoadUnaligned(fromByteOffset: index * 8, as: Int64.self))
      : unsafe Int(values.unsafeLoadUnaligned(fromByteOffset: index * 4, as: Int32.self))
  }
}
