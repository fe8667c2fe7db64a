import STOLGzip
public import STOLPack
public import STOLSystem
import STOLTrust

extension EmbeddedPack: ImmutableMemory {}

/// The taxonomy that every stol carries inside.
///
/// Its pack is read where it lies in the program: nothing is unpacked, and no folder is needed. Its SQLite
/// database, which has the references, is unpacked once they are asked for.
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
        "cannot unpack the built-in taxonomy's references: \(error); "
          + "choose another folder with --data-dir or STOL_HOME"
      }
    }
  }

  private let folder: String

  /// The bundled database, whose SQLite file is kept in `directory`.
  public init(in directory: DataDirectory) { folder = directory.databases }

  /// What it is called where files have a path.
  public static let title = "the built-in taxonomy"

  /// Where the database lies once it has been unpacked.
  public var databasePath: String { folder + "/bundled.sqlite" }

  /// The pack.
  ///
  /// - Returns: the pack, in the pages of the program.
  /// - Throws: `PackError` if the program is damaged.
  /// - Complexity: O(1)
  public static func open() throws -> Pack { try Pack(PackBytes(of: EmbeddedPack.shared)) }

  /// Unpacks the database, where it is not there yet, was lost, or is not what is in this program.
  ///
  /// - Returns: `databasePath`.
  /// - Throws: `Failure.unwritable`.
  /// - Complexity: O(length); every byte is compared by SHA-256 where it is there.
  public func unpack() throws -> String {
    do {
      if fileExists(databasePath), try isSound() { return databasePath }
      try createFolder(folder)
      try Self.extract(to: databasePath)
      return databasePath
    } catch let error as SystemError {
      throw Failure.unwritable(error)
    }
  }

  /// Whether the file is the database in this program, every byte of it.
  private func isSound() throws -> Bool {
    let pack = try Self.open()
    do {
      try pack.requireSource(RegularFile(path: databasePath, followsLinks: true))
    } catch is PackError {
      return false
    }
    return try SHA256.digest(ofFileAt: databasePath).bytes == pack.source.sha256
  }

  /// The database, unpacked where there is room: in its folder, else where the system keeps what is not to
  /// stay.
  ///
  /// - Throws: `Failure.unwritable`, and what SQLite says.
  func opened() throws -> TaxonomyDatabase {
    do {
      return try TaxonomyDatabase(path: unpack())
    } catch let failure as Failure {
      guard let other = try? PrivateFolder(),
        (try? Self.extract(to: other.path + "/bundled.sqlite")) != nil
      else { throw failure }
      // An open file stays readable when its name is removed.
      return try TaxonomyDatabase(path: other.path + "/bundled.sqlite")
    }
  }

  /// Writes the pack to `path`.
  ///
  /// - Throws: `SystemError`.
  public static func writePack(to path: String) throws {
    try replaceFile(path, with: EmbeddedPack.shared.copied())
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
