import STOLPack
import STOLNames
import STOLFormats

/// Reads ITIS, the Integrated Taxonomic Information System, as SQLite: taxonomic_units and what belongs
/// to it (itis.gov, "ITIS Physical Model" and its data dictionary).
///
/// - A unit whose usage is "valid" or "accepted" is a taxon, with doubts if `uncertain_prnt_ind` says so;
///   one that is "invalid" or "not accepted" is a synonym of what `synonym_links` name, else a bare name.
/// - A taxon without `parent_tsn` gets its parent from `hierarchy`, else its kingdom.
/// - Vernacular names are kept with the language that the word means, references with their citation.
/// - Slimmer copies may lack all tables but taxonomic_units, and most columns of that.
/// - Rows of tables that explain others (ranks, authors, kingdoms, hierarchy) are `.joined`, those of
///   jurisdictions, comments and the like `.ignored`.
struct ITISReader {
  let database: SourceDatabase
  let intake: Intake
  private static let units = "taxonomic_units"

  init(path: String, _ intake: Intake) throws {
    database = try SourceDatabase(path: path)
    self.intake = intake
  }

  /// What is looked up for each unit.
  private struct Lookups {
    var ranks: [Int64: String] = [:]
    var authors: [Int64: String] = [:]
    var kingdoms: [Int64: String] = [:]
    var accepted: [Int64: [Int64]] = [:]
    var parents: [Int64: Int64] = [:]
    var names: [Int64: String] = [:]
  }

  func read() throws {
    intake.metadata = Self.metadata
    try database.require(Self.units, "tsn")
    guard database.has(Self.units, "complete_name") || database.has("longnames", "completename")
    else {
      throw FormatError.missingColumn(
        file: "\(database.path), table \(Self.units)", column: "complete_name")
    }
    try database.require(Self.units, "rank_id", "parent_tsn")
    let lookups = try readLookups()
    let isSynonym = try readUnits(lookups)
    try countSynonymLinks(isSynonym)
    try readVernaculars()
    try readReferences { tsn in
      guard isSynonym[tsn] == true, !intake.keepsAllRanks else {
        return isSynonym[tsn] == nil ? nil : tsn
      }
      return lookups.accepted[tsn]?.first ?? tsn
    }
    try countOthers()
  }

  private static var metadata: DatasetMetadata {
    DatasetMetadata(
      title: "Integrated Taxonomic Information System (ITIS)", licence: "Public domain (ITIS)",
      url: "https://www.itis.gov",
      citation: "Integrated Taxonomic Information System (ITIS) on-line database, www.itis.gov, "
        + "CC0, https://doi.org/10.5066/F7KH0KBK.")
  }

  // MARK: Units

  private func readLookups() throws -> Lookups {
    var lookups = Lookups()
    func read(_ table: String, _ columns: [String], _ body: (SourceRow) -> Void) throws {
      guard columns.allSatisfy({ database.has(table, $0) }) else { return }
      try database.forEachRow("SELECT \(columns.joined(separator: ", ")) FROM \(table)", body)
    }
    try read("taxon_unit_types", ["kingdom_id", "rank_id", "rank_name"]) { row in
      if let key = Self.rankKey(row.integer(0), row.integer(1)) { lookups.ranks[key] = row.text(2) }
    }
    try read("taxon_authors_lkp", ["taxon_author_id", "taxon_author"]) { row in
      if let id = row.integer(0) { lookups.authors[id] = row.text(1) }
    }
    try read("kingdoms", ["kingdom_id", "kingdom_name"]) { row in
      if let id = row.integer(0) { lookups.kingdoms[id] = row.text(1) }
    }
    try read("synonym_links", ["tsn", "tsn_accepted"]) { row in
      guard let tsn = row.integer(0), let accepted = row.integer(1) else { return }
      if !(lookups.accepted[tsn] ?? []).contains(accepted) {
        lookups.accepted[tsn, default: []].append(accepted)
      }
    }
    if !database.has(Self.units, "complete_name") {
      try read("longnames", ["tsn", "completename"]) { row in
        if let tsn = row.integer(0) { lookups.names[tsn] = row.text(1) }
      }
    }
    var orphans: Set<Int64> = []
    try read("\(Self.units)", ["tsn", "parent_tsn"]) { row in
      if let tsn = row.integer(0), row.integer(1) ?? 0 == 0 { orphans.insert(tsn) }
    }
    try read("hierarchy", ["tsn", "parent_tsn"]) { row in
      if let tsn = row.integer(0), let parent = row.integer(1), parent != 0, orphans.contains(tsn) {
        lookups.parents[tsn] = parent
      }
    }
    return lookups
  }

  private static func rankKey(_ kingdom: Int64?, _ rank: Int64?) -> Int64? {
    guard let rank, (0..<1 << 20).contains(rank), let kingdom, (0..<1 << 20).contains(kingdom)
    else { return nil }
    return kingdom << 20 | rank
  }

  /// Begins the account of a table of which some columns are read.
  func begin(_ table: String, reading names: [String]) throws {
    intake.account.begin(table)
    let read = Set(names)
    intake.account.noteUnread(
      try database.columns(of: table).filter { !read.contains($0.lowercased()) })
  }

  /// Adds all units; says of each whether it is a synonym.
  private func readUnits(_ lookups: Lookups) throws -> [Int64: Bool] {
    try begin(
      Self.units,
      reading: [
        "tsn", "parent_tsn", "rank_id", "kingdom_id", "n_usage", "name_usage", "complete_name",
        "taxon_author_id", "uncertain_prnt_ind", "unaccept_reason",
      ])
    let usage =
      "coalesce(nullif(\(database.column(Self.units, "n_usage")), ''), "
      + "\(database.column(Self.units, "name_usage")))"
    let columns = [
      "tsn", "parent_tsn", "rank_id", database.column(Self.units, "kingdom_id"), usage,
      database.column(Self.units, "complete_name"), database.column(Self.units, "taxon_author_id"),
      database.column(Self.units, "uncertain_prnt_ind"),
      database.column(Self.units, "unaccept_reason"),
    ].joined(separator: ", ")
    var isSynonym: [Int64: Bool] = [:]
    try database.forEachRow("SELECT \(columns) FROM \(Self.units) ORDER BY tsn") {
      row throws in
      try intake.countRow()
      guard let tsn = row.integer(0) else {
        return intake.leaveOut(.emptyName, nil, "a unit without tsn")
      }
      var unit = SourceUsage()
      unit.id = "\(tsn)"
      let kingdom = row.integer(3)
      let rankID = row.integer(2)
      let rankName =
        Self.rankKey(kingdom, rankID).flatMap { lookups.ranks[$0] }
        ?? rankID.flatMap { Self.ranks[$0] } ?? ""
      unit.rank = intake.rank(rankName, line: nil)
      let stated = row.text(5).isEmpty ? lookups.names[tsn] ?? "" : row.text(5)
      let author = row.integer(6).flatMap { lookups.authors[$0] } ?? ""
      let name = intake.clean(stated, line: nil)
      if !name.isEmpty {
        let parts = intake.nameParts(
          name, authorship: intake.clean(author, line: nil), rank: unit.rank,
          mayHoldAuthorship: false, line: nil)
        unit.name = parts.canonicalName
        unit.authorship = parts.authorship
        unit.year = parts.year
        unit.sensu = parts.phrase
      }
      intake.takeStatus(row.text(4), of: &unit)
      isSynonym[tsn] = unit.status == .synonym
      if unit.status == .synonym {
        unit.acceptedIDs = (lookups.accepted[tsn] ?? []).map { "\($0)" }
        // Only the reason says that a name is misapplied or misspelt: it is the source's own word.
        let reason = intake.clean(row.text(8), line: nil)
        if !reason.isEmpty { unit.statusText = reason }
      } else {
        if row.text(7).lowercased().hasPrefix("y") { unit.status = .doubtful }
        let parent = row.integer(1) ?? 0
        if parent != 0 {
          unit.parentID = "\(parent)"
        } else if let parent = lookups.parents[tsn] {
          unit.parentID = "\(parent)"
        } else if let name = kingdom.flatMap({ lookups.kingdoms[$0] }), name != unit.name {
          unit.classification = [(SourceRank(.kingdom), intake.clean(name, line: nil))]
        }
      }
      try intake.add(unit)
    }
    return isSynonym
  }

  /// ITIS's numbers of ranks, which most kingdoms share, for copies without taxon_unit_types.
  private static let ranks: [Int64: String] = [
    10: "kingdom", 20: "subkingdom", 25: "infrakingdom", 27: "superphylum", 30: "phylum",
    40: "subphylum", 45: "infraphylum", 47: "parvphylum", 50: "superclass", 60: "class",
    70: "subclass", 80: "infraclass", 90: "superorder", 100: "order", 110: "suborder",
    120: "infraorder", 124: "section", 126: "subsection", 130: "superfamily", 140: "family",
    150: "subfamily", 160: "tribe", 170: "subtribe", 180: "genus", 190: "subgenus",
    200: "section", 210: "subsection", 220: "species", 230: "subspecies", 240: "variety",
    245: "form", 250: "race", 255: "stirp", 260: "form", 265: "aberration", 270: "subform",
  ]

  private func countSynonymLinks(_ isSynonym: [Int64: Bool]) throws {
    guard database.has("synonym_links", "tsn", "tsn_accepted") else { return }
    try begin("synonym_links", reading: ["tsn", "tsn_accepted"])
    try database.forEachRow("SELECT tsn FROM synonym_links") { row throws in
      try intake.countRow()
      switch row.integer(0).flatMap({ isSynonym[$0] }) {
      case true?: intake.account.add(.joined)
      case false?: intake.account.ignore("its name is accepted")
      case nil:
        intake.leaveOut(.unknownTaxon, nil, "tsn \(row.text(0))")
      }
    }
  }

  // MARK: Names and the rest

  private func readVernaculars() throws {
    guard database.has("vernaculars", "tsn", "vernacular_name") else { return }
    try begin("vernaculars", reading: ["tsn", "vernacular_name", "language", "approved_ind"])
    let columns =
      "tsn, vernacular_name, \(database.column("vernaculars", "language")), "
      + database.column("vernaculars", "approved_ind")
    try database.forEachRow("SELECT \(columns) FROM vernaculars ORDER BY tsn, rowid") {
      row throws in
      try intake.countRow()
      let name = intake.clean(row.text(1), line: nil)
      guard let tsn = row.integer(0), !name.isEmpty else {
        return intake.leaveOut(.emptyName, nil, "tsn \(row.text(0))")
      }
      // "unspecified" is what ITIS writes for no language.
      let word = row.text(2)
      let language = word.lowercased() == "unspecified" ? "" : word
      try intake.add(
        .vernacular(
          name: name, language: intake.language(language, line: nil),
          isPreferred: row.text(3).lowercased() == "y", isCommon: true),
        of: tsn)
    }
  }

  /// Tables that explain others, and the columns of them that are read.
  private static let joinedTables = [
    "taxon_unit_types": ["kingdom_id", "rank_id", "rank_name"],
    "taxon_authors_lkp": ["taxon_author_id", "taxon_author"],
    "kingdoms": ["kingdom_id", "kingdom_name"], "hierarchy": ["tsn", "parent_tsn"],
    "longnames": ["tsn", "completename"], "strippedauthor": [],
  ]

  /// Counts the rows of tables that are no rows of their own.
  private func countOthers() throws {
    let read = Set(intake.account.files.map(\.name))
    for table in database.tables where !read.contains(table) {
      let names = Self.joinedTables[table]
      if let names {
        try begin(table, reading: names)
      } else {
        intake.account.begin(table)
        intake.account.noteUnread(
          Dictionary(
            try database.columns(of: table).map { ($0, UnreadColumn.ofIgnoredFile) },
            uniquingKeysWith: { first, _ in first }))
      }
      let name = table.replacing("\"", with: "\"\"")
      try database.forEachRow("SELECT NULL FROM \"\(name)\"") { _ throws in
        try intake.countRow()
        if names != nil {
          intake.account.add(.joined)
        } else {
          intake.account.ignore("a database has no place for \(table)")
        }
      }
    }
  }
}
