import GRDB
import STOLPack

/// Two places that may be one.
public struct PlaceDuplicate: Equatable, Sendable {
  /// The one that was kept first.
  public let first: PlaceDot
  /// The other.
  public let second: PlaceDot
  /// The metres between them.
  public let distanceM: Double
  /// How alike their names are, from 0 to 1 (Jaro and Winkler).
  public let similarity: Double
}

extension JournalFile {
  /// So many metres lie between places that may be one, at most.
  static let placeDuplicateM = 250.0
  /// So alike are the names of such places, at least.
  static let placeDuplicateSimilarity = 0.92

  /// Pairs of live places of one kind that lie near each other and have like names, folded as in searches; neither
  /// is part of the other.
  ///
  /// Nothing changes: `merge` does that, for whoever says so.
  ///
  /// - Parameters:
  ///   - distanceM: how far apart they may lie.
  ///   - similarity: how alike their names are at least.
  /// - Returns: the pairs, those with the most alike names first, then the nearest ones.
  /// - Throws: `StoreError`
  /// - Complexity: O(n log n + number of pairs that lie in one strip of `distanceM` from west to east)
  package func placeDuplicates(
    distanceM: Double = JournalFile.placeDuplicateM,
    similarity: Double = JournalFile.placeDuplicateSimilarity
  ) throws -> [PlaceDuplicate] {
    let places = try positionedPlaces()
    let parents = Dictionary(
      places.map { ($0.id, $0.parent) }, uniquingKeysWith: { first, _ in first })
    func isPart(_ part: Int64, of whole: Int64) -> Bool {
      var next = parents[part].flatMap { $0 }
      for _ in 0..<JournalLimits.nestingCount {
        guard let id = next else { return false }
        if id == whole { return true }
        next = parents[id].flatMap { $0 }
      }
      return false
    }
    var found: [(pair: PlaceDuplicate, ids: (Int64, Int64))] = []
    for (index, a) in places.enumerated() {
      for b in places[(index + 1)...] {
        let north = b.position.latitudeE7 - a.position.latitudeE7
        // A little less than the metres of 1e-7 degree of latitude.
        if Double(north) * 0.0111 > distanceM { break }
        guard a.dot.kind == b.dot.kind else { continue }
        let apart = a.position.distanceM(to: b.position)
        guard apart <= distanceM else { continue }
        let alike = JaroWinkler.similarity(a.name, b.name)
        guard alike >= similarity, !isPart(a.id, of: b.id), !isPart(b.id, of: a.id) else {
          continue
        }
        let (first, second) = a.id < b.id ? (a, b) : (b, a)
        found.append(
          (
            PlaceDuplicate(
              first: first.dot, second: second.dot, distanceM: apart, similarity: alike),
            (first.id, second.id)
          ))
      }
    }
    return found.sorted {
      ($1.pair.similarity, $0.pair.distanceM, $0.ids.0, $0.ids.1)
        < ($0.pair.similarity, $1.pair.distanceM, $1.ids.0, $1.ids.1)
    }.map(\.pair)
  }

  private struct Positioned {
    let id: Int64
    let parent: Int64?
    let dot: PlaceDot
    let position: Position
    let name: String
  }

  /// The live places with a position, from south to north.
  private func positionedPlaces() throws -> [Positioned] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT p.id, p.parent_id, r.uuid, p.kind, p.name, p.latitude_e7, p.longitude_e7,
            p.uncertainty_m
          FROM place p JOIN record r ON r.id = p.id
          WHERE r.deleted_ms IS NULL AND p.latitude_e7 NOT NULL ORDER BY p.latitude_e7, p.id
          """
      ).compactMap { row in
        let dot = try PlaceDot(row)
        return dot.position.map {
          Positioned(
            id: row["id"], parent: row["parent_id"], dot: dot, position: $0,
            name: Folder.fold(dot.name))
        }
      }
    }
  }
}
