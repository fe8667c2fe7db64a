import ArgumentParser
import STOLPack

/// Resolves the members of a set into `context.taxa`.
private func resolveAll(
  _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
) -> AnswerStatus {
  var status = AnswerStatus.exact
  context.taxa.removeAll(keepingCapacity: true)
  input.forEachMember { text in
    switch view.batchTaxon(text, context.filter) {
    case .failure(let failure): status = failure.status
    case .success(let (taxon, one)):
      context.taxa.append(taxon)
      if one == .merged { status = .merged }
      return true
    }
    return false
  }
  return status
}

extension Query {
  /// The answer about the taxa of a set; `find` tells what to say about them.
  func answerSet(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext,
    _ find: ([TaxonOrdinal]) -> (Finding, hasCommonAncestor: Bool)
  ) -> Answer<Finding> {
    let status = resolveAll(input, view, &context)
    guard status == .exact || status == .merged else { return .failed(status) }
    let (finding, hasCommonAncestor) = find(context.taxa)
    return Answer(status: status, finding: finding, hasCommonAncestor: hasCommonAncestor)
  }

  /// Prints the answer to the arguments as an indented object.
  fileprivate func presentJSON(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let answer = try answerArguments(opened, filter, RowWriter(.document))
    guard answer.hasCommonAncestor else { throw CommandFailure.noCommonAncestor }
  }
}

/// The lowest common ancestor of the taxa of a set, and the distance of two.
struct CommonAncestor {
  let taxon: TaxonOrdinal?
  let distance: Int?

  init(of taxa: [TaxonOrdinal], _ view: borrowing PackView) {
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

extension CommandFailure {
  static var noCommonAncestor: CommandFailure {
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
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<CommonAncestor> {
    answerSet(input, view, &context) { taxa in
      let ancestor = CommonAncestor(of: taxa, view)
      return (ancestor, ancestor.taxon != nil)
    }
  }

  func writeCells(
    _ ancestor: CommonAncestor, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    guard let taxon = ancestor.taxon else { return }
    Schema.writeHead(of: taxon, view, to: &writer)
    writer.number("distance", ancestor.distance)
  }

  func writeMembers(
    _ ancestor: CommonAncestor, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    guard let taxon = ancestor.taxon else {
      writer.null("lca")
      writer.null("distance")
      return
    }
    Schema.write("lca", taxon, view, to: &writer)
    writer.number("distance", ancestor.distance)
    Schema.writeLineage(of: taxon, view, to: &writer)
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    var resolved: [TaxonOrdinal] = []
    for text in taxa { resolved.append(try TaxonArgument(text).resolve(view, filter)) }
    if options.json {
      try presentJSON(opened, filter)
      return
    }
    guard let ancestor = view.tree.lowestCommonAncestor(resolved) else {
      throw CommandFailure.noCommonAncestor
    }
    var writer = rowWriter(columns: TaxonList.columns)
    try TaxonList.writeRow(ancestor, view, options.preferredLanguages(view), to: &writer)
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
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<CommonAncestor> {
    guard input.memberCount == 2 else { return .failed(.invalid) }
    return answerSet(input, view, &context) { taxa in
      let ancestor = CommonAncestor(of: taxa, view)
      return (ancestor, ancestor.taxon != nil)
    }
  }

  func writeCells(
    _ ancestor: CommonAncestor, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    guard let taxon = ancestor.taxon else { return }
    writer.number("distance", ancestor.distance)
    writer.number("lcaID", view.ids[taxon])
    writer.text("lca", taxon, view)
  }

  func writeMembers(
    _ ancestor: CommonAncestor, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.number("distance", ancestor.distance)
    if let taxon = ancestor.taxon {
      Schema.write("lca", taxon, view, to: &writer)
    } else {
      writer.null("lca")
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    for text in taxa { _ = try TaxonArgument(text).resolve(view, filter) }
    if options.json {
      try presentJSON(opened, filter)
      return
    }
    var context = QueryContext(filter, isStructured: false)
    let answer = answer(QueryInput(arguments: taxa), view, &context)
    guard answer.hasCommonAncestor, let finding = answer.finding else {
      throw CommandFailure.noCommonAncestor
    }
    var writer = rowWriter(columns: Self.columns)
    writer.beginRow()
    writeCells(finding, view, to: &writer)
    try writer.endRow()
    try writer.finish()
  }
}

/// Refuses any number of arguments but two, none, or one that is a batch.
func requirePair(_ taxa: [String], _ options: QueryOptions) throws {
  let isBatch = try BatchSource(arguments: taxa, input: options.input) != nil
  guard taxa.count == 2 || taxa.isEmpty || isBatch else {
    throw ValidationError("needs two taxa, got \(taxa.count); quote names with spaces")
  }
}
