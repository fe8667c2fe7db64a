import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem
import STOLTrust

/// The command `stol journal lock`.
struct LockJournalCommand: ParsableCommand {
  /// So many files are named that stay readable.
  private static let toldCount = 50

  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Encrypt the journal and its photos with a passphrase.",
    discussion: """
      From then on every command asks for the passphrase, or reads it from --journal-passphrase-file, which takes a \
      second. A recovery code is printed on the standard output: it opens the journal where the passphrase is lost. \
      Write it down and keep it elsewhere: who has lost both cannot open the journal, and nobody can help.

      What is written anew takes the place of what was there once all of it is whole. An interrupted lock goes on, or \
      back, with the next command. What others can still see are the number and the sizes of the files, and when they \
      changed; what was in the free space of the disk stays there until the disk uses it again.

      Archives that were written unsealed, and exports, are not the journal's, and stay readable: those in its folder, \
      and in folders there such as backup, are named, so that you can delete or move them; it knows of no others.

        stol journal lock
      """)

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let directory = try journal.location.home.directory
    if try JournalLock.isLocked(in: directory) { throw JournalError.alreadyLocked }
    let passphrase = try journal.passphrase(isNew: true)
    TemporaryFiles.removeWhenInterrupted()
    let progress = Progress(quiet: journal.quiet)
    defer { progress.finish() }
    let left = try JournalLock.lock(
      in: directory, passphrase: passphrase, onFile: { progress.show("lock: \($0) files") }
    ) { code in
      progress.finish()
      try writeLines([code])
    }
    guard !journal.quiet else { return }
    writeStandardError("stol: the journal is locked; the line above is its recovery code\n")
    for path in left.prefix(Self.toldCount) {
      writeStandardError("stol: \(Escaping.terminal(path)) stays readable: delete it, or move it\n")
    }
    if left.count > Self.toldCount {
      writeStandardError("stol: and so do \(left.count - Self.toldCount) other files there\n")
    }
  }
}

/// The command `stol journal unlock`.
struct UnlockJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Decrypt the journal and its photos.",
    discussion: """
      All that 'stol journal lock' encrypted is written anew as it was. An interrupted unlock goes on, or back, with \
      the next command. A damaged journal that was set aside while it was locked stays encrypted, and needs the keys: \
      as long as it lies there nothing is unlocked.

        stol journal unlock
      """)

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let directory = try journal.location.home.directory
    guard try JournalLock.isLocked(in: directory) else { throw JournalError.notLocked }
    let passphrase = try journal.passphrase(isNew: false)
    TemporaryFiles.removeWhenInterrupted()
    let progress = Progress(quiet: journal.quiet)
    defer { progress.finish() }
    try JournalLock.unlock(
      in: directory, passphrase: passphrase, onFile: { progress.show("unlock: \($0) files") })
    progress.finish()
    guard !journal.quiet else { return }
    writeStandardError("stol: the journal is not locked any more\n")
    let lost = try journal.open().lostFileCount()
    guard lost > 0 else { return }
    writeStandardError(
      "stol: \(lost) \(lost == 1 ? "file of a photo was" : "files of photos were") gone before: "
        + "'stol journal check' names them\n")
  }
}

/// The command `stol journal passphrase`.
struct PassphraseJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passphrase",
    abstract: "Give a locked journal another passphrase.",
    discussion: """
      Nothing of the journal is written anew but the file of its keys: who has an old copy of that file and the old \
      passphrase can still open the journal. Unlock it and lock it again to have other keys.

        stol journal passphrase
        stol journal passphrase --recovery-code
      """)

  @Flag(help: "Open the journal by its recovery code: the passphrase is lost.")
  var recoveryCode = false

  @Option(
    help: ArgumentHelp(
      "Read the recovery code from the first line of a file, or of the standard input for -.",
      valueName: "file"),
    completion: .file())
  var recoveryCodeFile: String?

  @Option(
    help: ArgumentHelp(
      "Read the new passphrase from the first line of a file, or of the standard input for -.",
      valueName: "file"),
    completion: .file())
  var newPassphraseFile: String?

  @Flag(help: "Print a new recovery code; the old one opens nothing then.")
  var newRecoveryCode = false

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let directory = try journal.location.home.directory
    guard try JournalLock.isLocked(in: directory) else { throw JournalError.notLocked }
    let opener: JournalLock.Opener
    if recoveryCode || recoveryCodeFile != nil {
      opener = .recoveryCode(
        try PassphraseOptions.read(
          recoveryCodeFile, isNew: false, option: "--recovery-code-file",
          prompt: "Recovery code: "))
    } else {
      opener = .passphrase(try journal.passphrase(isNew: false))
    }
    let new = try PassphraseOptions.read(
      newPassphraseFile, isNew: true, option: "--new-passphrase-file")
    try JournalLock.change(
      in: directory, openedBy: opener, to: new,
      showing: newRecoveryCode ? { code in try writeLines([code]) } : nil)
    guard !journal.quiet else { return }
    writeStandardError(
      "stol: the journal has a new passphrase"
        + (newRecoveryCode ? "; the line above is its recovery code\n" : "\n"))
  }
}
