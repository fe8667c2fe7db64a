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

  func omission(_ value: TaxonList) -> String { moreTaxa(value.omittedCount) }
}

/// How many taxa the limit left out, in words.
func moreTaxa(_ count: Int) -> String { "\(count) more taxa; see --limit and --rank" }

/// The command `stol query show`.
struct ShowCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything about a taxon.",
    discussion: """
      References come from the database that lies beside the pack. --rank, --within and the other \
      filters choose among the taxa that a name stands for.

        stol query show "Panthera leo"
        stol query show 9689 --json
        stol query show lion --explain
      """)

  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @Flag(help: "Say what the prominence is made of, by which what matches equally is ordered.")
  var explain = false
  @Option(help: .rank) var rank: String?
  @Option(help: .ranks) var ranks: String?
  @Option(name: .customLong("lang"), help: .language) var language: String?
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var question: ShowQuestion { ShowQuestion() }

  func validate() throws {
    if explain, options.format.isStructured {
      throw ValidationError("--explain is for people; it does nothing with --json and --jsonl")
    }
  }

  /// Without JSON, a line for each field of the taxon and each fact about it.
  func ask(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    guard !options.format.isStructured else { return try askForRows(opened, filter) }
    let view = opened.pack.view
    var context = try context(opened, filter, options.format)
    let columns = columns(context, isBatch: false)
    var record = RowWriter(.table, columns: columns)
    let answer = try question.ask(QuestionInput(arguments: members), view, &context, &record)
    guard let value = answer.value else { throw try failure(answer, view, filter) }
    say(answer.matches, view)
    let fields = zip(columns, record.rows[0].cells).map { ($0, $1.text) }
      .filter { !$0.1.isEmpty }
    var facts = ShowQuestion.facts(value, view, context.languages)
    if explain {
      facts.append(("prominence", Self.sentence(view.prominenceReasons(of: value.taxon))))
    }
    guard options.format == .table else {
      var writer = RowWriter(
        options.format, columns: ["field", "value"], header: !options.noHeader)
      for (field, text) in fields + facts {
        try writer.row { writer in
          writer.text("field", field)
          writer.text("value", text)
        }
      }
      return try writer.finish()
    }
    let rows = Self.citing(fields) + facts
    let width = rows.map(\.0.columnCount).max() ?? 0
    try writeLines(
      rows.map { options.style.dim($0.padded(to: width)) + "  " + Escaping.terminal($1) })
  }

  /// What a prominence is made of, in words.
  private static func sentence(_ reasons: ProminenceReasons) -> String {
    var parts: [String] = []
    if reasons.commonNameCount > 0 {
      parts.append(
        "\(counted(reasons.commonNameCount, "name")) in \(counted(reasons.languageCount, "language"))"
      )
    }
    if reasons.traitCount > 0 { parts.append(counted(reasons.traitCount, "trait")) }
    if reasons.hasConservationCode { parts.append("a conservation code") }
    let own = parts.isEmpty ? "nothing but its name" : parts.joined(separator: ", ")
    var text = "\(reasons.value) of \(Prominence.greatest): \(own), which weighs \(reasons.weight)"
    if reasons.subtreeWeight > reasons.weight {
      text += "; \(reasons.subtreeWeight) with all below it"
    }
    return reasons.computed == reasons.value
      ? text : text + "; that would be \(reasons.computed), but the source states another"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  /// The fields with author and year as authors write them, in one line.
  private static func citing(_ fields: [(String, String)]) -> [(String, String)] {
    guard let author = fields.firstIndex(where: { $0.0 == "author" }) else { return fields }
    var fields = fields
    let year = fields.firstIndex { $0.0 == "year" }
    fields[author].1 = Schema.authorship(fields[author].1, year.flatMap { Int(fields[$0].1) })
    if let year { fields.remove(at: year) }
    return fields
  }
}

/// The command `stol query lineage`.
struct LineageCommand: TaxonListQuery {
  static let configuration = CommandConfiguration(
    commandName: "lineage", abstract: "Show the way from the root to a taxon.",
    discussion: """
      --rank, --within and the other filters choose among the taxa that a name stands for.

        stol query lineage "Panthera leo"
        stol query lineage - --jsonl < ids.txt
        stol query lineage - --ranks order,family,genus < ids.txt
      """)

  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @Option(help: .rank) var rank: String?
  @Option(
    help: ArgumentHelp(
      "Show only these ranks (words with commas, main or all), and add a column for each.",
      valueName: "list"))
  var ranks: String?
  @Option(name: .customLong("lang"), help: .language) var language: String?
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
      The filters are those of the children. Where a name stands for several taxa, --within and --rank \
      choose one of these first.

        stol query children Panthera
        stol query children Mammalia --json
        stol query children Oenanthe --within Aves
      """)

  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @Option(name: .shortAndLong, help: .limit(default: "all")) var limit: Int?
  @Option(
    help: ArgumentHelp(
      "Only children of this rank, unless it settles which of several taxa TAXON is.",
      valueName: "rank"))
  var rank: String?
  @Option(help: .ranks) var ranks: String?
  @Option(name: .customLong("lang"), help: .language) var language: String?
  @OptionGroup var options: QueryOptions

  /// Without arguments the roots are shown, as the children of nothing.
  var arguments: [String] { words.isEmpty && options.input == nil ? [""] : words }
  var question: ChildrenQuestion { ChildrenQuestion() }

  func failure(
    _ answer: Answer<TaxonList>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    if !text.isEmpty { _ = try view.subject(named: text, filter) }
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
      connects them. The other filters choose among the taxa that a name stands for.

        stol query subtree Felidae --rank genus
        stol query subtree Felidae --newick --collapse
        stol query subtree --from ids.txt --newick --labels id
        stol query subtree "Panthera leo" "Panthera tigris" "Canis lupus"
      """)

  @Argument(help: "Ids or names, or - for many.") var words: [String] = []
  @Flag(help: "Print the tree in Newick format.") var newick = false
  @Option(
    help: "What nodes of a tree in Newick format are called: name or id (default: name).",
    transform: Self.label)
  var labels: NewickLabel?
  @Flag(help: "Leave out nodes with a single child, with --newick.") var collapse = false
  @OptionGroup var setOptions: SetOptions
  @Option(name: .shortAndLong, help: .limit(default: "200 on a terminal, else all")) var limit: Int?
  @Option(help: ArgumentHelp("Only taxa down to this rank.", valueName: "rank")) var rank: String?
  @Option(help: .ranks) var ranks: String?
  @Option(name: .customLong("lang"), help: .language) var language: String?
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var memberFile: String? { setOptions.from }
  var separator: [UInt8] { setOptions.separatorBytes }
  var question: SubtreeQuestion { SubtreeQuestion() }

  private static func label(_ text: String) throws -> NewickLabel {
    guard let label = NewickLabel(rawValue: text) else {
      throw ValidationError("--labels must be name or id, got \"\(text)\"")
    }
    return label
  }

  func validate() throws {
    try setOptions.refuseSeparator(words, options)
    guard newick else {
      if labels != nil || collapse {
        throw ValidationError("--labels and --collapse need --newick")
      }
      return
    }
    guard try BatchSource(arguments: words, input: options.input) == nil else {
      throw ValidationError("--newick writes one tree: give taxa, or all of a set by --from FILE")
    }
    for (isGiven, option) in [
      (options.json, "json"), (options.jsonl, "jsonl"), (options.csv, "csv"),
      (options.table, "table"), (options.noHeader, "no-header"), (ranks != nil, "ranks"),
      (limit != nil, "limit"), (language != nil, "lang"),
    ] where isGiven {
      throw ValidationError("--\(option) does nothing with --newick, a format of its own")
    }
  }
  var defaultLimit: Int? { options.format == .table ? 200 : nil }

  func omission(_ value: SubtreeQuestion.Value) -> String { moreTaxa(value.omittedCount) }

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
    if let failure = view.failure(of: answer.unresolved, filter) { throw failure }
    return CommandFailure(.notFound, "nothing found")
  }

  func ask(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    guard newick else { return try askForRows(opened, filter) }
    let view = opened.pack.view
    let tree = try SubtreeQuestion.newick(
      try input(), view, filter, labels: labels ?? .name, collapses: collapse)
    say(tree.matches, view)
    try writeLines(tree.lines.map { Escaping.terminal($0) })
  }
}

/// The command `stol query relatives`.
struct RelativesCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "relatives", abstract: "List the closest relatives of a taxon, of its own rank.",
    discussion: """
      The filters are those of the relatives. Where a name stands for several taxa, --within and \
      --rank choose one of these first.

        stol query relatives "Panthera leo"
        stol query relatives lion --limit 3 --json
        stol query relatives lion --trait habitat=marine
      """)

  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @Option(name: .shortAndLong, help: .limit(default: "10")) var limit: Int?
  @Option(help: .rank) var rank: String?
  @Option(help: .ranks) var ranks: String?
  @Option(name: .customLong("lang"), help: .language) var language: String?
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var question: RelativesQuestion { RelativesQuestion() }
  var defaultLimit: Int? { 10 }
  static var shownColumns: [String]? { RelativesQuestion.columns.dropLast() }

  func failure(
    _ answer: Answer<[Relative<TaxonOrdinal>]>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    _ = try view.subject(named: text, filter)
    return CommandFailure(
      .notFound,
      "no relatives: no other taxon of this rank shares an ancestor, or the filters leave none")
  }
}
