package import STOLPack

/// A rank as a source says it: known ones under one name and in their order, others as they are.
///
/// The order is that of the International Code of Nomenclature for algae, fungi, and plants, articles
/// 3 and 4, with the further ranks of the zoological and the bacteriological code, of NCBI and of the
/// Catalogue of Life where these place them.
package struct SourceRank: Hashable, Sendable {
  /// The English name in lower case: "subspecies", "forma specialis", "unranked"; an unknown word as
  /// the source writes it.
  package let canonicalName: String
  /// Its place among the known ranks, less is higher; nil if it has none, as clades have.
  package let level: Int?
  /// Which of the eight ranks of a database it becomes, or nil.
  package let kept: MainRank?

  /// The rank of what has none.
  package static let unranked = SourceRank(canonicalName: "unranked", level: nil, kept: nil)
  /// The rank of species.
  package static let species = SourceRank(known: "species")
  /// The rank of genera.
  package static let genus = SourceRank(known: "genus")

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
    if let rank = RankWords.byWord[key] {
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
    self = RankWords.byWord[name] ?? .unranked
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
