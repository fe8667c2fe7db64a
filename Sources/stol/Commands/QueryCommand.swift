import ArgumentParser
import STOLData
import STOLPack

/// The command `stol query`.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Ask a pack.",
    discussion: """
      TAXON is an id or a name. Every query reads many from the standard input (-) or from a file and \
      prints one result line for each line of input, with a status: exact, merged, ambiguous, \
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
  case exact, merged, ambiguous, deleted, invalid
  case notFound = "not_found"
}

/// The answer to one input: a row of TSV and a JSON object.
struct Answer {
  var status: AnswerStatus
  /// The values of the command's columns; empty where there is no answer.
  var cells: [Cell] = []
  /// The members of the JSON object after `input` and `status`.
  var members: [(String, JSON)] = []

  /// False for taxa of different trees, which are all found.
  var hasCommonAncestor = true

  /// Whether there is an answer.
  var isFound: Bool { (status == .exact || status == .merged) && hasCommonAncestor }

  static func failed(_ status: AnswerStatus) -> Answer { Answer(status: status) }
}

/// What a query has besides its input.
struct QueryContext {
  let filter: SearchFilter
  /// Whether the output is JSON.
  let isStructured: Bool
  /// The database beside the pack, for a query that shows what only SQLite has.
  var database: SourceDatabase?
}

/// A subcommand of `stol query`.
protocol Query: ParsableCommand {
  /// The columns of a result line, after `input` and `status`.
  static var columns: [String] { get }
  /// Whether an input is several taxa, separated by tabs in a line.
  static var takesSets: Bool { get }
  /// Whether JSON output needs the database beside the pack.
  static var needsDatabase: Bool { get }
  var options: QueryOptions { get }
  var arguments: [String] { get }

  /// The answer to one input; its `members` are needed only if the output is structured.
  func answer(
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer
  /// Prints the answer to the arguments, for a reader.
  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws
}

extension Query {
  static var takesSets: Bool { false }
  static var needsDatabase: Bool { false }

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
      try answerOne(opened, filter)
    } else {
      try present(opened, filter)
    }
    if options.verbose {
      let microseconds = Cell.text(of: ((ContinuousClock.now - start) / .microseconds(1)).rounded())
      writeStandardError("\(opened.path): answered in \(microseconds) us\n")
    }
  }

  /// Writes rows in the format that was asked for.
  func rowWriter(columns: [String]) -> RowWriter {
    RowWriter(options.format, columns: columns, header: !options.noHeader, style: options.style)
  }

  private func context(
    _ opened: OpenedPack, _ filter: SearchFilter, isStructured: Bool
  ) throws -> QueryContext {
    var context = QueryContext(filter: filter, isStructured: isStructured)
    if Self.needsDatabase, isStructured { context.database = try opened.database() }
    return context
  }

  private func answerOne(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let input = Self.takesSets ? arguments : [text]
    let context = try context(opened, filter, isStructured: true)
    let answer = answer(input, opened.pack.view, context)
    var writer = rowWriter(columns: [])
    try writer.write(Self.object(input, answer))
    try writer.finish()
    guard answer.isFound else { throw CommandFailure.nothingFound }
  }

  private func answerAll(
    _ source: BatchSource, _ opened: OpenedPack, _ filter: SearchFilter
  ) throws {
    let view = opened.pack.view
    let format = options.format == .table ? OutputFormat.tsv : options.format
    var writer = RowWriter(
      format, columns: ["input", "status"] + Self.columns, header: !options.noHeader,
      style: options.style)
    let isStructured = format == .json || format == .jsonl
    let empty = [Cell](repeating: .none, count: Self.columns.count)
    let context = try context(opened, filter, isStructured: isStructured)
    var lines = try LineReader(source)
    var isAnythingFound = false
    while let line = try lines.next(beforeWaiting: { try writer.flush() }) {
      let input = Self.takesSets ? line.text.members : [line.text]
      let answer =
        line.isValid
        ? answer(input, view, context) : .failed(.invalid)
      isAnythingFound = isAnythingFound || answer.isFound
      if isStructured {
        try writer.write(Self.object(input, answer))
      } else {
        let cells = answer.cells.isEmpty ? empty : answer.cells
        try writer.write([.text(line.text), .text(answer.status.rawValue)] + cells)
      }
    }
    try writer.finish()
    if !isAnythingFound { throw CommandFailure.nothingFound }
  }

  /// The JSON object of one answer.
  static func object(_ input: [String], _ answer: Answer) -> JSON {
    let text: JSON = takesSets ? .array(input.map { .string($0) }) : .string(input.first ?? "")
    return .object(
      [("input", text), ("status", .string(answer.status.rawValue))] + answer.members)
  }
}

extension String {
  /// The members of a set: what stands between tabs, even if it is nothing.
  fileprivate var members: [String] {
    split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
}

extension PackView {
  /// The taxon that one input of a batch names, or the status that it gets instead.
  func batchTaxon(
    _ text: String, _ filter: SearchFilter
  ) -> Result<(TaxonOrdinal, AnswerStatus), BatchFailure> {
    switch resolve(text, filter: filter) {
    case .found(let taxon): .success((taxon, .exact))
    case .merged(let taxon): .success((taxon, .merged))
    case .ambiguous: .failure(BatchFailure(status: .ambiguous))
    case .deleted: .failure(BatchFailure(status: .deleted))
    case .notFound: .failure(BatchFailure(status: .notFound))
    case .invalid: .failure(BatchFailure(status: .invalid))
    }
  }
}

/// Why one input of a batch has no answer.
struct BatchFailure: Error {
  let status: AnswerStatus
}

/// The JSON forms of the values of a pack; their names are those of the seed's types.
enum Schema {
  static let taxonColumns = [
    "id", "parentID", "rank", "scientificName", "author", "year", "taxonStatus",
    "conservationStatus",
  ]

  static func cells(_ taxon: Taxon) -> [Cell] {
    [
      .integer(taxon.id.rawValue), taxon.parentID.map { .integer($0.rawValue) } ?? .none,
      .text(taxon.rank), .text(taxon.scientificName), Cell(taxon.author), Cell(taxon.year),
      .text(taxon.status), Cell(taxon.conservationStatus),
    ]
  }

  static func json(_ taxon: Taxon) -> JSON { .object(members(taxon)) }

  static func members(_ taxon: Taxon) -> [(String, JSON)] {
    [
      ("id", .integer(taxon.id.rawValue)),
      ("parentID", taxon.parentID.map { .integer($0.rawValue) } ?? .null),
      ("rank", .string(taxon.rank)), ("scientificName", .string(taxon.scientificName)),
      ("author", JSON(taxon.author)), ("year", JSON(taxon.year)),
      ("status", .string(taxon.status)), ("conservationStatus", JSON(taxon.conservationStatus)),
    ]
  }

  static func json(_ trait: Trait) -> JSON {
    .object([
      ("key", .string(trait.key)), ("value", .string(trait.value)), ("unit", JSON(trait.unit)),
    ])
  }

  static func json(_ name: TaxonName) -> JSON {
    .object([
      ("name", .string(name.name)), ("lang", .string(name.language)),
      ("nameType", .string(name.type.rawValue)), ("isPreferred", .bool(name.isPreferred)),
    ])
  }

  /// The lineage of a taxon, the root first and itself last.
  static func lineage(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> JSON {
    .array((view.tree.ancestors(of: taxon) + [taxon]).map { json(view.taxon($0)) })
  }
}
