import STOLSystem
import STOLTrust
import ArgumentParser
import STOLAnswers
import STOLData
import STOLImport
import STOLPack

/// The command `stol db`.
struct DatabaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "db", abstract: "Sign, import and switch databases.",
    discussion: """
        stol db keygen -o release
        stol db sign TAXA.sqlite -o TAXA.stol --key release.key \\
          --dataset mammals --release 1
        stol db keys add release.pub --dataset mammals
        stol db import TAXA.stol
        stol db status
      """,
    subcommands: [
      KeygenCommand.self, SignCommand.self, KeysCommand.self, ImportCommand.self,
      ActivateCommand.self, DeactivateCommand.self, DeleteCommand.self, StatusCommand.self,
      BuiltInCommand.self,
      ReferencesCommand.self, ResolveReferencesCommand.self, DiffCommand.self,
    ])
}

/// The command `stol db keygen`.
struct KeygenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen", abstract: "Make a key to sign databases with.",
    discussion: """
      Writes NAME.key, the secret key, sealed with a passphrase, and NAME.pub, which everybody may \
      have. Neither replaces a file.

        stol db keygen -o release
      """)

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The name of both files.", valueName: "name"))
  var output: String

  @OptionGroup var passphrase: PassphraseOptions

  func run() throws {
    let (secret, shared) = (output + ".key", output + ".pub")
    for path in [secret, shared] where fileExists(path) {
      throw CommandFailure(
        .usage, "\(path): is there already; choose another name with -o")
    }
    let key = try SigningKey()
    try key.write(to: secret, passphrase: passphrase.read(isNew: true))
    try key.verifyingKey.write(to: shared)
    writeStandardError(
      "\(secret), \(shared): key \(key.verifyingKey.id); keep the first secret, give the second away\n"
    )
  }
}

/// The command `stol db sign`.
struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Compress and sign a database into a container.",
    discussion: """
      Before anything is signed, everything that an import checks is checked, and the pack is \
      compiled: what no import takes is not signed. The same database, options and key give the same \
      bytes. Format 1 is for every reader; format 2 \
      can carry the compiled pack, so that a small device need not compile.

        stol db sign TAXA.sqlite -o TAXA.stol --key release.key \\
          --dataset mammals --release 1
        stol db sign TAXA.sqlite -o TAXA.stol --key release.key \\
          --dataset mammals --release 2 --format 2 --with-pack
      """)

  @Argument(help: "The SQLite taxonomy.", completion: .file())
  var database: String

  @Option(
    name: [.customShort("o"), .long], help: "Where to write the container.",
    completion: .file(extensions: ["stol"]))
  var output: String

  @Option(
    help: ArgumentHelp("The secret key, NAME.key.", valueName: "file"),
    completion: .file(extensions: ["key"]))
  var key: String

  @Option(help: ArgumentHelp("Which dataset: 1 to 64 of a-z, 0-9, dot, hyphen.", valueName: "id"))
  var dataset: String

  @OptionGroup var release: ReleaseOptions

  @Option(help: ArgumentHelp("1, or 2.", valueName: "n"))
  var format = 1

  @Flag(help: "Compile the pack and put it in too; needs --format 2.")
  var withPack = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func validate() throws {
    guard format == 1 || format == 2 else { throw ValidationError("--format is 1 or 2") }
    guard !withPack || format == 2 else { throw ValidationError("--with-pack needs --format 2") }
    guard DatasetID(dataset) != nil else {
      throw ValidationError("--dataset takes 1 to 64 of the characters a-z, 0-9, dot and hyphen")
    }
  }

  func run() throws {
    try requireOther(output, than: [database, key])
    try requireFile()
    let schema = try about(database) { try SchemaVersion(path: database) }
    let made = try made(schema)
    let signingKey = try release.passphrase.open(key)
    TemporaryFiles.removeWhenInterrupted()
    TemporaryFiles.removeLeftovers(of: output)
    let progress = Progress(quiet: quiet)
    defer { progress.finish() }
    let pack = TemporaryFiles.name(for: output + ".stolpack")
    TemporaryFiles.add(pack)
    defer { TemporaryFiles.remove(pack) }
    let rehearsal = DatabaseRehearsal(of: database, signedVersion: UInt32(schema.number)) { step in
      progress.show("\(step.stage.rawValue) ...")
    }
    let digest = try SHA256.digest(ofFileAt: database)
    try about(database) {
      try rehearsal.checkDatabase()
      try rehearsal.compile(to: pack)
      let compiled = try Pack(path: pack)
      // What is signed must be what was checked.
      guard compiled.source.sha256 == digest.bytes else {
        throw ContainerWriter.Failure.changed(path: database)
      }
      try compiled.verify()
    }
    let writer = ContainerWriter(
      schemaVersion: UInt32(schema.number), release: made, key: signingKey)
    let show = progress.share(of: "compressing")
    if format == 1 {
      try writer.writeVersion1(
        database: database, to: output, expecting: digest, progress: show)
    } else {
      try writer.writeVersion2(
        database: database, pack: withPack ? pack : nil, to: output, expecting: digest,
        progress: show)
    }
    progress.finish()
    guard !quiet else { return }
    let byteCount = try Container(path: output).byteCount
    writeStandardError(
      "\(output): \(dataset) release \(made.number), built \(made.buildTime), "
        + "\(byteCount) bytes, key \(signingKey.verifyingKey.id)\n")
  }

  /// Refuses what is no file of its own, before anything waits for it.
  private func requireFile() throws {
    do throws(SystemError) {
      _ = try RegularFile(path: database, followsLinks: false)
    } catch {
      switch error.code {
      case .symbolicLink:
        throw CommandFailure(
          .usage, "\(database): a symbolic link; name the file that it leads to")
      case .invalidArgument:
        throw CommandFailure(.usage, "\(database): a pipe or a device; a database is a file")
      default: throw error
      }
    }
  }

  /// The release as it is signed.
  private func made(_ schema: SchemaVersion) throws -> Release {
    guard let stated = release.buildTime ?? schema.buildTime else {
      throw CommandFailure(
        .usage,
        "\(database): does not say when it was built; add --build-time 2026-01-31T12:00:00Z")
    }
    guard let time = BuildTime(stated), let id = DatasetID(dataset),
      let made = Release(dataset: id, number: release.number, buildTime: time)
    else {
      throw CommandFailure(
        .usage,
        "\(database): \"\(Escaping.terminal(stated))\" is no build time; "
          + "add --build-time 2026-01-31T12:00:00Z")
    }
    return made
  }
}
