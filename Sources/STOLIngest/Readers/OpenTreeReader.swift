import STOLPack
import STOLFormats
import STOLNames

/// Reads the Open Tree taxonomy: taxonomy.tsv and, where they are there, synonyms.tsv, forwards.tsv and
/// version.txt (OpenTreeOfLife/reference-taxonomy, doc/interim-format.md and doc/taxon-flags.md).
///
/// What a flag makes of a row:
///
/// - `was_container`, `not_otu`, `inconsistent`, `merged`: no taxon at all, as that document says. The
///   row is a bare name, unless other rows are below it: then it is a taxon with doubts.
/// - `hidden`, `environmental`, `viral`, inherited or not: not offered by Open Tree's name service: a
///   taxon with doubts. The flags that say so are its status in the source's words.
/// - `extinct`, inherited or not: the trait `extinct`.
/// - All others, as `incertae_sedis`, `major_rank_conflict`, `sibling_higher`, `barren` and `hybrid`,
///   say where a taxon stands or what it is: it is accepted.
struct OpenTreeReader {
  static let taxonomyFile = "taxonomy.tsv"
  /// The tables that are read.
  static let fileNames = [taxonomyFile, "synonyms.tsv", "forwards.tsv"]
  let files: SourceFiles
  let intake: Intake

  /// Whether the taxonomy is there; QIIME's table of lineages has the same name.
  static func isPresent(in files: SourceFiles) throws -> Bool {
    guard let file = files.find(taxonomyFile) else { return false }
    return try files.table(file, onFinding: { _, _ in }).columns.index("uid") != nil
  }

  func read() throws {
    intake.metadata = Self.metadata
    if let version = files.find("version.txt") {
      let text = String(
        decoding: try files.contents(of: version, limit: Self.versionLimit), as: UTF8.self)
      let line = trimmingSpaces(String(text.prefix { !$0.isNewline }))
      if !line.isEmpty { intake.metadata.version = line }
    }
    try readTaxonomy()
    try readSynonyms()
    try readForwards()
  }

  static var metadata: DatasetMetadata {
    DatasetMetadata(
      title: "Open Tree of Life Taxonomy", licence: "CC0-1.0",
      url: "https://tree.opentreeoflife.org/about/taxonomy-version",
      citation:
        "Rees JA, Cranston K. 2017. Automated assembly of a reference taxonomy for phylogenetic data "
        + "synthesis. Biodiversity Data Journal 5: e12581. https://doi.org/10.3897/BDJ.5.e12581")
  }

  private static let versionLimit = 1 << 12

  /// The id that a text with or without "ott" before it means.
  static func id(_ text: String) -> String {
    let digits = text.hasPrefix("ott") ? text.dropFirst(3) : text[...]
    return digits.isEmpty || !digits.allSatisfy({ $0.isASCII && $0.isNumber })
      ? text : String(Int64(digits) ?? 0)
  }

  // MARK: Taxonomy

  private struct Columns {
    var uid = 0
    var parent = 1
    var name = 2
    var rank: Int? = 3
    var flags: Int?

    init(_ map: ColumnMap, file: String) throws {
      uid = try map.requiredIndex("uid", file: file)
      parent = map.index("parent_uid", "parent") ?? -1
      guard parent >= 0 else { throw FormatError.missingColumn(file: file, column: "parent_uid") }
      name = try map.requiredIndex("name", file: file)
      rank = map.index("rank")
      flags = map.index("flags")
    }
  }

  private func readTaxonomy() throws {
    let file = try files.required(Self.taxonomyFile)
    var parents: Set<Int64> = []
    var (first, firstColumns) = try files.table(file, onFinding: { _, _ in })
    let columns = try Columns(firstColumns, file: file)
    while try first.next() {
      parents.insert(TaxonID(sourceText: Self.id(first.text(columns.parent))).rawValue)
    }
    intake.account.begin(file)
    intake.account.noteUnread(firstColumns.unread)
    var (rows, _) = try files.table(file, onFinding: intake.findings.ofRows)
    while try intake.next(&rows) {
      var usage = SourceUsage()
      usage.line = rows.line
      usage.id = Self.id(rows.text(columns.uid))
      usage.parentID = Self.id(rows.text(columns.parent))
      _ = try intake.add(
        &usage, rank: rows.value(columns.rank), name: rows.text(columns.name),
        OpenTreeFlags(rows.value(columns.flags)),
        hasChildren: parents.contains(TaxonID(sourceText: usage.id).rawValue), line: rows.line)
    }
  }

  // MARK: Forwards

  /// Reads which ids were merged into which.
  private func readForwards() throws {
    guard let file = files.find("forwards.tsv") else { return }
    intake.account.begin(file)
    var (rows, columns) = try files.table(file, onFinding: intake.findings.ofRows)
    let from = columns.index("id", "uid") ?? 0
    let to = columns.index("replacement") ?? 1
    intake.account.noteUnread(columns.unread)
    var seen: Set<Int64> = []
    while try intake.next(&rows) {
      guard let id = Int64(Self.id(rows.text(from))), let target = Int64(Self.id(rows.text(to)))
      else {
        throw FormatError.line(file: file, line: rows.line, reason: "an id is not a number")
      }
      if seen.insert(id).inserted {
        intake.merged.append((id, target))
        intake.account.add(.merged)
      } else {
        intake.account.add(.duplicate)
      }
    }
  }
}

extension Intake {
  /// Adds a taxon of Open Tree, whose names have no authorship; says whether it found a place.
  func add(
    _ usage: inout SourceUsage, rank: String, name: String, _ flags: OpenTreeFlags,
    hasChildren: Bool, line: Int?
  ) throws -> Bool {
    usage.rank = self.rank(rank, line: line)
    let name = clean(name, line: line)
    if !name.isEmpty {
      usage.name =
        nameParts(name, rank: usage.rank, mayHoldAuthorship: false, line: line).canonicalName
    }
    flags.apply(to: &usage, hasChildren: hasChildren, keepsAllRanks: keepsAllRanks)
    try add(usage)
    guard !usage.name.isEmpty, usage.status != .bareName else { return false }
    if flags.isExtinct { try add(.extinct, of: usage.id, isFurther: true) }
    return true
  }
}

/// The flags of a row of the Open Tree taxonomy.
struct OpenTreeFlags {
  private var isNoTaxon = false
  /// The flags because of which there are doubts.
  private var doubts: [String] = []
  private(set) var isExtinct = false

  /// The flags of a list with commas.
  init(_ list: String) {
    self.init(list.split(separator: ",").map { trimmingSpaces(String($0)) })
  }

  init(_ flags: [String]) {
    for flag in flags {
      switch flag.lowercased() {
      case "was_container", "not_otu", "inconsistent", "merged":
        isNoTaxon = true
        doubts.append(flag)
      case "hidden", "hidden_inherited", "environmental", "environmental_inherited", "viral":
        doubts.append(flag)
      case "extinct", "extinct_inherited": isExtinct = true
      default: break
      }
    }
  }

  /// Gives a usage the standing that its flags ask for.
  func apply(to usage: inout SourceUsage, hasChildren: Bool, keepsAllRanks: Bool) {
    guard !doubts.isEmpty else { return }
    usage.statusText = doubts.joined(separator: ",")
    usage.status = isNoTaxon && !hasChildren ? .bareName : .doubtful
    // In schema 1 its nearest ancestor stands for it.
    if isNoTaxon, hasChildren, !keepsAllRanks { usage.rank = .noRank }
  }
}
