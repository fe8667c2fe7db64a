import CArchive
package import STOLSystem

/// One pass over the entries of an archive, with libarchive; nothing is ever written to disk.
///
/// Only the stated format is tried: of libarchive's many readers three are ever reached.
@safe
package final class ArchiveReader {
  /// The formats that are read.
  enum Format {
    /// By its central directory.
    case zip
    /// As it is, or compressed with gzip, xz, bzip2 or zstd.
    case tar
    /// One file that is compressed with xz, bzip2 or zstd, as the one entry.
    case compressed
  }

  /// What the archive says about an entry; none of it has been checked.
  package struct Entry {
    /// Nil if it is in no encoding that can be told.
    package var name: String?
    /// What it is: a file, a folder, a link.
    package var kind: FileKind
    /// The length once decompressed; nil if the archive does not say.
    package var byteCount: Int?
    var isEncrypted: Bool
  }

  // SAFETY: made and freed here only; no other object has it.
  private let handle: OpaquePointer
  /// What it reads from; one of both.
  private let file: RegularFile?
  private let feed: ArchiveFeed?
  private let path: String
  private let format: Format
  /// How many bytes of the file are read ahead of what is decompressed, at most.
  static let blockByteCount = 1 << 18

  /// Opens the archive at `path`; a pipe or device is refused without waiting for it.
  ///
  /// - Parameters:
  ///   - path: a regular file.
  ///   - format: what it is.
  /// - Throws: `FormatError.unreadable`
  init(path: String, format: Format) throws(FormatError) {
    self.path = path
    self.format = format
    feed = nil
    let file: RegularFile
    do {
      file = try RegularFile(path: path, followsLinks: true)
    } catch {
      let isFolder = error.code == .isFolder || error.code == .invalidArgument
      throw .unreadable(
        path: path, reason: isFolder ? "it is not a regular file" : "it cannot be opened")
    }
    let descriptor = file.descriptor
    self.file = consume file
    // SAFETY: a new handle, or nil where memory runs out.
    guard let handle = unsafe archive_read_new() else {
      throw .unreadable(path: path, reason: "it cannot be opened")
    }
    unsafe self.handle = unsafe handle
    // SAFETY: the handle is new; libarchive reads from the descriptor, which lives as long.
    switch format {
    case .zip: unsafe archive_read_support_format_zip_seekable(handle)
    case .tar:
      unsafe archive_read_support_format_tar(handle)
      unsafe archive_read_support_filter_gzip(handle)
      unsafe Self.supportFilters(handle)
    case .compressed:
      unsafe archive_read_support_format_raw(handle)
      unsafe Self.supportFilters(handle)
    }
    guard unsafe archive_read_open_fd(handle, descriptor, Self.blockByteCount) == ARCHIVE_OK
    else {
      throw failure(entry: nil)
    }
  }

  /// Opens a tar archive that is not compressed, and comes from a stream that nobody else reads.
  ///
  /// - Parameters:
  ///   - stream: the archive, at its beginning.
  ///   - path: what errors call it.
  /// - Throws: `FormatError`
  package init(tar stream: SourceStream, path: String) throws(FormatError) {
    self.path = path
    format = .tar
    file = nil
    let feed = ArchiveFeed(stream, blockByteCount: Self.blockByteCount)
    self.feed = feed
    // SAFETY: a new handle, or nil where memory runs out.
    guard let handle = unsafe archive_read_new() else {
      throw .unreadable(path: path, reason: "it cannot be opened")
    }
    unsafe self.handle = unsafe handle
    unsafe archive_read_support_format_tar(handle)
    // SAFETY: the feed lives as long as the handle, for both belong to this object.
    guard unsafe feed.open(handle) == ARCHIVE_OK else { throw failure(entry: nil) }
  }

  /// Lets a handle decompress what is not gzip.
  private static func supportFilters(_ handle: OpaquePointer) {
    // SAFETY: the handle is new, and nothing has been read with it.
    unsafe archive_read_support_filter_xz(handle)
    unsafe archive_read_support_filter_bzip2(handle)
    unsafe archive_read_support_filter_zstd(handle)
  }

  deinit {
    // SAFETY: the counterpart of `init`, which has set both even where it throws.
    unsafe archive_read_free(handle)
  }

  /// Goes to the next entry, or gives nil at the end.
  ///
  /// - Throws: `FormatError`
  package func nextEntry() throws(FormatError) -> Entry? {
    // libarchive gives names in the encoding of the thread's locale, and C's has ASCII only.
    try withUnicodeNames { () throws(FormatError) in try entryInLocale() }
  }

  private func entryInLocale() throws(FormatError) -> Entry? {
    var entry: OpaquePointer?
    // SAFETY: libarchive owns the entry, which is valid until the next call; all of it is copied.
    let status = unsafe archive_read_next_header(handle, &entry)
    if status == ARCHIVE_EOF { return nil }
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry = unsafe entry else {
      throw failure(entry: nil)
    }
    var name: String?
    if let text = unsafe archive_entry_pathname_utf8(entry) {
      name = unsafe String(cString: text)
    } else if let text = unsafe archive_entry_pathname(entry) {
      name = unsafe String(cString: text)
    }
    let isHardLink = unsafe archive_entry_hardlink(entry) != nil
    let kind = isHardLink ? .link : FileKind(mode: unsafe archive_entry_filetype(entry))
    let isSizeKnown = unsafe archive_entry_size_is_set(entry) != 0
    return Entry(
      name: name, kind: kind,
      byteCount: isSizeKnown ? unsafe Int(archive_entry_size(entry)) : nil,
      isEncrypted: unsafe archive_entry_is_encrypted(entry) != 0)
  }

  /// The next bytes of the current entry; none at its end.
  ///
  /// - Parameters:
  ///   - name: the entry, for the error.
  ///   - limit: how many at most.
  /// - Returns: fewer than `limit` also before the end.
  /// - Throws: `FormatError.unreadable` if the entry is damaged or cut off.
  package func read(_ name: String, limit: Int) throws(FormatError) -> [UInt8] {
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { block, filled in
      // SAFETY: the block holds `limit` bytes; only what was filled is kept.
      count = unsafe archive_read_data(handle, block.baseAddress, limit)
      filled = max(0, count)
    }
    guard count >= 0 else { throw failure(entry: name) }
    return bytes
  }

  /// How many bytes of the file have been consumed, or for zip the place that was reached.
  var position: Int {
    // SAFETY: the handle is open; -1 is the filter next to the file.
    unsafe Int(archive_filter_bytes(handle, -1))
  }

  private func failure(entry: String?) -> FormatError {
    if let failure = feed?.failure { return failure }
    // SAFETY: a NUL-terminated text of the handle's, copied at once.
    let text = unsafe archive_error_string(handle).map { unsafe String(cString: $0) }?
      .split(whereSeparator: \.isNewline).joined(separator: " ")
    // A file that is compressed alone is what the path names.
    let place = format == .compressed ? "" : entry.map { "\($0): " } ?? ""
    let what = format == .compressed ? "it" : "the archive"
    return .unreadable(
      path: path,
      reason: "\(place)\(what) is damaged or cut off (\(text ?? "libarchive does not say why"))"
    )
  }
}
