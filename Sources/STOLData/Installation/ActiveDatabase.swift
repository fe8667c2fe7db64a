public import STOLPack

/// Which database answers.
public enum DatabaseSource: Equatable, Sendable {
  /// The one that every stol carries inside.
  case bundled
  /// The one that was imported.
  case reference(InstalledReference)
  /// A pack that lies anywhere.
  case file(path: String)
}

/// A database that answers: its pack, and where pack and SQLite file lie.
///
/// Keeps answering, from the files that it opened, when another one becomes active or its files are
/// deleted.
public struct ActiveDatabase: Sendable {
  /// The pack.
  public let pack: Pack
  /// Where it lies.
  public let packPath: String
  /// The SQLite database that it was compiled from.
  public let databasePath: String
  /// Which one it is.
  public let source: DatabaseSource

  /// Opens the reference database if it is active, else the bundled one.
  ///
  /// A pack of another stol, or a damaged one, is compiled again. A reference that cannot be used is
  /// deactivated, and the bundled database opened.
  ///
  /// - Parameters:
  ///   - directory: where databases are kept.
  ///   - onPreparing: called before a pack is compiled, which may take seconds.
  ///   - onFallback: called with a line that says why the reference cannot be used.
  /// - Throws: what keeps the bundled database from opening.
  /// - Complexity: O(1), unless a pack has to be compiled.
  public init(
    in directory: DataDirectory, onPreparing: () -> Void = {},
    onFallback: (_ reason: String) -> Void = { _ in }
  ) throws {
    let store = ReferenceStore(in: directory)
    do {
      if let active = try Self.openReference(store, onPreparing) {
        self = active
        return
      }
    } catch {
      _ = try? store.setActive(false)
      let reason = (error as? ReferenceStore.Failure)?.reason ?? "\(error)"
      onFallback(
        "the reference database cannot be used: \(reason); the built-in one answers; "
          + "to have it back: stol db import FILE.stol")
    }
    try self.init(bundledIn: directory, onPreparing)
  }

  /// Opens what is active and changes nothing.
  ///
  /// - Throws: what is wrong with the reference, if it is active and cannot be used.
  public init(asItIsIn directory: DataDirectory) throws {
    let store = ReferenceStore(in: directory)
    if let (reference, pack) = try store.openActive() {
      self.init(store, reference, pack)
    } else {
      try self.init(bundledIn: directory, {})
    }
  }

  private init(bundledIn directory: DataDirectory, _ onPreparing: () -> Void) throws {
    let bundled = BundledDatabase(in: directory)
    pack = try bundled.open(onPreparing: onPreparing)
    packPath = bundled.packPath
    databasePath = bundled.databasePath
    source = .bundled
  }

  private static func openReference(
    _ store: ReferenceStore, _ onPreparing: () -> Void
  ) throws -> ActiveDatabase? {
    do {
      guard let (reference, pack) = try store.openActive() else { return nil }
      return ActiveDatabase(store, reference, pack)
    } catch ReferenceStore.Failure.pack(let error) {
      // A pack of another stol, or a damaged one: what it was compiled from may be sound.
      if case .system = error { throw error }
      guard let reference = try store.installed() else { return nil }
      onPreparing()
      return ActiveDatabase(store, reference, try store.compileAgain(reference))
    }
  }

  private init(_ store: ReferenceStore, _ reference: InstalledReference, _ pack: Pack) {
    self.pack = pack
    packPath = store.packPath(reference)
    databasePath = store.databasePath(reference)
    source = .reference(reference)
  }
}
