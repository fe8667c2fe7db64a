import STOLPack

/// How much is in a clade, itself included.
struct CladeFacts: Equatable, Sendable {
  var speciesCount = 0
  var genusCount = 0
  /// The species with a category of the Red List that says something: not evaluated and data deficient say nothing.
  var assessedCount = 0
  /// Those of them that are critically endangered, endangered or vulnerable.
  var threatenedCount = 0

  init() {}

  /// - Complexity: O(number of taxa in the clade)
  init(of clade: Clade, in view: borrowing PackView) {
    let species = view.taxa.ranks.row(of: .species)
    let genus = view.taxa.ranks.row(of: .genus)
    let codes = view.taxa.conservationCodes.all.map(Kind.init)
    for taxon in clade {
      let rank = view.taxa.rank(of: taxon)
      if rank == genus { genusCount += 1 }
      guard rank == species else { continue }
      speciesCount += 1
      let code = Int(view.taxa.conservation(of: taxon).rawValue)
      guard codes.indices.contains(code) else { continue }
      if codes[code] != .silent { assessedCount += 1 }
      if codes[code] == .threatened { threatenedCount += 1 }
    }
  }

  private enum Kind {
    case silent, threatened, other

    init(_ code: String) {
      switch code.uppercased() {
      case "CR", "EN", "VU": self = .threatened
      case "", "NE", "DD", "NA": self = .silent
      default: self = .other
      }
    }
  }

  /// How much is in it, in a sentence; nil where it has no more species than one.
  var sentence: String? {
    guard speciesCount > 1 else { return nil }
    let genera = genusCount > 1 ? ", in \(Words.grouped(genusCount)) genera" : ""
    return "\(Words.grouped(speciesCount)) species of it are here\(genera)."
  }

  /// How many of its species are threatened, in a sentence; nil where none was assessed.
  var threat: String? {
    guard assessedCount > 0, speciesCount > 1 else { return nil }
    let assessed = Words.count(assessedCount, "species", "species")
    return "Of its \(assessed) with an assessed status in the Red List here, "
      + "\(threatenedCount == 1 ? "one is" : "\(Words.grouped(threatenedCount)) are") threatened."
  }
}
