import STOL

/// A row of the tree browser: rank badge, scientific name, common name.
struct TreeRow: Equatable {
  let id: TaxonID
  let rank: TaxonRank
  let scientificName: String
  let commonName: String?
  let conservationStatus: String?
}

/// The tree browser: a path of breadcrumbs, and the rows below the last one.
struct TreeBrowser {
  let services: AppServices
  let language: String

  func rows(below parent: TaxonID?) async throws -> [TreeRow] {
    let taxa =
      if let parent {
        try await services.taxonomy.children(of: parent)
      } else {
        try await services.taxonomy.roots()
      }
    let names = try await services.taxonomy.preferredNames(for: taxa.map(\.id), language: language)
    return zip(taxa, names).map { taxon, name in
      TreeRow(
        id: taxon.id, rank: taxon.rank, scientificName: taxon.scientificName, commonName: name,
        conservationStatus: taxon.conservationStatus)
    }
  }

  func breadcrumbs(of id: TaxonID) async throws -> [String] {
    try await services.taxonomy.ancestors(of: id).map(\.scientificName)
  }
}

/// The search field: suggestions on each keystroke, results with their matched letters marked.
struct SearchScreen {
  let services: AppServices

  func suggestions(for text: String) async throws -> [String] {
    try await services.search.autocomplete(prefix: text, maxResults: 8)
  }

  func results(for text: String, rank: TaxonRank? = nil) async throws -> [String] {
    let results = try await services.search.search(query: text, rank: rank, maxResults: 50)
    return results.map { result in
      var marked = result.matchedName
      for range in result.matchedRanges.reversed() {
        marked.replaceSubrange(range, with: "[\(result.matchedName[range])]")
      }
      return "\(marked) · \(result.scientificName) · \(result.rank)"
    }
  }
}

/// Two taxa side by side, and the closest relatives of the first.
struct CompareScreen {
  let services: AppServices
  let language: String

  func lines(_ a: TaxonID, _ b: TaxonID) async throws -> [String] {
    let result = try await services.compare.compare(taxonA: a, taxonB: b, language: language)
    var lines = [result.sharedCladeDescription]
    if let distance = result.kinship.distance { lines.append("\(distance) steps apart") }
    for path in [result.kinship.pathFromA, result.kinship.pathFromB] {
      lines.append(
        path.map { result.commonNames[$0.id] ?? $0.scientificName }.joined(separator: " > "))
    }
    if let similarity = result.kinship.traitSimilarity {
      lines.append("\(Int((similarity * 100).rounded())) % of their traits are the same")
    }
    return lines
  }

  func relatives(of id: TaxonID) async throws -> [Relative<Taxon>] {
    try await services.compare.topNRelatives(of: id, n: 5, source: .precomputed)
  }
}
