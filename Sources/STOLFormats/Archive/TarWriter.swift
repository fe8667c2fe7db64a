import CArchive

/// Writes a tar archive (POSIX ustar) of files in memory, with libarchive: the same files give the same bytes.
///
/// All have the owner 0, and are of the first second of 1970.
@safe
package final class TarWriter {
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
    unsafe archive_write_set_format_ustar(handle)
    // SAFETY: the data is this object, whose `deinit` frees the handle.
    let data = unsafe Unmanaged.passUnretained(self).toOpaque()
    let status = unsafe archive_write_open(
      handle, data, nil,
      { _, data, bytes, count in
        guard let data = unsafe data, let bytes = unsafe bytes else { return -1 }
        let writer = unsafe Unmanaged<TarWriter>.fromOpaque(data).takeUnretainedValue()
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

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - name: at most 100 bytes of ASCII, with "/" between folders.
  ///   - bytes: all of it.
  /// - Throws: what `write` throws; `FormatError`
  package func append(_ name: String, _ bytes: [UInt8]) throws {
    // SAFETY: a new entry, freed at the end; libarchive copies what it is told.
    guard let entry = unsafe archive_entry_new() else { throw Self.failed }
    defer { unsafe archive_entry_free(entry) }
    unsafe archive_entry_set_pathname(entry, name)
    unsafe archive_entry_set_size(entry, Int64(bytes.count))
    unsafe archive_entry_set_filetype(entry, Self.regularFile)
    unsafe archive_entry_set_perm(entry, 0o600)
    unsafe archive_entry_set_mtime(entry, 0, 0)
    try require(unsafe archive_write_header(handle, entry) == ARCHIVE_OK)
    // SAFETY: the array has the length that is passed.
    try require(unsafe archive_write_data(handle, bytes, bytes.count) == bytes.count)
  }

  /// Ends the archive.
  ///
  /// - Throws: as `append`.
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
}
