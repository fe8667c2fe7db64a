import ArgumentParser
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
      Those that the active database does not have are listed without a name, with the status missing.

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
    "id", "rank", "scientificName", "commonName", "conservationStatus", "status",
  ]

  func run() throws {
    let list = try order.list(favorites)
    let isTable = Terminal.isOutput && !tsv
    var writer = RowWriter(
      json ? .json : isTable ? .table : .tsv, columns: Self.columns, header: !noHeader)
    for item in list.items {
      let absent = writer.format == .table ? "(not in the active database)" : nil
      writer.beginRow()
      writer.number("id", item.id)
      writer.text("rank", item.taxon?.rank.rawValue)
      writer.text("scientificName", item.taxon?.scientificName ?? absent)
      writer.text("commonName", item.commonName)
      writer.text("conservationStatus", item.taxon?.conservationStatus)
      writer.text("status", item.status)
      try writer.endRow()
    }
    try writer.present(header: !noHeader)
  }
}

extension FavoriteList.Item {
  /// How the taxon is found: by the id that it was added with, by a newer one, or not at all.
  fileprivate var status: String {
    guard let taxon else { return "missing" }
    return (taxon.id == entry.taxonID ? AnswerStatus.exact : .merged).rawValue
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
    commandName: "export", abstract: "Write the favourites as a text to give away.",
    discussion: """
      The text has names only: no ids and no times.

        stol favorites export
        stol favorites export --sort scientific -o favourites.txt
      """)

  @OptionGroup var order: FavoriteOrderOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The file to write (default: the standard output).", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var favorites: FavoritesOptions

  func run() throws {
    let lines = try order.list(favorites).exportText.split(
      separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { Escaping.terminal(String($0)) }.joined(separator: "\n")
    guard let output else { return try writeText(text) }
    TemporaryFiles.removeWhenInterrupted()
    try replaceFile(output, with: Array(text.utf8))
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
