import CZlib
public import STOLSystem

/// Why compressed bytes could not be read.
public enum GzipError: StolError, Equatable {
  /// The stream ends inside a member.
  case truncated
  /// The bytes are no gzip stream, or its checksum is wrong.
  case corrupt(String)
  /// Something follows the one member that was expected.
  case trailingBytes

  /// What kind of trouble it is.
  public var kind: ErrorKind { .damaged }

  /// One line.
  public var description: String {
    switch self {
    case .truncated: "the gzip stream ends too early"
    case .corrupt(let reason): "not a valid gzip stream (\(reason))"
    case .trailingBytes: "something follows the gzip stream"
    }
  }
}

/// Decompresses a gzip stream of one or more members, a chunk at a time.
///
/// Memory: 40 KB of zlib's and the chunk.
@safe
public struct GzipDecoder: ~Copyable {
  // SAFETY: allocated and released here only, never copied: zlib keeps its address.
  private let stream: UnsafeMutablePointer<z_stream>
  private let isSingleMember: Bool
  private var isInsideMember = false
  private var isMemberRead = false

  /// A decoder at the start of a stream.
  ///
  /// - Parameter singleMember: whether the stream must have exactly one member.
  /// - Throws: `GzipError` if memory runs out.
  public init(singleMember: Bool = false) throws(GzipError) {
    isSingleMember = singleMember
    // SAFETY: one zeroed z_stream, as inflateInit2 asks for.
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe stol_inflate_init_gzip(stream) == Z_OK else {
      unsafe stream.deallocate()
      throw .corrupt("zlib cannot start")
    }
  }

  deinit {
    // SAFETY: the counterpart of `init`.
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Decompresses `input` and gives each piece of output to `body`.
  public mutating func decode(_ input: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
    var offset = 0
    while offset < input.count {
      if isMemberRead && isSingleMember { throw GzipError.trailingBytes }
      // SAFETY: the stream is initialised.
      let (output, status) = unsafe stream.step(input, &offset) { unsafe inflate($0, Z_NO_FLUSH) }
      if !output.isEmpty { try body(output) }
      switch status {
      case Z_OK, Z_BUF_ERROR: isInsideMember = true
      case Z_STREAM_END:
        isInsideMember = false
        isMemberRead = true
        // SAFETY: the stream is initialised.
        guard unsafe inflateReset(stream) == Z_OK else { throw GzipError.corrupt("reset") }
      default: throw GzipError.corrupt("zlib code \(status)")
      }
    }
  }

  /// Says that no input follows.
  public func finish() throws(GzipError) {
    if isInsideMember || isSingleMember && !isMemberRead { throw .truncated }
  }
}

/// How much comes out of zlib at once, at most.
let gzipChunkByteCount = 1 << 16

extension UnsafeMutablePointer<z_stream> {
  /// One call of zlib's, which reads `input` from `offset` on.
  func step(
    _ input: [UInt8], _ offset: inout Int, _ call: (UnsafeMutablePointer<z_stream>) -> CInt
  ) -> (output: [UInt8], status: CInt) {
    var status = Z_OK
    let available = input.count - offset
    // SAFETY: zlib reads `available` bytes from offset on and writes at most one chunk.
    let output = unsafe input.withUnsafeBufferPointer { source in
      unsafe pointee.next_in = UnsafeMutablePointer<UInt8>(
        mutating: source.baseAddress.map { unsafe $0 + offset })
      unsafe pointee.avail_in = UInt32(available)
      return unsafe [UInt8](unsafeUninitializedCapacity: gzipChunkByteCount) { block, filled in
        unsafe pointee.next_out = block.baseAddress
        unsafe pointee.avail_out = UInt32(gzipChunkByteCount)
        status = unsafe call(self)
        filled = unsafe gzipChunkByteCount - Int(pointee.avail_out)
      }
    }
    offset += unsafe available - Int(pointee.avail_in)
    return (output, status)
  }
}
