import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLMedia
import STOLSystem

/// The command `stol journal photo thumbnail`.
struct ThumbnailPhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnail", abstract: "Write a small image of a photo, or make those of all.",
    discussion: """
      It is a JPEG file with at most 512 pixels along its longer edge, or 64 with --size 64, which is seen the \
      right way up and has nothing that the camera wrote. Those that were made are kept in the folder thumbnails \
      beside the journal, which may be removed at any time. Nobody but you may read the file, and one that is there \
      is left alone without --force. Without a UUID those that are missing are made of all \
      photos, so that no page waits for them later.

      None can be made of a PNG, WebP or HEIC file in which the camera put none, and of an image that takes too \
      much memory.

        stol journal photo thumbnail 0192f3a4-5b6c-7d8e-9fab-cdef01234567 -o small.jpg
        stol journal photo thumbnail
      """)

  @Argument(help: "The UUID of the photo.")
  var id: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file.", valueName: "path"), completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp("The pixels: 64 or 512 (default: 512).", valueName: "n"),
    transform: { text in
      guard let size = Int(text).flatMap(ThumbnailSize.init) else {
        throw ValidationError("say --size 64 or --size 512")
      }
      return size
    })
  var size: ThumbnailSize?

  @Flag(help: "Write over a file that is there.")
  var force = false

  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if (id == nil) != (output == nil) {
      throw ValidationError("give a UUID and --output, or neither of them for all photos")
    }
    if id == nil, size != nil {
      throw ValidationError("--size is for one photo: those of all are made in both sizes")
    }
    if id == nil, force { throw ValidationError("--force is for one photo and its file") }
  }

  func run() throws {
    let file = try journal.open()
    guard let id, let output else {
      let counts = try file.makeThumbnails()
      return try writeLines([
        "made\t\(counts.made)", "none\t\(counts.none)", "lost\t\(counts.lost)",
      ])
    }
    let photo = try file.photo(try journalID(id))
    guard let bytes = try file.thumbnail(of: photo.file, size ?? .large) else {
      let reason =
        photo.file.type == .jpeg
        ? "its image cannot be decoded in little memory"
        : "the camera put none of its shape into the \(photo.file.type) file"
      throw CommandFailure(.notFound, "photo \(photo.id): thumbnail: none: \(reason)")
    }
    try writeExport(output, bytes, force: force)
  }
}
