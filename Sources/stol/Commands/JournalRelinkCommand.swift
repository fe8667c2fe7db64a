import ArgumentParser
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// The command `stol journal relink`.
struct RelinkJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relink",
    abstract: "Say what taxa of the journal are in the active database, or follow them there.",
    discussion: """
        stol journal relink
        stol journal relink --apply
        stol journal relink decide ncbi:9689 "Panthera leo"
      """,
    subcommands: [ReportRelinkJournalCommand.self, DecideRelinkJournalCommand.self],
    defaultSubcommand: ReportRelinkJournalCommand.self)
}

/// The command `stol journal relink report`.
struct ReportRelinkJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Say what taxa of the journal are in the active database, or follow them there.",
    discussion: """
      A line for each reference that does not lead to the same taxon under the same name, id and all; its \
      outcome is one of same, merged, deleted, by name, by synonym, ambiguous or absent. What has no \
      proposal needs a person: 'stol journal relink decide' says what it is. Nothing changes without \
      --apply, which adds identifications and leaves those before them in the history.

        stol journal relink
        stol journal relink --apply
      """)

  @Flag(help: "Add an identification to each occurrence whose taxon has a proposal.")
  var apply = false

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func run() throws {
    let pack = try journal.location.open().pack
    let file = try journal.open()
    let lines = try file.relinkReport(in: pack)
    let open = lines.filter { $0.proposal == nil || $0.isChange }
    var writer = format.writer([
      "reference", "scientificName", "outcome", "occurrenceCount", "proposal", "proposedName",
      "candidates",
    ])
    for line in open {
      writer.beginRow()
      writer.text("reference", line.reference.written)
      writer.text("scientificName", line.reference.name)
      writer.text("outcome", line.outcome)
      writer.number("occurrenceCount", line.occurrenceCount)
      writer.text("proposal", line.proposal?.written)
      writer.text("proposedName", line.proposal?.name)
      writer.list("candidates", line.candidates.map { "\($0.name) (\($0.written))" })
      try writer.endRow()
    }
    try writer.present(header: !format.noHeader)
    let changes = open.filter(\.isChange)
    if apply {
      let (count, batch) = try file.relink(changes)
      guard !journal.quiet else { return }
      let undo = batch.map { "; 'stol journal undo \($0)' takes them back" } ?? ""
      writeStandardError("stol: identifications added: \(count)\(undo)\n")
    } else if !journal.quiet, !changes.isEmpty {
      let count = changes.reduce(0) { $0 + $1.occurrenceCount }
      writeStandardError("stol: nothing was changed; identifications that --apply adds: \(count)\n")
    }
  }
}

/// The command `stol journal relink decide`.
struct DecideRelinkJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decide",
    abstract: "Say which taxon a reference is that is not one taxon of the active database.",
    discussion: """
      What was written stays; each sighting that has the reference gets another identification, and one \
      'stol journal undo' takes all of them back. Of a species that was split some are this one and some \
      that: the options say of which sightings it is said, and 'stol journal life --unclear' lists them.

        stol journal relink decide ncbi:9689 "Panthera leo"
        stol journal relink decide col:4CGXP "Larus smithsonianus" --country US
      """)

  @Argument(help: "The reference, as 'stol journal relink' shows it: ncbi:9689.")
  var reference: String

  @Argument(help: "The taxon (id or name).")
  var taxon: String

  @Flag(help: "Say how many it would be, and change nothing.")
  var dryRun = false

  @OptionGroup var sightings: SightingOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if sightings.within != nil {
      throw ValidationError("--within says nothing of a reference that is not one taxon")
    }
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let view = pack.view
    guard let new = view.reference(to: try view.journalTaxon(named: taxon)) else {
      throw CommandFailure(.usage, "this taxon has no id, and cannot be referred to")
    }
    let file = try journal.open(isDryRun: dryRun)
    let unclear = try file.unclearReferences(in: pack).filter { $0.reference.written == reference }
    guard !unclear.isEmpty else {
      throw CommandFailure(
        .notFound,
        "\"\(Escaping.terminal(reference))\" needs no decision: 'stol journal relink' lists what does"
      )
    }
    let count = try file.decide(
      Set(unclear.map(\.id)), is: new, of: try sightings.query(file, pack), isRehearsal: dryRun
    ).count
    try writeText("\(count)\t\(new.written)\n")
    if count == 0 { throw ExitCode.nothingFound }
  }
}
