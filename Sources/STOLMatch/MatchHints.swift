import STOLPack

extension MatchQuery {
  /// The ranks of hints that tables have, the highest first.
  public static let hintRanks = [
    "domain", "kingdom", "phylum", "class", "order", "family", "subfamily", "tribe", "genus",
  ]

  /// Whether a word, in small letters, is a rank that a hint can be of.
  public static func isHintRank(_ word: String) -> Bool { KnownRanks.place(of: word) != nil }

  /// The place of a rank among hints, which come with the highest first and those that tables do not have last.
  public static func hintPlace(of rank: String) -> Int {
    hintRanks.firstIndex(of: rank) ?? hintRanks.count
  }
}

/// Higher taxa that a name is said to be in, as far as the pack knows them.
struct Hints {
  /// One of them with the taxa that it can mean, none for one that the pack does not know.
  struct Entry {
    let rank: String
    /// The name as it was given.
    let name: String
    let taxa: [TaxonOrdinal]
    /// Whether they are of the rank; else that something is not within them says nothing.
    let areOfRank: Bool
  }

  /// The highest first.
  var entries: [Entry] = []

  /// The lowest one that the pack knows as one taxon, or nil.
  var lowest: TaxonOrdinal? {
    entries.last { $0.taxa.count == 1 && $0.rank != "genus" }?.taxa.first
  }
}

/// The taxa of hints, which are the same in many rows.
struct HintCache {
  private var known: [String: Hints.Entry] = [:]
  /// So many are kept; then it begins anew.
  private static let limit = 4096

  mutating func taxa(
    of hints: [(rank: String, name: String)], _ view: borrowing PackView
  ) -> Hints {
    var found = Hints()
    for hint in hints where !hint.name.isEmpty {
      let key = hint.rank + "\t" + hint.name
      if let entry = known[key] {
        found.entries.append(entry)
        continue
      }
      let entry = Self.find(hint.rank, hint.name, view)
      if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
      known[key] = entry
      found.entries.append(entry)
    }
    return found
  }

  /// The taxa that have the name as an accepted one or as a synonym: those of the rank, else all.
  private static func find(
    _ rank: String, _ name: String, _ view: borrowing PackView
  ) -> Hints.Entry {
    var named = taxa(named: name, view)
    if named.isEmpty, let other = otherNames[name.lowercased()] {
      named = taxa(named: other, view)
    }
    let ranked = named.filter { taxon in
      // What is a kingdom in one database is a domain in another: "Bacteria".
      view.rank(of: taxon).rawValue == rank
        || rank == "kingdom" && view.taxa.mainRank(of: taxon) == .domain
    }
    if !ranked.isEmpty {
      return Hints.Entry(rank: rank, name: name, taxa: ranked, areOfRank: true)
    }
    return Hints.Entry(rank: rank, name: name, taxa: named, areOfRank: false)
  }

  private static func taxa(named name: String, _ view: borrowing PackView) -> [TaxonOrdinal] {
    let hits = view.search(SearchQuery(name, mode: .exact, limit: 64))
    let named = hits.filter {
      (view.names.isScientific($0.name) || view.names.type(of: $0.name) == .synonym)
        && !view.isImplied($0.taxon)
    }
    return named.map { $0.taxon }
  }

  /// Names of higher taxa that checklists use beside those of databases: the families of ICN article
  /// 18.5, and kingdoms and classes by their older or shorter names.
  private static let otherNames = [
    "palmae": "Arecaceae", "gramineae": "Poaceae", "cruciferae": "Brassicaceae",
    "leguminosae": "Fabaceae", "papilionaceae": "Fabaceae", "guttiferae": "Clusiaceae",
    "umbelliferae": "Apiaceae", "labiatae": "Lamiaceae", "compositae": "Asteraceae",
    "protista": "Protozoa", "protoctista": "Protozoa", "metazoa": "Animalia",
    "animalia": "Metazoa", "plantae": "Viridiplantae", "viridiplantae": "Plantae",
    "monocot": "Liliopsida", "monocots": "Liliopsida", "monocotyledons": "Liliopsida",
    "monocotyledonae": "Liliopsida", "dicot": "Magnoliopsida", "dicots": "Magnoliopsida",
    "dicotyledons": "Magnoliopsida", "dicotyledonae": "Magnoliopsida",
  ]
}
