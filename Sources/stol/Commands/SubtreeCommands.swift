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

  func answer(
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    switch view.batchTaxon(input.first ?? "", SearchFilter()) {
    case .failure(let failure): return .failed(failure.status)
    case .success(let (taxon, status)):
      let children = view.tree.children(of: taxon).filter {
        view.passes($0, context.filter)
      }
      let ids = children.map { String(view.ids[$0].rawValue) }
      return Answer(
        status: status,
        cells: [
          .integer(view.ids[taxon].rawValue), .text(view.taxa.ranks[view.taxa.rank(of: taxon)]),
          .text(view.names.scientificName(of: taxon)), Cell(children.count),
          .text(ids.joined(separator: ";")),
        ],
        members: !context.isStructured
          ? [] : [("results", .array(children.map { Schema.json(view.taxon($0)) }))])
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    let all =
      text.isEmpty
      ? view.tree.roots
      : view.tree.children(of: try TaxonArgument(text).resolve(view, SearchFilter()))
    let children = all.filter { view.passes($0, filter) }
    var writer = rowWriter(columns: TaxonList.columns)
    for child in children.prefix(options.limit ?? .max) {
      if options.json {
        try writer.write(Schema.json(view.taxon(child)))
      } else {
        try writer.write(TaxonList.cells(child, view, options.lang))
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

  func answer(
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    switch view.batchTaxon(input.first ?? "", SearchFilter()) {
    case .failure(let failure): return .failed(failure.status)
    case .success(let (taxon, status)):
      let clade = view.tree.subtree(of: taxon)
      let species = view.taxa.ranks.row(of: "species")
      var speciesCount = 0
      for index in clade
      where view.taxa.rank(of: TaxonOrdinal(rawValue: UInt32(index))) == species {
        speciesCount += 1
      }
      return Answer(
        status: status,
        cells: [
          .integer(view.ids[taxon].rawValue), .text(view.taxa.ranks[view.taxa.rank(of: taxon)]),
          .text(view.names.scientificName(of: taxon)), Cell(clade.count), Cell(speciesCount),
        ],
        members: !context.isStructured
          ? []
          : [
            ("taxonCount", JSON(clade.count)), ("speciesCount", JSON(speciesCount)),
            ("results", .array([Schema.json(view.taxon(taxon))])),
          ])
    }
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
    var depths: [Int] = []
    var rows: [TreeDrawing.Row] = []
    for node in tree.nodes {
      let depth = node.parent.map { depths[$0] + 1 } ?? 0
      depths.append(depth)
      rows.append((depth, TaxonList.label(node.taxon, view, options.lang, options.style)))
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

  func answer(
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    switch view.batchTaxon(input.first ?? "", context.filter) {
    case .failure(let failure): return .failed(failure.status)
    case .success(let (taxon, status)):
      let relatives = view.relatives(of: taxon, limit: options.limit ?? Self.defaultLimit)
      let ids = relatives.map { String(view.ids[$0.taxon].rawValue) }
      return Answer(
        status: status,
        cells: [
          .integer(view.ids[taxon].rawValue), .text(view.taxa.ranks[view.taxa.rank(of: taxon)]),
          .text(view.names.scientificName(of: taxon)), .text(ids.joined(separator: ";")),
        ],
        members: !context.isStructured ? [] : [("relatives", Self.json(relatives, view))])
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    let taxon = try TaxonArgument(text).resolve(view, filter)
    let relatives = view.relatives(of: taxon, limit: options.limit ?? Self.defaultLimit)
    if options.json {
      var output = ByteOutput()
      try output.write(Self.json(relatives, view).indentedText + "\n")
      try output.flush()
    } else {
      var writer = rowWriter(columns: Self.rowColumns)
      for (order, relative) in relatives.enumerated() {
        try writer.write([
          Cell(order + 1), .integer(view.ids[relative.taxon].rawValue),
          .text(view.names.scientificName(of: relative.taxon)),
          Cell(TaxonList.commonName(relative.taxon, view, options.lang)), Cell(relative.distance),
          .integer(view.ids[relative.commonAncestor].rawValue),
          .text(view.names.scientificName(of: relative.commonAncestor)),
          .text(view.taxa.ranks[view.taxa.rank(of: relative.commonAncestor)]),
        ])
      }
      try writer.finish()
    }
    if relatives.isEmpty {
      throw CommandFailure(
        CommandFailure.nothingFound, "no relatives: no other taxon of this rank shares an ancestor")
    }
  }

  private static func json(_ relatives: [Relative], _ view: borrowing PackView) -> JSON {
    var values: [JSON] = []
    for (order, relative) in relatives.enumerated() {
      values.append(
        .object([
          ("id", .integer(view.ids[relative.taxon].rawValue)),
          ("taxon", Schema.json(view.taxon(relative.taxon))), ("rankOrder", JSON(order + 1)),
          ("lca", Schema.json(view.taxon(relative.commonAncestor))),
          ("lcaDepth", JSON(view.tree.depth(of: relative.commonAncestor))),
          ("distance", JSON(relative.distance)),
        ]))
    }
    return .array(values)
  }
}
