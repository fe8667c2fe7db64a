import STOLCompare
import STOLData
import STOLPack
import TestSupport
import Testing

/// What changed between two databases, against a plain comparison of their rows.
@Suite("Differences of databases")
struct DatabaseDiffTests {
  private struct Row: Equatable {
    var id: Int
    var parent: Int?
    var rank = "species"
    var name: String
    var status = "accepted"
    var synonyms: [String] = []
  }

  private static func pack(
    _ space: String, _ rows: [Row], merged: [(Int, Int)] = [], deleted: [Int] = []
  ) throws -> Pack {
    let folder = try TemporaryFolder()
    var sql = "INSERT INTO dataset VALUES ('id_space', '\(space)');"
    for row in rows {
      let parent = row.parent.map { "\($0)" } ?? "NULL"
      sql += """
        INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name, status) VALUES
          (\(row.id), '\(row.id)', \(parent), '\(row.rank)', '\(row.name)', '\(row.status)');
        """
      for synonym in row.synonyms {
        sql += """
          INSERT INTO names (taxon_id, name, lang, name_type) VALUES
            (\(row.id), '\(synonym)', 'la', 'synonym');
          """
      }
    }
    for (id, into) in merged { sql += "INSERT INTO merged_taxa VALUES (\(id), '\(id)', \(into));" }
    for id in deleted { sql += "INSERT INTO deleted_taxa VALUES (\(id), '\(id)');" }
    return try Pack(
      path: try Taxonomy.compile(sql, tables: Taxonomy.recordTables, in: folder, "pack"))
  }

  private static func lines(_ diff: DatabaseDiff) -> [String] {
    var lines: [String] = []
    diff.forEach { change in
      lines.append(
        [
          change.kind.rawValue, change.old?.sourceID ?? "-", change.new?.sourceID ?? "-",
          change.before ?? "-", change.after ?? "-",
        ].joined(separator: "|"))
    }
    return lines.sorted()
  }

  private static let old = [
    Row(id: 1, rank: "kingdom", name: "Animalia"),
    Row(id: 2, parent: 1, rank: "genus", name: "Felis"),
    Row(id: 3, parent: 1, rank: "genus", name: "Panthera"),
    Row(id: 4, parent: 2, name: "Felis leo", synonyms: ["Felis persica"]),
    Row(id: 5, parent: 2, name: "Felis catus"), Row(id: 6, parent: 2, name: "Felis silvestris"),
    Row(id: 7, parent: 2, name: "Felis lost"), Row(id: 8, parent: 2, name: "Felis gone"),
  ]

  @Test func everyKindOfChangeIsTold() throws {
    let new = [
      Row(id: 1, rank: "kingdom", name: "Animalia"),
      Row(id: 9, parent: 1, rank: "family", name: "Felidae"),
      Row(id: 2, parent: 9, rank: "genus", name: "Felis"),
      Row(id: 3, parent: 9, rank: "subgenus", name: "Panthera"),
      Row(id: 4, parent: 3, name: "Panthera leo", status: "provisional"),
      Row(id: 6, parent: 2, name: "Felis silvestris"),
      Row(id: 10, parent: 3, name: "Felis persica"),
    ]
    let diff = DatabaseDiff(
      from: try Self.pack("ncbi", Self.old),
      to: try Self.pack("ncbi", new, merged: [(5, 6)], deleted: [8]))
    #expect(diff.isByID)
    #expect(
      Self.lines(diff) == [
        "added|-|10|-|-", "added|-|9|-|-", "deleted|8|-|Felis gone|-",
        "merged|5|6|Felis catus|Felis silvestris", "moved|4|4|Felis|Panthera",
        "rank|3|3|genus|subgenus", "removed|7|-|Felis lost|-", "renamed|4|4|Felis leo|Panthera leo",
        "split|4|10|Felis leo|Felis persica", "status|4|4|accepted|provisional",
      ])
    #expect(diff.counts()[.added] == 2)
  }

  /// An id that lives under a name that has nothing to do with the old one, as references have it.
  @Test func aReusedIDIsNoRename() throws {
    var new = Self.old
    new[3].name = "Quercus robur"
    new[3].synonyms = []
    new[4].name = "Panthera catus"
    let diff = DatabaseDiff(from: try Self.pack("ncbi", Self.old), to: try Self.pack("ncbi", new))
    #expect(
      Self.lines(diff) == [
        "renamed|5|5|Felis catus|Panthera catus", "reused|4|4|Felis leo|Quercus robur",
      ])
  }

  @Test func otherIDsAreComparedByName() throws {
    let new = [
      Row(id: 70, rank: "kingdom", name: "Animalia"),
      Row(id: 2, parent: 70, name: "Felis catus"),
      Row(id: 5, parent: 70, name: "Panthera leo", synonyms: ["Felis leo"]),
    ]
    let diff = DatabaseDiff(
      from: try Self.pack("ncbi", Self.old), to: try Self.pack("col", new))
    #expect(!diff.isByID)
    #expect(
      Self.lines(diff) == [
        "added|-|5|-|-", "merged|4|5|Felis leo|Panthera leo", "removed|2|-|Felis|-",
        "removed|3|-|Panthera|-", "removed|6|-|Felis silvestris|-", "removed|7|-|Felis lost|-",
        "removed|8|-|Felis gone|-",
      ])
  }

  /// Random releases against a comparison of their rows.
  @Test func randomReleasesDifferAsTheirRowsDo() throws {
    for seed in 0..<UInt64(Sweep.count(few: 80, full: 2_000)) {
      var random = SeededGenerator(seed: seed)
      func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
      }
      func release() -> (rows: [Row], merged: [(Int, Int)], deleted: [Int]) {
        var rows = [Row(id: 0, rank: "kingdom", name: "Animalia")]
        var merged: [(Int, Int)] = []
        var deleted: [Int] = []
        for id in 1..<12 {
          switch Int.random(in: 0..<10, using: &random) {
          case 0: deleted.append(id)
          case 1: merged.append((id, pick(rows).id))
          case 2: break
          default:
            rows.append(
              Row(
                id: id, parent: pick(rows).id, rank: pick(["genus", "species"]),
                name:
                  "Name\("abcdefghijklmn".dropFirst(Bool.random(using: &random) ? id : id + 1).prefix(1))\(id)"
                  + (id % 2 == 0 ? " kept\(id)" : ""),
                status: pick(["accepted", "accepted", "provisional"])))
          }
        }
        return (rows, merged, deleted)
      }
      let (old, new) = (release(), release())
      let diff = DatabaseDiff(
        from: try Self.pack("a", old.rows, merged: old.merged, deleted: old.deleted),
        to: try Self.pack("a", new.rows, merged: new.merged, deleted: new.deleted))
      #expect(
        Self.lines(diff) == Self.expected(old.rows, new.rows, new.merged, new.deleted),
        "seed \(seed)")
    }
  }

  private static func expected(
    _ old: [Row], _ new: [Row], _ merged: [(Int, Int)], _ deleted: [Int]
  ) -> [String] {
    func row(_ id: Int?, _ rows: [Row]) -> Row? { rows.first { $0.id == id } }
    /// The nearest ancestor that both have.
    func above(_ row: Row, _ rows: [Row], _ others: [Row]) -> Int? {
      var next = row.parent
      while let id = next, !others.contains(where: { $0.id == id }) {
        next = rows.first { $0.id == id }?.parent
      }
      return next
    }
    var lines: [String] = []
    for a in old {
      guard let b = row(a.id, new) else {
        if let into = merged.first(where: { $0.0 == a.id })?.1, let taxon = row(into, new) {
          lines.append("merged|\(a.id)|\(into)|\(a.name)|\(taxon.name)")
        } else {
          lines.append("\(deleted.contains(a.id) ? "deleted" : "removed")|\(a.id)|-|\(a.name)|-")
        }
        continue
      }
      let ids = "\(a.id)|\(b.id)"
      if a.name != b.name {
        // Names of one word have nothing in common that could follow from each other.
        let isReused = !a.name.contains(" ")
        lines.append("\(isReused ? "reused" : "renamed")|\(ids)|\(a.name)|\(b.name)")
        if isReused { continue }
      }
      if a.rank != b.rank { lines.append("rank|\(ids)|\(a.rank)|\(b.rank)") }
      if a.status != b.status { lines.append("status|\(ids)|\(a.status)|\(b.status)") }
      if above(a, old, new) != above(b, new, old) {
        lines.append(
          "moved|\(ids)|\(row(a.parent, old)?.name ?? "-")|\(row(b.parent, new)?.name ?? "-")")
      }
    }
    for b in new where row(b.id, old) == nil { lines.append("added|-|\(b.id)|-|-") }
    return lines.sorted()
  }
}
