import Foundation
import STOLData
import STOLIngest
import STOLFormats
import STOLPack
import TestSupport
import Testing

struct IngestionTests {
  private static func source(_ folder: TemporaryFolder) throws -> IngestSource {
    IngestSource(kind: .ncbi, path: try SmallDump.write(in: folder))
  }

  @Test func theSameSourceGivesTheSameBytes() throws {
    let folder = try TemporaryFolder()
    var ingestion = Ingestion(try Self.source(folder))
    ingestion.appliedAt = "2026-01-31T12:00:00Z"
    for name in ["a.sqlite", "b.sqlite"] { _ = try ingestion.write(to: folder(name)) }
    #expect(
      FileManager.default.contentsEqual(
        atPath: folder("a.sqlite"), andPath: folder("b.sqlite")))
  }

  @Test func schemaOneIsExactlyTheFirstFiveTablesAndTheirIndexes() throws {
    let folder = try TemporaryFolder()
    var ingestion = Ingestion(try Self.source(folder))
    ingestion.schemaVersion = 1
    let path = folder("one.sqlite")
    _ = try ingestion.write(to: path)
    #expect(
      try rows(path, "SELECT name FROM sqlite_schema ORDER BY name") == [
        "idx_names_lang", "idx_names_taxon", "idx_names_type", "idx_refs_taxon", "idx_taxa_name",
        "idx_taxa_parent", "idx_taxa_rank", "idx_taxa_status", "idx_traits_key", "idx_traits_taxon",
        "names", "refs", "schema_version", "taxa", "traits",
      ])
    #expect(try rows(path, "SELECT version FROM schema_version") == ["1"])
    #expect(
      try rows(path, "SELECT name FROM names WHERE name_type = 'synonym' ORDER BY name")
        == ["Felis leo", "Panthera leo persica", "Pantherinae"])
    _ = try PackCompiler(path: path).compile(to: folder("one.stolpack"))
  }

  @Test func theFullTextIndexFindsNamesOfAllKinds() throws {
    let folder = try TemporaryFolder()
    var ingestion = Ingestion(try Self.source(folder))
    ingestion.includesFullText = true
    let path = folder("text.sqlite")
    _ = try ingestion.write(to: path)
    for word in ["panthera leo", "lion", "felis"] {
      #expect(
        try rows(path, "SELECT rowid FROM fts_taxa WHERE fts_taxa MATCH '\(word)'").contains("9689")
      )
    }
  }

  @Test func packsWithItsSourceAllItsTaxaAndItsRetiredIds() throws {
    let folder = try TemporaryFolder()
    _ = try Ingestion(try Self.source(folder)).write(to: folder("x.sqlite"))
    _ = try PackCompiler(path: folder("x.sqlite"), treatsWarningsAsErrors: true)
      .compile(to: folder("x.stolpack"))
    let pack = try Pack(path: folder("x.stolpack"))
    try pack.verify()
    guard case .found(let lion) = pack.view.resolve("9689"),
      case .found(let persica) = pack.view.resolve("83386")
    else {
      Issue.record("no lion")
      return
    }
    #expect(pack.view.resolve("77") == .merged(lion))
    #expect(pack.view.resolve("78") == .merged(persica))
    #expect(pack.view.resolve("80") == .deleted)
    #expect(pack.view.resolve("82") == .notFound)
    #expect(pack.view.resolve("Asiatic lion").taxon == persica)
    #expect(pack.view.dataset.licence == "Public domain (NCBI)")
    #expect(pack.view.dataset.name == "NCBI Taxonomy")
  }

  @Test func aCancelledIngestionLeavesTheOldDatabaseAndNothingElse() throws {
    let folder = try TemporaryFolder()
    let source = try Self.source(folder)
    let many = (100_000..<180_000).map { "\($0)\t9688\tspecies" }
    let names = (100_000..<180_000).map { "\($0)\tPanthera n\($0)\t\tscientific name" }
    _ = try SmallDump.write(
      in: folder, nodes: SmallDump.nodes + many, names: SmallDump.names + names)
    let path = folder("x.sqlite")
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    // Asked a few times while rows are read, then while they are written.
    for limit in 1...9 {
      let asked = Counter()
      let ingestion = Ingestion(source, isCancelled: { asked.next() >= limit })
      #expect(throws: IngestError.cancelled) { try ingestion.write(to: path) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
      #expect(
        try folder.contents == ["dump", "x.sqlite"])
    }
  }

  @Test func saysWhatIsMissing() throws {
    let folder = try TemporaryFolder()
    let source = try Self.source(folder)
    try FileManager.default.removeItem(atPath: source.path + "/names.dmp")
    #expect(throws: FormatError.missingFile(path: source.path, name: "names.dmp")) {
      try Ingestion(source).write(to: folder("x.sqlite"))
    }
    _ = try SmallDump.write(in: folder, nodes: [], names: [])
    #expect(throws: IngestError.noTaxa(path: source.path)) {
      try Ingestion(source).write(to: folder("x.sqlite"))
    }
  }

  @Test func saysWhyTheOnlyRowIsNoTaxon() throws {
    let error = #expect(throws: IngestError.self) {
      try MadeDatabase(
        .dwca, files: ["taxa.csv": "taxonID,scientificName,taxonRank\n1,,species\n"])
    }
    #expect(
      error?.description.hasSuffix(
        ": there is no taxon in it; taxa.csv, line 2: id 1: A row without a name: left out.")
        == true
    )
  }

  @Test func theReportIsJSONWithRulesAndExamples() throws {
    let folder = try TemporaryFolder()
    let report = try Ingestion(try Self.source(folder)).write(to: folder("x.sqlite"))
    let object = try JSONSerialization.jsonObject(with: Data(report.json().utf8))
    let json = try #require(object as? [String: Any])
    #expect(json["reportVersion"] as? Int == 1)
    let source = try #require((json["sources"] as? [[String: Any]])?.first)
    let findings = try #require(source["findings"] as? [String: [String: Any]])
    let found = try #require(findings["mergedIntoUnknown"])
    #expect(found["count"] as? Int == 1)
    #expect((found["rule"] as? String)?.isEmpty == false)
    #expect(found["examples"] as? [String] == ["79 into 999"])
  }

  /// Counts calls.
  private final class Counter: @unchecked Sendable {
    private var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }
}
