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
      A line for each reference that does not lead to the same taxon under the same name, id and all; its \
      outcome is one of same, merged, deleted, by name, by synonym, ambiguous or absent. What has no \
      proposal needs a person: 'stol journal names' and 'stol journal edit'. Nothing changes without \
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
