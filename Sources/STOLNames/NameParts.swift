/// What a scientific name string consists of.
package struct NameParts: Hashable, Sendable {
  /// What kind of name it is.
  package enum Kind: String, Sendable {
    /// A name under one of the codes: one word, two, or more with or without markers.
    case scientific
    /// "Aus bus × Aus cus".
    case hybridFormula
    /// "Aus bus 'Cus', "Aus cv. Cus".
    case cultivar
    /// Everything else, kept whole: "uncultured bacterium", "Aus sp. 1", "BOLD:AAA1234", names of
    /// strains, Candidatus, open nomenclature ("Aus cf. bus"), what could not be read to its end.
    case informal
  }

  /// The name without authorship.
  package var canonicalName: String
  /// The authorship as written, with single spaces: "(Linnaeus, 1758)"; empty if there is none.
  package var authorship = ""
  /// The year of description: the first in the authorship.
  package var year: Int?
  /// What limits or comments the name, such as "sensu Busch, 1930" or "non Dumas, 1858".
  package var phrase = ""
  package var kind = Kind.scientific
  /// It had a dagger, which is removed.
  package var isExtinct = false
  /// It had a mark of doubt.
  package var isUncertain = false

  package init(canonicalName: String) { self.canonicalName = canonicalName }

  mutating func take(_ authorship: Authorship) {
    self.authorship = authorship.text
    year = authorship.year
    if !authorship.phrase.isEmpty {
      phrase = phrase.isEmpty ? authorship.phrase : authorship.phrase + " " + phrase
    }
  }
}

/// An authorship and what comes with it.
package struct Authorship: Hashable, Sendable {
  /// As written, with single spaces, without what limits the name: "(Linnaeus, 1758)".
  package var text = ""
  /// The first year.
  package var year: Int?
  /// What limits the name, such as "sensu Busch, 1930".
  package var phrase = ""

  package init() {}
}
