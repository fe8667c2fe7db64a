import Foundation
public import STOLData
import STOLPack
import STOLStore
import STOLSystem

/// What rows of version 1, which have an id and a time only, are favourites of.
///
/// A row that was added after the reference database was installed, and before another answered, is one of
/// that; any other one of the built-in taxonomy. Where that has no such id, nobody knows what it is an id
/// of. Where the reference cannot be opened, rows of it wait until it can be.
public struct FavoriteTakeover: Sendable {
  private let store: ReferenceStore

  init(_ directory: DataDirectory) { store = ReferenceStore(in: directory) }

  /// Gives all rows of version 1 their references: to be called before another database answers, or this one
  /// is deleted, as `ReferenceStore` does it.
  ///
  /// - Parameter directory: where databases and favourites are kept; without favourites nothing happens.
  /// - Returns: where a damaged file of favourites was moved to, or nil.
  /// - Throws: `StoreError`; a file of a newer stol is no error.
  /// - Complexity: O(n)
  @discardableResult
  public static func run(in directory: DataDirectory) throws -> String? {
    guard fileExists(directory.favorites + "/" + FavoritesFile.fileName) else { return nil }
    do {
      let file = try FavoritesFile(
        in: directory,
        database: FavoriteDatabase(
          taxa: { $0.map { _ in nil } }, current: { $0 },
          reference: { TaxonReference(idSpace: nil, id: String($0.rawValue)) },
          takeover: { FavoriteTakeover(directory).references($0) }))
      try file.takeOverForGood()
      return file.recoveredFrom
    } catch StoreError.newerVersion {
      return nil
    }
  }

  /// What rows are taken for, in their order; nil for those that wait.
  func references(_ rows: [FavoriteDatabase.Old]) -> [TaxonReference?] {
    let bundled = try? BundledDatabase.open()
    guard let term = store.term() else { return rows.map { reference(to: $0, in: bundled) } }
    let isOfReference = rows.map { $0.time >= term.from && $0.time < term.until }
    let installed = isOfReference.contains(true) ? openReference() : nil
    return zip(rows, isOfReference).map { row, isOfReference in
      reference(to: row, in: isOfReference ? installed : bundled)
    }
  }

  private func reference(to row: FavoriteDatabase.Old, in pack: Pack?) -> TaxonReference? {
    guard let pack else { return nil }
    let found = FavoriteDatabase.reference(of: row.id, in: pack)
    return found.name.isEmpty ? TaxonReference(idSpace: nil, id: String(row.id.rawValue)) : found
  }

  /// The pack of the reference; one of another stol is compiled again, elsewhere.
  private func openReference() -> Pack? {
    guard let reference = try? store.installed() else { return nil }
    if let pack = try? Pack(path: store.packPath(reference)) { return pack }
    guard let folder = try? PrivateFolder() else { return nil }
    defer { _ = folder }
    let path = folder.path + "/" + ReferenceStore.packName
    _ = try? PackCompiler(path: store.databasePath(reference)).compile(to: path)
    return try? Pack(path: path)
  }
}
