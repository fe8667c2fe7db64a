/// Writes a tar archive (POSIX ustar) of files in memory, with libarchive: the same files give the same bytes.
///
/// All have the owner 0, and are of the first second of 1970.
package final class TarWriter {
  private let archive: ArchiveWriter

  /// An archive whose bytes `write` gets, one piece after another.
  ///
  /// - Throws: `FormatError`
  package init(_ write: @escaping ([UInt8]) throws -> Void) throws {
    archive = try ArchiveWriter(.ustar, write)
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - name: at most 100 bytes of ASCII, with "/" between folders.
  ///   - bytes: all of it.
  /// - Throws: what `write` throws; `FormatError`
  package func append(_ name: String, _ bytes: [UInt8]) throws {
    try archive.begin(.init(name: name, byteCount: bytes.count, mode: 0o600, second: 0))
    try archive.append(bytes)
  }

  /// Ends the archive.
  ///
  /// - Throws: as `append`.
  package func finish() throws { try archive.finish() }
}
