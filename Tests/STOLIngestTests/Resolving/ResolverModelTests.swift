import Foundation
import GRDB
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLIngest
import STOLNames

/// What becomes of small sources, against an oracle that knows only the rules.
@Suite("Resolver against its model")
struct ResolverModelTests {
  private static let seedCount = UInt64(Sweep.count(few: 600, full: 20_000))

  /// What a source becomes, without the file around it.
  private struct Outcome {
    var taxa: [String] = []
    var synonyms: [String] = []
    var findings: [String: Int] = [:]
    var outcomes: [String: Int] = [:]
    var faults: [String] = []

    init(_ source: SmallSource, keepsAllRanks: Bool = true, in folder: TemporaryFolder) throws {
      let path = folder("model.sqlite")
      let intake = try source.intake(beside: path, keepsAllRanks: keepsAllRanks)
      let resolution = try Resolver.resolve(intake)
      let writer = try TaxonomyWriter(
        path: path, schemaVersion: keepsAllRanks ? 3 : 1, onStep: { _, _ in },
        isCancelled: { false })
      let rows = try writer.writeUsages(intake, resolution)
      try writer.countHomonyms(intake.findings)
      resolution.count(into: intake)
      for (finding, count) in intake.findings.counts { findings[finding.rawValue] = count.count }
      for (outcome, count) in intake.account.files[0].outcomes {
        outcomes[outcome.rawValue] = count
      }
      if keepsAllRanks {
        let kind = IngestSource(kind: .dwca, path: "rows")
        try writer.writeSources([IngestReport.Source(kind, intake)], idSpace: nil)
        // The rows of names that synonyms became are those with their ids.
        for row in 0..<resolution.usages.count where rows[row] > 0 {
          let id = try writer.write {
            try String.fetchOne(
              $0, sql: "SELECT source_id FROM names WHERE id = ?", arguments: [rows[row]])
          }
          if try id != intake.sourceID(row) { faults.append("a synonym with another row") }
        }
      }
      faults += try writer.write { try SoundDatabase.faults($0) }
      if outcomes.values.reduce(0, +) != source.rows.count { faults.append("rows without a fate") }
      func lines(_ sql: String) throws -> [String] {
        try writer.write { try String.fetchAll($0, sql: sql) }.sorted()
      }
      taxa = try lines(
        "SELECT id || '|' || coalesce(parent_id, '-') || '|' || rank || '|' || status FROM taxa")
      let own = keepsAllRanks ? " || '|' || source_id" : ""
      synonyms = try lines(
        "SELECT taxon_id || '|' || name\(own) FROM names WHERE name_type = 'synonym'")
    }
  }

  /// Notes where a source becomes something else than its oracle says.
  ///
  /// - Returns: whether it becomes the same.
  private func compare(
    _ source: SmallSource, keepsAllRanks: Bool, in folder: TemporaryFolder,
    _ comment: @autoclosure () -> String
  ) throws -> Bool {
    let found = try Outcome(source, keepsAllRanks: keepsAllRanks, in: folder)
    let oracle = ResolverOracle(source, keepsAllRanks: keepsAllRanks)
    let isEqual =
      found.taxa == oracle.taxa && found.synonyms == oracle.synonyms
      && found.findings == oracle.findings && found.outcomes == oracle.outcomes
      && found.faults.isEmpty
    guard !isEqual else { return true }
    let table = Comment(rawValue: "\(comment()), all ranks: \(keepsAllRanks)\n\(source.table)")
    #expect(found.faults == [], table)
    #expect(found.taxa == oracle.taxa, table)
    #expect(found.synonyms == oracle.synonyms, table)
    #expect(found.findings == oracle.findings, table)
    #expect(found.outcomes == oracle.outcomes, table)
    return false
  }

  @Test(arguments: [false, true])
  func smallSourcesBecomeWhatTheirOracleSays(linksByName: Bool) throws {
    let folder = try TemporaryFolder()
    var failures = 0
    for seed in 0..<Self.seedCount where failures < 3 {
      let source = SmallSource(seed: seed, linksByName: linksByName)
      for all in [true, false]
      where try !compare(
        source, keepsAllRanks: all, in: folder, "seed \(seed), by name: \(linksByName)")
      {
        failures += 1
      }
    }
  }

  /// Each row a bare name, or accepted or a synonym, of a rank that is kept or of one that is not,
  /// linked to any of the rows or to one that is not there.
  @Test func everySourceOfThreeRowsBecomesWhatItsOracleSays() throws {
    let folder = try TemporaryFolder()
    let ids = ["1", "2", "3"]
    var failures = 0
    var choices: [(status: TaxonomicStatus, rank: String, link: String)] = [
      (.bareName, "genus", "")
    ]
    for status in [TaxonomicStatus.accepted, .synonym] {
      for rank in ["genus", "subgenus"] {
        for link in ids + ["4"] { choices.append((status, rank, link)) }
      }
    }
    for count in 1...3 {
      var total = 1
      for _ in 0..<count { total *= choices.count }
      for number in 0..<total where failures < 3 {
        var rest = number
        let rows = (0..<count).map { index in
          let choice = choices[rest % choices.count]
          rest /= choices.count
          var row = SmallSource.Row()
          row.id = ids[index]
          row.name = "Nomen" + ids[index]
          row.rank = choice.rank
          row.status = choice.status
          if choice.status == .synonym {
            row.acceptedIDs = [choice.link]
          } else {
            row.parentID = choice.link
          }
          return row
        }
        for all in [true, false]
        where try !compare(
          SmallSource(rows), keepsAllRanks: all, in: folder, "number \(number) of \(count) rows")
        {
          failures += 1
        }
      }
    }
  }

  /// The same rows as a table of Darwin Core, through the whole way.
  @Test func tablesBecomeWhatTheOracleSaysAndPack() throws {
    let folder = try TemporaryFolder()
    let path = folder("taxa.sqlite")
    for seed in 0..<Self.seedCount / 5 {
      let source = SmallSource(seed: seed, linksByName: seed.isMultiple(of: 2))
      try folder.write(Array(source.table.utf8), to: "taxa.tsv")
      let oracle = ResolverOracle(source)
      guard !oracle.taxa.isEmpty else {
        #expect("seed \(seed)") {
          try Ingestion(IngestSource(kind: .dwca, path: folder("taxa.tsv"))).write(to: path)
        } throws: { error in
          guard case .noTaxa(folder("taxa.tsv"), _)? = error as? IngestError else { return false }
          return true
        }
        continue
      }
      let report = try Ingestion(IngestSource(kind: .dwca, path: folder("taxa.tsv")))
        .write(to: path)
      let (taxa, strayCount) = Self.underImpliedRoot(oracle.taxa)
      #expect(
        try rows(path, "SELECT id, parent_id, rank, status FROM taxa").sorted() == taxa,
        "seed \(seed)\n\(source.table)")
      #expect(
        try rows(path, "SELECT taxon_id, name, source_id FROM names").sorted() == oracle.synonyms)
      var findings = report.sources[0].findings.mapValues(\.count)
      findings["unknownRank"] = nil
      #expect((findings.removeValue(forKey: "otherRoot") ?? 0) == strayCount)
      #expect(findings == oracle.findings, "seed \(seed)\n\(source.table)")
      try SoundDatabase.check(path, report, packsIn: folder, "seed \(seed)")
    }
  }

  /// The taxa with a root above several kingdoms, and how many roots are beside it.
  private static func underImpliedRoot(_ taxa: [String]) -> (taxa: [String], strayCount: Int) {
    let roots = taxa.filter { $0.split(separator: "|")[1] == "-" }
    let tops = roots.filter { $0.split(separator: "|")[2] == "kingdom" }
    guard tops.count > 1 else { return (taxa, 0) }
    let below = taxa.map { taxon in
      tops.contains(taxon) ? taxon.replacing("|-|", with: "|-1|", maxReplacements: 1) : taxon
    }
    return ((below + ["-1|-|no rank|accepted"]).sorted(), roots.count - tops.count)
  }

  @Test func columnsOfAllKindsGiveSoundDatabases() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<Self.seedCount {
      let source = SmallSource(
        seed: seed, linksByName: seed.isMultiple(of: 3), hasColumns: true)
      let found = try Outcome(source, in: folder)
      #expect(found.faults.isEmpty, "seed \(seed)\n\(source.table)")
    }
  }

  /// Rows without parents, each with all of its columns: the tree is that of the columns.
  @Test func columnsThatAgreeGiveExactlyTheirTree() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<Self.seedCount {
      var random = SeededGenerator(seed: seed)
      // Names of one letter for each rank, so that many are homonyms.
      let ranks = MainRank.allCases.dropFirst()
      var paths: Set<[String]> = []
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let depth = Int.random(in: 1...ranks.count, using: &random)
        let names = (0..<depth).map { _ in "Nomen" + ["a", "b", "c"].randomElement(using: &random)!
        }
        paths.insert(names)
      }
      var rows: [SmallSource.Row] = []
      for path in paths.sorted(by: { $0.joined() < $1.joined() }).shuffled(using: &random) {
        var row = SmallSource.Row()
        row.id = "\(rows.count + 1)"
        row.name = path[path.count - 1]
        row.rank = ranks[ranks.startIndex + path.count - 1].name
        row.classification = zip(ranks, path.dropLast()).map { ($0, $1) }
        rows.append(row)
      }
      var expected: Set<String> = []
      for path in paths {
        for length in 1...path.count { expected.insert(path.prefix(length).joined(separator: "/")) }
      }
      let source = SmallSource(rows)
      let found = try treeOfNames(source, in: folder)
      #expect(found == expected.sorted(), "seed \(seed)\n\(source.table)")
    }
  }

  /// The way to each taxon, as names.
  private func treeOfNames(_ source: SmallSource, in folder: TemporaryFolder) throws -> [String] {
    let intake = try source.intake(beside: folder("model.sqlite"))
    let resolution = try Resolver.resolve(intake)
    return try (0..<resolution.usages.count).filter { resolution.fates[$0] == .taxon }.map { row in
      var path: [String] = []
      var next = UInt32(row)
      while next != Resolution.none {
        path.append(try intake.text(Int(next)).name)
        next = resolution.targets[Int(next)]
      }
      return path.reversed().joined(separator: "/")
    }.sorted()
  }
}
