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
    let species = Words[.speciesCount, count: speciesCount]
    guard genusCount > 1 else { return Words[.factSpecies, ["species": species]] }
    return Words[
      .factSpeciesGenera, ["species": species, "genera": Words[.genera, count: genusCount]]]
  }

  /// How many of its species are threatened, in a sentence; nil where none was assessed.
  var threat: String? {
    guard assessedCount > 0, speciesCount > 1 else { return nil }
    return Words[
      .factThreat, count: threatenedCount, ["species": Words[.species, count: assessedCount]]]
  }

  /// Genera and threatened species as a row says them, as in "in 12 genera, 3 of 40 assessed threatened".
  ///
  /// Nil where there is nothing to say. `CExplorerAssets/tree-rows.js` says the same.
  var note: String? {
    var parts: [String] = []
    if genusCount > 1 {
      parts.append(Words[.noteGenera, ["genera": Words[.genera, count: genusCount]]])
    }
    if assessedCount > 0 {
      parts.append(
        Words[
          .noteThreatened,
          [
            "threatened": Words.grouped(threatenedCount), "assessed": Words.grouped(assessedCount),
          ]])
    }
    return parts.isEmpty ? nil : parts.joined(separator: Words.comma)
  }

  /// It as members of an object.
  func write(to json: inout RowWriter) {
    json.number("speciesCount", speciesCount)
    json.number("genusCount", genusCount)
    json.number("assessedCount", assessedCount)
    json.number("threatenedCount", threatenedCount)
  }
}
