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
    package let references: [TaxonCitation]?
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
  package func taxon(ofRow row: Int, of value: Value) -> TaxonOrdinal? { value.taxon }

  package func writeRow(
    _ row: Int, of value: Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    Schema.writeFields(of: value.taxon, view, to: &writer)
    guard writer.format.isStructured else { return }
    Schema.writeRecord(of: value.taxon, view, to: &writer)
    let areNumbers = view.ids.fitJSONNumbers
    Schema.write(
      "names", view.furtherNames(of: value.taxon), areJSONNumbers: areNumbers, to: &writer)
    Schema.write("traits", view.sourcedTraits(of: value.taxon), to: &writer)
    Schema.write(
      "references", value.references, from: view.sources, areJSONNumbers: areNumbers, to: &writer)
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
    let own = view.source(of: value.taxon)
    // What another source says of the taxon says whose it is.
    func marked(_ text: String, _ source: DataSource?) -> String {
      guard source != own, let title = source?.title else { return text }
      return "\(text) (\(title))"
    }
    let groups = view.nameGroups(of: value.taxon, in: languages)
    for group in groups.languages {
      for name in group.names {
        facts.append(("name (\(group.language))", marked(name.name, name.source)))
      }
    }
    for synonym in groups.synonyms {
      facts.append(
        (
          synonym.record.status?.rawValue ?? "synonym",
          marked(synonym.citedText, synonym.source)
        ))
    }
    let record = view.record(of: NameOrdinal(rawValue: value.taxon.rawValue))
    for (name, text) in [
      ("code", record.code), ("sensu", record.sensu), ("status in the source", record.statusText),
      ("source", own?.text),
    ] {
      if let text { facts.append((name, text)) }
    }
    for (trait, source) in view.sourcedTraits(of: value.taxon) {
      facts.append((trait.key, marked(trait.text, source)))
    }
    let sources = view.sources
    for reference in value.references ?? [] {
      let number = reference.source ?? 0
      let source = sources.indices.contains(number - 1) ? sources[number - 1] : nil
      facts.append(("reference", marked(reference.text, source)))
    }
    // What stands for a text here is not what the source calls it.
    for id in view.mergedIDs(into: value.taxon) where !view.ids.areTexts {
      facts.append(("merged id", String(id.rawValue)))
    }
    return facts
  }
}

extension TaxonName {
  /// The name as authors cite it, with authorship, year and whose concept it is; then its own id.
  package var citedText: String { Self.cited(name, record) }

  static func cited(_ name: String, _ record: NameRecord) -> String {
    let authorship = record.authorship.map { Schema.authorship($0, record.year) }
    return [name, authorship, record.sensu, record.sourceID.map { "(id \($0))" }]
      .compactMap { $0 }.joined(separator: " ")
  }
}

extension TaxonCitation {
  /// The citation with its address, and what it is about if that is not the taxon.
  package var text: String {
    let cited = name.map { TaxonName.cited($0, nameRecord ?? NameRecord()) }
    let subjects = (cited.map { [$0] } ?? []) + traits
    let about = subjects.isEmpty ? nil : "(for \(subjects.joined(separator: ", ")))"
    return [citation, url, about].compactMap { $0 }.joined(separator: " ")
  }
}

extension DataSource {
  /// Name, release and licence in a line, else the kind.
  package var text: String? {
    let parts = [name ?? kind, release, licence].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension DataSource {
  /// The same in a line, with how to cite it and where it is.
  package var statement: String {
    [text ?? kind, citation, url].compactMap { $0 }.joined(separator: ". ")
  }
}

extension Trait {
  /// The value with its unit.
  package var text: String { value + (unit.map { " " + $0 } ?? "") }
}

/// The way from the root to a taxon; of some ranks only, where ranks are asked for.
package struct LineageQuestion: TaxonListQuestion {
  package static let list: String? = "lineage"

  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<TaxonList> {
    let ranks = context.ranks
    return answerTaxon(input, view, context.filter) { taxon in
      var lineage = view.tree.ancestors(of: taxon) + [taxon]
      if !ranks.isEmpty {
        lineage.removeAll { ancestor in !ranks.contains { $0.contains(ancestor, view) } }
      }
      return TaxonList(lineage, of: taxon)
    }
  }

  package func taxon(ofRow row: Int, of value: TaxonList) -> TaxonOrdinal? { nil }
  package func taxon(ofAll value: TaxonList) -> TaxonOrdinal? { value.subject }
}

/// The children of a taxon that pass the filter; the roots are those of nothing.
package struct ChildrenQuestion: TaxonListQuestion {
  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<TaxonList> {
    var filter = context.filter
    let limit = context.limit
    func answer(_ status: AnswerStatus, _ taxa: [TaxonOrdinal]) -> Answer<TaxonList> {
      let list = TaxonList(taxa.filter { view.passes($0, filter) }, limit: limit)
      return Answer(
        status: status, value: list, isEmpty: list.taxa.isEmpty, isCut: list.omittedCount > 0)
    }
    if input.bytes.isEmpty, !input.isLine { return answer(.exact, Array(view.tree.roots)) }
    let (match, isChosenByRank) = view.matchSubject(input.text, filter)
    guard let taxon = match.taxon else {
      return Answer(status: match.status, candidates: match.candidates)
    }
    // A rank that chose the parent is none that was asked of its children.
    if isChosenByRank { filter.rank = nil }
    var children = answer(match.status, Array(view.tree.children(of: taxon)))
    children.matches = match.said
    return children
  }
}

/// A taxon and all below it, or the smallest tree that connects several.
package struct SubtreeQuestion: Question {
  package static let columns = Schema.listColumns + ["speciesCount"]
  package static let inputKind = InputKind.textOrSet
  package static let joinsRows = true

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
    var answer = answerSet(input, view, &context, filter) { roots in
      let nodes =
        roots.count == 1
        ? Self.nodes(below: roots[0], view, rank) : Self.nodes(connecting: roots, view, rank)
      let shown = Array(nodes.prefix(limit ?? .max))
      return Value(nodes: shown, omittedCount: nodes.count - shown.count)
    }
    answer.isCut = answer.value.map { $0.omittedCount > 0 } ?? false
    return answer
  }

  private static func nodes(
    below root: TaxonOrdinal, _ view: borrowing PackView, _ rank: RankRow?
  ) -> [(TaxonOrdinal, Int)] {
    let top = view.tree.depth(of: root)
    var nodes: [(TaxonOrdinal, Int)] = []
    for taxon in view.tree.subtree(of: root) {
      guard taxon == root || rank.map({ view.isAtOrAbove(taxon, $0) }) ?? true else { continue }
      nodes.append((taxon, view.tree.depth(of: taxon) - top))
    }
    return nodes
  }

  private static func nodes(
    connecting taxa: [TaxonOrdinal], _ view: borrowing PackView, _ rank: RankRow?
  ) -> [(TaxonOrdinal, Int)] {
    var nodes: [(TaxonOrdinal, Int)] = []
    for node in tree(connecting: taxa, view, rank).nodes {
      nodes.append((node.taxon, node.parent.map { nodes[$0].1 + 1 } ?? 0))
    }
    return nodes
  }

  /// The smallest tree that connects taxa, its roots and what is not below the rank.
  private static func tree(
    connecting taxa: [TaxonOrdinal], _ view: borrowing PackView, _ rank: RankRow?
  ) -> InducedSubtree {
    let tree = view.tree.inducedSubtree(taxa)
    guard let rank else { return tree }
    return tree.keeping { $0.parent == nil || view.isAtOrAbove($0.taxon, rank) }
  }

  package func rowCount(of value: Value) -> Int { value.nodes.count }
  package func taxon(ofRow row: Int, of value: Value) -> TaxonOrdinal? { value.nodes[row].taxon }

  package func writeRow(
    _ row: Int, of value: Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    let taxon = value.nodes[row].taxon
    Schema.writeListFields(of: taxon, view, context.languages, to: &writer)
    writer.number("speciesCount", view.speciesCount(in: view.tree.subtree(of: taxon)))
  }

  /// The tree of the taxa that an input names in Newick format, one line for each root.
  ///
  /// - Throws: `TaxonNotFound`
  package static func newick(
    _ input: QuestionInput, _ view: borrowing PackView, _ filter: SearchFilter,
    labels: NewickLabel, collapses: Bool
  ) throws -> (lines: [String], matches: [TaxonMatch?]) {
    var nameFilter = filter
    nameFilter.rank = nil
    var matches: [TaxonMatch] = []
    input.forEachMember { member in
      matches.append(TaxonMatch(String(decoding: member, as: UTF8.self), view, nameFilter))
      return true
    }
    if let failure = view.failure(of: matches, nameFilter) { throw failure }
    let roots = matches.compactMap { $0.taxon }
    guard roots.count == 1 else {
      let tree = view.newick(
        of: tree(connecting: roots, view, filter.rank), labels: labels, collapses: collapses)
      return (tree.split(separator: "\n").map(String.init), matches)
    }
    let root = roots[0]
    let text = view.newick(of: root, labels: labels, collapses: collapses) { taxon in
      taxon == root || filter.rank.map { view.isAtOrAbove(taxon, $0) } ?? true
    }
    return ([text], matches)
  }
}

/// The closest relatives of a taxon, of its own rank, that pass the filter.
package struct RelativesQuestion: Question {
  package static let columns = [
    "nth", "id", "scientificName", "commonName", "distance", "tieCount", "lcaID", "lca", "lcaRank",
    "lcaDepth",
  ]
  package static let list: String? = "relatives"
  package static let joinsRows = true

  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<[Relative<TaxonOrdinal>]> {
    let (filter, limit) = (context.filter, context.limit)
    let match = view.matchSubject(input.text, filter).match
    guard let taxon = match.taxon else {
      return Answer(status: match.status, candidates: match.candidates)
    }
    // One more than is shown tells whether there are others.
    let relatives = view.relatives(of: taxon, limit: limit.map { $0 + 1 } ?? .max) {
      view.passes($0, filter)
    }
    let shown = Array(relatives.prefix(limit ?? .max))
    return Answer(
      status: match.status, value: shown, isEmpty: shown.isEmpty,
      isCut: shown.count < relatives.count, matches: match.said)
  }

  package func rowCount(of value: [Relative<TaxonOrdinal>]) -> Int { value.count }
  package func taxon(ofRow row: Int, of value: [Relative<TaxonOrdinal>]) -> TaxonOrdinal? {
    value[row].taxon
  }

  package func writeRow(
    _ row: Int, of value: [Relative<TaxonOrdinal>], _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    let relative = value[row]
    writer.number("nth", row + 1)
    writer.id("id", relative.taxon, view)
    writer.text("scientificName", relative.taxon, view)
    Schema.writeCommonName(of: relative.taxon, view, context.languages, to: &writer)
    writer.number("distance", relative.distance)
    writer.number("tieCount", relative.tieCount)
    if writer.format.isStructured { Schema.write("taxon", relative.taxon, view, to: &writer) }
    Schema.writeAncestor(relative.commonAncestor, withRank: true, view, to: &writer)
    writer.number("lcaDepth", view.tree.depth(of: relative.commonAncestor))
  }
}
