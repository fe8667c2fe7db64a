/// An open pack: one memory-mapped file that answers at once.
///
/// Cheap to copy, safe to share between tasks; the mapping lives until the last copy goes away.
/// Opening reads the header and the directory only. A pack whose bytes are damaged may answer
/// wrongly until `verify()` has been called, but never reads outside the file, hangs or traps.
public struct Pack: Sendable {
  private let storage: PackBytes
  let header: Header
  let directory: Directory

  /// Opens a pack whose bytes are there already.
  ///
  /// - Throws: `PackError` if they are no pack, of another version, truncated, or if header or
  ///   directory is damaged.
  public init(_ bytes: PackBytes) throws(PackError) {
    storage = bytes
    header = try Header(reading: bytes.bytes)
    directory = try Directory(reading: bytes.bytes, header: header)
  }

  /// The columns and indexes, valid while `self` is borrowed.
  ///
  /// - Complexity: O(1); keep the view over a loop.
  public var view: PackView {
    @_lifetime(borrow self)
    get { PackView(storage.bytes, header: header, directory: directory) }
  }

  /// All bytes of the pack.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    get { storage.bytes }
  }

  /// Whether the file of the pack has not been written over since it was opened; to put another one in its
  /// place by renaming changes nothing.
  ///
  /// Where it has, answers may be wrong, and to read pages that are gone ends the process: a pack is replaced
  /// by renaming alone. The file is looked at once in some milliseconds.
  ///
  /// - Complexity: O(1), at times a call of the system
  public var isUnchanged: Bool { storage.isUnchanged }

  /// Asks the system to read the whole pack from disk now, before many questions or a scan.
  ///
  /// Without it a page comes when it is first needed, so that one question reads little.
  public func prefetch() { bytes.readAhead() }

  /// The number of taxa.
  public var taxonCount: Int { header.taxonCount }
  /// The number of common names and synonyms.
  public var nameCount: Int { header.nameCount }
  /// The number of different folded words.
  public var wordCount: Int { header.wordCount }
  /// The length of the file, in bytes.
  public var byteCount: Int { header.fileByteCount }
  /// The database that the pack was compiled from.
  public var source: SourceFingerprint { header.source }
  /// What tells the pack from any other, by its database and its checksums; nil for one made from none.
  ///
  /// - Complexity: O(1)
  package var mark: Int64? {
    let digest = storage.bytes.uint64(at: Layout.digestOffset)
    guard digest != 0 else { return nil }
    return Int64(bitPattern: digest ^ UInt64(storage.bytes.uint32(at: 124)))
  }
  /// The schema version of that database.
  public var schemaVersion: Int { header.schemaVersion }
  /// The major version of the format.
  public static var formatVersion: Int { Layout.majorVersion }
}

extension RawSpan {
  /// The bytes of a section.
  @_lifetime(copy self)
  func section(_ section: Section, _ directory: borrowing Directory) -> RawSpan {
    let entry = directory[section]
    return clamped(entry.offset..<entry.offset + entry.byteCount)
  }

  /// A section of packed integers.
  @_lifetime(copy self)
  func packed(_ section: Section, _ directory: borrowing Directory) -> PackedColumn {
    let entry = directory[section]
    return PackedColumn(
      self.section(section, directory), count: entry.count, width: entry.width, base: entry.base)
  }

  /// A section in Elias-Fano code.
  @_lifetime(copy self)
  func monotone(_ section: Section, _ directory: borrowing Directory) -> MonotoneColumn {
    let entry = directory[section]
    return MonotoneColumn(
      self.section(section, directory), count: entry.count, width: entry.width,
      bound: entry.parameter)
  }

  /// A section of strings.
  @_lifetime(copy self)
  func strings<Element>(
    _ section: Section, _ directory: borrowing Directory
  ) -> StringTable<Element> {
    StringTable(self.section(section, directory), count: directory[section].count)
  }
}
