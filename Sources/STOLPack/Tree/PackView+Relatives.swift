/// A close relative of a taxon: `Member` is `TaxonOrdinal` in a view of a pack, and `Taxon` in an app.
public struct Relative<Member: Hashable & Sendable>: Hashable, Sendable {
  /// The relative.
  public let taxon: Member
  /// The lowest common ancestor of the two.
  public let commonAncestor: Member
  /// The number of edges between the two.
  public let distance: Int

  /// A relative.
  package init(taxon: Member, commonAncestor: Member, distance: Int) {
    self.taxon = taxon
    self.commonAncestor = commonAncestor
    self.distance = distance
  }
}

extension Relative: Identifiable where Member == Taxon {
  /// The id of the relative.
  public var id: TaxonID { taxon.id }
}

extension PackView {
  /// The closest taxa of the same rank as `taxon`.
  ///
  /// They are ordered by distance, then scientific name (UTF-8 bytes), then id. For a species these
  /// are the rows of `top_n_relatives`.
  ///
  /// Computed, not stored. Distances are tried from the least on; at distance D, each ancestor at
  /// height h contributes the taxa D - h levels below it, outside the branch that leads to `taxon`.
  ///
  /// - Returns: at most `limit` taxa, `taxon` itself left out.
  /// - Complexity: O(s) for the s taxa of the clades that must be searched: a genus or a family where
  ///   it holds enough.
  public func relatives(of taxon: TaxonOrdinal, limit: Int) -> [Relative<TaxonOrdinal>] {
    guard limit > 0, taxon.index < taxonCount else { return [] }
    let rank = taxa.rank(of: taxon)
    var found: [Relative<TaxonOrdinal>] = []
    // The taxon and its ancestors as far as they are needed, each with its subtree.
    var lineage = [(taxon: taxon, clade: tree.subtree(of: taxon))]
    let greatestDistance = tree.depth(of: taxon) + tree.depths.greatestStorableValue
    for distance in 1...max(1, greatestDistance) where found.count < limit {
      if lineage.count == distance, let parent = tree.parent(of: lineage[distance - 1].taxon) {
        lineage.append((parent, tree.subtree(of: parent)))
      }
      var ties = NearestByName(limit: limit - found.count)
      for height in 0...min(distance, lineage.count - 1) {
        let branch = height > 0 ? lineage[height - 1].clade : taxon..<taxon
        let (ancestor, clade) = lineage[height]
        forEachTaxon(
          levels: distance - height, below: ancestor, clade: clade, outside: branch
        ) { candidate in
          guard taxa.rank(of: candidate) == rank else { return true }
          return insert(candidate, commonAncestor: ancestor, into: &ties)
        }
      }
      found += ties.entries.map {
        Relative(taxon: $0.taxon, commonAncestor: $0.commonAncestor, distance: distance)
      }
    }
    return found
  }

  /// Keeps `taxon` if it is among the first by name so far, and tells whether it is.
  ///
  /// - Complexity: O(log limit) comparisons, mostly one.
  private func insert(
    _ taxon: TaxonOrdinal, commonAncestor: TaxonOrdinal, into nearest: inout NearestByName
  ) -> Bool {
    let isFull = nearest.entries.count == nearest.limit
    // Mostly they come in order.
    if let last = nearest.entries.last, order(last.taxon, taxon) < 0 {
      if !isFull { nearest.entries.append((taxon, commonAncestor)) }
      return !isFull
    }
    var low = 0
    var high = nearest.entries.count
    while low < high {
      let middle = (low + high) / 2
      if order(nearest.entries[middle].taxon, taxon) < 0 { low = middle + 1 } else { high = middle }
    }
    if isFull { nearest.entries.removeLast() }
    nearest.entries.insert((taxon, commonAncestor), at: low)
    return true
  }

  /// The sign of the order of two taxa by scientific name, then id; siblings by their place, if that
  /// may be trusted.
  func order(_ a: TaxonOrdinal, _ b: TaxonOrdinal, trustsPlaces: Bool = true) -> Int {
    let byName = names.order(a, b, trustsPlaces: trustsPlaces)
    return byName == 0 ? (ids[a] < ids[b] ? -1 : 1) : byName
  }

  /// Calls `body` with the taxa exactly `levels` below `ancestor`, but for those in `branch` and for
  /// the siblings that follow one for which `body` returns false.
  private func forEachTaxon(
    levels: Int, below ancestor: TaxonOrdinal, clade: Clade, outside branch: Clade,
    _ body: (TaxonOrdinal) -> Bool
  ) {
    guard levels > 0 else {
      _ = body(ancestor)
      return
    }
    let target = tree.depth(of: ancestor) + levels
    var index = clade.lowerBound.index + 1
    let end = clade.upperBound.index
    while index < end {
      let candidate = TaxonOrdinal(index)
      if branch.contains(candidate) {
        index = branch.upperBound.index
        continue
      }
      if tree.depth(of: candidate) < target {
        index += 1
      } else if body(candidate) {
        index = tree.isLeaf(candidate) ? index + 1 : max(index + 1, tree.end(of: candidate).index)
      } else {
        // Siblings stand in the order of their names.
        let parent = tree.parent(of: candidate) ?? candidate
        index = levels == 1 ? end : max(index + 1, tree.end(of: parent).index)
      }
    }
  }
}

/// The first few of many taxa, by name.
private struct NearestByName {
  var entries: [(taxon: TaxonOrdinal, commonAncestor: TaxonOrdinal)] = []
  let limit: Int
}

extension NameView {
  /// The sign of the order of two scientific names, by UTF-8 bytes.
  ///
  /// Siblings stand in the order of their names, equal ones by id. Binomials compare by the numbers
  /// of their words: the vocabulary is sorted, one capital at the start changes no order among names
  /// that all have one, and a space sorts before any letter.
  func order(_ a: TaxonOrdinal, _ b: TaxonOrdinal, trustsPlaces: Bool) -> Int {
    if trustsPlaces, areSiblings(a, b) { return (a.index - b.index).signum() }
    if case .binomial(let genusA, let epithetA) = form(of: NameOrdinal(a.index)),
      case .binomial(let genusB, let epithetB) = form(of: NameOrdinal(b.index))
    {
      return genusA != genusB ? (genusA < genusB ? -1 : 1) : (epithetA - epithetB).signum()
    }
    var buffers: (a: [UInt8], b: [UInt8]) = ([], [])
    return spelledOrder(a, b, &buffers)
  }

  /// The sign of the order of two scientific names by their bytes, without allocating once the
  /// buffers are large enough; that of siblings by their place.
  func order(_ a: TaxonOrdinal, _ b: TaxonOrdinal, _ buffers: inout (a: [UInt8], b: [UInt8])) -> Int
  {
    areSiblings(a, b) ? (a.index - b.index).signum() : spelledOrder(a, b, &buffers)
  }

  private func spelledOrder(
    _ a: TaxonOrdinal, _ b: TaxonOrdinal, _ buffers: inout (a: [UInt8], b: [UInt8])
  ) -> Int {
    buffers.a.removeAll(keepingCapacity: true)
    buffers.b.removeAll(keepingCapacity: true)
    appendText(of: NameOrdinal(a.index), to: &buffers.a)
    appendText(of: NameOrdinal(b.index), to: &buffers.b)
    return buffers.a == buffers.b ? 0 : buffers.a.lexicographicallyPrecedes(buffers.b) ? -1 : 1
  }
}
