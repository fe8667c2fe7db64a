import ArgumentParser
import STOLPack

/// Resolves the members of a set.
private func resolveAll(
  _ input: [String], _ view: borrowing PackView, _ filter: SearchFilter, atLeast least: Int = 2
) -> Result<([TaxonOrdinal], AnswerStatus), BatchFailure> {
  guard input.count >= least else { return .failure(BatchFailure(status: .invalid)) }
  var taxa: [TaxonOrdinal] = []
  var status = AnswerStatus.exact
  for text in input {
    switch view.batchTaxon(text, filter) {
    case .failure(let failure): return .failure(failure)
    case .success(let (taxon, one)):
      taxa.append(taxon)
      if one == .merged { status = .merged }
    }
  }
  return .success((taxa, status))
}

extension Query {
  /// Prints the answer to one set as an indented object.
  fileprivate func presentJSON(
    _ input: [String], _ view: borrowing PackView, _ filter: SearchFilter
  ) throws {
    let answer = answer(input, view, QueryContext(filter: filter, isStructured: true))
    var output = ByteOutput()
    try output.write(Self.object(input, answer).indentedText + "\n")
    try output.flush()
    guard answer.hasCommonAncestor else { throw CommandFailure.noCommonAncestor }
  }
}

extension CommandFailure {
  fileprivate static var noCommonAncestor: CommandFailure {
    CommandFailure(nothingFound, "no common ancestor: the taxa are in different trees")
  }
}

/// The command `stol query lca`.
struct LCACommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "lca", abstract: "Find the lowest common ancestor of taxa.",
    discussion: """
      In a batch, one set a line, members separated by tabs. Taxa of different trees have none.

        stol query lca "Panthera leo" "Canis lupus" "Homo sapiens"
        stol query lca - < pairs.tsv
      """)

  static let columns = ["id", "rank", "scientificName", "distance"]
  static let takesSets = true
  @Argument(help: "Two or more ids or names, or - for many sets.") var taxa: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { taxa }

  func answer(
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    switch resolveAll(input, view, context.filter, atLeast: 1) {
    case .failure(let failure): return .failed(failure.status)
    case .success(let (taxa, status)):
      guard let ancestor = view.tree.lowestCommonAncestor(taxa) else {
        return Answer(
          status: status, members: [("lca", .null), ("distance", .null)], hasCommonAncestor: false)
      }
      let distance = taxa.count == 2 ? view.tree.distance(taxa[0], taxa[1]) : nil
      return Answer(
        status: status,
        cells: [
          .integer(view.ids[ancestor].rawValue),
          .text(view.taxa.ranks[view.taxa.rank(of: ancestor)]),
          .text(view.names.scientificName(of: ancestor)), Cell(distance),
        ],
        members: !context.isStructured
          ? []
          : [
            ("lca", Schema.json(view.taxon(ancestor))), ("distance", JSON(distance)),
            ("lineage", Schema.lineage(ancestor, view)),
          ])
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    var resolved: [TaxonOrdinal] = []
    for text in taxa { resolved.append(try TaxonArgument(text).resolve(view, filter)) }
    if options.json {
      try presentJSON(taxa, view, filter)
      return
    }
    guard let ancestor = view.tree.lowestCommonAncestor(resolved) else {
      throw CommandFailure.noCommonAncestor
    }
    var writer = rowWriter(columns: TaxonList.columns)
    try writer.write(TaxonList.cells(ancestor, view, options.lang))
    try writer.finish()
  }
}

/// The command `stol query distance`.
struct DistanceCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "distance", abstract: "Count the edges between two taxa.",
    discussion: """
        stol query distance lion tiger
        stol query distance - < pairs.tsv
      """)

  static let columns = ["distance", "lcaID", "lca"]
  static let takesSets = true
  @Argument(help: "Two ids or names, or - for many pairs.") var taxa: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { taxa }

  func validate() throws { try requirePair(taxa, options) }

  func answer(
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    guard input.count == 2 else { return .failed(.invalid) }
    switch resolveAll(input, view, context.filter) {
    case .failure(let failure): return .failed(failure.status)
    case .success(let (taxa, status)):
      guard let ancestor = view.tree.lowestCommonAncestor(taxa) else {
        return Answer(
          status: status, members: [("distance", .null), ("lca", .null)], hasCommonAncestor: false)
      }
      let distance = view.tree.distance(taxa[0], taxa[1])
      return Answer(
        status: status,
        cells: [
          Cell(distance), .integer(view.ids[ancestor].rawValue),
          .text(view.names.scientificName(of: ancestor)),
        ],
        members: !context.isStructured
          ? [] : [("distance", JSON(distance)), ("lca", Schema.json(view.taxon(ancestor)))])
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    for text in taxa { _ = try TaxonArgument(text).resolve(view, filter) }
    if options.json {
      try presentJSON(taxa, view, filter)
      return
    }
    let answer = answer(taxa, view, QueryContext(filter: filter, isStructured: false))
    guard answer.hasCommonAncestor else { throw CommandFailure.noCommonAncestor }
    var writer = rowWriter(columns: Self.columns)
    try writer.write(answer.cells)
    try writer.finish()
  }
}

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

  func answer(
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    guard input.count == 2 else { return .failed(.invalid) }
    switch resolveAll(input, view, context.filter) {
    case .failure(let failure): return .failed(failure.status)
    case .success(let (taxa, status)):
      let comparison = view.compare(taxa[0], taxa[1])
      let ancestor = comparison.commonAncestor
      return Answer(
        status: status,
        cells: [
          Cell(comparison.distance), ancestor.map { .integer(view.ids[$0].rawValue) } ?? .none,
          ancestor.map { .text(view.names.scientificName(of: $0)) } ?? .none,
          comparison.traitSimilarity.map { .number($0) } ?? .none,
        ],
        members: context.isStructured ? Self.members(taxa[0], taxa[1], comparison, view) : [],
        hasCommonAncestor: ancestor != nil)
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    let a = try TaxonArgument(taxa[0]).resolve(view, filter)
    let b = try TaxonArgument(taxa[1]).resolve(view, filter)
    let comparison = view.compare(a, b)
    switch options.format {
    case .table:
      var output = ByteOutput()
      for line in drawing(comparison, view) { try output.write(line + "\n") }
      try output.flush()
    case .json:
      var output = ByteOutput()
      try output.write(JSON.object(Self.members(a, b, comparison, view)).indentedText + "\n")
      try output.flush()
    default:
      var writer = rowWriter(columns: Self.columns)
      try writer.write(answer(taxa, view, QueryContext(filter: filter, isStructured: false)).cells)
      try writer.finish()
    }
    if comparison.commonAncestor == nil {
      throw CommandFailure.noCommonAncestor
    }
  }

  /// The lineage down to the fork, the two branches below it, and what the taxa share.
  private func drawing(_ comparison: Comparison, _ view: borrowing PackView) -> [String] {
    var rows: [TreeDrawing.Row] = []
    var depth = 0
    if let ancestor = comparison.commonAncestor {
      rows.append((0, label(ancestor, view) + "  (common ancestor)"))
      depth = 1
    }
    for path in [comparison.pathFromA, comparison.pathFromB] {
      let branch = path.reversed().drop { $0 == comparison.commonAncestor }
      for (level, taxon) in branch.enumerated() { rows.append((depth + level, label(taxon, view))) }
    }
    var lines = TreeDrawing.lines(rows)
    if let distance = comparison.distance { lines.append("distance: \(distance) steps") }
    if let similarity = comparison.traitSimilarity {
      lines.append("trait similarity: \(Int((similarity * 100).rounded())) %")
    }
    let shared = comparison.sharedTraits.map { trait in
      Escaping.terminal("\(trait.key) \(trait.value)" + (trait.unit.map { " " + $0 } ?? ""))
    }
    if !shared.isEmpty { lines.append("both: " + shared.joined(separator: ", ")) }
    return lines
  }

  private func label(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> String {
    TaxonList.label(taxon, view, options.lang, options.style)
  }

  private static func members(
    _ a: TaxonOrdinal, _ b: TaxonOrdinal, _ comparison: Comparison, _ view: borrowing PackView
  ) -> [(String, JSON)] {
    func path(_ taxa: [TaxonOrdinal], _ view: borrowing PackView) -> JSON {
      .array(taxa.map { Schema.json(view.taxon($0)) })
    }
    return [
      ("taxonA", Schema.json(view.taxon(a))), ("taxonB", Schema.json(view.taxon(b))),
      ("lca", comparison.commonAncestor.map { Schema.json(view.taxon($0)) } ?? .null),
      ("pathFromA", path(comparison.pathFromA, view)),
      ("pathFromB", path(comparison.pathFromB, view)),
      ("taxonomicDistance", JSON(comparison.distance)),
      ("sharedCladeDescription", JSON(sharedClade(comparison, view))),
      ("sharedTraits", .array(comparison.sharedTraits.map { Schema.json($0) })),
      ("traitSimilarity", comparison.traitSimilarity.map { .number($0) } ?? .null),
    ]
  }

  private static func sharedClade(_ comparison: Comparison, _ view: borrowing PackView) -> String? {
    comparison.commonAncestor.map {
      "Both are in \(view.taxa.ranks[view.taxa.rank(of: $0)]) \(view.names.scientificName(of: $0))"
    }
  }
}

/// Refuses any number of arguments but two, none, or one that is a batch.
private func requirePair(_ taxa: [String], _ options: QueryOptions) throws {
  let isBatch = try BatchSource(arguments: taxa, input: options.input) != nil
  guard taxa.count == 2 || taxa.isEmpty || isBatch else {
    throw ValidationError("needs two taxa, got \(taxa.count); quote names with spaces")
  }
}
