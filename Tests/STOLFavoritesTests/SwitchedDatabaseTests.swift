import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLFavorites

/// Favourites while databases come and go: never another species, and nothing lost.
@Suite("Favourites across databases")
struct SwitchedDatabaseTests {
  /// A database whose ids are numbers of `space`.
  private static func pack(
    _ space: String, _ taxa: [(id: Int64, parent: Int64?, rank: String, name: String)],
    synonyms: [(Int64, String)] = []
  ) throws -> Pack {
    let folder = try TemporaryFolder()
    var sql = "INSERT INTO dataset VALUES ('id_space', '\(space)');"
    for taxon in taxa {
      let parent = taxon.parent.map { "\($0)" } ?? "NULL"
      sql += """
        INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name)
          VALUES (\(taxon.id), '\(taxon.id)', \(parent), '\(taxon.rank)', '\(taxon.name)');
        """
    }
    for (id, name) in synonyms {
      sql += """
        INSERT INTO names (taxon_id, name, lang, name_type) VALUES (\(id), '\(name)', 'la', 'synonym');
        """
    }
    return try Pack(
      path: try Taxonomy.compile(sql, tables: Taxonomy.recordTables, in: folder, "pack"))
  }

  private static let mammals = [
    (id: 1 as Int64, parent: nil as Int64?, rank: "kingdom", name: "Animalia"),
    (9689, 1, "species", "Panthera leo"), (9694, 1, "species", "Panthera tigris"),
    (9696, 1, "species", "Puma concolor"), (7, 1, "species", "Felis catus"),
  ]
  private static let birds = [
    (id: 2 as Int64, parent: nil as Int64?, rank: "kingdom", name: "Animalia"),
    (9689, 2, "species", "Cecropis abyssinica"), (9694, 2, "species", "Ninox novaeseelandiae"),
    (5, 2, "species", "Puma concolor"), (6, 2, "species", "Felis silvestris"),
  ]

  /// Before a database answers, it can be seen what becomes of favourites.
  @Test func theForecastIsWhatHappens() async throws {
    let home = try Home()
    let (mammals, birds) = (try Self.pack("ncbi", Self.mammals), try Self.pack("avi", Self.birds))
    let favorites = try home.open(in: mammals)
    try await favorites.add(9689, 9696, 7)
    let entries = try await favorites.allFavorites()
    let forecast = FavoriteForecast(entries, now: mammals, then: birds)
    #expect(forecast.items.map(\.then) == FavoriteList(entries, in: birds).items)
    #expect(forecast.items.map(\.now) == ["same", "same", "same"])
    #expect(forecast.items.map(\.then.outcome) == ["absent", "by name", "absent"])
    #expect(forecast.lost.map(\.nameNow) == ["Felis catus", "Panthera leo"])
    #expect(forecast.summary.hasPrefix("3 favourites, 1 in it; "))
    let back = FavoriteForecast(entries, now: birds, then: mammals)
    #expect(back.lost.isEmpty && back.summary == "3 favourites, all in it")
    #expect(FavoriteForecast([], now: birds, then: mammals).summary == "there are no favourites")
  }

  /// Two that a release has made one are two still, and each is told of.
  @Test func whatLeadsToOneTaxonIsToldAndRemovedTogether() async throws {
    let home = try Home()
    let mammals = try Self.pack("ncbi", Self.mammals)
    let next = try Self.pack(
      "avi", Self.birds, synonyms: [(5, "Panthera leo"), (5, "Panthera tigris")])
    var favorites = try home.open(in: mammals)
    try await favorites.add(9689, 9694, 7)
    let entries = try await favorites.allFavorites()
    let forecast = FavoriteForecast(entries, now: mammals, then: next)
    #expect(forecast.items.map(\.nameNow) == ["Felis catus", "Panthera tigris", "Panthera leo"])
    #expect(forecast.items.map(\.then.outcome) == ["absent", "by synonym", "by synonym"])
    #expect(forecast.summary.hasPrefix("3 favourites, 2 in it, where they are 1 taxon; "))
    let list = FavoriteList(entries, in: next).items
    #expect(list.map(\.entry.reference.name) == ["Felis catus", "Panthera tigris"])
    #expect(list.map { $0.others.map(\.reference.written) } == [[], ["ncbi:9689"]])

    favorites = try home.open(in: next)
    let file = try FavoritesFile(
      in: home.directory,
      database: FavoriteDatabase(
        pack: { next }, takeover: { $0.map { _ in nil } }))
    #expect(try file.remove(5) == 2)
    #expect(try file.remove(5) == 0)
    #expect(try await favorites.allFavorites().map(\.reference.name) == ["Felis catus"])
  }

  private static func shown(_ favorites: LocalFavorites, _ pack: Pack) async throws -> [String] {
    FavoriteList(try await favorites.allFavorites(), in: pack).items.map {
      "\($0.entry.reference.name): \($0.outcome) \($0.taxon?.scientificName ?? "-")"
    }
  }

  private static func name(_ id: TaxonID, _ pack: Pack) -> String {
    let view = pack.view
    guard let taxon = view.ids.taxon(id) else { return "" }
    return view.names.scientificName(of: taxon)
  }

  @Test func aNumberIsNoTaxonOfAnotherDatabase() async throws {
    let home = try Home()
    let (mammals, birds) = (
      try Self.pack("ncbi", Self.mammals),
      try Self.pack("avi", Self.birds, synonyms: [(6, "Felis catus")])
    )
    var favorites = try home.open(in: mammals)
    try await favorites.add(9689, 9694, 9696, 7)
    let before = try await favorites.allFavorites()

    favorites = try home.open(in: birds)
    #expect(
      try await Self.shown(favorites, birds) == [
        "Felis catus: by synonym Felis silvestris", "Puma concolor: by name Puma concolor",
        "Panthera tigris: absent -", "Panthera leo: absent -",
      ])
    #expect(!favorites.isFavorite(taxonID: 9689))
    #expect(!favorites.isFavorite(taxonID: 9694))
    #expect(favorites.isFavorite(taxonID: 5) && favorites.isFavorite(taxonID: 6))
    #expect(favorites.favoritesCount() == 4)
    // The swallow that has the number of the lion is one more favourite.
    try await favorites.add(9689)
    #expect(favorites.isFavorite(taxonID: 9689))
    #expect(favorites.favoritesCount() == 5)
    #expect(try await favorites.ids.first?.rawValue ?? 0 < 0)
    try await favorites.removeFavorite(taxonID: 9689)
    #expect(favorites.favoritesCount() == 4)

    favorites = try home.open(in: mammals)
    #expect(try await favorites.allFavorites() == before)
    for id in [9689, 9694, 9696, 7] as [TaxonID] { #expect(favorites.isFavorite(taxonID: id)) }
    #expect(try await favorites.removeFavorite(TaxonReference(idSpace: "ncbi", id: "9689")))
    #expect(try await !favorites.removeFavorite(TaxonReference(idSpace: "avi", id: "9694")))
    #expect(favorites.favoritesCount() == 3)
  }

  /// Over random databases that share numbers and some names, with favourites added and removed in each.
  @Test func nothingIsLostOverAnySwitches() async throws {
    let names = (0..<12).map { "Genus species\("abcdefghijkl".dropFirst($0).prefix(1))" }
    for seed in 0..<UInt64(Sweep.count(few: 12, full: 200)) {
      var random = SeededGenerator(seed: seed)
      let packs = try (0..<3).map { number in
        let chosen = names.shuffled(using: &random).prefix(8)
        return try Self.pack(
          "space\(number)",
          [(id: 100, parent: nil, rank: "kingdom", name: "Animalia")]
            + chosen.enumerated().map {
              (id: Int64($0), parent: 100, rank: "species", name: $1)
            })
      }
      let home = try Home()
      // What is a favourite, by name: in these databases a name is one taxon.
      var liked: Set<String> = []
      for _ in 0..<25 {
        let pack = packs[Int.random(in: 0..<3, using: &random)]
        let favorites = try home.open(in: pack)
        let id = TaxonID(rawValue: Int64.random(in: 0..<8, using: &random))
        let name = Self.name(id, pack)
        if Bool.random(using: &random) {
          try await favorites.add(id)
          liked.insert(name)
        } else {
          try await favorites.removeFavorite(taxonID: id)
          liked.remove(name)
        }
        #expect(favorites.favoritesCount() == liked.count, "seed \(seed)")
        let entries = try await favorites.allFavorites()
        #expect(Set(entries.map(\.reference.name)) == liked, "seed \(seed)")
        for number in 0..<8 as Range<Int64> {
          let id = TaxonID(rawValue: number)
          let isLiked = liked.contains(Self.name(id, pack))
          #expect(favorites.isFavorite(taxonID: id) == isLiked, "seed \(seed)")
        }
      }
    }
  }

  /// Rows of version 1 are of the built-in taxonomy, where no other was installed when they were added.
  @Test func rowsOfTheFirstVersionAreTakenOver() async throws {
    let home = try Home()
    try home.execute(
      schema + """
        INSERT INTO favorites VALUES (9689, '2026-01-01T00:00:00.000Z'),
          (999999999, '2026-01-02T00:00:00.000Z');
        """)
    let bundled = try BundledDatabase.open()
    let birds = try Self.pack("avi", Self.birds)
    let favorites = try LocalFavorites(
      directory: home.directory, database: FavoriteDatabase(birds, directory: home.directory))
    let entries = try await favorites.allFavorites()
    #expect(entries.map(\.taxonID) == [999_999_999, 9689])
    #expect(entries.map(\.reference.written) == ["unstated:999999999", "ncbi:9689"])
    #expect(entries[1].reference.name == "Panthera leo")
    #expect(!favorites.isFavorite(taxonID: 9689))
    #expect(
      FavoriteList(entries, in: bundled).items.map(\.outcome) == ["absent", "same"])
    // What another app writes into the table of version 1 is taken over as well, and what it removes
    // is gone.
    try home.execute(
      "INSERT INTO favorites (taxon_id) VALUES (9694); DELETE FROM favorites WHERE taxon_id = 9689")
    #expect(try await favorites.ids == [9694, 999_999_999])
    #expect(try home.texts("SELECT count(*) FROM favorite_references") == ["2"])
  }
}
