/// What sources call the kingdoms, and what is in one of them only.
package enum KingdomNames {
  /// The ranks of taxa that say in which kingdom something is.
  package static let ranks: Set<String> = [
    "domain", "superkingdom", "kingdom", "realm", "acellular root",
  ]
  /// The ranks of taxa whose names may tell the kingdom where none is stated.
  package static let phyla: Set<String> = ["phylum", "division"]

  /// NCBI's names, and older ones, of what others call otherwise.
  private static let otherNames = [
    "metazoa": "animalia", "viridiplantae": "plantae", "chloroplastida": "plantae",
    "archaeplastida": "plantae", "protista": "protozoa", "eubacteria": "bacteria",
    "archaebacteria": "archaea", "virus": "viruses", "eukarya": "eukaryota",
    "eucarya": "eukaryota",
  ]
  private static let animalPhyla: Set<String> = [
    "acanthocephala", "annelida", "arthropoda", "brachiopoda", "bryozoa", "chordata", "cnidaria",
    "ctenophora", "echinodermata", "mollusca", "nematoda", "platyhelminthes", "porifera",
    "rotifera",
  ]
  /// How names of realms and kingdoms of viruses end, and those of phyla by the code for algae, fungi and
  /// plants: these are in one of several kingdoms.
  private static let endings = [
    ("viria", ["viruses"]), ("virae", ["viruses"]),
    ("phyta", ["plantae", "chromista", "protozoa"]),
    ("mycota", ["fungi", "chromista", "protozoa"]),
  ]
  private static let familyEndings = [
    ("viridae", ["viruses"]), ("idae", ["animalia", "chromista", "protozoa"]),
    ("aceae", ["plantae", "fungi", "chromista", "protozoa", "bacteria", "archaea"]),
  ]
  /// The kingdoms of eukaryotes.
  private static let ofEukaryotes: Set<String> = [
    "animalia", "plantae", "fungi", "chromista", "protozoa",
  ]
  private static let domains: Set<String> = ["eukaryota", "bacteria", "archaea", "viruses"]
  /// Kingdoms that some sources do not have: there their taxa are in each other's, or in the second ones.
  private static let notEverywhere: Set<String> = ["chromista", "protozoa"]
  private static let wide: Set<String> = ["chromista", "protozoa", "plantae", "fungi"]

  /// Whether nothing can be below both of some names and of others.
  ///
  /// A domain that they share says nothing. Chromista and Protozoa may be Plantae or Fungi elsewhere, but
  /// not where domains are above these, as NCBI has them: there each is one branch.
  package static func areApart(_ a: [String], _ b: [String]) -> Bool {
    guard a != b else { return false }
    let (a, b) = (canonical(a), canonical(b))
    let (domainsOfA, domainsOfB) = (domains(a), domains(b))
    guard !domainsOfA.isEmpty, !domainsOfB.isEmpty else { return false }
    guard !domainsOfA.isDisjoint(with: domainsOfB) else { return true }
    let (kingdomsOfA, kingdomsOfB) = (a.intersection(ofEukaryotes), b.intersection(ofEukaryotes))
    guard !kingdomsOfA.isEmpty, !kingdomsOfB.isEmpty, kingdomsOfA.isDisjoint(with: kingdomsOfB)
    else { return false }
    let both = kingdomsOfA.union(kingdomsOfB)
    let mayOverlap = both.isSubset(of: wide) && !both.isDisjoint(with: notEverywhere)
    return !mayOverlap || a.union(b).contains("eukaryota")
  }

  /// Whether one of some names is that of a kingdom.
  package static func sayKingdom(_ names: [String]) -> Bool {
    let names = canonical(names)
    return !names.isDisjoint(with: ofEukaryotes) || !domains(names).isSubset(of: ["eukaryota"])
  }

  /// The one name of a domain or kingdom, in lower case; nil for one that is not known to all.
  package static func name(of kingdom: String) -> String? {
    let name = kingdom.lowercased()
    let known = otherNames[name] ?? name
    return ofEukaryotes.contains(known) || domains.contains(known) ? known : nil
  }

  /// The kingdoms in one of which a family is, as the ending says that its code of names has; none where
  /// it says nothing.
  package static func kingdoms(ofFamily name: String) -> [String] {
    familyEndings.first { name.hasSuffix($0.0) }?.1 ?? []
  }

  /// The domains among names and above the kingdoms among them.
  private static func domains(_ names: Set<String>) -> Set<String> {
    let stated = names.intersection(domains)
    return names.isDisjoint(with: ofEukaryotes) ? stated : stated.union(["eukaryota"])
  }

  private static func canonical(_ names: [String]) -> Set<String> {
    Set(
      names.flatMap { name in
        let name = name.lowercased()
        if let known = otherNames[name] { return [known] }
        if animalPhyla.contains(name) { return ["animalia"] }
        return endings.first { name.hasSuffix($0.0) }?.1 ?? [name]
      })
  }
}
