import ArgumentParser
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem
import STOLTrust

/// The command `stol journal`.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Keep what you saw, where and when, on this computer only.",
    discussion: """
      Organisms seen at places: a tree in an orchard, a fish on a dive, a bird on a walk. What is \
      written stays as it was written; a name that is merely similar to one that the database knows \
      is a suggestion, never an identification. Whatever is changed can be undone for 90 days.
      What these commands list, show and search is exact, as --json too: it is for you alone. For others there is \
      'stol journal export', which keeps from them what they are not to know: see 'stol journal privacy'.

        stol journal add "Quercus robur" --at 42.45331,-76.48070 --accuracy 4
        stol journal list --within Fagaceae
        stol journal undo
      """,
    subcommands: [
      AddJournalCommand.self, ListJournalCommand.self, ShowJournalCommand.self,
      LifeJournalCommand.self, SearchJournalCommand.self, NamesJournalCommand.self,
      MapJournalCommand.self, FacetsJournalCommand.self, PopularJournalCommand.self,
      CalendarJournalCommand.self, DuplicatesJournalCommand.self, MergeJournalCommand.self,
      DeleteJournalCommand.self, UndoJournalCommand.self, HistoryJournalCommand.self,
      CheckJournalCommand.self, StatusJournalCommand.self, ExportJournalCommand.self,
      ImportJournalCommand.self, EditJournalCommand.self, RelinkJournalCommand.self,
      PurgeJournalCommand.self, DemoJournalCommand.self, AccuracyJournalCommand.self,
      DiveJournalCommand.self, MeasureJournalCommand.self, NoteJournalCommand.self,
      TagJournalCommand.self, CollectionJournalCommand.self, PersonJournalCommand.self,
      PlaceJournalCommand.self, PhotoJournalCommand.self, PrivacyJournalCommand.self,
      BackupJournalCommand.self, RestoreJournalCommand.self, LockJournalCommand.self,
      UnlockJournalCommand.self, PassphraseJournalCommand.self,
    ])
}

/// Where the journal is kept, and which pack names what is in it.
struct JournalOptions: ParsableArguments {
  @OptionGroup var location: LocationOptions

  @Option(
    help: ArgumentHelp(
      "Read the passphrase of a locked journal from the first line of a file, or of the standard input for -.",
      valueName: "file"),
    completion: .file())
  var journalPassphraseFile: String?

  @Flag(name: .shortAndLong, help: "Print nothing but what was asked for and errors.")
  var quiet = false

  /// Opens the journal: what reads it waits for nobody who changes it.
  ///
  /// - Parameter isDryRun: whether nothing is kept, so that no journal is begun either.
  /// - Returns: the journal.
  /// - Throws: `StoreError`, or why there is no passphrase or no place for it.
  func open(isDryRun: Bool = false) throws -> JournalFile {
    if isDryRun, try !JournalFile.isPresent(in: location.home.directory) {
      return try JournalFile.temporary()
    }
    return try open(with: try openingPassphrase())
  }

  /// Opens the journal, where it is locked with a passphrase.
  func open(with passphrase: SecretBytes?) throws -> JournalFile {
    let directory = try location.home.directory
    let wasInterrupted = try JournalLock.isInterrupted(in: directory)
    let file = try JournalFile(in: directory, readsBeside: true, passphrase: { passphrase })
    if wasInterrupted { tellOfInterruption("is locked now") }
    return file
  }

  /// The passphrase of a locked journal; nil for one that is not.
  func openingPassphrase() throws -> SecretBytes? {
    let directory = try location.home.directory
    let wasInterrupted = try JournalLock.isInterrupted(in: directory)
    if try JournalLock.isLocked(in: directory) { return try passphrase(isNew: false) }
    if wasInterrupted { tellOfInterruption("is not locked") }
    return nil
  }

  private func tellOfInterruption(_ end: String) {
    guard !quiet else { return }
    writeStandardError("stol: locking or unlocking had not ended: the journal \(end)\n")
  }

  /// A passphrase for the journal.
  func passphrase(isNew: Bool) throws -> SecretBytes {
    try PassphraseOptions.read(
      journalPassphraseFile, isNew: isNew, option: "--journal-passphrase-file",
      prompt: isNew ? nil : "Passphrase of the journal: ")
  }
}

/// Which sightings are meant.
struct SightingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only taxa within this clade (id or name).", valueName: "taxon"))
  var within: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only what lies in south,west,north,east, in degrees; west of itself it crosses 180 degrees.",
      valueName: "box"))
  var bbox: String?

  @Option(
    help: ArgumentHelp(
      "Only what was, or may have been, from this date on, as 2026, 2026-03 or 2026-03-15.",
      valueName: "date"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Only what was, or may have been, up to this date, all of it.", valueName: "date"))
  var to: String?

  @Option(help: ArgumentHelp("Only what was in this year; may be repeated.", valueName: "year"))
  var year: [Int] = []

  @Option(
    help: ArgumentHelp(
      "Only what was in this month of any year, from 1; may be repeated.", valueName: "month"))
  var month: [Int] = []

  @Option(
    help: ArgumentHelp("Only what was in events of this kind; may be repeated.", valueName: "kind"))
  var kind: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only what was at this place or in what is part of it (name or UUID).", valueName: "place"))
  var place: String?

  @Option(
    help: ArgumentHelp(
      "Only what was at places of this country, as two letters of ISO 3166-1.", valueName: "code"))
  var country: String?

  @Option(
    help: ArgumentHelp(
      "Only what is in this collection (name or UUID), or of an individual or an event in it.",
      valueName: "name"))
  var collection: String?

  @Option(
    help: ArgumentHelp(
      "Only what has this tag, or is of an individual or an event that has it.", valueName: "tag"))
  var tag: String?

  func validate() throws {
    for year in year where !(1...9999).contains(year) {
      throw ValidationError("--year must be from 1 to 9999, got \(year)")
    }
    for month in month where !(1...12).contains(month) {
      throw ValidationError("--month must be from 1 to 12, got \(month)")
    }
    if let country, country.utf8.count != 2 || !country.allSatisfy({ $0.isASCII && $0.isLetter }) {
      throw ValidationError(
        "--country must be two letters, as PW for Palau, got \"\(Escaping.terminal(country))\"")
    }
  }

  /// Whether any of them is asked for.
  var isChosen: Bool {
    let texts = [within, bbox, from, to, place, country, collection, tag]
    return texts.contains { $0 != nil } || !year.isEmpty || !month.isEmpty || !kind.isEmpty
  }

  func query(_ journal: JournalFile, _ pack: Pack) throws -> SightingQuery {
    var query = SightingQuery()
    if let within {
      query.taxa = try journal.references(
        within: try pack.view.journalTaxon(named: within), in: pack)
    }
    if let bbox {
      let parts = bbox.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 4 else {
        throw CommandFailure(
          .usage,
          "--bbox needs south,west,north,east, as in 7,134,8,135, got \"\(Escaping.terminal(bbox))\""
        )
      }
      let low = try Position(latitude: parts[0], longitude: parts[1])
      let high = try Position(latitude: parts[2], longitude: parts[3])
      query.bounds = try Bounds(
        southE7: low.latitudeE7, westE7: low.longitudeE7, northE7: high.latitudeE7,
        eastE7: high.longitudeE7)
    }
    let first = try from.map { text throws(JournalError) in try LocalTime(text, field: "--from") }
    let last = try to.map { text throws(JournalError) in try LocalTime(text, field: "--to") }
    if first != nil || last != nil {
      let days = (first?.firstDay ?? .min, last?.lastDay ?? .max)
      guard days.0 <= days.1 else {
        throw CommandFailure(
          .usage, "--from \(first?.text ?? "") is after --to \(last?.text ?? "")")
      }
      query.days = days.0...days.1
    }
    query.years = Set(year)
    query.months = Set(month)
    query.kinds = Set(try kind.map { try Event.Kind(word: $0, field: "--kind") })
    query.region = try place.map { try journalPlace($0, journal) }
    query.country = try country.map { try Self.country($0, journal) }
    query.collection = try collection.map { try Self.collection($0, journal) }
    query.tag = try tag.map { try Self.tag($0, journal) }
    return query
  }

  /// The tag, where any record has it.
  static func tag(_ text: String, _ journal: JournalFile) throws -> String {
    let all = try journal.tags().map(\.name)
    if all.contains(where: { $0.lowercased() == text.lowercased() }) { return text }
    throw unknown("nothing has the tag \"\(text)\"", all)
  }

  /// The country in capitals, where a place is in it.
  private static func country(_ text: String, _ journal: JournalFile) throws -> String {
    let all = try journal.countries()
    let code = text.uppercased()
    if all.contains(code) { return code }
    throw unknown("no place is in the country \"\(code)\"", all)
  }

  /// That something is not there, and some of what is.
  private static func unknown(_ what: String, _ all: [String]) -> CommandFailure {
    let names = all.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
    return CommandFailure(
      .notFound, Escaping.terminal(what + (names.isEmpty ? "" : "; there is \(names)")))
  }

  /// The collection that is meant by a text.
  static func collection(_ text: String, _ journal: JournalFile) throws -> JournalID {
    if let found = try journal.collection(text) { return found.id }
    throw unknown("no collection \"\(text)\"", try journal.collections().map(\.name))
  }
}

/// The UUID that an argument is.
func journalID(_ text: String) throws -> JournalID {
  guard let id = JournalID(text) else {
    throw CommandFailure(
      .usage, "\"\(Escaping.terminal(text))\" is no UUID: `stol journal list` shows them")
  }
  return id
}
