import CZlib

/// Compresses to a gzip stream of one member, a chunk at a time; the same input gives the same bytes.
///
/// The header states no time, no name, and an unknown operating system.
@safe
public struct GzipEncoder: ~Copyable {
  // SAFETY: allocated and released here only, never copied: zlib keeps the addresses of all three.
  private let stream: UnsafeMutablePointer<z_stream>
  private let header: UnsafeMutablePointer<gz_header>
  private let extraField: UnsafeMutableBufferPointer<UInt8>

  /// The greatest length of an extra field.
  public static let extraFieldLimit = Int(UInt16.max)

  /// An encoder at the start of a stream.
  ///
  /// - Parameters:
  ///   - level: 1, fast, to 9, small.
  ///   - extraField: the extra field of the header, RFC 1952 section 2.3.1.1; none if it is empty.
  /// - Throws: `GzipError` if memory runs out.
  /// - Precondition: `extraField` has at most `extraFieldLimit` bytes.
  public init(level: Int, extraField: [UInt8] = []) throws(GzipError) {
    precondition(extraField.count <= Self.extraFieldLimit)
    // SAFETY: a zeroed z_stream and gz_header, as deflateInit2 and deflateSetHeader ask for.
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe header = .allocate(capacity: 1)
    unsafe header.initialize(to: gz_header())
    unsafe self.extraField = .allocate(capacity: extraField.count)
    _ = unsafe self.extraField.initialize(from: extraField)
    unsafe header.pointee.os = 255
    if !extraField.isEmpty {
      unsafe header.pointee.extra = self.extraField.baseAddress
      unsafe header.pointee.extra_len = UInt32(extraField.count)
    }
    guard unsafe stol_deflate_init_gzip(stream, CInt(level)) == Z_OK,
      unsafe deflateSetHeader(stream, header) == Z_OK
    else {
      // SAFETY: deflateEnd accepts a stream that could not be started.
      unsafe deflateEnd(stream)
      unsafe stream.deallocate()
      unsafe header.deallocate()
      unsafe self.extraField.deallocate()
      throw .corrupt("zlib cannot start")
    }
  }

  deinit {
    // SAFETY: the counterpart of `init`.
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
    unsafe header.deallocate()
    unsafe extraField.deallocate()
  }

  /// Compresses `input` and gives what comes out to `body`, a piece at a time.
  public mutating func encode(_ input: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
    try run(input, Z_NO_FLUSH, body)
  }

  /// Ends the stream.
  public consuming func finish(_ body: ([UInt8]) throws -> Void) throws {
    try run([], Z_FINISH, body)
  }

  private func run(
    _ input: [UInt8], _ flush: CInt, _ body: ([UInt8]) throws -> Void
  ) throws {
    var offset = 0
    var isOutputFull = true
    while offset < input.count || isOutputFull {
      // SAFETY: the stream is initialised.
      let (output, status) = unsafe stream.step(input, &offset) { unsafe deflate($0, flush) }
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
        throw GzipError.corrupt("zlib code \(status)")
      }
      isOutputFull = output.count == gzipChunkByteCount
      if !output.isEmpty { try body(output) }
    }
  }
}
