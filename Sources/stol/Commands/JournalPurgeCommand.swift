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
      be undone, and its bytes are overwritten. What others may not know because of it is said then by the word of what \
      is left, as 'stol journal privacy' sets it. Files of photos that nothing has then are removed. Damaged files that were set aside go too, with their photos. How much goes is \
      said before you are asked; 'stol journal history' lists the batches.

        stol journal purge --dry-run
        stol journal purge
      """)

  @Flag(help: "Say what would go, and remove nothing.")
  var dryRun = false

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var journal: JournalOptions

  func run() throws {
    let file = try journal.open(isDryRun: dryRun)
    let found = try file.purgeable()
    let damaged = file.damagedFiles
    // Without a database nothing is known to be threatened.
    let pack = try? journal.location.open().pack
    if found.recordCount > 0, pack.map(JournalFile.knowsThreats) != true, !journal.quiet {
      writeStandardError(
        "stol: this database says of no taxon that it is threatened: what is kept from others because "
          + "something threatened was deleted with it is kept no longer after this\n")
    }
    if !dryRun {
      let files = "\(damaged.count) damaged file\(damaged.count == 1 ? "" : "s")"
      try confirmation.require(
        "Remove \(found.recordCount) deleted records, \(found.batchCount) batches of the history, "
          + "\(found.fileCount) files of photos and \(files) for good?",
        "to remove them for good", command: "stol journal purge")
    }
    let gone = try dryRun ? found : file.purge(threatsOf: pack)
    try writeText(
      "records\t\(gone.recordCount)\nbatches\t\(gone.batchCount)\nfiles\t\(gone.fileCount)\n")
    try writeLines(damaged.map { "damaged file\t\(Escaping.terminal($0))" })
  }
}
