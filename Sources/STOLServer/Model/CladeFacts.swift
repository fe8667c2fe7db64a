import STOLAnswers
import STOLPack

/// How much is in a clade, itself included.
struct CladeFacts: Equatable, Sendable {
  var speciesCount = 0
  var genusCount = 0
  /// The species with a category of the Red List that says something: not evaluated and data deficient say nothing.
  var assessedCount = 0
  /// Those of them that are critically endangered, endangered or vulnerable.
  var threatenedCount = 0

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

  /// Genera and threatened species as a row says them, as in "in 12 genera, 3 of 40 assessed threatened".
  ///
  /// Nil where there is nothing to say. `CExplorerAssets/tree-rows.js` says the same.
  var note: String? {
    var parts: [String] = []
    if genusCount > 1 { parts.append("in \(Words.grouped(genusCount)) genera") }
    if assessedCount > 0 {
      parts.append(
        "\(Words.grouped(threatenedCount)) of \(Words.grouped(assessedCount)) assessed threatened")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// It as members of an object.
  func write(to json: inout RowWriter) {
    json.number("speciesCount", speciesCount)
    json.number("genusCount", genusCount)
    json.number("assessedCount", assessedCount)
    json.number("threatenedCount", threatenedCount)
  }
}
