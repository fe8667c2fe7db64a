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
    if let query = inWrittenForm(visit.query) {
      return .redirect(to: Address(.compare, visit.address.form, query: query))
    }
    let texts = visit.query.all("taxon")
    guard texts.count <= Self.greatestComparedCount else {
      return problem(
        visit, 400, Words[.tooManyToCompare],
        Words[
          .tooManyText,
          ["most": "\(Self.greatestComparedCount)", "number": Words.grouped(texts.count)]])
    }
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
              : picks.contains(where: \.isOfAnotherDatabase)
                ? "not each field \"taxon\" is of the active database"
                : "not each field \"taxon\" names one taxon")
      }
      return .json { comparison.write(to: &$0) }
    case .svg:
      guard let comparison else {
        return problem(visit, 400, Words[.nothingToCompare], Words[.twoNeeded])
      }
      return comparisonPicture(comparison, visit)
    case .csv, .tsv:
      guard let comparison else {
        return problem(visit, 400, Words[.nothingToCompare], Words[.twoNeeded])
      }
      return SavedTable.comparison(comparison, visit.address.form, as: "comparison")
    case .page:
      return ComparePage(
        picks: picks, comparison: comparison, layout: layout(visit),
        picture: comparison.map { comparisonFigure($0, visit) },
        known: picks.isEmpty ? examples(visit) : []
      ).reply
    }
  }

  /// What a field names: a taxon, or several that could be meant.
  struct Pick: Sendable {
    let text: String
    let card: TaxonCard?
    var candidates: [TaxonCard] = []
    /// Whether its id is an id of something else than those of the active database.
    var isOfAnotherDatabase = false
    /// What stands in the field instead of the text; sent again it means the same.
    var name: String?

    var fieldText: String { name ?? text }
  }

  /// A query with what numbers alone are of the active database; nil where it has none.
  private func inWrittenForm(_ query: Fields) -> Fields? {
    var written = Fields()
    for (name, value) in query.pairs {
      var value = value
      if name == "taxon", let address = TaxonAddress(segment: value),
        case .elsewhere(let current) = located(address)
      {
        value = current.text
      }
      written.append(name, value)
    }
    return written == query ? nil : written
  }

  /// What a text names: a taxon, or what could be meant.
  func pick(_ text: String, _ visit: Visit) async throws -> Pick {
    let address = TaxonAddress(segment: text)
    let place = address?.idSpace == nil ? nil : address.map(located)
    if case .otherDatabase = place {
      return Pick(text: text, card: nil, isOfAnotherDatabase: true)
    }
    let resolved = withView(visit) { view, languages in
      var found = view.resolve(text)
      if case .here(let id) = place { found = view.ids.resolve(id) }
      switch found {
      case .found(let taxon), .merged(let taxon), .synonym(let taxon, _), .common(let taxon, _):
        let card = view.card(taxon, languages, services.favorites)
        // A name in place of an id, if it names this taxon and no other.
        let names = address == nil ? [] : [card.title, card.taxon.scientificName]
        return Pick(
          text: text, card: card, name: names.first { view.resolve($0) == .found(taxon) })
      case .ambiguous(let taxa):
        return Pick(
          text: text, card: nil,
          candidates: view.cards(taxa.prefix(8), languages, services.favorites))
      case .deleted, .notFound, .invalid: return Pick(text: text, card: nil)
      }
    }
    if resolved.card != nil || !resolved.candidates.isEmpty { return resolved }
    let hits = try await services.search.search(
      SearchQuery(text, words: .asTyped, limit: 8), filter: TaxonFilter(), in: snapshot)
    return Pick(text: text, card: nil, candidates: cards(hits.map(\.id), visit))
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
              ancestor: comparison.commonAncestor.map {
                view.card($0, languages, services.favorites)
              },
              sentence: view.sharedCladeDescription(of: comparison),
              traitSimilarity: comparison.traitSimilarity))
        }
      }
      return TaxaComparison(
        cards: visit.address.form == .page ? view.pictured(cards, sources) : cards,
        ancestor: ancestor.map { view.card($0, languages, services.favorites) },
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
    /// Their last common ancestor.
    let ancestor: TaxonCard?
    /// What they have in common, without a full stop.
    let sentence: String
    let traitSimilarity: Double?
  }

  /// The values of each trait, key by key: of every taxon its values, and whether all have the same;
  /// nil where it is not known of all.
  var traitRows:
    [(key: String, unit: String?, traits: [[Trait]], values: [[String]], isShared: Bool?)]
  {
    let keys = Set(traits.joined().map(\.key)).sorted()
    return keys.map { key in
      let traits = traits.map { list in list.filter { $0.key == key } }
      let values = traits.map { list in list.map(Words.value).sorted() }
      let unit = traits.joined().first?.unit
      let isKnown = values.allSatisfy { !$0.isEmpty }
      return (key, unit, traits, values, isKnown ? values.allSatisfy { $0 == values[0] } : nil)
    }
  }

  /// How many traits are known of both of a pair, and how many of these have the same values; nil for none.
  func traitsOfBoth(_ pair: Pair) -> (known: Int, same: Int)? {
    let rows = traitRows.filter { !$0.values[pair.a].isEmpty && !$0.values[pair.b].isEmpty }
    guard !rows.isEmpty else { return nil }
    return (rows.count, rows.count { $0.values[pair.a] == $0.values[pair.b] })
  }

  func write(to json: inout RowWriter) {
    json.taxa("taxa", cards)
    json.taxon("lca", ancestor)
    json.array("paths") { json in
      for path in paths { json.taxa(nil, path) }
    }
    json.objects("pairs", pairs) { json, pair in
      json.id("a", cards[pair.a])
      json.id("b", cards[pair.b])
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
