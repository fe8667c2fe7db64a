import Logging
import STOLData
import STOLFavorites
import STOLImport
import STOLMedia
import STOLSearch
import STOLSystem

/// What the pages ask: the services that an app has, and no logic of its own.
struct Services: Sendable {
  let directory: DataDirectory
  let provider: any DatabaseProvider
  /// The databases of the data directory, or nil where one pack is shown.
  let installation: LocalDatabaseProvider?
  let search: LocalSearchService
  let favorites: LocalFavorites
  /// How pages look and speak.
  let choices: KeptChoices
  /// What a person noted, opened when a page first asks for it.
  let journal: JournalRoom
  /// The file that waits to be imported into it.
  let uploads: JournalUploads
  /// What was removed from the favourites all at once.
  let cleared = ClearedFavorites()
  let media: LocalMediaCache
  let importer: ReferenceImporter
  /// Matches tables, one at a time.
  let matching = MatchQueue()
  /// What the active database is known for.
  let offers = OffersCache()
  /// How much is in each clade of the active database.
  let counts = CountsCache()
  /// Small pictures.
  let thumbnails = ThumbnailStore()
  let version: String
  /// Why favourites cannot be kept, or nil.
  let favoritesFailure: (any StolError)?

  /// The services over the databases that the options name, or over another provider.
  init(_ options: Explorer.Options, provider other: (any DatabaseProvider)? = nil) throws {
    directory = options.directory
    version = options.version
    let silent = Logger(label: "stol.server", factory: { _ in SwiftLogNoOpLogHandler() })
    let provider: any DatabaseProvider
    let takeOver: @Sendable () throws -> Void = { [directory] in
      try FavoriteTakeover.run(in: directory)
    }
    if let other {
      provider = other
      installation = nil
    } else if let path = options.packPath {
      provider = try SinglePackProvider(path: path)
      installation = nil
    } else {
      let installed = try LocalDatabaseProvider(
        directory: directory, logger: silent, beforeSwitching: takeOver)
      provider = installed
      installation = installed
    }
    self.provider = provider
    search = LocalSearchService(provider: provider, sessionCount: processorCount())
    var failure: (any StolError)?
    favorites = LocalFavorites(
      directory: directory, database: FavoriteDatabase(provider, directory: directory),
      logger: silent, onFailure: { failure = $0 })
    favoritesFailure = failure ?? favorites.refusal
    choices = KeptChoices(in: directory)
    journal = JournalRoom(directory: directory, provider: provider)
    uploads = JournalUploads(provider: provider, room: journal)
    media = LocalMediaCache(directory: directory, logger: silent) { provider.pack }
    importer = ReferenceImporter(
      directory: directory, provider: installation, logger: silent, beforeSwitching: takeOver)
  }

  /// Answers from what is active now, if another process has switched databases.
  func noticeSwitch() async {
    guard let installation, await installation.reloadIfSwitched() else { return }
    try? await favorites.reload()
  }

  /// The traits that a taxon may be asked for as its habitat, in the words of the database.
  static let habitatKey = "habitat"
}
