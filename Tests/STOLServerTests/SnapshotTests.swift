import Foundation
import STOLData
import STOLSystem
import TestSupport
import Testing

@testable import STOLServer

/// A page is of one database, whatever becomes active while it is made.
@Suite("Snapshots")
struct SnapshotTests {
  /// Another database becomes active whenever somebody asks which one is.
  private final class SwitchingProvider: DatabaseProvider {
    private let databases: [DatabaseSnapshot]
    private let calls = Locked(0)

    init(_ paths: [String]) throws {
      databases = try paths.map { try DatabaseSnapshot(packAt: $0) }
    }

    var callCount: Int { calls.withLock { $0 } }

    func snapshot() -> DatabaseSnapshot {
      databases[
        calls.withLock { count in
          count += 1
          return count
        } % databases.count]
    }

    var activeConfig: DatabaseConfig { DatabaseConfig(of: snapshot()) }
    var isReferenceDBActive: Bool { false }
    func activateReferenceDB() async throws {}
    func deactivateReferenceDB(delete: Bool) async throws {}
    func changes() -> AsyncStream<DatabaseConfig> { AsyncStream { $0.finish() } }
  }

  /// Taxa with the same ids in each database, and the word in all that is said of them.
  private static func sql(_ word: String) -> String {
    let species = (10..<40).map { id in
      "(\(id), 3, 'species', '\(word)us \(word.lowercased())\(id)', NULL, NULL, 'accepted', NULL)"
    }
    return """
      INSERT INTO taxa VALUES
        (1, NULL, 'kingdom', '\(word)alia', NULL, NULL, 'accepted', NULL),
        (2, 1, 'family', '\(word)idae', NULL, NULL, 'accepted', NULL),
        (3, 2, 'genus', '\(word)us', NULL, NULL, 'accepted', NULL),
        \(species.joined(separator: ",\n  "));
      INSERT INTO names VALUES (1, 10, 'animal of \(word)', 'en', 'common', 1);
      INSERT INTO refs VALUES (1, 10, 'The book of \(word)', NULL, 'taxonomy');
      INSERT INTO traits VALUES (1, 10, 'habitat', '\(word.lowercased())', NULL, NULL);
      INSERT INTO dataset VALUES ('name', 'All of \(word)'), ('id_space', 'zoo');
      """
  }

  @Test func aPageIsOfOneDatabase() async throws {
    let folder = try TemporaryFolder()
    let words = ["Zaba", "Quxo"]
    let provider = try SwitchingProvider(
      words.map { try Taxonomy.compile(Self.sql($0), in: folder, $0) })
    let options = Explorer.Options(
      directory: DataDirectory(override: folder("home")), version: "stol 0")
    let pages = Pages(services: try Services(options, provider: provider), token: "secret")
    let targets = [
      "/taxon/zoo:10", "/taxon/zoo:10.json", "/search?q=animal+of",
      "/search.json?q=animal+of", "/tree",
      "/tree/zoo:3", "/tree/zoo:3?trait=habitat", "/taxon/zoo:10/relatives.json",
      "/taxon/zoo:10/lineage.json",
      "/compare?taxon=zoo:10&taxon=zoo:11", "/compare?taxon=animal&taxon=zoo:12",
      "/compare.json?taxon=zoo:10&taxon=zoo:3",
      "/icicle/zoo:3", "/completions.json?q=animal", "/sources", "/databases", "/settings",
      "/",
    ].compactMap { target -> Address? in
      let parts = target.split(separator: "?", maxSplits: 1)
      return Fields(parsing: parts.dropFirst().first ?? "").flatMap {
        Address(path: String(parts[0]), query: $0)
      }
    }
    #expect(targets.count >= 12)
    var seen: Set<String> = []
    var count = 0
    while count < 1_000 {
      for target in targets {
        let before = provider.callCount
        let reply = await pages.reply(to: Visit(address: target, form: nil, language: "en"))
        let text = String(decoding: reply.bytes, as: UTF8.self).lowercased()
        let found = words.filter { text.contains($0.lowercased()) }
        #expect(found.count <= 1, "\(target.text) is of \(found)")
        seen.formUnion(found)
        count += 1
        #expect(provider.callCount > before)
      }
      // So that each address meets each database first.
      _ = provider.snapshot()
    }
    #expect(seen == Set(words))
  }
}
