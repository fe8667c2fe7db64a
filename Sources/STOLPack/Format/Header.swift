/// The fixed first 128 bytes of a pack: PACK.md section 2.
struct Header: Equatable {
  var sectionCount = 0
  var fileByteCount = 0
  var taxonCount = 0
  /// Common names and synonyms.
  var nameCount = 0
  var wordCount = 0
  var phraseCount = 0
  var source = SourceFingerprint()
  var schemaVersion = 0
  /// Whether taxon 0 is a root that no source has, above those of the source.
  var hasImpliedRoot = false
  /// Whether ids of the source are texts, and `id.value` holds their keys.
  var hasTextIDs = false
  var directoryChecksum: UInt32 = 0

  /// The names of all kinds.
  var anyNameCount: Int { taxonCount + nameCount }

  /// Reads and checks the header and the lengths that it states.
  ///
  /// - Complexity: O(1)
  init(reading bytes: RawSpan) throws(PackError) {
    guard bytes.byteCount >= Layout.magic.count else { throw .notAPack }
    for (offset, byte) in Layout.magic.enumerated() where bytes.uint8(at: offset) != byte {
      throw .notAPack
    }
    guard bytes.byteCount >= Layout.headerByteCount else {
      throw .truncated(section: "header", need: Layout.headerByteCount, got: bytes.byteCount)
    }
    let version = Int(bytes.uint32(at: 8) & 0xFFFF)
    guard version == Layout.majorVersion else {
      throw .unsupportedVersion(got: version, expected: Layout.majorVersion)
    }
    let expected = bytes.uint32(at: 124)
    let got = Checksum.of(bytes.clamped(0..<124))
    guard expected == got else {
      throw .checksum(section: "header", expected: expected, got: got)
    }
    sectionCount = Int(stored: bytes.uint32(at: 12))
    fileByteCount = Int(stored: bytes.uint64(at: 16))
    taxonCount = Int(stored: bytes.uint32(at: 24))
    nameCount = Int(stored: bytes.uint32(at: 28))
    wordCount = Int(stored: bytes.uint32(at: 32))
    phraseCount = Int(stored: bytes.uint32(at: 36))
    source.byteCount = bytes.uint64(at: 40)
    source.checksum = bytes.uint32(at: 48)
    source.stamp = bytes.uint32(at: 52)
    schemaVersion = Int(stored: bytes.uint32(at: 56))
    directoryChecksum = bytes.uint32(at: 120)
    let flags = bytes.uint32(at: 60)
    guard flags & ~(Layout.impliedRootFlag | Layout.textIDsFlag) == 0 else {
      throw .corrupt(section: "header", position: 60, reason: "a reserved flag is set")
    }
    hasImpliedRoot = flags & Layout.impliedRootFlag > 0
    hasTextIDs = flags & Layout.textIDsFlag > 0
    guard taxonCount > 0 || !hasImpliedRoot else {
      throw .corrupt(section: "header", position: 60, reason: "an implied root without taxa")
    }
    source.sha256 = bytes.clamped(
      Layout.digestOffset..<Layout.digestOffset + Layout.digestByteCount
    ).copied()
    for offset in 64 + Layout.digestByteCount..<120 where bytes.uint8(at: offset) != 0 {
      throw .corrupt(section: "header", position: offset, reason: "a reserved byte is not zero")
    }
    guard fileByteCount == bytes.byteCount else {
      throw .truncated(section: "file", need: fileByteCount, got: bytes.byteCount)
    }
    guard sectionCount <= Layout.maximumSectionCount else {
      throw .corrupt(section: "header", position: 12, reason: "too many sections")
    }
    guard taxonCount <= Layout.maximumTaxonCount else {
      throw .corrupt(section: "header", position: 24, reason: "too many taxa")
    }
  }

  init() {}

  /// Whether `bytes` are a whole pack of an older version, as its checksum and its length tell: both stand
  /// where they stood in every version.
  ///
  /// - Complexity: O(1)
  static func isOfOlderVersion(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount >= Layout.headerByteCount else { return false }
    for (offset, byte) in Layout.magic.enumerated() where bytes.uint8(at: offset) != byte {
      return false
    }
    let version = Int(bytes.uint32(at: 8) & 0xFFFF)
    return version > 0 && version < Layout.majorVersion
      && bytes.uint32(at: 124) == Checksum.of(bytes.clamped(0..<124))
      && bytes.uint64(at: 16) == UInt64(bytes.byteCount)
  }

  /// The 128 bytes.
  func encoded() -> [UInt8] {
    var bytes = Layout.magic
    bytes.appendLittleEndian(UInt16(Layout.majorVersion))
    bytes.appendLittleEndian(UInt16(Layout.minorVersion))
    bytes.appendLittleEndian(UInt32(sectionCount))
    bytes.appendLittleEndian(UInt64(fileByteCount))
    bytes.appendLittleEndian(UInt32(taxonCount))
    bytes.appendLittleEndian(UInt32(nameCount))
    bytes.appendLittleEndian(UInt32(wordCount))
    bytes.appendLittleEndian(UInt32(phraseCount))
    bytes.appendLittleEndian(source.byteCount)
    bytes.appendLittleEndian(source.checksum)
    bytes.appendLittleEndian(source.stamp)
    bytes.appendLittleEndian(UInt32(schemaVersion))
    bytes.appendLittleEndian(
      (hasImpliedRoot ? Layout.impliedRootFlag : 0) | (hasTextIDs ? Layout.textIDsFlag : 0))
    bytes.append(contentsOf: source.sha256.prefix(Layout.digestByteCount))
    bytes.append(contentsOf: repeatElement(0, count: 120 - bytes.count))
    bytes.appendLittleEndian(directoryChecksum)
    let checksum = Checksum.of(bytes)
    bytes.appendLittleEndian(checksum)
    return bytes
  }
}

/// What ties a pack to the database that it was compiled from.
public struct SourceFingerprint: Hashable, Sendable {
  /// The length of the database file.
  public var byteCount: UInt64 = 0
  /// CRC-32 of the whole database file.
  public var checksum: UInt32 = 0
  /// CRC-32 of the first 100 bytes of the database file, which change with every write.
  public var stamp: UInt32 = 0
  /// The 32 bytes of SHA-256 of the whole database file; zeros if there was none.
  public var sha256 = [UInt8](repeating: 0, count: Layout.digestByteCount)
  /// No source.
  public init() {}
}

extension [UInt8] {
  /// Appends the bytes of `value`, the least significant first.
  mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
    var rest = value
    for _ in 0..<(value.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}
