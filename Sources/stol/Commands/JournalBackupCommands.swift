import ArgumentParser
import Foundation
import STOLAnswers
import STOLData
import STOLJournal
import STOLSystem
import STOLTrust

/// How an archive is sealed.
struct SealOptions: ParsableArguments {
  @Flag(help: "Write an archive that anybody can read, and ask for no passphrase.")
  var unsealed = false

  @OptionGroup var passphrase: PassphraseOptions

  /// Whether anything is said of it.
  var isChosen: Bool { unsealed || passphrase.passphraseFile != nil }

  func validate() throws {
    if unsealed, passphrase.passphraseFile != nil {
      throw ValidationError("choose one of --unsealed and --passphrase-file")
    }
  }

  /// A new passphrase; nil for an archive that anybody can read.
  func new() throws -> SecretBytes? { unsealed ? nil : try passphrase.read(isNew: true) }
}

/// The command `stol journal backup`.
struct BackupJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write all of the journal, with its photos, to one sealed file.",
    discussion: """
      Every record as exactly as the journal knows it, and the files of its photos, whatever is marked as \
      private: an archive, sealed with a passphrase. Who has lost that cannot open it, and nobody can help. What \
      was deleted is in it until a purge, so that another copy of the journal learns of that; the history is \
      not. The same journal always gives the same archive, but for \
      the seal.

      Without -o it is put into the folder backup beside the journal, named after the time by the clock of this \
      computer; a copy on another disk is the one that helps. A file that is there is left alone without --force.

        stol journal backup -o /media/stick/journal.stoljournal
        stol journal restore /media/stick/journal.stoljournal --dry-run
      """)

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file to write, or the folder to put it into (default: the folder backup beside the journal).",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Write over a file that is there.")
  var force = false

  @OptionGroup var seal: SealOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if output == "-" {
      throw ValidationError(
        "a backup is a file: 'stol journal export --format archive' writes to the standard output")
    }
  }

  func run() throws {
    let file = try journal.open()
    let path = try self.path()
    let passphrase = try seal.new()
    TemporaryFiles.removeWhenInterrupted()
    let target = try ExportFile(path)
    let report = try Progress.interruptible(quiet: journal.quiet) { progress in
      var byteCount: Int64 = 0
      return try file.archive(
        of: nil, by: "stol \(Version.stol)", sealedWith: passphrase
      ) { bytes in
        byteCount += Int64(bytes.count)
        try progress.step("backup: \(byteCount >> 20) MiB")
        try target.append(bytes)
      }
    }
    try target.finish()
    guard !journal.quiet else { return }
    let first = "\(report.lines[0]) to \(path)"
    for line in [first] + report.lines.dropFirst() {
      writeStandardError("stol: \(Escaping.terminal(line))\n")
    }
  }

  private func path() throws -> String {
    let folder = try journal.location.home.directory.journal + "/backup"
    let chosen = output ?? folder
    if output == nil { try createFolder(folder) }
    return try exportPath(chosen, .archive, collection: nil, force: force)
  }
}

/// The command `stol journal restore`.
struct RestoreJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Take back what 'backup' wrote, once all of it is known to be whole.",
    discussion: """
      The archive is read twice: first all of it is looked at and nothing is kept, and what would become of its \
      records is said; then, once you agree, they are kept as one change, which 'stol journal undo' undoes. \
      Of a record that both have, position, names, counts, texts and the like each are what they were changed to \
      last, there or here, so that two copies of a journal become one whichever takes the other first. What was \
      deleted stays so unless it was changed later, or something live needs it. With --update what the archive \
      says holds, though it is older.

      Into an empty journal all of it goes, and a backup of that is the same again.

        stol journal restore journal.stoljournal --dry-run
        stol journal restore journal.stoljournal
      """)

  @Argument(help: "The archive.", completion: .file())
  var file: String

  @Flag(help: "Let what the archive says hold against later changes.")
  var update = false

  @Flag(help: "Say what would become of it, and keep nothing.")
  var dryRun = false

  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var rows: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func run() throws {
    let pack = try journal.location.open().pack
    let journalFile = try journal.open(isDryRun: dryRun)
    var options = ImportOptions()
    options.updates = update
    let names = ImportNames(in: pack, accept: options.accept)
    let lost = try journalFile.lostFileCount()
    var secret: SecretBytes?
    func take(_ options: ImportOptions, _ report: ImportReport?) throws -> ImportSummary {
      let source = try OpenImport(
        archiveAt: file, into: journalFile, options,
        passphrase: {
          if let secret { return secret }
          let typed = try passphrase.read(isNew: false)
          secret = typed
          return typed
        })
      return try Progress.interruptible(quiet: journal.quiet) { progress in
        var count = 0
        return try journalFile.importing(source.reader, options, names: names) { row in
          count += 1
          if count % 256 == 0 { try progress.step("restore: \(count) records") }
          try report?.add(row)
        }
      }
    }
    let summary = try about(file) {
      var rehearsal = options
      rehearsal.isDryRun = true
      let report = ImportReport(rows, quiet: journal.quiet)
      let found = try take(rehearsal, report)
      if dryRun {
        try report.finish(found, isDryRun: true)
        return found
      }
      let refused = found.rowCounts[.refused] ?? 0
      try confirmation.require(
        "Of \(found.rowCount) records in the archive, add \(found.newRecordCount), change "
          + "\(found.updatedRecordCount) and refuse \(refused)?",
        "to restore it", command: "stol journal restore \(file)")
      let kept = try take(options, nil)
      try report.finish(kept, isDryRun: false)
      return kept
    }
    if lost > 0, !dryRun, !journal.quiet {
      let count = try lost - journalFile.lostFileCount()
      let words =
        count == 1 ? "file of a photo that was gone is" : "files of photos that were gone are"
      if count > 0 { writeStandardError("stol: \(count) \(words) back\n") }
    }
    if let count = summary.rowCounts[.refused] {
      throw CommandFailure(
        .usage,
        "\(count) of \(summary.rowCount) records refused" + (dryRun ? "" : "; the others are kept"))
    }
  }
}
