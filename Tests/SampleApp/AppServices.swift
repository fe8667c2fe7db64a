import Logging
import STOL
import STOLJournal

/// All that the screens of an app need, made once at its start and handed down.
struct AppServices {
  let databases: any DatabaseProvider
  let taxonomy: any TaxonomyStore
  let search: any SearchService
  let compare: any CompareService
  let favorites: any FavoritesService
  let media: any MediaCache
  let imports: any ImportService
  let storage: any StorageService
  let journal: any JournalService
  let log: DiagnosticLog

  init(directory: DataDirectory) throws {
    let log = DiagnosticLog()
    let databases = try LocalDatabaseProvider(
      directory: directory, logger: DiagnosticLogHandler.logger(for: .db, log: log),
      beforeSwitching: { try FavoriteTakeover.run(in: directory) })
    self.databases = databases
    taxonomy = LocalTaxonomyStore(provider: databases)
    search = LocalSearchService(provider: databases)
    compare = LocalCompareService(provider: databases)
    favorites = try LocalFavorites(
      directory: directory, database: FavoriteDatabase(databases, directory: directory),
      logger: DiagnosticLogHandler.logger(for: .favorites, log: log))
    media = LocalMediaCache(directory: directory) { databases.pack }
    imports = ReferenceImporter(
      directory: directory, provider: databases,
      logger: DiagnosticLogHandler.logger(for: .import, log: log),
      beforeSwitching: { try FavoriteTakeover.run(in: directory) })
    storage = LocalStorage(directory: directory)
    journal = try LocalJournal(directory: directory, provider: databases)
    self.log = log
  }
}
