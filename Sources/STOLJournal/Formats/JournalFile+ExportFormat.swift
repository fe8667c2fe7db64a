package import STOLTrust

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
    case .archive: return try JournalArchive.write(self, query, by: writer, to: write)
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

  /// Writes an archive, sealed with a passphrase where there is one.
  ///
  /// - Parameters:
  ///   - query: which sightings are meant, with all that they refer to; nil for all records.
  ///   - writer: what writes, with its version.
  ///   - passphrase: what opens it; nil for an archive that anybody can read.
  ///   - cost: what each try of a passphrase costs.
  ///   - write: gets the bytes of the file, one piece after another.
  /// - Returns: what was written.
  /// - Throws: `StoreError`, `SealError`; what `write` throws.
  /// - Complexity: O(n log n + bytes of photos); memory does not depend on it.
  package func archive(
    of query: SightingQuery?, by writer: String, sealedWith passphrase: SecretBytes?,
    cost: PassphraseCost = .standard, to write: @escaping ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    guard let passphrase else { return try export(.archive, of: query, by: writer, to: write) }
    let sealed = try SealedWriter(passphrase, cost: cost, write)
    let report = try export(.archive, of: query, by: writer, to: sealed.append)
    try sealed.finish()
    return report
  }
}
