import STOLNames
import STOLPack

/// What the Clements checklist and eBird have in their lists of species that is none: the category of a row,
/// which serves as its rank.
struct BirdCategory {
  /// Whether it is part of one species; else it may be of several, of one genus.
  let isWithinSpecies: Bool
  /// Whether nothing else than such lists has that word for a rank.
  let isOfBirdsOnly: Bool

  private static let withinSpecies: Set = [
    "group (monotypic)", "group (polytypic)", "issf", "form", "domestic", "intergrade",
  ]
  private static let withinGenus: Set = ["hybrid", "slash", "spuh"]

  /// The category that a rank is, if it is one.
  init?(_ rank: SourceRank) {
    isWithinSpecies = Self.withinSpecies.contains(rank.canonicalName)
    guard isWithinSpecies || Self.withinGenus.contains(rank.canonicalName) else { return nil }
    isOfBirdsOnly = rank.canonicalName != "hybrid" && rank.canonicalName != "form"
  }

  /// The genus that all names in a text are of, or nil.
  ///
  /// "Anas crecca x platyrhynchos", "Anas crecca/platyrhynchos" and "Anas sp." say one; "Aix sponsa x Anas
  /// crecca", "Aix/Anas sp." and "Anatidae sp." do not.
  static func genus(of text: String) -> String? {
    let names = text.prefix { $0 != "(" && $0 != "[" }
    let genera = Set(
      names.split(whereSeparator: { " /".contains($0) }).filter { $0.first?.isUppercase ?? false })
    guard genera.count == 1, let genus = genera.first, names.hasPrefix(genus),
      genus.allSatisfy(\.isLetter),
      !["idae", "inae", "ini", "formes"].contains(where: genus.hasSuffix)
    else { return nil }
    return String(genus)
  }
}

extension SourceUsage {
  /// Adds the genus and the species that the name itself states where no column does.
  mutating func addRanksInName() {
    guard let rank, !classification.contains(where: { $0.rank.kept == .species }) else { return }
    let category = BirdCategory(rank)
    let isBelowSpecies = rank.isBelowSpecies || category?.isWithinSpecies ?? false
    guard rank.kept == .species || isBelowSpecies || category != nil else { return }
    let words = name.split(separator: " ")
    guard words.count > 1, words[0].first?.isUppercase ?? false, words[0] != "\u{D7}" else {
      return
    }
    let genus = category == nil ? String(words[0]) : BirdCategory.genus(of: name)
    guard let genus, !classification.contains(where: { $0.name == genus && $0.rank.kept != .genus })
    else { return }
    if !classification.contains(where: { $0.rank.kept == .genus }) {
      // Before a subgenus.
      let place = classification.firstIndex { $0.rank.isBetweenGenusAndSpecies }
      classification.insert((.genus, genus), at: place ?? classification.endIndex)
    }
    guard isBelowSpecies, words[1].allSatisfy({ $0.isLetter || $0 == "-" }) else { return }
    classification.append((.species, "\(genus) \(words[1])"))
  }
}
