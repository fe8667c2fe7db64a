import STOLPack

/// How many species a taxon has, and how much of those of what holds it that is.
struct CladeShare: Equatable, Sendable {
  let speciesCount: Int
  /// The species of what holds it.
  let total: Int

  /// The share as a bar of 100 by 6, and the number; nothing where it has no species, or is one.
  func html(of taxon: Taxon) -> Html? {
    guard speciesCount > 0, taxon.rank != .species else { return nil }
    return tag("span", .class("share")) {
      tag("span", .class("count")) { "\(Words.grouped(speciesCount)) species" }
      if total > 0 { bar }
    }
  }

  private var bar: Html {
    let width = (Double(speciesCount) / Double(total) * 1000).rounded() / 10
    return Html(
      element: "svg",
      [
        .class("bar"), Attribute("viewBox", "0 0 100 6"), Attribute("preserveAspectRatio", "none"),
        .hidden,
      ],
      Html(
        element: "rect", [Attribute("width", width.svg), Attribute("height", "6")], Html()))
  }
}

/// What the children of a taxon are ordered by.
enum ChildOrder: String, CaseIterable, Sendable {
  case name, size, prominence

  var title: String {
    switch self {
    case .name: "Name"
    case .size: "Number of species"
    case .prominence: "How well known"
    }
  }
}

/// The children of a taxon, or the roots, with their shares.
struct CladeChildren: Sendable {
  let children: [TaxonOrdinal]
  /// The species of all.
  let speciesCount: Int
  let shares: [TaxonOrdinal: CladeShare]

  /// - Complexity: O(number of taxa in the clade)
  init(of clade: TaxonOrdinal?, by order: ChildOrder, in view: borrowing PackView) {
    let sizes = view.cladeSizes(of: clade, levels: 1)
    let tops = sizes.filter { $0.level == (clade == nil ? 1 : 0) }
    let total = tops.reduce(0) { $0 + $1.speciesCount }
    var shares: [TaxonOrdinal: CladeShare] = [:]
    for size in sizes where size.level == 1 {
      shares[size.taxon] = CladeShare(speciesCount: size.speciesCount, total: total)
    }
    self.shares = shares
    speciesCount = total
    // In the order of their names.
    let below = clade.map { view.tree.children(of: $0) } ?? view.tree.roots
    var keyed: [(key: Int, taxon: TaxonOrdinal)] = []
    for taxon in below {
      let key =
        switch order {
        case .name: 0
        case .size: shares[taxon]?.speciesCount ?? 0
        case .prominence: view.taxa.prominence(of: taxon)
        }
      keyed.append((key, taxon))
    }
    if order != .name { keyed.sort { ($1.key, $0.taxon) < ($0.key, $1.taxon) } }
    children = keyed.map(\.taxon)
  }
}
