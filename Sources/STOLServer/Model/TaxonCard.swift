import STOLData
import STOLFavorites
import STOLMedia
import STOLPack

/// What a list shows of a taxon.
struct TaxonCard: Equatable, Sendable {
  let taxon: Taxon
  /// How addresses name it.
  let address: TaxonAddress
  /// The common name in the visitor's language, or in what comes nearest to it.
  let commonName: CommonName?
  let isFavorite: Bool
  let hasChildren: Bool
  /// What is drawn beside it, where a page asked for that.
  var depiction: Depiction?
  /// Whether a media pack has a picture of the taxon itself.
  var hasPicture = false
  /// How much is in it, where a page asked for that.
  var facts: CladeFacts?

  /// A common name and its language.
  struct CommonName: Equatable, Sendable {
    let text: String
    let language: String
  }

  var id: TaxonID { taxon.id }
  /// The small picture beside its name: its own, else a drawing that fits; nil where there is none, or none was asked for.
  var thumbnail: Address? {
    if hasPicture { return Address(.thumbnail(address)) }
    guard let depiction, depiction.relation != .none else { return nil }
    return Address(.drawing(address), .svg)
  }
  /// What it is called here: the common name, with a capital letter, or the scientific one.
  var title: String { commonName.map { $0.text.capitalisedFirst } ?? taxon.scientificName }
}

extension PackView {
  /// The card of a taxon.
  ///
  /// - Complexity: O(log n + number of its names)
  func card(
    _ ordinal: TaxonOrdinal, _ languages: borrowing LanguagePreference, _ favorites: LocalFavorites
  ) -> TaxonCard {
    let taxon = taxon(ordinal)
    let name = commonName(of: ordinal, in: languages)
    return TaxonCard(
      taxon: taxon, address: address(of: ordinal),
      commonName: name.map {
        TaxonCard.CommonName(
          text: names.text(of: $0), language: names.languages[names.language(of: $0)])
      },
      isFavorite: favorites.isFavorite(taxonID: taxon.id), hasChildren: !tree.isLeaf(ordinal))
  }

  /// The cards of taxa, in their order.
  func cards(
    _ ordinals: some Sequence<TaxonOrdinal>, _ languages: borrowing LanguagePreference,
    _ favorites: LocalFavorites
  ) -> [TaxonCard] {
    ordinals.map { card($0, languages, favorites) }
  }
}

/// What pages show of taxa beside their names.
struct CardSources: Sendable {
  let images: MediaLibrary?
  let counts: CladeCounts
}

extension PackView {
  /// Cards with a picture or a drawing and with how much is in them, for pages.
  ///
  /// - Complexity: O(depth) for each
  func pictured(_ cards: [TaxonCard], _ sources: CardSources) -> [TaxonCard] {
    cards.map { card in
      var card = card
      guard let taxon = try? ordinal(of: card.id) else { return card }
      card.facts = sources.counts.facts(of: taxon, in: self)
      card.hasPicture = (sources.images?.ownImageCount(of: card.id) ?? 0) > 0
      if !card.hasPicture { card.depiction = Depiction(of: taxon, in: self) }
      return card
    }
  }
}

extension String {
  /// The text with its first letter a capital one, as titles have it: "ß" becomes "Ss".
  var capitalisedFirst: String {
    guard let first = unicodeScalars.first else { return self }
    return first.properties.titlecaseMapping + String(unicodeScalars.dropFirst())
  }
}
