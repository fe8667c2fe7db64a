import ArgumentParser
import Foundation
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal export`.
struct ExportJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write records to a file, for others or exactly.",
    discussion: """
      For others, which is what it does unless you say otherwise, nothing leaves that would say where something is that is \
      to be kept from them. Of what is obscured, and of what is or was ever taken for a taxon that the database \
      calls vulnerable, endangered or critically endangered, or for one within it, in whatever words, only the cell of a \
      fixed grid (0.1 degree, 0.5 of what is critically endangered) and the month are written, and of what was with it, of the same \
      individual, at the same place, in the same hundredth of a degree, or in that month in the same fiftieth; no names of places, no remarks, notes, measures, \
      tags and collections, and other UUIDs. What is private is left out, and so are drafts and persons, \
      everywhere. What is deleted is not written, and is kept from others as before until it is purged. Photos are copies that say nothing but the image: 'stol journal photo export' writes them. Words of what is open leave as they were written: look whether a remark, a note or a tag \
      names a place or a person that is not for others. What was made less exact and what was left out is counted on the standard error. 'stol journal privacy' says what is to be kept from \
      others. Choosing what is written may say more than what is written: who knows that a file is of one \
      day knows the day.

      With --exact everything is written as exactly as the journal knows it, and is not to be given \
      away. json and jsonl, for a backup or a move, hold all of a record, and an empty journal that has read them writes the same bytes \
      again: 'stol journal import' reads both. Deleted records are in an archive alone, and so is what they keep from \
      others. csv and tsv have a row for each \
      occurrence, which 'stol journal import' knows by its header, and are no backup: what is in a private collection \
      comes back without that word. gpx, kml and kmz have a point for each place, each \
      individual and each other occurrence, for maps and devices, geojson a feature for each place and each \
      occurrence; what the journal knows is beside them, so that 'stol journal import' knows them again. treetracker and umilog have the \
      layouts of those apps, subsurface and uddf dives with their sites and what \
      computers noted on the way, ebird the record format that eBird takes, \
      with a row for whatever was seen, so choose the birds, inaturalist what the importer of iNaturalist takes, and dwca a Darwin Core archive as GBIF \
      takes it, which needs --licence and --creator; what a format cannot hold is counted on \
      the standard error. archive has all of them with the files of their photos, exactly without being asked, and sealed with a \
      passphrase unless you say --unsealed: 'stol journal backup' writes the same. What was written for others as \
      json, jsonl, csv or tsv and comes back changes nothing of what it was made of; in the layouts of those apps it \
      is taken for other records. Exports for others keep in the journal by what they make other UUIDs, and which \
      cells others know, so that the next one says the same; the first one needs a journal that can be written to.

      With -o FOLDER/ the file is named after the collection, if others may know that and all in it, or what is in \
      it, and the time by the clock and time zone of this computer: trees_2026-03-15_143022.json. A file that is \
      there is left alone without --force. Nobody but you may read the file; of a link the file behind it is \
      written, and a device or a pipe is written to.

        stol journal export --exact -o journal.jsonl
        stol journal export --exact -o backup/ --format json
        stol journal export --format gpx --within Fagaceae --from 2026 -o oaks.gpx
        stol journal export --format treetracker --collection Orchard -o .
      """)

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file to write, or the folder to put it into (default: -, the standard output).",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "json, jsonl, csv, tsv, gpx, geojson, kml, kmz, treetracker, umilog, subsurface, uddf, ebird, inaturalist, dwca or archive (default: what the name of the file ends with, else jsonl).",
      valueName: "format"), completion: .list(ExportFormat.allCases.map(\.rawValue)))
  var format: String?

  @Flag(help: "Write everything exactly, for yourself: the same as --privacy exact.")
  var exact = false

  @Option(
    help: ArgumentHelp("For whom it is: shared or exact (default: shared).", valueName: "privacy"),
    completion: .list(["shared", "exact"]))
  var privacy: String?

  @Option(
    help: ArgumentHelp(
      "What others may do with a Darwin Core archive: CC0-1.0, CC-BY-4.0 or CC-BY-NC-4.0.",
      valueName: "licence"),
    completion: .list(DatasetDescription.Licence.allCases.map(\.rawValue)))
  var licence: String?

  @Option(
    help: ArgumentHelp("Whose records a Darwin Core archive has.", valueName: "name"))
  var creator: String?

  @Option(help: ArgumentHelp("What a Darwin Core archive is called.", valueName: "title"))
  var title: String?

  @Flag(help: "Write over a file that is there.")
  var force = false

  @OptionGroup var seal: SealOptions

  @OptionGroup var sightings: SightingOptions

  @OptionGroup var journal: JournalOptions

  func validate() throws {
    try requireKnownEnding()
    if seal.isChosen, chosenFormat != .archive {
      throw ValidationError("--unsealed and --passphrase-file belong to --format archive")
    }
    if let format, ExportFormat(rawValue: format) == nil {
      let words = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--format must be one of \(words), got \(format)")
    }
    if let privacy, privacy != "shared", privacy != "exact" {
      throw ValidationError("--privacy must be shared or exact, got \(privacy)")
    }
    if chosenFormat == .dwca {
      if licence == nil || creator == nil {
        throw ValidationError("a Darwin Core archive needs --licence and --creator")
      }
    } else if licence != nil || creator != nil || title != nil {
      throw ValidationError("--licence, --creator and --title belong to --format dwca")
    }
    if let licence, DatasetDescription.Licence(rawValue: licence) == nil {
      let words = DatasetDescription.Licence.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--licence must be one of \(words), got \(licence)")
    }
    if exact, privacy == "shared" {
      throw ValidationError("choose one of --exact and --privacy shared")
    }
    if privacy == "shared", chosenFormat == .archive {
      throw ValidationError("an archive has everything exactly: for others choose another format")
    }
  }

  func run() throws {
    let file = try journal.open()
    let privacy = try journal.privacy(isExact: exact || self.privacy == "exact")
    let query = try chosenSightings(file)
    let format = chosenFormat
    let writer = "stol \(Version.stol)"
    let dataset = try dataset(of: format)
    let passphrase = format == .archive ? try seal.new() : nil
    func write(_ append: @escaping ([UInt8]) throws -> Void) throws -> ExportReport {
      guard format == .archive else {
        return try file.export(
          format, of: query, for: privacy, by: writer, as: dataset, to: append)
      }
      return try file.archive(of: query, by: writer, sealedWith: passphrase, to: append)
    }
    let report: ExportReport
    if let output, output != "-" {
      let path = try exportPath(
        output, format, collection: name(query, file, privacy), force: force)
      TemporaryFiles.removeWhenInterrupted()
      let target = try ExportFile(path)
      report = try write { try target.append($0) }
      try target.finish()
      say(["\(report.lines[0]) to \(path)"] + report.lines.dropFirst())
    } else {
      // Who reads it may be slow, and others wait for the journal meanwhile.
      let target = Collected()
      report = try write {
        target.output.bytes += $0
        // Photos may be more than there is memory.
        if format == .archive { try target.output.flush() }
      }
      try target.output.flush()
      if !report.isWhole { say(report.lines) }
    }
  }

  /// Which sightings were asked for; nil for all records.
  private func chosenSightings(_ file: JournalFile) throws -> SightingQuery? {
    guard sightings.isChosen else { return nil }
    var query = try sightings.query(file, try journal.location.open().pack)
    query.includesAbsent = true
    return query
  }

  /// What a Darwin Core archive says of itself; nil for another format.
  private func dataset(of format: ExportFormat) throws -> DatasetDescription? {
    guard format == .dwca, let creator,
      let licence = licence.flatMap({ DatasetDescription.Licence(rawValue: $0) })
    else { return nil }
    return try DatasetDescription(licence: licence, creator: creator, title: title)
  }

  private var chosenFormat: ExportFormat {
    if let format = format.flatMap({ ExportFormat(rawValue: $0) }) { return format }
    return Self.endings.first { ending == $0.fileExtension } ?? .jsonl
  }

  /// The formats that a name of a file says, others being one of several with its ending.
  private static let endings: [ExportFormat] = [
    .json, .jsonl, .csv, .tsv, .gpx, .geojson, .kml, .kmz, .subsurface, .uddf, .archive,
  ]

  /// What the name of the file ends with, in small letters; empty where that says nothing.
  private var ending: String {
    guard let name = output?.split(separator: "/", omittingEmptySubsequences: false).last,
      let dot = name.lastIndex(of: "."), dot > name.startIndex
    else { return "" }
    return name[dot...].dropFirst().lowercased()
  }

  /// - Throws: where a file has an ending that is of no format, so that it would not be what it is called.
  private func requireKnownEnding() throws {
    guard format == nil, !ending.isEmpty, let output, !isFolder(output),
      !Self.endings.contains(where: { $0.fileExtension == ending })
    else { return }
    let known = Self.endings.map { ".\($0.fileExtension)" }.joined(separator: ", ")
    throw ValidationError(
      "no format is known by the ending .\(ending): say --format, or give the file one of \(known)")
  }

  /// What the file may be called after.
  private func name(
    _ query: SightingQuery?, _ file: JournalFile, _ privacy: ExportPrivacy
  ) throws -> String? {
    guard let collection = query?.collection,
      try file.isOpen(collection: collection, for: privacy)
    else { return nil }
    return sightings.collection
  }

  private func say(_ lines: [String]) {
    guard !journal.quiet else { return }
    for line in lines { writeStandardError("stol: \(Escaping.terminal(line))\n") }
  }
}

/// The file that an export goes to.
///
/// - Parameters:
///   - output: the file, or the folder to put it into.
///   - format: what it is, after which a file in a folder is named.
///   - collection: the collection that is written, if it is one.
///   - force: whether one that is there may be written over.
/// - Returns: its path.
/// - Throws: `CommandFailure` where one is there.
func exportPath(
  _ output: String, _ format: ExportFormat, collection: @autoclosure () throws -> String?,
  force: Bool
) throws -> String {
  var path = output
  if output.hasSuffix("/") || isFolder(output) {
    let now = Date()
    let seconds = Int(now.timeIntervalSince1970.rounded(.down))
    let name = format.fileName(
      collection: try collection(), at: seconds + TimeZone.current.secondsFromGMT(for: now))
    path = output + (output.hasSuffix("/") ? "" : "/") + name
  }
  try requireFree(path, force: force)
  return path
}

private func requireFree(_ path: String, force: Bool) throws {
  guard force || FileIdentity(path: path) == nil || isWrittenInPlace(path) else {
    throw CommandFailure(
      .usage, "\(Escaping.terminal(path)): is there already: choose another name, or say --force")
  }
}

/// Writes a file that nobody but its owner may read.
///
/// - Parameters:
///   - path: the file.
///   - bytes: what it is to hold.
///   - force: whether one that is there may be written over.
/// - Throws: `CommandFailure` where one is there.
func writeExport(_ path: String, _ bytes: [UInt8], force: Bool) throws {
  try requireFree(path, force: force)
  TemporaryFiles.removeWhenInterrupted()
  let file = try ExportFile(path)
  try file.append(bytes)
  try file.finish()
}

private func isFolder(_ path: String) -> Bool {
  do {
    _ = try RegularFile(path: path, followsLinks: true)
    return false
  } catch {
    return error.code == .isFolder
  }
}

extension JournalOptions {
  /// For whom an export is: for others by the threats that the database states.
  func privacy(isExact: Bool) throws -> ExportPrivacy {
    if isExact { return .exact }
    return .shared(try location.open().pack)
  }
}

private final class Collected {
  var output = ByteOutput()
}
