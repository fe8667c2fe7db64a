import STOLSystem
import STOLTrust
import ArgumentParser
import STOLAnswers
import STOLData
import STOLFavorites
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
        stol db import TAXA.stol --dry-run
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

  @Flag(help: "Install only; where a reference answers, the new one answers in its place.")
  var noActivate = false

  @OptionGroup var forecast: ForecastOptions

  @OptionGroup var reference: ReferenceOptions

  func run() throws {
    var options = ReferenceImport.Options()
    options.allowsDowngrade = allowDowngrade
    options.allowsOtherDataset = replace
    options.activates = !noActivate
    let directory = try reference.directory
    let keyring = try Keyring.chosen(key, orKeptIn: directory.keys)
    let start = ContinuousClock.now
    let wasActive = noActivate && (try? reference.store.installed())?.isActive == true
    let work = ReferenceImport(
      of: container, into: directory, trusting: keyring, options: options,
      beforeSwitching: { try directory.takeOverFavorites() })
    if forecast.dryRun { return try rehearse(work, keyring, directory) }
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
      "\(installed.title), \(installed.isActive ? "active" : "not active")"
        + "\(wasActive ? " in place of the one before" : ""), \(seconds) s\n")
  }

  /// Does all that an import does, but for installing it, and says what would become of favourites.
  private func rehearse(
    _ work: ReferenceImport, _ keyring: Keyring, _ directory: DataDirectory
  ) throws {
    let folder = try PrivateFolder()
    let pack = folder.path + "/then.stolpack"
    _ = try Progress.interruptible(quiet: reference.quiet) { progress in
      try about(container) {
        try ReferenceImport.rehearse(
          container, trusting: keyring, in: folder.path, keepingPackAs: pack, before: work
        ) { step in
          let percent = Int(step.fractionCompleted * 100)
          try progress.step("\(percent) % \(step.stage.rawValue) ...")
        }
      }
    }
    try forecast.write(in: directory, then: try Pack(path: pack))
  }
}

/// The command `stol db activate`.
struct ActivateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activate", abstract: "Send queries to the reference database.",
    discussion: """
      One that is signed by a key that has been revoked since is refused.

        stol db activate --dry-run
        stol db activate
      """)

  @OptionGroup var forecast: ForecastOptions

  @OptionGroup var reference: ReferenceOptions

  func run() throws {
    guard forecast.dryRun else { return try reference.setActive(true) }
    let folder = try PrivateFolder()
    defer { _ = folder }
    let pack = try reference.store.rehearseActivation(compilingTo: folder.path + "/then.stolpack")
    try forecast.write(in: try reference.directory, then: pack)
  }
}

/// The command `stol db deactivate`.
struct DeactivateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deactivate", abstract: "Send queries to the built-in database.",
    discussion: """
        stol db deactivate --dry-run
        stol db deactivate
      """)

  @OptionGroup var forecast: ForecastOptions

  @OptionGroup var reference: ReferenceOptions

  func run() throws {
    guard forecast.dryRun else { return try reference.setActive(false) }
    try forecast.write(in: try reference.directory, then: try BundledDatabase.open())
  }
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
    let directory = try reference.directory
    let store = ReferenceStore(in: directory)
    store.recover()
    let active = try DatabaseSnapshot(
      in: directory, onFallback: { writeStandardError("stol: \($0)\n") })
    // Where the state is damaged, that has been said.
    let installed = try? store.installed()
    let isKeyRevoked = try installed.map { try store.isKeyRevoked(of: $0) } ?? false
    if json {
      try writeJSON(active, installed, isKeyRevoked)
      return
    }
    var rows = [
      ("answers", active.source == .bundled ? "built-in" : "reference"),
      ("taxa", "\(active.pack.taxonCount)"), ("pack", active.packPath ?? "in the program"),
      (
        "database",
        fileExists(active.databasePath)
          ? active.databasePath : active.databasePath + "  (unpacked once references are asked for)"
      ),
    ]
    if let installed {
      rows += [
        ("reference", installed.isActive ? "active" : "installed, not active"),
        ("dataset", installed.dataset ?? "not stated"),
        ("release", installed.releaseNumber > 0 ? "\(installed.releaseNumber)" : "not stated"),
        ("built", installed.buildTime ?? "not stated"),
        ("key", installed.keyID + (isKeyRevoked ? ", revoked" : "")),
        ("sha256", installed.digest),
      ]
    } else {
      rows.append(("reference", "not installed"))
    }
    try writeFacts(rows, width: 11)
    if isKeyRevoked {
      writeStandardError(
        "stol: \(ReferenceStore.Failure.keyRevoked(id: installed?.keyID ?? ""))\n")
    }
  }

  private func writeJSON(
    _ active: DatabaseSnapshot, _ installed: InstalledReference?, _ isKeyRevoked: Bool
  ) throws {
    try RowWriter.writeDocument { writer in
      writer.text("active", active.source == .bundled ? "bundled" : "reference")
      writer.number("taxa", active.pack.taxonCount)
      writer.number("schemaVersion", active.pack.schemaVersion)
      writer.text("pack", active.packPath ?? "in the program")
      writer.text("database", active.databasePath)
      Schema.write("reference", installed, to: &writer)
      writer.bool("isKeyRevoked", isKeyRevoked)
    }
  }
}

/// What would become of favourites, and nothing else.
struct ForecastOptions: ParsableArguments {
  @Flag(help: "Install and switch nothing; say what would become of favourites.")
  var dryRun = false

  @Flag(help: "With --dry-run: write JSON.")
  var json = false

  func validate() throws {
    guard dryRun || !json else { throw ValidationError("--json is for --dry-run") }
  }

  /// Says what the favourites of `directory` are now, and what they would be if `pack` answered.
  func write(in directory: DataDirectory, then pack: Pack) throws {
    let active = try DatabaseSnapshot(asItIsIn: directory)
    let favorites = try FavoritesFile(
      sayingDamageIn: directory, database: FavoriteDatabase(active, directory: directory))
    let forecast = FavoriteForecast(try favorites.entries(), now: active.pack, then: pack)
    var writer = RowWriter(
      json ? .json : Terminal.isOutput ? .table : .tsv,
      columns: ["reference", "addedName", "now", "nameNow", "then", "nameThen"])
    for item in forecast.items {
      let stored = item.then.entry.reference
      writer.beginRow()
      writer.text("reference", stored.written)
      writer.text("addedName", stored.name.isEmpty ? nil : stored.name)
      writer.text("now", item.now)
      writer.text("nameNow", item.nameNow)
      writer.text("then", item.then.outcome)
      writer.text("nameThen", item.then.taxon?.scientificName)
      try writer.endRow()
    }
    try writer.present()
    writeStandardError("\(forecast.summary)\n")
  }
}

/// Where the reference database is kept.
struct ReferenceOptions: ParsableArguments {
  @OptionGroup var home: HomeOptions

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  var directory: DataDirectory { get throws { try home.directory } }
  var store: ReferenceStore {
    get throws {
      let directory = try directory
      return ReferenceStore(
        in: directory, beforeSwitching: { try directory.takeOverFavorites() })
    }
  }

  /// Switches and says so.
  func setActive(_ isActive: Bool) throws {
    let store = try store
    store.recover()
    let installed = try store.setActive(isActive)
    guard !quiet else { return }
    writeStandardError(
      "\(installed.title): \(isActive ? "active" : "not active; the built-in database answers")\n")
  }
}

extension DataDirectory {
  /// Gives favourites of version 1 their references, while the database that they are of answers.
  fileprivate func takeOverFavorites() throws {
    guard let aside = try FavoriteTakeover.run(in: self) else { return }
    writeStandardError(
      "stol: \(Escaping.terminal(favorites)): damaged favourites; kept as \(Escaping.terminal(aside)), and a new list begun\n"
    )
  }
}

extension InstalledReference {
  /// The reference in a few words.
  fileprivate var title: String { "reference database \(datasetTitle ?? "without a name")" }
}
