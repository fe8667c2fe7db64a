import STOLData
import STOLFavorites
import STOLPack

/// What was removed from the favourites can be put back.
extension Pages {
  /// The field of an address that names what was removed.
  private static let removedField = "removed"
  /// As many are named at most: an address has an end.
  private static let greatestRemovedCount = 40

  /// The page of favourites, which says that these taxa were removed; any other page as it is.
  func naming(_ ids: [TaxonID], in address: Address) -> Address {
    guard address.route == .favorites else { return address }
    var address = address
    address.query.set(Self.removedField, nil)
    guard ids.count <= Self.greatestRemovedCount else { return address }
    let view = snapshot.pack.view
    for id in ids {
      guard let taxon = try? view.ordinal(of: id) else { continue }
      address.query.append(Self.removedField, view.address(of: taxon).text)
    }
    return address
  }

  /// What the address says was removed and is no favourite now, with a button that puts it back.
  func undo(_ layout: Layout) -> Html? {
    let visit = layout.visit
    let ids = visit.query.all(Self.removedField).prefix(Self.greatestRemovedCount).compactMap {
      text -> TaxonID? in
      guard let address = TaxonAddress(segment: text), case .here(let id) = located(address),
        !services.favorites.isFavorite(taxonID: id)
      else { return nil }
      return id
    }
    let cards = cards(ids, visit)
    guard !cards.isEmpty else { return nil }
    var back = visit.query
    back.set(Self.removedField, nil)
    let names = cards.count > 3 ? Words[.favorites, count: cards.count] : nil
    return tag("div", .class("undo"), .role("status")) {
      tag("p") {
        Words[
          cards.count == 1 ? .noFavoriteAnyMore : .noFavoritesAnyMore,
          ["names": names ?? cards.map(\.title).formatted]]
      }
      layout.action(
        .favorites, Words[.putBack], class: "button",
        ["action": "add", "return": Address(.favorites, query: back).text]
      ) {
        for card in cards { layout.hidden("taxon", card.address.text) }
      }
    }
  }

  // MARK: - All at once

  /// The field of an address that says that all favourites were removed.
  static let clearedField = "cleared"

  /// That all were removed, where they were, with a button that puts them back.
  func undoClearing(_ layout: Layout) -> Html? {
    let count = services.cleared.count
    guard layout.visit.query[Self.clearedField] != nil, count > 0 else { return nil }
    return tag("div", .class("undo"), .role("status")) {
      tag("p") {
        Words[
          count == 1 ? .noFavoriteAnyMore : .noFavoritesAnyMore,
          ["names": Words[.favorites, count: count].capitalisedFirst]]
      }
      layout.action(.favorites, Words[.putBack], class: "button", ["action": "restore"])
    }
  }

  /// Puts back what was removed all at once, in the order in which it was added.
  func restoreFavorites() async throws -> Reply {
    try await services.favorites.addFavorites(services.cleared.kept)
    services.cleared.forget()
    return .seeOther(Address(.favorites))
  }
}
