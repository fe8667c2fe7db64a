import STOLNames
package import STOLPack

/// Finds what names stand for that have their authors behind them, as "Panthera leo (Linnaeus, 1758)".
///
/// For whoever looks for whole names only: nothing here is similar, and nothing is left out of a text
/// but its authors. Those must not contradict what the pack says of the name; where it says nothing, any
/// fit, unless the text may as well be a name of two words in capitals, as "Passer Domesticuss". The memory of
/// the last text is used again.
package struct AuthoredNames: ~Copyable {
  /// A name, and a taxon that has it.
  package typealias Use = (taxon: TaxonOrdinal, name: NameOrdinal)

  private var matcher: NameMatcher?

  /// One without memory yet.
  package init() {}

  /// Whether a text may have authors; what may not is no name with authors.
  ///
  /// Some word behind the first has a capital letter, or one that is no letter of ASCII.
  ///
  /// - Complexity: O(length)
  package static func mayHaveAuthors(_ text: ArraySlice<UInt8>) -> Bool {
    // Not generic: such a function would not be made for its type in another module.
    guard let space = text.firstIndex(of: UInt8(ascii: " ")) else { return false }
    for byte in text[space...] {
      if byte >= 0x80 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte { return true }
    }
    return false
  }

  /// The uses of a name whose authors stand behind it: one, several that fit equally, or none where the
  /// text is no such name or nothing has it.
  ///
  /// - Complexity: that of an exact search
  package mutating func uses(
    of text: ArraySlice<UInt8>, passing filter: SearchFilter = SearchFilter(),
    in view: borrowing PackView
  ) -> [Use] {
    guard Self.mayHaveAuthors(text), text.count <= SearchQuery.maximumByteCount else { return [] }
    var options = NameMatcher.Options()
    options.isStrict = true
    options.allowsHigherTaxa = false
    var matcher = self.matcher.take() ?? NameMatcher(options: options)
    let uses = matcher.usesOfAuthoredName(text, view)
    self.matcher = consume matcher
    // Scientific names are Latin, whatever a source says of synonyms.
    let isLatinWanted = filter.languages.map { languages in
      view.names.languages.row(of: "la").map(languages.contains) ?? false
    }
    return isLatinWanted == false ? [] : uses.filter { view.passes($0.taxon, filter) }
  }
}

extension NameMatcher {
  /// What `AuthoredNames` finds, before any filter.
  fileprivate mutating func usesOfAuthoredName(
    _ text: ArraySlice<UInt8>, _ view: borrowing PackView
  ) -> [AuthoredNames.Use] {
    reader.read(Array(text))
    guard reader.isNameWithAuthors else { return [] }
    let match = match(MatchQuery(String(decoding: text, as: UTF8.self)), in: view)
    switch match.status {
    case .exact, .synonym:
      guard let taxon = match.taxon, let name = match.name else { return [] }
      return [(taxon, name)]
    case .ambiguous:
      guard let best = match.candidates.first, best.difference == .none else { return [] }
      var uses: [AuthoredNames.Use] = []
      for candidate in match.candidates.prefix(while: { $0.total >= best.total - MatchPoints.tie })
      where !uses.contains(where: { $0.taxon == candidate.taxon }) {
        uses.append((candidate.taxon, candidate.name))
      }
      return uses
    case .fuzzy, .partial, .notFound, .invalid: return []
    }
  }
}

extension NameReader {
  /// Whether the text is a whole name with authors behind it and nothing else: no word of it was
  /// mended, shortened or not understood, none is a qualifier or says whose use is meant.
  fileprivate var isNameWithAuthors: Bool {
    guard kind == .scientific,
      marks.isDisjoint(with: [.isAbbreviated, .wasCleaned, .isUncertain, .hasRest])
    else { return false }
    var hasAuthors = false
    for part in parts {
      switch part.role {
      case .authorship: hasAuthors = true
      case .hybridSign, .uninomial, .marker, .infragenus, .species, .infraspecies, .cultivar,
        .formerAuthorship:
        break
      case .formulaSign, .subgenus, .qualifier, .compared, .phrase, .designation, .skipped:
        return false
      }
    }
    return hasAuthors
  }
}
