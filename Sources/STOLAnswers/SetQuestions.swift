package import STOLCompare
package import STOLPack

/// The lowest common ancestor of the taxa of a set, and the distance of two.
package struct CommonAncestor {
  package let taxon: TaxonOrdinal?
  /// The Linnaean distance of two taxa.
  let distance: Int?
  /// Whether two different taxa have no main rank between them, so that their distance is 0.
  package let isZeroApart: Bool

  fileprivate init(_ taxon: TaxonOrdinal?, distance: Int? = nil, isZeroApart: Bool = false) {
    self.taxon = taxon
    self.distance = distance
    self.isZeroApart = isZeroApart
  }

  fileprivate init(of taxa: [TaxonOrdinal], _ view: borrowing PackView) {
    guard taxa.count == 2 else {
      self.init(view.tree.lowestCommonAncestor(taxa))
      return
    }
    let ancestor = view.tree.lowestCommonAncestor(taxa[0], taxa[1])
    let distance = ancestor.map { view.linnaeanDistance(taxa[0], taxa[1], by: $0) }
    self.init(ancestor, distance: distance, isZeroApart: distance == 0 && taxa[0] != taxa[1])
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

extension Schema {
  /// Writes the distance of two taxa; in JSON also that it is 0 though they are different, if so.
  fileprivate static func writeDistance(
    _ distance: Int?, isZeroApart: Bool, to writer: inout RowWriter
  ) {
    writer.number("distance", distance)
    if writer.format.isStructured, isZeroApart { writer.bool("isZeroApart", true) }
  }
}

/// The lowest common ancestor of taxa: `columns` in cells, and in JSON `lca`, `distance`, `lineage`.
package struct LCAQuestion: AncestorQuestion {
  package static let columns = ["id", "rank", "scientificName", "distance"]
  package static let memberCount: Int? = nil

  /// Whether members that name no taxon are left out and said, in place of being the end.
  private let skipsUnknown: Bool
  /// The share of the members, or of their weights, that must be at the answer or below it; nil for all.
  private let share: Double?
  /// Whether every second member is the weight of the one before it.
  private let isWeighted: Bool

  package init(skipsUnknown: Bool = false, share: Double? = nil, isWeighted: Bool = false) {
    self.skipsUnknown = skipsUnknown
    self.share = share
    self.isWeighted = isWeighted
  }

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<CommonAncestor> {
    var answer: Answer<CommonAncestor>
    if let share {
      answer = majority(input, share, view, context)
    } else {
      answer = answerSet(input, view, &context, context.filter, skipsUnknown: skipsUnknown) {
        value($0, view)
      }
    }
    answer.isEmpty = answer.value.map { !isRelated($0) } ?? false
    return answer
  }

  private func majority(
    _ input: QuestionInput, _ share: Double, _ view: borrowing PackView,
    _ context: borrowing QuestionContext
  ) -> Answer<CommonAncestor> {
    var answer = Answer<CommonAncestor>(status: .exact)
    var members: [(taxon: TaxonOrdinal, weight: Double)] = []
    var isWeight = false
    var isKnown = false
    var memberCount = 0
    input.forEachMember { text in
      let text = String(decoding: text, as: UTF8.self)
      if isWeight {
        isWeight = false
        guard let weight = Self.weight(text) else {
          answer.status = .invalid
          return false
        }
        if isKnown { members[members.count - 1].weight = weight }
        return true
      }
      isWeight = isWeighted
      let match = TaxonMatch(text, view, context.filter)
      answer.add(match, at: memberCount, skipsUnknown: skipsUnknown)
      memberCount += 1
      isKnown = match.taxon != nil
      if let taxon = match.taxon { members.append((taxon, 1)) }
      return true
    }
    if isWeight, answer.status.isFound { answer.status = .invalid }
    guard answer.status.isFound else { return answer }
    let total = members.reduce(0) { $0 + $1.weight }
    if members.isEmpty {
      answer.status = .notFound
    } else if total == 0 || !total.isFinite {
      answer.status = .invalid
    } else {
      answer.value = CommonAncestor(view.tree.majorityAncestor(of: members, share: share))
    }
    return answer
  }

  /// The decimal number that a text is, spaces around it apart; nil for a negative one and for any
  /// other text.
  private static func weight(_ text: String) -> Double? {
    let digits = text.split(separator: " ")
    guard digits.count == 1, digits[0].utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }),
      let weight = Double(digits[0]), weight >= 0, weight.isFinite
    else { return nil }
    return weight
  }

  package func taxon(ofRow row: Int, of value: CommonAncestor) -> TaxonOrdinal? { value.taxon }

  package func writeRow(
    _ row: Int, of value: CommonAncestor, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    if writer.format.isStructured {
      Schema.write("lca", value.taxon, view, to: &writer)
      Schema.writeDistance(value.distance, isZeroApart: value.isZeroApart, to: &writer)
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
    Schema.writeDistance(value.distance, isZeroApart: value.isZeroApart, to: &writer)
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

    /// Whether two different taxa have no main rank between them, so that their distance is 0.
    package var isZeroApart: Bool { comparison.distance == 0 && a != b }

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
    Schema.writeDistance(comparison.distance, isZeroApart: value.isZeroApart, to: &writer)
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
