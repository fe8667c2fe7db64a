/// Writes records as one JSON document or as lines.
enum JournalJSONExport {
  /// What the member `format` of a document says.
  static let formatName = "stol-journal"
  /// The version of the layout.
  static let version = 1

  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, asDocument: Bool,
    by writer: String, to sink: inout ExportSink
  ) throws -> ExportReport {
    var report = ExportReport()
    if asDocument {
      let by = try JSONText.quoted(writer)
      try sink.append(
        "{\"format\":\"\(formatName)\",\"version\":\(version),\"writer\":\(by),\"records\":[")
    }
    var count = 0
    try journal.forEachRecord(of: query, by: sharing) { record in
      let line = try JournalLines.line(of: record)
      try sink.append(asDocument ? (count == 0 ? "\n" : ",\n") + line : line + "\n")
      count += 1
      report.add(record.record, isObscured: record.isObscured)
    }
    if asDocument { try sink.append("\n]}\n") }
    report.add("records", count)
    return report
  }
}
