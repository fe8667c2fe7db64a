/// Compiles rows of a taxonomy into a pack.
///
/// Add all rows, in any order, then call `finish`. The same rows in the same order give the same
/// bytes, whatever the machine. Memory: about 150 bytes a taxon.
public struct PackWriter: ~Copyable {
  /// The stages of `finish`, for progress.
  public enum Stage: String, CaseIterable, Sendable {
    /// Parents are looked up and taxa put into preorder.
    case ordering
    /// Names are folded and split into words.
    case naming
    /// The sections are encoded and written.
    case writing
  }

  /// What was compiled.
  public struct Report: Sendable {
    /// Taxa in the tree.
    public var taxonCount = 0
    /// Taxa without a parent.
    public var rootCount = 0
    /// Common names and synonyms.
    public var nameCount = 0
    /// Different folded words.
    public var wordCount = 0
    /// Traits of all taxa.
    public var traitCount = 0
    /// What its author should know.
    public var warnings: [CompileWarning] = []
  }

  /// The statuses of taxa in the tree; rows with the status "synonym" become names.
  static let statuses = ["accepted", "provisional"]
  static let conservationCodes = ["", "LC", "NT", "VU", "EN", "CR", "EW", "EX", "NE", "DD"]

  var taxa = TaxonTable()
  var names = NameTable()
  var traits = TraitTable()
  var texts = SharedTexts()
  var sources: [DataSource] = []
  var dataset: [(key: String, value: String)] = []
  var merged: [(id: Int64, into: Int64)] = []
  var deleted: [Int64] = []
  var source = SourceFingerprint()
  var schemaVersion = 1
  let treatsWarningsAsErrors: Bool
  var warnings = WarningList()

  /// An empty writer.
  public init(treatsWarningsAsErrors: Bool = false) {
    self.treatsWarningsAsErrors = treatsWarningsAsErrors
  }

  /// States the database that the rows come from.
  public mutating func setSource(_ source: SourceFingerprint, schemaVersion: Int) {
    self.source = source
    self.schemaVersion = schemaVersion
  }

  /// States one fact about the dataset, as its id, name, release or licence.
  ///
  /// - Throws: `CompileError.row` for an overlong text; its id is the number of the fact, from 1.
  public mutating func addDatasetValue(_ value: String, for key: String) throws(CompileError) {
    let number = Int64(dataset.count + 1)
    try Self.check(key, "key", table: "dataset", id: number)
    try Self.checkLength(value, "value", table: "dataset", id: number)
    guard !dataset.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
      throw .row(table: "dataset", id: number, reason: .duplicateID)
    }
    dataset.append((key, value))
  }

  /// States one source of the dataset.
  ///
  /// - Returns: its number, from 1.
  /// - Throws: `CompileError.row` for an overlong text; its id is that number.
  public mutating func addSource(_ source: DataSource) throws(CompileError) -> Int {
    let number = sources.count + 1
    for (text, column) in zip(source.texts, DataSource.columns) {
      try Self.checkLength(text, column, table: "sources", id: Int64(number))
    }
    sources.append(source)
    return number
  }

  /// States that `id` was merged into another taxon.
  public mutating func addMergedID(_ id: Int64, into target: Int64) { merged.append((id, target)) }

  /// States that `id` was deleted.
  public mutating func addDeletedID(_ id: Int64) { deleted.append(id) }

  /// Adds a row of `taxa`.
  ///
  /// - Throws: `CompileError.row` for an unknown status, an empty rank, an empty or overlong name, an
  ///   implied root that is none.
  public mutating func add(_ row: borrowing TaxonRow) throws(CompileError) {
    guard taxa.count < Layout.maximumTaxonCount else {
      throw .tooManyTaxa(limit: Layout.maximumTaxonCount)
    }
    try Self.check(row.scientificName, "scientific_name", table: "taxa", id: row.id)
    try Self.check(row.rank, "rank", table: "taxa", id: row.id)
    try Self.checkLength(row.author, "author", table: "taxa", id: row.id)
    try Self.checkLength(row.conservation, "conservation", table: "taxa", id: row.id)
    try Self.checkLength(row.code, "code", table: "taxa", id: row.id)
    try Self.checkLength(row.statusText, "status_text", table: "taxa", id: row.id)
    try Self.checkLength(row.sensu, "sensu", table: "taxa", id: row.id)
    if let text = row.sourceID { try Self.check(text, "source_id", table: "taxa", id: row.id) }
    try checkSource(row.source, table: "taxa", id: row.id)
    try taxa.append(row, &texts, &warnings)
  }

  /// Adds a row of `names`.
  ///
  /// - Throws: `CompileError.row` for an unknown type or status, an empty or overlong name.
  public mutating func add(_ row: borrowing NameRow) throws(CompileError) {
    try Self.check(row.name, "name", table: "names", id: row.id)
    try Self.check(row.language, "lang", table: "names", id: row.id)
    for (text, column) in [
      (row.sourceID, "source_id"), (row.author, "author"), (row.rank, "rank"),
      (row.statusText, "status_text"), (row.code, "code"), (row.sensu, "sensu"),
    ] {
      try Self.checkLength(text, column, table: "names", id: row.id)
    }
    try checkSource(row.source, table: "names", id: row.id)
    try names.append(row, &texts)
  }

  /// Adds a row of `collapsed_taxa`: a taxon of another rank, which stands for `target`.
  ///
  /// Its name becomes a synonym of that one, its id leads to this name.
  ///
  /// - Throws: `CompileError.row` for an empty or overlong name.
  public mutating func addCollapsedTaxon(
    _ id: Int64, name: String, into target: Int64, rank: String? = nil, author: String? = nil,
    year: Int64? = nil, sourceID: String? = nil
  ) throws(CompileError) {
    try Self.check(name, "scientific_name", table: "collapsed_taxa", id: id)
    try Self.checkLength(rank, "rank", table: "collapsed_taxa", id: id)
    try Self.checkLength(author, "author", table: "collapsed_taxa", id: id)
    try names.append(
      NameRow(
        id: id, taxonID: target, name: name, language: NameTable.scientificLanguage,
        type: NameType.synonym.rawValue, sourceID: sourceID ?? String(id), author: author,
        year: year, rank: rank), &texts)
  }

  /// Adds a row of `traits`.
  ///
  /// - Throws: `CompileError.row` for an empty key, an overlong key or value.
  public mutating func add(_ row: borrowing TraitRow) throws(CompileError) {
    try Self.check(row.key, "trait_key", table: "traits", id: row.id)
    try Self.checkLength(row.value, "trait_value", table: "traits", id: row.id)
    try Self.checkLength(row.unit, "unit", table: "traits", id: row.id)
    try checkSource(row.source, table: "traits", id: row.id)
    traits.append(row)
  }

  private static func check(
    _ text: String, _ column: String, table: String, id: Int64
  ) throws(CompileError) {
    guard !text.isEmpty else {
      throw .row(table: table, id: id, reason: .emptyText(column: column))
    }
    try checkLength(text, column, table: table, id: id)
  }

  private func checkSource(_ source: Int?, table: String, id: Int64) throws(CompileError) {
    guard (0...sources.count).contains(source ?? 0) else {
      throw .row(table: table, id: id, reason: .unknownSource(Int64(source ?? 0)))
    }
  }

  private static func checkLength(
    _ text: String?, _ column: String, table: String, id: Int64
  ) throws(CompileError) {
    guard let text else { return }
    guard text.utf8.count <= Layout.maximumNameByteCount else {
      throw .row(
        table: table, id: id,
        reason: .textTooLong(column: column, byteCount: text.utf8.count))
    }
  }
}

/// Warnings by kind.
struct WarningList {
  private var found: [CompileWarning.Kind: CompileWarning] = [:]

  /// One warning a kind, in the order of the kinds.
  var all: [CompileWarning] { CompileWarning.Kind.allCases.compactMap { found[$0] } }

  /// Counts a warning about a row, or about a taxon, whose id is asked for if it is the first.
  mutating func add(
    _ kind: CompileWarning.Kind, id: Int64, sourceID: @autoclosure () -> String? = nil
  ) {
    found[
      kind,
      default: CompileWarning(kind: kind, count: 0, firstID: id, firstSourceID: sourceID())
    ].count += 1
  }
}
