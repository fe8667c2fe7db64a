import Foundation
import GRDB
import STOLData
import STOLPack

@testable import STOLFavorites

/// A data directory of one test, removed with everything in it.
final class Home: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/stol-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var directory: DataDirectory { DataDirectory(override: path) }
  var file: String { directory.favorites + "/favorites.sqlite" }

  func open(
    currentID: @escaping @Sendable (TaxonID) -> TaxonID = { $0 }
  ) throws -> LocalFavorites {
    try LocalFavorites(directory: directory, currentID: currentID)
  }

  /// Writes the file as it is to be found, with `bytes`.
  func writeFile(_ bytes: Data) throws {
    try FileManager.default.createDirectory(
      atPath: directory.favorites, withIntermediateDirectories: true)
    try bytes.write(to: URL(fileURLWithPath: file))
  }

  /// Runs SQL on the file, from outside.
  func execute(_ sql: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory.favorites, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: file)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The first column of what SQL finds in the file, as texts.
  func texts(_ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: file)
    let texts = try queue.inDatabase { try Row.fetchAll($0, sql: sql) }.map { row in
      let value: DatabaseValue = row[0]
      return "\(value)".trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }
    try queue.close()
    return texts
  }

  /// The names in the folder of favourites.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.favorites).sorted() }
  }

  /// The bytes of all files in the folder of favourites.
  var allBytes: Data {
    get throws {
      try names.reduce(into: Data()) { bytes, name in
        bytes += FileManager.default.contents(atPath: directory.favorites + "/" + name) ?? Data()
      }
    }
  }
}

/// The table as the first version makes it.
let schema = """
  CREATE TABLE favorites (taxon_id INTEGER PRIMARY KEY, created_at TEXT NOT NULL
    DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')));
  CREATE INDEX idx_favorites_created ON favorites(created_at DESC);
  PRAGMA user_version = 1;

  """

extension FavoritesService {
  /// The ids of all favourites, in order.
  var ids: [TaxonID] { get async throws { try await allFavourites().map(\.taxonID) } }

  func add(_ ids: TaxonID...) async throws {
    for id in ids { try await addFavourite(taxonID: id) }
  }
}

/// A small deterministic generator: SplitMix64 (Steele, Lea and Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
