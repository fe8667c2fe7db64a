extension RowImporter {
  /// Makes one of the record of a row and of what is there; the newest groups of both hold.
  func merge(_ row: ImportRow, _ moments: RecordMoments) throws -> ImportedRow {
    guard let record = row.records.first else {
      throw ImportRefusal(
        line: row.line, column: "record", value: "", reason: "is missing", remedy: "give it")
    }
    let outcome: RecordMerger.Outcome
    do {
      outcome = try merger.take(record, moments)
    } catch let error as JournalError {
      throw ImportRefusal(error, line: row.line)
    }
    switch outcome {
    case .new:
      summary.newRecordCount += 1
      if case .identification(let identification) = record {
        summary.namedCount += 1
        if identification.taxon == nil { summary.unresolvedCount += 1 }
      }
    case .updated: summary.updatedRecordCount += 1
    case .same, .deleted: break
    }
    try countWritten(1)
    var flags = row.flags
    if outcome == .new || outcome == .updated {
      flags += RowChecks.flags(of: row.records, nowMs: writer.now, acceptsNullIsland: true)
    }
    var word: ImportedRow.Outcome =
      switch outcome {
      case .new: .new
      case .deleted: .deleted
      case .same: .same
      case .updated: .updated
      }
    if !flags.isEmpty { word = .flagged }
    return ImportedRow(line: row.line, outcome: word, id: record.id, flags: flags, refusal: nil)
  }

  /// Settles what follows from all records of an archive together.
  func finishMerging() throws {
    summary.updatedRecordCount += try merger.finish()
    summary.batch = writer.batch
  }
}
