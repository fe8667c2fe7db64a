import STOLSystem
import Foundation
public import STOLData

/// Says what is stored, where, and what of it may be deleted.
public protocol StorageService: AnyObject, Sendable {
  /// All that is kept, a part each, those without a byte too.
  func parts() -> [StoredPart]
}

/// One kind of what is stored.
public struct StoredPart: Hashable, Sendable {
  /// The kinds.
  public enum Kind: String, CaseIterable, Sendable {
    /// The database that came with stol, unpacked, and its pack.
    case bundled
    /// The database that was imported, and its pack.
    case reference
    /// Favourites.
    case favorites
    /// What was seen, where and when.
    case journal
    /// Media packs that were installed.
    case media
    /// The keys that are trusted.
    case keys
    /// What was chosen of language and theme.
    case choices
    /// The log, where it was asked for.
    case diagnostics
  }

  /// What it is.
  public let kind: Kind
  /// Where it lies: a folder, or a file.
  public let paths: [String]
  /// The bytes of its files.
  public let byteCount: Int64
  /// Whether a person may delete all of it at once; the bundled database is only made again, choices are chosen
  /// anew, and of the journal records are deleted one by one.
  public let isDeletable: Bool
}

/// What lies in a data directory.
public final class LocalStorage: StorageService {
  private let directory: DataDirectory

  /// The storage in `directory`.
  public init(directory: DataDirectory) { self.directory = directory }

  /// All that is kept.
  ///
  /// - Complexity: O(number of files)
  public func parts() -> [StoredPart] {
    let bundled = BundledDatabase(in: directory)
    let databases = directory.databases
    let reference = fileNames(inFolder: databases)
      .filter { $0.hasPrefix("reference") || $0.hasPrefix(ReferenceStore.uploadPrefix) }.sorted()
      .map { databases + "/" + $0 }
    return [
      part(.bundled, [bundled.databasePath], isDeletable: false),
      part(.reference, reference, isDeletable: true),
      part(.favorites, [directory.favorites], isDeletable: true),
      part(.journal, [directory.journal], isDeletable: false),
      part(.media, [directory.media], isDeletable: true),
      part(.keys, [directory.keys], isDeletable: false),
      part(.choices, [directory.choices], isDeletable: false),
      part(.diagnostics, [directory.diagnostics], isDeletable: true),
    ]
  }

  private func part(
    _ kind: StoredPart.Kind, _ paths: [String], isDeletable: Bool
  ) -> StoredPart {
    let byteCount = paths.reduce(0) { $0 + Self.byteCount(at: $1, depth: 0) }
    return StoredPart(
      kind: kind, paths: paths, byteCount: byteCount, isDeletable: isDeletable && byteCount > 0)
  }

  /// Deeper folders are not ours.
  private static let greatestDepth = 4

  /// The bytes of a file, or of the files in a folder; symbolic links are not followed.
  private static func byteCount(at path: String, depth: Int) -> Int64 {
    do {
      return Int64(try RegularFile(path: path, followsLinks: false).byteCount)
    } catch let error where error.code == .symbolicLink {
      return 0
    } catch {
      // A folder, or nothing.
    }
    guard depth < greatestDepth else { return 0 }
    return fileNames(inFolder: path).reduce(0) {
      $0 + byteCount(at: path + "/" + $1, depth: depth + 1)
    }
  }
}
