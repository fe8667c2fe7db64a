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

  /// The known word for a synonym of which a source says this, with a phrase behind its authors.
  ///
  /// The phrase counts where the status says no more than that it is a synonym: what is "auct. non L." is
  /// misapplied, what is "p.p." is in part.
  ///
  /// - Complexity: O(length)
  package static func ofSynonym(_ text: String, sensu: String) -> String {
    let word = ofSynonym(text)
    return word == synonym ? ofUse(sensu) ?? word : word
  }

  /// What the use is that a phrase begins with: that of authors who meant another taxon, or a part.
  private static func ofUse(_ sensu: String) -> String? {
    var phrase = sensu.lowercased()[...]
    if phrase.hasPrefix("sensu ") { phrase = phrase.dropFirst(6) }
    if ["auct", "auctt", "aucts", "auctorum"].contains(String(phrase.prefix { $0.isLetter })) {
      return "misapplied"
    }
    let part = phrase.filter { $0 != " " }
    return part.hasPrefix("p.p") || part.hasPrefix("proparte") ? "in-part" : nil
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
    in-part: in part, pro parte, proparte, pro parte synonym, proparte synonym, propartesynonym, p.p., partial synonym
    includes
    ambiguous: ambiguous synonym
    """
}
