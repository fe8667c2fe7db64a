import ArgumentParser
import Foundation
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// The command `stol journal add`.
struct AddJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add something that was seen.",
    discussion: """
      Prints new, same or updated and the UUID of the occurrence, once that is safe on the disk, then how \
      the name was read. With --id, --when and --collection or --no-collection the same command, run again \
      with the same database, changes nothing. Of what is there with that --id it changes what you say, tags as \
      a whole, and leaves the rest; another name is for 'stol journal edit'. A place on a command line is in the history of the shell; \
      one that is read is not: with - for the name each line \
      of the standard input is one to add, with name, position, time, count, note and UUID, tabs between; \
      what a line leaves out the options say.

        stol journal add "Quercus robur" --at 42.45331,-76.48070 --accuracy 4
        stol journal add "Quercus robur" --measure girth=1.83m --note "at the gate"
        stol journal add "Quercus robur" --photo oak.jpg --photo bark.jpg
        stol journal add "Acer sp." --when 2026-03 --collection Orchard
        stol journal add - --collection Orchard < trees.tsv
      """)

  @Argument(help: "What it was, as you would write it; - to read lines.")
  var name: String

  // A value may begin with a minus.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where, in degrees: latitude,longitude.", valueName: "position"))
  var at: String?

  @Option(help: ArgumentHelp("Within how many metres that is.", valueName: "metres"))
  var accuracy: Int?

  @Flag(help: "Take a poor accuracy without a warning: see `stol journal accuracy`.")
  var acceptAccuracy = false

  @Option(
    help: ArgumentHelp(
      "When, by the clock of that place: 2026, 2026-03, 2026-03-15 or 2026-03-15T09:44 (default: today).",
      valueName: "time"))
  var when: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The minutes that this clock is ahead of UTC.", valueName: "minutes"))
  var utcOffset: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many; 0 of what was looked for and not seen.", valueName: "n"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "A measure with its unit, as girth=1.83m, height=12m, health=good or x-bark_mm=7; may be repeated.",
      valueName: "measure"))
  var measure: [String] = []

  @Option(help: ArgumentHelp("Something to say about it.", valueName: "text"))
  var note: String?

  @Option(
    help: ArgumentHelp(
      "A photo of it; may be repeated. Where and when the first one was taken is taken from it where no option says so.",
      valueName: "file"),
    completion: .file())
  var photo: [String] = []

  @Flag(help: "Say what would be kept, and keep nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("A tag; may be repeated.", valueName: "tag"))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp(
      "The collection that it is in; a new one is made. The next ones need not say it: see --no-collection.",
      valueName: "name"))
  var collection: String?

  @Flag(help: "Put it into no collection, and forget which was the last one.")
  var noCollection = false

  @OptionGroup var privacy: PrivacyOptions

  @Option(help: ArgumentHelp("The UUID of the occurrence.", valueName: "uuid"))
  var id: String?

  @Option(help: ArgumentHelp("Only a taxon within this clade (id or name).", valueName: "taxon"))
  var within: String?

  @OptionGroup var nullIsland: NullIslandOptions
  @OptionGroup var receiver: FixOptions

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if at != nil, receiver.fix != nil {
      throw ValidationError("choose one of --at and --fix")
    }
    if collection != nil, noCollection {
      throw ValidationError("choose one of --collection and --no-collection")
    }
    if accuracy != nil, at == nil, name != "-" {
      throw ValidationError("--accuracy says how exact --at is: give that too")
    }
    if name == "-", id != nil {
      throw ValidationError("--id is for one: with - each line may have a UUID of its own")
    }
    if name == "-", !photo.isEmpty {
      throw ValidationError("--photo is for one: with - it is not allowed")
    }
  }

  /// What is to be added.
  private struct Entry {
    var name: String
    var at: String?
    var when: String?
    var count: Int?
    var note: String?
    var id: JournalID
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let clade = try within.map { text in
      let view = pack.view
      return try view.journalTaxon(named: text)
    }
    var reader = JournalNameReader(within: clade)
    let file = try journal.open(isDryRun: dryRun)
    let collection = try chosenCollection(file)
    let fixed = try receiver.best(
      file, acceptsNullIsland: nullIsland.acceptNullIsland, isQuiet: journal.quiet)?.position
    guard name == "-" else {
      let entry = Entry(
        name: name, at: at, when: when, count: count, note: note,
        id: try id.map { try journalID($0) } ?? JournalID())
      let reading = reader.read(name, in: pack.view)
      let offer = try PhotoOffer(
        photo, hasPosition: at != nil || fixed != nil, hasTime: when != nil)
      if !journal.quiet { offer.say() }
      let photos = try offer.files.map { JournalRecord.photo(try file.photo($0, of: entry.id)) }
      let records = try records(entry, reading, collection, fixed, file, offer) + photos
      let outcome =
        try dryRun ? file.rehearse(records) : file.save(records, files: offer.files)
      if !dryRun { try keepCollection(collection?.id, file) }
      var answers = JournalAnswers(self.answers, ["taxon"])
      try answers.add(
        dryRun ? outcome.wordOfAll : outcome.word, entry.id, [reading.taxon?.written])
      try answers.finish()
      guard !journal.quiet else { return }
      journalSay(reading)
      say(collection)
      return warn(of: try file.accuracyThresholds())
    }
    var answers = JournalAnswers(self.answers, ["taxon"], isBatch: true)
    var lines = try JournalInputLines()
    try lines.forEach(cells: 6) { line in
      try answers.line(line, id: 5) { cells, answers in
        let entry = try self.entry(cells)
        let reading = reader.read(entry.name, in: pack.view)
        let word = try file.save(
          try records(entry, reading, collection, fixed, file), isRehearsal: dryRun)
        try answers.add(word, entry.id, [reading.taxon?.written])
      }
    }
    if !dryRun { try keepCollection(collection?.id, file) }
    if !journal.quiet {
      say(collection)
      warn(of: try file.accuracyThresholds())
    }
    try answers.finish()
  }

  /// What a line states, and the options where it is silent.
  private func entry(_ cells: [String]) throws -> Entry {
    func cell(_ index: Int) -> String? {
      index < cells.count && !cells[index].isEmpty ? cells[index] : nil
    }
    var entry = Entry(
      name: cells[0], at: cell(1) ?? at, when: cell(2) ?? when, count: count,
      note: cell(4) ?? note, id: try cell(5).map { try journalID($0) } ?? JournalID())
    if let text = cell(3) {
      guard let count = Int(text) else {
        throw JournalError.invalid(
          field: "count", value: text, remedy: "a whole number; 0 of what was not seen")
      }
      entry.count = count
    }
    return entry
  }

  private func records(
    _ entry: Entry, _ reading: NameReading, _ collection: JournalCollection?, _ fixed: Position?,
    _ file: JournalFile, _ offer: PhotoOffer = PhotoOffer()
  ) throws -> [JournalRecord] {
    var capture = Capture(
      id: entry.id, reading: reading,
      time: try offer.time ?? LocalTime(entry.when ?? journalToday(), field: "--when"))
    capture.utcOffsetMin = utcOffset ?? offer.utcOffsetMin
    capture.position =
      try entry.at.map {
        try nullIsland.checked(try journalPosition($0, "--at", accuracy: accuracy), "--at")
      } ?? fixed ?? offer.position
    capture.count = entry.count
    capture.tags = Set(tag)
    capture.privacy = try privacy.chosen(entry.id, in: file)
    capture.collection = collection
    capture.note = entry.note
    let isTimed = entry.when != nil || offer.time != nil
    let known = try capture.records(isTimed: isTimed) { id in
      try file.record(id).flatMap { $0.deletedAt == nil ? $0.record : nil }
    }
    return known + (try journalMeasures(measure, of: entry.id, isQuiet: journal.quiet))
  }

  /// Says where it went, where the command line does not.
  private func say(_ chosen: JournalCollection?) {
    guard let chosen, collection == nil else { return }
    writeStandardError(
      "stol: put into the collection \"\(Escaping.terminal(chosen.name))\", which was used last; see --no-collection\n"
    )
  }

  private func warn(of thresholds: AccuracyClass.Thresholds) {
    guard let accuracy, !acceptAccuracy,
      AccuracyClass(uncertaintyM: accuracy, thresholds) == .poor
    else { return }
    writeStandardError(
      "stol: within \(accuracy) m is poor: take it again, or say --accept-accuracy; below "
        + "\(thresholds.acceptableM) m is good, below \(thresholds.marginalM) m acceptable\n")
  }

  /// The setting that remembers it.
  static let lastCollection = "last_collection"

  /// The collection that was named, else the last one, unless it was deleted since.
  private func chosenCollection(_ file: JournalFile) throws -> JournalCollection? {
    guard !noCollection else { return nil }
    if let collection { return try file.collection(named: collection) }
    guard let last = try file.setting(Self.lastCollection).flatMap({ JournalID($0) }),
      let kept = try file.record(last), kept.deletedAt == nil,
      case .collection(let known) = kept.record
    else { return nil }
    return known
  }

  private func keepCollection(_ id: JournalID?, _ file: JournalFile) throws {
    let kept = try file.setting(Self.lastCollection)
    if kept != id?.description { try file.set(Self.lastCollection, to: id?.description) }
  }
}
