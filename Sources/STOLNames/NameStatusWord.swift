/// The known words for what a name is to its taxon, and what sources call it.
///
/// They are those of `names.status` in a database: Format/DATABASE.md.
package enum NameStatusWord {
  /// A taxon's own name.
  package static let accepted = "accepted"
  /// A taxon's own name, of which the source is not sure.
  package static let provisional = "provisional"
  /// Another name of the taxon; no more is known.
  package static let synonym = "synonym"

  /// The known word for a synonym of which a source says this; "synonym" where it says no more.
  ///
  /// - Complexity: O(length)
  package static func ofSynonym(_ text: String) -> String {
    text.isEmpty ? synonym : byWord[TaxonomicStatus.key(text)] ?? synonym
  }

  /// What a source says beyond a known word: nothing where it is the same but for case and hyphens.
  ///
  /// - Complexity: O(length)
  package static func further(_ text: String, than word: String) -> String {
    text.isEmpty || text == word || TaxonomicStatus.key(text) == TaxonomicStatus.key(word)
      ? "" : text
  }

  private static let byWord: [String: String] = {
    var table: [String: String] = [:]
    for line in words.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      let word = String(parts[0])
      table[TaxonomicStatus.key(word)] = word
      for text in parts.dropFirst().joined().split(separator: ",") {
        table[TaxonomicStatus.key(String(text))] = word
      }
    }
    return table
  }()

  /// "word: further words for it": Catalogue of Life, GBIF, NCBI, Open Tree, WoRMS.
  private static let words = """
    homotypic: homotypic synonym, homotypicsynonym, objective synonym, junior objective synonym, nomenclatural synonym, basionym, basionym synonym
    heterotypic: heterotypic synonym, heterotypicsynonym, subjective synonym, junior subjective synonym, taxonomic synonym
    misapplied: misapplied name, misapplication, misidentification
    misspelling: misspelt name, orthographic variant, orthographic error, orthographic, incorrect spelling, incorrect original spelling, incorrect subsequent spelling
    equivalent: equivalent name
    acronym: genbank acronym
    in-part: in part
    includes
    ambiguous: ambiguous synonym
    """
}
