public import STOLSystem

extension MappedFile: ImmutableMemory {}

extension PackBytes {
  /// Maps the file at `path`; stol never truncates a pack in place.
  ///
  /// - Complexity: O(1); pages are read on first touch.
  public convenience init(path: String) throws(SystemError) {
    self.init(of: try MappedFile(path: path, isWatched: true))
  }
}

extension Pack {
  /// Maps and opens the pack at `path`.
  ///
  /// - Throws: `SystemError` if the file cannot be mapped; `PackError` if it is no pack, of another
  ///   version, truncated, or if its header or directory is damaged.
  /// - Complexity: O(1)
  public init(path: String) throws {
    try self.init(PackBytes(path: path))
  }
}

extension Pack {
  /// Whether the file at `path` is a whole pack of an older format.
  ///
  /// - Throws: `SystemError` if it cannot be mapped.
  /// - Complexity: O(1)
  package static func isOfOlderFormat(path: String) throws(SystemError) -> Bool {
    let storage = try PackBytes(path: path)
    return Header.isOfOlderVersion(storage.bytes)
  }

  /// Refuses a pack that was not compiled from this SQLite file, as its first 100 bytes tell.
  ///
  /// - Throws: `PackError.wrongSource`, or `SystemError` if the file cannot be read.
  package func requireSource(_ file: borrowing RegularFile) throws {
    try requireSource(
      byteCount: UInt64(file.byteCount), stamp: Checksum.of(try file.bytes(at: 0, limit: 100)))
  }
}

extension RawSpan {
  /// Asks the system to read these bytes of a mapping from disk now, for most of them will be needed.
  ///
  /// - Complexity: O(1); it does not wait for them.
  func readAhead() { prefetch() }
}
