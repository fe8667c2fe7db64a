/// Integers in byte arrays, the least significant byte first.
package enum LittleEndian {
  /// The 32 bits at `offset`.
  ///
  /// - Precondition: 4 bytes are there.
  package static func uint32(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The 64 bits at `offset`.
  ///
  /// - Precondition: 8 bytes are there.
  package static func uint64(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Appends the bytes of `value`.
  package static func append(
    _ value: some FixedWidthInteger & UnsignedInteger, to bytes: inout [UInt8]
  ) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
