import STOLAnswers
import STOLPack
import STOLSystem

/// Draws trees with box-drawing characters.
struct TreeDrawing {
  /// A label and how deep it stands below the root of the drawing.
  typealias Row = (depth: Int, label: String)

  /// One line a taxon: name, rank, common name; taxa come in preorder, each with its depth.
  static func lines(
    _ taxa: [(depth: Int, taxon: TaxonOrdinal)], _ view: borrowing PackView,
    _ context: borrowing QuestionContext, _ style: TextStyle
  ) -> [String] {
    var rows: [Row] = []
    for (depth, taxon) in taxa {
      let label = Schema.label(taxon, view, context.languages)
      let common = label.common.map { "  " + Escaping.terminal($0) } ?? ""
      rows.append(
        (depth, "\(style.bold(Escaping.terminal(label.name)))  \(style.dim(label.rank))\(common)"))
    }
    return lines(rows)
  }

  /// One line a row; rows come in preorder.
  static func lines(_ rows: [Row]) -> [String] {
    var lines: [String] = []
    // Whether the branch at each depth goes on below the current row.
    var goesOn: [Bool] = []
    let isLast = lastSiblings(rows)
    for (index, row) in rows.enumerated() {
      goesOn = Array(goesOn.prefix(row.depth))
      var line = ""
      for depth in 1..<max(1, row.depth) { line += goesOn[depth] ? "│  " : "   " }
      if row.depth > 0 { line += isLast[index] ? "└─ " : "├─ " }
      lines.append(line + row.label)
      goesOn.append(!isLast[index])
    }
    return lines
  }

  /// Whether no row of the same depth follows before a shallower one.
  private static func lastSiblings(_ rows: [Row]) -> [Bool] {
    var result = [Bool](repeating: true, count: rows.count)
    var seen: [Bool] = []
    for (index, row) in rows.enumerated().reversed() {
      while seen.count <= row.depth { seen.append(false) }
      result[index] = !seen[row.depth]
      seen[row.depth] = true
      seen.removeLast(seen.count - row.depth - 1)
    }
    return result
  }
}
