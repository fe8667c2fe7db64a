package import STOLSystem
package import STOLPack

/// A text that should name one taxon and does not.
package struct TaxonNotFound: StolError {
  package let kind: ErrorKind
  package let description: String
}

extension PackView {
  /// The taxon that a text names as a whole.
  ///
  /// - Throws: `TaxonNotFound`, which tells the candidates of an ambiguous name with their lineages,
  ///   and for one that is unknown what may have been meant.
  package func taxon(
    named text: String, _ filter: SearchFilter = SearchFilter()
  ) throws(TaxonNotFound) -> TaxonOrdinal {
    let match = try match(named: text, filter)
    guard let taxon = match.taxon, match.status != .partial else {
      throw failure(text, .notFound, [], filter)
    }
    return taxon
  }

  /// How a text leads to the taxon that it names, as a whole or in open nomenclature.
  ///
  /// - Throws: `TaxonNotFound`, as `taxon(named:)` does.
  package func match(
    named text: String, _ filter: SearchFilter = SearchFilter()
  ) throws(TaxonNotFound) -> TaxonMatch {
    let match = TaxonMatch(text, self, filter)
    guard match.taxon == nil else { return match }
    throw failure(text, match.status, match.candidates, filter)
  }

  /// The same where a filter is for what is found about the taxon.
  ///
  /// - Throws: `TaxonNotFound`, as `taxon(named:)` does.
  package func subject(
    named text: String, _ filter: SearchFilter
  ) throws(TaxonNotFound) -> TaxonMatch {
    let match = matchSubject(text, filter).match
    guard match.taxon == nil else { return match }
    throw failure(text, match.status, match.candidates, SearchFilter())
  }

  /// What a text names where a filter is for what is found about it: only of several taxa the clade
  /// chooses, then the rank as well, which has been used up so.
  ///
  /// - Complexity: O(log n) for an id or a rare name.
  func matchSubject(
    _ text: String, _ filter: SearchFilter
  ) -> (match: TaxonMatch, isChosenByRank: Bool) {
    let any = TaxonMatch(text, self, SearchFilter())
    guard any.status == .ambiguous, filter.clade != nil || filter.rank != nil else {
      return (any, false)
    }
    var choice = SearchFilter()
    choice.clade = filter.clade
    let within = TaxonMatch(text, self, choice)
    guard within.status == .ambiguous, filter.rank != nil else { return (within, false) }
    choice.rank = filter.rank
    let ofRank = TaxonMatch(text, self, choice)
    return ofRank.taxon == nil ? (within, false) : (ofRank, true)
  }

  /// Why there is no answer about a set; nil where each of these members names a taxon.
  ///
  /// - Returns: the candidates of all that are ambiguous, else what was wrong with the first, as the
  ///   status of the answer says.
  package func failure(of members: [TaxonMatch], _ filter: SearchFilter) -> TaxonNotFound? {
    let unresolved = members.filter { $0.taxon == nil }
    let greatest = unresolved.map(\.status.precedenceInSet).max()
    let said = unresolved.filter { $0.status.precedenceInSet == greatest }
    guard let status = said.first?.status else { return nil }
    let failures = said.prefix(status == .ambiguous ? .max : 1)
      .map { failure($0.text, $0.status, $0.candidates, filter) }
    return TaxonNotFound(
      kind: failures[0].kind, description: failures.map(\.description).joined(separator: "\n"))
  }

  private func failure(
    _ text: String, _ status: AnswerStatus, _ taxa: [TaxonOrdinal], _ filter: SearchFilter
  ) -> TaxonNotFound {
    let shown = Escaping.terminal(text)
    switch status {
    case .deleted:
      return TaxonNotFound(kind: .notFound, description: "taxon \(shown): this id was deleted")
    case .invalid:
      return TaxonNotFound(
        kind: .usage,
        description:
          "a taxon needs an id or a name of at most \(SearchQuery.maximumByteCount) bytes")
    case .ambiguous:
      return TaxonNotFound(
        kind: .notFound,
        description: (["\"\(shown)\" is ambiguous; give an id, --rank or --within:"]
          + candidates(taxa)).joined(separator: "\n"))
    case .exact, .synonym, .common, .merged, .fuzzy, .partial, .notFound:
      return TaxonNotFound(
        kind: .notFound,
        description: excluded(text, filter)
          ?? "no taxon \"\(shown)\"" + suggestions(for: text, filter))
    }
  }

  /// That a text names taxa, all of which the filter excludes; nil where it names none.
  private func excluded(_ text: String, _ filter: SearchFilter) -> String? {
    guard !filter.isEmpty else { return nil }
    let shown = Escaping.terminal(text)
    let named = resolve(text)
    guard let taxon = named.taxon else {
      let count = named.candidates.count
      return count == 0 ? nil : "\"\(shown)\" names \(count) taxa, none of which passes the filters"
    }
    let name = Escaping.terminal("\(names.scientificName(of: taxon)) (\(rank(of: taxon)))")
    return "\"\(shown)\" names \(name), which does not pass the filters"
  }

  private func candidates(_ taxa: [TaxonOrdinal]) -> [String] {
    taxa.map { taxon in
      Escaping.terminal(
        "  \(sourceID(of: taxon) ?? "")  \(names.scientificName(of: taxon)) (\(rank(of: taxon)))  "
          + lineageText(of: taxon))
    }
  }

  /// The names of the ancestors, from the root to the parent.
  func lineageText(of taxon: TaxonOrdinal) -> String {
    tree.ancestors(of: taxon).map { names.scientificName(of: $0) }.joined(separator: " > ")
  }

  /// Near misses for a text that nothing was found for: "; did you mean A, B or C?", or nothing.
  package func suggestions(for text: String, _ filter: SearchFilter) -> String {
    let near = nearMisses(text, filter: filter).map {
      "\"\(Escaping.terminal(names.text(of: $0)))\""
    }
    return near.isEmpty ? "" : "; did you mean " + near.joined(separator: ", ") + "?"
  }
}
