import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLPack
import STOLSystem

/// The command `stol journal duplicates`.
struct DuplicatesJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List pairs of sightings that may be one, entered twice.",
    discussion: """
      On one day, of one taxon or of one within the other, not of different individuals, and within 10 m \
      or as much as one of their positions is uncertain. The score, from 0 to 100, is an order and no \
      probability. Nothing changes: see 'stol journal merge'.

        stol journal duplicates --within Viridiplantae --json
      """)

  @OptionGroup var sightings: SightingOptions

  @Option(help: ArgumentHelp("The most pairs that are listed (default: 1000).", valueName: "n"))
  var limit = 1000

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be 1 or more, got \(limit)") }
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let file = try journal.open()
    let (pairs, isCut) = try file.duplicates(
      try sightings.query(file, pack), in: pack, limit: limit)
    var writer = format.writer(["id", "otherID", "score", "reasons"])
    for pair in pairs {
      writer.beginRow()
      writer.text("id", pair.first.description)
      writer.text("otherID", pair.second.description)
      writer.number("score", pair.score)
      writer.list("reasons", pair.reasons)
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
    if isCut, !journal.quiet { writeStandardError("stol: there are more; see --limit\n") }
  }
}

/// The command `stol journal merge`.
struct MergeJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Make one of two occurrences, organisms or places.",
    discussion: """
      The first one stays, with the identifications, notes and all else of both; where it says nothing it \
      says what the other one did, and it is kept from others at least as the other one was by the word of what that \
      was in. The other one is deleted. 'stol journal undo' makes two of it again.

        stol journal merge KEEP OTHER --dry-run
        stol journal merge KEEP OTHER
      """)

  @Argument(help: "The UUID of the record that stays.")
  var keep: String

  @Argument(help: "The UUID of the record that goes.")
  var other: String

  @Flag(help: "Say what would be moved, and change nothing.")
  var dryRun = false

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let (kept, gone) = (try journalID(keep), try journalID(other))
    let outcome = try journal.open(isDryRun: dryRun).merge(gone, into: kept, isRehearsal: dryRun)
    var lines = outcome.moved.sorted { $0.key < $1.key }.map { kind, count in
      "moved\t\(kind.rawValue)\t\(count)"
    }
    if let visit = outcome.filledVisit { lines.append("filled\tevent\t\(visit)") }
    lines.append("merged\t\(kept)\t\(outcome.batch.map { "\($0)" } ?? "")")
    try writeLines(lines)
  }
}

/// The command `stol journal place duplicates`.
struct JournalPlaceDuplicatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List pairs of places that may be one.",
    discussion: """
      Of one kind, near each other, with like names (the measure of Jaro and Winkler, from 0 to 1), and \
      neither part of the other. Nothing changes: see 'stol journal merge'.

        stol journal place duplicates
        stol journal place duplicates --distance 500 --similarity 0.9 --json
      """)

  @Option(help: ArgumentHelp("How far apart they may lie (default: 250).", valueName: "metres"))
  var distance = 250.0

  @Option(help: ArgumentHelp("How alike their names are at least (default: 0.92).", valueName: "n"))
  var similarity = 0.92

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if !(0...20_040_000).contains(distance) {
      throw ValidationError("--distance must be from 0 to 20040000, got \(distance)")
    }
    if !(0...1).contains(similarity) {
      throw ValidationError("--similarity must be from 0 to 1, got \(similarity)")
    }
  }

  func run() throws {
    let pairs = try journal.open().placeDuplicates(distanceM: distance, similarity: similarity)
    var writer = format.writer(["id", "otherID", "name", "otherName", "distanceM", "similarity"])
    for pair in pairs {
      writer.beginRow()
      writer.text("id", pair.first.id.description)
      writer.text("otherID", pair.second.id.description)
      writer.text("name", pair.first.name)
      writer.text("otherName", pair.second.name)
      writer.number("distanceM", Int(pair.distanceM.rounded()))
      writer.number("similarity", pair.similarity)
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
  }
}
