import STOLAnswers
import STOLJournal
import STOLSystem

/// Says what became of the rows of a file that is imported.
///
/// Where a form of rows was asked for, there is a row for each thing to say of a row, and one for a row of which there
/// is nothing; else there are counts, and on the standard error the first rows that need a look. Where quiet was asked
/// for only what was refused is said.
final class ImportReport {
  private var writer: RowWriter
  private let hasRows: Bool
  private let header: Bool
  private let quiet: Bool
  private var toldCount = 0
  private static let toldLimit = 20

  init(_ options: RowFormatOptions, quiet: Bool) {
    self.quiet = quiet
    hasRows = options.json || options.jsonl || options.tsv || options.csv
    header = !options.noHeader
    writer = options.writer(
      hasRows
        ? ["line", "outcome", "id", "column", "value", "reason", "remedy"] : ["outcome", "rows"])
  }

  func add(_ row: ImportedRow) throws {
    guard hasRows else { return tell(row) }
    if let refusal = row.refusal {
      try write(row, refusal.column, refusal.value, refusal.reason, refusal.remedy)
    } else if row.flags.isEmpty {
      try write(row, nil, nil, nil, nil)
    }
    for flag in row.flags { try write(row, flag.column, flag.value, flag.reason, nil) }
  }

  private func write(
    _ row: ImportedRow, _ column: String?, _ value: String?, _ reason: String?, _ remedy: String?
  ) throws {
    writer.beginRow()
    writer.number("line", row.line)
    writer.text("outcome", row.outcome.rawValue)
    writer.text("id", row.id?.description)
    writer.text("column", column)
    writer.text("value", value)
    writer.text("reason", reason)
    writer.text("remedy", remedy)
    try writer.endRow()
  }

  private func tell(_ row: ImportedRow) {
    var lines: [String] = []
    if let refusal = row.refusal { lines.append("\(refusal.description) (refused)") }
    // What is kept is no error.
    for flag in quiet ? [] : row.flags {
      let place = [
        "line \(row.line)", flag.column, flag.value.isEmpty ? "" : "'\(flag.value.prefix(80))'",
      ]
      lines.append(
        place.filter { !$0.isEmpty }.joined(separator: ", ")
          + " \(flag.reason) (\(row.outcome.rawValue))")
    }
    for line in lines {
      toldCount += 1
      guard toldCount <= Self.toldLimit else { return }
      writeStandardError("stol: \(Escaping.terminal(line))\n")
    }
  }

  /// What was counted: "species (2), list_state (1)".
  private static func words(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
  }

  func finish(_ summary: ImportSummary, isDryRun: Bool) throws {
    if !hasRows, !quiet {
      for outcome in ImportedRow.Outcome.allCases {
        writer.beginRow()
        writer.text("outcome", outcome.rawValue)
        writer.number("rows", summary.rowCounts[outcome] ?? 0)
        try writer.endRow()
      }
    }
    if hasRows || !quiet { try writer.present(header: header) }
    if toldCount > Self.toldLimit {
      writeStandardError(
        "stol: and \(toldCount - Self.toldLimit) more: --jsonl has all of them\n")
    }
    guard !quiet else { return }
    let leftOut = Self.words(summary.beside.leftOut)
    if !leftOut.isEmpty {
      writeStandardError("stol: not kept as it is: \(Escaping.terminal(leftOut))\n")
    }
    var words = [
      "\(summary.rowCount) \(summary.rowCount == 1 ? "row" : "rows")",
      "\(summary.newRecordCount) new \(summary.newRecordCount == 1 ? "record" : "records")",
      "\(summary.updatedRecordCount) updated",
    ]
    if !summary.beside.joined.isEmpty {
      words.append("taking in rows of \(Self.words(summary.beside.joined))")
    }
    if summary.ownSharedCount > 0 {
      words.append(
        "\(summary.ownSharedCount) are what this journal gave away, of which it knows more itself"
      )
    }
    if summary.namelessCount > 0 {
      let rows = summary.namelessCount == 1 ? "row" : "rows"
      words.append("\(summary.namelessCount) \(rows) without a name")
    }
    if summary.unresolvedCount > 0 {
      words.append(
        "\(summary.unresolvedCount) of \(summary.namedCount) named sightings without a taxon: "
          + "'stol journal names' lists the names")
    }
    let kept =
      summary.batch.map { "'stol journal undo \($0)' undoes it" } ?? "nothing changed"
    let end = isDryRun ? "nothing was kept" : kept
    writeStandardError("stol: \((words + [end]).joined(separator: "; "))\n")
  }
}
