import STOLTrust
import ArgumentParser
import STOLAnswers
import STOLMedia
import STOLPack
import STOLSystem

/// The command `stol media image`.
struct ImageMediaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "image",
    abstract: "Write the image of a taxon, or of its nearest ancestor that has one.",
    discussion: """
      Says on the standard error whose image it is, who made it and under what licence.

        stol media image "Panthera leo" -o lion.png
        stol media image 9689 -o lion.png
      """)

  @Argument(help: "An id or a name.")
  var taxon: String

  @Option(
    name: [.customShort("o"), .long], help: "Where to write the image.", completion: .file())
  var output: String

  @OptionGroup var choice: ChoiceOptions

  @OptionGroup var location: LocationOptions

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let opened = try location.open()
    let view = opened.pack.view
    let taxon = try view.taxon(named: taxon, choice.filter(view))
    let library = MediaLibrary(in: try location.home.directory, resolving: opened.pack)
    for pack in library.packs {
      guard let problem = pack.problem else { continue }
      let trouble = pack.damage == nil ? "" : " cannot be used"
      writeStandardError("stol: media pack \(pack.id)\(trouble): \(problem)\n")
    }
    let name = Escaping.terminal(view.names.scientificName(of: taxon))
    guard let image = try library.image(for: view.ids[taxon], in: opened.pack) else {
      throw CommandFailure(
        .notFound,
        "no image of \(name) or a taxon above it; see: stol media list")
    }
    TemporaryFiles.removeWhenInterrupted()
    try replaceFile(output, with: image.bytes)
    guard !quiet else { return }
    let owner = view.ids.taxon(image.taxonID) ?? taxon
    let id = view.sourceID(of: owner) ?? "\(image.taxonID.rawValue)"
    let whose =
      Escaping.terminal(view.names.scientificName(of: owner))
      + (owner == taxon ? "" : ", to which \(name) belongs")
    let source = image.source.isEmpty ? "" : ", \(Escaping.terminal(image.source))"
    writeStandardError(
      "\(output): \(image.type), \(image.bytes.count) bytes, of \(whose) "
        + "(\(Escaping.terminal(id))): \(Escaping.terminal(image.title)), by "
        + "\(Escaping.terminal(image.author)), \(Escaping.terminal(image.licence))\(source)\n")
  }
}

/// The command `stol media sign`.
struct SignMediaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Pack and sign the images in a folder.",
    discussion: """
      The folder holds PNG, JPEG, WebP or HEIC files and manifest.json, which says of each whose image \
      it is, who made it and under what licence (Format/MEDIA.md). Sizes and digests are filled in. \
      The same folder, options and key give the same bytes.

        stol media sign FOLDER -o MAMMALS.stol-media --key release.key \\
          --id mammals --release 1
        stol media sign FOLDER -o MAMMALS.stolimages --plain \\
          --id mammals --release 1
      """)

  @Argument(help: "The folder.", completion: .directory)
  var folder: String

  @Option(
    name: [.customShort("o"), .long], help: "Where to write the container.",
    completion: .file(extensions: ["stol-media"]))
  var output: String

  @Option(
    help: ArgumentHelp("The secret key, NAME.key.", valueName: "file"),
    completion: .file(extensions: ["key"]))
  var key: String?

  @Flag(help: "Write the bare archive, unsigned, to ship inside an app.")
  var plain = false

  @Option(help: ArgumentHelp("Which pack: 1 to 64 of a-z, 0-9, dot, hyphen.", valueName: "id"))
  var id: MediaPackArgument

  @OptionGroup var release: ReleaseOptions

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func validate() throws {
    guard plain != (key != nil) else {
      throw ValidationError("choose one of --key NAME.key and --plain")
    }
  }

  func run() throws {
    let sources = fileNames(inFolder: folder).map { folder + "/" + $0 } + (key.map { [$0] } ?? [])
    try requireOther(output, than: sources)
    let signingKey = try key.map { try release.passphrase.open($0) }
    TemporaryFiles.removeWhenInterrupted()
    TemporaryFiles.removeLeftovers(of: output)
    let progress = Progress(quiet: quiet)
    defer { progress.finish() }
    let writer = MediaArchiveWriter(
      folder: folder, id: id.id, releaseNumber: release.number,
      buildTime: release.buildTime.flatMap { BuildTime($0) })
    // The archive on its way into the container.
    let archive = signingKey == nil ? output : TemporaryFiles.name(for: output + ".stolimages")
    if signingKey != nil { TemporaryFiles.add(archive) }
    defer { if signingKey != nil { TemporaryFiles.remove(archive) } }
    let made = try about(folder) {
      try writer.write(to: archive, progress: progress.share(of: "reading images"))
    }
    if let signingKey {
      try ContainerWriter(schemaVersion: 0, release: made.release, key: signingKey)
        .writeMedia(archive: archive, to: output, progress: progress.share(of: "compressing"))
    }
    progress.finish()
    guard !quiet else { return }
    let signer = signingKey.map { "key \($0.verifyingKey.id)" } ?? "not signed"
    writeStandardError(
      "\(output): \(id.id) release \(release.number), built \(made.release.buildTime), "
        + "\(made.imageCount) images, \(signer)\n")
  }
}
