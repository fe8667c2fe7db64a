import STOLData
package import STOLPack
import STOLSystem

/// What became of the lines of a batch.
package struct BatchSummary: Sendable {
  package private(set) var lineCount = 0
  /// How many lines the limit left rows or candidates out of.
  package private(set) var cutLineCount = 0
  package private(set) var isAnythingFound = false

  mutating func add(isCut: Bool, isFound: Bool) {
    lineCount += 1
    if isCut { cutLineCount += 1 }
    isAnythingFound = isAnythingFound || isFound
  }

  fileprivate mutating func add(_ other: BatchSummary) {
    lineCount += other.lineCount
    cutLineCount += other.cutLineCount
    isAnythingFound = isAnythingFound || other.isAnythingFound
  }
}

extension Question {
  /// Answers each line of a file, or for nil of the standard input, with a row, in their order, on so many
  /// threads at most.
  ///
  /// Each thread takes the next lines that are there, answers them, and hands the rows on in its turn. The
  /// first takes what there is and waits for more; only where more lines are there already does another
  /// thread help, so that answers never wait for a producer that is slow.
  package func askAll(
    linesOf path: String?, _ pack: Pack, _ context: inout QuestionContext,
    _ writer: inout RowWriter, threadCount: Int
  ) throws -> BatchSummary {
    let batch = try Batch(
      self, linesOf: path, pack, context.settings, writer.format, writer.columns,
      threadCount: threadCount)
    batch.answer(1, &context, &writer)
    let summary = try batch.finish()
    context.databaseFailure = summary.databaseFailure
    return summary.lines
  }
}

/// What the threads share that answer the lines of a batch.
private final class Batch<Asked: Question>: Sendable {
  private struct Input: ~Copyable {
    var lines: LineBlocks
    /// The number of the block that is taken next.
    var next = 0
    /// How many bytes of lines are taken at most: as many as make an answer of a moderate length.
    var longestByteCount = 1 << 14
    /// Why no lines can be read any more.
    var failure: (any Error)?
    var isAtEnd = false
  }

  struct Outcome: Sendable {
    var lines = BatchSummary()
    var databaseFailure: (any Error)?
    /// The block in which the database failed last.
    var failedBlock = -1
  }

  private let question: Asked
  private let pack: Pack
  private let settings: QuestionContext.Settings
  private let format: OutputFormat
  private let columns: [String]
  private let threadCount: Int
  private let input: Monitor<Input>
  private let turns: Turns
  /// Ends a wait for input when there is nobody left who reads answers; nil where one thread does all.
  private let alarm: InputAlarm?
  private let outcome = Locked(Outcome())

  /// The least that is taken, at first: few lines may be much work.
  private static var leastByteCount: Int { 1 << 10 }
  /// About how long the answer to a block should be.
  private static var wantedAnswerByteCount: Int { 1 << 18 }

  init(
    _ question: Asked, linesOf path: String?, _ pack: Pack,
    _ settings: QuestionContext.Settings, _ format: OutputFormat, _ columns: [String],
    threadCount: Int
  ) throws {
    self.question = question
    self.pack = pack
    self.settings = settings
    self.format = format
    self.columns = columns
    let alarm = threadCount > 1 ? InputAlarm() : nil
    self.alarm = alarm
    self.threadCount = alarm == nil ? 1 : threadCount
    input = Monitor(Input(lines: try LineBlocks(path: path, alarm: alarm)))
    turns = Turns(capacity: 2 * threadCount)
  }

  /// Answers blocks of lines until there are no more, as the thread with this number.
  func answer(_ number: Int, _ context: inout QuestionContext, _ writer: inout RowWriter) {
    question.prepare(&context, isBatch: true)
    context.memo = RowMemo()
    let pack = pack
    let view = pack.view
    var lines = Lines()
    var summary = BatchSummary()
    var helper: Helper?
    var failedBlock = -1
    do {
      while let (block, isMore) = take(&lines.block) {
        if isMore, helper == nil, number < threadCount { helper = Helper { self.help(number + 1) } }
        let byteCount = lines.block.count
        lines.start()
        writer.beginBlock(block, turns)
        let known = context.databaseFailure
        context.databaseFailure = nil
        try question.ask(&lines, view, &context, &writer, &summary)
        if context.databaseFailure == nil {
          context.databaseFailure = known
        } else {
          failedBlock = block
        }
        learn(byteCount, answeredIn: try writer.endBlock())
      }
    } catch {
      // Who has given up for the sake of another's failure has none.
      if !(error is Turns.GivenUp) { turns.fail(error) }
      alarm?.ring()
    }
    let failure = context.databaseFailure
    outcome.withLock { [summary, failedBlock] outcome in
      outcome.lines.add(summary)
      if failedBlock > outcome.failedBlock {
        outcome.databaseFailure = failure
        outcome.failedBlock = failedBlock
      }
    }
    helper?.finish()
  }

  private func help(_ number: Int) {
    var context = QuestionContext(settings)
    var writer = RowWriter(continuing: format, columns: columns)
    answer(number, &context, &writer)
  }

  /// Takes the next lines, waiting for them where there are none yet.
  ///
  /// - Returns: the number of the block, and whether others could be taken now; nil where nothing is left.
  private func take(_ block: inout [UInt8]) -> (number: Int, isMore: Bool)? {
    input.withLock { input in
      guard !input.isAtEnd else { return nil }
      // Small blocks first, so that few lines are work for all.
      let wanted = Self.leastByteCount << min(input.next / threadCount, 4)
      do {
        let limit = min(wanted, input.longestByteCount)
        input.isAtEnd = try !input.lines.read(into: &block, limit: limit)
      } catch {
        input.failure = error
        input.isAtEnd = true
      }
      guard !input.isAtEnd else { return nil }
      defer { input.next += 1 }
      return (input.next, input.lines.hasLine)
    }
  }

  /// Learns from the length of an answer how many lines should be taken.
  private func learn(_ byteCount: Int, answeredIn answerByteCount: Int) {
    guard threadCount > 1 else { return }
    let fitting = byteCount * Self.wantedAnswerByteCount / max(answerByteCount, 1)
    input.withLock { $0.longestByteCount = min(max(fitting, 1), 1 << 14) }
  }

  /// What became of all lines, when every thread is done.
  func finish() throws -> Outcome {
    if let failure = turns.failure { throw failure }
    if let failure = input.withLock({ $0.failure }) { throw failure }
    return outcome.withLock { $0 }
  }
}
