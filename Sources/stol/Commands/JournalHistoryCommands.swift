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
      An event takes its occurrences along, an organism its occurrences and visits of its own. Places and \
      collections leave what refers to them. 'stol journal undo' brings all of it back.

        stol journal delete 0192f3a4-5b6c-7d8e-9fab-cdef01234567
      """)

  @Argument(help: "UUIDs.")
  var ids: [String]

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let ids = try ids.map { try journalID($0) }
    let file = try journal.open()
    var output = ByteOutput()
    for id in ids {
      let (batch, deleted) = try file.delete(id)
      let word = batch.map { "deleted\t\(id)\t\(deleted.count)\t\($0)" } ?? "unchanged\t\(id)\t0\t"
      try output.write(word + "\n")
      try output.flush()
    }
  }
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

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let (undone, by) = try journal.open().undo(batch: batch)
    try writeText("undone\t\(undone)\t\(by)\n")
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
