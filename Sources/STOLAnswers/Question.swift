package import STOLData
import STOLMatch
package import STOLPack

/// The answer to one input.
package struct Answer<Value> {
  package var status: AnswerStatus
  /// What the fields are written from; nil where there is nothing to say.
  package var value: Value?
  /// Whether what was found has nothing of what was asked for: no children, no common ancestor.
  package var isEmpty = false
  /// The taxa that fit equally, where several do; of what only begins alike the best.
  package var candidates: [TaxonOrdinal] = []
  /// Whether the limit left out rows or candidates.
  package var isCut = false
  /// The members of a set that lead to no taxon: those that name none, and those that name several.
  package var unresolved: [TaxonMatch] = []
  /// How the members of a set, or the one text, lead to their taxa: nil for a scientific name or an id,
  /// and empty where all are such.
  package var matches: [TaxonMatch?] = []

  /// Whether there is an answer.
  package var isFound: Bool { status.isFound && !isEmpty }

  /// The members of a set that name no taxon.
  package var unknown: [String] {
    unresolved.isEmpty ? [] : unresolved.filter { $0.status != .ambiguous }.map(\.text)
  }

  static func failed(_ status: AnswerStatus) -> Answer { Answer(status: status) }
}

/// What all inputs of a question share, with memory to use again.
package struct QuestionContext: ~Copyable {
  /// Which taxa are asked about.
  package let filter: SearchFilter
  /// In which languages common names are shown.
  package let languages: LanguagePreference
  /// The most rows, or nil for all there are.
  package let limit: Int?
  let format: OutputFormat
  /// The database beside the pack, for a question about what only SQLite has.
  let database: SourceDatabase?
  /// Why the database could not be read, if it was asked in vain.
  package internal(set) var databaseFailure: (any Error)?
  /// What stands between the members of a set in a line.
  package var separator = [UInt8(ascii: "\t")]
  /// The ranks of which each row has a column with the ancestor of that rank.
  package var ranks: [RankColumn] = []
  /// Whether inputs are lines, each of which is answered by a line.
  var isBatch = false
  /// Searches for names.
  var session = SearchSession()
  /// Reads what is searched for.
  var reader = SearchReader()
  /// What a search asks for besides its text.
  var query = SearchQuery("")
  /// The members of a set.
  var taxa: [TaxonOrdinal] = []
  /// What was answered to lines that may come again.
  var memo = RowMemo()

  package init(
    filter: SearchFilter, languages: LanguagePreference, limit: Int?, format: OutputFormat,
    database: SourceDatabase? = nil
  ) {
    self.filter = filter
    self.languages = languages
    self.limit = limit
    self.format = format
    self.database = database
  }

  /// What every thread is told that answers the same question.
  struct Settings: Sendable {
    fileprivate let filter: SearchFilter
    fileprivate let languages: LanguagePreference
    fileprivate let limit: Int?
    fileprivate let format: OutputFormat
    fileprivate let database: SourceDatabase?
    fileprivate let separator: [UInt8]
    fileprivate let ranks: [RankColumn]
  }

  var settings: Settings {
    Settings(
      filter: filter, languages: languages, limit: limit, format: format, database: database,
      separator: separator, ranks: ranks)
  }

  /// The same with memory of its own.
  init(_ settings: Settings) {
    self.init(
      filter: settings.filter, languages: settings.languages, limit: settings.limit,
      format: settings.format, database: settings.database)
    separator = settings.separator
    ranks = settings.ranks
  }
}

/// How inputs are written in JSON.
package enum InputKind {
  /// A text.
  case text
  /// An array of texts.
  case set
  /// A text, or an array of several.
  case textOrSet
}

/// A question: one value for each input, and one list of fields for every format.
///
/// Alone, an answer has a row of cells for each element of its value; in a batch a line answers a line,
/// and the cells of many rows are joined by semicolons; a semicolon within one is `\;`, a backslash `\\`. In JSON an answer is an object of `input`,
/// `status` and the value, whose elements have the same fields.
package protocol Question: Sendable {
  /// What is found for an input.
  associatedtype Value
  /// The columns of a row; those of a batch come after `input` and `status`.
  static var columns: [String] { get }
  /// The member of JSON that holds the rows; nil where the value is one record, which is written into
  /// the answer itself.
  static var list: String? { get }
  static var inputKind: InputKind { get }
  /// Whether JSON needs the database beside the pack.
  static var needsDatabase: Bool { get }
  /// Whether a line of a batch may hold several rows, whose cells are joined.
  static var joinsRows: Bool { get }
  /// Whether an input names taxa, and answers say by which names.
  static var namesTaxa: Bool { get }
  /// Rows of so many bytes or more are remembered, for lines of a batch that come again; shorter ones are sooner
  /// found out anew.
  var leastRememberedByteCount: Int { get }

  /// Prepares what all inputs share; `isBatch` where they are lines.
  func prepare(_ context: inout QuestionContext, isBatch: Bool)
  /// The answer to one input.
  func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<Value>
  /// Whether there is what was asked for.
  func isFound(_ answer: Answer<Value>) -> Bool
  /// The number of rows.
  func rowCount(of value: Value) -> Int
  /// Writes the fields of a row: all `columns` in cells, and in JSON what has fields of its own besides.
  func writeRow(
    _ row: Int, of value: Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter)

  /// The taxon whose ranks a row shows.
  func taxon(ofRow row: Int, of value: Value) -> TaxonOrdinal?
  /// The taxon whose ranks the answer shows once, whatever its rows are; alone, each of its rows.
  func taxon(ofAll value: Value) -> TaxonOrdinal?

  // Requirements, though nobody else implements them: so each is compiled for the question.

  /// Answers one input: with a row in JSON, else with a row for each of the value's.
  func ask(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext,
    _ writer: inout RowWriter
  ) throws -> Answer<Value>
  /// Answers each line of a block with a row.
  func ask(
    _ lines: inout Lines, _ view: borrowing PackView, _ context: inout QuestionContext,
    _ writer: inout RowWriter, _ summary: inout BatchSummary
  ) throws
}

extension Question {
  package static var list: String? { "results" }
  package static var inputKind: InputKind { .text }
  package static var needsDatabase: Bool { false }
  package static var joinsRows: Bool { false }
  package static var namesTaxa: Bool { true }
  package var leastRememberedByteCount: Int { .max }
  package func prepare(_ context: inout QuestionContext, isBatch: Bool) {}
  package func isFound(_ answer: Answer<Value>) -> Bool { answer.isFound }
  package func taxon(ofRow row: Int, of value: Value) -> TaxonOrdinal? { nil }
  package func taxon(ofAll value: Value) -> TaxonOrdinal? { nil }

  package func ask(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext,
    _ writer: inout RowWriter
  ) throws -> Answer<Value> {
    prepare(&context, isBatch: false)
    let answer = answer(input, view, &context)
    if let failure = context.databaseFailure { throw failure }
    if writer.format.isStructured {
      try write(answer, to: input, view, context, &writer)
    } else if let value = answer.value, !(answer.isEmpty && Self.list == nil) {
      for row in 0..<rowCount(of: value) {
        try writer.row {
          writeWithRanks(row, of: value, view, context, to: &$0)
          writeRanksOfAll(value, view, context, to: &$0)
        }
      }
    }
    return answer
  }

  package func ask(
    _ lines: inout Lines, _ view: borrowing PackView, _ context: inout QuestionContext,
    _ writer: inout RowWriter, _ summary: inout BatchSummary
  ) throws {
    // Objects may be handed on before their end.
    let isInCells = writer.format == .tsv || writer.format == .csv
    writer.leastKeptByteCount = isInCells ? leastRememberedByteCount : .max
    while lines.next() {
      if lines.isLineValid, let known = context.memo.entry(for: lines.line) {
        summary.add(isCut: known.isCut, isFound: known.isFound)
        try writer.repeatRow(known.row)
        continue
      }
      let input = QuestionInput(line: lines.line, separator: context.separator)
      let answer = lines.isLineValid ? answer(input, view, &context) : .failed(.invalid)
      let isFound = isFound(answer)
      summary.add(isCut: answer.isCut, isFound: isFound)
      try write(answer, to: input, view, context, &writer)
      if lines.isLineValid, !writer.lastRow.isEmpty {
        context.memo.keep(lines.line, writer.lastRow, isCut: answer.isCut, isFound: isFound)
      }
    }
  }

  private func write(
    _ answer: Answer<Value>, to input: QuestionInput, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, _ writer: inout RowWriter
  ) throws {
    writer.beginRow()
    writeInput(input, to: &writer)
    writer.word("status", answer.status.rawValue)
    if let value = answer.value {
      let count = rowCount(of: value)
      if writer.format.isStructured, let list = Self.list {
        try writer.array(list) { writer in
          for row in 0..<count {
            writer.object { writeWithRanks(row, of: value, view, context, to: &$0) }
            try writer.flushIfFull()
          }
        }
      } else if Self.joinsRows, !writer.format.isStructured {
        writer.join(count) { writeWithRanks($0, of: value, view, context, to: &$1) }
      } else if count > 0 {
        writeWithRanks(0, of: value, view, context, to: &writer)
      }
      writeRanksOfAll(value, view, context, to: &writer)
    }
    Schema.writeCandidates(answer.candidates, view, to: &writer)
    if Self.inputKind != .text { Schema.writeUnknown(answer.unknown, to: &writer) }
    if Self.namesTaxa, answer.value != nil {
      Schema.write(answer.matches, isSet: Self.inputKind != .text, view, to: &writer)
    }
    try writer.endRow()
  }

  private func writeWithRanks(
    _ row: Int, of value: Value, _ view: borrowing PackView, _ context: borrowing QuestionContext,
    to writer: inout RowWriter
  ) {
    writeRow(row, of: value, view, context, to: &writer)
    guard !context.ranks.isEmpty, let taxon = taxon(ofRow: row, of: value) else { return }
    RankColumn.write(context.ranks, of: taxon, view, to: &writer)
  }

  private func writeRanksOfAll(
    _ value: Value, _ view: borrowing PackView, _ context: borrowing QuestionContext,
    to writer: inout RowWriter
  ) {
    guard !context.ranks.isEmpty, let taxon = taxon(ofAll: value) else { return }
    RankColumn.write(context.ranks, of: taxon, view, to: &writer)
  }

  private func writeInput(_ input: QuestionInput, to writer: inout RowWriter) {
    guard writer.format.isStructured, Self.inputKind != .text,
      Self.inputKind == .set || input.memberCount > 1
    else { return writer.text("input") { $0 += input.bytes } }
    writer.array("input") { writer in
      input.forEachMember { member in
        writer.text(nil) { $0 += member }
        return true
      }
    }
  }

  /// The answer about the taxon that an input names; `find` tells what to say about it.
  func answerTaxon(
    _ input: QuestionInput, _ view: borrowing PackView, _ filter: SearchFilter,
    _ find: (TaxonOrdinal) -> Value
  ) -> Answer<Value> {
    let match = TaxonMatch(input.text, view, filter)
    return Answer(
      status: match.status, value: match.taxon.map(find), candidates: match.candidates,
      matches: match.said)
  }

  /// The answer about the taxa of a set, which stand in `context.taxa`; a member that names several taxa
  /// makes it one about nothing, and so does one that names none, unless such are skipped.
  func answerSet(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext,
    _ filter: SearchFilter, skipsUnknown: Bool = false, _ find: ([TaxonOrdinal]) -> Value
  ) -> Answer<Value> {
    var answer = Answer<Value>(status: .exact)
    context.taxa.removeAll(keepingCapacity: true)
    var memberCount = 0
    input.forEachMember { text in
      if let taxon = view.taxon(numbered: text, filter) {
        answer.addExact()
        context.taxa.append(taxon)
        memberCount += 1
        return true
      }
      let match = TaxonMatch(String(decoding: text, as: UTF8.self), view, filter)
      answer.add(match, at: memberCount, skipsUnknown: skipsUnknown)
      if let taxon = match.taxon { context.taxa.append(taxon) }
      memberCount += 1
      return true
    }
    guard answer.status.isFound else { return answer }
    if context.taxa.isEmpty { answer.status = .notFound } else { answer.value = find(context.taxa) }
    return answer
  }
}

extension Answer {
  /// Takes a member of a set into account.
  ///
  /// Whatever their order, one that is no text to ask for says what the set is, then those that name
  /// several taxa, then the first that names none, unless such are skipped; else the first that is not
  /// found by its own name or id.
  mutating func add(_ match: TaxonMatch, at index: Int, skipsUnknown: Bool) {
    if match.taxon == nil {
      unresolved.append(match)
      for taxon in match.candidates where !candidates.contains(taxon) { candidates.append(taxon) }
      let isSkipped = skipsUnknown && match.status != .ambiguous
      if !isSkipped, match.status.precedenceInSet > status.precedenceInSet {
        status = match.status
      }
    } else if match.status != .exact {
      if status == .exact { status = match.status }
      while matches.count < index { matches.append(nil) }
      matches.append(match)
      return
    }
    addExact()
  }

  /// Takes a member into account that is found by its own name or id.
  mutating func addExact() {
    if !matches.isEmpty { matches.append(nil) }
  }
}

/// A list of taxa, as far as the limit lets it go.
package struct TaxonList {
  package let taxa: [TaxonOrdinal]
  /// How many the limit left out.
  package let omittedCount: Int

  /// The taxon that the list as a whole is about.
  let subject: TaxonOrdinal?

  init(_ taxa: [TaxonOrdinal], limit: Int?) {
    self.taxa = Array(taxa.prefix(limit ?? .max))
    omittedCount = taxa.count - self.taxa.count
    subject = nil
  }

  init(_ taxa: [TaxonOrdinal], of subject: TaxonOrdinal) {
    self.taxa = taxa
    omittedCount = 0
    self.subject = subject
  }
}

/// A question whose answer is a list of taxa.
package protocol TaxonListQuestion: Question where Value == TaxonList {}

extension TaxonListQuestion {
  package static var columns: [String] { Schema.listColumns }
  package static var joinsRows: Bool { true }
  package func rowCount(of value: TaxonList) -> Int { value.taxa.count }

  package func writeRow(
    _ row: Int, of value: TaxonList, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    Schema.writeListFields(of: value.taxa[row], view, context.languages, to: &writer)
  }

  package func taxon(ofRow row: Int, of value: TaxonList) -> TaxonOrdinal? { value.taxa[row] }
}
