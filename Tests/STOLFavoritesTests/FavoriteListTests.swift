import Foundation
import GRDB
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLFavorites

@Suite("Lists of favourites")
struct FavoriteListTests {
  /// A pack with a merged and a deleted id, accents, and taxa without common names.
  static func pack(idSpace: String? = nil) throws -> Pack {
    let home = try Home()
    let database = home.path + "/a.sqlite"
    let facts = idSpace.map { "INSERT INTO dataset VALUES ('id_space', '\($0)');" } ?? ""
    let queue = try DatabaseQueue(path: database)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql + facts) }
    try queue.close()
    _ = try PackCompiler(path: database).compile(to: home.path + "/a.stolpack")
    return try Pack(path: home.path + "/a.stolpack")
  }

  private static let sql = """
    CREATE TABLE schema_version (version INTEGER NOT NULL);
    INSERT INTO schema_version VALUES (1);
    CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL,
      scientific_name TEXT NOT NULL, author TEXT, year INTEGER,
      status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
    CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, name TEXT NOT NULL,
      lang TEXT NOT NULL, name_type TEXT NOT NULL, is_preferred INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE merged_taxa (id INTEGER PRIMARY KEY, into_id INTEGER NOT NULL);
    CREATE TABLE deleted_taxa (id INTEGER PRIMARY KEY);
    INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES (1, NULL, 'genus', 'Panthera'),
      (8008, 1, 'species', 'Panthera leo'), (9009, 1, 'species', 'Panthera tigris'),
      (1010, 1, 'species', 'Panthera onca'), (1111, 1, 'species', 'Quercus robur'),
      (1212, 1, 'species', 'Évax'), (1313, 1, 'species', 'evax');
    INSERT INTO names (taxon_id, name, lang, name_type, is_preferred) VALUES
      (8008, 'Lion', 'en', 'common', 1), (8008, 'Löwe', 'de', 'common', 1),
      (8008, 'African lion', 'en-GB', 'common', 1), (9009, 'tiger', 'en', 'common', 1),
      (1111, 'English' || char(10) || '9. Oak', 'en', 'common', 1),
      (1010, 'Jaguar', 'de', 'common', 1);
    INSERT INTO merged_taxa VALUES (900, 8008);
    INSERT INTO deleted_taxa VALUES (901);
    """

  private static func entries(_ ids: [Int64]) -> [FavoriteEntry] {
    ids.enumerated().map { index, id in
      FavoriteEntry(
        taxonID: TaxonID(rawValue: id), reference: TaxonReference(idSpace: "test", id: "\(id)"),
        createdAt: Date(timeIntervalSince1970: Double(1000 - index)))
    }
  }

  @Test func followsMergedIDsAndShowsATaxonOnce() throws {
    let list = FavoriteList(
      Self.entries([901, 900, 8008, 77, 9009]), in: try Self.pack(idSpace: "test"))
    #expect(list.items.map(\.id) == [901, 8008, 77, 9009])
    #expect(list.items[1].entry.taxonID == 900)
    #expect(list.items.map(\.commonName) == [nil, "Lion", nil, "tiger"])
    #expect(list.items.map { $0.taxon == nil } == [true, false, true, false])
  }

  @Test func sortsWithoutRegardToCaseAndAccents() throws {
    let pack = try Self.pack(idSpace: "test")
    let entries = Self.entries([77, 1313, 1111, 1212, 9009, 8008, 66, 1010])
    func ids(_ order: FavoriteList.Order) -> [TaxonID] {
      FavoriteList(entries, in: pack, order: order).items.map(\.id)
    }
    #expect(ids(.recent) == entries.map(\.taxonID))
    #expect(ids(.scientificName) == [1212, 1313, 8008, 1010, 9009, 1111, 66, 77])
    #expect(ids(.commonName) == [1111, 8008, 9009, 1212, 1313, 1010, 66, 77])
  }

  @Test func commonNamesFallBackToEnglish() throws {
    let pack = try Self.pack(idSpace: "test")
    let entries = Self.entries([8008, 9009, 1010])
    #expect(
      FavoriteList(entries, in: pack, language: "en-GB").items.map(\.commonName)
        == ["African lion", "tiger", nil])
    #expect(
      FavoriteList(entries, in: pack, language: "de-AT").items.map(\.commonName)
        == ["Löwe", "tiger", "Jaguar"])
  }

  @Test func exportsNamesOnly() throws {
    let entries = Self.entries([900, 77, 1111, 901, 1313])
    let text = FavoriteList(entries, in: try Self.pack(idSpace: "test"), order: .scientificName)
      .exportText
    #expect(
      text == """
        My Favourite Species — Species: Tree of Life

        1. evax
        2. Panthera leo (Lion)
        3. Quercus robur (English 9. Oak)
        2 more not in the active database

        """)
    let hidden = entries.flatMap { ["\($0.taxonID.rawValue)", "\($0.createdAt)"] }
    for trace in hidden + ["8008", "1970", "77", "90"] { #expect(!text.contains(trace)) }
  }

  @Test func exportNamesWhatTheDatabaseDoesNotHave() throws {
    let entries = [("77", "Passer\nmontanus"), ("901", ""), ("78", "Vipera berus")].map {
      id, name in
      FavoriteEntry(
        taxonID: TaxonID(sourceText: id),
        reference: TaxonReference(idSpace: "test", id: id, name: name), createdAt: .distantPast)
    }
    let text = FavoriteList(entries, in: try Self.pack(idSpace: "test")).exportText
    #expect(
      text.hasSuffix("\n\n3 more not in the active database: Passer montanus, Vipera berus\n"))
  }

  @Test func exportOfNothingIsATitle() throws {
    let text = FavoriteList([], in: try Self.pack(idSpace: "test")).exportText
    #expect(text == FavoriteList.exportTitle + "\n\n")
  }

  @Test func idsAreFollowedInAPack() async throws {
    let home = try Home()
    let favorites = try home.open(in: try Self.pack(idSpace: "test"))
    try await favorites.add(900)
    #expect(favorites.isFavorite(taxonID: 8008))
    #expect(!favorites.isFavorite(taxonID: 901))
    try await favorites.removeFavorite(taxonID: 8008)
    #expect(favorites.favoritesCount() == 0)
  }
}
