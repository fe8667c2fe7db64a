import STOLTrust
import ArgumentParser
import STOLAnswers
import STOLData
import STOLMedia
import STOLSystem

/// The command `stol media`.
struct MediaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "media", abstract: "Install, remove and show packs of images.",
    discussion: """
        stol media add MAMMALS.stol-media
        stol media list
        stol media image "Panthera leo" -o lion.png
        stol media storage
      """,
    subcommands: [
      ListMediaCommand.self, AddMediaCommand.self, RemoveMediaCommand.self,
      StorageMediaCommand.self, ImageMediaCommand.self, SignMediaCommand.self,
    ])
}

/// Where media packs are kept.
struct MediaOptions: ParsableArguments {
  @OptionGroup var home: HomeOptions

  var directory: DataDirectory { get throws { try home.directory } }

  /// The store, without what an unfinished installation left.
  var store: MediaPackStore {
    get throws {
      let store = MediaPackStore(in: try directory)
      store.recover()
      return store
    }
  }
}

/// The id of a media pack among the arguments.
struct MediaPackArgument: ExpressibleByArgument {
  let id: MediaPackID

  init?(argument: String) {
    guard let id = MediaPackID(argument) else { return nil }
    self.id = id
  }
}

/// The command `stol media list`.
struct ListMediaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the media packs that are installed.",
    discussion: """
        stol media list
        stol media list --json
      """)

  @Flag(help: "Print a JSON array.")
  var json = false

  @OptionGroup var media: MediaOptions

  func run() throws {
    let columns = [
      "id", "release", "images", "bytes", "state", "title", "licence", "buildTime", "key",
      "problem",
    ]
    let format: OutputFormat = json ? .json : Terminal.isOutput ? .table : .tsv
    var writer = RowWriter(format, columns: columns)
    for pack in try media.store.packs {
      let isSound = pack.damage == nil
      writer.beginRow()
      writer.text("id", pack.id.text)
      writer.number("release", isSound ? Int(pack.releaseNumber) : nil)
      writer.number("images", isSound ? pack.imageCount : nil)
      writer.number("bytes", Int(pack.byteCount))
      let isOlder = pack.damage == .olderManifest
      let state = pack.isKeyRevoked ? "revoked" : "installed"
      writer.text("state", isSound ? state : isOlder ? "older" : "damaged")
      writer.text("title", isSound ? pack.title : nil)
      writer.text("licence", pack.licence)
      writer.text("buildTime", pack.buildTime)
      writer.text("key", pack.keyID)
      writer.text("problem", pack.problem)
      try writer.endRow()
    }
    try writer.present()
  }
}

/// The command `stol media add`.
struct AddMediaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Install a signed pack of images.",
    discussion: """
      Checks signature, checksums and every image before anything changes; whatever goes wrong, the \
      packs that were installed stay as they were.

        stol media add MAMMALS.stol-media
        stol media add MAMMALS.stol-media --key release.pub
        stol media add OLDER.stol-media --allow-downgrade
      """)

  @Argument(help: "The container.", completion: .file(extensions: ["stol-media"]))
  var container: String

  @Option(
    help: ArgumentHelp("Trust this key, and no other, this once.", valueName: "file"),
    completion: .file(extensions: ["pub"]))
  var key: String?

  @Flag(help: "Take an older release, or the same release with other images.")
  var allowDowngrade = false

  @OptionGroup var media: MediaOptions

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let keyring = try Keyring.chosen(key, orKeptIn: try media.directory.keys)
    var work = MediaImport(of: container, into: try media.directory, trusting: keyring)
    work.allowsDowngrade = allowDowngrade
    let pack = try Progress.interruptible(quiet: quiet) { progress in
      try about(container) {
        try work.run { step in
          try progress.step("\(step.stage.rawValue): \(Int(step.fractionCompleted * 100)) %")
        }
      }
    }
    guard !quiet else { return }
    writeStandardError(
      "media pack \(pack.id), release \(pack.releaseNumber): installed, "
        + "\(pack.imageCount) images, \(pack.byteCount) bytes\n")
  }
}

/// The command `stol media remove`.
struct RemoveMediaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Delete an installed pack of images.",
    discussion: """
        stol media remove mammals
        stol media remove mammals --yes
      """)

  @Argument(help: "The id of the pack: stol media list.")
  var pack: MediaPackArgument

  @OptionGroup var confirmation: ConfirmationOptions

  @OptionGroup var media: MediaOptions

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let store = try media.store
    guard store.ids.contains(pack.id) else { throw MediaError.notInstalled(pack.id) }
    try confirmation.require(
      "Delete the media pack \(pack.id)?", "to delete \(pack.id)",
      command: "stol media remove \(pack.id)")
    try store.delete(pack.id)
    if !quiet { writeStandardError("media pack \(pack.id): deleted\n") }
  }
}

/// The command `stol media storage`.
struct StorageMediaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storage", abstract: "Say how many bytes the media packs take, and where.",
    discussion: """
        stol media storage
        stol media storage --json
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var media: MediaOptions

  func run() throws {
    let store = try media.store
    let packs = store.ids.map { (id: $0, byteCount: Int(store.byteCount(of: $0))) }
    let total = packs.reduce(0) { $0 + $1.byteCount }
    if json {
      return try RowWriter.writeDocument { writer in
        writer.text("folder", store.folder)
        writer.number("bytes", total)
        writer.objects("packs", packs) { writer, pack in
          writer.text("id", pack.id.text)
          writer.number("bytes", pack.byteCount)
        }
      }
    }
    try writeFacts(
      [("folder", store.folder), ("packs", "\(packs.count)"), ("bytes", "\(total)")], width: 8)
  }
}
