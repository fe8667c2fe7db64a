import STOLSystem
import ArgumentParser
import Logging
import STOLAnswers
import STOLData
import STOLFavorites
import STOLPack

/// The command `stol favorites`.
struct FavoritesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorites", abstract: "Keep a list of taxa, on this computer only.",
    discussion: """
      Stored are references to taxa (what the id is an id of, the id, what the taxon was called) and \
      when each was added, and nothing else. In another database a favourite is found by its name, or \
      said not to be there; it is never another taxon. TAXON is an id or a name.

        stol favorites add "Panthera leo"
        stol favorites list --sort scientific
        stol favorites export -o favourites.txt
      """,
    subcommands: [
      AddFavoriteCommand.self, RemoveFavoriteCommand.self, ToggleFavoriteCommand.self,
      ListFavoritesCommand.self, CountFavoritesCommand.self, ClearFavoritesCommand.self,
      ExportFavoritesCommand.self, ImportFavoritesCommand.self,
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
      An id or a reference of the list that the active database does not know can be removed too. With - it reads a taxon a line \
      from the standard input.

        stol favorites remove "Panthera leo"
      """)

  static let takesUnknownIDs = true
  @OptionGroup var change: ChangeOptions

  func apply(to id: TaxonID, in favorites: FavoritesFile) throws -> String {
    let count = try favorites.remove(id)
    return count == 0 ? "unchanged" : Self.removed(count)
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
    let count = try favorites.toggle(id)
    return count == 0 ? "added" : Self.removed(count)
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

  /// The word for what happened; several favourites may lead to one taxon.
  fileprivate static func removed(_ count: Int) -> String {
    if count > 1 {
      writeStandardError("stol: \(count) favourites led to this taxon; all of them are removed\n")
    }
    return "removed"
  }

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
    let view = opened.pack.view
    let absent = try AbsentFavorites(favorites, view, isNeeded: Self.takesUnknownIDs)
    var targets: [(text: String, id: TaxonID?)] = []
    for text in change.taxa {
      if absent.references(text, view) != nil {
        targets.append((text, nil))
      } else if let id = id(forStored: text, view, favorites) {
        targets.append((text, id))
      } else {
        targets.append((text, view.ids[try view.taxon(named: text, filter)]))
      }
    }
    var output = ByteOutput()
    for (text, id) in targets {
      if let id {
        try acknowledge(try apply(to: id, in: favorites), view.text(of: id), &output)
      } else if let references = absent.references(text, view) {
        let isRemoved = try remove(references, from: favorites)
        try acknowledge(isRemoved ? "removed" : "unchanged", text, &output)
      }
    }
  }

  /// The id that `text` is, where the database does not know it but this command may take it.
  private func id(
    forStored text: String, _ view: borrowing PackView, _ favorites: FavoritesFile
  ) -> TaxonID? {
    guard Int64(text) != nil else { return nil }
    let id = TaxonID(sourceText: text)
    guard view.ids.resolve(id).taxon == nil else { return nil }
    return Self.takesUnknownIDs || favorites.contains(id) ? id : nil
  }

  /// Changes a taxon for each line, and says so before it reads on.
  private func changeAll(
    _ source: BatchSource, _ pack: Pack, _ filter: SearchFilter, _ favorites: FavoritesFile
  ) throws {
    let view = pack.view
    let absent = try AbsentFavorites(favorites, view, isNeeded: Self.takesUnknownIDs)
    var lines = try LineReader(path: source.path)
    var output = ByteOutput()
    var isAnythingFound = false
    while try lines.next() {
      let text = String(decoding: lines.line, as: UTF8.self)
      let resolved = lines.isLineValid ? view.resolve(text, filter: filter) : .invalid
      let stored = lines.isLineValid ? id(forStored: text, view, favorites) : nil
      if lines.isLineValid, let references = absent.references(text, view) {
        isAnythingFound = true
        let isRemoved = try remove(references, from: favorites)
        try acknowledge(isRemoved ? "removed" : "unchanged", text, &output)
      } else if let id = stored ?? resolved.taxon.map({ view.ids[$0] }) {
        isAnythingFound = true
        try acknowledge(try apply(to: id, in: favorites), view.text(of: id), &output)
      } else {
        var cell = Array(text.utf8)
        Escaping.escape(&cell, from: 0, for: .tabSeparatedCell)
        output.bytes += "\(resolved.status.rawValue)\t\t".utf8 + cell + "\n".utf8
        try output.flush()
      }
    }
    if !isAnythingFound { throw ExitCode.nothingFound }
  }

  /// Whether any of these was there.
  private func remove(
    _ references: [TaxonReference], from favorites: FavoritesFile
  ) throws -> Bool {
    var isRemoved = false
    for reference in references where try favorites.remove(reference) { isRemoved = true }
    return isRemoved
  }

  private func acknowledge(
    _ word: String, _ id: String, _ output: inout ByteOutput
  ) throws {
    guard !change.favorites.quiet else { return }
    try output.write("\(word)\t\(id)\n")
    try output.flush()
  }
}

/// Favourites by what the list shows of those that the active database does not have.
private struct AbsentFavorites {
  /// By id; nothing where nobody asks.
  private let byID: [String: [TaxonReference]]?
  /// Those that lead to no taxon, by their written form: of one id there may be several names.
  private var lost: [String: [TaxonReference]] = [:]

  init(_ favorites: FavoritesFile, _ view: borrowing PackView, isNeeded: Bool) throws {
    guard isNeeded else {
      byID = nil
      return
    }
    let stored = try favorites.entries().map(\.reference)
    for (reference, outcome) in zip(stored, view.resolve(stored)) where outcome.taxon == nil {
      lost[reference.written, default: []].append(reference)
    }
    byID = Dictionary(grouping: stored, by: \.id)
  }

  /// The references that a text is, in its written form or as the only favourite with this id; nil for what
  /// names a taxon of the active database, or no favourite.
  func references(_ text: String, _ view: borrowing PackView) -> [TaxonReference]? {
    if byID != nil, let found = lost[text] { return found }
    guard let byID, view.resolve(text).taxon == nil else { return nil }
    if let reference = TaxonReference(written: text) { return [reference] }
    guard let found = byID[text], Set(found.map(\.idSpace)).count == 1 else { return nil }
    return found
  }
}

extension PackView {
  /// An id as the source writes it; one that only another database knows, as it is stored.
  fileprivate func text(of id: TaxonID) -> String {
    ids.resolve(id).taxon.flatMap { sourceID(of: $0) } ?? String(id.rawValue)
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

  /// Opens the favourites; `pack` says what their references lead to.
  func open(_ pack: Pack?) throws -> FavoritesFile {
    let directory = try location.home.directory
    let database = pack.map { FavoriteDatabase($0, directory: directory) } ?? .none
    return try FavoritesFile(sayingDamageIn: directory, database: database)
  }
}

extension FavoritesFile {
  /// Opens the favourites of `directory`, and says on standard error where a damaged file was set aside.
  convenience init(sayingDamageIn directory: DataDirectory, database: FavoriteDatabase) throws {
    let silent = Logger(label: "stol.favorites", factory: { _ in SwiftLogNoOpLogHandler() })
    try self.init(in: directory, database: database, logger: silent)
    if let aside = recoveredFrom {
      writeStandardError(
        "stol: \(Escaping.terminal(path)): damaged; kept as \(Escaping.terminal(aside)), and a new list begun\n"
      )
    }
  }
}
