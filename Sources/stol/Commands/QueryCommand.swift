import STOLSystem
import ArgumentParser
import STOLData
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

/// What became of one input.
enum AnswerStatus: String {
  case exact, fuzzy, merged, ambiguous, deleted, invalid
  case notFound = "not_found"
}

/// The answer to one input.
struct Answer<Finding> {
  var status: AnswerStatus
  /// What the cells or members are written from; nil where there are none.
  var finding: Finding?

  /// False for taxa of different trees, which are all found.
  var hasCommonAncestor = true

  /// Whether there is an answer.
  var isFound: Bool {
    (status == .exact || status == .fuzzy || status == .merged) && hasCommonAncestor
  }

  static func failed(_ status: AnswerStatus) -> Answer { Answer(status: status) }
}

/// What a query has besides its inputs, with memory to use again.
struct QueryContext: ~Copyable {
  let filter: SearchFilter
  /// Whether the output is JSON.
  let isStructured: Bool
  /// The database beside the pack, for a query that shows what only SQLite has.
  var database: SourceDatabase?
  /// Searches for names.
  var session = SearchSession()
  /// What a search asks for besides its text.
  var query = SearchQuery("")
  /// The members of a set.
  var taxa: [TaxonOrdinal] = []

  init(_ filter: SearchFilter, isStructured: Bool) {
    self.filter = filter
    self.isStructured = isStructured
  }
}

/// A subcommand of `stol query`.
protocol Query: ParsableCommand {
  /// What is found for an input.
  associatedtype Finding
  /// The columns of a result line, after `input` and `status`.
  static var columns: [String] { get }
  /// Whether an input is several taxa, separated by tabs in a line.
  static var takesSets: Bool { get }
  /// Whether JSON output needs the database beside the pack.
  static var needsDatabase: Bool { get }
  var options: QueryOptions { get }
  var arguments: [String] { get }

  /// Prepares what all inputs share.
  func prepare(_ context: inout QueryContext)
  /// The answer to one input.
  func answer(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<Finding>
  /// Writes the cells of `columns`; those that it leaves out stay empty.
  func writeCells(
    _ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter)
  /// Writes the members of the JSON object after `input` and `status`.
  func writeMembers(
    _ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter)
  /// Prints the answer to the arguments, for a reader.
  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws
}

extension Query {
  static var takesSets: Bool { false }
  static var needsDatabase: Bool { false }

  func prepare(_ context: inout QueryContext) {}

  /// The arguments as one text, so that a name need not be quoted.
  var text: String { arguments.joined(separator: " ") }

  func run() throws {
    let source = try BatchSource(arguments: arguments, input: options.input)
    guard source != nil || !arguments.isEmpty else {
      throw ValidationError("nothing asked: give a name or an id, or - to read many")
    }
    let opened = try options.location.open()
    let start = ContinuousClock.now
    let filter = try options.filter(opened.pack.view)
    if let source {
      try answerAll(source, opened, filter)
    } else if options.jsonl {
      let answer = try answerArguments(opened, filter, rowWriter())
      guard answer.isFound else { throw CommandFailure.nothingFound }
    } else {
      try present(opened, filter)
    }
    if options.verbose {
      let microseconds = ((ContinuousClock.now - start) / .microseconds(1)).rounded().decimalText
      writeStandardError("\(opened.path): answered in \(microseconds) us\n")
    }
  }

  /// Writes rows in the format that was asked for.
  func rowWriter(columns: [String] = []) -> RowWriter {
    RowWriter(options.format, columns: columns, header: !options.noHeader, style: options.style)
  }

  private func context(
    _ opened: OpenedPack, _ filter: SearchFilter, isStructured: Bool
  ) throws -> QueryContext {
    var context = QueryContext(filter, isStructured: isStructured)
    if Self.needsDatabase, isStructured { context.database = try opened.database() }
    prepare(&context)
    return context
  }

  /// Writes the answer to the arguments as one row.
  func answerArguments(
    _ opened: OpenedPack, _ filter: SearchFilter, _ writer: consuming RowWriter
  ) throws -> Answer<Finding> {
    let input = QueryInput(arguments: Self.takesSets ? arguments : [text])
    let view = opened.pack.view
    var context = try context(opened, filter, isStructured: writer.format.isStructured)
    let answer = answer(input, view, &context)
    try write(answer, to: input, view, &writer)
    try writer.finish()
    return answer
  }

  private func answerAll(
    _ source: BatchSource, _ opened: OpenedPack, _ filter: SearchFilter
  ) throws {
    opened.pack.prefetch()
    let view = opened.pack.view
    let format = options.format == .table ? OutputFormat.tsv : options.format
    var writer = RowWriter(
      format, columns: ["input", "status"] + Self.columns, header: !options.noHeader)
    var context = try context(opened, filter, isStructured: format.isStructured)
    var lines = try LineReader(source)
    var isAnythingFound = false
    while try lines.next(beforeWaiting: { try writer.flush() }) {
      let input = QueryInput(line: lines.line)
      let answer = lines.isLineValid ? answer(input, view, &context) : .failed(.invalid)
      isAnythingFound = isAnythingFound || answer.isFound
      try write(answer, to: input, view, &writer)
    }
    try writer.finish()
    if !isAnythingFound { throw CommandFailure.nothingFound }
  }

  private func write(
    _ answer: Answer<Finding>, to input: QueryInput, _ view: borrowing PackView,
    _ writer: inout RowWriter
  ) throws {
    writer.beginRow()
    if Self.takesSets, writer.format.isStructured {
      writer.array("input") { writer in
        input.forEachMember { member in
          writer.text(nil) { $0 += member }
          return true
        }
      }
    } else {
      writer.text("input") { $0 += input.bytes }
    }
    writer.text("status", answer.status.rawValue)
    if let finding = answer.finding {
      if writer.format.isStructured {
        writeMembers(finding, view, to: &writer)
      } else {
        writeCells(finding, view, to: &writer)
      }
    }
    try writer.endRow()
  }
}

extension PackView {
  /// The taxon that one input of a batch names, or the status that it gets instead.
  func batchTaxon(
    _ text: ArraySlice<UInt8>, _ filter: SearchFilter
  ) -> Result<(TaxonOrdinal, AnswerStatus), BatchFailure> {
    switch resolve(String(decoding: text, as: UTF8.self), filter: filter) {
    case .found(let taxon): .success((taxon, .exact))
    case .merged(let taxon): .success((taxon, .merged))
    case .ambiguous: .failure(BatchFailure(status: .ambiguous))
    case .deleted: .failure(BatchFailure(status: .deleted))
    case .notFound: .failure(BatchFailure(status: .notFound))
    case .invalid: .failure(BatchFailure(status: .invalid))
    }
  }
}

extension Query {
  /// The answer about the taxon that an input names; `find` tells what to say about it.
  func answerTaxon(
    _ input: QueryInput, _ view: borrowing PackView, _ filter: SearchFilter,
    _ find: (TaxonOrdinal) -> Finding
  ) -> Answer<Finding> {
    switch view.batchTaxon(input.bytes, filter) {
    case .failure(let failure): .failed(failure.status)
    case .success(let (taxon, status)): Answer(status: status, finding: find(taxon))
    }
  }
}

/// Why one input of a batch has no answer.
struct BatchFailure: Error {
  let status: AnswerStatus
}
