/// The codes that rule how organisms are named, by the words that databases have for them.
///
/// Those of Darwin Core (http://rs.tdwg.org/dwc/terms/nomenclaturalCode), of the Catalogue of Life Data Package, and
/// older abbreviations.
package enum NomenclaturalCode: Equatable, Sendable {
  /// Animals.
  case zoological
  /// Algae, fungi and plants.
  case botanical
  /// Bacteria and archaea.
  case bacterial
  /// Viruses.
  case viral
  /// Cultivated plants.
  case cultivated

  /// The code that a word means; nil for one that is none, as the number of a sample.
  package init?(word: String) {
    switch word.lowercased() {
    case "iczn", "zoological": self = .zoological
    case "icn", "icnafp", "icbn", "botanical": self = .botanical
    case "icnp", "icnb", "bc", "bacterial", "prokaryotic": self = .bacterial
    case "icvcn", "ictv", "viral", "virus": self = .viral
    case "icncp", "cultivar", "cultivars", "cultivated": self = .cultivated
    default: return nil
    }
  }
}
