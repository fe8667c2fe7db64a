package import STOLData
package import STOLPack

/// Everything about a taxon.
package struct ShowQuestion: Question {
  package static let columns = Schema.taxonColumns
  package static let needsDatabase = true

  /// The taxon and what the database has about it.
  package struct Value {
    package let taxon: TaxonOrdinal
    /// Nil where the database cannot be read.
    package let references: [TaxonReference]?
  }

  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<Value> {
    var failure: (any Error)?
    let answer = answerTaxon(input, view, context.filter) { taxon in
      do {
        let references = try context.database?.references(of: view.ids[taxon])
        return Value(taxon: taxon, references: references ?? [])
      } catch {
        failure = error
        return Value(taxon: taxon, references: nil)
      }
    }
    if let failure { context.databaseFailure = failure }
    return answer
  }

  package func rowCount(of value: Value) -> Int { 1 }

  package func writeRow(
    _ row: Int, of value: Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    Schema.writeFields(of: value.taxon, view, to: &writer)
    guard writer.format.isStructured else { return }
    Schema.write("names", view.furtherNames(of: value.taxon), to: &writer)
    Schema.write("traits", view.traitList(of: value.taxon), to: &writer)
    Schema.write("references", value.references, to: &writer)
    Schema.writeLineage(of: value.taxon, view, to: &writer)
  }

  /// What is known besides the fields of a row, for a person: what it is, and what it says.
  package static func facts(
    _ value: Value, _ view: borrowing PackView, _ languages: borrowing LanguagePreference
  ) -> [(name: String, text: String)] {
    var facts: [(String, String)] = []
    let lineage = view.lineageText(of: value.taxon)
    if !lineage.isEmpty { facts.append(("lineage", lineage)) }
    let size = view.tree.subtree(of: value.taxon).count
    if size > 1 { facts.append(("taxonCount", String(size))) }
    let groups = view.nameGroups(of: value.taxon, in: languages)
    for group in groups.languages {
      for name in group.names { facts.append(("name (\(group.language))", name.name)) }
    }
    for synonym in groups.synonyms { facts.append(("synonym", synonym.name)) }
    for trait in view.traitList(of: value.taxon) { facts.append((trait.key, trait.text)) }
    for reference in value.references ?? [] {
      facts.append(("reference", reference.citation + (reference.url.map { " " + $0 } ?? "")))
    }
    for id in view.mergedIDs(into: value.taxon) {
      facts.append(("merged id", String(id.rawValue)))
    }
    return facts
  }
}

extension Trait {
  /// The value with its unit.
  package var text: String { value + (unit.map { " " + $0 } ?? "") }
}

/// The way from the root to a taxon.
package struct LineageQuestion: TaxonListQuestion {
  package static let list: String? = "lineage"

  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<TaxonList> {
    answerTaxon(input, view, context.filter) {
      TaxonList(view.tree.ancestors(of: $0) + [$0], limit: nil)
    }
  }
}

/// The children of a taxon; the roots are those of nothing.
package struct ChildrenQuestion: TaxonListQuestion {
  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<TaxonList> {
    func list(_ taxa: [TaxonOrdinal], _ filter: SearchFilter, _ limit: Int?) -> TaxonList {
      TaxonList(taxa.filter { view.passes($0, filter) }, limit: limit)
    }
    let (filter, limit) = (context.filter, context.limit)
    var answer =
      input.bytes.isEmpty && !input.isLine
      ? Answer(status: .exact, value: list(Array(view.tree.roots), filter, limit))
      : answerTaxon(input, view, SearchFilter()) {
        list(Array(view.tree.children(of: $0)), filter, limit)
      }
    answer.isEmpty = answer.value?.taxa.isEmpty == true
    return answer
  }
}

/// A taxon and all below it, or the smallest tree that connects several.
package struct SubtreeQuestion: Question {
  package static let columns = Schema.listColumns + ["speciesCount"]
  package static let inputKind = InputKind.textOrSet

  /// Taxa in preorder, each with its depth in this tree.
  package struct Value {
    package let nodes: [(taxon: TaxonOrdinal, depth: Int)]
    package let omittedCount: Int
  }

  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<Value> {
    // The rank says how deep to go, not which taxon is meant.
    var filter = context.filter
    filter.rank = nil
    let (rank, limit) = (context.filter.rank, context.limit)
    return answerSet(input, view, &context, filter) { roots in
      let nodes =
        roots.count == 1 ? Self.nodes(below: roots[0], view, rank) : Self.nodes(roots, view)
      let shown = Array(nodes.prefix(limit ?? .max))
      return Value(nodes: shown, omittedCount: nodes.count - shown.count)
    }
  }

  private static func nodes(
    below root: TaxonOrdinal, _ view: borrowing PackView, _ rank: RankRow?
  ) -> [(TaxonOrdinal, Int)] {
    let top = view.tree.depth(of: root)
    var nodes: [(TaxonOrdinal, Int)] = []
    for taxon in view.tree.subtree(of: root) {
      guard taxon == root || view.isAtOrAbove(rank, taxon) else { continue }
      nodes.append((taxon, view.tree.depth(of: taxon) - top))
    }
    return nodes
  }

  private static func nodes(
    _ roots: [TaxonOrdinal], _ view: borrowing PackView
  ) -> [(TaxonOrdinal, Int)] {
    var nodes: [(TaxonOrdinal, Int)] = []
    for node in view.tree.inducedSubtree(roots).nodes {
      nodes.append((node.taxon, node.parent.map { nodes[$0].1 + 1 } ?? 0))
    }
    return nodes
  }

  package func rowCount(of value: Value) -> Int { value.nodes.count }

  package func writeRow(
    _ row: Int, of value: Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    let taxon = value.nodes[row].taxon
    Schema.writeListFields(of: taxon, view, context.languages, to: &writer)
    writer.number("speciesCount", view.speciesCount(in: view.tree.subtree(of: taxon)))
  }

  /// The tree of the taxa named by `members` in Newick format, one line for each root.
  package static func newick(
    _ members: [String], _ view: borrowing PackView, _ filter: SearchFilter
  ) throws(TaxonNotFound) -> [String] {
    var nameFilter = filter
    nameFilter.rank = nil
    var roots: [TaxonOrdinal] = []
    for member in members { roots.append(try view.taxon(named: member, nameFilter)) }
    guard roots.count == 1 else {
      return view.newick(of: view.tree.inducedSubtree(roots)).split(separator: "\n")
        .map(String.init)
    }
    return [view.newick(of: roots[0]) { view.isAtOrAbove(filter.rank, $0) }]
  }
}

extension PackView {
  /// Whether the rank of a taxon is `rank` or stands above it, or nothing is asked for.
  fileprivate func isAtOrAbove(_ rank: RankRow?, _ taxon: TaxonOrdinal) -> Bool {
    rank.map { taxa.ranks.isAtOrAbove(taxa.rank(of: taxon), $0) } ?? true
  }
}

/// The closest relatives of a taxon, of its own rank.
package struct RelativesQuestion: Question {
  package static let columns = [
    "nth", "id", "scientificName", "commonName", "distance", "lcaID", "lca", "lcaRank",
    "lcaDepth",
  ]
  package static let list: String? = "relatives"

  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<[Relative<TaxonOrdinal>]> {
    let limit = context.limit ?? .max
    var answer = answerTaxon(input, view, context.filter) { view.relatives(of: $0, limit: limit) }
    answer.isEmpty = answer.value?.isEmpty == true
    return answer
  }

  package func rowCount(of value: [Relative<TaxonOrdinal>]) -> Int { value.count }

  package func writeRow(
    _ row: Int, of value: [Relative<TaxonOrdinal>], _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    let relative = value[row]
    writer.number("nth", row + 1)
    writer.number("id", view.ids[relative.taxon])
    writer.text("scientificName", relative.taxon, view)
    Schema.writeCommonName(of: relative.taxon, view, context.languages, to: &writer)
    writer.number("distance", relative.distance)
    if writer.format.isStructured { Schema.write("taxon", relative.taxon, view, to: &writer) }
    Schema.writeAncestor(relative.commonAncestor, withRank: true, view, to: &writer)
    writer.number("lcaDepth", view.tree.depth(of: relative.commonAncestor))
  }
}
