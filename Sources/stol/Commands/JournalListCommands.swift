import ArgumentParser
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// The command `stol journal list`.
struct ListJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List what was seen, the last first.",
    discussion: """
      Names are those of the active database; the column outcome says how a taxon is found in it, and of what is \
      not there the name that it had stays. Drafts and what is deleted are left out. With --limit the list ends early, which is said. It is your own view, \
      exact whatever others may know, in every form: for others there is 'stol journal export'.

        stol journal list --within Cnidaria --from 2026 --json
        stol journal list --bbox 7,134,8,135 --limit 20
      """)

  @OptionGroup var sightings: SightingOptions

  @Flag(help: "List what was looked for and not seen, too.")
  var absent = false

  @Option(help: ArgumentHelp("The most that are listed (default: all).", valueName: "n"))
  var limit: Int?

  @OptionGroup var format: RowFormatOptions

  @OptionGroup var journal: JournalOptions

  private static let columns = [
    "id", "eventID", "time", "verbatimName", "scientificName", "taxon", "outcome", "latitude",
    "longitude", "uncertaintyM", "presence", "count", "accuracy",
  ]

  /// What a terminal shows.
  private static let shown = [
    "time", "verbatimName", "scientificName", "count", "id", "presence", "latitude", "longitude",
    "accuracy",
  ]

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more, got \(limit)") }
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let file = try journal.open()
    var query = try sightings.query(file, pack)
    query.includesAbsent = absent
    let thresholds = try file.accuracyThresholds()
    var writer = format.writer(Self.columns)
    query.limit = limit ?? .max
    let view = pack.view
    var found: [TaxonReference: (name: String, outcome: String)] = [:]
    let isCut = try file.eachSighting(query) { sighting in
      var taxon = sighting.taxon.flatMap { found[$0] }
      if taxon == nil, let reference = sighting.taxon {
        let outcome = view.resolve(reference)
        let name = outcome.taxon.map { view.names.scientificName(of: $0) } ?? reference.name
        taxon = (name, outcome.word)
        found[reference] = taxon
      }
      writer.beginRow()
      writer.text("id", sighting.occurrence.description)
      writer.text("eventID", sighting.event.description)
      writer.text("time", sighting.time.text)
      writer.text("verbatimName", sighting.verbatimName)
      writer.text("scientificName", taxon?.name)
      writer.text("taxon", sighting.taxon?.written)
      writer.text("outcome", taxon?.outcome)
      writer.number("latitude", exact: sighting.position?.latitude)
      writer.number("longitude", exact: sighting.position?.longitude)
      writer.number("uncertaintyM", sighting.position?.uncertaintyM)
      writer.text("presence", sighting.isPresent ? "present" : "absent")
      writer.number("count", sighting.count)
      writer.text(
        "accuracy",
        sighting.position?.uncertaintyM.map {
          AccuracyClass(uncertaintyM: $0, thresholds).rawValue
        })
      try writer.endRow()
    }
    try writer.presentFound(shown: Self.shown, header: !format.noHeader, quiet: journal.quiet)
    if isCut, !journal.quiet { writeStandardError("stol: there are more; see --limit\n") }
  }
}

/// The command `stol journal show`.
struct ShowJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show records with all that they say, as JSON lines or, with --json, one array.",
    discussion: """
      After each record come those that are its own: the identifications of an occurrence, the first one \
      first, the occurrences of an event, notes, measures. With --facts a line more says of a place what it \
      is part of and what your own dives and visits say about it, and of an event who took part and what was \
      seen, by name.

        stol journal show 0192f3a4-5b6c-7d8e-9fab-cdef01234567
      """)

  @Argument(help: "UUIDs.")
  var ids: [String]

  @Flag(help: "Say what follows about a place or an event, too.")
  var facts = false

  @Flag(help: "Write one JSON array.")
  var json = false

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let file = try journal.open()
    var lines: [String] = []
    var missing: JournalError?
    for id in try ids.map(journalID) {
      guard let kept = try file.record(id) else {
        missing = missing ?? .unknown(id: id, needed: "record")
        continue
      }
      if kept.deletedAt != nil, !journal.quiet { writeStandardError("stol: \(id): deleted\n") }
      // Of one state of the file.
      switch kept.record.kind {
      case .place where facts:
        let detail = try file.detail(ofPlace: id)
        lines += try ([detail.place] + detail.parts).map { try JournalLines.line(of: $0.record) }
        lines.append(try FactLines.line(of: detail))
      case .event where facts:
        let detail = try file.detail(ofEvent: id)
        lines += try ([detail.event] + detail.parts).map { try JournalLines.line(of: $0.record) }
        lines.append(try FactLines.line(of: detail))
      default:
        lines += try ([kept] + file.parts(of: id)).map { try JournalLines.line(of: $0.record) }
      }
    }
    lines = lines.map(Escaping.jsonLine)
    if json {
      let ends = lines.indices.map { $0 == lines.count - 1 ? "" : "," }
      lines = ["["] + zip(lines, ends).map { "  " + $0 + $1 } + ["]"]
    }
    try writeLines(lines)
    if let missing { throw missing }
  }
}

/// The command `stol journal search`.
struct SearchJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find records by names, words, tags and notes.",
    discussion: """
      All words must be there, each as the beginning of a word; case and accents are of no account: lodz \
      finds Łódź.

        stol journal search "blue cor"
      """)

  @Argument(help: "The words.")
  var text: String

  @Option(help: ArgumentHelp("The most that are listed (default: 50).", valueName: "n"))
  var limit = 50

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be 1 or more, got \(limit)") }
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let (hits, isCut) = try journal.open().search(text, limit: limit, in: pack)
    var writer = format.writer(["id", "kind", "name", "scientificName"])
    for hit in hits {
      writer.beginRow()
      writer.text("id", hit.id.description)
      writer.text("kind", hit.kind.rawValue)
      writer.text("name", hit.name)
      writer.text("scientificName", hit.scientificName)
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
    if isCut, !journal.quiet { writeStandardError("stol: there are more; see --limit\n") }
  }
}
