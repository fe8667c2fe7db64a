import Foundation
import STOL
import STOLJournal
import Testing

/// Walks the screens of an app that knows the public products only: this target is built without
/// access to anything that the package keeps to itself.
@Suite("Sample app")
struct SampleAppTests {
  private static let lion = TaxonID(9689)
  private static let oak = TaxonID(38942)

  /// An app with a data directory of its own.
  private final class App {
    let path = FileManager.default.temporaryDirectory.path + "/stol-\(UUID().uuidString)"
    let directory: DataDirectory
    let services: AppServices

    init() throws {
      directory = DataDirectory(override: path)
      services = try AppServices(directory: directory)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test func walksAllScreens() async throws {
    let app = try App()
    let services = app.services

    // Tree browser: from the root down to the lions.
    let browser = TreeBrowser(services: services, language: "en")
    let roots = try await browser.rows(below: nil)
    #expect(roots.map(\.scientificName) == ["root"])
    let crumbs = try await browser.breadcrumbs(of: Self.lion)
    #expect(crumbs.first == "root" && crumbs.contains("Eukaryota") && crumbs.last == "Panthera")
    let lion = try #require(await services.taxonomy.taxon(id: Self.lion))
    let cats = try await browser.rows(below: lion.parentID)
    #expect(cats.first { $0.id == Self.lion }?.commonName == "lion")

    // Search: misspelt, with marked letters; suggestions on a keystroke.
    let search = SearchScreen(services: services)
    #expect(try await search.suggestions(for: "panth").count == 8)
    #expect(
      try await search.results(for: "pantera leo").first
        == "[Pant]h[era leo] · Panthera leo · species")
    #expect(try await search.results(for: "xqzw vwxqz").isEmpty)
    #expect(
      try await search.results(for: "Panthera", rank: .genus).allSatisfy { $0.hasSuffix("genus") })

    // Compare.
    let compare = CompareScreen(services: services, language: "en")
    let tiger = TaxonID(9694)
    #expect(
      try await compare.lines(Self.lion, tiger).prefix(2) == [
        "Both are in genus Panthera", "2 steps apart",
      ])
    let relatives = try await compare.relatives(of: Self.lion)
    #expect(relatives.count == 5 && relatives[0].distance == 2)

    // Species, with the heart.
    let favorites = services.favorites
    try await favorites.addFavorite(taxonID: Self.oak)
    #expect(try await favorites.toggleFavorite(taxonID: Self.lion))
    let detail = try #require(await DetailScreen(of: Self.lion, language: "en", services: services))
    #expect(detail.isFavorite)
    #expect(detail.lineage.count >= 6)
    #expect(detail.names.languages.first?.language == "en")
    #expect(detail.image == nil)
    #expect(try await DetailScreen(of: -1, language: "en", services: services) == nil)

    // Favourites.
    let screen = FavoritesScreen(services: services, language: "en")
    #expect(try await screen.list(.recent).items.map(\.id) == [Self.lion, Self.oak])
    #expect(
      try await screen.list(.scientificName).exportText.contains(
        "1. Panthera leo (lion)\n2. Quercus"))

    // Settings.
    let settings = try await SettingsScreen(services: services).lines()
    #expect(settings.contains("2 species saved"))
    #expect(settings.contains { $0.hasPrefix("bundled: ") && $0.hasSuffix("(not deletable)") })
    let report = await SettingsScreen(services: services).diagnostics()
    #expect(report.contains("log          off") && !report.contains(app.path))
    try await favorites.clearAllFavorites()
    #expect(favorites.favoritesCount() == 0)
  }

  @Test func importsADatabaseAndSwitchesBack() async throws {
    let app = try App()
    let services = app.services
    let container = try Self.signed(in: app.directory)
    var changes = await services.databases.changes().makeAsyncIterator()
    let stages = try await SettingsScreen(services: services)
      .importDatabase(from: URL(fileURLWithPath: container))
    #expect(stages.first == "copying" && stages.last == "finalizing")
    #expect(await changes.next()?.taxaCount == services.databases.pack.taxonCount)
    #expect(await services.databases.isReferenceDBActive)
    #expect(try await services.taxonomy.taxon(id: Self.lion)?.scientificName == "Panthera leo")
    try await services.databases.deactivateReferenceDB(delete: true)
    #expect(await changes.next()?.source == .bundled)
    #expect(await !services.databases.isReferenceDBActive)
    #expect(services.storage.parts().first { $0.kind == .reference }?.byteCount == 0)
  }

  @Test func keepsAJournal() async throws {
    let app = try App()
    let screen = JournalScreen(journal: app.services.journal)
    let walk = try await screen.keepAWalk()
    #expect(walk.saved.results == [.new, .new, .new, .new] && walk.again.batch == nil)
    let (seen, life) = try await screen.inView()
    #expect(seen.sightings.map(\.occurrence) == [walk.oak] && seen.next == nil)
    #expect(life.map(\.currentName) == ["Quercus robur"])
    #expect(try await screen.deleteAndTakeBack(walk.id).contains(walk.oak))
    #expect(try await screen.inView().seen == seen)

    let path = app.path + "/trees.csv"
    try "id,tree,lat,lon,girth\n1,Quercus robur,42.5,-76.5,183\n2,Quercus robur,142,-76.5,90\n"
      .write(toFile: path, atomically: true, encoding: .utf8)
    #expect(
      try await screen.importTrees(path) == [
        "a table: csv", "line 2: new", "line 3: refused", "2 rows",
      ])
    let kinds = try await screen.nextChange {
      try await app.services.journal.save([.person(Person(name: "Ada Lark"))])
    }
    #expect(kinds == [.person])
    let file = app.path + "/walk.jsonl"
    let report = try await app.services.journal.export(
      nil, as: .jsonl, isExact: true, to: file)
    #expect(report.losses.isEmpty && FileManager.default.fileExists(atPath: file))
    let wrong = JournalError.unknown(id: walk.id, needed: "place")
    #expect(wrong.localizedDescription == wrong.description)
  }

  /// The bundled database, signed by a key that the app then trusts.
  private static func signed(in directory: DataDirectory) throws -> String {
    let key = try SigningKey()
    let sample = try #require(DatasetID("sample"))
    _ = try Keyring.update(folder: directory.keys) { ring throws(KeyError) in
      try ring.add(key.verifyingKey, label: "sample", for: KeyScope(datasets: [sample]))
    }
    let path = directory.path + "/sample.stol"
    let time = try #require(BuildTime("2026-01-31T12:00:00Z"))
    try ContainerWriter(
      schemaVersion: 3, release: Release(dataset: sample, number: 1, buildTime: time), key: key
    ).writeVersion1(database: BundledDatabase(in: directory).unpack(), to: path)
    return path
  }

  @Test(arguments: ["FromAPackToAScreen", "FromAWalkToAJournal"])
  func anArticleHoldsTheCodeOfTheseScreens(name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let article = folder.appending(path: "../../Sources/stol.docc/\(name).md")
    let sources = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
      .map(Self.withoutIndentation)
    let text = try String(contentsOf: article, encoding: .utf8)
    let blocks = text.components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }.map(\.element)
    #expect(blocks.count >= 5)
    for block in blocks {
      let code = Self.withoutIndentation(String(block.dropFirst("swift\n".count)))
      #expect(sources.contains { $0.contains(code) }, "not in the sample app:\n\(block)")
    }
  }

  private static func withoutIndentation(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }
}
