package import STOLPack

/// A rank as a source says it: known ones under one name and in their order, others as they are.
///
/// The order is that of `KnownRanks`.
package struct SourceRank: Hashable, Sendable {
  /// The English name in lower case: "subspecies", "forma specialis", "no rank"; an unknown word as
  /// the source writes it.
  package let canonicalName: String
  /// Its place among the known ranks, less is higher; nil if it has none, as clades have.
  package let level: Int?
  /// Which of the eight ranks of a database it becomes, or nil.
  package let kept: MainRank?

  /// The rank of what has none.
  package static let noRank = SourceRank(canonicalName: "no rank", level: nil, kept: nil)
  /// The rank of species.
  package static let species = SourceRank(known: "species")
  /// The rank of genera.
  package static let genus = SourceRank(known: "genus")

  /// The ranks above species that have a place, the highest first: columns of higher taxa may be of each.
  package static let aboveSpecies: [SourceRank] = KnownRanks.ordered.prefix { $0[0] != "species" }
    .map { SourceRank(known: $0[0]) }
  /// The first rank of each place.
  private static let byPlace = KnownRanks.ordered.map { SourceRank(known: $0[0]) }

  /// The first of the known ranks at a place; nil where there is no such place.
  package init?(place: Int) {
    guard Self.byPlace.indices.contains(place) else { return nil }
    self = Self.byPlace[place]
  }

  /// One of the eight ranks.
  package init(_ rank: MainRank) { self.init(known: rank.name) }

  /// What a source says about a rank; nil if it says nothing.
  ///
  /// Case, spaces around it, "_", "-" and a final full stop do not matter.
  package init?(_ text: String) {
    if let rank = RankWords.byWord[text] {
      self = rank
      return
    }
    let key = RankWords.key(text)
    guard !key.isEmpty else { return nil }
    // "SUB_ESPECIE" is one word to others.
    if let rank = RankWords.byWord[key] ?? RankWords.byWord[key.filter { $0 != " " }] {
      self = rank
    } else {
      self.init(canonicalName: trimmingSpaces(text), level: nil, kept: nil)
    }
  }

  init(canonicalName: String, level: Int?, kept: MainRank?) {
    self.canonicalName = canonicalName
    self.level = level
    self.kept = kept
  }

  private init(known name: String) {
    self = RankWords.byWord[name] ?? .noRank
  }

  /// Whether its taxa lie within one species.
  package var isBelowSpecies: Bool {
    guard let level, let species = SourceRank.species.level else { return false }
    return level > species
  }

  /// Whether its taxa lie within one genus and hold species: subgenera, sections, series.
  package var isBetweenGenusAndSpecies: Bool {
    guard let level, let genus = SourceRank.genus.level, let species = SourceRank.species.level
    else { return false }
    return level > genus && level < species
  }

  /// Whether the source only says that there is none, or that it does not know it.
  package var saysNothing: Bool { Self.emptyWords.contains(canonicalName) }

  private static let emptyWords: Set = [
    "no rank", "no rank - terminal", "unranked", "unknown", "other", "uninomial",
  ]

  /// Whether the word is one that the table has.
  package var isKnown: Bool { level != nil || RankWords.byWord[canonicalName] != nil }
}

/// The text without spaces at its ends.
package func trimmingSpaces(_ text: String) -> String {
  let scalars = text.unicodeScalars
  guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
    let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
  else { return "" }
  return String(scalars[first...last])
}
