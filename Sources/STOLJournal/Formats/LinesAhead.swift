import STOLSystem

/// What the lines of a file are.
enum LineForm {
  /// Records.
  case record
  /// Records with when they changed.
  case archive
}

/// Makes records of lines on a thread of its own, batch by batch and in their order.
///
/// A file of one batch needs none, and where the system grants none whoever asks makes the records.
final class LinesAhead {
  typealias Row = Result<ImportRow, ImportRefusal>

  struct Line: Sendable {
    var number: Int
    var bytes: [UInt8]
    /// Whether it has more bytes than a line may have.
    var isCut: Bool
  }

  private struct Batches: Sendable {
    var given: [[Line]] = []
    var made: [[Row]] = []
    /// Whether the thread is making rows of a batch that is in neither list.
    var isAtWork = false
    var isOver = false
  }

  private let batches = Monitor(Batches())
  private let form: LineForm
  private var helper: Helper?
  private var givenCount = 0

  init(_ form: LineForm) { self.form = form }

  deinit {
    batches.withLock { $0.isOver = true }
    batches.wakeAll()
    if let helper = helper.take() { helper.finish() }
  }

  /// Gives a batch to be made rows of.
  func give(_ batch: [Line]) {
    batches.withLock { $0.given.append(batch) }
    batches.wakeAll()
    givenCount += 1
    if givenCount == 2 { helper = Helper { [batches, form] in Self.help(batches, form) } }
  }

  /// The rows of the first batch that was given and not yet taken; there must be one.
  func take() -> [Row] {
    // What nobody has begun with is rather done than waited for.
    let own = batches.wait(until: { !$0.made.isEmpty || !$0.isAtWork }) { batches -> [Line]? in
      batches.made.isEmpty && !batches.given.isEmpty ? batches.given.removeFirst() : nil
    }
    if let own { return Self.rows(of: own, form) }
    return batches.withLock { $0.made.isEmpty ? [] : $0.made.removeFirst() }
  }

  private static func help(_ batches: Monitor<Batches>, _ form: LineForm) {
    while true {
      let batch = batches.wait(until: { !$0.given.isEmpty || $0.isOver }) { batches -> [Line]? in
        guard !batches.isOver else { return nil }
        batches.isAtWork = true
        return batches.given.removeFirst()
      }
      guard let batch else { return }
      let rows = rows(of: batch, form)
      batches.withLock {
        $0.made.append(rows)
        $0.isAtWork = false
      }
      batches.wakeAll()
    }
  }

  private static func rows(of batch: [Line], _ form: LineForm) -> [Row] {
    batch.compactMap { row(of: $0, form) }
  }

  private static func row(of line: Line, _ form: LineForm) -> Row? {
    guard !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
    guard !line.isCut else {
      return .failure(
        ImportRefusal(
          line: line.number, column: "", value: "",
          reason: "more than \(JournalLinesReader.lineLimit) bytes", remedy: "shorten its texts"))
    }
    do {
      let record: JournalRecord
      var moments: RecordMoments?
      switch form {
      case .record: record = try JournalLines.record(line.bytes)
      case .archive:
        let kept = try ArchiveLine.record(line.bytes)
        record = kept.record
        moments = kept.moments
      }
      try record.validate()
      var row = ImportRow(line: line.number, records: [record], keepsNames: true)
      row.moments = moments
      return .success(row)
    } catch {
      return .failure(ImportRefusal(error, line: line.number))
    }
  }
}
