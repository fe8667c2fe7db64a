import STOLAnswers
import STOLData
import STOLPack

/// What programs ask, and no page shows.
extension Pages {
  /// As many taxa of a subtree are answered at once.
  static let greatestSubtreeCount = 100_000

  /// Where the lineages of taxa meet, however many they are.
  func ancestor(_ visit: Visit) async throws -> Reply {
    let (taxa, refusal) = try await requestedTaxa(visit, beside: [])
    if let refusal { return refusal }
    let ancestor = try withView(visit) { view, languages in
      let ordinals = try taxa.map { try view.ordinal(of: $0.id) }
      return view.tree.lowestCommonAncestor(ordinals).map {
        view.card($0, languages, services.favorites)
      }
    }
    return .json { json in
      json.taxa("taxa", taxa)
      json.taxon("lca", ancestor)
    }
  }

  /// A taxon and all below it, or the smallest tree that connects several: ids and parents, or a
  /// tree in Newick format.
  func subtree(_ visit: Visit) async throws -> Reply {
    let format = visit.query["format"] ?? "json"
    guard ["json", "newick"].contains(format) else {
      return problem(visit, 400, "Unknown format", "one of: json, newick")
    }
    guard let labels = NewickLabel(rawValue: visit.query["labels"] ?? "name") else {
      return problem(visit, 400, "Unknown labels", "one of: name, id")
    }
    let (taxa, refusal) = try await requestedTaxa(visit, beside: ["format", "labels", "collapse"])
    if let refusal { return refusal }
    return try withView(visit) { view, _ in
      let ordinals = try taxa.map { try view.ordinal(of: $0.id) }
      let isOne = ordinals.count == 1
      let root = ordinals[0]
      let count = view.tree.subtree(of: root).count
      guard !isOne || count <= Self.greatestSubtreeCount else {
        return problem(
          visit, 400, "Too many taxa",
          "\(taxa[0].taxon.scientificName) has \(count) taxa, and at most \(Self.greatestSubtreeCount) are answered: "
            + "ask for a part of it, or the command: stol query subtree")
      }
      guard format == "json" else {
        let collapses = visit.query["collapse"] != nil
        let tree =
          isOne
          ? view.newick(of: root, labels: labels, collapses: collapses) { _ in true }
          : view.newick(
            of: view.tree.inducedSubtree(ordinals), labels: labels, collapses: collapses)
        return Reply(contentType: "text/plain; charset=utf-8", bytes: Array("\(tree)\n".utf8))
      }
      var ids: [String?] = []
      var parents: [Int?] = []
      if isOne {
        for taxon in view.tree.subtree(of: root) {
          ids.append(view.sourceID(of: taxon))
          parents.append(
            taxon == root ? nil : view.tree.parent(of: taxon).map { $0.index - root.index })
        }
      } else {
        for node in view.tree.inducedSubtree(ordinals).nodes {
          ids.append(view.sourceID(of: node.taxon))
          parents.append(node.parent)
        }
      }
      return .json { json in
        json.taxon("taxon", isOne ? taxa[0] : nil)
        json.taxa("taxa", taxa)
        json.array("ids") { json in
          for id in ids { json.id(nil, id, isJSONNumber: taxa[0].taxon.hasJSONNumberID) }
        }
        json.array("parents") { json in
          for parent in parents { json.number(nil, parent) }
        }
      }
    }
  }

  /// The taxa of the fields "taxon", or what is answered where there are none or one is no taxon, or where a field is
  /// none that is known: what was misspelt would seem to be answered.
  private func requestedTaxa(
    _ visit: Visit, beside others: [String]
  ) async throws -> (taxa: [TaxonCard], refusal: Reply?) {
    let known = ["taxon"] + others + ["lang"]
    if let unknown = visit.query.pairs.first(where: { !known.contains($0.name) }) {
      let refusal = problem(
        visit, 400, "Unknown field",
        "“\(unknown.name)” is none of: \(known.joined(separator: ", "))")
      return ([], refusal)
    }
    var taxa: [TaxonCard] = []
    for text in visit.query.all("taxon") {
      let pick = try await pick(text, visit)
      guard let card = pick.card else { return ([], noTaxon(pick, visit)) }
      taxa.append(card)
    }
    guard !taxa.isEmpty else {
      let nothing = problem(visit, 400, "Nothing asked", "give one field \"taxon\" or more")
      return ([], nothing)
    }
    return (taxa, nil)
  }

  /// The answer where a field names no taxon, or several.
  func noTaxon(_ pick: Pick, _ visit: Visit) -> Reply {
    if pick.isOfAnotherDatabase {
      return problem(
        visit, 404, Words[.otherDatabase], Words[.textOfOtherActive, ["text": pick.text]])
    }
    return problem(
      visit, 404, Words[.notOneTaxon], Words[.notOneTaxonText, ["text": pick.text]])
  }
}
