import STOLPack

/// What the rows of a taxonomy say about its tree.
///
/// Simple enough to be trusted: dictionaries from id to parent id and to child ids, sorted lists,
/// sets of ancestors. A taxon is an id; positions appear only in `ids`, which a recursive walk fills.
struct ForestOracle {
  /// The ids in depth-first preorder, siblings by name and id.
  private(set) var ids: [Int64] = []
  /// The row of each id, synonyms left out.
  private(set) var rows: [Int64: TaxonRow] = [:]
  /// The parent of each id that has one.
  private(set) var parents: [Int64: Int64] = [:]
  /// The children of each id, by name and id; those of no parent are the roots.
  private(set) var children: [Int64: [Int64]] = [:]
  private(set) var roots: [Int64] = []
  /// From each id to its root, both included.
  private(set) var lineages: [Int64: [Int64]] = [:]
  /// The position of each id in `ids`.
  private(set) var positions: [Int64: Int] = [:]

  init(_ taxonomy: TestTaxonomy) {
    for row in taxonomy.taxa where row.status != "synonym" {
      rows[row.id] = row
      if let parent = row.parentID {
        parents[row.id] = parent
        children[parent, default: []].append(row.id)
      } else {
        roots.append(row.id)
      }
    }
    let rows = rows
    roots.sort { Self.isBefore($0, $1, rows) }
    for parent in Array(children.keys) {
      children[parent]?.sort { Self.isBefore($0, $1, rows) }
    }
    for root in roots { walk(root, above: []) }
    for (position, id) in ids.enumerated() { positions[id] = position }
  }

  private mutating func walk(_ id: Int64, above: [Int64]) {
    ids.append(id)
    let lineage = [id] + above
    lineages[id] = lineage
    for child in children[id] ?? [] { walk(child, above: lineage) }
  }

  /// Whether the taxon `a` comes before `b` by the bytes of its name, then by its id.
  private static func isBefore(_ a: Int64, _ b: Int64, _ rows: [Int64: TaxonRow]) -> Bool {
    let nameA = Array((rows[a]?.scientificName ?? "").utf8)
    let nameB = Array((rows[b]?.scientificName ?? "").utf8)
    return nameA == nameB ? a < b : nameA.lexicographicallyPrecedes(nameB)
  }

  /// The ordinal that a taxon must have; one of no taxon for an id that is not there.
  func ordinal(_ id: Int64) -> TaxonOrdinal {
    TaxonOrdinal(rawValue: positions[id].map { UInt32($0) } ?? .max)
  }

  /// The ids of ordinals.
  func ids(_ ordinals: some Sequence<TaxonOrdinal>) -> [Int64] { ordinals.map { ids[$0.index] } }

  /// The scientific name of a taxon.
  func name(_ id: Int64) -> String { rows[id]?.scientificName ?? "" }

  /// From a taxon to its root, both included.
  func lineage(_ id: Int64) -> [Int64] { lineages[id] ?? [] }

  /// The lowest common ancestor of every pair of taxa, by position: -1 for none.
  func commonAncestors() -> [[Int]] {
    let lines = ids.map { id in lineage(id).map { positions[$0] ?? -1 } }
    let sets = lines.map { Set($0) }
    return ids.indices.map { a in
      ids.indices.map { b in lines[a].first { sets[b].contains($0) } ?? -1 }
    }
  }

  /// The position of each taxon in the order of all names, then ids.
  func placesByName() -> [Int] {
    let sorted = ids.indices.sorted { Self.isBefore(ids[$0], ids[$1], rows) }
    var places = [Int](repeating: 0, count: ids.count)
    for (place, position) in sorted.enumerated() { places[position] = place }
    return places
  }
}
