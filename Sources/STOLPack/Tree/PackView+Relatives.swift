/// A close relative of a taxon: `Member` is `TaxonOrdinal` in a view of a pack, and `Taxon` in an app.
public struct Relative<Member: Hashable & Sendable>: Hashable, Sendable {
  /// The relative.
  public let taxon: Member
  /// The lowest common ancestor of the two.
  public let commonAncestor: Member
  /// The Linnaean distance: the number of steps between the two from one main rank to the next.
  public let distance: Int
  /// How many taxa of the rank have this common ancestor and this distance, this one included.
  ///
  /// Above 1, none of them is the closest. Nil where nobody counted, as in stored rows.
  public let tieCount: Int?

  /// A relative.
  package init(taxon: Member, commonAncestor: Member, distance: Int, tieCount: Int?) {
    self.taxon = taxon
    self.commonAncestor = commonAncestor
    self.distance = distance
    self.tieCount = tieCount
  }
}

extension Relative: Identifiable where Member == Taxon {
  /// The id of the relative.
  public var id: TaxonID { taxon.id }
}

extension PackView {
  /// The closest taxa of the same rank as `taxon`, of those for which `isIncluded` holds.
  ///
  /// The deeper the common ancestor, the closer; then come Linnaean distance, scientific name (UTF-8
  /// bytes) and id. For a species these are the rows of `top_n_relatives`.
  ///
  /// Computed, not stored: ancestor by ancestor, the taxa below it and outside the branch that leads to
  /// `taxon` are read, all of them, so that ties are counted.
  ///
  /// - Returns: at most `limit` taxa, `taxon` itself left out.
  /// - Complexity: O(s) for the s taxa of the clade in which the last one lies: a genus or a family where
  ///   it holds enough.
  public func relatives(
    of taxon: TaxonOrdinal, limit: Int, where isIncluded: (TaxonOrdinal) -> Bool = { _ in true }
  ) -> [Relative<TaxonOrdinal>] {
    guard limit > 0, taxon.index < taxonCount else { return [] }
    let rank = taxa.rank(of: taxon)
    var found: [Relative<TaxonOrdinal>] = []
    // What lies within has been read.
    var branch = taxon..<taxon
    var ancestor: TaxonOrdinal? = taxon
    while let next = ancestor, found.count < limit {
      let clade = tree.subtree(of: next)
      var nearest = Nearest(limit: limit - found.count)
      let base = tree.mainDepth(of: taxon) &- 2 &* tree.mainDepth(of: next)
      // In a damaged pack, a branch may lie outside of its clade.
      let before = min(max(branch.lowerBound, clade.lowerBound), clade.upperBound)
      let after = min(max(branch.upperBound, clade.lowerBound), clade.upperBound)
      for part in [clade.lowerBound..<before, after..<clade.upperBound] {
        for candidate in part where taxa.rank(of: candidate) == rank {
          guard candidate != taxon, !isImplied(candidate), isIncluded(candidate) else { continue }
          insert(candidate, distance: base &+ tree.mainDepth(of: candidate), into: &nearest)
        }
      }
      for entry in nearest.entries {
        found.append(
          Relative(
            taxon: entry.taxon, commonAncestor: next, distance: entry.distance,
            tieCount: nearest.count(at: entry.distance)))
      }
      branch = clade
      ancestor = tree.parent(of: next)
    }
    return found
  }

  /// Counts a taxon, and keeps it if it is among the first so far.
  ///
  /// - Complexity: O(1) for most, for siblings come in the order of their names: once one of them comes
  ///   too late, so do those behind it. O(log limit) comparisons of names for the first of each family
  ///   of siblings and those that are kept.
  @inline(__always)
  private func insert(_ taxon: TaxonOrdinal, distance: Int, into nearest: inout Nearest) {
    nearest.count(distance)
    if nearest.isFull {
      if distance > nearest.greatestDistance { return }
      if distance == nearest.greatestDistance, let late = nearest.late,
        names.areSiblings(late, taxon)
      {
        return
      }
    }
    keep(taxon, distance: distance, in: &nearest)
  }

  private func keep(_ taxon: TaxonOrdinal, distance: Int, in nearest: inout Nearest) {
    func precedes(_ entry: Nearest.Entry) -> Bool {
      entry.distance != distance ? entry.distance < distance : order(entry.taxon, taxon) < 0
    }
    // Mostly they come in order.
    if let last = nearest.entries.last, precedes(last) {
      if nearest.isFull { nearest.late = taxon } else { nearest.append((taxon, distance)) }
      return
    }
    var low = 0
    var high = nearest.entries.count
    while low < high {
      let middle = (low + high) / 2
      if precedes(nearest.entries[middle]) { low = middle + 1 } else { high = middle }
    }
    nearest.insert((taxon, distance), at: low)
  }

  /// The sign of the order of two taxa by scientific name, then id; siblings by their place, if that
  /// may be trusted.
  func order(_ a: TaxonOrdinal, _ b: TaxonOrdinal, trustsPlaces: Bool = true) -> Int {
    let byName = names.order(a, b, trustsPlaces: trustsPlaces)
    return byName == 0 ? (ids[a] < ids[b] ? -1 : 1) : byName
  }
}

/// The first few of many taxa with one common ancestor.
private struct Nearest {
  typealias Entry = (taxon: TaxonOrdinal, distance: Int)

  private(set) var entries: [Entry] = []
  private let limit: Int
  /// How many taxa there are at each distance but the one asked for last: mostly at no other.
  private var counts: [(distance: Int, count: Int)] = []
  private var current = (distance: 0, count: 0)

  /// Whether no more can be kept without one that is kept falling out.
  private(set) var isFull = false
  /// The greatest distance of what is kept.
  private(set) var greatestDistance = 0
  /// A taxon at that distance with a name behind all that is kept; what is kept only gets better.
  var late: TaxonOrdinal?

  init(limit: Int) { self.limit = limit }

  mutating func append(_ entry: Entry) { insert(entry, at: entries.count) }

  mutating func insert(_ entry: Entry, at place: Int) {
    if isFull { entries.removeLast() }
    entries.insert(entry, at: place)
    isFull = entries.count == limit
    let greatest = entries.last?.distance ?? 0
    if greatest != greatestDistance { late = nil }
    greatestDistance = greatest
  }

  @inline(__always)
  mutating func count(_ distance: Int) {
    if distance == current.distance { current.count &+= 1 } else { countAnother(distance) }
  }

  private mutating func countAnother(_ distance: Int) {
    if current.count > 0 { counts.append(current) }
    current = (distance, 1)
    guard let index = counts.firstIndex(where: { $0.distance == distance }) else { return }
    current.count += counts.remove(at: index).count
  }

  func count(at distance: Int) -> Int {
    distance == current.distance
      ? current.count : counts.first { $0.distance == distance }?.count ?? 0
  }
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
}
