import ArgumentParser
import STOLAnswers
import STOLSystem

/// In which form a command that is no query writes rows.
struct RowFormatOptions: ParsableArguments {
  @Flag(help: "Print one JSON value.")
  var json = false

  @Flag(help: "Print one JSON object a line.")
  var jsonl = false

  @Flag(help: "Print tab-separated values (the default in a pipe).")
  var tsv = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  @Flag(help: "Print no header line.")
  var noHeader = false

  func validate() throws {
    if [json, jsonl, tsv, csv].filter({ $0 }).count > 1 {
      throw ValidationError("choose one of --json, --jsonl, --tsv and --csv")
    }
    if noHeader, json || jsonl {
      throw ValidationError("--no-header does nothing with JSON, which has no header line")
    }
  }

  /// What writes rows of `columns` in that form.
  func writer(_ columns: [String]) -> RowWriter {
    let format: OutputFormat =
      json ? .json : jsonl ? .jsonl : csv ? .csv : Terminal.isOutput && !tsv ? .table : .tsv
    return RowWriter(format, columns: columns, header: !noHeader)
  }
}
