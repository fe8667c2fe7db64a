package import STOLPack
package import STOLSystem

/// A column that holds the ancestor of a rank, or the taxon itself.
package struct RankColumn: Sendable {
  /// The name of the column: the word of the rank.
  package let name: String
  /// The rows of the rank table that are meant.
  private let rows: Set<RankRow>

  private init(_ name: String, _ rows: Set<RankRow>) {
    self.name = name
    self.rows = rows
  }

  /// The columns that a list of words with commas between them asks for.
  ///
  /// "main" stands for the eight main ranks, "all" for all ranks of the pack. A main rank is also what
  /// the source calls otherwise, as a superkingdom is a domain.
  ///
  /// - Throws: `UnknownRank` for a rank that no taxon has.
  package static func columns(
    _ list: String, _ ranks: borrowing RankTable
  ) throws(UnknownRank) -> [RankColumn] {
    let words: [String] =
      switch list {
      case "main": MainRank.allCases.map(\.name)
      case "all": ranks.all.map(\.rawValue)
      default: list.split(separator: ",").map { String($0.drop { $0 == " " }).lowercased() }
      }
    var columns: [RankColumn] = []
    for word in words where !columns.contains(where: { $0.name == word }) {
      let rows = ranks.rows(named: word)
      guard !rows.isEmpty || MainRank(rank: TaxonRank(rawValue: word)) != nil else {
        throw UnknownRank(word: word, known: ranks.all.map(\.rawValue))
      }
      columns.append(RankColumn(word, Set(rows)))
    }
    return columns
  }

  /// Whether the rank of a taxon is that of the column.
  func contains(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> Bool {
    rows.contains(view.taxa.rank(of: taxon))
  }

  /// Writes a column for each rank, in JSON as members of `ranks`; empty where no ancestor has it.
  ///
  /// - Complexity: O(depth) for each column.
  static func write(
    _ columns: [RankColumn], of taxon: TaxonOrdinal, _ view: borrowing PackView,
    to writer: inout RowWriter
  ) {
    guard !columns.isEmpty else { return }
    guard !writer.format.isStructured else {
      return writer.object("ranks") { writer in
        for column in columns { column.write(of: taxon, view, to: &writer) }
      }
    }
    writer.skip(to: columns[0].name)
    for column in columns { column.write(of: taxon, view, to: &writer) }
  }

  private func write(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    if let found = ancestor(of: taxon, view) {
      writer.text(name, found, view)
    } else {
      writer.null(name)
    }
  }

  /// The taxon itself or the ancestor that the column is for; nil where there is none.
  ///
  /// - Complexity: O(depth)
  func ancestor(of taxon: TaxonOrdinal, _ view: borrowing PackView) -> TaxonOrdinal? {
    var next: TaxonOrdinal? = taxon
    while let ancestor = next, !contains(ancestor, view) { next = view.tree.parent(of: ancestor) }
    return next
  }
}

/// A rank that no taxon of a pack has.
package struct UnknownRank: StolError {
  let word: String
  let known: [String]
  /// What it should be.
  var what = "rank"

  package var kind: ErrorKind { .usage }
  package var description: String {
    "unknown \(what) \"\(Escaping.terminal(word))\""
      + NearestWord.suggestion(for: word, among: known)
      + "; one of: " + known.joined(separator: ", ")
  }
}
