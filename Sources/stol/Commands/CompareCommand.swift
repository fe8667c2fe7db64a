import ArgumentParser
import STOLCompare
import STOLPack
import STOLSystem

/// The command `stol query compare`.
struct CompareCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Show how two taxa are related, and what they share.",
    discussion: """
        stol query compare lion tiger
        stol query compare "Panthera leo" "Canis lupus" --json
      """)

  static let columns = ["distance", "lcaID", "lca", "traitSimilarity"]
  static let takesSets = true
  @Argument(help: "Two ids or names, or - for many pairs.") var taxa: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { taxa }

  func validate() throws { try requirePair(taxa, options) }

  /// The two taxa and how they are related.
  struct Finding {
    let a: TaxonOrdinal
    let b: TaxonOrdinal
    let comparison: Comparison

    /// What the traits of the two have in common.
    func traits(_ view: borrowing PackView) -> TraitComparison {
      TraitComparison(view.traitList(of: a), view.traitList(of: b))
    }
  }

  func answer(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<Finding> {
    guard input.memberCount == 2 else { return .failed(.invalid) }
    return answerSet(input, view, &context) { taxa in
      let comparison = view.compare(taxa[0], taxa[1])
      return (
        Finding(a: taxa[0], b: taxa[1], comparison: comparison), comparison.commonAncestor != nil
      )
    }
  }

  func writeCells(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    let comparison = finding.comparison
    writer.number("distance", comparison.distance)
    writer.number("lcaID", comparison.commonAncestor.map { view.ids[$0] })
    if let ancestor = comparison.commonAncestor {
      writer.text("lca", ancestor, view)
    } else {
      writer.null("lca")
    }
    writer.number("traitSimilarity", comparison.traitSimilarity)
  }

  func writeMembers(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    let comparison = finding.comparison
    Schema.write("taxonA", finding.a, view, to: &writer)
    Schema.write("taxonB", finding.b, view, to: &writer)
    if let ancestor = comparison.commonAncestor {
      Schema.write("lca", ancestor, view, to: &writer)
    } else {
      writer.null("lca")
    }
    Schema.write("pathFromA", comparison.pathFromA, view, to: &writer)
    Schema.write("pathFromB", comparison.pathFromB, view, to: &writer)
    writer.number("taxonomicDistance", comparison.distance)
    writer.text("sharedCladeDescription", view.sharedCladeDescription(of: comparison))
    let traits = finding.traits(view)
    Schema.write("sharedTraits", traits.shared, to: &writer)
    writer.number("traitSimilarity", comparison.traitSimilarity)
    writer.array("differingTraits") { writer in
      for difference in traits.differing {
        writer.object { writer in
          writer.text("key", difference.key)
          Schema.write("onlyA", difference.onlyA, to: &writer)
          Schema.write("onlyB", difference.onlyB, to: &writer)
        }
      }
    }
    writer.array("numbers") { writer in
      for pair in traits.numbers {
        writer.object { writer in
          writer.text("key", pair.key)
          writer.text("unit", pair.unit)
          writer.number("a", exact: pair.a)
          writer.number("b", exact: pair.b)
          writer.number("ratio", exact: pair.ratio)
        }
      }
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    let a = try TaxonArgument(taxa[0]).resolve(view, filter)
    let b = try TaxonArgument(taxa[1]).resolve(view, filter)
    let finding = Finding(a: a, b: b, comparison: view.compare(a, b))
    switch options.format {
    case .table:
      var output = ByteOutput()
      for line in drawing(finding, view) { try output.write(line + "\n") }
      try output.flush()
    default:
      var writer = options.json ? RowWriter(.document) : rowWriter(columns: Self.columns)
      writer.beginRow()
      if options.json {
        writeMembers(finding, view, to: &writer)
      } else {
        writeCells(finding, view, to: &writer)
      }
      try writer.endRow()
      try writer.finish()
    }
    if finding.comparison.commonAncestor == nil {
      throw CommandFailure.noCommonAncestor
    }
  }

  /// The common ancestor, the two branches below it, and what the taxa share.
  private func drawing(_ finding: Finding, _ view: borrowing PackView) -> [String] {
    let comparison = finding.comparison
    let languages = options.preferredLanguages(view)
    var rows: [TreeDrawing.Row] = []
    var depth = 0
    if let ancestor = comparison.commonAncestor {
      let label = TaxonList.label(ancestor, view, languages, options.style)
      rows.append((0, label + "  (common ancestor)"))
      depth = 1
    }
    for path in [comparison.pathFromA, comparison.pathFromB] {
      let branch = path.reversed().drop { $0 == comparison.commonAncestor }
      for (level, taxon) in branch.enumerated() {
        rows.append((depth + level, TaxonList.label(taxon, view, languages, options.style)))
      }
    }
    var lines = TreeDrawing.lines(rows)
    lines.append(Escaping.terminal(view.sharedCladeDescription(of: comparison)))
    if let distance = comparison.distance {
      lines.append("distance: \(distance) step\(distance == 1 ? "" : "s")")
    }
    // Where nothing is known of one of them there is nothing to compare.
    let isKnown = [finding.a, finding.b].allSatisfy { !view.traits.pairs(of: $0).isEmpty }
    guard isKnown, let similarity = comparison.traitSimilarity else { return lines }
    lines.append("trait similarity: \(Int((similarity * 100).rounded())) %")
    return lines + Self.traitLines(finding.traits(view)).map { Escaping.terminal($0) }
  }

  /// What both have, in what they differ, and their numbers side by side.
  private static func traitLines(_ traits: TraitComparison) -> [String] {
    var lines: [String] = []
    let shared = traits.shared.map { "\($0.key) \(text($0))" }
    if !shared.isEmpty { lines.append("both: " + shared.joined(separator: ", ")) }
    let numbers = Set(traits.numbers.map(\.key))
    for difference in traits.differing where !numbers.contains(difference.key) {
      let sides = [difference.onlyA, difference.onlyB].map { side in
        side.isEmpty ? "-" : side.map(text).joined(separator: ", ")
      }
      lines.append("\(difference.key): \(sides[0]) | \(sides[1])")
    }
    for pair in traits.numbers where pair.a != pair.b {
      let unit = pair.unit.map { " " + $0 } ?? ""
      let ratio = pair.ratio.map { " (\((($0 * 10).rounded() / 10).exactText) times)" } ?? ""
      lines.append(
        "\(pair.key): \(pair.a.exactText)\(unit) | \(pair.b.exactText)\(unit)\(ratio)")
    }
    return lines
  }

  private static func text(_ trait: Trait) -> String {
    trait.value + (trait.unit.map { " " + $0 } ?? "")
  }
}
