import ArgumentParser
import Foundation
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// In which form a command says what became of records.
struct JournalAnswerOptions: ParsableArguments {
  @Flag(help: "Print one JSON value.")
  var json = false

  @Flag(help: "Print one JSON object a line.")
  var jsonl = false

  func validate() throws {
    if json, jsonl { throw ValidationError("choose one of --json and --jsonl") }
  }

  fileprivate func writer(_ columns: [String]) -> RowWriter {
    RowWriter(json ? .json : jsonl ? .jsonl : .tsv, columns: columns, header: false)
  }
}

/// What became of records, a row each: a word, the UUID, and what else a command has to say.
///
/// Of a batch every line has a row, with what the line begins with; what is wrong with it stands there, and spoils no
/// other.
struct JournalAnswers: ~Copyable {
  private var writer: RowWriter
  private let columns: [String]
  private let isBatch: Bool
  /// The column that has what the line of a batch begins with, unless the others say it.
  private let inputColumn: String?
  /// Whether a line is done once its row is written, and none behind it.
  private let isStreamed: Bool
  private var lineCount = 0
  /// What the line of a batch begins with whose row is written.
  private var input = ""
  private var failures: [ErrorKind] = []

  init(
    _ options: JournalAnswerOptions, _ columns: [String] = [], isBatch: Bool = false,
    input: String? = "input", isStreamed: Bool = true
  ) {
    inputColumn = isBatch ? input : nil
    self.columns = columns
    self.isBatch = isBatch
    self.isStreamed = isBatch && isStreamed
    writer = options.writer(
      ["status", "id"] + columns + (inputColumn.map { [$0] } ?? []) + (isBatch ? ["message"] : []))
  }

  /// Says what became of a record; of a batch at once.
  mutating func add(
    _ status: String, _ id: JournalID?, _ values: [String?] = [], message: String? = nil
  ) throws {
    writer.beginRow()
    writer.text("status", status)
    writer.text("id", id?.description)
    for (index, column) in columns.enumerated() {
      writer.text(column, index < values.count ? values[index] : nil)
    }
    if let inputColumn { writer.text(inputColumn, input) }
    if isBatch { writer.text("message", message) }
    try writer.endRow()
    if isBatch { try writer.flush() }
  }

  /// Runs `body` for the cells of a line of a batch; an error that is only about the line becomes its row.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - idCell: the number of the cell that has the UUID, if one has it.
  ///   - body: what is done with the line.
  /// - Throws: as with a text.
  mutating func line(
    _ line: JournalInputLine, id idCell: Int? = nil,
    _ body: ([String], inout JournalAnswers) throws -> Void
  ) throws {
    let id = idCell.flatMap { line.cells.count > $0 ? JournalID(line.cells[$0]) : nil }
    try self.line(id, input: line.cells.first ?? "") { answers in
      if let problem = line.problem { throw problem }
      try body(line.cells, &answers)
    }
  }

  /// Runs `body` for what a line of a batch begins with; an error that is only about the line becomes its row.
  ///
  /// - Throws: `CommandFailure` where nobody reads the answers any more, so that no line behind this one is done.
  mutating func line(
    _ id: JournalID?, input: String, _ body: (inout JournalAnswers) throws -> Void
  ) throws {
    lineCount += 1
    self.input = input
    do {
      try answer(id, body)
    } catch let error as SystemError where error.code == .brokenPipe && isStreamed {
      throw CommandFailure(
        .inputOutput,
        "standard output: nobody reads it any more; line \(lineCount) was the last one that was done"
      )
    }
  }

  private mutating func answer(
    _ id: JournalID?, _ body: (inout JournalAnswers) throws -> Void
  ) throws {
    do {
      try body(&self)
    } catch let error as any StolError
      where error is JournalError || error is CommandFailure
    {
      failures.append(error.kind)
      try add(error.kind == .notFound ? "not_found" : "invalid", id, message: error.description)
    }
  }

  /// Writes the end.
  ///
  /// - Throws: `CommandFailure` where a line of a batch was wrong: of the kind `notFound` where all of those were only
  ///   about what there is not.
  mutating func finish() throws {
    try writer.finish()
    guard !failures.isEmpty else { return }
    throw CommandFailure(
      failures.allSatisfy { $0 == .notFound } ? .notFound : .usage,
      "\(failures.count) of \(lineCount) line\(lineCount == 1 ? "" : "s") not done, whose messages say why"
    )
  }
}

extension JournalFile {
  /// Saves records, or tries it, and says in a word what became of them or would.
  func save(_ records: [JournalRecord], isRehearsal: Bool) throws -> String {
    try isRehearsal ? rehearse(records).wordOfAll : save(records).word
  }
}

extension SaveOutcome {
  /// What became of an entry as a whole, in a word.
  var word: String {
    batch == nil ? "same" : wordOfAll
  }

  /// What would become of it, in a word, where nothing was kept.
  var wordOfAll: String {
    results.allSatisfy { $0 == .same } ? "same" : results.contains(.updated) ? "updated" : "new"
  }
}

/// The date by the clock of this machine.
func journalToday() -> String {
  let seconds = Int(Date().timeIntervalSince1970.rounded(.down))
  return String(
    timeText(secondsSince1970: seconds + TimeZone.current.secondsFromGMT()).prefix(10))
}

extension RowWriter {
  /// Writes the end of a list, as `present` does.
  ///
  /// - Throws: `ExitCode.nothingFound` where nothing is in it.
  mutating func presentFound(
    shown: [String]? = nil, header: Bool, quiet: Bool = false
  ) throws {
    let isEmpty = isEmpty
    try present(shown: shown, header: header, quiet: quiet)
    if isEmpty { throw ExitCode.nothingFound }
  }
}

/// Says how a name was read, on the standard error.
func journalSay(_ reading: NameReading) {
  if let taxon = reading.taxon {
    // All of a name of several is beside what they are in.
    let qualifier = reading.qualifier.map { $0 == reading.verbatimName ? "(\($0))" : $0 }
    let beside = [qualifier, reading.cultivar.map { "'\($0)'" }].compactMap { $0 }
    let words = ([taxon.name] + beside).joined(separator: " ")
    writeStandardError("stol: read as \(Escaping.terminal(words))\n")
  } else {
    writeStandardError(
      "stol: no taxon for it yet (\(Escaping.terminal(reading.question))); 'stol journal names' decides\n"
    )
  }
}

/// Whether 0 N 0 E may be where something was.
struct NullIslandOptions: ParsableArguments {
  @Flag(help: "Take 0 N 0 E for a place.")
  var acceptNullIsland = false

  /// A position that somebody states, unless it is where devices are that know none.
  func checked(_ position: Position, _ option: String) throws -> Position {
    guard position.isNullIsland, !acceptNullIsland else { return position }
    throw JournalError.invalid(
      field: option, value: "0,0",
      remedy:
        "it is where devices are that do not know where they are; leave it out, or say --accept-null-island"
    )
  }
}

/// The position that a text such as "42.45331,-76.48070" is; spaces beside the comma are none of it.
func journalPosition(_ text: String, _ option: String, accuracy: Int? = nil) throws -> Position {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed() }
  guard parts.count == 2 else {
    throw CommandFailure(
      .usage,
      "\(option) needs latitude,longitude, as in 42.45331,-76.48070, got \"\(Escaping.terminal(text))\""
    )
  }
  return try Position(
    latitude: parts[0], longitude: parts[1], uncertaintyM: accuracy)
}

/// The place with a UUID or a name.
func journalPlace(_ text: String, _ journal: JournalFile) throws -> JournalID {
  if let id = JournalID(text) { return id }
  let found = try journal.places(named: text)
  if found.count == 1, let place = found.first { return place.id }
  let name = Escaping.terminal(text)
  guard found.isEmpty else {
    throw CommandFailure(
      .notFound,
      "several places are called \"\(name)\": say which one by its UUID, "
        + found.prefix(5).map(\.id.description).joined(separator: ", "))
  }
  throw CommandFailure(
    .notFound, "no place is called \"\(name)\": `stol journal place add` adds one")
}

extension PackView {
  /// The taxon that an argument of the journal names.
  ///
  /// - Throws: what `taxon(named:)` does, without the options for an ambiguous name that the journal does not have.
  func journalTaxon(named text: String) throws -> TaxonOrdinal {
    do {
      return try taxon(named: text)
    } catch {
      throw CommandFailure(
        error.kind,
        error.description.replacing("give an id, --rank or --within:", with: "give an id:"))
    }
  }
}

/// A line of a batch.
struct JournalInputLine {
  /// What tabs are between; none of a line that is blank or no text.
  var cells: [String]
  /// Whether it is UTF-8.
  var isText = true

  /// Why nothing can be done with it, where that is so.
  var problem: CommandFailure? {
    guard cells.isEmpty else { return nil }
    return CommandFailure(.usage, isText ? "a blank line" : "not UTF-8")
  }
}

/// The lines of a batch from the standard input, each as its cells.
struct JournalInputLines: ~Copyable {
  private var lines: LineReader
  /// The number of the line that was read last.
  private var number = 0

  init() throws { lines = try LineReader(path: nil) }

  /// Runs `body` for every line, which has at most `cellCount` cells: the last one has the rest of the line.
  ///
  /// - Throws: what `body` throws; an error of the disk names the line to go on from.
  mutating func forEach(cells cellCount: Int, _ body: (JournalInputLine) throws -> Void) throws {
    while try lines.next() {
      number += 1
      guard lines.isLineValid else {
        try run(JournalInputLine(cells: [], isText: false), body)
        continue
      }
      let text = String(decoding: lines.line, as: UTF8.self)
      let cells = text.split(
        separator: "\t", maxSplits: cellCount - 1, omittingEmptySubsequences: false)
      let isBlank = text.allSatisfy(\.isWhitespace)
      try run(JournalInputLine(cells: isBlank ? [] : cells.map(String.init)), body)
    }
  }

  private func run(
    _ line: JournalInputLine, _ body: (JournalInputLine) throws -> Void
  ) throws {
    do {
      try body(line)
    } catch let error as any StolError
      where error.kind == .inputOutput && !(error is CommandFailure)
      && (error as? SystemError)?.code != .brokenPipe
    {
      let before = number > 1 ? "; the lines before it are done: go on from this one" : ""
      throw CommandFailure(
        error.kind, Escaping.terminal("line \(number): \(error.description)") + before)
    }
  }
}
