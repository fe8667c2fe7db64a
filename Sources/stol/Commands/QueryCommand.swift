import STOLSystem
import ArgumentParser
import STOLAnswers
import STOLPack

/// The command `stol query`.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Ask a pack.",
    discussion: """
      TAXON is an id or a name. Every query reads many from the standard input (-) or from a file and \
      prints one result line for each line of input, with a status: exact, fuzzy, merged, ambiguous, \
      deleted, not_found or invalid.

        stol query search lion
        stol query lineage "Panthera leo"
        cut -f1 ids.tsv | stol query show - > taxa.tsv
      """,
    subcommands: [
      SearchQueryCommand.self, CompleteCommand.self, ShowCommand.self, LineageCommand.self,
      ChildrenCommand.self, SubtreeCommand.self, LCACommand.self, DistanceCommand.self,
      CompareCommand.self, RelativesCommand.self, RankCommand.self,
    ])
}

/// A subcommand of `stol query`: it parses what is asked, and shows the answer.
protocol Query: ParsableCommand {
  associatedtype Asked: Question
  var question: Asked { get }
  var options: QueryOptions { get }
  var arguments: [String] { get }
  /// The arguments as the members of the input.
  var members: [String] { get }
  /// The most rows where no limit is given; nil for all.
  var defaultLimit: Int? { get }
  /// The columns that a terminal shows, in its order; nil for all.
  static var shownColumns: [String]? { get }

  /// What a terminal shows in place of a table; nil for a table.
  func drawing(
    of value: Asked.Value, _ view: borrowing PackView, _ context: borrowing QuestionContext
  ) -> [String]?
  /// Why there is no answer to the arguments.
  func failure(
    _ answer: Answer<Asked.Value>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure
  /// How many rows the limit left out.
  func omittedCount(_ value: Asked.Value) -> Int
  /// Answers the arguments.
  func ask(_ opened: OpenedPack, _ filter: SearchFilter) throws
}

extension Query {
  static var shownColumns: [String]? { nil }

  /// The arguments as one text, so that a name need not be quoted.
  var text: String { arguments.joined(separator: " ") }
  var members: [String] { Asked.inputKind == .text ? [text] : arguments }
  var defaultLimit: Int? { nil }

  func drawing(
    of value: Asked.Value, _ view: borrowing PackView, _ context: borrowing QuestionContext
  ) -> [String]? { nil }

  func failure(
    _ answer: Answer<Asked.Value>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    for member in members { _ = try view.taxon(named: member, filter) }
    return CommandFailure(.notFound, "no common ancestor: the taxa are in different trees")
  }

  func omittedCount(_ value: Asked.Value) -> Int { 0 }

  func run() throws {
    let source = try BatchSource(arguments: arguments, input: options.input)
    guard source != nil || !arguments.isEmpty else {
      throw ValidationError("nothing asked: give a name or an id, or - to read many")
    }
    let opened = try options.location.open()
    let start = ContinuousClock.now
    let filter = try options.filter(opened.pack.view)
    if let source {
      try askAll(source, opened, filter)
    } else {
      try ask(opened, filter)
    }
    if options.verbose {
      let microseconds = ((ContinuousClock.now - start) / .microseconds(1)).rounded().decimalText
      writeStandardError("\(opened.path): answered in \(microseconds) us\n")
    }
  }

  /// What all inputs share; `isBatch` where they are lines.
  func context(
    _ opened: OpenedPack, _ filter: SearchFilter, _ format: OutputFormat, isBatch: Bool = false
  ) throws -> QuestionContext {
    let readsDatabase = Asked.needsDatabase && (format.isStructured || !isBatch)
    return QuestionContext(
      filter: filter, languages: options.preferredLanguages(opened.pack.view),
      limit: options.limit ?? defaultLimit, format: format,
      database: readsDatabase ? try opened.database() : nil)
  }

  private func askAll(_ source: BatchSource, _ opened: OpenedPack, _ filter: SearchFilter) throws {
    opened.pack.prefetch()
    let format = options.format == .table ? OutputFormat.tsv : options.format
    var context = try context(opened, filter, format, isBatch: true)
    var writer = RowWriter(
      format, columns: ["input", "status"] + Asked.columns, header: !options.noHeader)
    var lines = try LineReader(path: source.path)
    let isAnythingFound = try about(source.path ?? "standard input") {
      try question.askAll(&lines, opened.pack.view, &context, &writer)
    }
    try writer.finish()
    if let failure = context.databaseFailure { throw failure }
    if !isAnythingFound { throw ExitCode.nothingFound }
  }

  func ask(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    try askForRows(opened, filter)
  }

  func askForRows(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    var context = try context(opened, filter, options.format)
    var writer = RowWriter(
      options.format, columns: Asked.columns, header: !options.noHeader)
    let answer = try question.ask(QuestionInput(arguments: members), view, &context, &writer)
    if let value = answer.value {
      if options.format == .table, let lines = drawing(of: value, view, context) {
        try writeLines(lines)
      } else {
        try writer.present(
          shown: Self.shownColumns, header: !options.noHeader, options.style)
      }
      let omitted = omittedCount(value)
      if omitted > 0, !options.quiet {
        writeStandardError("\(omitted) more taxa; see --limit and --rank\n")
      }
    } else if options.format.isStructured {
      try writer.finish()
    }
    if !answer.isFound { throw try failure(answer, view, filter) }
  }
}

extension ExitCode {
  /// Nothing found, which the answers themselves say.
  static let nothingFound = ExitCode(ErrorKind.notFound.exitCode)
}
