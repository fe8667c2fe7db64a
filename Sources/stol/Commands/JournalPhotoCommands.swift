import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal photo`.
struct PhotoJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo", abstract: "Keep photos of what you saw.",
    discussion: """
      A JPEG, PNG, WebP or HEIC file of up to 64 MiB is kept beside the journal, byte for byte, once however \
      often it is a photo of something.

        stol journal photo add 0192f3a4-5b6c-7d8e-9fab-cdef01234567 oak.jpg
        stol journal photo list
        stol journal photo match --gpx walk.gpx --offset +02:00
      """,
    subcommands: [
      AddPhotoCommand.self, ListPhotoCommand.self, ShowPhotoCommand.self, ExportPhotoCommand.self,
      RemovePhotoCommand.self, MatchPhotoCommand.self, ThumbnailPhotoCommand.self,
    ],
    aliases: ["media"])
}

/// The command `stol journal photo add`.
struct AddPhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add photos of what is in the journal.",
    discussion: """
      Of a place, an event, an individual or an occurrence, or to a note. When and where each was taken is \
      what the camera wrote. The same file again changes nothing, unless there is something new to say of it. A \
      file that is no photo, or not all of one, spoils no other.

        stol journal photo add 0192f3a4-5b6c-7d8e-9fab-cdef01234567 oak.jpg bark.jpg --caption "At the gate"
      """)

  @Argument(help: "The UUID of what they are of.")
  var target: String

  @Argument(help: "The files.", completion: .file())
  var files: [String]

  @Option(help: ArgumentHelp("What is to be read below.", valueName: "text"))
  var caption: String?

  @Option(help: ArgumentHelp("Its place among the photos, from 1.", valueName: "n"))
  var ordinal: Int?

  @Option(help: ArgumentHelp("Who took them.", valueName: "name"))
  var author: String?

  @Option(help: ArgumentHelp("What others may do with them.", valueName: "licence"))
  var licence: String?

  @Option(
    help: ArgumentHelp("Where they are from: an address, which is not opened.", valueName: "text"))
  var source: String?

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if ordinal != nil, files.count > 1 {
      throw ValidationError("--ordinal is for one photo: several get theirs in their order")
    }
  }

  func run() throws {
    let target = try journalID(target)
    let journal = try self.journal.open()
    var answers = JournalAnswers(
      self.answers, ["time", "latitude", "longitude", "uncertaintyM"], isBatch: true, input: "file")
    for path in files {
      try answers.line(nil, input: path) { answers in
        let file: PhotoFile
        do {
          file = try PhotoFile(path: path)
        } catch let error as SystemError {
          throw CommandFailure(.usage, Escaping.terminal(error.description))
        }
        let photo = changed(try journal.photo(file, of: target))
        let outcome = try journal.save([.photo(photo)], files: [file])
        try answers.add(
          outcome.word, photo.id,
          [
            photo.time?.text, photo.position?.latitudeText, photo.position?.longitudeText,
            photo.position?.uncertaintyM.map(String.init),
          ])
      }
    }
    try answers.finish()
  }

  /// The photo with what was asked for.
  private func changed(_ photo: Photo) -> Photo {
    var photo = photo
    photo.caption = caption ?? photo.caption
    photo.ordinal = ordinal ?? photo.ordinal
    photo.author = author ?? photo.author
    photo.licence = licence ?? photo.licence
    photo.source = source ?? photo.source
    return photo
  }
}

/// The command `stol journal photo list`.
struct ListPhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List photos, of all or of one record.",
    discussion: """
      Those of a record are its own, in their places, then those of its notes, and of what was seen in an \
      event or of an individual.

        stol journal photo list
        stol journal photo list 0192f3a4-5b6c-7d8e-9fab-cdef01234567 --json
      """)

  @Argument(help: "The UUID of a record.")
  var target: String?

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func run() throws {
    let file = try journal.open()
    var writer = format.writer([
      "id", "targetID", "name", "caption", "time", "latitude", "longitude", "uncertaintyM", "type",
      "width", "height", "bytes", "sha256",
    ])
    if let target {
      for case .photo(let photo) in try file.photos(of: try journalID(target)).map(\.record) {
        try add(photo, &writer)
      }
    } else {
      try file.eachPhoto { try add($0, &writer) }
    }
    try writer.presentFound(
      shown: ["id", "targetID", "name", "caption", "time"], header: !format.noHeader,
      quiet: journal.quiet)
  }

  private func add(_ photo: Photo, _ writer: inout RowWriter) throws {
    writer.beginRow()
    writer.text("id", photo.id.description)
    writer.text("targetID", photo.target.description)
    writer.text("name", photo.name)
    writer.text("caption", photo.caption)
    writer.text("time", photo.time?.text)
    writer.number("latitude", exact: photo.position?.latitude)
    writer.number("longitude", exact: photo.position?.longitude)
    writer.number("uncertaintyM", photo.position?.uncertaintyM)
    writer.text("type", "\(photo.file.type)")
    writer.number("width", photo.file.width)
    writer.number("height", photo.file.height)
    writer.number("bytes", photo.file.byteCount)
    writer.text("sha256", "\(photo.file.sha256)")
    try writer.endRow()
  }
}

/// The command `stol journal photo show`.
struct ShowPhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what is known of a photo, and what its camera wrote.",
    discussion: "  stol journal photo show 0192f3a4-5b6c-7d8e-9fab-cdef01234567")

  @Argument(help: "The UUID of the photo.")
  var id: String

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let file = try journal.open()
    let photo = try file.photo(try journalID(id))
    let exif = try PhotoFile(try file.bytes(of: photo), name: photo.name).facts.exif
    func position(_ position: Position?) -> String? {
      position.map {
        "\($0.latitudeText),\($0.longitudeText)"
          + ($0.uncertaintyM.map { " within \($0) m" } ?? "")
      }
    }
    func time(_ time: LocalTime?, _ offset: Int?) -> String? {
      time.map { $0.text + (offset.map { " (\($0) min ahead of UTC)" } ?? "") }
    }
    let rows: [(String, String?)] = [
      ("id", "\(photo.id)"), ("of", "\(photo.target)"), ("name", photo.name),
      ("caption", photo.caption), ("time", time(photo.time, photo.utcOffsetMin)),
      ("position", position(photo.position)), ("author", photo.author),
      ("licence", photo.licence), ("source", photo.source),
      ("image", "\(photo.file.type), \(photo.file.width) x \(photo.file.height) pixels"),
      ("bytes", "\(photo.file.byteCount)"), ("sha256", "\(photo.file.sha256)"),
      ("camera", exif.camera), ("camera's time", time(exif.time, exif.utcOffsetMin)),
      ("camera's position", position(exif.position)),
      ("camera's bearing", exif.bearingCdeg.map { "\(Double($0) / 100) degrees" }),
      ("orientation", exif.orientation.map(String.init)),
      ("thumbnail", try file.thumbnail(of: photo.file, .large) == nil ? "none" : nil),
    ]
    try writeLines(
      rows.compactMap { name, value in value.map { "\(name)\t\(Escaping.terminal($0))" } })
  }
}

/// The command `stol journal photo export`.
struct ExportPhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the file of a photo, or those of all.",
    discussion: """
      For others, which is what it does unless you say otherwise, the file is a copy that says nothing but how the \
      image lies: not when and where it was taken, by whom, with what. A photo of what is private is kept from \
      others, and so is one that is of something else too, where one of both is not open. What the image \
      itself shows is not looked at, nor what somebody hid in its data. With --exact the file is what was kept, byte for byte, for a backup. Without a UUID the files \
      of all photos are put into a folder, where 'stol journal import' finds them beside what 'stol journal export' \
      wrote into the same folder: give both --exact, or neither. Nobody but you may read the file, and one that is \
      there is left alone without --force.

        stol journal photo export 0192f3a4-5b6c-7d8e-9fab-cdef01234567 -o oak.jpg
        stol journal photo export --exact -o backup
        stol journal export --exact -o backup/journal.jsonl
      """)

  @Argument(help: "The UUID of the photo.")
  var id: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file, or for all photos the folder.", valueName: "path"),
    completion: .file())
  var output: String

  @Flag(help: "Write what was kept, for yourself.")
  var exact = false

  @Flag(help: "Write over a file that is there.")
  var force = false

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let file = try journal.open()
    let privacy = try journal.privacy(isExact: exact)
    guard let id else {
      let count = try file.exportMedia(to: output, for: privacy)
      if !journal.quiet {
        writeStandardError("stol: wrote \(count) file\(count == 1 ? "" : "s")\n")
      }
      return
    }
    let photo = try file.photo(try journalID(id))
    guard let bytes = try file.bytes(of: photo, for: privacy) else {
      throw CommandFailure(
        .usage, "\(photo.id): is kept from others: write it for yourself by --exact")
    }
    try writeExport(output, bytes, force: force)
  }
}

/// The command `stol journal photo remove`.
struct RemovePhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take photos away.",
    discussion: """
      'stol journal undo' brings them back; their files go with the next purge.

        stol journal photo remove 0192f3a4-5b6c-7d8e-9fab-cdef01234567
      """)

  @Argument(help: "The UUIDs of the photos.")
  var ids: [String]

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  func run() throws {
    let file = try journal.open()
    var answers = JournalAnswers(self.answers, ["batch"], isBatch: true)
    for text in ids {
      try answers.line(JournalID(text), input: text) { answers in
        let photo = try file.photo(try journalID(text))
        let batch = try file.delete(photo.id).batch
        try answers.add("deleted", photo.id, [batch.map { String($0) }])
      }
    }
    try answers.finish()
  }
}
