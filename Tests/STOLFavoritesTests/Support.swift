import Foundation
import GRDB
import STOLData
import STOLPack
import TestSupport

@testable import STOLFavorites

/// A data directory of one test, removed with everything in it.
final class Home: Sendable {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  var directory: DataDirectory { DataDirectory(override: path) }
  var file: String { directory.favorites + "/favorites.sqlite" }

  /// Opens the favourites over a database that knows all numbers, of which some were merged.
  func open(
    currentID: @escaping @Sendable (TaxonID) -> TaxonID = { $0 }
  ) throws -> LocalFavorites {
    try LocalFavorites(
      directory: directory,
      database: FavoriteDatabase(
        taxa: { $0.map { currentID(TaxonID(sourceText: $0.id)) } }, current: { currentID($0) },
        reference: { TaxonReference(idSpace: nil, id: String(currentID($0).rawValue)) },
        takeover: Self.unstated))
  }

  /// Rows of version 1 as references of which nobody knows what they are numbers of.
  @Sendable private static func unstated(_ rows: [FavoriteDatabase.Old]) -> [TaxonReference] {
    rows.map { TaxonReference(idSpace: nil, id: String($0.id.rawValue)) }
  }

  /// Opens the favourites over a pack.
  func open(in pack: Pack) throws -> LocalFavorites {
    try LocalFavorites(
      directory: directory, database: FavoriteDatabase(pack: { pack }, takeover: Self.unstated))
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
  var ids: [TaxonID] { get async throws { try await allFavorites().map(\.taxonID) } }

  func add(_ ids: TaxonID...) async throws {
    for id in ids { try await addFavorite(taxonID: id) }
  }
}
