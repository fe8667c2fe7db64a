import STOLSystem
import STOLTrust
import ArgumentParser
import STOLAnswers
import STOLData
import STOLImport
import STOLPack

/// The command `stol db import`.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Install a signed database as the reference database.",
    discussion: """
      Checks signature, checksums, schema and every page before anything changes; whatever goes wrong, \
      the reference that was installed stays as it was. Queries then go to the new one.

        stol db import TAXA.stol
        stol db import TAXA.stol --key release.pub
        stol db import OLDER.stol --allow-downgrade
      """)

  @Argument(help: "The container.", completion: .file(extensions: ["stol"]))
  var container: String

  @Option(
    help: ArgumentHelp("Trust this key, and no other, this once.", valueName: "file"),
    completion: .file(extensions: ["pub"]))
  var key: String?

  @Flag(help: "Take an older release, or the same release with another content.")
  var allowDowngrade = false

  @Flag(help: "Take another dataset than the one that is installed.")
  var replace = false

  @Flag(help: "Install only; queries go on to the database they go to now.")
  var noActivate = false

  @OptionGroup var reference: ReferenceOptions

  func run() throws {
    var options = ReferenceImport.Options()
    options.allowsDowngrade = allowDowngrade
    options.allowsOtherDataset = replace
    options.activates = !noActivate
    let keyring = try Keyring.chosen(key, orKeptIn: reference.directory.keys)
    let start = ContinuousClock.now
    let work = ReferenceImport(
      of: container, into: reference.directory, trusting: keyring, options: options)
    let installed = try Progress.interruptible(quiet: reference.quiet) { progress in
      try about(container) {
        try work.run { step in
          let percent = Int(step.fractionCompleted * 100)
          try progress.step("\(percent) % \(step.stage.rawValue) ...")
        }
      }
    }
    guard !reference.quiet else { return }
    let seconds = ((ContinuousClock.now - start) / .seconds(1)).decimalText
    writeStandardError(
      "\(installed.title), \(installed.isActive ? "active" : "not active"), \(seconds) s\n")
  }
}

/// The command `stol db activate`.
struct ActivateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activate", abstract: "Send queries to the reference database.",
    discussion: "  stol db activate")

  @OptionGroup var reference: ReferenceOptions

  func run() throws { try reference.setActive(true) }
}

/// The command `stol db deactivate`.
struct DeactivateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deactivate", abstract: "Send queries to the built-in database.",
    discussion: "  stol db deactivate")

  @OptionGroup var reference: ReferenceOptions

  func run() throws { try reference.setActive(false) }
}

/// The command `stol db delete`.
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete the reference database.",
    discussion: """
      The built-in database, which is never deleted, answers afterwards.

        stol db delete
        stol db delete --yes
      """)

  @OptionGroup var confirmation: ConfirmationOptions

  @OptionGroup var reference: ReferenceOptions

  func run() throws {
    // A damaged state is deleted too.
    let title = (try? reference.store.installed())?.title ?? "the reference database"
    try confirmation.require(
      "Delete \(title)? The built-in database will answer.", "to delete \(title)",
      command: "stol db delete")
    try reference.store.delete()
    if !reference.quiet { writeStandardError("reference database: not installed\n") }
  }
}

/// The command `stol db status`.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say which databases are there and which one answers.",
    discussion: """
        stol db status
        stol db status --json
      """)

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var reference: ReferenceOptions

  func run() throws {
    let store = reference.store
    store.recover()
    let active = try DatabaseSnapshot(
      in: reference.directory, onFallback: { writeStandardError("stol: \($0)\n") })
    // Where the state is damaged, that has been said.
    let installed = try? store.installed()
    if json {
      try writeJSON(active, installed)
      return
    }
    var rows = [
      ("answers", active.source == .bundled ? "built-in" : "reference"),
      ("taxa", "\(active.pack.taxonCount)"), ("pack", active.packPath),
      ("database", active.databasePath),
    ]
    if let installed {
      rows += [
        ("reference", installed.isActive ? "active" : "installed, not active"),
        ("dataset", installed.dataset ?? "not stated"),
        ("release", installed.releaseNumber > 0 ? "\(installed.releaseNumber)" : "not stated"),
        ("built", installed.buildTime ?? "not stated"), ("key", installed.keyID),
        ("sha256", installed.digest),
      ]
    } else {
      rows.append(("reference", "not installed"))
    }
    try writeFacts(rows, width: 11)
  }

  private func writeJSON(_ active: DatabaseSnapshot, _ installed: InstalledReference?) throws {
    try RowWriter.writeDocument { writer in
      writer.text("active", active.source == .bundled ? "bundled" : "reference")
      writer.number("taxa", active.pack.taxonCount)
      writer.number("schemaVersion", active.pack.schemaVersion)
      writer.text("pack", active.packPath)
      writer.text("database", active.databasePath)
      Schema.write("reference", installed, to: &writer)
    }
  }
}

/// Where the reference database is kept.
struct ReferenceOptions: ParsableArguments {
  @OptionGroup var home: HomeOptions

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  var directory: DataDirectory { home.directory }
  var store: ReferenceStore { ReferenceStore(in: directory) }

  /// Switches and says so.
  func setActive(_ isActive: Bool) throws {
    store.recover()
    let installed = try store.setActive(isActive)
    guard !quiet else { return }
    writeStandardError(
      "\(installed.title): \(isActive ? "active" : "not active; the built-in database answers")\n")
  }
}

extension InstalledReference {
  /// The reference in a few words.
  fileprivate var title: String { "reference database \(datasetTitle ?? "without a name")" }
}
