import CZstd
import STOLSystem

/// Zstandard, RFC 8878.
package enum Zstd {
  /// The bytes, compressed as one frame with its checksum.
  ///
  /// - Throws: `FormatError.system` where memory is missing.
  package static func compress(_ bytes: [UInt8]) throws(FormatError) -> [UInt8] {
    // SAFETY: made here, used here only, freed here.
    guard let context = unsafe ZSTD_createCCtx() else { throw Self.outOfMemory("zstd") }
    defer { unsafe ZSTD_freeCCtx(context) }
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    let limit = ZSTD_compressBound(bytes.count)
    var code = 0
    let result = unsafe [UInt8](unsafeUninitializedCapacity: limit) { block, filled in
      // SAFETY: the block holds `limit` bytes, and the array as many as are read.
      code = unsafe ZSTD_compress2(context, block.baseAddress, limit, bytes, bytes.count)
      filled = ZSTD_isError(code) == 0 ? code : 0
    }
    guard ZSTD_isError(code) == 0 else { throw Self.outOfMemory("zstd") }
    return result
  }

  private static func outOfMemory(_ path: String) -> FormatError {
    .system(SystemError(operation: "allocate memory", path: path, code: .outOfMemory))
  }

  /// The bytes that `bytes` was compressed from.
  ///
  /// - Throws: `FormatError.unreadable` if it is damaged; `FormatError.tooLarge`
  package static func decompress(
    _ bytes: [UInt8], path: String, limit: Int
  ) throws(FormatError) -> [UInt8] {
    // SAFETY: made here, used here only, freed here.
    guard let stream = unsafe ZSTD_createDStream() else {
      throw Self.outOfMemory(path)
    }
    defer { unsafe ZSTD_freeDStream(stream) }
    var result: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    var position = 0
    var isComplete = false
    while !isComplete {
      let start = position
      var produced = 0
      var code = 0
      unsafe bytes.withUnsafeBytes { source in
        unsafe piece.withUnsafeMutableBytes { target in
          // SAFETY: both buffers outlive the call; the library stays within their sizes.
          var input = unsafe ZSTD_inBuffer(
            src: source.baseAddress, size: source.count, pos: position)
          var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
          code = unsafe ZSTD_decompressStream(stream, &output, &input)
          position = unsafe input.pos
          produced = unsafe output.pos
        }
      }
      let isStuck = produced == 0 && position == start
      guard ZSTD_isError(code) == 0, !isStuck else {
        throw .unreadable(path: path, reason: "it is damaged or cut off")
      }
      result.append(contentsOf: piece[..<produced])
      guard result.count <= limit else {
        throw .tooLarge(path: path, what: "more bytes", limit: limit)
      }
      isComplete = code == 0 && position == bytes.count
    }
    return result
  }
}
