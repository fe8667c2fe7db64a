import ArgumentParser
import Foundation
import STOLAnswers
import STOLData
import STOLFavorites
import STOLPack
import STOLSystem

/// The command `stol favorites list`.
struct ListFavoritesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the favourites.",
    discussion: """
      The column outcome says how a favourite is found in the active database: same, merged, deleted, \
      by name, by synonym, ambiguous or absent. One that is not there has no id, and the name that it had \
      when it was added. Several that lead to one taxon here are one row; others are named in its last column.

        stol favorites list
        stol favorites list --sort common --lang de
        stol favorites list --json
      """)

  @OptionGroup var order: FavoriteOrderOptions

  @Flag(help: "Print one JSON value.")
  var json = false

  @Flag(help: "Print tab-separated values (the default in a pipe).")
  var tsv = false

  @Flag(help: "Print no header line.")
  var noHeader = false

  @OptionGroup var favorites: FavoritesOptions

  private static let columns = [
    "id", "rank", "scientificName", "commonName", "conservationStatus", "outcome", "reference",
    "addedName", "others",
  ]

  func run() throws {
    let list = try order.list(favorites)
    let isTable = Terminal.isOutput && !tsv
    var writer = RowWriter(
      json ? .json : isTable ? .table : .tsv, columns: Self.columns, header: !noHeader)
    for item in list.items {
      let stored = item.entry.reference
      let absent =
        writer.format == .table
        ? "(\(stored.name.isEmpty ? stored.written : stored.name): \(item.outcome))" : nil
      writer.beginRow()
      writer.id("id", item.sourceID, isJSONNumber: item.hasJSONNumberID)
      writer.text("rank", item.taxon?.rank.rawValue)
      writer.text("scientificName", item.taxon?.scientificName ?? absent)
      writer.text("commonName", item.commonName)
      writer.text("conservationStatus", item.taxon?.conservationStatus)
      writer.text("outcome", item.outcome)
      writer.text("reference", stored.written)
      writer.text("addedName", stored.name.isEmpty ? nil : stored.name)
      writer.list("others", item.others.map(\.reference.written))
      try writer.endRow()
    }
    try writer.present(header: !noHeader)
  }
}

/// The command `stol favorites count`.
struct CountFavoritesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count", abstract: "Say how many favourites there are.",
    discussion: "  stol favorites count")

  @OptionGroup var favorites: FavoritesOptions

  func run() throws {
    let pack = try favorites.location.open().pack
    try writeText("\(try favorites.open(pack).count)\n")
  }
}

/// The command `stol favorites clear`.
struct ClearFavoritesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Remove all favourites, for good.",
    discussion: """
      Damaged lists that were set aside (favorites.damaged-1.sqlite and so on) are deleted as well.

        stol favorites clear
        stol favorites clear --yes
      """)

  @OptionGroup var confirmation: ConfirmationOptions

  @OptionGroup var options: FavoritesOptions

  func run() throws {
    // Without a database that can be opened they are cleared all the same.
    let favorites = try options.open(try? options.location.open().pack)
    let damaged = favorites.damagedFiles.count
    let title =
      (favorites.count == 1 ? "1 favourite" : "all \(favorites.count) favourites")
      + (damaged == 0
        ? "" : " and what is left of \(damaged) damaged list\(damaged == 1 ? "" : "s")")
    try confirmation.require(
      "Remove \(title)? This cannot be undone.", "to remove \(title)",
      command: "stol favorites clear")
    try favorites.clear()
    if !options.quiet { writeStandardError("favourites: none left\n") }
  }
}

/// The command `stol favorites export`.
struct ExportFavoritesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the favourites as a text to give away, or to take along.",
    discussion: """
      The text has names only: no ids and no times. With --json each line is a reference to a taxon, \
      which `stol favorites import` reads.

        stol favorites export
        stol favorites export --json -o favourites.jsonl
        stol favorites export --sort scientific -o favourites.txt
      """)

  @OptionGroup var order: FavoriteOrderOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The file to write (default: the standard output).", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Write references, one JSON object a line, the favourite added first at first.")
  var json = false

  @OptionGroup var favorites: FavoritesOptions

  func run() throws {
    if json { return try write(try references()) }
    let lines = try order.list(favorites).exportText.split(
      separator: "\n", omittingEmptySubsequences: false)
    try write(lines.map { Escaping.terminal(String($0)) }.joined(separator: "\n"))
  }

  private func write(_ text: String) throws {
    guard let output else { return try writeText(text) }
    TemporaryFiles.removeWhenInterrupted()
    try replaceFile(output, with: Array(text.utf8))
  }

  private func references() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Without a database that can be opened they can be taken along all the same.
    let entries = try favorites.open(try? favorites.location.open().pack).entries()
    return try entries.reversed().map {
      String(decoding: try encoder.encode($0.reference), as: UTF8.self) + "\n"
    }.joined()
  }
}

/// The command `stol favorites import`.
struct ImportFavoritesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Add the favourites of a file to those that are there.",
    discussion: """
      A line is a reference, as `stol favorites export --json` writes it. All of a file or nothing is \
      added; what is a favourite already stays as it is.

        stol favorites import favourites.jsonl
      """)

  @Argument(help: "The file, or - for the standard input.", completion: .file())
  var file: String

  @OptionGroup var favorites: FavoritesOptions

  func run() throws {
    var lines = try LineReader(path: file == "-" ? nil : file)
    var references: [TaxonReference] = []
    var number = 0
    while try lines.next() {
      number += 1
      let text = String(decoding: lines.line, as: UTF8.self)
      guard !text.allSatisfy(\.isWhitespace) else { continue }
      references.append(
        try ResolveReferencesCommand.reference(text, "\(Escaping.terminal(file)), line \(number)"))
    }
    let pack = try favorites.location.open().pack
    let added = try favorites.open(pack).add(references)
    guard !favorites.quiet else { return }
    try writeText("added\t\(added)\nunchanged\t\(references.count - added)\n")
  }
}

/// How favourites are ordered and named.
struct FavoriteOrderOptions: ParsableArguments {
  enum Order: String, ExpressibleByArgument, CaseIterable {
    case recent, scientific, common
  }

  @Option(help: "What to order by: recent, scientific or common.")
  var sort = Order.recent

  @Option(
    name: .customLong("lang"),
    help: ArgumentHelp("The language of common names.", valueName: "tag"))
  var language = "en"

  /// The favourites, looked up in the pack that was asked for.
  func list(_ options: FavoritesOptions) throws -> FavoriteList {
    let pack = try options.location.open().pack
    let order: FavoriteList.Order =
      switch sort {
      case .recent: .recent
      case .scientific: .scientificName
      case .common: .commonName
      }
    return FavoriteList(
      try options.open(pack).entries(), in: pack, language: language, order: order)
  }
}
