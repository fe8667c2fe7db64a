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

      The files of photos are read too: one that is missing or another one is a fault. A file that no photo \
      has is listed as an orphan, and --rebuild removes it, unless a damaged file was set aside, whose it may be.

      A damaged file is left as it is, by every command: all of them end with exit code 3, and this one \
      lists what is damaged. Put a backup in its place, or let --set-aside keep it as \
      journal.damaged-1.sqlite (or the next number that is free) and begin an empty journal; a file that is \
      whole is not set aside. Files that were set aside are listed until a purge.

        stol journal check
        stol journal check --each
        stol journal check --set-aside
      """)

  @Flag(help: "Make what follows from the records anew.")
  var rebuild = false

  @Flag(help: "List each record that may be wrong, however many there are of a kind.")
  var each = false

  @Flag(help: "Keep a damaged file under another name, and begin an empty journal.")
  var setAside = false

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
    let isJSON = answers.json || answers.jsonl
    let directory = try journal.location.home.directory
    let passphrase = try journal.openingPassphrase()
    if setAside, try JournalFile.setAside(in: directory, passphrase: { passphrase }) == nil,
      !journal.quiet
    {
      writeStandardError("stol: the file is not damaged: nothing was set aside\n")
    }
    let file: JournalFile
    do {
      file = try journal.open(with: passphrase)
    } catch let error as any StolError where error.kind == .damaged {
      if !isJSON {
        try writeLines(
          try JournalFile.damage(in: directory, passphrase: { passphrase })
            .map { "file: " + Escaping.terminal($0) })
      }
      throw error
    }
    if rebuild {
      try file.rebuild()
      // The photos of a journal that was set aside are needed once somebody mends that.
      let removed = file.damagedFiles.isEmpty ? try file.removeOrphans() : []
      if !removed.isEmpty, !journal.quiet {
        writeStandardError(
          "stol: removed \(removed.count) file\(removed.count == 1 ? "" : "s") that no photo has\n")
      }
    }
    let media = try file.checkMedia()
    let faults = try file.check() + media.faults
    let told = faults.map { Escaping.terminal($0) }
    if !isJSON {
      try writeLines(told)
    } else if !journal.quiet {
      for fault in told { writeStandardError("stol: \(fault)\n") }
    }
    guard faults.isEmpty else {
      // Of a damaged file not all can be read; that it is damaged is what is said then.
      try? writeRest(file, media, isJSON: isJSON)
      throw CommandFailure(
        .damaged,
        "\(Escaping.terminal(file.path)): \(faults.count) fault\(faults.count == 1 ? "" : "s")"
          + remedy(of: faults))
    }
    try writeRest(file, media, isJSON: isJSON)
    if !isJSON { try writeText("ok\n") }
  }

  /// Writes what is no fault.
  private func writeRest(_ file: JournalFile, _ media: MediaReport, isJSON: Bool) throws {
    if isJSON { return try write(try file.findings()) }
    try writeLines(file.damagedFiles.map { "set aside\t\(Escaping.terminal($0))" })
    try writeLines(media.orphans.map { "orphan\t\(Escaping.terminal($0))" })
    if each {
      try writeLines(try file.findings().map(Self.line))
    } else {
      try writeLines(try file.findingGroups(showing: Self.shownCount).flatMap(Self.lines))
    }
  }

  private func remedy(of faults: [String]) -> String {
    if faults.contains(where: { $0.hasPrefix("file: ") }) {
      return "; it is left as it is: put a backup in its place, or try --set-aside"
    }
    if faults.allSatisfy({ $0.hasPrefix("media: ") }) { return "" }
    return rebuild ? "" : "; try --rebuild"
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
