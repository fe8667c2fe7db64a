import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal purge`.
struct PurgeJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge", abstract: "Remove deleted records and the history for good.",
    discussion: """
      What was deleted is kept so that it can be brought back; after a purge nothing that was before it can \
      be undone, and its bytes are overwritten. What goes is listed before you are asked.

        stol journal purge --dry-run
        stol journal purge
      """)

  @Flag(help: "Say what would go, and remove nothing.")
  var dryRun = false

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var journal: JournalOptions

  func run() throws {
    let file = try journal.open()
    let found = try file.purgeable()
    if !dryRun {
      try confirmation.require(
        "Remove \(found.recordCount) deleted records and \(found.batchCount) batches of the history for good?",
        "to remove them for good", command: "stol journal purge")
    }
    let gone = try dryRun ? found : file.purge()
    try writeText("records\t\(gone.recordCount)\nbatches\t\(gone.batchCount)\n")
  }
}
