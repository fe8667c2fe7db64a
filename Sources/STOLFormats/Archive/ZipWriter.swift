/// Writes a zip archive, with libarchive, one file after another; how long a file is need not be known before.
///
/// All are of one day of 1980, the first year that such an archive can say, so that the same files give the same bytes.
package final class ZipWriter {
  private let archive: ArchiveWriter

  /// An archive whose bytes `write` gets, one piece after another.
  ///
  /// - Throws: `FormatError`
  package init(_ write: @escaping ([UInt8]) throws -> Void) throws {
    archive = try ArchiveWriter(.zip, write)
  }

  /// Begins a file; what is written from now on is in it.
  ///
  /// - Parameter name: ASCII, with "/" between folders.
  /// - Throws: what `write` throws; `FormatError`
  package func begin(_ name: String) throws {
    try archive.begin(
      .init(name: name, byteCount: nil, mode: 0o644, second: Self.firstSecond))
  }

  /// Writes bytes behind those before of the file.
  ///
  /// - Throws: as `begin`.
  package func append(_ bytes: [UInt8]) throws {
    if !bytes.isEmpty { try archive.append(bytes) }
  }

  /// Ends the archive.
  ///
  /// - Throws: as `begin`.
  package func finish() throws { try archive.finish() }

  /// 1980-01-02T12:00:00Z, which is in 1980 by every clock.
  private static let firstSecond = 315_662_400
}
