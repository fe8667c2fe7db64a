import ArgumentParser
import STOLAnswers
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

  @Argument(help: "Two ids or names, or - for many pairs.") var taxa: [String] = []
  @Option(help: .rank) var rank: String?
  @Option(name: .customLong("lang"), help: .language) var language: String?
  @OptionGroup var options: QueryOptions

  var arguments: [String] { taxa }
  var question: CompareQuestion { CompareQuestion() }

  func check() throws { try requirePair(taxa, options) }

  /// The common ancestor, the two branches below it, and what the taxa share.
  func drawing(
    of value: CompareQuestion.Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext
  ) -> [String]? {
    let comparison = value.comparison
    var rows: [(depth: Int, taxon: TaxonOrdinal)] = []
    if let ancestor = comparison.commonAncestor { rows.append((0, ancestor)) }
    let depth = rows.count
    for path in [comparison.pathFromA, comparison.pathFromB] {
      let branch = path.reversed().drop { $0 == comparison.commonAncestor }
      for (level, taxon) in branch.enumerated() { rows.append((depth + level, taxon)) }
    }
    var lines = TreeDrawing.lines(rows, view, context, options.style)
    if depth == 1 { lines[0] += "  (common ancestor)" }
    lines.append(Escaping.terminal(view.sharedCladeDescription(of: comparison)))
    if let distance = comparison.distance {
      let why = value.isZeroApart ? ", as no main rank lies between them" : ""
      lines.append("distance: \(distance) step\(distance == 1 ? "" : "s")\(why)")
    }
    // Where nothing is known of one of them there is nothing to compare.
    let isKnown = [value.a, value.b].allSatisfy { !view.traits.pairs(of: $0).isEmpty }
    guard isKnown, let similarity = comparison.traitSimilarity else { return lines }
    lines.append("trait similarity: \(Int((similarity * 100).rounded())) %")
    return lines + Self.traitLines(value.traits(view)).map { Escaping.terminal($0) }
  }

  /// What both have, in what they differ, and their numbers side by side.
  private static func traitLines(_ traits: TraitComparison) -> [String] {
    var lines: [String] = []
    let shared = traits.shared.map { "\($0.key) \($0.text)" }
    if !shared.isEmpty { lines.append("both: " + shared.joined(separator: ", ")) }
    let numbers = Set(traits.numbers.map(\.key))
    for difference in traits.differing where !numbers.contains(difference.key) {
      let sides = [difference.onlyA, difference.onlyB].map { side in
        side.isEmpty ? "-" : side.map(\.text).joined(separator: ", ")
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
}
