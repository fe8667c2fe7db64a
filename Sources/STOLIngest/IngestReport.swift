import Foundation

/// What an ingestion read, what became of every row, and what was odd.
///
/// As JSON its keys are sorted and its version is stated; keys are only ever added.
public struct IngestReport: Encodable, Sendable {
  /// The version of this report's own form.
  public let reportVersion = 1
  /// The version of the schema that was written.
  public let schemaVersion: Int
  /// What the database holds.
  public let totals: Totals
  /// The sources in the order in which they were read.
  public let sources: [Source]

  /// What a database holds.
  public struct Totals: Encodable, Sendable {
    /// Taxa of the source.
    public var taxa = 0
    /// Rows of `taxa` without a parent, an implied root among them.
    public var roots = 0
    /// Implied roots, which no source has: one or none.
    public var impliedRoots = 0
    /// Taxa by rank, without the implied root.
    public var ranks: [String: Int] = [:]
    /// Rows of `names` that are synonyms.
    public var synonyms = 0
    /// Rows of `names` that are common or vernacular names.
    public var vernaculars = 0
    /// Rows of `refs`.
    public var references = 0
    /// Rows of `traits`.
    public var traits = 0
    /// Taxa with an IUCN code.
    public var conservation = 0
    /// Ids that lead to another taxon.
    public var merged = 0
    /// Ids that were deleted.
    public var deleted = 0
    /// In schema 1, taxa whose ids are texts: it has numbers in their place, from which none follows.
    public var lostIDs = 0
  }

  /// One source.
  public struct Source: Encodable, Sendable {
    /// Its kind, as in "dwca".
    public let kind: String
    /// Where it is.
    public let path: String
    /// What it says of itself; empty where it says nothing.
    public let name, release, licence, citation, url: String
    /// Its files in the order of reading.
    public let files: [File]
    /// Files from which no row was read, each with the reason.
    public let unreadFiles: [String: String]
    /// What was odd, by kind.
    public internal(set) var findings: [String: Found]
    /// For a source that was added: what it matched.
    public let matching: Matching?
  }

  /// One file.
  public struct File: Encodable, Sendable {
    /// Its name in the source.
    public let name: String
    /// How many rows it has; what became of them adds up to it.
    public let rows: Int
    /// What became of them.
    public let outcomes: [String: Int]
    /// Why rows of the outcome "ignored" were ignored, each reason with the number of rows.
    public let reasons: [String: Int]
    /// Columns that were not read, each with the reason.
    public let unreadColumns: [String: String]
    /// Entries that one row gave beyond its first, as a reference in a column.
    public let further: Int
  }

  /// One kind of oddity.
  public struct Found: Encodable, Sendable {
    /// How often.
    public let count: Int
    /// What it is and what was done.
    public let rule: String
    /// The first of them.
    public let examples: [String]
  }

  /// How the taxa of a source that was added were found in the first one.
  public struct Matching: Encodable, Sendable {
    /// By id, with the same name.
    public var byID = 0
    /// By name and rank within the same kingdom, and kingdoms by one of their names.
    public var byName = 0
    /// By a synonym of the first one: accepted in the source that was added.
    public var bySynonym = 0
    /// Not there, and added.
    public var taxaAdded = 0
    /// Not there, and not added: they stand above taxa that the first one groups in another way.
    public var unmatched = 0
    /// The name has several taxa there; left out.
    public var ambiguous = 0
    /// Left out, as the part of the sources that is kept says.
    public var cut = 0
    /// Authorships that the first source lacked.
    public var authorshipsAdded = 0
    /// IUCN codes that the first source lacked.
    public var conservationAdded = 0
  }

  /// The report as JSON.
  public func json() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

extension IngestReport {
  static func findings(_ findings: Findings) -> [String: Found] {
    Dictionary(
      uniqueKeysWithValues: findings.counts.map { finding, count in
        (finding.rawValue, Found(count: count.count, rule: finding.rule, examples: count.examples))
      })
  }
}

extension IngestReport.Source {
  init(_ source: IngestSource, _ intake: Intake, _ matching: IngestReport.Matching? = nil) {
    kind = source.kind.rawValue
    path = source.path
    name = intake.metadata.title ?? ""
    release = intake.metadata.version ?? intake.metadata.issued ?? ""
    licence = intake.metadata.licence ?? ""
    citation = intake.metadata.citation ?? ""
    url = intake.metadata.url ?? ""
    files = intake.account.files.map { IngestReport.File($0) }
    unreadFiles = intake.account.unreadFiles
    findings = IngestReport.findings(intake.findings)
    self.matching = matching
  }
}

extension IngestReport.File {
  init(_ file: RowAccount.File) {
    name = file.name
    rows = file.rowCount
    outcomes = Dictionary(uniqueKeysWithValues: file.outcomes.map { ($0.rawValue, $1) })
    reasons = file.reasons
    unreadColumns = file.unreadColumns
    further = file.furtherCount
  }
}

extension Ingestion {
  /// Now in UTC, to the second, or what `SOURCE_DATE_EPOCH` says (reproducible-builds.org), so that
  /// the same sources can give the same bytes.
  static func now() -> String {
    let stated = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap { Double($0) }
    let date = stated.map { Date(timeIntervalSince1970: $0) } ?? Date()
    return date.formatted(.iso8601)
  }
}
