public import STOLStore
public import STOLSystem
import Dispatch
public import Logging
public import STOLData
public import STOLPack

/// The favourites kept in a data directory.
///
/// One SQLite file with references to taxa and times, `Favorites/favorites.sqlite`. Another process may change it
/// meanwhile: no write is lost, and each change, `allFavorites` and `reload` find out. A damaged
/// file is moved aside, never deleted, and a new one begun.
public actor LocalFavorites: FavoritesService {
  private let file: FavoritesFile
  /// Where waiting for the disk keeps no task from running.
  private let queue = DispatchQueue(label: "stol.favorites.file")

  /// Opens the favourites of `directory`, or begins with none.
  ///
  /// - Parameters:
  ///   - directory: where favourites are kept; the folder is made for its owner only.
  ///   - database: what references lead to; see `FavoriteDatabase`.
  ///   - logger: is told of a damaged file.
  /// - Throws: `StoreError`; a damaged file is no error.
  /// - Complexity: O(n)
  public init(
    directory: DataDirectory, database: FavoriteDatabase = .none,
    logger: Logger = Logger(label: "stol.favorites")
  ) throws(StoreError) {
    file = try FavoritesFile(in: directory, database: database, logger: logger)
  }

  /// Opens the favourites of `directory`; where that cannot be done, none are there, and each question tries
  /// again.
  ///
  /// - Parameters:
  ///   - directory: where favourites are kept.
  ///   - database: what references lead to.
  ///   - logger: is told of a damaged file.
  ///   - onFailure: called with what keeps them from being opened.
  /// - Complexity: O(n)
  public init(
    directory: DataDirectory, database: FavoriteDatabase, logger: Logger,
    onFailure: (any StolError) -> Void
  ) {
    do {
      file = try FavoritesFile(in: directory, database: database, logger: logger)
    } catch {
      onFailure(error)
      file = FavoritesFile(later: directory, database: database, logger: logger)
    }
  }

  /// Why no favourites can be added or removed, or nil: the folder is read-only, or its disk full.
  public nonisolated var refusal: (any StolError)? { file.refusal }

  /// Where a damaged file has been moved to, or nil if there was none.
  public nonisolated var recoveredFrom: String? { file.recoveredFrom }

  /// The damaged files, of this time and earlier, that still lie in the folder.
  ///
  /// They may hold favourites that somebody wants to save; `clearAllFavorites` deletes them.
  public nonisolated var damagedFiles: [String] { file.damagedFiles }

  /// Whether the taxon is a favourite, asked by its current id or one that it was added with.
  ///
  /// - Complexity: O(1), from memory
  public nonisolated func isFavorite(taxonID: TaxonID) -> Bool { file.contains(taxonID) }

  /// The number of favourite taxa; one that was added under two ids counts once.
  ///
  /// - Complexity: O(1), from memory
  public nonisolated func favoritesCount() -> Int { file.count }

  /// Adds a taxon; one that is a favourite already, under whichever id, stays as it is.
  ///
  /// - Throws: `StoreError`; then nothing has changed.
  public func addFavorite(taxonID: TaxonID) async throws {
    _ = try await run { file throws(StoreError) in try file.add(taxonID) }
  }

  /// Adds references, in their order and all at once; those that are favourites already stay as they are.
  ///
  /// - Returns: how many there were not before.
  /// - Throws: `StoreError`; then nothing has changed.
  @discardableResult
  public func addFavorites(_ references: [TaxonReference]) async throws -> Int {
    try await run { file throws(StoreError) in try file.add(references) }
  }

  /// Removes a taxon, under whichever ids it was added.
  ///
  /// - Throws: `StoreError`; then nothing has changed.
  public func removeFavorite(taxonID: TaxonID) async throws {
    _ = try await run { file throws(StoreError) in try file.remove(taxonID) }
  }

  /// Removes the favourite that has this reference, wherever it leads.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `StoreError`; then nothing has changed.
  @discardableResult
  public func removeFavorite(_ reference: TaxonReference) async throws -> Bool {
    try await run { file throws(StoreError) in try file.remove(reference) }
  }

  /// Adds a taxon that is no favourite, or removes one that is.
  ///
  /// - Returns: whether it is a favourite now.
  /// - Throws: `StoreError`; then nothing has changed.
  @discardableResult
  public func toggleFavorite(taxonID: TaxonID) async throws -> Bool {
    try await run { file throws(StoreError) in try file.toggle(taxonID) == 0 }
  }

  /// All rows, the one added last first; of one time by key.
  ///
  /// - Throws: `StoreError`
  /// - Complexity: O(n log n)
  public func allFavorites() async throws -> [FavoriteEntry] {
    try await run { file throws(StoreError) in try file.entries() }
  }

  /// Removes all favourites and overwrites their bytes, and deletes damaged files that were set aside.
  ///
  /// The empty file stays.
  ///
  /// - Throws: `StoreError`; after `notErased` the favourites are gone all the same.
  public func clearAllFavorites() async throws {
    try await run { file throws(StoreError) in try file.clear() }
  }

  /// The bytes that the favourites take on disk.
  ///
  /// Pages of the database, and the log of what was changed last, which SQLite removes when nobody
  /// uses the file any more; an empty file has some kilobytes too.
  ///
  /// - Throws: `StoreError`
  public func storageBytes() async throws -> Int64 {
    try await run { file throws(StoreError) in try file.storageBytes() }
  }

  /// Reads the file again and asks anew which taxa the ids stand for.
  ///
  /// To be called after another database became active; what other processes changed shows too.
  ///
  /// - Throws: `StoreError`
  /// - Complexity: O(n)
  public func reload() async throws {
    try await run { file throws(StoreError) in try file.reload() }
  }

  private func run<Value: Sendable>(
    _ body: @escaping @Sendable (FavoritesFile) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let file = file
    let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(StoreError) {
          continuation.resume(returning: .success(try body(file)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
