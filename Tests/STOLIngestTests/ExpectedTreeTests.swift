import Foundation
import GRDB
import STOLIngest
import STOLPack
import TestSupport
import Testing

/// The archives with which the Catalogue of Life tests its importer.
struct TestArchive: Sendable, CustomTestStringConvertible {
  let kind: SourceKind
  let name: String
  let path: String

  var testDescription: String { "\(kind.rawValue)/\(name)" }

  private static let folder = RealSources.path("col_testset")

  /// All archives of the kinds that are tested.
  static let all: [TestArchive] = [SourceKind.dwca, .coldp].flatMap { kind -> [TestArchive] in
    let folder = "\(folder)/\(kind.rawValue)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted { Int($0) ?? 0 < Int($1) ?? 0 }
      .map { TestArchive(kind: kind, name: $0, path: "\(folder)/\($0)") }
  }

  func text(_ file: String) -> String? {
    try? String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
  }

  /// Trees that are not those of their archives.
  static let exceptions = [
    "dwca/36": "the tree is that of archive 34: none of its names is in this one's table"
  ]

  /// Trees of which only the eight ranks are compared.
  static let mainRanksOnly = [
    "dwca/26": "its tree writes the quotes of a name without a rank in another way"
  ]

  /// Trees that put varieties beside their species.
  ///
  /// Their archives have the species as rows of their own ("Zignoëlla campi-silii", "sp.", 141593, and
  /// "Zignoëlla campi-silii var. campi-silii", "var.", 421776), and say no more of either than the
  /// genus: the varieties go below the species of their names.
  static let varietiesBesideSpecies = ["dwca/6"]

  /// Trees that have one taxon twice.
  ///
  /// Of five rows that say the same of all that is above them (106679, 10, 11, 12, 13), the tree puts two
  /// below a second suborder Pleocyemata.
  static let twice = ["coldp/-12"]

  /// Whether taxa of a rank are compared.
  func compares(_ rank: String) -> Bool {
    Self.mainRanksOnly[testDescription] == nil || TreeLines.isMain(rank)
  }

  static let withTree = all.filter { archive in
    archive.text("expected.tree") != nil && exceptions[archive.testDescription] == nil
  }
}

@Suite(.enabled(if: !TestArchive.all.isEmpty, "needs ../shared/data/reference/col_testset"))
struct ExpectedTreeTests {
  /// Ingests an archive and gives `body` the database.
  private func ingest(
    _ archive: TestArchive, _ body: (Database, IngestReport) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let report = try Ingestion(IngestSource(kind: archive.kind, path: archive.path))
      .write(to: folder("taxa.sqlite"))
    let queue = try DatabaseQueue(path: folder("taxa.sqlite"))
    try queue.read { try body($0, report) }
  }

  @Test(arguments: TestArchive.withTree)
  func givesTheExpectedTree(_ archive: TestArchive) throws {
    var expected = ExpectedTree(try #require(archive.text("expected.tree")))
    if TestArchive.varietiesBesideSpecies.contains(archive.testDescription) {
      expected.putVarietiesBelowSpecies()
    }
    try ingest(archive) { database, _ in
      // Of all ranks, and as schema 1 would show it.
      for isKept in [archive.compares, TreeLines.isMain] {
        let found = try TreeLines(database, isKept: isKept)
        var lines = try expected.lines(isKept: isKept) { id in
          try path(id, database, isKept)
        }
        if TestArchive.twice.contains(archive.testDescription) { lines.showOnce() }
        let difference = found.difference(from: lines)
        #expect(difference.isEmpty, "\n\(difference.joined(separator: "\n"))")
        #expect(!found.lines.isEmpty)
      }
    }
  }

  /// The way to the taxon that an id of the source stands for.
  private func path(
    _ id: String, _ database: Database, _ isKept: (String) -> Bool
  ) throws -> String? {
    var next = try Int64.fetchOne(
      database,
      sql: """
        SELECT coalesce(
          (SELECT id FROM taxa WHERE source_id = ?1),
          (SELECT taxon_id FROM names WHERE source_id = ?1 ORDER BY id))
        """, arguments: [id])
    var parts: [String] = []
    while let current = next {
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT parent_id, scientific_name, author, rank FROM taxa WHERE id = ?",
          arguments: [current])
      else { break }
      if current != -1, isKept(row[3]) { parts.append(TreeLines.label(row[1], row[2], row[3])) }
      next = row[0]
    }
    return parts.isEmpty ? nil : parts.reversed().joined(separator: " / ")
  }

  @Test(arguments: TestArchive.all.filter { $0.text("expected-barenames.txt") != nil })
  func leavesOutBareNames(_ archive: TestArchive) throws {
    let names = ExpectedTree(archive.text("expected-barenames.txt") ?? "").nodes
    try ingest(archive) { database, _ in
      // A taxon of that name may be there, made from columns: then without authorship.
      let lines = try TreeLines(database).lines.filter { !$0.contains(" = ") }
        .map { $0.split(separator: " / ").last.map(String.init) ?? "" }
      for name in names where name.name.contains(" ") {
        let label = TreeLines.label(name.name, nil, name.rank)
        #expect(!lines.contains(label), "\(label) is a bare name")
      }
    }
  }

  /// Every row is accounted for, and an archive without taxa says so.
  @Test(arguments: TestArchive.all)
  func accountsForEveryRow(_ archive: TestArchive) throws {
    do {
      try ingest(archive) { database, report in
        for file in report.sources[0].files {
          #expect(
            file.outcomes.values.reduce(0, +) == file.rows, "\(file.name): \(file.outcomes)")
        }
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM taxa") ?? 0
        #expect(count > 0 && count == report.totals.taxa + report.totals.impliedRoots)
        let violations = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
        #expect(violations == 0)
      }
    } catch let error as IngestError {
      guard case .noTaxa = error else { throw error }
    }
  }
}
