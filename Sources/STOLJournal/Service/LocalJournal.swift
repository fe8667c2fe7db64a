import Dispatch
public import STOLData
public import STOLPack
public import STOLStore
import STOLSystem
public import STOLTrust

/// The journal kept in a data directory.
///
/// One connection changes the file, one change after another; several others read it meanwhile. Another process may
/// change it too.
public final class LocalJournal: JournalService {
  private let file: JournalFile
  private let provider: any SnapshotSource
  private let watcher: ChangeWatcher
  /// Where waiting for the disk keeps no task from running.
  private let changeQueue = DispatchQueue(label: "stol.journal.change")
  private let readQueue = DispatchQueue(label: "stol.journal.read", attributes: .concurrent)
  /// Where one thumbnail after another is made, as each may take tens of megabytes.
  private let thumbnailQueue = DispatchQueue(label: "stol.journal.thumbnail")

  /// Opens the journal of `directory`, or begins an empty one.
  ///
  /// - Parameters:
  ///   - directory: where it is kept; the folder is for its owner only.
  ///   - provider: gives the database that names are looked up in.
  ///   - passphrase: gives that of a locked journal, or nil; asked once, now or when another program locks it.
  /// - Throws: `StoreError`; `.kept` for a damaged file, which stays as it is; `.locked` for a locked one without a
  ///   passphrase.
  public convenience init(
    directory: DataDirectory, provider: any SnapshotSource,
    passphrase: @escaping PassphraseSource = { nil }
  ) throws(StoreError) {
    self.init(
      try JournalFile(in: directory, readsBeside: true, passphrase: passphrase), provider)
  }

  /// A journal over a file that is open.
  init(_ file: JournalFile, _ provider: any SnapshotSource) {
    (self.file, self.provider) = (file, provider)
    watcher = ChangeWatcher(file)
  }

  /// Whether somebody listens to changes, so that the file is asked for them.
  var isWatching: Bool { watcher.isAsking }

  /// What `body` finds in the file, with the active database beside it; it waits for no change.
  ///
  /// - Throws: what `body` throws; `CancellationError`.
  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (JournalFile, Pack) throws -> Value
  ) async throws -> Value {
    let (file, pack) = (file, provider.pack)
    return try await run(on: readQueue) { try body(file, pack) }
  }

  /// What `body` makes of the file, after the changes before it.
  ///
  /// - Throws: what `body` throws; `CancellationError`.
  package func change<Value: Sendable>(
    _ body: @escaping @Sendable (JournalFile) throws -> Value
  ) async throws -> Value {
    let file = file
    let value = try await run(on: changeQueue) { try body(file) }
    watcher.look()
    return value
  }

  private func run<Value: Sendable>(
    on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  // MARK: - Changing

  /// Keeps records, all of them or none; the same again changes nothing.
  ///
  /// - Throws: see `JournalService`.
  @discardableResult
  public func save(_ records: [JournalRecord]) async throws -> SaveOutcome {
    try await change { try $0.save(records) }
  }

  /// Deletes a record with what is its own; what refers to it otherwise lets go of it.
  ///
  /// - Throws: see `JournalService`.
  @discardableResult
  public func delete(_ id: JournalID) async throws -> DeletionOutcome {
    try await change {
      let (batch, deleted) = try $0.delete(id)
      return DeletionOutcome(batch: batch, deleted: deleted)
    }
  }

  /// Puts back what a batch changed, all of it.
  ///
  /// - Throws: see `JournalService`.
  @discardableResult
  public func undo(batch: Int64) async throws -> Int64 {
    try await change { try $0.undo(batch: batch).by }
  }

  // MARK: - Reading

  /// A record and what is noted about it; nil where there is none.
  ///
  /// - Throws: see `JournalService`.
  public func record(_ id: JournalID) async throws -> KeptRecord? {
    try await read { file, _ in try file.record(id) }
  }

  /// A small image of a photo: a JPEG file, seen the right way up.
  ///
  /// - Throws: see `JournalService`.
  public func thumbnail(of photo: JournalID, _ size: ThumbnailSize) async throws -> [UInt8]? {
    let file = file
    return try await run(on: thumbnailQueue) {
      try file.thumbnail(of: try file.photo(photo).file, size)
    }
  }

  /// What can be made of a name as somebody wrote it, by the active database.
  ///
  /// - Throws: see `JournalService`.
  public func reading(of name: String) async throws -> NameReading {
    try await read { _, pack in
      var reader = JournalNameReader()
      let view = pack.view
      return reader.read(name, in: view)
    }
  }

  /// The places that fit, by name.
  ///
  /// - Throws: see `JournalService`.
  public func places(_ query: PlaceQuery) async throws -> PlacePage {
    try await read { file, _ in
      let (places, isCut) = try file.places(query)
      return PlacePage(places: places, isCut: isCut)
    }
  }

  /// The places that fit and have a position, as dots, or where they are too many as clusters.
  ///
  /// - Throws: see `JournalService`.
  public func map(of query: PlaceQuery) async throws -> JournalMap<PlaceDot> {
    try await read { file, _ in try file.map(of: query) }
  }

  /// The sightings that fit, the last one first.
  ///
  /// - Throws: see `JournalService`.
  public func sightings(_ query: SightingQuery) async throws -> SightingPage {
    try await read { file, _ in
      let (sightings, next) = try file.sightings(query)
      return SightingPage(sightings: sightings, next: next)
    }
  }

  /// The sightings that fit and have a position, as dots, or where they are more than `dotLimit` as clusters.
  ///
  /// - Throws: see `JournalService`.
  public func map(
    of query: SightingQuery, dotLimit: Int = 1000
  ) async throws -> JournalMap<SightingDot> {
    try await read { file, _ in try file.map(of: query, dotLimit: dotLimit) }
  }

  /// The values that the sightings of a query have, each with how many have it.
  ///
  /// - Throws: see `JournalService`.
  public func facets(of query: SightingQuery) async throws -> SightingFacets {
    try await read { file, pack in try file.facets(of: query, in: pack) }
  }

  /// What `SightingQuery.taxa` takes for a taxon of the active database and all within it.
  ///
  /// - Throws: see `JournalService`.
  public func references(within taxon: TaxonID) async throws -> Set<TaxonRefID> {
    try await read { file, pack in
      try file.references(within: try pack.view.ordinal(of: taxon), in: pack)
    }
  }

  /// Every taxon that was seen, the one seen most recently for the first time first.
  ///
  /// - Throws: see `JournalService`.
  public func lifeList(_ query: SightingQuery = SightingQuery()) async throws -> [LifeEntry] {
    try await read { file, pack in try file.lifeList(query, in: pack) }
  }

  // MARK: - Files

  /// Imports a file in one batch, and says what becomes of it; see `JournalService`.
  public func importing(
    _ source: ImportSource, _ options: ImportOptions = ImportOptions()
  ) -> AsyncThrowingStream<ImportEvent, any Error> {
    importing(options) { [file] in
      try source.open(into: file, options)
    }
  }

  /// The same of whatever `open` opens.
  func importing(
    _ options: ImportOptions, _ open: @escaping @Sendable () throws -> OpenImport
  ) -> AsyncThrowingStream<ImportEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: ImportEvent.self)
    let isCancelled = Locked(false)
    continuation.onTermination = { _ in isCancelled.withLock { $0 = true } }
    changeQueue.async { [file, provider, watcher] in
      continuation.finish { () throws in
        let source = try open()
        continuation.yield(.began(source.format, unread: source.unread))
        let names = ImportNames(in: provider.pack, accept: options.accept)
        let summary = try file.importing(source.reader, options, names: names) {
          continuation.yield(.row($0))
        } isEnded: {
          isCancelled.withLock { $0 }
        }
        continuation.yield(.finished(summary))
        watcher.look()
      }
    }
    return stream
  }

  /// Writes records to a file, which takes its name once it is whole: for others unless it is exact.
  ///
  /// - Throws: see `JournalService`.
  @discardableResult
  public func export(
    _ query: SightingQuery?, as format: ExportFormat, describedBy dataset: DatasetDescription?,
    isExact: Bool, to path: String
  ) async throws -> ExportReport {
    try await read { file, pack in
      let target = try ExportFile(path)
      let report = try file.export(
        format, of: query, for: isExact ? .exact : .shared(pack), by: "stol", as: dataset
      ) { try target.append($0) }
      try target.finish()
      return report
    }
  }

  /// Writes all of the journal, the files of photos too, to an archive, which takes its name once it is whole.
  ///
  /// - Throws: see `JournalService`.
  @discardableResult
  public func backUp(to path: String, passphrase: SecretBytes?) async throws -> ExportReport {
    try await read { file, _ in
      let target = try ExportFile(path)
      let report = try file.archive(of: nil, by: "stol", sealedWith: passphrase) {
        try target.append($0)
      }
      try target.finish()
      return report
    }
  }

  /// What happens from now on, within about a second: what this process changes, and what any other one does.
  public var changes: AsyncStream<JournalChange> { watcher.stream() }
}

extension AsyncThrowingStream.Continuation where Failure == any Error {
  /// Ends the stream once `body` has ended, with what that throws.
  fileprivate func finish(_ body: () throws -> Void) {
    do {
      try body()
      finish()
    } catch {
      finish(throwing: error)
    }
  }
}
