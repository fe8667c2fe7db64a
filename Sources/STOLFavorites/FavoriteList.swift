public import STOLData
public import STOLPack

/// Favourites as they are shown: with the names that one database has for them.
public struct FavoriteList: Sendable {
  /// What a list is ordered by.
  public enum Order: String, CaseIterable, Sendable {
    /// When it was added, the last one first.
    case recent
    /// Scientific name, without regard to case and accents.
    case scientificName
    /// Common name, without regard to case and accents; those without one follow by scientific name.
    case commonName
  }

  /// One favourite taxon.
  public struct Item: Identifiable, Equatable, Sendable {
    /// The favourite; of several that lead to one taxon, the one added last.
    public let entry: FavoriteEntry
    /// What its reference leads to in the database, in a word or two: `ReferenceOutcome.word`.
    public let outcome: String
    /// Whether the taxon has another name now.
    public let isRenamed: Bool
    /// The taxon, or nil if the reference leads to none.
    public let taxon: Taxon?
    /// Its common name in the language asked for.
    public let commonName: String?
    /// Other favourites that lead to the same taxon here, the one added last first.
    public internal(set) var others: [FavoriteEntry] = []
    /// The id of the taxon in the database; where it is not there, the key of the favourite.
    public var id: TaxonID { taxon?.id ?? entry.taxonID }
    /// The id of the taxon as the source writes it; nil if the reference leads to none, for its id may be
    /// that of another taxon here.
    public var sourceID: String? { taxon?.sourceID }
    /// Whether `sourceID` is shown as a number in JSON: where that holds it exactly.
    public var hasJSONNumberID: Bool { taxon?.hasJSONNumberID ?? false }
  }

  /// The favourites, in order; those that the database does not have come last unless the order is
  /// `recent`.
  public let items: [Item]

  /// Looks up favourites in a pack.
  ///
  /// - Parameters:
  ///   - entries: the favourites, the one added last first.
  ///   - pack: the active database.
  ///   - language: a BCP 47 tag, which `LanguagePreference` goes on from; nil is English.
  ///   - order: what to order by.
  /// - Complexity: O(n log n)
  public init(
    _ entries: [FavoriteEntry], in pack: Pack, language: String? = nil, order: Order = .recent
  ) {
    var places: [TaxonID: Int] = [:]
    var items: [Item] = []
    for item in Self.each(of: entries, in: pack, language: language) {
      if let taxon = item.taxon {
        if let place = places[taxon.id] {
          items[place].others.append(item.entry)
          continue
        }
        places[taxon.id] = items.count
      }
      items.append(item)
    }
    self.items = Self.sorted(items, by: order)
  }

  /// An item for each favourite, whichever of them lead to one taxon.
  static func each(
    of entries: [FavoriteEntry], in pack: Pack, language: String? = nil
  ) -> [Item] {
    let view = pack.view
    let languages = LanguagePreference(language, in: view.names)
    var items: [Item] = []
    let outcomes = view.resolve(entries.map(\.reference))
    for (entry, outcome) in zip(entries, outcomes) {
      var item = Item(
        entry: entry, outcome: outcome.word, isRenamed: outcome.isRenamed, taxon: nil,
        commonName: nil)
      if let taxon = outcome.taxon {
        let name = view.commonName(of: taxon, in: languages).map { view.names.text(of: $0) }
        item = Item(
          entry: entry, outcome: outcome.word, isRenamed: outcome.isRenamed,
          taxon: view.taxon(taxon),
          commonName: name)
      }
      items.append(item)
    }
    return items
  }

  private static func sorted(_ items: [Item], by order: Order) -> [Item] {
    guard order != .recent else { return items }
    let keyed = items.map { item in
      let scientific = item.taxon.map { Folder.fold($0.scientificName) } ?? ""
      let common = order == .commonName ? item.commonName.map(Folder.fold) : nil
      // 0: with the name asked for; 1: with a scientific name only; 2: not in the database.
      let isNamed = order == .scientificName || common != nil
      let tier = item.taxon == nil ? 2 : isNamed ? 0 : 1
      return (tier: tier, key: common ?? scientific, item: item)
    }
    return keyed.sorted { a, b in
      (a.tier, a.key, a.item.id) < (b.tier, b.key, b.item.id)
    }.map(\.item)
  }

  // MARK: - Export

  /// The first line of an export.
  public static let exportTitle = "My Favourite Species \u{2014} Species: Tree of Life"

  /// The list as a text to give away: names only, without ids and times.
  ///
  /// A title, an empty line, and a numbered line for each favourite. How many the database does not
  /// have is said in one last line, with the names that they had when they were added.
  public var exportText: String {
    var text = Self.exportTitle + "\n\n"
    var number = 0
    for item in items {
      guard let taxon = item.taxon else { continue }
      number += 1
      let common = item.commonName.map { " (\(Self.singleLine($0)))" } ?? ""
      text += "\(number). \(Self.singleLine(taxon.scientificName))\(common)\n"
    }
    let missing = items.filter { $0.taxon == nil }
    guard !missing.isEmpty else { return text }
    let names = missing.map { Self.singleLine($0.entry.reference.name) }.filter { !$0.isEmpty }
    text += "\(missing.count) more not in the active database"
    return text + (names.isEmpty ? "\n" : ": \(names.joined(separator: ", "))\n")
  }

  /// `name` with a space in place of each character that could end the line.
  private static func singleLine(_ name: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let category = scalar.properties.generalCategory
      let isBreak = [.control, .lineSeparator, .paragraphSeparator].contains(category)
      line.append(isBreak ? " " : scalar)
    }
    return String(line)
  }
}
