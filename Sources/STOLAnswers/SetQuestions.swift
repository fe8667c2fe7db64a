package import STOLCompare
package import STOLPack

/// The lowest common ancestor of the taxa of a set, and the distance of two.
package struct CommonAncestor {
  package let taxon: TaxonOrdinal?
  let distance: Int?

  fileprivate init(of taxa: [TaxonOrdinal], _ view: borrowing PackView) {
    guard taxa.count == 2 else {
      taxon = view.tree.lowestCommonAncestor(taxa)
      distance = nil
      return
    }
    taxon = view.tree.lowestCommonAncestor(taxa[0], taxa[1])
    distance = taxon.map {
      view.tree.depth(of: taxa[0]) + view.tree.depth(of: taxa[1]) - 2 * view.tree.depth(of: $0)
    }
  }
}

/// A question about the taxa of a set, whose answer is one record.
package protocol SetQuestion: Question {
  /// What there is to say about the taxa.
  func value(_ taxa: [TaxonOrdinal], _ view: borrowing PackView) -> Value
  /// Whether the taxa have a common ancestor.
  func isRelated(_ value: Value) -> Bool
  /// The number of taxa that must be asked about; nil for any.
  static var memberCount: Int? { get }
}

extension SetQuestion {
  package static var list: String? { nil }
  package static var inputKind: InputKind { .set }
  package static var memberCount: Int? { 2 }
  package func rowCount(of value: Value) -> Int { 1 }

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<Value> {
    if let count = Self.memberCount, input.memberCount != count { return .failed(.invalid) }
    var answer = answerSet(input, view, &context, context.filter) { value($0, view) }
    answer.isEmpty = answer.value.map { !isRelated($0) } ?? false
    return answer
  }
}

/// A question that the lowest common ancestor answers.
package protocol AncestorQuestion: SetQuestion where Value == CommonAncestor {}

extension AncestorQuestion {
  package func value(_ taxa: [TaxonOrdinal], _ view: borrowing PackView) -> CommonAncestor {
    CommonAncestor(of: taxa, view)
  }

  package func isRelated(_ value: CommonAncestor) -> Bool { value.taxon != nil }
}

/// The lowest common ancestor of taxa: `columns` in cells, and in JSON `lca`, `distance`, `lineage`.
package struct LCAQuestion: AncestorQuestion {
  package static let columns = ["id", "rank", "scientificName", "distance"]
  package static let memberCount: Int? = nil

  package init() {}

  package func writeRow(
    _ row: Int, of value: CommonAncestor, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    if writer.format.isStructured {
      Schema.write("lca", value.taxon, view, to: &writer)
      writer.number("distance", value.distance)
      if let taxon = value.taxon { Schema.writeLineage(of: taxon, view, to: &writer) }
    } else if let taxon = value.taxon {
      Schema.writeHead(of: taxon, view, to: &writer)
      writer.number("distance", value.distance)
    }
  }
}

/// The number of edges between two taxa.
package struct DistanceQuestion: AncestorQuestion {
  package static let columns = ["distance", "lcaID", "lca"]

  package init() {}

  package func writeRow(
    _ row: Int, of value: CommonAncestor, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    writer.number("distance", value.distance)
    Schema.writeAncestor(value.taxon, view, to: &writer)
  }
}

/// How two taxa are related, and what they share.
package struct CompareQuestion: SetQuestion {
  package static let columns = ["distance", "lcaID", "lca", "traitSimilarity"]

  /// The two taxa and how they are related.
  package struct Value {
    package let a: TaxonOrdinal
    package let b: TaxonOrdinal
    package let comparison: Comparison<TaxonOrdinal>

    /// What the traits of the two have in common.
    package func traits(_ view: borrowing PackView) -> TraitComparison {
      TraitComparison(view.traitList(of: a), view.traitList(of: b))
    }
  }

  package init() {}

  package func value(_ taxa: [TaxonOrdinal], _ view: borrowing PackView) -> Value {
    Value(a: taxa[0], b: taxa[1], comparison: view.compare(taxa[0], taxa[1]))
  }

  package func isRelated(_ value: Value) -> Bool { value.comparison.commonAncestor != nil }

  package func writeRow(
    _ row: Int, of value: Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    let comparison = value.comparison
    writer.number("distance", comparison.distance)
    Schema.writeAncestor(comparison.commonAncestor, view, to: &writer)
    writer.number("traitSimilarity", comparison.traitSimilarity)
    guard writer.format.isStructured else { return }
    Schema.write("taxonA", value.a, view, to: &writer)
    Schema.write("taxonB", value.b, view, to: &writer)
    Schema.write("pathFromA", comparison.pathFromA, view, to: &writer)
    Schema.write("pathFromB", comparison.pathFromB, view, to: &writer)
    writer.text("sharedCladeDescription", view.sharedCladeDescription(of: comparison))
    let traits = value.traits(view)
    Schema.write("sharedTraits", traits.shared, to: &writer)
    writer.objects("differingTraits", traits.differing) { writer, difference in
      writer.text("key", difference.key)
      Schema.write("onlyA", difference.onlyA, to: &writer)
      Schema.write("onlyB", difference.onlyB, to: &writer)
    }
    writer.objects("numbers", traits.numbers) { writer, pair in
      writer.text("key", pair.key)
      writer.text("unit", pair.unit)
      writer.number("a", exact: pair.a)
      writer.number("b", exact: pair.b)
      writer.number("ratio", exact: pair.ratio)
    }
  }
}
