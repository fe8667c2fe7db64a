extension JournalFile {
  /// Writes records in a format.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - query: which sightings are meant, with all that they refer to; nil for all records.
  ///   - writer: what writes, with its version.
  ///   - write: gets the bytes of the file, one piece after another.
  /// - Returns: what was written, and what the format cannot hold.
  /// - Throws: `StoreError`; what `write` throws.
  /// - Complexity: O(n log n); for JSON and lines memory does not depend on n.
  package func export(
    _ format: ExportFormat, of query: SightingQuery? = nil, by writer: String,
    to write: @escaping ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    var sink = ExportSink(write)
    let report: ExportReport
    switch format {
    case .json, .jsonl:
      report = try JournalJSONExport.write(
        self, query, asDocument: format == .json, by: writer, to: &sink)
    case .csv: return try export(JournalTable.Form.csv, query, write)
    case .tsv: return try export(JournalTable.Form.tsv, query, write)
    case .gpx: report = try GPXExport.write(self, query, by: writer, to: &sink)
    case .treetracker: report = try TreeTrackerExport.write(self, query, to: &sink)
    case .umilog: report = try UmiLogExport.write(self, query, to: &sink)
    }
    try sink.flush()
    return report
  }

  private func export(
    _ form: JournalTable.Form, _ query: SightingQuery?, _ write: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    var report = ExportReport()
    report.add(try JournalTable.write(self, query, as: form, to: write))
    return report
  }
}
