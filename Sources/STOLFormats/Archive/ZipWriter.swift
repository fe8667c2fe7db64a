import CArchive

/// Writes a zip archive, with libarchive, one file after another; how long a file is need not be known before.
///
/// All are of one day of 1980, the first year that such an archive can say, so that the same files give the same bytes.
@safe
package final class ZipWriter {
  // SAFETY: made and freed here only; no other object has it.
  private let handle: OpaquePointer
  private let write: ([UInt8]) throws -> Void
  private var failure: (any Error)?

  /// Why there is no archive.
  private static let failed = FormatError.unreadable(
    path: "the archive", reason: "it cannot be written: memory is missing")

  /// An archive whose bytes `write` gets, one piece after another.
  ///
  /// - Throws: `FormatError`
  package init(_ write: @escaping ([UInt8]) throws -> Void) throws {
    self.write = write
    // SAFETY: a new handle, or nil where memory runs out.
    guard let handle = unsafe archive_write_new() else { throw Self.failed }
    unsafe self.handle = unsafe handle
    unsafe archive_write_set_format_zip(handle)
    // The last block is not filled up with zeros.
    unsafe archive_write_set_bytes_in_last_block(handle, 1)
    // SAFETY: the data is this object, whose `deinit` frees the handle.
    let data = unsafe Unmanaged.passUnretained(self).toOpaque()
    let status = unsafe archive_write_open(
      handle, data, nil,
      { _, data, bytes, count in
        guard let data = unsafe data, let bytes = unsafe bytes else { return -1 }
        let writer = unsafe Unmanaged<ZipWriter>.fromOpaque(data).takeUnretainedValue()
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

  /// Begins a file; what is written from now on is in it.
  ///
  /// - Parameter name: ASCII, with "/" between folders.
  /// - Throws: what `write` throws; `FormatError`
  package func begin(_ name: String) throws {
    // SAFETY: a new entry, freed at the end; libarchive copies what it is told.
    guard let entry = unsafe archive_entry_new() else { throw Self.failed }
    defer { unsafe archive_entry_free(entry) }
    unsafe archive_entry_set_pathname(entry, name)
    unsafe archive_entry_set_filetype(entry, Self.regularFile)
    unsafe archive_entry_set_perm(entry, 0o644)
    unsafe archive_entry_set_mtime(entry, Self.firstSecond, 0)
    try require(unsafe archive_write_header(handle, entry) == ARCHIVE_OK)
  }

  /// Writes bytes behind those before of the file.
  ///
  /// - Throws: as `begin`.
  package func append(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    // SAFETY: the array has the length that is passed.
    try require(unsafe archive_write_data(handle, bytes, bytes.count) == bytes.count)
  }

  /// Ends the archive.
  ///
  /// - Throws: as `begin`.
  package func finish() throws {
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
  /// 1980-01-02T12:00:00Z, which is in 1980 by every clock.
  private static let firstSecond = 315_662_400
}
