import STOLSystem

/// The rows of a file with the taxa of their names, made on a thread of its own while others are kept.
///
/// They come in their order, and what ends the file is thrown behind them. A file of one batch needs no thread; where
/// the reader is not to run ahead, or the system grants none, whoever asks makes the rows.
final class RowsAhead {
  typealias Row = Result<ImportRow, ImportRefusal>

  /// What makes the rows.
  private struct Source {
    let reader: any ImportReader
    let names: ImportNames?

    func next() throws -> Row? {
      guard let row = try reader.next() else { return nil }
      guard let names else { return row }
      return row.map(names.resolve)
    }
  }

  /// Some rows, the last one first, and how the file ended behind them, if it did.
  private struct Batch: Sendable {
    var rows: [Row] = []
    var end: Result<Void, any Error>?
  }

  private struct Batches: Sendable {
    var made: [Batch] = []
    var isOver = false
  }

  private let source: Lent<Source>
  private let batches = Monitor(Batches())
  private var helper: Helper?
  private var isBegun = false
  /// Whether a thread makes batches.
  private var isAhead = false
  /// The rows that are given next; nil where each is made once it is asked for.
  private var batch: Batch?
  /// Their memory is a small multiple of their bytes.
  private static let rowLimit = 128
  private static let byteLimit = 1 << 18
  private static let batchLimit = 2

  init(_ reader: any ImportReader, names: ImportNames?) {
    source = Lent(Source(reader: reader, names: names))
  }

  deinit { finish() }

  /// Ends the thread, after which the reader and the names are their owner's again.
  func finish() {
    batches.withLock { $0.isOver = true }
    batches.wakeAll()
    if let helper = helper.take() { helper.finish() }
  }

  /// The next row, or why it is none; nil at the end of the file.
  ///
  /// - Parameter isEnded: whether nobody wants it any more.
  /// - Returns: the row.
  /// - Throws: what the reader throws, `CancellationError`.
  func next(unless isEnded: () -> Bool) throws -> Row? {
    let row = try next()
    if isEnded() { throw CancellationError() }
    return row
  }

  private func next() throws -> Row? {
    if !isBegun { begin() }
    while batch != nil {
      if let row = batch?.rows.popLast() { return row }
      if let end = batch?.end {
        try end.get()
        return nil
      }
      batch = isAhead ? taken() : Self.batch(of: source.value)
    }
    return try source.value.next()
  }

  /// Makes the first batch, and has others made if there may be any.
  private func begin() {
    isBegun = true
    guard source.value.reader.byteCount != nil else { return }
    let first = Self.batch(of: source.value)
    batch = first
    guard first.end == nil,
      let helper = Helper({ [batches, source] in Self.help(batches, source) })
    else { return }
    self.helper = consume helper
    isAhead = true
  }

  /// The first batch that was made and not yet taken.
  private func taken() -> Batch {
    defer { batches.wakeAll() }
    return batches.wait(until: { !$0.made.isEmpty }) { $0.made.removeFirst() }
  }

  private static func help(_ batches: Monitor<Batches>, _ source: Lent<Source>) {
    while true {
      let batch = batch(of: source.value)
      let goesOn = batches.wait(until: { $0.made.count < batchLimit || $0.isOver }) { batches in
        batches.made.append(batch)
        return !batches.isOver && batch.end == nil
      }
      batches.wakeAll()
      guard goesOn else { return }
    }
  }

  private static func batch(of source: Source) -> Batch {
    var batch = Batch()
    let start = source.reader.byteCount ?? 0
    do {
      while batch.rows.count < rowLimit, (source.reader.byteCount ?? 0) - start < byteLimit {
        guard let row = try source.next() else {
          batch.end = .success(())
          break
        }
        batch.rows.append(row)
      }
    } catch {
      batch.end = .failure(error)
    }
    batch.rows.reverse()
    return batch
  }
}
