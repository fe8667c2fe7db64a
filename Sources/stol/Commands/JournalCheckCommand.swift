import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal check`.
struct CheckJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say whether the file is whole and what follows from it is right.",
    discussion: """
      What records say and may be wrong, such as a date still to come, is listed first; it is no fault, and \
      stays as it is. What more than ten records of a kind say of one field is one line with their number: \
      --each lists them, and so do --json and --jsonl, in which nothing else stands. With --rebuild the \
      tables that follow from the records are made anew before.

        stol journal check
        stol journal check --each
      """)

  @Flag(help: "Make what follows from the records anew.")
  var rebuild = false

  @Flag(help: "List each record that may be wrong, however many there are of a kind.")
  var each = false

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  /// So many findings of a kind are listed one by one.
  private static let shownCount = 10

  func validate() throws {
    if each, answers.json || answers.jsonl {
      throw ValidationError("--each does nothing with JSON, in which each is listed anyway")
    }
  }

  func run() throws {
    let file = try journal.open()
    if rebuild { try file.rebuild() }
    let isJSON = answers.json || answers.jsonl
    let faults = try file.check()
    guard faults.isEmpty else {
      if !isJSON { try writeLines(faults.map { Escaping.terminal($0) }) }
      throw CommandFailure(
        .damaged,
        "\(Escaping.terminal(file.path)): \(faults.count) fault\(faults.count == 1 ? "" : "s")"
          + (isJSON ? ", of which the first is \(Escaping.terminal(faults[0]))" : "")
          + (rebuild ? "" : "; try --rebuild"))
    }
    if isJSON { return try write(try file.findings()) }
    if each {
      try writeLines(try file.findings().map(Self.line))
    } else {
      try writeLines(try file.findingGroups(showing: Self.shownCount).flatMap(Self.lines))
    }
    try writeText("ok\n")
  }

  private func write(_ findings: [Finding]) throws {
    var writer = RowWriter(answers.json ? .json : .jsonl)
    for finding in findings {
      writer.beginRow()
      writer.text("finding", finding.kind.rawValue)
      writer.text("kind", finding.recordKind.rawValue)
      writer.text("id", finding.record.description)
      writer.text("field", finding.field)
      writer.text("value", finding.value)
      writer.text("text", finding.text)
      try writer.endRow()
    }
    try writer.finish()
  }

  private static func line(_ finding: Finding) -> String {
    let parts = [
      "finding", finding.kind.rawValue, finding.recordKind.rawValue, "\(finding.record)",
      finding.field, finding.value, finding.text,
    ]
    return parts.map { Escaping.terminal($0) }.joined(separator: "\t")
  }

  /// Each finding of a group in a line, or the group in one.
  private static func lines(_ group: FindingGroup) -> [String] {
    guard group.count > shownCount, let first = group.first.first else {
      return group.first.map(line)
    }
    let parts = [
      "findings", first.kind.rawValue, first.recordKind.rawValue, "\(group.count)", first.field,
      "\(first.value) and others", "\(first.text); --each lists them",
    ]
    return [parts.map { Escaping.terminal($0) }.joined(separator: "\t")]
  }
}
