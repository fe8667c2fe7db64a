import STOLData
import STOLFavorites
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

  /// A common name and its language.
  struct CommonName: Equatable, Sendable {
    let text: String
    let language: String
  }

  var id: TaxonID { taxon.id }
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

extension PackView {
  /// Cards with what is drawn beside them, for pages.
  ///
  /// - Complexity: O(depth) for each
  func pictured(_ cards: [TaxonCard]) -> [TaxonCard] {
    cards.map { card in
      var card = card
      if let taxon = try? ordinal(of: card.id) { card.depiction = Depiction(of: taxon, in: self) }
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
