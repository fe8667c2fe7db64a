import STOLTrust
import ArgumentParser
import STOLAnswers
import STOLData
import STOLPack
import STOLSystem

/// The command `stol inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a pack or container holds and how large its parts are.",
    discussion: """
        stol inspect TAXA.stolpack
        stol inspect TAXA.stol
        stol inspect MAMMALS.stol-media
        stol inspect --json | jq .sections
      """)

  @Argument(
    help: "The pack or container (default: the active pack).",
    completion: .file(extensions: ["stolpack", "stol", "stol-media"]))
  var pack: String?

  @OptionGroup var location: LocationOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    if let pack, ContainerCommands.isContainer(pack) {
      try ContainerCommands.inspect(pack, json: json)
      return
    }
    let opened = try location.open(pack)
    if json {
      try Self.writeJSON(opened.pack)
    } else {
      try Self.writeHeader(opened)
      try Self.writeSections(opened.pack)
    }
  }

  private static func writeHeader(_ opened: OpenedPack) throws {
    let pack = opened.pack
    let view = pack.view
    let rows = [
      ("pack", opened.path),
      ("dataset", view.dataset.name ?? view.dataset.id ?? "not stated"),
      ("release", view.dataset.release ?? "not stated"),
      ("licence", view.dataset.licence ?? "not stated"),
      ("source", view.dataset.source ?? "not stated"),
      ("id space", view.idSpace ?? "not stated"),
      (
        "database",
        "\(pack.source.byteCount) bytes, CRC-32 \(pack.source.checksum.digits(8, radix: 16))"
      ),
      ("format", "\(Pack.formatVersion), schema version \(pack.schemaVersion)"),
      ("taxa", "\(pack.taxonCount) (\(view.tree.roots.count) roots)"),
      ("names", "\(pack.nameCount) common names and synonyms, \(pack.wordCount) folded words"),
      ("traits", "\(view.traits.count)"),
      (
        "retired ids",
        "\(view.ids.mergedCount) merged or synonyms, \(view.ids.deletedCount) deleted"
      ),
      (
        "Euler tour",
        "implicit: taxon v of depth d first at 2v - d, \(EulerTour(of: view.tree).count) entries"
      ),
      ("bytes", "\(pack.byteCount), \(perTaxon(pack.byteCount, pack)) a taxon"),
    ]
    try writeFacts(rows, width: 12)
    try writeText("\n")
  }

  private static func writeSections(_ pack: Pack) throws {
    var writer = RowWriter(
      .table, columns: ["section", "part", "values", "bytes", "bytes/taxon"])
    for group in SectionGroup.allCases {
      let parts = pack.sections.filter { $0.group == group }
      for part in parts where part.byteCount > 0 {
        writer.beginRow()
        writer.text("section", "  " + part.name)
        writer.text("part", part.title)
        writer.number("values", part.count)
        writer.number("bytes", part.byteCount)
        writer.text("bytes/taxon", perTaxon(part.byteCount, pack))
        try writer.endRow()
      }
      let total = parts.reduce(0) { $0 + $1.byteCount }
      writer.beginRow()
      writer.text("section", group.rawValue)
      writer.text("part", "all of it")
      writer.null("values")
      writer.number("bytes", total)
      writer.text("bytes/taxon", perTaxon(total, pack))
      try writer.endRow()
    }
    try writer.present()
  }

  private static func writeJSON(_ pack: Pack) throws {
    let view = pack.view
    try RowWriter.writeDocument { writer in
      writer.number("format", Int(Pack.formatVersion))
      writer.number("schemaVersion", Int(pack.schemaVersion))
      writer.object("dataset") { writer in
        for (key, value) in view.dataset.all { writer.text(key, value) }
      }
      writer.object("source") { writer in
        writer.number("bytes", Int(pack.source.byteCount))
        writer.text("crc32", pack.source.checksum.digits(8, radix: 16))
      }
      writer.text("idSpace", view.idSpace)
      writer.bool("idsAreTexts", view.ids.areTexts)
      writer.array("sources") { writer in
        for source in view.sources { Schema.write(nil, source, to: &writer) }
      }
      writer.number("taxa", pack.taxonCount)
      writer.number("roots", view.tree.roots.count)
      writer.number("names", pack.nameCount)
      writer.number("words", pack.wordCount)
      writer.number("traits", view.traits.count)
      writer.number("mergedIDs", view.ids.mergedCount)
      writer.number("deletedIDs", view.ids.deletedCount)
      writer.number("eulerTourLength", EulerTour(of: view.tree).count)
      writer.number("bytes", pack.byteCount)
      writer.objects("sections", pack.sections) { writer, part in
        writer.text("name", part.name)
        writer.text("title", part.title)
        writer.text("group", part.group.rawValue)
        writer.number("count", part.count)
        writer.number("bytes", part.byteCount)
        writer.number("bytesPerTaxon", Double(part.byteCount) / Double(max(1, pack.taxonCount)))
      }
    }
  }

  private static func perTaxon(_ byteCount: Int, _ pack: Pack) -> String {
    ((Double(byteCount) / Double(max(1, pack.taxonCount)) * 100).rounded() / 100).decimalText
  }
}

/// The command `stol verify`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every byte and every rule of a pack or container.",
    discussion: """
      A container must bear the signature of a key that is trusted: stol db keys list. What is \
      checked is all that an import checks of the container; whether it is older than what is installed, \
      or of another dataset, is for the import to say. Nothing is installed. Of a pack every section is checked \
      against the others; with --database the database is compiled and every byte compared.

        stol verify TAXA.stolpack
        stol verify TAXA.stolpack --database TAXA.sqlite
        stol verify TAXA.stol
        stol verify MAMMALS.stol-media
        stol verify TAXA.stol --key release.pub
      """)

  @Argument(
    help: "The pack or container (default: the active pack).",
    completion: .file(extensions: ["stolpack", "stol", "stol-media"]))
  var pack: String?

  @OptionGroup var location: LocationOptions

  @Option(
    help: ArgumentHelp("Trust this public key only; for containers.", valueName: "file"),
    completion: .file(extensions: ["pub"]))
  var key: String?

  @Option(
    help: ArgumentHelp("The database that the pack was compiled from.", valueName: "file"),
    completion: .file())
  var database: String?

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    if let pack, ContainerCommands.isContainer(pack) {
      guard database == nil else {
        throw CommandFailure(.usage, "--database is for packs; a container carries its own")
      }
      let keyring = try Keyring.chosen(key, orKeptIn: try location.home.directory.keys)
      try ContainerCommands.verify(pack, by: keyring, quiet: quiet)
      return
    }
    guard key == nil else {
      throw CommandFailure(.usage, "--key is for containers; a pack has no signer")
    }
    let opened = try location.open(pack)
    let progress = Progress(quiet: quiet)
    defer { progress.finish() }
    try about(opened.path) {
      try opened.pack.verify { section in progress.show("checking \(section) ...") }
    }
    if let database { try requireCompiled(opened, from: database, progress) }
    progress.finish()
    guard !quiet else { return }
    try writeText(
      "\(opened.path): ok, \(opened.pack.taxonCount) taxa, \(opened.pack.byteCount) bytes"
        + (database.map { ", what \($0) compiles to" } ?? "") + "\n")
  }

  /// Compiles the database and compares every byte.
  private func requireCompiled(
    _ opened: OpenedPack, from database: String, _ progress: Progress
  ) throws {
    TemporaryFiles.removeWhenInterrupted()
    let folder = try PrivateFolder()
    do {
      try opened.pack.requireCompiled(
        from: database, itself: opened.path, scratch: folder.path + "/own.stolpack"
      ) { stage in
        switch stage {
        case .reading(let table, let rows): progress.show("reading \(table): \(rows) rows")
        case .packing(let stage): progress.show("\(stage.rawValue) ...")
        }
      }
    } catch let error as PackError {
      throw CommandFailure(.damaged, "\(opened.path): \(error)")
    }
  }
}
