public import STOLData
public import STOLPack

/// What becomes of favourites when another database answers: nothing is lost, and some are not to be seen.
public struct FavoriteForecast: Sendable {
  /// One favourite, in both databases.
  public struct Item: Equatable, Sendable {
    /// The favourite, as it is in the database that would answer.
    public let then: FavoriteList.Item
    /// What its reference leads to in the database that answers now, in a word or two.
    public let now: String
    /// The name that it has now; nil where it leads to none.
    public let nameNow: String?
  }

  /// The favourites, the one added last first; of several that would lead to one taxon each.
  public let items: [Item]

  /// Looks up favourites in two packs.
  ///
  /// - Parameters:
  ///   - entries: the favourites, the one added last first.
  ///   - now: the active database.
  ///   - then: the one that would be.
  /// - Complexity: O(n log n)
  public init(_ entries: [FavoriteEntry], now: Pack, then: Pack) {
    let before = now.view.resolve(entries.map(\.reference))
    let view = now.view
    var known: [TaxonID: (word: String, name: String?)] = [:]
    for (entry, outcome) in zip(entries, before) {
      known[entry.taxonID] = (
        outcome.word, outcome.taxon.map { view.names.scientificName(of: $0) }
      )
    }
    items = FavoriteList.each(of: entries, in: then).map { item in
      let before = known[item.entry.taxonID]
      return Item(then: item, now: before?.word ?? "", nameNow: before?.name)
    }
  }

  /// Those that are there now and would not be.
  public var lost: [Item] { items.filter { $0.nameNow != nil && $0.then.taxon == nil } }

  /// How it would be, in a line.
  public var summary: String {
    let found = items.count { $0.then.taxon != nil }
    let all = items.count == 1 ? "1 favourite" : "\(items.count) favourites"
    guard !items.isEmpty else { return "there are no favourites" }
    let taxa = Set(items.compactMap(\.then.taxon?.id)).count
    let merged = taxa < found ? ", where they are \(taxa == 1 ? "1 taxon" : "\(taxa) taxa")" : ""
    guard found < items.count else {
      return "\(all), \(items.count == 1 ? "which is" : "all") in it\(merged)"
    }
    return "\(all), \(found) in it\(merged); the others are kept, and seen again in a database "
      + "that has them"
  }
}
