import ArgumentParser
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// The command `stol journal life`.
struct LifeJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "life", abstract: "List every taxon that was seen, the newest first.",
    discussion: """
      The column outcome says how a taxon is found in the active database: same, merged, deleted, by name, \
      by synonym, ambiguous or absent. One that is not there has the name that it had, and no id; one that \
      was split since has the taxa that it may be as candidates. --unclear lists the sightings of all of \
      these, which need a look: 'stol journal edit' says of one what it is, 'stol journal relink decide' of many.

        stol journal life --within Aves
        stol journal life --unclear
        stol journal life --from 2026 --to 2026
        stol journal life --within Aves --by year
        stol journal life --new --from 2026 --to 2026
      """)

  @OptionGroup var sightings: SightingOptions

  @Option(
    help: ArgumentHelp(
      "Count taxa, and those that were new, by year, month, country or place instead.",
      valueName: "group"))
  var by: String?

  @Flag(help: "Only taxa that nobody saw before --from, or after --to for the first time.")
  var new = false

  @Flag(help: "List the sightings whose taxon is not one taxon of the active database.")
  var unclear = false
  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  private static let columns = [
    "id", "scientificName", "outcome", "reference", "sightingCount", "firstTime", "lastTime",
    "candidates",
  ]

  func validate() throws {
    if new, sightings.from == nil, sightings.to == nil {
      throw ValidationError("--new needs --from or --to, which say since when, or until when")
    }
    if new, by != nil {
      throw ValidationError("choose one of --new and --by, which counts what is new, too")
    }
    if unclear, new || by != nil {
      throw ValidationError("--unclear lists sightings: leave out --new and --by")
    }
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let file = try journal.open()
    var query = try sightings.query(file, pack)
    if unclear { return try writeUnclear(query, file, pack) }
    if let by { return try write(by, query, file, pack) }
    let list: [LifeEntry]
    if new, let days = query.days {
      query.days = nil
      list = try file.newTaxa(days, query, in: pack)
    } else {
      list = try file.lifeList(query, in: pack)
    }
    var writer = format.writer(Self.columns)
    for entry in list {
      writer.beginRow()
      writer.text("id", entry.currentID)
      writer.text("scientificName", entry.name)
      writer.text("outcome", entry.outcome)
      writer.text("reference", entry.taxon.written)
      writer.number("sightingCount", entry.sightingCount)
      writer.text("firstTime", entry.firstTime.text)
      writer.text("lastTime", entry.lastTime.text)
      writer.list("candidates", entry.candidates.map { "\($0.name) (\($0.written))" })
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
    let unclearCount = list.count { $0.currentID == nil }
    if unclearCount > 0, !journal.quiet {
      writeStandardError(
        "stol: not one taxon of this database: \(unclearCount); 'stol journal life --unclear' lists their sightings\n"
      )
    }
  }

  /// Writes the sightings that need a look, the last one first.
  private func writeUnclear(
    _ query: SightingQuery, _ file: JournalFile, _ pack: Pack
  ) throws {
    let unclear = try file.unclearReferences(in: pack)
    let known = Dictionary(
      unclear.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
    var query = query
    let ids = Set(unclear.map(\.id))
    query.taxa = query.taxa?.intersection(ids) ?? ids
    query.limit = .max
    var writer = format.writer([
      "id", "time", "verbatimName", "latitude", "longitude", "reference", "scientificName",
      "outcome",
      "candidates",
    ])
    _ = try file.eachSighting(query) { sighting in
      let reference = sighting.taxon.flatMap { known[$0] }
      writer.beginRow()
      writer.text("id", sighting.occurrence.description)
      writer.text("time", sighting.time.text)
      writer.text("verbatimName", sighting.verbatimName)
      writer.number("latitude", exact: sighting.position?.latitude)
      writer.number("longitude", exact: sighting.position?.longitude)
      writer.text("reference", sighting.taxon?.written)
      writer.text("scientificName", sighting.taxon?.name)
      writer.text("outcome", reference?.outcome)
      writer.list(
        "candidates", (reference?.candidates ?? []).map { "\($0.name) (\($0.written))" })
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
  }

  private func write(
    _ by: String, _ query: SightingQuery, _ file: JournalFile, _ pack: Pack
  ) throws {
    let group = try LifeGroup(word: by, field: "--by")
    var writer = format.writer([by, "name", "taxonCount", "newCount", "sightingCount"])
    for count in try file.lifeCounts(query, by: group, in: pack) {
      writer.beginRow()
      writer.text(by, count.value)
      writer.text("name", count.name)
      writer.number("taxonCount", count.taxonCount)
      writer.number("newCount", count.newCount)
      writer.number("sightingCount", count.sightingCount)
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
  }
}
