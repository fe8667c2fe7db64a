import STOLSystem
import ArgumentParser
import Logging
import STOLAnswers
import STOLFavorites
import STOLPack

/// The command `stol favorites`.
struct FavoritesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorites", abstract: "Keep a list of taxa, on this computer only.",
    discussion: """
      Stored are ids of taxa and when each was added, and nothing else. TAXON is an id or a name.

        stol favorites add "Panthera leo"
        stol favorites list --sort scientific
        stol favorites export -o favourites.txt
      """,
    subcommands: [
      AddFavoriteCommand.self, RemoveFavoriteCommand.self, ToggleFavoriteCommand.self,
      ListFavoritesCommand.self, CountFavoritesCommand.self, ClearFavoritesCommand.self,
      ExportFavoritesCommand.self,
    ])
}

/// The command `stol favorites add`.
struct AddFavoriteCommand: FavoriteChange {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add taxa to the favourites.",
    discussion: """
      Prints a line for each taxon, with what happened and its id, once that is safe on the disk. With \
      - it reads a taxon a line from the standard input.

        stol favorites add "Panthera leo" 9696
        cut -f1 ids.tsv | stol favorites add -
      """)

  @OptionGroup var change: ChangeOptions

  func apply(to id: TaxonID, in favorites: FavoritesFile) throws -> String {
    try favorites.add(id) ? "added" : "unchanged"
  }
}

/// The command `stol favorites remove`.
struct RemoveFavoriteCommand: FavoriteChange {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove taxa from the favourites.",
    discussion: """
      An id that the active database does not know can be removed too. With - it reads a taxon a line \
      from the standard input.

        stol favorites remove "Panthera leo"
      """)

  static let takesUnknownIDs = true
  @OptionGroup var change: ChangeOptions

  func apply(to id: TaxonID, in favorites: FavoritesFile) throws -> String {
    try favorites.remove(id) ? "removed" : "unchanged"
  }
}

/// The command `stol favorites toggle`.
struct ToggleFavoriteCommand: FavoriteChange {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Add taxa that are no favourites and remove those that are.",
    discussion: """
      With - it reads a taxon a line from the standard input.

        stol favorites toggle "Panthera leo"
      """)

  @OptionGroup var change: ChangeOptions

  func apply(to id: TaxonID, in favorites: FavoritesFile) throws -> String {
    try favorites.toggle(id) ? "added" : "removed"
  }
}

/// A command that changes the favourites, one taxon after the other.
protocol FavoriteChange: ParsableCommand {
  /// Whether an id that the database does not know is taken as it is.
  static var takesUnknownIDs: Bool { get }
  var change: ChangeOptions { get }

  /// Changes one taxon, durably; returns the word for what happened.
  func apply(to id: TaxonID, in favorites: FavoritesFile) throws -> String
}

extension FavoriteChange {
  static var takesUnknownIDs: Bool { false }

  func run() throws {
    let opened = try change.favorites.location.open()
    let filter = try change.choice.filter(opened.pack.view)
    let source = try BatchSource(arguments: change.taxa == ["-"] ? ["-"] : [], input: nil)
    let favorites = try change.favorites.open(opened.pack)
    if let source {
      try changeAll(source, opened.pack, filter, favorites)
      return
    }
    // Nothing changes where one of them is unknown.
    let ids = try change.taxa.map { text in
      if let id = id(forStored: text, opened.pack.view, favorites) { return id }
      return opened.pack.view.ids[try opened.pack.view.taxon(named: text, filter)]
    }
    var output = ByteOutput()
    for id in ids {
      try acknowledge(try apply(to: id, in: favorites), id, &output)
    }
  }

  /// The id that `text` is, where the database does not know it but this command may take it.
  private func id(
    forStored text: String, _ view: borrowing PackView, _ favorites: FavoritesFile
  ) -> TaxonID? {
    guard let number = Int64(text) else { return nil }
    let id = TaxonID(rawValue: number)
    guard view.ids.resolve(id).taxon == nil else { return nil }
    return Self.takesUnknownIDs || favorites.contains(id) ? id : nil
  }

  /// Changes a taxon for each line, and says so before it reads on.
  private func changeAll(
    _ source: BatchSource, _ pack: Pack, _ filter: SearchFilter, _ favorites: FavoritesFile
  ) throws {
    let view = pack.view
    var lines = try LineReader(path: source.path)
    var output = ByteOutput()
    var isAnythingFound = false
    while try lines.next(beforeWaiting: {}) {
      let text = String(decoding: lines.line, as: UTF8.self)
      let resolved = lines.isLineValid ? view.resolve(text, filter: filter) : .invalid
      let stored = lines.isLineValid ? id(forStored: text, view, favorites) : nil
      if let id = stored ?? resolved.taxon.map({ view.ids[$0] }) {
        isAnythingFound = true
        try acknowledge(try apply(to: id, in: favorites), id, &output)
      } else {
        var cell = Array(text.utf8)
        Escaping.escape(&cell, from: 0, for: .tabSeparatedCell)
        output.bytes += "\(resolved.status.rawValue)\t\t".utf8 + cell + "\n".utf8
        try output.flush()
      }
    }
    if !isAnythingFound { throw ExitCode.nothingFound }
  }

  private func acknowledge(
    _ word: String, _ id: TaxonID, _ output: inout ByteOutput
  ) throws {
    guard !change.favorites.quiet else { return }
    try output.write("\(word)\t\(id.rawValue)\n")
    try output.flush()
  }
}

/// What a change is about.
struct ChangeOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Ids or names, or - for many.", valueName: "taxon"))
  var taxa: [String] = []

  @OptionGroup var choice: ChoiceOptions

  @OptionGroup var favorites: FavoritesOptions

  func validate() throws {
    guard !taxa.isEmpty else {
      throw ValidationError("no taxon: give ids or names, or - to read many")
    }
  }
}

/// Where the favourites are kept, and which pack names them.
struct FavoritesOptions: ParsableArguments {
  @OptionGroup var location: LocationOptions

  @Flag(name: .shortAndLong, help: "Print nothing but what was asked for and errors.")
  var quiet = false

  /// Opens the favourites; `pack` says which ids stand for one taxon.
  func open(_ pack: Pack?) throws -> FavoritesFile {
    // What happened to a damaged file is said below.
    let silent = Logger(label: "stol.favorites", factory: { _ in SwiftLogNoOpLogHandler() })
    let directory = location.home.directory
    let favorites: FavoritesFile
    if let pack {
      favorites = try FavoritesFile(
        in: directory, currentID: LocalFavorites.currentID(in: pack), logger: silent)
    } else {
      favorites = try FavoritesFile(in: directory, currentID: { $0 }, logger: silent)
    }
    if let aside = favorites.recoveredFrom {
      writeStandardError(
        "stol: \(Escaping.terminal(favorites.path)): damaged; kept as \(Escaping.terminal(aside)), and a new list begun\n"
      )
    }
    return favorites
  }
}
