package import STOLData
package import STOLPack

/// The answer to one input.
package struct Answer<Value> {
  package var status: AnswerStatus
  /// What the fields are written from; nil where there is nothing to say.
  package var value: Value?
  /// Whether what was found has nothing of what was asked for: no children, no common ancestor.
  package var isEmpty = false

  /// Whether there is an answer.
  package var isFound: Bool { status.isFound && !isEmpty }

  static func failed(_ status: AnswerStatus) -> Answer { Answer(status: status) }
}

/// What all inputs of a question share, with memory to use again.
package struct QuestionContext: ~Copyable {
  /// Which taxa are asked about.
  package let filter: SearchFilter
  /// In which languages common names are shown.
  package let languages: LanguagePreference
  /// The most rows, or nil for all there are.
  let limit: Int?
  let format: OutputFormat
  /// The database beside the pack, for a question about what only SQLite has.
  let database: SourceDatabase?
  /// Why the database could not be read, if it was asked in vain.
  package internal(set) var databaseFailure: (any Error)?
  /// Searches for names.
  var session = SearchSession()
  /// What a search asks for besides its text.
  var query = SearchQuery("")
  /// The members of a set.
  var taxa: [TaxonOrdinal] = []

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
/// and the cells of many rows are joined by semicolons. In JSON an answer is an object of `input`,
/// `status` and the value, whose elements have the same fields.
package protocol Question {
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

  /// Prepares what all inputs share; `isBatch` where they are lines.
  func prepare(_ context: inout QuestionContext, isBatch: Bool)
  /// The answer to one input.
  func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<Value>
  /// The number of rows.
  func rowCount(of value: Value) -> Int
  /// Writes the fields of a row: all `columns` in cells, and in JSON what has fields of its own besides.
  func writeRow(
    _ row: Int, of value: Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter)

  // Requirements, though nobody else implements them: so each is compiled for the question.

  /// Answers one input: with a row in JSON, else with a row for each of the value's.
  func ask(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext,
    _ writer: inout RowWriter
  ) throws -> Answer<Value>
  /// Answers each line with a row; returns whether anything was found.
  func askAll(
    _ lines: inout LineReader, _ view: borrowing PackView, _ context: inout QuestionContext,
    _ writer: inout RowWriter
  ) throws -> Bool
}

extension Question {
  package static var list: String? { "results" }
  package static var inputKind: InputKind { .text }
  package static var needsDatabase: Bool { false }
  package func prepare(_ context: inout QuestionContext, isBatch: Bool) {}

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
        try writer.row { writeRow(row, of: value, view, context, to: &$0) }
      }
    }
    return answer
  }

  package func askAll(
    _ lines: inout LineReader, _ view: borrowing PackView, _ context: inout QuestionContext,
    _ writer: inout RowWriter
  ) throws -> Bool {
    prepare(&context, isBatch: true)
    var isAnythingFound = false
    while try lines.next(beforeWaiting: { try writer.flush() }) {
      let input = QuestionInput(line: lines.line)
      let answer = lines.isLineValid ? answer(input, view, &context) : .failed(.invalid)
      // A taxon without children is found; taxa of different trees have no ancestor that is.
      let isFound = answer.isFound || answer.status.isFound && Self.list != nil
      isAnythingFound = isAnythingFound || isFound
      try write(answer, to: input, view, context, &writer)
    }
    return isAnythingFound
  }

  private func write(
    _ answer: Answer<Value>, to input: QuestionInput, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, _ writer: inout RowWriter
  ) throws {
    writer.beginRow()
    writeInput(input, to: &writer)
    writer.text("status", answer.status.rawValue)
    if let value = answer.value {
      let count = rowCount(of: value)
      if writer.format.isStructured, let list = Self.list {
        try writer.array(list) { writer in
          for row in 0..<count {
            writer.object { writeRow(row, of: value, view, context, to: &$0) }
            try writer.flushIfFull()
          }
        }
      } else if count == 1 {
        writeRow(0, of: value, view, context, to: &writer)
      } else {
        writer.join(count) { writeRow($0, of: value, view, context, to: &$1) }
      }
    }
    try writer.endRow()
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
    let resolved = view.resolve(input.text, filter: filter)
    return Answer(status: resolved.status, value: resolved.taxon.map(find))
  }

  /// The answer about the taxa of a set, which stand in `context.taxa`.
  func answerSet(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext,
    _ filter: SearchFilter, _ find: ([TaxonOrdinal]) -> Value
  ) -> Answer<Value> {
    var status = AnswerStatus.exact
    context.taxa.removeAll(keepingCapacity: true)
    input.forEachMember { text in
      let resolved = view.resolve(String(decoding: text, as: UTF8.self), filter: filter)
      guard let taxon = resolved.taxon else {
        status = resolved.status
        return false
      }
      context.taxa.append(taxon)
      if resolved.status == .merged { status = .merged }
      return true
    }
    return status.isFound
      ? Answer(status: status, value: find(context.taxa)) : .failed(status)
  }
}

/// A list of taxa, as far as the limit lets it go.
package struct TaxonList {
  package let taxa: [TaxonOrdinal]
  /// How many the limit left out.
  package let omittedCount: Int

  init(_ taxa: [TaxonOrdinal], limit: Int?) {
    self.taxa = Array(taxa.prefix(limit ?? .max))
    omittedCount = taxa.count - self.taxa.count
  }
}

/// A question whose answer is a list of taxa.
package protocol TaxonListQuestion: Question where Value == TaxonList {}

extension TaxonListQuestion {
  package static var columns: [String] { Schema.listColumns }
  package func rowCount(of value: TaxonList) -> Int { value.taxa.count }

  package func writeRow(
    _ row: Int, of value: TaxonList, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    Schema.writeListFields(of: value.taxa[row], view, context.languages, to: &writer)
  }
}
