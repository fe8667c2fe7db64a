import CDoor

// What C passes in as pointers and lengths. Lengths are checked against what a span can hold, and pointers
// against NULL and the alignment of their elements; that so much memory is there, only the caller knows.

extension Argument {
  /// A number of elements, as a size_t that Swift has made signed.
  func count(_ count: Int, of stride: Int = 16) throws(DoorError) -> Int {
    guard count >= 0, count <= Int.max / stride / 2 else {
      throw wrong("is a number of elements that no memory holds")
    }
    return count
  }

  /// What a pointer to `count` elements has.
  ///
  /// The span lives as long as the memory, which its caller keeps during one call of the library.
  @_lifetime(immortal)
  @inline(__always)
  func span<Element: BitwiseCopyable>(
    _ start: UnsafePointer<Element>?, _ count: Int
  ) throws(DoorError) -> Span<Element> {
    let empty = Span<Element>()
    guard count > 0 else { return empty }
    let start = unsafe try checked(start)
    // SAFETY: not NULL and aligned, checked above; the caller of the library states that `count` elements
    // stay there during the call, which no span outlives.
    let span = unsafe Span(_unsafeStart: start, count: count)
    return unsafe _overrideLifetime(span, copying: ())
  }

  /// Memory for `count` elements to be written to.
  @_lifetime(immortal)
  @inline(__always)
  func mutableSpan<Element: BitwiseCopyable>(
    _ start: UnsafeMutablePointer<Element>?, _ count: Int, isOptional: Bool = false
  ) throws(DoorError) -> MutableSpan<Element> {
    guard count > 0, unsafe !(isOptional && start == nil) else {
      let empty = MutableSpan<Element>()
      return unsafe _overrideLifetime(empty, copying: ())
    }
    _ = unsafe try checked(UnsafePointer(start))
    // SAFETY: as in `span`; the caller also states that nothing else is there.
    let span = unsafe MutableSpan(_unsafeStart: start.unsafelyUnwrapped, count: count)
    return unsafe _overrideLifetime(span, copying: ())
  }

  /// The bytes from a pointer on, whatever its alignment.
  @_lifetime(immortal)
  func rawSpan(_ start: UnsafeRawPointer?, _ count: Int) throws(DoorError) -> RawSpan {
    guard count > 0 else { return RawSpan() }
    guard let start = unsafe start else { throw wrong("is NULL") }
    // SAFETY: as in `span`; bytes have no alignment.
    let span = unsafe RawSpan(_unsafeStart: start, byteCount: count)
    return unsafe _overrideLifetime(span, copying: ())
  }

  /// The text of a C string; nil for NULL.
  func text(_ start: UnsafePointer<CChar>?) throws(DoorError) -> String? {
    guard let start = unsafe start else { return nil }
    // SAFETY: the caller of the library states that the text ends with NUL.
    guard let text = unsafe String(validatingCString: start) else { throw wrong("is not UTF-8") }
    return text
  }

  /// The text of a C string that must be there.
  func requiredText(_ start: UnsafePointer<CChar>?) throws(DoorError) -> String {
    guard let text = unsafe try text(start) else { throw wrong("is NULL") }
    return text
  }

  /// A pointer that is not NULL, and aligned.
  @inline(__always)
  func checked<Element>(
    _ start: UnsafePointer<Element>?
  ) throws(DoorError) -> UnsafePointer<Element> {
    guard let start = unsafe start else { throw wrong("is NULL") }
    guard Int(bitPattern: start) % MemoryLayout<Element>.alignment == 0 else {
      throw wrong("is not aligned")
    }
    return unsafe start
  }

  /// Where a value is to be written.
  func place<Element>(
    _ start: UnsafeMutablePointer<Element>?
  ) throws(DoorError) -> UnsafeMutablePointer<Element> {
    // SAFETY: only the address is looked at.
    _ = unsafe try checked(UnsafePointer(start))
    return unsafe start.unsafelyUnwrapped
  }

  /// A struct that begins with its size: what of it the library knows.
  ///
  /// - Throws: where it is shorter, or has anything but zeros beyond.
  func sized<Struct: BitwiseCopyable>(
    _ start: UnsafePointer<Struct>?
  ) throws(DoorError) -> Struct {
    let start = unsafe try checked(start)
    let known = MemoryLayout<Struct>.size
    // SAFETY: each of these structs begins with a size_t, and the caller states that it is there.
    let size = unsafe UnsafeRawPointer(start).load(as: Int.self)
    guard size >= known, size <= Self.greatestSize else {
      throw wrong("has size \(UInt(bitPattern: size)), not \(known)")
    }
    let bytes = unsafe try rawSpan(UnsafeRawPointer(start), size)
    for offset in known..<size {
      // SAFETY: offset < size, the length of the span; a byte is valid whatever its bits.
      guard unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) == 0 else {
        throw wrong("has fields that this version does not know")
      }
    }
    return unsafe start.pointee
  }

  /// No later version will have larger structs.
  static let greatestSize = 4096
}

extension RawSpan {
  /// Whether no byte is above 0x7F.
  var isASCII: Bool {
    var offset = 0
    var bits: UInt64 = 0
    while offset &+ 8 <= byteCount {
      // SAFETY: offset + 8 <= byteCount; a number is valid whatever its bits.
      bits |= unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < byteCount {
      // SAFETY: offset < byteCount.
      bits |= unsafe UInt64(unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}

extension Span<UInt8> {
  /// Whether these bytes are UTF-8, which most texts are by being ASCII.
  // SAFETY: bytes are bytes.
  var isUTF8: Bool { unsafe bytes.isASCII || validText != nil }

  /// A copy.
  var array: [UInt8] {
    // SAFETY: the buffer is used within the closure only.
    unsafe withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Whether any character of a text in UTF-8 is not a space.
  var hasVisibleCharacter: Bool { validText?.contains { !$0.isWhitespace } ?? false }

  /// The text, with U+FFFD for what is not UTF-8.
  var text: String {
    // SAFETY: the buffer is used within the closure only.
    unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The text; nil where it is not UTF-8.
  var validText: String? {
    // SAFETY: the buffer is used within the closure only.
    unsafe withUnsafeBufferPointer { unsafe String(validating: $0, as: UTF8.self) }
  }
}
