/// The ranks that have a place in the order of ranks.
///
/// The order is that of the International Code of Nomenclature for algae, fungi, and plants, articles
/// 3 and 4, with the further ranks of the zoological and the bacteriological code, of NCBI, GBIF and
/// ITIS, and of the Catalogue of Life where these place them.
package enum KnownRanks {
  /// The place of a rank, 0 for the highest; nil for words without one, as "clade" and "no rank".
  ///
  /// - Complexity: O(length)
  package static func place(of rank: String) -> Int? { places[rank] }

  /// The main rank that a word stands for: itself, or domain for NCBI's older and further words for one,
  /// and genus and species for those of hybrids.
  package static func mainRank(of rank: String) -> MainRank? {
    switch rank {
    case "superkingdom", "acellular root": .domain
    case "nothogenus": .genus
    case "nothospecies": .species
    default: MainRank(rank: TaxonRank(rawValue: rank))
    }
  }

  private static let places: [String: Int] = {
    var places: [String: Int] = [:]
    for (place, words) in ordered.enumerated() {
      for word in words { places[word] = place }
    }
    return places
  }()

  /// The words, the highest first; those of one line share a place.
  package static let ordered: [[String]] = [
    ["superdomain"],
    ["domain", "superkingdom", "acellular root"],
    ["subdomain"],
    ["realm"],
    ["subrealm"],
    ["kingdom"],
    ["subkingdom"],
    ["infrakingdom"],
    ["parvkingdom"],
    ["superphylum"],
    ["phylum"],
    ["subphylum"],
    ["infraphylum"],
    ["parvphylum"],
    ["microphylum"],
    ["nanophylum"],
    ["gigaclass"],
    ["megaclass"],
    ["superclass"],
    ["class"],
    ["subclass"],
    ["infraclass"],
    ["subterclass"],
    ["parvclass"],
    ["supercohort"],
    ["cohort"],
    ["subcohort"],
    ["infracohort"],
    ["gigaorder"],
    ["magnorder"],
    ["grandorder"],
    ["mirorder"],
    ["superorder"],
    ["order"],
    ["nanorder"],
    ["hypoorder"],
    ["minorder"],
    ["suborder"],
    ["infraorder"],
    ["parvorder"],
    ["section zoology"],
    ["subsection zoology"],
    ["falanx"],
    ["gigafamily"],
    ["megafamily"],
    ["grandfamily"],
    ["superfamily"],
    ["epifamily"],
    ["family"],
    ["subfamily"],
    ["infrafamily"],
    ["supertribe"],
    ["tribe"],
    ["subtribe"],
    ["infratribe"],
    ["genus", "nothogenus"],
    ["subgenus"],
    ["infragenus"],
    ["supersection"],
    ["section"],
    ["subsection"],
    ["superseries"],
    ["series"],
    ["subseries"],
    ["species group"],
    ["species subgroup"],
    ["species", "nothospecies"],
    ["infraspecific name"],
    ["proles"],
    ["grex"],
    ["subspecies", "nothosubspecies"],
    ["infrasubspecific name"],
    ["convariety"],
    ["variety", "varietas", "nothovariety"],
    ["subvariety"],
    ["form", "forma", "nothoform"],
    ["subform"],
    ["forma specialis"],
    ["mutation"],
    ["lusus"],
    ["aberration"],
    ["natio"],
    ["morph"],
    ["race"],
    ["pathogroup"],
    ["pathovar"],
    ["biovar"],
    ["chemovar"],
    ["chemoform"],
    ["morphovar"],
    ["phagovar"],
    ["serogroup"],
    ["serovar", "serotype"],
    ["biotype"],
    ["genotype"],
    ["cultivar group"],
    ["cultivar"],
    ["strain"],
    ["isolate"],
  ]
}
