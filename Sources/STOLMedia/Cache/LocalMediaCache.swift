public import Logging
public import STOLData
public import STOLTrust
public import STOLPack

/// The images of a data directory and of the archives that came with the app.
///
/// Manifests are read when the first image is asked for, images when they are asked for, each from
/// its place on disk, several at once if need be. Another process may install or delete packs
/// meanwhile: an image that is not where it was makes the cache look again.
public actor LocalMediaCache: MediaCache {
  private let directory: DataDirectory
  private let bundled: [String]
  private let pack: @Sendable () -> Pack?
  private let logger: Logger
  /// Images that could not be read.
  private var damaged: Set<MediaLibrary.ImageKey> = []
  private var loaded: (library: MediaLibrary, source: SourceFingerprint?)?
  private var generation = 0

  /// A cache over `directory`.
  ///
  /// - Parameters:
  ///   - directory: where packs are installed.
  ///   - bundled: paths of archives that came with the app, made with `stol media sign --plain`.
  ///   - logger: where damage goes.
  ///   - pack: the taxonomy in which ancestors are looked up, as `DatabaseProvider.pack` gives it;
  ///     nil finds the images of taxa themselves only.
  public init(
    directory: DataDirectory, bundled: [String] = [],
    logger: Logger = Logger(label: "stol.media"), pack: @escaping @Sendable () -> Pack?
  ) {
    self.directory = directory
    self.bundled = bundled
    self.logger = logger
    self.pack = pack
    MediaPackStore(in: directory).recover()
  }

  /// The image of a taxon, or of its nearest ancestor that has one.
  ///
  /// An image that cannot be read is logged and passed over until `reload`.
  ///
  /// - Returns: nil if none has one.
  /// - Complexity: O(depth of the taxon), and reading one image
  public func image(for taxonID: TaxonID) async -> MediaImage? {
    await image(for: taxonID, in: pack())
  }

  /// The same with ancestors of a given taxonomy.
  public func image(for taxonID: TaxonID, in pack: Pack?) async -> MediaImage? {
    while true {
      let library = library(for: pack)
      guard let found = library.locate(taxonID, in: pack, passingOver: damaged) else { return nil }
      do {
        return try await Self.read(found, in: library)
      } catch {
        // It was deleted or replaced, or it is damaged: look again, and never at this one.
        logger.error("an image cannot be used: \(error)")
        damaged.insert(library.key(of: found.location))
        loaded = nil
      }
    }
  }

  /// All packs that are there now, damaged ones too: the installed ones, then the bundled ones.
  ///
  /// - Complexity: O(bytes of all manifests)
  public func availableMediaPacks() async -> [MediaPack] {
    reload()
    return library(for: pack()).packs
  }

  /// The bytes that the installed packs take on disk.
  public func optionalMediaStorageBytes() async -> Int64 {
    MediaPackStore(in: directory).storageByteCount
  }

  /// Installs a pack from a container, and serves its images from then on.
  ///
  /// - Parameters:
  ///   - path: the container, `NAME.stol-media`.
  ///   - keyring: the keys to trust.
  ///   - allowsDowngrade: whether an older release, or the same with other images, is taken too.
  ///   - progress: how far it is; called from another thread.
  /// - Returns: the pack.
  /// - Throws: what `MediaImport.run` throws, `CancellationError` for a task that is cancelled.
  public func installMediaPack(
    at path: String, trusting keyring: Keyring, allowsDowngrade: Bool = false,
    progress: @escaping @Sendable (MediaProgress) -> Void = { _ in }
  ) async throws -> MediaPack {
    defer { reload() }
    var work = MediaImport(of: path, into: directory, trusting: keyring)
    work.allowsDowngrade = allowsDowngrade
    return try await Self.install(work, progress)
  }

  @concurrent
  private static func install(
    _ work: MediaImport, _ progress: @Sendable (MediaProgress) -> Void
  ) async throws -> MediaPack {
    try work.run { step in
      try Task.checkCancellation()
      progress(step)
    }
  }

  /// Deletes an installed pack; an image that is being read is read to its end.
  ///
  /// - Throws: `MediaError.bundled` for one that came with the app, `.notInstalled`, or `.file`.
  public func deleteMediaPack(id: MediaPackID) async throws {
    try await deleteMediaPack(id: id, isPatient: true)
  }

  /// The same for whoever may not want to wait for an installation however long it takes.
  ///
  /// - Throws: the same, or for whoever is not patient `MediaError.inUse`.
  public func deleteMediaPack(id: MediaPackID, isPatient: Bool) async throws {
    let store = MediaPackStore(in: directory)
    defer { reload() }
    do {
      try store.delete(id, isPatient: isPatient)
    } catch MediaError.notInstalled {
      let isBundled = library(for: pack()).packs.contains { $0.id == id && $0.isBundled }
      throw isBundled ? MediaError.bundled(id) : MediaError.notInstalled(id)
    }
  }

  /// Forgets what was read of the packs, as after an installation; the next image reads it again.
  public func reload() {
    loaded = nil
    damaged = []
  }

  /// What is there for a taxonomy, as it was read last: whatever it gives may have been deleted meanwhile.
  ///
  /// - Complexity: O(1), but O(bytes of all manifests) where another taxonomy was asked for before
  public func library(in pack: Pack?) -> MediaLibrary { library(for: pack) }

  /// The library, read again where another taxonomy answers now.
  private func library(for pack: Pack?) -> MediaLibrary {
    if let loaded, loaded.source == pack?.source { return loaded.library }
    generation += 1
    var library = MediaLibrary(in: directory, bundled: bundled, resolving: pack)
    library.generation = generation
    for pack in library.packs {
      if let damage = pack.damage { logger.error("media pack \(pack.id): \(damage)") }
    }
    loaded = (library, pack?.source)
    return library
  }

  /// Reads an image, and not on the actor: others need not wait for the disk.
  @concurrent
  private static func read(
    _ found: (location: MediaLibrary.Location, taxon: TaxonID), in library: MediaLibrary
  ) async throws -> MediaImage {
    try library.read(found.location, of: found.taxon)
  }
}
