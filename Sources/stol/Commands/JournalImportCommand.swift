import ArgumentParser
import Foundation
import STOLAnswers
import STOLFormats
import STOLJournal
import STOLPack
import STOLSystem
import STOLTrust

/// The command `stol journal import`.
struct ImportJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add what a file says: a table, a map, or what 'export' wrote.",
    discussion: """
      Of a table, comma-separated or tab-separated, a mapping says what the columns mean; --propose \
      proposes one. A number that has a unit needs it: inches or centimetres are never guessed. A row that \
      cannot be kept is refused with its line, column, value and reason, and spoils no other. The same \
      file again changes nothing, and all of it is undone as one. A row that says otherwise than what is \
      there differs: what is there stays, and the exit code is 2, as where a row is refused. Identifiers \
      are those of a source, which --source or the mapping names, the same for a later file from there. \
      JSON goes in too: what export wrote, and the layouts of Tree Tracker, its watch, and UmiLog. What eBird \
      gives out of your observations, MyEBirdData.csv, tables and answers of iNaturalist, and Darwin Core archives, zipped or as folders, need no mapping, nor do dive logs \
      of Subsurface, UDDF, and FIT files of dive computers, with what these noted on the way. Photos that \
      an export of the journal names lie in a folder media beside it, as 'stol journal photo export' puts \
      them there; those of Tree Tracker lie in its file, or are files beside it. An archive holds its photos; \
      'stol journal restore' looks at all of it before it takes anything.

      Of a map, GPX, KML, KMZ or GeoJSON, what export wrote comes back as it was. Of other programs a waypoint or a \
      point is a spot, and a line or an area a place whose position is its middle, with the metres to its farthest \
      corner; a track with times, and what else says when it was, is a visit. Folders of KML are collections. With --map, \
      or where a feature has a scientificName and an eventDate, it is an occurrence: elements and properties are \
      columns then, as name=name or observed_on=date.

      A table with a column of places, and neither a date nor a name, is of places by themselves. Where they are from, \
      and what that asks for, is noted on each: --source OpenSites --map "=licence=CC BY 4.0" --map "=attribution=Who".

        stol journal import trees.csv --propose > trees.map
        stol journal import trees.csv --map trees.map --dry-run
        stol journal import trees.csv --map botanic=name --map DBH=dbh_mm:in
        stol journal import journal.jsonl
        stol journal import walk.gpx --dry-run

      What a column may say, where a number with a unit has that behind a colon, as height_cm:ft; a count may be \
      an X, which is some that nobody counted:
      \(TableMapping.fieldList)
      """)

  @Argument(help: "The file, compressed or not, or - for the standard input.", completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp(
      "Import all files of JSON in a folder, each moved to its folder done once it is kept.",
      valueName: "folder"),
    completion: .directory)
  var spool: String?

  @Option(
    help: ArgumentHelp(
      "csv, tsv, json, jsonl, treetracker, watchtree, umilog, ebird, inaturalist, dwca, gpx, geojson, kml, subsurface, uddf, fit or archive (default: what it is).",
      valueName: "format"))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "What becomes of photos in the file, or in the folder media beside it: keep, or skip (default: keep).",
      valueName: "choice"))
  var photos = PhotoChoice.keep.rawValue

  @Option(
    help: ArgumentHelp(
      "A file of entries, or one of them: COLUMN=FIELD, COLUMN=FIELD:UNIT, or =FIELD=VALUE of all rows; may be repeated.",
      valueName: "mapping"))
  var map: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Print a mapping for it with what you have to say and what its first rows would be, and keep nothing."
    ))
  var propose = false

  @Option(help: ArgumentHelp("How 1/2/2026 is meant: dmy, mdy or ymd.", valueName: "order"))
  var dates: String?

  @Option(help: ArgumentHelp("What stands before decimals: comma or point.", valueName: "sign"))
  var decimal: String?

  @Option(
    help: ArgumentHelp(
      "Where its identifiers are from, which are those of other files too.", valueName: "name"))
  var source: String?

  @Option(
    help: ArgumentHelp(
      "Which names are identifications: exact, or fuzzy for one letter that differs too.",
      valueName: "names"))
  var accept = "exact"

  @Option(help: ArgumentHelp("Only taxa within this clade (id or name).", valueName: "taxon"))
  var within: String?

  @Option(
    help: ArgumentHelp(
      "Put what is added into this collection, with --update also what is there; a new one is made.",
      valueName: "name"))
  var intoCollection: String?

  @Flag(help: "Put the same into the collection that was used last.")
  var intoLastCollection = false

  @Flag(help: "Let records that are there become what the file says.")
  var update = false

  @Flag(help: "Refuse the whole file with the first row that cannot be kept.")
  var strict = false

  @Flag(help: "Take 0 N 0 E for a place.")
  var acceptNullIsland = false

  @Flag(help: "Say what would become of it, and keep nothing.")
  var dryRun = false

  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var rows: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if (file == nil) == (spool == nil) {
      throw ValidationError("give a file, or --spool with a folder")
    }
    if PhotoChoice(rawValue: photos) == nil {
      throw ValidationError("--photos must be keep or skip, got \(photos)")
    }
    if spool != nil, propose || dryRun {
      throw ValidationError("--spool keeps files and moves them: leave out --propose and --dry-run")
    }
    if intoCollection != nil, intoLastCollection {
      throw ValidationError("choose one of --into-collection and --into-last-collection")
    }
    if let format, ImportFormat(rawValue: format) == nil {
      let words = ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--format must be one of \(words), got \(format)")
    }
    if ImportOptions.Acceptance(rawValue: accept) == nil {
      throw ValidationError("--accept must be exact or fuzzy, got \(accept)")
    }
  }

  func run() throws {
    if let spool { return try importSpool(spool) }
    try importFile(file ?? "-")
  }

  private func importSpool(_ folder: String) throws {
    guard try isPresent("\(folder)/.") else {
      throw CommandFailure(
        .inputOutput,
        Escaping.terminal("\(folder): no such folder: --spool takes one with files in it"))
    }
    var failedCount = 0
    try Spool(folder: folder).run { path in
      try importFile(path)
    } onFile: { name, outcome in
      guard case .failed(let reason) = outcome else { return }
      failedCount += 1
      writeStandardError("stol: \(Escaping.terminal("\(name): stays: \(reason)"))\n")
    }
    if failedCount > 0 {
      throw CommandFailure(
        .usage, "\(failedCount) file\(failedCount == 1 ? "" : "s") of the spool not imported")
    }
  }

  private func importFile(_ file: String) throws {
    let chosen = self.format.flatMap { ImportFormat(rawValue: $0) }
    if file != "-", !propose,
      let archive = try OpenImport(
        archiveOfTablesAt: file, as: chosen, acceptsNullIsland: acceptNullIsland)
    {
      return try importRows(archive, into: journal.open(isDryRun: dryRun))
    }
    let stream = try file == "-" ? SourceStream.standardInput() : ImportSource.stream(file)
    let name = file == "-" ? ImportFormat.standardInput : file
    if propose {
      let (found, whole) = try ImportFormat.detect(stream)
      let proposed = chosen ?? found
      guard proposed.isTable || proposed.isMap else {
        throw CommandFailure(.usage, "\(proposed.rawValue) needs no mapping")
      }
      return try writeText(
        proposed.isMap
          ? TableProposal.text(of: whole, as: proposed, fileName: name)
          : TableProposal.text(of: whole, fileName: name))
    }
    let photos = PhotoImport(
      PhotoChoice(rawValue: self.photos) ?? .keep, beside: file == "-" ? nil : file)
    var options = ImportOptions()
    options.isDryRun = dryRun
    options.acceptsNullIsland = acceptNullIsland
    let journal = try self.journal.open(isDryRun: dryRun)
    let source: OpenImport
    do {
      source = try OpenImport(
        stream, fileName: name, as: chosen, by: mapping(), photos: photos,
        into: journal, options, passphrase: { try passphrase.read(isNew: false) })
    } catch let error as SealError {
      return try about(name) { throw error }
    }
    try importRows(source, into: journal)
  }

  private func mapping() throws -> TableMapping {
    var mapping = TableMapping()
    for text in map {
      if text.contains("=") {
        try mapping.add(TableMapping([text]))
      } else {
        let bytes = try ByteInput.all(of: text)
        try mapping.add(TableMapping(contentsOf: String(decoding: bytes, as: UTF8.self)))
      }
    }
    for (word, value) in [("dates", dates), ("decimal", decimal), ("source", source)] {
      if let value { try mapping.add(TableMapping(["=\(word)=\(value)"])) }
    }
    return mapping
  }

  // MARK: - Rows

  private func importRows(_ source: OpenImport, into file: JournalFile) throws {
    let pack = try journal.location.open().pack
    var options = ImportOptions()
    options.accept = ImportOptions.Acceptance(rawValue: accept) ?? .exact
    options.isDryRun = dryRun
    options.isStrict = strict
    options.updates = update
    options.acceptsNullIsland = acceptNullIsland
    options.collection = try chosenCollection(file)
    if source.format == .archive, options.collection != nil {
      throw CommandFailure(
        .usage,
        "an archive has collections of its own: restore it, then use 'stol journal collection'")
    }
    let view = pack.view
    let names = ImportNames(
      in: pack, accept: options.accept, within: try within.map { try view.journalTaxon(named: $0) })
    if !source.unread.isEmpty, !journal.quiet {
      let words = source.unread.map { "\"\($0)\"" }.joined(separator: ", ")
      writeStandardError("stol: not taken: \(Escaping.terminal(words))\n")
    }
    let report = ImportReport(rows, quiet: journal.quiet)
    let summary = try Progress.interruptible(quiet: journal.quiet) { progress in
      var count = 0
      return try file.importing(source.reader, options, names: names) { row in
        count += 1
        if count % 256 == 0 { try progress.step("import: \(count) rows") }
        try report.add(row)
      }
    }
    try report.finish(summary, isDryRun: dryRun)
    if let collection = options.collection, !dryRun {
      try file.set(AddJournalCommand.lastCollection, to: collection.id.description)
    }
    try requireAll(summary)
  }

  /// Fails where a row is not kept as it is.
  private func requireAll(_ summary: ImportSummary) throws {
    let rows = "of \(summary.rowCount) row\(summary.rowCount == 1 ? "" : "s")"
    var words: [String] = []
    if let count = summary.rowCounts[.refused] {
      let haveOthers = !dryRun && count < summary.rowCount
      words.append("\(count) \(rows) refused" + (haveOthers ? "; the others are kept" : ""))
    }
    // A spool is done with a file once what is new in it is kept.
    if let count = summary.rowCounts[.differs], spool == nil {
      words.append(
        "\(count) \(rows) \(count == 1 ? "differs" : "differ") from what is there, which stays")
    }
    guard words.isEmpty else { throw CommandFailure(.usage, words.joined(separator: "; ")) }
  }

  private func chosenCollection(_ file: JournalFile) throws -> JournalCollection? {
    guard intoCollection != nil || intoLastCollection else { return nil }
    if let intoCollection { return try file.collection(named: intoCollection) }
    guard
      let last = try file.setting(AddJournalCommand.lastCollection).flatMap({ JournalID($0) }),
      let kept = try file.record(last), kept.deletedAt == nil,
      case .collection(let known) = kept.record
    else {
      throw CommandFailure(
        .notFound, "no collection is remembered that is there: name one by --into-collection")
    }
    return known
  }
}

extension ByteInput {
  /// All bytes of a file.
  fileprivate static func all(of path: String) throws -> [UInt8] {
    let input = try ByteInput(path: path)
    var bytes: [UInt8] = []
    var chunk: [UInt8] = []
    repeat {
      try input.read(into: &chunk, limit: 1 << 16)
      bytes += chunk
    } while !chunk.isEmpty
    return bytes
  }
}
