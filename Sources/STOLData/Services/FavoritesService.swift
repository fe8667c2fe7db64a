public import Foundation
public import STOLPack

/// Keeps which taxa a person likes, on this device only.
///
/// Stored are references to taxa, with what they were called, and when each was added, and nothing else:
/// no user, no device.
/// Nothing is ever sent anywhere, and all of it can be deleted.
public protocol FavoritesService: AnyObject, Sendable {
  /// Whether the taxon is a favourite, from memory.
  ///
  /// - Complexity: O(1)
  func isFavorite(taxonID: TaxonID) -> Bool

  /// Adds a taxon; one that is a favourite already stays as it is.
  ///
  /// When this returns, the favourite outlasts the process and a loss of power.
  ///
  /// - Throws: `StoreError`; nothing has changed then.
  func addFavorite(taxonID: TaxonID) async throws

  /// Removes a taxon; one that is no favourite is no error.
  ///
  /// - Throws: `StoreError`; nothing has changed then.
  func removeFavorite(taxonID: TaxonID) async throws

  /// Adds a taxon that is no favourite, or removes one that is.
  ///
  /// - Returns: whether it is a favourite now.
  /// - Throws: `StoreError`; nothing has changed then.
  @discardableResult
  func toggleFavorite(taxonID: TaxonID) async throws -> Bool

  /// All favourites, the one added last first; of one time by key.
  ///
  /// - Throws: `StoreError`.
  func allFavorites() async throws -> [FavoriteEntry]

  /// The number of favourites, from memory.
  ///
  /// - Complexity: O(1)
  func favoritesCount() -> Int

  /// Removes all favourites, for good.
  ///
  /// - Throws: `StoreError`; after `notErased` they are gone all the same.
  func clearAllFavorites() async throws

  /// The bytes that the favourites take on disk.
  ///
  /// - Throws: `StoreError`.
  func storageBytes() async throws -> Int64
}

/// One favourite.
public struct FavoriteEntry: Identifiable, Hashable, Sendable {
  /// The key of the favourite in its file.
  public var id: TaxonID { taxonID }
  /// The number that it has in the source, where that was free, else a negative one: a key, and the id of
  /// no taxon.
  public let taxonID: TaxonID
  /// The taxon, as it was when it was added.
  public let reference: TaxonReference
  /// When it was added, to the millisecond; orders favourites and is shown nowhere.
  public let createdAt: Date

  /// A favourite.
  public init(taxonID: TaxonID, reference: TaxonReference, createdAt: Date) {
    self.taxonID = taxonID
    self.reference = reference
    self.createdAt = createdAt
  }
}
