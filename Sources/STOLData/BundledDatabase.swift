public import STOLPack
import Foundation
import STOLGzip

/// The taxonomy that every stol carries inside: SQLite, compressed.
///
/// Packs depend on the format that this stol reads, so the pack is compiled where it is needed, on
/// first use, and kept in the data directory beside the database that it was compiled from.
public struct BundledDatabase: Sendable {
  /// Why the bundled database cannot be used.
  public enum Failure: Error, CustomStringConvertible {
    /// A file could not be written.
    case unwritable(path: String, reason: String)

    /// One line with the remedy.
    public var description: String {
      switch self {
      case .unwritable(let path, let reason):
        "\(path): cannot keep the built-in taxonomy here (\(reason)); "
          + "choose another folder with --data-dir or STOL_HOME"
      }
    }
  }

  private let folder: String

  /// The bundled database as kept in `directory`.
  public init(in directory: DataDirectory) { folder = directory.databases }

  /// Where the pack lies.
  public var packPath: String { folder + "/bundled.stolpack" }
  /// Where the database lies.
  public var databasePath: String { folder + "/bundled.sqlite" }

  /// Opens the pack, compiling it first where it is absent, damaged or of another stol.
  ///
  /// - Parameter onPreparing: called before the pack is compiled, which takes about half a second.
  /// - Returns: the pack.
  /// - Throws: `Failure`, or `CompileError`.
  /// - Complexity: O(1) but for the first time.
  public func open(onPreparing: () -> Void = {}) throws -> Pack {
    if let pack = try? Pack(path: packPath), pack.source.isEmbedded { return pack }
    onPreparing()
    try unpack()
    _ = try PackCompiler(path: databasePath).compile(to: packPath)
    return try Pack(path: packPath)
  }

  /// Writes the database to `databasePath`, by way of a temporary file.
  private func unpack() throws {
    let temporary = databasePath + ".\(ProcessInfo.processInfo.processIdentifier).tmp"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try Self.extract(to: temporary)
      try PackWriter.replace(databasePath, with: temporary)
    } catch {
      try? FileManager.default.removeItem(atPath: temporary)
      throw Failure.unwritable(path: folder, reason: String(describing: error))
    }
  }

  /// Writes the embedded database to `path`, decompressed.
  public static func extract(to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw CocoaError(.fileWriteUnknown) }
    defer { try? file.close() }
    var decoder = try GzipDecoder()
    var offset = 0
    while offset < EmbeddedDatabase.byteCount {
      let chunk = EmbeddedDatabase.bytes(from: offset, limit: 1 << 16)
      try decoder.decode(chunk) { try file.write(contentsOf: Data($0)) }
      offset += chunk.count
    }
    try decoder.finish()
    try file.synchronize()
  }
}

extension SourceFingerprint {
  /// Whether the pack was compiled from the embedded database.
  ///
  /// A gzip stream ends in the CRC-32 and the length of what is in it: RFC 1952.
  var isEmbedded: Bool {
    let trailer = EmbeddedDatabase.bytes(from: EmbeddedDatabase.byteCount - 8, limit: 8)
    guard trailer.count == 8 else { return false }
    let words = [trailer[..<4], trailer[4...]].map { bytes in
      bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    return checksum == words[0] && UInt32(truncatingIfNeeded: byteCount) == words[1]
  }
}
