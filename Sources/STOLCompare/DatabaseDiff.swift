import STOLData
public import STOLPack

/// What changed from one database to another, or from one release to the next.
///
/// Where both have ids of the same space, a taxon is the one with its id; else the only one of its name,
/// as `TaxonReference` is resolved. Everything is told in one pass and nothing is kept but which taxon
/// is which: 4 bytes a taxon of the old database and 1 of the new one.
public struct DatabaseDiff: Sendable {
  /// What happened to a taxon.
  public enum Kind: String, CaseIterable, Sendable {
    /// The new one has it.
    case added
    /// The new one does not have it, and says nothing of it.
    case removed
    /// The new one says that its id was retired.
    case deleted
    /// The new one says that it is part of another taxon.
    case merged
    /// It has another scientific name.
    case renamed
    /// It is within another taxon.
    case moved
    /// It has another rank.
    case rank
    /// Its name is accepted now or was, or is doubted.
    case status
    /// Several taxa of the new one may be it.
    case ambiguous
    /// It may have been split: a name that was its synonym is that of a taxon of its own.
    case split
    /// Its id is that of a name that has nothing to do with its own.
    case reused
  }

  /// One change.
  public struct Change: Equatable, Sendable {
    /// What happened.
    public let kind: Kind
    /// The taxon in the old database; nil for one that was added.
    public let old: Taxon?
    /// The taxon in the new database: what it is or has become; nil where it is none.
    public let new: Taxon?
    /// What was there before: the name, the name of the parent, the rank or the status.
    public let before: String?
    /// What is there now.
    public let after: String?
  }

  private let old: Pack
  private let new: Pack
  /// The taxon of the new database that each of the old one is; `none` for none.
  private let matches: [UInt32]
  /// Whether a taxon of the new database is one of the old.
  private let isOld: [Bool]
  /// Whether ids decide.
  public let isByID: Bool

  private static let none = UInt32.max

  /// A comparison, which finds out which taxon is which.
  ///
  /// - Complexity: O(n log n)
  public init(from old: Pack, to new: Pack) {
    self.old = old
    self.new = new
    let (a, b) = (old.view, new.view)
    let isByID = a.idSpace == b.idSpace && a.idSpace != nil
    self.isByID = isByID
    var matches = [UInt32](repeating: Self.none, count: old.taxonCount)
    var isOld = [Bool](repeating: false, count: new.taxonCount)
    var resolver = ReferenceResolver(b)
    for taxon in a.tree.taxa {
      let found: TaxonOrdinal? =
        if isByID {
          a.sourceID(of: taxon).flatMap { id in
            if case .found(let found) = b.ids.resolve(sourceID: id) { found } else { nil }
          }
        } else {
          a.reference(to: taxon).flatMap { reference in
            switch resolver.resolve(reference, b) {
            case .same(let found, _), .byName(let found): found
            default: nil
            }
          }
        }
      if let found {
        matches[taxon.index] = found.rawValue
        isOld[found.index] = true
      }
    }
    self.matches = matches
    self.isOld = isOld
  }

  /// Gives `body` every change: those of the taxa of the old database in their order, then what was added.
  ///
  /// - Complexity: O(n log n)
  public func forEach(_ body: (Change) throws -> Void) rethrows {
    let (a, b) = (old.view, new.view)
    var resolver = ReferenceResolver(b)
    for taxon in a.tree.taxa where !a.isImplied(taxon) {
      let match = matches[taxon.index]
      guard match != Self.none else {
        try body(lost(taxon, a, b, &resolver))
        continue
      }
      try compare(taxon, TaxonOrdinal(rawValue: match), a, b, &resolver, body)
    }
    for taxon in b.tree.taxa where !isOld[taxon.index] && !b.isImplied(taxon) {
      let shown = b.taxon(taxon)
      try body(Change(kind: .added, old: nil, new: shown, before: nil, after: nil))
      if let whole = self.whole(of: shown, a) {
        try body(
          Change(
            kind: .split, old: a.taxon(whole), new: shown,
            before: a.names.scientificName(of: whole),
            after: shown.scientificName))
      }
    }
  }

  /// How many changes of each kind there are.
  ///
  /// - Complexity: that of `forEach`
  public func counts() -> [Kind: Int] {
    var counts: [Kind: Int] = [:]
    forEach { counts[$0.kind, default: 0] += 1 }
    return counts
  }

  /// What became of a taxon that is no taxon any more.
  private func lost(
    _ taxon: TaxonOrdinal, _ a: borrowing PackView, _ b: borrowing PackView,
    _ resolver: inout ReferenceResolver
  ) -> Change {
    let shown = a.taxon(taxon)
    func change(_ kind: Kind, _ into: TaxonOrdinal? = nil) -> Change {
      let found = into.map { b.taxon($0) }
      return Change(
        kind: kind, old: shown, new: found, before: shown.scientificName,
        after: found?.scientificName)
    }
    guard let reference = a.reference(to: taxon) else { return change(.removed) }
    return switch resolver.resolve(reference, b) {
    case .merged(let into), .bySynonym(let into, _): change(.merged, into)
    case .deleted: change(.deleted)
    case .ambiguous: change(.ambiguous)
    case .same, .byName, .absent: change(.removed)
    }
  }

  private func compare(
    _ taxon: TaxonOrdinal, _ match: TaxonOrdinal, _ a: borrowing PackView, _ b: borrowing PackView,
    _ resolver: inout ReferenceResolver, _ body: (Change) throws -> Void
  ) rethrows {
    func tell(_ kind: Kind, _ before: String?, _ after: String?) throws {
      try body(
        Change(
          kind: kind, old: a.taxon(taxon), new: b.taxon(match), before: before, after: after))
    }
    let (before, after) = (a.names.scientificName(of: taxon), b.names.scientificName(of: match))
    if before != after {
      if let reference = a.reference(to: taxon),
        case .ambiguous = resolver.resolve(reference, b)
      {
        return try tell(.reused, before, after)
      }
      try tell(.renamed, before, after)
    }
    let ranks = (a.taxa.ranks[a.taxa.rank(of: taxon)], b.taxa.ranks[b.taxa.rank(of: match)])
    if ranks.0 != ranks.1 { try tell(.rank, ranks.0.rawValue, ranks.1.rawValue) }
    let statuses = (
      a.taxa.statuses[a.taxa.status(of: taxon)], b.taxa.statuses[b.taxa.status(of: match)]
    )
    if statuses.0 != statuses.1 { try tell(.status, statuses.0, statuses.1) }
    let parents = (nearestKnown(above: taxon, a), nearestOld(above: match, b))
    if parents.0 != parents.1 {
      try tell(
        .moved, a.tree.parent(of: taxon).map { a.names.scientificName(of: $0) },
        b.tree.parent(of: match).map { b.names.scientificName(of: $0) })
    }
  }

  /// The taxon of the new database that the nearest ancestor is which is there.
  private func nearestKnown(
    above taxon: TaxonOrdinal, _ a: borrowing PackView
  ) -> TaxonOrdinal? {
    var next = a.tree.parent(of: taxon)
    while let ancestor = next {
      if matches[ancestor.index] != Self.none {
        return TaxonOrdinal(rawValue: matches[ancestor.index])
      }
      next = a.tree.parent(of: ancestor)
    }
    return nil
  }

  /// The nearest ancestor that the old database has.
  private func nearestOld(above taxon: TaxonOrdinal, _ b: borrowing PackView) -> TaxonOrdinal? {
    var next = b.tree.parent(of: taxon)
    while let ancestor = next, !isOld[ancestor.index] { next = b.tree.parent(of: ancestor) }
    return next
  }

  /// The taxon of the old database that a name of a new taxon was a synonym of, where that lives on.
  private func whole(of taxon: Taxon, _ a: borrowing PackView) -> TaxonOrdinal? {
    var found: TaxonOrdinal?
    if isByID, let id = taxon.sourceID, case .synonym(let owner, _) = a.ids.resolve(sourceID: id) {
      found = owner
    } else if case .synonym(let owner, _) = a.resolve(taxon.scientificName) {
      found = owner
    }
    return found.flatMap { matches[$0.index] == Self.none ? nil : $0 }
  }
}
