import STOLAnswers
import STOLCompare
import STOLData
import STOLPack
import STOLSearch

extension Pages {
  /// As many taxa are compared at once.
  static let greatestComparedCount = 8

  /// Two or more taxa beside each other: where their lineages meet, how far apart they are, what they
  /// share.
  func compare(_ visit: Visit) async throws -> Reply {
    let texts = Array(visit.query.all("taxon").prefix(Self.greatestComparedCount))
    var picks: [Pick] = []
    for text in texts { picks.append(try await pick(text, visit)) }
    let comparison = picks.count >= 2 ? try compared(picks, visit) : nil
    switch visit.address.form {
    case .json:
      guard let comparison else {
        return problem(
          visit, 400, "Nothing to compare",
          texts.count < 2
            ? "give two to \(Self.greatestComparedCount) fields \"taxon\""
            : picks.allSatisfy { $0.card != nil }
              ? "all fields \"taxon\" name the same taxon"
              : "not each field \"taxon\" names one taxon")
      }
      return .json { comparison.write(to: &$0) }
    case .svg:
      guard let comparison else {
        return problem(visit, 400, "Nothing to compare", "Two taxa are needed.")
      }
      return comparisonPicture(comparison, visit)
    case .page:
      return ComparePage(
        picks: picks, comparison: comparison, layout: layout(visit),
        picture: comparison.map { comparisonFigure($0, visit) }
      ).reply
    }
  }

  /// What a field names: a taxon, or several that could be meant.
  struct Pick: Sendable {
    let text: String
    let card: TaxonCard?
    let candidates: [TaxonCard]
    /// What stands in the field; sent again it means the same.
    let fieldText: String
  }

  private func pick(_ text: String, _ visit: Visit) async throws -> Pick {
    let resolved: (card: TaxonCard?, several: [TaxonCard], name: String) = withView(visit) {
      view, languages in
      switch view.resolve(text) {
      case .found(let taxon), .merged(let taxon):
        let card = view.card(taxon, languages, services.favorites)
        // A name in place of an id, if it names this taxon and no other.
        let names = Int64(text) == nil ? [] : [card.title, card.taxon.scientificName]
        let name = names.first { view.resolve($0) == .found(taxon) }
        return (card, [], name ?? text)
      case .ambiguous(let taxa):
        return (nil, view.cards(taxa.prefix(8), languages, services.favorites), text)
      case .deleted, .notFound, .invalid: return (nil, [], text)
      }
    }
    if resolved.card != nil || !resolved.several.isEmpty {
      return Pick(
        text: text, card: resolved.card, candidates: resolved.several, fieldText: resolved.name)
    }
    let hits = try await services.search.search(
      SearchQuery(text, order: .prominence, limit: 8), filter: TaxonFilter(), in: snapshot)
    return Pick(
      text: text, card: nil, candidates: cards(hits.map(\.id), visit), fieldText: text)
  }

  private func compared(_ picks: [Pick], _ visit: Visit) throws -> TaxaComparison? {
    var cards: [TaxonCard] = []
    for pick in picks {
      guard let card = pick.card else { return nil }
      if !cards.contains(where: { $0.id == card.id }) { cards.append(card) }
    }
    guard cards.count >= 2 else { return nil }
    return try withView(visit) { view, languages in
      let taxa = try cards.map { try view.ordinal(of: $0.id) }
      let ancestor = view.tree.lowestCommonAncestor(taxa)
      let paths = taxa.map { taxon in
        let lineage = view.tree.ancestors(of: taxon) + [taxon]
        let path = lineage.drop { ancestor != nil && $0 != ancestor }
        return view.cards(path, languages, services.favorites)
      }
      var pairs: [TaxaComparison.Pair] = []
      for a in taxa.indices {
        for b in taxa.indices where b > a {
          let comparison = view.compare(taxa[a], taxa[b])
          pairs.append(
            TaxaComparison.Pair(
              a: a, b: b, distance: comparison.distance,
              sentence: view.sharedCladeDescription(of: comparison),
              traitSimilarity: comparison.traitSimilarity))
        }
      }
      return TaxaComparison(
        cards: cards, ancestor: ancestor.map { view.card($0, languages, services.favorites) },
        paths: paths, pairs: pairs, traits: taxa.map { view.traitList(of: $0) })
    }
  }
}

/// Two or more taxa and what they have in common.
struct TaxaComparison: Sendable {
  let cards: [TaxonCard]
  let ancestor: TaxonCard?
  /// For each taxon the way down to it from the common ancestor, or from its root; both ends included.
  let paths: [[TaxonCard]]
  let pairs: [Pair]
  let traits: [[Trait]]

  /// Two of them, by their places.
  struct Pair: Sendable {
    let a: Int
    let b: Int
    let distance: Int?
    /// What they have in common, without a full stop.
    let sentence: String
    let traitSimilarity: Double?
  }

  /// The values of each trait, key by key: of every taxon its values, and whether all have the same;
  /// nil where it is not known of all.
  var traitRows: [(key: String, unit: String?, values: [[String]], isShared: Bool?)] {
    let keys = Set(traits.joined().map(\.key)).sorted()
    return keys.map { key in
      let values = traits.map { list in
        list.filter { $0.key == key }.map(Words.value).sorted()
      }
      let unit = traits.joined().first { $0.key == key }?.unit
      let isKnown = values.allSatisfy { !$0.isEmpty }
      return (key, unit, values, isKnown ? values.allSatisfy { $0 == values[0] } : nil)
    }
  }

  func write(to json: inout RowWriter) {
    json.taxa("taxa", cards)
    json.taxon("lca", ancestor)
    json.array("paths") { json in
      for path in paths { json.taxa(nil, path) }
    }
    json.objects("pairs", pairs) { json, pair in
      json.number("a", cards[pair.a].id)
      json.number("b", cards[pair.b].id)
      json.number("distance", pair.distance)
      json.text("sharedCladeDescription", pair.sentence)
      json.number("traitSimilarity", exact: pair.traitSimilarity)
    }
    json.objects("traits", traitRows) { json, row in
      json.text("key", row.key)
      json.bool("isShared", row.isShared)
      json.array("values") { json in
        for values in row.values { json.texts(nil, values) }
      }
    }
  }
}
