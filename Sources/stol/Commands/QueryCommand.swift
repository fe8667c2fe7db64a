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
      prints one result line for each line of input, with a status: exact, synonym, common, \
      merged, fuzzy, partial, ambiguous, deleted, not_found or invalid. In cells with several values \
      these are joined by ";"; within one, ";" is written "\\;" and "\\" is "\\\\", before the cell is \
      escaped as any other. A batch ends with 0 if something is found for one of its lines, else with \
      1, though alone an input that is invalid is a usage error. What a limit cuts is said on the \
      standard error. A batch is answered on all processors, in the order of its lines and as soon as \
      there is one; --threads says on how many at most, and changes nothing else.

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
  /// The file with the members of one set, a line each; nil where the arguments are the members.
  var memberFile: String? { get }
  /// What stands between the members of a set in a line.
  var separator: [UInt8] { get }
  /// The most rows, as asked for.
  var limit: Int? { get }
  /// The most rows where no limit is given; nil for all.
  var defaultLimit: Int? { get }
  /// The rank of the taxa that are asked about.
  var rank: String? { get }
  /// The ranks that get columns.
  var ranks: String? { get }
  /// The language of common names.
  var language: String? { get }
  /// The only language of the names that are searched.
  var searchLanguage: String? { get }
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
  /// What the limit left out, in words.
  func omission(_ value: Asked.Value) -> String
  /// What must be said besides of one answer, so that it is not misunderstood; nil for nothing.
  func note(_ answer: Answer<Asked.Value>) -> String?
  /// Refuses arguments that are no question, after the parser has refused options that it does not know.
  func check() throws
  /// Answers the arguments.
  func ask(_ opened: OpenedPack, _ filter: SearchFilter) throws
}

extension Query {
  static var shownColumns: [String]? { nil }

  /// The arguments as one text, so that a name need not be quoted.
  var text: String { arguments.joined(separator: " ") }
  var members: [String] { Asked.inputKind == .text ? [text] : arguments }
  var limit: Int? { nil }
  var defaultLimit: Int? { nil }
  var rank: String? { nil }
  var ranks: String? { nil }
  var language: String? { nil }
  var searchLanguage: String? { nil }
  var memberFile: String? { nil }
  var separator: [UInt8] { [UInt8(ascii: "\t")] }

  /// The input that the arguments amount to, or the file of members.
  func input() throws -> QuestionInput {
    guard let memberFile else { return QuestionInput(arguments: members) }
    return try about(memberFile) { try readMembers(memberFile) }
  }

  /// All members of all lines, but for empty lines.
  private func readMembers(_ path: String) throws -> QuestionInput {
    var lines = try LineReader(path: path == "-" ? nil : path)
    var bytes: [UInt8] = []
    while try lines.next() {
      guard !lines.line.isEmpty else { continue }
      if !bytes.isEmpty { bytes.append(0) }
      var isFirst = true
      QuestionInput(line: lines.line, separator: separator).forEachMember { member in
        if !isFirst { bytes.append(0) }
        isFirst = false
        bytes += member
        return true
      }
    }
    return QuestionInput(members: bytes)
  }

  func drawing(
    of value: Asked.Value, _ view: borrowing PackView, _ context: borrowing QuestionContext
  ) -> [String]? { nil }

  func failure(
    _ answer: Answer<Asked.Value>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    if let failure = view.failure(of: answer.unresolved, filter) { throw failure }
    for member in members { _ = try view.match(named: member, filter) }
    return CommandFailure(.notFound, "no common ancestor: the taxa are in different trees")
  }

  func omission(_ value: Asked.Value) -> String { "there are others; see --limit" }
  func note(_ answer: Answer<Asked.Value>) -> String? { nil }
  func check() throws {}

  func run() throws {
    try check()
    let source = try BatchSource(arguments: arguments, input: options.input)
    guard source == nil || memberFile == nil, arguments.isEmpty || memberFile == nil else {
      throw ValidationError("--from is the whole set: give no taxa and no --input with it")
    }
    guard source != nil || !arguments.isEmpty || memberFile != nil else {
      throw ValidationError("nothing asked: give a name or an id, or - to read many")
    }
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1, got \(limit)") }
    if let ranks, !ranks.contains(where: { $0 != "," && $0 != " " }) {
      throw ValidationError("--ranks needs at least one rank, or main or all")
    }
    guard source == nil || !options.table else {
      throw ValidationError(
        "--table is for one answer; a batch has --tsv, --csv, --json and --jsonl")
    }
    guard source != nil || options.threads == nil else {
      throw ValidationError("--threads is for a batch: give - or --input to read many")
    }
    let opened = try options.location.open()
    let start = ContinuousClock.now
    let filter = try options.filter(
      rank: rank, language: language, searchLanguage: searchLanguage, opened.pack.view)
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
    var context = QuestionContext(
      filter: filter, languages: LanguagePreference(language, in: opened.pack.view.names),
      limit: (limit ?? defaultLimit).map { min($0, Int(Int32.max)) }, format: format,
      database: readsDatabase ? try opened.database() : nil)
    context.separator = separator
    if let ranks {
      context.ranks = try RankColumn.columns(ranks, opened.pack.view.taxa.ranks)
    }
    return context
  }

  /// The columns of a row, those of `--ranks` last.
  func columns(_ context: borrowing QuestionContext, isBatch: Bool) -> [String] {
    let ranks = context.ranks.map(\.name)
    guard isBatch else { return Asked.columns + ranks }
    let unknown = Asked.inputKind == .text ? [] : [Schema.unknown]
    let matched = Asked.namesTaxa ? Schema.matchColumns : []
    return ["input", "status"] + Asked.columns + ranks + [Schema.candidates] + unknown + matched
  }

  private func askAll(_ source: BatchSource, _ opened: OpenedPack, _ filter: SearchFilter) throws {
    opened.pack.prefetch()
    let format = options.format == .table ? OutputFormat.tsv : options.format
    var context = try context(opened, filter, format, isBatch: true)
    var writer = RowWriter(
      format, columns: columns(context, isBatch: true), header: !options.noHeader)
    let summary = try about(source.path ?? "standard input") {
      try question.askAll(
        linesOf: source.path, opened.pack, &context, &writer,
        threadCount: options.threads ?? processorCount())
    }
    try writer.finish()
    if let failure = context.databaseFailure { throw failure }
    if let limit = context.limit, summary.cutLineCount > 0, !options.quiet {
      writeStandardError(
        "cut at \(limit) by \(self.limit == nil ? "the default of " : "")--limit: "
          + "\(summary.cutLineCount) of \(summary.lineCount) lines\n")
    }
    if !summary.isAnythingFound { throw ExitCode.nothingFound }
  }

  func ask(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    try askForRows(opened, filter)
  }

  /// Says which texts are not the accepted names of their taxa; of several, but for common names.
  func say(_ matches: [TaxonMatch?], _ view: borrowing PackView) {
    guard !options.quiet, !options.format.isStructured else { return }
    for case let match? in matches where members.count == 1 || match.status != .common {
      guard let sentence = match.sentence(view) else { continue }
      writeStandardError(Escaping.terminal(sentence) + "\n")
    }
  }

  func askForRows(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    var context = try context(opened, filter, options.format)
    var writer = RowWriter(
      options.format, columns: columns(context, isBatch: false), header: !options.noHeader)
    let answer = try question.ask(try input(), view, &context, &writer)
    if let value = answer.value {
      if answer.isFound { say(answer.matches, view) }
      if options.format == .table, let lines = drawing(of: value, view, context) {
        try writeLines(lines)
      } else {
        try writer.present(
          shown: Self.shownColumns, header: !options.noHeader, quiet: options.quiet, options.style)
      }
      if answer.isCut, !options.quiet { writeStandardError(omission(value) + "\n") }
      if let note = note(answer), !options.quiet { writeStandardError(note + "\n") }
      // What was found is shown; that it is not one taxon is said.
      if answer.status == .ambiguous, !options.quiet {
        writeStandardError(
          "\(answer.candidates.count) taxa fit equally; give an id, --rank or --within\n")
      }
    } else if options.format.isStructured {
      try writer.finish()
    }
    let unknown = answer.unknown
    if !unknown.isEmpty, answer.isFound, !options.quiet {
      writeStandardError(
        "unknown, left out: "
          + unknown.map { Escaping.terminal($0) }.joined(separator: ", ") + "\n")
    }
    if !question.isFound(answer) { throw try failure(answer, view, filter) }
  }
}

extension ExitCode {
  /// Nothing found, which the answers themselves say.
  static let nothingFound = ExitCode(ErrorKind.notFound.exitCode)
}
