import STOLNames
public import STOLPack

extension PackView {
  /// The reference to a taxon, with its snapshot; nil for a root that no source has.
  ///
  /// - Complexity: O(depth + length of its texts)
  public func reference(to taxon: TaxonOrdinal) -> TaxonReference? {
    guard let id = sourceID(of: taxon) else { return nil }
    let shown = self.taxon(taxon)
    return TaxonReference(
      idSpace: idSpace, id: id, name: shown.scientificName, authorship: shown.author ?? "",
      year: shown.year, rank: shown.rank.rawValue, kingdoms: kingdoms(of: taxon))
  }

  /// What a reference leads to in this database.
  ///
  /// Where ids are of the same space the id decides, and the name tells whether it was given to another
  /// taxon since; else the name, the authorship, the rank and the kingdom must all be those of one taxon.
  /// Where neither side says what its ids are ids of, the name decides as well, and the id only between
  /// taxa that fit alike.
  ///
  /// - Complexity: O(log n) for an id; a search for a name where it decides.
  public func resolve(_ reference: TaxonReference) -> ReferenceOutcome {
    var resolver = ReferenceResolver(self)
    return resolver.resolve(reference, self)
  }

  /// What each of many references leads to, in their order; faster than one by one.
  ///
  /// - Complexity: O(number · log n)
  public func resolve(_ references: some Sequence<TaxonReference>) -> [ReferenceOutcome] {
    var resolver = ReferenceResolver(self)
    var outcomes: [ReferenceOutcome] = []
    for reference in references { outcomes.append(resolver.resolve(reference, self)) }
    return outcomes
  }

  /// The names of the domain, kingdom and their like above a taxon or of itself; else of its two highest
  /// ancestors.
  fileprivate func kingdoms(of taxon: TaxonOrdinal) -> [String] {
    let (found, highest) = kingdomsAndHighest(of: taxon)
    return found.isEmpty ? highest : found
  }

  /// The names of the domain, kingdom and their like above a taxon or of itself, and those of its two highest other
  /// ancestors.
  private func kingdomsAndHighest(
    of taxon: TaxonOrdinal
  ) -> (kingdoms: [String], highest: [String]) {
    var found: [String] = []
    var highest: [String] = []
    for ancestor in tree.ancestors(of: taxon) + [taxon] where !isImplied(ancestor) {
      if KingdomNames.ranks.contains(taxa.ranks[taxa.rank(of: ancestor)].rawValue) {
        found.append(names.scientificName(of: ancestor))
      } else if highest.count < 2, ancestor != taxon {
        highest.append(names.scientificName(of: ancestor))
      }
    }
    return (found, highest)
  }

  /// Names that say in which kingdom a taxon is: without a kingdom above it those of its phyla as well.
  fileprivate func signsOfKingdom(of taxon: TaxonOrdinal) -> KingdomSigns {
    let (found, highest) = kingdomsAndHighest(of: taxon)
    let kingdoms = found.isEmpty ? highest : found
    let areSettled = !found.isEmpty || highest.count == 2
    guard !KingdomNames.sayKingdom(kingdoms) else {
      return KingdomSigns(names: kingdoms, areSettled: areSettled)
    }
    let phyla = tree.ancestors(of: taxon).filter {
      KingdomNames.phyla.contains(taxa.ranks[taxa.rank(of: $0)].rawValue)
    }
    return KingdomSigns(
      names: kingdoms + phyla.map { names.scientificName(of: $0) }, areSettled: areSettled)
  }
}

/// Names that say in which kingdom a taxon is.
private struct KingdomSigns {
  let names: [String]
  /// Whether no ancestor of another rank further down would add one.
  let areSettled: Bool
}

/// Tells what references lead to in one pack, and remembers what took long.
public struct ReferenceResolver: ~Copyable {
  /// What the ids of the pack are ids of, which takes a while to find out.
  private let idSpace: String?
  /// What came of names that very many taxa share, such as "environmental samples": by the reference
  /// without its id.
  private var outcomesOfSharedNames: [TaxonReference: ReferenceOutcome] = [:]
  /// The taxa that have them as one of their names.
  private var taxaOfSharedNames: [String: [TaxonOrdinal]] = [:]
  private static let sharedNameCount = 64
  /// The names that say in which kingdom taxa below a parent are, which is the same for most of many.
  private var signsBelow: [TaxonOrdinal: KingdomSigns] = [:]
  private var session = SearchSession()

  /// A resolver for the pack of `view`.
  public init(_ view: borrowing PackView) { idSpace = view.idSpace }

  /// What a reference leads to in `view`, the pack that the resolver was made for; see `PackView.resolve(_:)`.
  ///
  /// - Complexity: O(log n) for an id; a search for a name where it decides.
  public mutating func resolve(_ reference: TaxonReference, _ view: borrowing PackView)
    -> ReferenceOutcome
  {
    guard reference.idSpace == idSpace else { return byName(reference, view) }
    guard idSpace != nil else { return unstated(reference, view) }
    switch view.ids.resolve(sourceID: reference.id) {
    case .found(let taxon):
      switch likeness(reference, taxon, view) {
      case .equal: return .same(taxon, isRenamed: false)
      case .synonym: return .same(taxon, isRenamed: true)
      case .kin:
        // A name that another taxon has now was not given up: the id was given away.
        let others = named(reference, view).filter { $0 != taxon }
        return others.isEmpty ? .same(taxon, isRenamed: true) : .ambiguous([taxon] + others)
      case nil: return reused(by: taxon, reference, view)
      }
    case .merged(let taxon): return .merged(taxon)
    case .synonym(let taxon, let name):
      let text = Folder.fold(view.names.text(of: name))
      if likeness(reference, taxon, view) != nil
        || Self.areKin(Folder.fold(reference.name), text)
      {
        return .merged(taxon)
      }
      return reused(by: taxon, reference, view)
    case .deleted: return .deleted
    default: return .absent
    }
  }

  /// What a reference leads to where neither side says what ids are ids of: what its name does.
  ///
  /// Of several taxa that fit alike it is the one with the id.
  private mutating func unstated(
    _ reference: TaxonReference, _ view: borrowing PackView
  ) -> ReferenceOutcome {
    let found = view.ids.resolve(sourceID: reference.id)
    guard !reference.name.isEmpty, let taxon = found.taxon else { return byName(reference, view) }
    func withID(isRenamed: Bool) -> ReferenceOutcome {
      if case .found = found { .same(taxon, isRenamed: isRenamed) } else { .merged(taxon) }
    }
    let name = NameOrdinal(rawValue: taxon.rawValue)
    if fits(reference, nil, taxon, name, view) {
      return withID(isRenamed: false)
    }
    let outcome = byName(reference, view)
    switch outcome {
    case .bySynonym(taxon, _): return withID(isRenamed: true)
    case .ambiguous(let taxa) where taxa.contains(taxon): return withID(isRenamed: true)
    default: return outcome
    }
  }

  /// What a reference leads to whose id belongs to a name that has nothing to do with the old one.
  private mutating func reused(
    by taxon: TaxonOrdinal, _ reference: TaxonReference, _ view: borrowing PackView
  ) -> ReferenceOutcome {
    .ambiguous([taxon] + named(reference, view).filter { $0 != taxon })
  }

  /// What the name of a reference has to do with that of a taxon.
  private enum Likeness {
    /// It is the same, or nobody knows it.
    case equal
    /// It is a synonym of it now.
    case synonym
    /// Genus or epithet are the same, and there is no sign of anything else.
    case kin
  }

  /// What the name of a reference has to do with that of a taxon; nil for nothing.
  private mutating func likeness(
    _ reference: TaxonReference, _ taxon: TaxonOrdinal, _ view: borrowing PackView
  ) -> Likeness? {
    guard !reference.name.isEmpty else { return .equal }
    let name = view.names.scientificName(of: taxon)
    guard reference.name != name else { return .equal }
    let (old, new) = (Folder.fold(reference.name), Folder.fold(name))
    if old == new { return .equal }
    for name in view.names.furtherNames(of: taxon)
    where view.names.type(of: name) == .synonym && Folder.fold(view.names.text(of: name)) == old {
      return .synonym
    }
    guard !KingdomNames.areApart(reference.kingdoms, signsOfKingdom(of: taxon, view)) else {
      return nil
    }
    return Self.areKin(old, new) ? .kin : nil
  }

  /// Whether two folded names of several words have the genus or the epithet in common.
  private static func areKin(_ old: String, _ new: String) -> Bool {
    let (a, b) = (old.split(separator: " "), new.split(separator: " "))
    guard a.count > 1, b.count > 1 else { return false }
    return a[0] == b[0] || stem(a[a.count - 1]) == stem(b[b.count - 1])
  }

  /// An epithet without the ending that follows the gender of the genus.
  private static func stem(_ epithet: Substring) -> Substring {
    for ending in ["us", "um", "is", "er", "a", "e"]
    where epithet.count > ending.count + 2 && epithet.hasSuffix(ending) {
      return epithet.dropLast(ending.count)
    }
    return epithet
  }

  private mutating func byName(
    _ reference: TaxonReference, _ view: borrowing PackView
  ) -> ReferenceOutcome {
    guard !reference.name.isEmpty else { return .absent }
    var key = reference
    (key.idSpace, key.id) = (nil, "")
    if !outcomesOfSharedNames.isEmpty, let known = outcomesOfSharedNames[key] { return known }
    let outcome = Self.outcome(hits(reference, view), view)
    if taxaOfSharedNames[reference.name] != nil { outcomesOfSharedNames[key] = outcome }
    return outcome
  }

  private static func outcome(_ hits: [Hit], _ view: borrowing PackView) -> ReferenceOutcome {
    let taxa = hits.filter { view.names.isScientific($0.name) }.map(\.taxon)
    if let taxon = taxa.first { return taxa.count == 1 ? .byName(taxon) : .ambiguous(taxa) }
    let synonyms = hits.filter { view.names.type(of: $0.name) == .synonym }
    guard let first = synonyms.first else { return .absent }
    guard synonyms.allSatisfy({ $0.taxon == first.taxon }) else {
      var seen: [TaxonOrdinal] = []
      for synonym in synonyms where !seen.contains(synonym.taxon) { seen.append(synonym.taxon) }
      return .ambiguous(seen)
    }
    return .bySynonym(first.taxon, first.name)
  }

  /// The taxa that have the name, of a rank and kingdom and with an authorship that fit.
  private mutating func named(
    _ reference: TaxonReference, _ view: borrowing PackView
  ) -> [TaxonOrdinal] {
    hits(reference, view).filter { view.names.isScientific($0.name) }.map(\.taxon)
  }

  private typealias Hit = (taxon: TaxonOrdinal, name: NameOrdinal)

  /// The taxa of which a name fits, and that name.
  private mutating func hits(_ reference: TaxonReference, _ view: borrowing PackView) -> [Hit] {
    var hits: [Hit] = []
    let folded = Folder.fold(reference.name)
    for taxon in taxa(named: reference.name, view) {
      // All names of a taxon that match, not only the one that the search shows.
      for name in Self.allNames(taxon, view)
      where fits(reference, folded, taxon, name, view) {
        hits.append((taxon, name))
        break
      }
    }
    return hits
  }

  /// The taxa that have the name as one of their names, whatever else they are.
  private mutating func taxa(named name: String, _ view: borrowing PackView) -> [TaxonOrdinal] {
    if let known = taxaOfSharedNames[name] { return known }
    let query = SearchQuery(name, mode: .exact, words: .asTyped, limit: .max)
    var taxa: [TaxonOrdinal] = []
    session.search(query, in: view)
    for hit in session.hits where !view.isImplied(hit.taxon) { taxa.append(hit.taxon) }
    if taxa.count > Self.sharedNameCount { taxaOfSharedNames[name] = taxa }
    return taxa
  }

  /// The scientific name of a taxon, then its synonyms.
  private static func allNames(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView
  ) -> [NameOrdinal] {
    [NameOrdinal(rawValue: taxon.rawValue)]
      + view.names.furtherNames(of: taxon).filter { view.names.type(of: $0) == .synonym }
  }

  /// Whether a name of a taxon can be that of a reference, which is `folded`, or nil where it was not folded yet.
  private mutating func fits(
    _ reference: TaxonReference, _ folded: String?, _ taxon: TaxonOrdinal, _ name: NameOrdinal,
    _ view: borrowing PackView
  ) -> Bool {
    let text = view.names.text(of: name)
    guard
      text == reference.name
        || Folder.fold(text) == folded ?? Folder.fold(reference.name)
    else { return false }
    var rank = view.taxa.ranks[view.taxa.rank(of: taxon)]
    var (author, year) = ("", view.taxa.year(of: taxon))
    if view.names.isScientific(name) {
      author = view.taxa.authors[view.taxa.author(of: taxon)]
    } else {
      let record = view.names.record(of: name)
      rank = record.rank ?? rank
      (author, year) = (record.authorship ?? "", record.year)
    }
    guard Self.areRanksAlike(reference.rank, rank.rawValue),
      reference.authorship == author && reference.year == year
        || AuthorshipComparison.compare(
          reference.authorship, year: reference.year, author, year: year) != .different
    else { return false }
    return !KingdomNames.areApart(reference.kingdoms, signsOfKingdom(of: taxon, view))
  }

  /// Names that say in which kingdom a taxon is; those of a taxon of no such rank are above it.
  private mutating func signsOfKingdom(
    of taxon: TaxonOrdinal, _ view: borrowing PackView
  ) -> [String] {
    guard let parent = view.tree.parent(of: taxon),
      !KingdomNames.ranks.contains(view.taxa.ranks[view.taxa.rank(of: taxon)].rawValue)
    else { return view.signsOfKingdom(of: taxon).names }
    return signs(below: parent, view) { view.signsOfKingdom(of: taxon) }.names
  }

  /// The names that say in which kingdom the taxa below another one are; `made` makes them, where they are not those
  /// above that one too.
  private mutating func signs(
    below taxon: TaxonOrdinal, _ view: borrowing PackView, _ made: () -> KingdomSigns
  ) -> KingdomSigns {
    if let known = signsBelow[taxon] { return known }
    var signs: KingdomSigns?
    let rank = view.taxa.ranks[view.taxa.rank(of: taxon)].rawValue
    if let parent = view.tree.parent(of: taxon), !KingdomNames.ranks.contains(rank),
      !KingdomNames.phyla.contains(rank)
    {
      let above = self.signs(below: parent, view) { view.signsOfKingdom(of: taxon) }
      if above.areSettled { signs = above }
    }
    let found = signs ?? made()
    signsBelow[taxon] = found
    return found
  }

  /// Whether two words for ranks can be of one taxon: unknown ones and those without a place fit all.
  private static func areRanksAlike(_ a: String, _ b: String) -> Bool {
    guard a != b, let a = KnownRanks.place(of: a), let b = KnownRanks.place(of: b) else {
      return true
    }
    return a == b
  }
}
