public import STOLPack
public import STOLTrust

/// The journal of one person: what was seen, where and when.
///
/// Reading never waits for a change. A change waits for the disk: what returns has been kept, and what throws has
/// changed nothing. A call whose task was cancelled before it began does nothing.
public protocol JournalService: AnyObject, Sendable {
  /// Keeps records, all of them or none; the same again changes nothing.
  ///
  /// - Parameter records: each UUID once, in any order.
  /// - Returns: what became of each, in their order, and the batch that undoes all of it.
  /// - Throws: `JournalError` where a record says what cannot be; `StoreError`, `CancellationError`.
  @discardableResult
  func save(_ records: [JournalRecord]) async throws -> SaveOutcome

  /// Deletes a record with what is its own; what refers to it otherwise lets go of it.
  ///
  /// - Returns: the records that were deleted, and the batch that undoes it.
  /// - Throws: `JournalError`, `StoreError`, `CancellationError`.
  @discardableResult
  func delete(_ id: JournalID) async throws -> DeletionOutcome

  /// Puts back what a batch changed, all of it: something saved, deleted or imported, or an undo.
  ///
  /// - Returns: the batch that undid it.
  /// - Throws: `JournalError` where something of it was changed since; `StoreError`, `CancellationError`.
  @discardableResult
  func undo(batch: Int64) async throws -> Int64

  /// A record and what is noted about it; nil where there is none.
  ///
  /// - Throws: `StoreError`, `CancellationError`.
  func record(_ id: JournalID) async throws -> KeptRecord?

  /// A small image of a photo: a JPEG file, seen the right way up, with nothing that the camera wrote.
  ///
  /// It is kept beside the journal, and made where it is not there yet: tens of milliseconds for a photo of a camera.
  ///
  /// - Returns: nil where none can be made: of a PNG, WebP or HEIC file in which the camera put none, and of a JPEG
  ///   image that cannot be decoded in less than 64 MB.
  /// - Throws: `JournalError` where there is no such photo, or its file is lost; `StoreError`, `CancellationError`.
  func thumbnail(of photo: JournalID, _ size: ThumbnailSize) async throws -> [UInt8]?

  /// What can be made of a name as somebody wrote it, by the active database.
  ///
  /// - Throws: `CancellationError`.
  func reading(of name: String) async throws -> NameReading

  /// The places that fit, by name.
  ///
  /// - Throws: `JournalError`, `StoreError`, `CancellationError`.
  func places(_ query: PlaceQuery) async throws -> PlacePage

  /// The places that fit and have a position, as dots, or where they are too many as clusters.
  ///
  /// - Throws: `JournalError`, `StoreError`, `CancellationError`.
  func map(of query: PlaceQuery) async throws -> JournalMap<PlaceDot>

  /// The sightings that fit, the last one first.
  ///
  /// - Throws: `JournalError`, `StoreError`, `CancellationError`.
  func sightings(_ query: SightingQuery) async throws -> SightingPage

  /// The sightings that fit and have a position, as dots, or where they are more than `dotLimit` as clusters.
  ///
  /// - Throws: `JournalError`, `StoreError`, `CancellationError`.
  func map(of query: SightingQuery, dotLimit: Int) async throws -> JournalMap<SightingDot>

  /// The values that the sightings of a query have, each with how many have it.
  ///
  /// - Throws: `JournalError`, `StoreError`, `CancellationError`.
  func facets(of query: SightingQuery) async throws -> SightingFacets

  /// What `SightingQuery.taxa` takes for a taxon of the active database and all within it.
  ///
  /// - Throws: `TaxonomyError`, `StoreError`, `CancellationError`.
  func references(within taxon: TaxonID) async throws -> Set<TaxonRefID>

  /// Every taxon that was seen, the one seen most recently for the first time first.
  ///
  /// - Throws: `JournalError`, `StoreError`, `CancellationError`.
  func lifeList(_ query: SightingQuery) async throws -> [LifeEntry]

  /// Imports a file in one batch, and says what becomes of it.
  ///
  /// It begins at once. Where the task that listens is cancelled, or the stream is dropped, before all of it is kept,
  /// nothing of it is kept; whoever got `ImportEvent.finished` knows that all of it is. What is not asked for yet
  /// waits in memory.
  func importing(
    _ source: ImportSource, _ options: ImportOptions
  ) -> AsyncThrowingStream<ImportEvent, any Error>

  /// Writes records to a file, which takes its name once it is whole.
  ///
  /// - Parameters:
  ///   - query: which sightings, with all that they refer to; nil for all records.
  ///   - format: the format.
  ///   - dataset: what a Darwin Core archive says of itself, which needs it; of no account for other formats.
  ///   - isExact: whether all is written as exactly as it is known, for oneself; else what others may know by the
  ///     threats that the active database states: Format/JOURNAL.md, "What others may know".
  ///   - path: the file; one that is there is replaced.
  /// - Returns: what was written, what others may not know of it, and what the format cannot hold.
  /// - Throws: `JournalError`, `StoreError`, `SystemError`, `CancellationError`.
  func export(
    _ query: SightingQuery?, as format: ExportFormat, describedBy dataset: DatasetDescription?,
    isExact: Bool, to path: String
  ) async throws -> ExportReport

  /// Writes all of the journal, the files of photos too, to an archive, which takes its name once it is whole.
  ///
  /// - Parameters:
  ///   - path: the file; one that is there is replaced.
  ///   - passphrase: what opens it; nil for an archive that anybody can read.
  /// - Returns: what was written.
  /// - Throws: `JournalError`, `StoreError`, `SystemError`, `SealError`, `CancellationError`.
  func backUp(to path: String, passphrase: SecretBytes?) async throws -> ExportReport

  /// What happens from now on, within about a second: what this process changes, and what any other one does.
  ///
  /// Each stream is told of everything, until it is dropped. While nobody listens, nothing is asked.
  var changes: AsyncStream<JournalChange> { get }
}

extension JournalService {
  /// Writes records to a file, which takes its name once it is whole; a Darwin Core archive needs more to be said.
  ///
  /// - Parameters:
  ///   - query: which sightings, with all that they refer to; nil for all records.
  ///   - format: the format.
  ///   - isExact: whether all is written as exactly as it is known, for oneself.
  ///   - path: the file; one that is there is replaced.
  /// - Returns: what was written, what others may not know of it, and what the format cannot hold.
  /// - Throws: `JournalError`, `StoreError`, `SystemError`, `CancellationError`.
  @discardableResult
  public func export(
    _ query: SightingQuery? = nil, as format: ExportFormat, isExact: Bool = false, to path: String
  ) async throws -> ExportReport {
    try await export(query, as: format, describedBy: nil, isExact: isExact, to: path)
  }
}

/// The first of the places that fit.
public struct PlacePage: Equatable, Sendable {
  /// The places, by name.
  public let places: [PlaceDot]
  /// Whether there are more.
  public let isCut: Bool
}

/// Some of the sightings that fit.
public struct SightingPage: Equatable, Sendable {
  /// The sightings, the last one first.
  public let sightings: [Sighting]
  /// What `SightingQuery.after` takes for the next page; nil where there is none.
  public let next: SightingQuery.Cursor?
}

/// What was deleted.
public struct DeletionOutcome: Equatable, Sendable {
  /// The batch that undoes it; nil where it was deleted already.
  public let batch: Int64?
  /// The records that were deleted.
  public let deleted: [JournalID]
}

/// What happens while a file is imported.
public enum ImportEvent: Equatable, Sendable {
  /// It is read as this format; the columns that are not taken.
  case began(ImportFormat, unread: [String])
  /// A row, in their order.
  case row(ImportedRow)
  /// All of it is kept, or would be.
  case finished(ImportSummary)
}
