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

  @Flag(help: "Print an aligned table (the default on a terminal).")
  var table = false

  @Flag(help: "Print no header line.")
  var noHeader = false

  func validate() throws {
    if [json, jsonl, tsv, csv, table].filter({ $0 }).count > 1 {
      throw ValidationError("choose one of --json, --jsonl, --tsv, --csv and --table")
    }
    if noHeader, json || jsonl {
      throw ValidationError("--no-header does nothing with JSON, which has no header line")
    }
  }

  /// What writes rows of `columns` in that form.
  func writer(_ columns: [String]) -> RowWriter {
    let isTable = table || (Terminal.isOutput && !tsv)
    let format: OutputFormat = json ? .json : jsonl ? .jsonl : csv ? .csv : isTable ? .table : .tsv
    return RowWriter(format, columns: columns, header: !noHeader)
  }
}
