import STOLSystem
import ArgumentParser
import STOLPack

/// The command `stol query children`.
struct ChildrenCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "children", abstract: "List the children of a taxon; without one, the roots.",
    discussion: """
        stol query children Panthera
        stol query children Mammalia --json
      """)

  static let columns = ["id", "rank", "scientificName", "childCount", "childIDs"]
  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  /// Without arguments the roots are shown, as the children of nothing.
  var arguments: [String] { words.isEmpty && options.input == nil ? [""] : words }

  /// The taxon and its children.
  struct Finding {
    let taxon: TaxonOrdinal
    let children: [TaxonOrdinal]
  }

  func answer(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<Finding> {
    answerTaxon(input, view, SearchFilter()) { taxon in
      let children = view.tree.children(of: taxon).filter { view.passes($0, context.filter) }
      return Finding(taxon: taxon, children: children)
    }
  }

  func writeCells(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    Schema.writeHead(of: finding.taxon, view, to: &writer)
    writer.number("childCount", finding.children.count)
    Schema.writeIDs("childIDs", of: finding.children, view, to: &writer)
  }

  func writeMembers(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    Schema.write("results", finding.children, view, to: &writer)
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    let all =
      text.isEmpty
      ? view.tree.roots
      : view.tree.children(of: try TaxonArgument(text).resolve(view, SearchFilter()))
    let children = all.filter { view.passes($0, filter) }
    let languages = options.preferredLanguages(view)
    var writer = rowWriter(columns: TaxonList.columns)
    for child in children.prefix(options.limit ?? .max) {
      if options.json {
        writer.beginRow()
        Schema.writeFields(of: child, view, to: &writer)
        try writer.endRow()
      } else {
        try TaxonList.writeRow(child, view, languages, to: &writer)
      }
    }
    try writer.finish()
    if children.isEmpty {
      throw CommandFailure(
        CommandFailure.nothingFound,
        "no children: \"\(Escaping.terminal(text))\" is a leaf, or the filters leave none")
    }
  }
}

/// The command `stol query subtree`.
struct SubtreeCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "subtree", abstract: "Show a taxon and all below it.",
    discussion: """
      With --rank, only taxa down to that rank are shown; several taxa give the smallest tree that \
      connects them.

        stol query subtree Felidae --rank genus
        stol query subtree Felidae --newick
        stol query subtree "Panthera leo" "Panthera tigris" "Canis lupus"
      """)

  static let columns = ["id", "rank", "scientificName", "taxonCount", "speciesCount"]
  @Argument(help: "Ids or names, or - for many.") var words: [String] = []
  @Flag(help: "Print the tree in Newick format.") var newick = false
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  private static let defaultLimit = 200

  /// The taxon and how many are below it, itself included.
  struct Finding {
    let taxon: TaxonOrdinal
    let taxonCount: Int
    let speciesCount: Int
  }

  func answer(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<Finding> {
    answerTaxon(input, view, SearchFilter()) { taxon in
      let clade = view.tree.subtree(of: taxon)
      let species = view.taxa.ranks.row(of: "species")
      var speciesCount = 0
      for index in clade
      where view.taxa.rank(of: TaxonOrdinal(rawValue: UInt32(index))) == species {
        speciesCount += 1
      }
      return Finding(taxon: taxon, taxonCount: clade.count, speciesCount: speciesCount)
    }
  }

  func writeCells(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    Schema.writeHead(of: finding.taxon, view, to: &writer)
    writer.number("taxonCount", finding.taxonCount)
    writer.number("speciesCount", finding.speciesCount)
  }

  func writeMembers(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    writer.number("taxonCount", finding.taxonCount)
    writer.number("speciesCount", finding.speciesCount)
    Schema.write("results", [finding.taxon], view, to: &writer)
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    var nameFilter = filter
    nameFilter.rank = nil
    var roots: [TaxonOrdinal] = []
    for word in words { roots.append(try TaxonArgument(word).resolve(view, nameFilter)) }
    let rank = filter.rank ?? .max
    if newick {
      try writeNewick(roots, view, rank)
      return
    }
    let taxa: [TaxonOrdinal]
    if roots.count == 1 {
      taxa = view.tree.subtree(of: roots[0]).map { TaxonOrdinal(rawValue: UInt32($0)) }
        .filter { view.taxa.rank(of: $0) <= rank || $0 == roots[0] }
    } else {
      taxa = view.tree.inducedSubtree(roots).nodes.map(\.taxon)
    }
    let limit = options.limit ?? (options.format == .table ? Self.defaultLimit : .max)
    let shown = Array(taxa.prefix(limit))
    if options.format == .table {
      if roots.count == 1 {
        try TreeOutput.draw(shown, from: roots[0], view, options)
      } else {
        try drawInduced(view.tree.inducedSubtree(roots), view)
      }
    } else {
      try writeTaxa(shown, view)
    }
    if taxa.count > limit, !options.quiet {
      writeStandardError("\(taxa.count - limit) more taxa; see --limit and --rank\n")
    }
  }

  private func drawInduced(_ tree: InducedSubtree, _ view: borrowing PackView) throws {
    let languages = options.preferredLanguages(view)
    var depths: [Int] = []
    var rows: [TreeDrawing.Row] = []
    for node in tree.nodes {
      let depth = node.parent.map { depths[$0] + 1 } ?? 0
      depths.append(depth)
      rows.append((depth, TaxonList.label(node.taxon, view, languages, options.style)))
    }
    var output = ByteOutput()
    for line in TreeDrawing.lines(rows) { try output.write(line + "\n") }
    try output.flush()
  }

  private func writeNewick(
    _ roots: [TaxonOrdinal], _ view: borrowing PackView, _ rank: Int
  ) throws {
    var output = ByteOutput()
    if roots.count == 1 {
      let text = view.newick(of: roots[0]) { view.taxa.rank(of: $0) <= rank }
      try output.write(Escaping.terminal(text) + "\n")
    } else {
      let trees = view.newick(of: view.tree.inducedSubtree(roots)).split(separator: "\n")
      for tree in trees { try output.write(Escaping.terminal(String(tree)) + "\n") }
    }
    try output.flush()
  }
}

/// The command `stol query relatives`.
struct RelativesCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "relatives", abstract: "List the closest relatives of a taxon, of its own rank.",
    discussion: """
        stol query relatives "Panthera leo"
        stol query relatives lion --limit 3 --json
      """)

  static let columns = ["id", "rank", "scientificName", "relativeIDs"]
  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  private static let defaultLimit = 10
  private static let rowColumns = [
    "rankOrder", "id", "scientificName", "commonName", "distance", "lcaID", "lca", "lcaRank",
  ]

  /// The taxon and its relatives.
  struct Finding {
    let taxon: TaxonOrdinal
    let relatives: [Relative]
  }

  func answer(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<Finding> {
    answerTaxon(input, view, context.filter) { taxon in
      let limit = options.limit ?? Self.defaultLimit
      return Finding(taxon: taxon, relatives: view.relatives(of: taxon, limit: limit))
    }
  }

  func writeCells(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    Schema.writeHead(of: finding.taxon, view, to: &writer)
    Schema.writeIDs("relativeIDs", of: finding.relatives.map(\.taxon), view, to: &writer)
  }

  func writeMembers(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    Self.write("relatives", finding.relatives, view, to: &writer)
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    let taxon = try TaxonArgument(text).resolve(view, filter)
    let relatives = view.relatives(of: taxon, limit: options.limit ?? Self.defaultLimit)
    if options.json {
      var writer = RowWriter(.document)
      Self.write(nil, relatives, view, to: &writer)
      try writer.finish()
    } else {
      let languages = options.preferredLanguages(view)
      var writer = rowWriter(columns: Self.rowColumns)
      for (order, relative) in relatives.enumerated() {
        writer.beginRow()
        writer.number("rankOrder", order + 1)
        writer.number("id", view.ids[relative.taxon])
        writer.text("scientificName", relative.taxon, view)
        writer.text("commonName", TaxonList.commonName(relative.taxon, view, languages))
        writer.number("distance", relative.distance)
        writer.number("lcaID", view.ids[relative.commonAncestor])
        writer.text("lca", relative.commonAncestor, view)
        writer.text("lcaRank", view.taxa.ranks[view.taxa.rank(of: relative.commonAncestor)])
        try writer.endRow()
      }
      try writer.finish()
    }
    if relatives.isEmpty {
      throw CommandFailure(
        CommandFailure.nothingFound, "no relatives: no other taxon of this rank shares an ancestor")
    }
  }

  private static func write(
    _ name: String?, _ relatives: [Relative], _ view: borrowing PackView,
    to writer: inout RowWriter
  ) {
    writer.array(name) { writer in
      for (order, relative) in relatives.enumerated() {
        writer.object { writer in
          writer.number("id", view.ids[relative.taxon])
          Schema.write("taxon", relative.taxon, view, to: &writer)
          writer.number("rankOrder", order + 1)
          Schema.write("lca", relative.commonAncestor, view, to: &writer)
          writer.number("lcaDepth", view.tree.depth(of: relative.commonAncestor))
          writer.number("distance", relative.distance)
        }
      }
    }
  }
}
