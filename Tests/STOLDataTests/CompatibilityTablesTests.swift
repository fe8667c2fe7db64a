import Foundation
import GRDB
import STOLData
import STOLPack
import TestSupport
import Testing

@Suite("Tables for older readers")
struct CompatibilityTablesTests {
  /// A row of `taxa` that is no synonym, with its parent resolved.
  struct Node {
    var id: Int64
    var parent: Int64?
    var rank: String
    var name: String
  }

  /// The tables, computed by walking links.
  struct Oracle {
    var nodes: [Int64: Node] = [:]
    var children: [Int64?: [Int64]] = [:]
    var tour: [(Int64, Int)] = []

    init(_ rows: [Node]) {
      for row in rows {
        nodes[row.id] = row
        children[row.parent, default: []].append(row.id)
      }
      let sorted = children.mapValues { $0.sorted(by: isBefore) }
      children = sorted
      for root in children[nil] ?? [] { visit(root, 0) }
    }

    private mutating func visit(_ id: Int64, _ depth: Int) {
      tour.append((id, depth))
      for child in children[id] ?? [] {
        visit(child, depth + 1)
        tour.append((id, depth))
      }
    }

    func isBefore(_ a: Int64, _ b: Int64) -> Bool {
      let (x, y) = (Array((nodes[a]?.name ?? "").utf8), Array((nodes[b]?.name ?? "").utf8))
      return x == y ? a < b : x.lexicographicallyPrecedes(y)
    }

    func path(_ id: Int64) -> [Int64] {
      var path = [id]
      while let last = path.last, let parent = nodes[last]?.parent { path.append(parent) }
      return path
    }

    /// `relative|lca|depth of it|distance` of the ten closest species.
    func relatives(_ id: Int64) -> [String] {
      let own = path(id)
      var found: [(distance: Int, id: Int64, lca: Int64)] = []
      for other in nodes.values where other.rank == "species" && other.id != id {
        let path = path(other.id)
        guard let up = path.firstIndex(where: { own.contains($0) }),
          let ownUp = own.firstIndex(of: path[up])
        else { continue }
        found.append((up + ownUp, other.id, path[up]))
      }
      // The deepest common ancestor first: the ways from the root to two of them differ in length.
      found.sort { a, b in
        let depths = (path(a.lca).count, path(b.lca).count)
        if depths.0 != depths.1 { return depths.0 > depths.1 }
        return a.distance == b.distance ? isBefore(a.id, b.id) : a.distance < b.distance
      }
      return found.prefix(10).map {
        "\($0.id)|\($0.lca)|\(path($0.lca).count - 1)|\($0.distance)"
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func equalsTheRecursiveDefinition(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = Self.randomRows(&random)
    let folder = try TemporaryFolder()
    let inserts = rows.map { row in
      "INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES "
        + "(\(row.id), \(row.parent.map(String.init) ?? "NULL"), '\(row.rank)', '\(row.name)');"
    }
    try TestDatabase.write(
      TestDatabase.keyedTables + inserts.joined() + """
        CREATE TABLE euler_tour (something);
        INSERT INTO taxa VALUES
          (9001, 1, 'domain', 'Synonym', NULL, NULL, 'synonym', NULL);
        """, to: folder("a.sqlite"))
    _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("a.stolpack"))
    let pack = try Pack(path: folder("a.stolpack"))
    let before = try TestDatabase.bytes(of: folder("a.sqlite"))
    try CompatibilityTables(of: pack).write(
      copying: folder("a.sqlite"), to: folder("old.sqlite"))
    #expect(try TestDatabase.bytes(of: folder("a.sqlite")) == before)
    #expect(try folder.contents == ["a.sqlite", "a.stolpack", "old.sqlite"])
    try expect(folder("old.sqlite"), equals: Oracle(rows), rowCount: rows.count + 1)
  }

  private func expect(_ path: String, equals oracle: Oracle, rowCount: Int) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.read { database in
      let tour = try Row.fetchAll(database, sql: "SELECT * FROM euler_tour ORDER BY seq")
        .map { row -> String in
          "\(row["seq"] as Int)|\(row["taxon_id"] as Int64)|\(row["depth"] as Int)"
        }
      #expect(tour == oracle.tour.enumerated().map { "\($0)|\($1.0)|\($1.1)" })
      let first = try Row.fetchAll(database, sql: "SELECT * FROM first_occurrence")
      #expect(first.count == oracle.nodes.count)
      for row in first {
        let id: Int64 = row["taxon_id"]
        let position: Int = row["seq"]
        #expect(position == oracle.tour.firstIndex { $0.0 == id })
      }
      for node in oracle.nodes.values {
        let rows = try Row.fetchAll(
          database,
          sql: "SELECT * FROM top_n_relatives WHERE taxon_id = ? ORDER BY rank_order",
          arguments: [node.id])
        let orders = rows.map { $0["rank_order"] as Int }
        #expect(orders == Array(1..<orders.count + 1))
        let texts = rows.map { row -> String in
          let relative: Int64 = row["relative_id"]
          let ancestor: Int64 = row["lca_id"]
          return "\(relative)|\(ancestor)|\(row["lca_depth"] as Int)|\(row["distance"] as Int)"
        }
        #expect(texts == (node.rank == "species" ? oracle.relatives(node.id) : []))
      }
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM taxa") == rowCount)
    }
  }

  private static func randomRows(_ random: inout SeededGenerator) -> [Node] {
    let ranks = MainRank.allCases.map(\.name)
    var rows: [Node] = []
    for index in 0..<150 {
      let level = min(index / 3, Int.random(in: 0...7, using: &random))
      let parents = rows.filter { ranks.firstIndex(of: $0.rank) ?? 0 < level }
      let parent = parents.randomElement(using: &random)
      rows.append(
        Node(
          id: Int64(index + 1) * (index % 5 == 4 ? -1 : 1), parent: parent?.id,
          rank: ranks[parent == nil ? min(level, 2) : level],
          name: ["Aa", "B", "a", "Å", "Aa bb", "Aa b"].randomElement(using: &random) ?? "X"))
    }
    return rows
  }
}
