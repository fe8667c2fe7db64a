#if !canImport(CryptoKit)
/// Bytes that are sealed with a key, in pieces of which each shows whether it is whole, Format/JOURNAL.md.
package enum SealedBytes {
  /// What stands before the header of the stream.
  private static let magic: [UInt8] = [0x53, 0x54, 0x4F, 0x4C, 0x00, 0x4A, 0x4D, 0x01]

  /// Seals bytes.
  ///
  /// - Throws: `SealError.outOfMemory`
  package static func seal(_ bytes: [UInt8], key: SecretBytes) throws -> [UInt8] {
    var sealed: [UInt8] = []
    sealed.reserveCapacity(byteCount(of: bytes.count))
    let writer = try SealedWriter(key: key, head: magic) { sealed += $0 }
    try writer.append(bytes)
    try writer.finish()
    return sealed
  }

  /// The bytes that were sealed.
  ///
  /// - Throws: `SealError`
  package static func open(_ sealed: [UInt8], key: SecretBytes) throws -> [UInt8] {
    var start = 0
    let step = SealedForm.pieceByteCount + SealedForm.addedByteCount
    let reader = try SealedReader(
      magic: magic, headByteCount: magic.count,
      {
        let piece = Array(sealed[start..<min(sealed.count, start + step)])
        start += piece.count
        return piece
      }, key: { _ in key })
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sealed.count)
    while true {
      let piece = try reader.next()
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  /// How many bytes so many become.
  package static func byteCount(of plain: Int) -> Int {
    let pieces = max(1, (plain + SealedForm.pieceByteCount - 1) / SealedForm.pieceByteCount)
    return magic.count + SealedForm.streamByteCount + plain
      + (pieces + 1) * SealedForm.addedByteCount
  }
}
#endif
