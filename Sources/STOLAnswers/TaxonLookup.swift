package import STOLSystem
package import STOLPack

/// A text that should name one taxon and does not.
package struct TaxonNotFound: StolError {
  package let kind: ErrorKind
  package let description: String
}

extension PackView {
  /// The taxon that a text names.
  ///
  /// - Throws: `TaxonNotFound`, which tells the candidates of an ambiguous name with their lineages,
  ///   and for one that is unknown what may have been meant.
  package func taxon(
    named text: String, _ filter: SearchFilter = SearchFilter()
  ) throws(TaxonNotFound) -> TaxonOrdinal {
    let shown = Escaping.terminal(text)
    switch resolve(text, filter: filter) {
    case .found(let taxon), .merged(let taxon): return taxon
    case .deleted:
      throw TaxonNotFound(kind: .notFound, description: "taxon \(shown): this id was deleted")
    case .invalid:
      throw TaxonNotFound(
        kind: .usage,
        description:
          "a taxon needs an id or a name of at most \(SearchQuery.maximumByteCount) bytes")
    case .notFound:
      throw TaxonNotFound(
        kind: .notFound, description: "no taxon \"\(shown)\"" + suggestions(for: text, filter))
    case .ambiguous(let taxa):
      throw TaxonNotFound(
        kind: .notFound,
        description: (["\"\(shown)\" is ambiguous; give an id, --rank or --within:"]
          + candidates(taxa)).joined(separator: "\n"))
    }
  }

  private func candidates(_ taxa: [TaxonOrdinal]) -> [String] {
    var lines: [String] = []
    for taxon in taxa.prefix(10) {
      let value = self.taxon(taxon)
      let line =
        "  \(value.id.rawValue)  \(value.scientificName) (\(value.rank))  "
        + lineageText(of: taxon)
      lines.append(Escaping.terminal(line))
    }
    if taxa.count > 10 { lines.append("  and \(taxa.count - 10) more") }
    return lines
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
