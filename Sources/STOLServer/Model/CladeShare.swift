import STOLPack

/// How many species a taxon has, and how much of a whole that is.
struct CladeShare: Equatable, Sendable {
  let facts: CladeFacts
  /// The species that a full bar stands for: those of what holds the taxon, or of the largest one of a list.
  let total: Int

  /// The share as a bar of 100 by 6, and the numbers; nothing where it has no species, or is one.
  func html(of taxon: Taxon) -> Html? {
    guard facts.speciesCount > 0, taxon.rank != .species else { return nil }
    return tag("span", .class("share")) {
      tag("span", .class("count")) { Words[.speciesCount, count: facts.speciesCount] }
      if total > 0 { Self.bar(facts.speciesCount, of: total) }
      facts.note.map { note in tag("span", .class("further")) { note } }
    }
  }

  /// A bar as long as a part is of a whole.
  static func bar(_ part: Int, of whole: Int, class name: String = "bar") -> Html {
    let width = (Double(part) / Double(whole) * 1000).rounded() / 10
    return Html(
      element: "svg",
      [
        .class(name), Attribute("viewBox", "0 0 100 6"), Attribute("preserveAspectRatio", "none"),
        .hidden,
      ],
      Html(
        element: "rect", [Attribute("width", width.svg), Attribute("height", "6")], Html()))
  }

  /// The shares of taxa of which none holds all others: a full bar is the largest one.
  static func amongThemselves(_ facts: [CladeFacts]) -> [CladeShare] {
    let total = facts.map(\.speciesCount).max() ?? 0
    return facts.map { CladeShare(facts: $0, total: total) }
  }

  /// What the bars of such a list mean; nil where fewer than two have one.
  static func legend(_ shares: [CladeShare], of taxa: [Taxon]) -> Html? {
    let barred = zip(shares, taxa).filter { $0.facts.speciesCount > 0 && $1.rank != .species }
    guard barred.count > 1, let total = barred.first?.0.total else { return nil }
    return tag("p", .class("note legend")) {
      Words[.legend, ["species": Words[.speciesCount, count: total]]]
    }
  }
}

/// What the children of a taxon are ordered by.
enum ChildOrder: String, CaseIterable, Sendable {
  case name, size, prominence

  var title: String {
    switch self {
    case .name: Words[.byName]
    case .size: Words[.bySize]
    case .prominence: Words[.byProminence]
    }
  }
}

extension PackView {
  /// The children of a taxon, or the roots; what is equal stands in the order of names.
  ///
  /// - Complexity: O(n log n) for n children; by name O(n)
  func children(
    of clade: TaxonOrdinal?, by order: ChildOrder, _ counts: CladeCounts
  ) -> [TaxonOrdinal] {
    // In the order of their names.
    var keyed: [(key: Int, taxon: TaxonOrdinal)] = []
    for taxon in clade.map({ tree.children(of: $0) }) ?? tree.roots {
      let key =
        switch order {
        case .name: 0
        case .size: counts.facts(of: taxon, in: self).speciesCount
        case .prominence: taxa.prominence(of: taxon)
        }
      keyed.append((key, taxon))
    }
    if order != .name { keyed.sort { ($1.key, $0.taxon) < ($0.key, $1.taxon) } }
    return keyed.map(\.taxon)
  }
}
