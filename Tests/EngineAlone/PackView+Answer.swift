#if !hasFeature(Embedded)
import STOLPack
#endif

/// Answers to questions about a pack, the same lines wherever the engine runs.
///
/// A question is a word and its arguments, with tabs between; taxa are ids of the source.
extension PackView {
  func answer(_ question: String, _ session: inout SearchSession) -> String {
    let parts = question.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
    let text = parts.count > 1 ? parts[1] : ""
    var taxa: [TaxonOrdinal] = []
    for part in parts.dropFirst() {
      if let id = Int64(part), let taxon = ids.taxon(TaxonID(rawValue: id)) { taxa.append(taxon) }
    }
    switch parts[0] {
    case "auto": return hits(SearchQuery(text, limit: 20), &session)
    case "exact": return hits(SearchQuery(text, mode: .exact, words: .asTyped), &session)
    case "complete":
      return hits(SearchQuery(text, mode: .prefix, words: .asTyped, limit: 10), &session)
    case "fuzzy": return hits(SearchQuery(text, mode: .fuzzy, limit: 20), &session)
    case "fuzzy3":
      return hits(SearchQuery(text, mode: .fuzzy, maximumDistance: 3, limit: 20), &session)
    case "resolve": return describe(resolve(text))
    case "meant": return joined(nearMisses(text).map { names.text(of: $0) })
    case "lca": return joined(tree.lowestCommonAncestor(taxa).map { [$0] } ?? [])
    case "tree":
      return joined(newick(of: tree.inducedSubtree(taxa)).split(separator: "\n").map { String($0) })
    default: return taxa.isEmpty ? "no such taxon" : about(taxa, parts[0], parts[parts.count - 1])
    }
  }

  private func about(_ taxa: [TaxonOrdinal], _ question: String, _ language: String) -> String {
    let taxon = taxa[0]
    switch question {
    case "lineage": return joined(tree.ancestors(of: taxon))
    case "children": return joined(tree.children(of: taxon))
    case "taxon":
      let one = self.taxon(taxon)
      let columns = [
        "\(one.id.rawValue)", "\(one.parentID?.rawValue ?? -1)", one.rank.rawValue,
        one.scientificName, one.author ?? "", "\(one.year ?? 0)", one.status.rawValue,
        one.conservationStatus ?? "",
      ]
      return joined(
        columns + traitList(of: taxon).map { "\($0.key)=\($0.value) \($0.unit ?? "")" })
    case "relatives":
      return joined(
        relatives(of: taxon, limit: 12).map {
          "\(ids[$0.taxon].rawValue):\($0.distance):\(ids[$0.commonAncestor].rawValue)"
        })
    case "compare":
      let comparison = compare(taxon, taxa[taxa.count - 1])
      return joined([
        "\(comparison.distance ?? -1)", "\(comparison.traitSimilarity?.bitPattern ?? 0)",
        joined(comparison.pathFromA), joined(comparison.pathFromB),
      ])
    case "names":
      let preference = LanguagePreference(language, in: names)
      let groups = nameGroups(of: taxon, in: preference)
      let shown = commonName(of: taxon, in: preference).map { names.text(of: $0) } ?? ""
      return joined(
        [shown] + groups.languages.map { "\($0.language): " + joined($0.names.map { $0.name }) }
          + groups.synonyms.map { $0.name })
    default: return "no such question"
    }
  }

  private func hits(_ query: SearchQuery, _ session: inout SearchSession) -> String {
    session.search(query, in: self)
    return joined(
      session.hits.map {
        "\(ids[$0.taxon].rawValue):\(names.text(of: $0.name)):\($0.matchClass.rawValue):"
          + "\($0.distance):\($0.relevanceScore.bitPattern)"
      })
  }

  private func describe(_ resolution: TaxonResolution) -> String {
    switch resolution {
    case .found(let taxon): "found " + joined([taxon])
    case .synonym(let taxon, let name): "synonym " + joined([taxon]) + " " + names.text(of: name)
    case .common(let taxon, let name): "common " + joined([taxon]) + " " + names.text(of: name)
    case .merged(let taxon): "merged " + joined([taxon])
    case .ambiguous(let taxa): "ambiguous " + joined(taxa)
    case .deleted: "deleted"
    case .notFound: "not found"
    case .invalid: "invalid"
    }
  }

  private func joined(_ taxa: [TaxonOrdinal]) -> String {
    joined(taxa.map { "\(ids[$0].rawValue)" })
  }

  private func joined(_ texts: [String]) -> String { texts.joined(separator: " | ") }
}
