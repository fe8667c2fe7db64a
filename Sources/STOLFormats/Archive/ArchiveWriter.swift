import CArchive

/// An archive that libarchive writes, one file after another.
@safe
final class ArchiveWriter {
  /// What it is.
  enum Format { case ustar, zip }

  /// What is said of a file.
  struct Entry {
    /// ASCII, with "/" between folders.
    var name: String
    /// How many bytes follow; nil where that is not known before.
    var byteCount: Int?
    var mode: UInt32
    /// Seconds since 1970.
    var second: Int
  }

  // SAFETY: made and freed here only; no other object has it.
  private let handle: OpaquePointer
  private let write: ([UInt8]) throws -> Void
  private var failure: (any Error)?

  /// Why there is no archive.
  private static let failed = FormatError.unreadable(
    path: "the archive", reason: "it cannot be written: memory is missing")

  /// An archive whose bytes `write` gets, one piece after another.
  ///
  /// - Parameters:
  ///   - format: what it is.
  ///   - write: gets the bytes.
  /// - Throws: `FormatError`
  init(_ format: Format, _ write: @escaping ([UInt8]) throws -> Void) throws {
    self.write = write
    // SAFETY: a new handle, or nil where memory runs out.
    guard let handle = unsafe archive_write_new() else { throw Self.failed }
    unsafe self.handle = unsafe handle
    switch format {
    case .ustar: unsafe archive_write_set_format_ustar(handle)
    case .zip:
      unsafe archive_write_set_format_zip(handle)
      // The last block is not filled up with zeros.
      unsafe archive_write_set_bytes_in_last_block(handle, 1)
    }
    // SAFETY: the data is this object, whose `deinit` frees the handle.
    let data = unsafe Unmanaged.passUnretained(self).toOpaque()
    let status = unsafe archive_write_open(
      handle, data, nil,
      { _, data, bytes, count in
        guard let data = unsafe data, let bytes = unsafe bytes else { return -1 }
        let writer = unsafe Unmanaged<ArchiveWriter>.fromOpaque(data).takeUnretainedValue()
        // SAFETY: libarchive gives that many bytes, which are copied.
        return writer.take(unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
      }, nil)
    guard status == ARCHIVE_OK else { throw failure ?? Self.failed }
  }

  deinit {
    // SAFETY: the counterpart of `init`; what was not finished is not finished now.
    unsafe archive_write_fail(handle)
    unsafe archive_write_free(handle)
  }

  /// Begins a file; what is appended from now on is in it.
  ///
  /// - Throws: what `write` throws; `FormatError`
  func begin(_ file: Entry) throws {
    // SAFETY: a new entry, freed at the end; libarchive copies what it is told.
    guard let entry = unsafe archive_entry_new() else { throw Self.failed }
    defer { unsafe archive_entry_free(entry) }
    unsafe archive_entry_set_pathname(entry, file.name)
    if let count = file.byteCount { unsafe archive_entry_set_size(entry, Int64(count)) }
    unsafe archive_entry_set_filetype(entry, Self.regularFile)
    unsafe archive_entry_set_perm(entry, file.mode)
    unsafe archive_entry_set_mtime(entry, file.second, 0)
    try require(unsafe archive_write_header(handle, entry) == ARCHIVE_OK)
  }

  /// Writes bytes behind those before of the file.
  ///
  /// - Throws: as `begin`.
  func append(_ bytes: [UInt8]) throws {
    // SAFETY: the array has the length that is passed.
    try require(unsafe archive_write_data(handle, bytes, bytes.count) == bytes.count)
  }

  /// Ends the archive.
  ///
  /// - Throws: as `begin`.
  func finish() throws {
    try require(unsafe archive_write_close(handle) == ARCHIVE_OK)
  }

  private func require(_ isDone: Bool) throws {
    if let failure { throw failure }
    guard isDone else { throw Self.failed }
  }

  private func take(_ bytes: [UInt8]) -> Int {
    guard failure == nil else { return -1 }
    do {
      try write(bytes)
      return bytes.count
    } catch {
      failure = error
      return -1
    }
  }

  /// S_IFREG of POSIX.
  private static let regularFile: UInt32 = 0o100000
}
