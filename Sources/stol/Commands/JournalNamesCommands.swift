import ArgumentParser
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// The command `stol journal names`.
struct NamesJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "names", abstract: "List names that have no taxon yet, or say which one it is.",
    discussion: """
        stol journal names
        stol journal names decide redbud "Cercis canadensis"
      """,
    subcommands: [ListNamesJournalCommand.self, DecideNamesJournalCommand.self],
    defaultSubcommand: ListNamesJournalCommand.self)
}

/// The command `stol journal names list`.
struct ListNamesJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List names that have no taxon yet, each with what it may mean.",
    discussion: """
      The most frequent come first, each once, however many sightings have it. The status is a word of \
      'stol match', the reason says it for people. All taxa that have it as a \
      common name are suggested before those whose names are merely similar; JSON says of each suggestion \
      which name of it is meant, and how that differs. A terminal shows the first one.

        stol journal names
        stol journal names list --within Viridiplantae --json
      """)

  @Option(
    help: ArgumentHelp("Suggest taxa within this clade only (id or name).", valueName: "taxon"))
  var within: String?

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  /// What kept a name of one taxon from being it: another database, or a kingdom or the like beside it.
  private static let knownNow = ", which it was not taken for as it was entered then"

  func run() throws {
    let pack = try journal.location.open().pack
    let file = try journal.open()
    let view = pack.view
    var reader = JournalNameReader(within: try within.map { try view.journalTaxon(named: $0) })
    var writer = format.writer(["verbatimName", "sightingCount", "status", "reason", "suggestions"])
    for open in try file.openNames() {
      let reading = reader.read(open.verbatimName, in: view)
      var suggestions = reading.suggestions
      // What the database knows by now is the best suggestion of all.
      if let taxon = reading.taxon {
        suggestions.insert(
          NameSuggestion(taxon: taxon, matchedName: taxon.name, difference: "none"), at: 0)
      }
      writer.beginRow()
      writer.text("verbatimName", open.verbatimName)
      writer.number("sightingCount", open.sightingCount)
      writer.text("status", reading.status)
      let isKnownNow = reading.taxon != nil
      writer.text("reason", reading.reason + (isKnownNow ? Self.knownNow : ""))
      if writer.format.isStructured {
        writer.objects("suggestions", suggestions) { writer, suggestion in
          writer.text("taxon", suggestion.taxon.written)
          writer.text("scientificName", suggestion.taxon.name)
          writer.text("matchedName", suggestion.matchedName)
          writer.text("difference", suggestion.difference)
        }
      } else if writer.format == .table {
        let others = suggestions.count - 1
        writer.text(
          "suggestions",
          suggestions.first.map { $0.written + (others > 0 ? " and \(others) more" : "") })
      } else {
        writer.list("suggestions", suggestions.map(\.written))
      }
      try writer.endRow()
    }
    try writer.presentFound(
      shown: ["verbatimName", "sightingCount", "suggestions", "status", "reason"],
      header: !format.noHeader)
  }
}

/// The command `stol journal names decide`.
struct DecideNamesJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decide", abstract: "Say which taxon a name is, for all that was written so.",
    discussion: """
      What was written stays; each sighting with that name and no taxon gets another identification. One \
      'stol journal undo' takes all of them back.

        stol journal names decide redbud "Cercis canadensis"
      """)

  @Argument(help: "The name, exactly as it was written.")
  var name: String

  @Argument(help: "The taxon (id or name).")
  var taxon: String

  @Flag(help: "Say how many it would be, and change nothing.")
  var dryRun = false

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let pack = try journal.location.open().pack
    let view = pack.view
    guard let reference = view.reference(to: try view.journalTaxon(named: taxon)) else {
      throw CommandFailure(.usage, "this taxon has no id, and cannot be referred to")
    }
    let count = try journal.open(isDryRun: dryRun)
      .decide(name, is: reference, isRehearsal: dryRun).count
    try writeText("\(count)\t\(reference.written)\n")
    if count == 0 { throw ExitCode.nothingFound }
  }
}

extension NameSuggestion {
  /// The taxon, and whether the name is a common name of it: "Panthera leo (ncbi:9689, common name)".
  var written: String {
    let remark = difference == Self.commonName ? ", \(difference)" : ""
    return "\(taxon.name) (\(taxon.written)\(remark))"
  }
}

extension NameReading {
  /// Why the name has no taxon, and which ones it may mean, in a line.
  var question: String {
    let shown = suggestions.prefix(Self.shownCount).map(\.written).joined(separator: ", ")
    guard !shown.isEmpty else { return reason }
    let more = suggestions.count - Self.shownCount
    return "\(reason); is it \(shown)" + (more > 0 ? ", or one of \(more) more?" : "?")
  }

  /// More suggestions than these are no line that anybody reads.
  private static var shownCount: Int { 8 }
}
