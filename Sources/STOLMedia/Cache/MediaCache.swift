public import STOLPack

/// Gives the images of taxa, from packs that came with the app and packs that were installed.
public protocol MediaCache: AnyObject, Sendable {
  /// The image of a taxon, or of its nearest ancestor that has one; nil if none has.
  func image(for taxonID: TaxonID) async -> MediaImage?

  /// All packs that are there, damaged ones too.
  func availableMediaPacks() async -> [MediaPack]

  /// The bytes that the installed packs take on disk; those that came with the app do not count.
  func optionalMediaStorageBytes() async -> Int64

  /// Deletes an installed pack.
  ///
  /// - Throws: `MediaError.notInstalled` or `.file`.
  func deleteMediaPack(id: MediaPackID) async throws
}
