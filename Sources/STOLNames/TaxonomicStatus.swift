/// What a source says about the standing of a name.
package enum TaxonomicStatus: String, CaseIterable, Sendable {
  /// It is the name of a taxon.
  case accepted
  /// It names a taxon that has another name; so do ambiguous and misapplied names.
  case synonym
  /// It is the name of a taxon, but the source is not sure.
  case doubtful
  /// It is a name and nothing more: the source does not say of which taxon.
  case bareName

  /// The standing that a word of a source means, or nil if the word is unknown.
  ///
  /// Case, "_", "-" and what an address has before its last part do not matter. Names that break a
  /// rule ("illegitimate", "orthographic") count as synonyms: where such a row names no accepted
  /// taxon, its reader decides.
  package init?(_ text: String) {
    guard let status = Self.byWord[Self.key(text)] else { return nil }
    self = status
  }

  /// What of a word counts: no case, "_" and "-", nor what an address has before its last part.
  static func key(_ text: String) -> String {
    let word = RankWords.key(text)
    guard word.hasPrefix("http"), let slash = word.lastIndex(of: "/") else { return word }
    return String(word[word.index(after: slash)...])
  }

  private static let byWord: [String: TaxonomicStatus] = {
    var table: [String: TaxonomicStatus] = [:]
    for (status, words) in [
      (TaxonomicStatus.accepted, acceptedWords), (.synonym, synonymWords),
      (.doubtful, doubtfulWords), (.bareName, bareNameWords),
    ] {
      table[status.rawValue.lowercased()] = status
      for word in words.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
        table[trimmingSpaces(String(word))] = status
      }
    }
    return table
  }()

  /// Catalogue of Life, GBIF, ITIS, WoRMS, Flora do Brasil, WCVP ("local biotype").
  private static let acceptedWords = """
    valid, accepted name, accepted species name, current, correct, correct name, current name, nome aceito, nome_aceito, aceito
    aceptado, nombre aceptado, válido, valido, accepté, valide, nom accepté, akzeptiert, gültig, local biotype, artificial hybrid
    available, legitimate, scientific name, preferred, preferred name, alternate representation, temporary name, acc
    """
  private static let synonymWords = """
    syn, synonyms, homotypic synonym, heterotypic synonym, objective synonym, subjective synonym, junior synonym, senior synonym
    junior objective synonym, junior subjective synonym, homotypicsynonym, heterotypicsynonym, nomenclatural synonym
    taxonomic synonym, basionym, basionym synonym, replaced synonym, proparte, pro parte, pro parte synonym, propartesynonym
    proparte synonym, ambiguous, ambiguous synonym, misapplied, misapplied name, misapplication, misidentification, invalid
    invalidum, illegitimate, illegitimum, not accepted, notaccepted, unaccepted, unaccepted name, superseded combination
    superseded rank, superseded, alternative representation, alternative name, sinonimo, sinônimo, sinónimo, synonyme, synonym of
    orthographic, orthographic variant, orthographic error, misspelling, incorrect, incorrect original spelling
    incorrect subsequent spelling, incorrect spelling, junior homonym, homonym, later homonym, rejected, rejected name
    nomen oblitum, unjustified emendation, unnecessary replacement, unavailable, unavailable name, original combination
    subsequent combination, isonym, equivalent, equivalent name, acronym, includes, in part, excluded name, deprecated, blast name, variant, lexical variant
    """
  private static let doubtfulWords = """
    provisionally accepted, provisionally accepted name, provisional, provisionallyaccepted, unplaced, unplaced name, unresolved
    unresolved name, unassessed, unchecked, uncertain, uncertain > unassessed, doubtful name, dubious, dubium, nomen dubium
    nomen inquirendum, taxon inquirendum, species inquirenda, genus inquirendum, incertae sedis, unverified, unevaluated
    temporary, tentative, questionable, nome não resolvido, dudoso, douteux, zweifelhaft, nomen nudum, uncertain, unknown, unresolvable
    """
  private static let bareNameWords = """
    bare name, bare, barename, name only, name without status, no status
    """
}
