import ArgumentParser
import Foundation
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal delete`.
struct DeleteJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete records with what is their own.",
    discussion: """
      An event takes its occurrences along, an organism its occurrences and visits of its own, an occurrence a visit \
      in which nothing else is. Places, events and collections leave what refers to them, which is kept from others \
      then by its own word as it was by theirs. What others may not know because of something that is deleted they do \
      not know later either. All records go in one change, or none does: 'stol journal undo' \
      brings all of it back.

        stol journal delete 0192f3a4-5b6c-7d8e-9fab-cdef01234567
        stol journal list --tag test --no-header | cut -f 1 | stol journal delete --dry-run -
      """)

  @Argument(help: "UUIDs, or \"-\" for lines of the standard input.")
  var ids: [String]

  @Flag(help: "Say what would go; change nothing.")
  var dryRun = false

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  func run() throws {
    let ids = try journalWords(ids).map { try journalID($0) }
    let (batch, deleted) = try journal.open(isDryRun: dryRun).delete(ids, isRehearsal: dryRun)
    var answers = JournalAnswers(self.answers, ["recordCount", "batch"])
    for (id, gone) in zip(ids, deleted) {
      let isChanged = !gone.isEmpty
      try answers.add(
        isChanged ? "deleted" : "unchanged", id,
        ["\(gone.count)", isChanged ? batch.map { "\($0)" } : nil])
    }
    try answers.finish()
  }
}

/// Words of the command line, or the lines of the standard input that are not blank where there is but "-".
private func journalWords(_ words: [String]) throws -> [String] {
  guard words == ["-"] else { return words }
  var found: [String] = []
  var lines = try JournalInputLines()
  try lines.forEach(cells: 1) { line in
    if let problem = line.problem, !line.isText { throw problem }
    found += line.cells.map { $0.trimmed() }
  }
  return found
}

/// The command `stol journal undo`.
struct UndoJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Put back what was there before the last change, or another.",
    discussion: """
      Again, it goes one further back. To have it again, undo the undo by its number.

        stol journal undo
        stol journal undo 12
      """)

  @Argument(
    help: "The number that 'stol journal history' shows (default: that of the last change).")
  var batch: Int64?

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let (undone, by) = try journal.open().undo(batch: batch)
    guard json else { return try writeText("undone\t\(undone)\t\(by)\n") }
    try RowWriter.writeDocument { writer in
      writer.text("outcome", "undone")
      writer.number("batch", Int(undone))
      writer.number("by", Int(by))
    }
  }
}

/// The command `stol journal history`.
struct HistoryJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List what was changed in the last 90 days, the last first.",
    discussion: """
        stol journal history
        stol journal history 0192f3a4-5b6c-7d8e-9fab-cdef01234567
      """)

  @Argument(help: "Only what changed the record with this UUID.")
  var id: String?

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func run() throws {
    let id = try id.map { try journalID($0) }
    var writer = format.writer(["batch", "at", "what", "recordCount", "undoes", "isUndone"])
    for batch in try journal.open().history(of: id) {
      writer.beginRow()
      writer.number("batch", Int(batch.id))
      writer.text(
        "at", timeText(secondsSince1970: Int(batch.at.timeIntervalSince1970.rounded(.down))) + "Z")
      writer.text("what", batch.what)
      writer.number("recordCount", batch.recordCount)
      writer.number("undoes", batch.undoes.map { Int($0) })
      writer.bool("isUndone", batch.isUndone)
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
  }
}

/// The command `stol journal status`.
struct StatusJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say how much there is.",
    discussion: "  stol journal status")

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let pack = try journal.location.open().pack
    let file = try journal.open()
    let figures = try file.keyFigures()
    if json {
      return try RowWriter.writeDocument { writer in
        writer.text("file", file.path)
        writer.number("byteCount", Int(try file.storageBytes()))
        writer.number("placeCount", figures.placeCount)
        writer.number("eventCount", figures.eventCount)
        writer.number("organismCount", figures.organismCount)
        writer.number("sightingCount", figures.sightingCount)
        writer.number("referenceCount", figures.taxonRefCount)
        writer.number("diveCount", figures.diveCount)
        writer.number("diveSeconds", figures.diveSeconds)
        writer.number("maxDepthMm", figures.maxDepthMm)
        writer.list("damagedFiles", file.damagedFiles)
      }
    }
    try writeFacts(
      [
        ("file", file.path), ("bytes", "\(try file.storageBytes())"),
        ("places", "\(figures.placeCount)"), ("events", "\(figures.eventCount)"),
        ("organisms", "\(figures.organismCount)"), ("sightings", "\(figures.sightingCount)"),
        ("species", "\(try file.speciesCount(in: pack))"),
        ("taxon references", "\(figures.taxonRefCount)"), ("dives", "\(figures.diveCount)"),
        ("under water", "\(figures.diveSeconds) s"),
        ("deepest", figures.maxDepthMm.map { "\(DecimalText.text($0, decimals: 3)) m" } ?? "-"),
      ] + file.damagedFiles.map { ("set aside", $0) }, width: 18)
  }
}
