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
      with the same database, changes nothing. A place on a command line is in the history of the shell.

        stol journal add "Quercus robur" --at 42.45331,-76.48070 --accuracy 4
        stol journal add "Acer sp." --when 2026-03 --collection Orchard
      """)

  @Argument(help: "What it was, as you would write it.")
  var name: String

  // A value may begin with a minus.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where, in degrees: latitude,longitude.", valueName: "position"))
  var at: String?

  @Option(help: ArgumentHelp("Within how many metres that is.", valueName: "metres"))
  var accuracy: Int?

  @Flag(help: "Take an accuracy of 20 m and more without a warning.")
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

  @Option(help: ArgumentHelp("How many.", valueName: "n"))
  var count: Int?

  @Option(help: ArgumentHelp("Something to say about it.", valueName: "text"))
  var note: String?

  @Option(help: ArgumentHelp("A tag; may be repeated.", valueName: "tag"))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp(
      "The collection that it is in; a new one is made. The next ones need not say it: see --no-collection.",
      valueName: "name"))
  var collection: String?

  @Flag(help: "Put it into no collection, and forget which was the last one.")
  var noCollection = false

  @Option(help: ArgumentHelp("The UUID of the occurrence.", valueName: "uuid"))
  var id: String?

  @Option(help: ArgumentHelp("Only a taxon within this clade (id or name).", valueName: "taxon"))
  var within: String?

  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if collection != nil, noCollection {
      throw ValidationError("choose one of --collection and --no-collection")
    }
    if accuracy != nil, at == nil {
      throw ValidationError("--accuracy says how exact --at is: give that too")
    }
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let view = pack.view
    var reader = JournalNameReader(within: try within.map { try view.taxon(named: $0) })
    let reading = reader.read(name, in: view)
    let file = try journal.open()
    var capture = Capture(
      id: try id.map { try journalID($0) } ?? JournalID(), reading: reading,
      time: try LocalTime(when ?? today(), field: "--when"))
    capture.utcOffsetMin = utcOffset
    capture.position = try at.map { try position($0) }
    capture.count = count
    capture.tags = Set(tag)
    capture.collection = try chosenCollection(file)
    capture.note = note
    let outcome = try file.save(capture.records)
    try keepCollection(capture.collection?.id, file)
    let word =
      outcome.batch == nil ? "same" : outcome.results.contains(.updated) ? "updated" : "new"
    var output = ByteOutput()
    try output.write("\(word)\t\(capture.id)\t\(reading.taxon?.written ?? "")\n")
    try output.flush()
    guard !journal.quiet else { return }
    say(reading)
    if let accuracy, accuracy >= 20, !acceptAccuracy {
      writeStandardError(
        "stol: within \(accuracy) m is inexact: below 20 m is acceptable, below 10 m good\n")
    }
  }

  /// The date by the clock of this machine.
  private func today() -> String {
    let seconds = Int(Date().timeIntervalSince1970.rounded(.down))
    return String(
      timeText(secondsSince1970: seconds + TimeZone.current.secondsFromGMT()).prefix(10))
  }

  private func say(_ reading: NameReading) {
    if let taxon = reading.taxon {
      let beside = [reading.qualifier, reading.cultivar.map { "'\($0)'" }].compactMap { $0 }
      let words = ([taxon.name] + beside).joined(separator: " ")
      writeStandardError("stol: read as \(Escaping.terminal(words))\n")
      return
    }
    let names = reading.suggestions.map { "\($0.taxon.name) (\($0.taxon.written))" }
    let hint = names.isEmpty ? "" : "; is it " + names.joined(separator: ", ") + "?"
    writeStandardError(
      "stol: no taxon for it yet (\(Escaping.terminal(reading.reason + hint))); 'stol journal names' decides\n"
    )
  }

  private func position(_ text: String) throws -> Position {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw CommandFailure(
        .usage,
        "--at needs latitude,longitude, as in 42.45331,-76.48070, got \"\(Escaping.terminal(text))\""
      )
    }
    return try Position(
      latitude: String(parts[0]), longitude: String(parts[1]), uncertaintyM: accuracy)
  }

  private static let lastCollection = "last_collection"

  /// The collection that was named, else the last one, unless it was deleted since.
  private func chosenCollection(_ file: JournalFile) throws -> JournalCollection? {
    guard !noCollection else { return nil }
    let all = try file.collections()
    if let collection {
      let known = all.first { $0.name == collection }?.id
      return JournalCollection(id: known ?? JournalID(), name: collection)
    }
    let last = try file.setting(Self.lastCollection).flatMap { JournalID($0) }
    return all.first { $0.id == last && last != nil }.map {
      JournalCollection(id: $0.id ?? JournalID(), name: $0.name)
    }
  }

  private func keepCollection(_ id: JournalID?, _ file: JournalFile) throws {
    let kept = try file.setting(Self.lastCollection)
    if kept != id?.description { try file.set(Self.lastCollection, to: id?.description) }
  }
}
