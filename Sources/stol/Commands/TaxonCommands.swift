import ArgumentParser
import STOLAnswers
import STOLPack
import STOLSystem

/// A query whose answer is a list of taxa.
protocol TaxonListQuery: Query where Asked.Value == TaxonList {}

extension TaxonListQuery {
  static var shownColumns: [String]? {
    ["id", "rank", "scientificName", "commonName", "conservationStatus", "taxonCount"]
  }

  func omittedCount(_ value: TaxonList) -> Int { value.omittedCount }
}

/// The command `stol query show`.
struct ShowCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything about a taxon.",
    discussion: """
      References come from the database that lies beside the pack.

        stol query show "Panthera leo"
        stol query show 9689 --json
      """)

  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var question: ShowQuestion { ShowQuestion() }

  /// Without JSON, a line for each field of the taxon and each fact about it.
  func ask(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    guard !options.format.isStructured else { return try askForRows(opened, filter) }
    let view = opened.pack.view
    var context = try context(opened, filter, options.format)
    var record = RowWriter(.table, columns: ShowQuestion.columns)
    let answer = try question.ask(QuestionInput(arguments: members), view, &context, &record)
    guard let value = answer.value else { throw try failure(answer, view, filter) }
    let fields = zip(ShowQuestion.columns, record.rows[0].cells).map { ($0, $1.text) }
    let rows =
      fields.filter { !$0.1.isEmpty } + ShowQuestion.facts(value, view, context.languages)
    guard options.format == .table else {
      var writer = RowWriter(
        options.format, columns: ["field", "value"], header: !options.noHeader)
      for (field, text) in rows {
        try writer.row { writer in
          writer.text("field", field)
          writer.text("value", text)
        }
      }
      return try writer.finish()
    }
    let width = rows.map(\.0.columnCount).max() ?? 0
    try writeLines(
      rows.map { options.style.dim($0.padded(to: width)) + "  " + Escaping.terminal($1) })
  }
}

/// The command `stol query lineage`.
struct LineageCommand: TaxonListQuery {
  static let configuration = CommandConfiguration(
    commandName: "lineage", abstract: "Show the way from the root to a taxon.",
    discussion: """
        stol query lineage "Panthera leo"
        stol query lineage - --jsonl < ids.txt
      """)

  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var question: LineageQuestion { LineageQuestion() }

  func drawing(
    of value: TaxonList, _ view: borrowing PackView, _ context: borrowing QuestionContext
  ) -> [String]? {
    TreeDrawing.lines(value.taxa.enumerated().map { ($0, $1) }, view, context, options.style)
  }
}

/// The command `stol query children`.
struct ChildrenCommand: TaxonListQuery {
  static let configuration = CommandConfiguration(
    commandName: "children", abstract: "List the children of a taxon; without one, the roots.",
    discussion: """
        stol query children Panthera
        stol query children Mammalia --json
      """)

  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  /// Without arguments the roots are shown, as the children of nothing.
  var arguments: [String] { words.isEmpty && options.input == nil ? [""] : words }
  var question: ChildrenQuestion { ChildrenQuestion() }

  func failure(
    _ answer: Answer<TaxonList>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    if !text.isEmpty { _ = try view.taxon(named: text) }
    return CommandFailure(
      .notFound,
      "no children: \"\(Escaping.terminal(text))\" is a leaf, or the filters leave none")
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

  @Argument(help: "Ids or names, or - for many.") var words: [String] = []
  @Flag(help: "Print the tree in Newick format.") var newick = false
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var question: SubtreeQuestion { SubtreeQuestion() }
  var defaultLimit: Int? { options.format == .table ? 200 : nil }

  func omittedCount(_ value: SubtreeQuestion.Value) -> Int { value.omittedCount }

  func drawing(
    of value: SubtreeQuestion.Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext
  ) -> [String]? {
    TreeDrawing.lines(value.nodes.map { ($0.depth, $0.taxon) }, view, context, options.style)
  }

  func failure(
    _ answer: Answer<SubtreeQuestion.Value>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    var filter = filter
    filter.rank = nil
    for word in words { _ = try view.taxon(named: word, filter) }
    return CommandFailure(.notFound, "nothing found")
  }

  func ask(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    guard newick else { return try askForRows(opened, filter) }
    try writeLines(
      SubtreeQuestion.newick(words, opened.pack.view, filter).map { Escaping.terminal($0) })
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

  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var question: RelativesQuestion { RelativesQuestion() }
  var defaultLimit: Int? { 10 }
  static var shownColumns: [String]? { RelativesQuestion.columns.dropLast() }

  func failure(
    _ answer: Answer<[Relative<TaxonOrdinal>]>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    _ = try view.taxon(named: text, filter)
    return CommandFailure(
      .notFound, "no relatives: no other taxon of this rank shares an ancestor")
  }
}
