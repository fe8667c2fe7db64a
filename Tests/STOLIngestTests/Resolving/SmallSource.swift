import STOLPack
import TestSupport

@testable import STOLIngest
import STOLNames

/// A source of a few rows, of which every one says what it likes.
struct SmallSource {
  struct Row {
    var id = ""
    var name = ""
    var authorship = ""
    var rank = ""
    var status: TaxonomicStatus?
    var parentID = ""
    var parentName = ""
    var acceptedIDs: [String] = []
    var acceptedName = ""
    var classification: [(rank: MainRank, name: String)] = []
  }

  var rows: [Row] = []

  static let ranks = [
    "", "unranked", "clade", "no such rank", "kingdom", "family", "subfamily", "genus", "species",
    "species", "subspecies",
  ]

  /// Rows whose ids are few, so that all that can go wrong with links does.
  ///
  /// - Parameters:
  ///   - seed: the same one gives the same rows.
  ///   - linksByName: whether rows name their parents and accepted taxa.
  ///   - hasColumns: whether rows name higher taxa.
  init(
    seed: UInt64, linksByName: Bool = false, hasColumns: Bool = false
  ) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...12, using: &random)
    let names = (0..<Int.random(in: 2...9, using: &random)).map {
      "Nomen" + "abcdefghi".dropFirst($0).prefix(1)
    }
    // Past the last row, so that some ids are of none; ids of both kinds.
    let ids = (1...count + 2).map { $0.isMultiple(of: 4) ? "x\($0)" : "\($0)" }
    let odds = Int.random(in: 0...3, using: &random)
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func pick<Element>(_ choices: [Element]) -> Element {
      choices[Int.random(in: 0..<choices.count, using: &random)]
    }
    for number in 0..<count {
      var row = Row()
      row.id = chance(85) ? ids[number] : pick(ids)
      row.name = chance(95) ? pick(names) : ""
      if chance(20) { row.authorship = pick(["Smith", "Miller"]) }
      row.rank = pick(Self.ranks)
      row.status = pick([nil, nil, .accepted, .accepted, .synonym, .doubtful, .bareName])
      if chance(70) { row.parentID = pick(ids) }
      if chance([10, 30, 50, 80][odds]) {
        row.acceptedIDs = (0..<pick([1, 1, 1, 2, 3])).map { _ in pick(ids) }
      }
      if linksByName, chance(40) { row.parentName = name(pick(names)) }
      if linksByName, chance(30) { row.acceptedName = name(pick(names)) }
      if hasColumns {
        for rank in MainRank.allCases.dropLast() where chance(30) {
          row.classification.append((rank, pick(names)))
        }
      }
      rows.append(row)
    }
    func name(_ name: String) -> String {
      chance(25) ? name + pick([" Smith", " Miller"]) : name
    }
  }

  init(_ rows: [Row]) { self.rows = rows }

  /// What the source says, as a reader would put it.
  func intake(beside path: String, keepsAllRanks: Bool = true) throws -> Intake {
    let intake = try Intake(beside: path, findings: Findings(), keepsAllRanks: keepsAllRanks)
    intake.account.begin("rows")
    for row in rows {
      try intake.countRow()
      var usage = SourceUsage()
      usage.id = row.id
      usage.name = row.name
      usage.authorship = row.authorship
      usage.rank = SourceRank(row.rank)
      usage.status = row.status
      usage.parentID = row.parentID
      usage.parentName = row.parentName
      usage.acceptedIDs = row.acceptedIDs
      usage.acceptedName = row.acceptedName
      usage.classification = row.classification.map { (SourceRank($0.rank), $0.name) }
      try intake.add(usage)
    }
    return intake
  }

  /// The source as a table of Darwin Core.
  var table: String {
    let higher = MainRank.allCases.dropLast()
    let header = [
      "taxonID", "scientificName", "scientificNameAuthorship", "taxonRank", "taxonomicStatus",
      "parentNameUsageID", "parentNameUsage", "acceptedNameUsageID", "acceptedNameUsage",
    ]
    var lines = [header + higher.map(\.name)]
    for row in rows {
      let status = row.status == .bareName ? "bare name" : row.status?.rawValue ?? ""
      lines.append(
        [
          row.id, row.name, row.authorship, row.rank, status, row.parentID, row.parentName,
          row.acceptedIDs.joined(separator: "|"), row.acceptedName,
        ]
          + higher.map { rank in row.classification.first { $0.rank == rank }?.name ?? "" })
    }
    return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
  }
}
