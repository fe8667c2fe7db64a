public import STOLPack
import STOLGzip
public import STOLSystem

/// The taxonomy that every stol carries inside: SQLite, compressed.
///
/// Packs depend on the format that this stol reads, so the pack is compiled where it is needed, on
/// first use, and kept in the data directory beside the database that it was compiled from.
public struct BundledDatabase: Sendable {
  /// Why the bundled database cannot be used.
  public enum Failure: StolError {
    /// A file could not be written.
    case unwritable(SystemError)

    /// What kind of trouble it is.
    public var kind: ErrorKind { .inputOutput }

    /// One line with the remedy.
    public var description: String {
      switch self {
      case .unwritable(let error):
        "cannot keep the built-in taxonomy: \(error); "
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
    do {
      try createFolder(folder)
      try Self.extract(to: databasePath)
    } catch let error as SystemError {
      throw Failure.unwritable(error)
    }
    _ = try PackCompiler(path: databasePath).compile(to: packPath)
    return try Pack(path: packPath)
  }

  /// Writes the embedded database to `path`, decompressed, by way of a temporary file.
  ///
  /// - Throws: `SystemError` if the file cannot be written.
  public static func extract(to path: String) throws {
    var file = try ReplacementFile(path: path)
    var written = 0
    var decoder = try GzipDecoder()
    var offset = 0
    while offset < EmbeddedDatabase.byteCount {
      let chunk = EmbeddedDatabase.bytes(from: offset, limit: 1 << 16)
      var output: [UInt8] = []
      try decoder.decode(chunk) { output += $0 }
      try file.write(output, at: written)
      written += output.count
      offset += chunk.count
    }
    try decoder.finish()
    try file.finish()
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
