import STOLNames
import GRDB

/// Inserts taxa, in the form of a version of the schema.
struct TaxonInserter {
  private let statement: Statement
  private let isFirst: Bool

  /// An inserter of taxa that come from the source of that number.
  init(_ database: Database, schema: Int, source: Int = 1) throws {
    isFirst = schema == 1
    statement = try database.makeStatement(
      sql: isFirst
        ? "INSERT INTO taxa VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        : "INSERT INTO taxa VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \(source))")
  }

  func insert(
    _ usage: SourceUsage, id: Int64, below parent: Int64?, rank: String, isDoubtful: Bool
  ) throws {
    guard !isFirst else {
      return try statement.execute(
        arguments: [
          id, parent, rank, usage.name, usage.authorship.stated, usage.year,
          isDoubtful ? "doubtful" : "accepted", usage.conservation,
        ])
    }
    let status = isDoubtful ? NameStatusWord.provisional : NameStatusWord.accepted
    let phrase = NamePhrase(usage.sensu)
    let further = NameStatusWord.further(usage.statusText, than: status)
    try statement.execute(
      arguments: [
        id, usage.id, parent, rank.stated ?? SourceRank.noRank.canonicalName, usage.name,
        usage.authorship.stated, usage.year, status, usage.conservation, usage.code.stated,
        usage.standing(further, phrase.standing).stated, phrase.sensu.stated,
      ])
  }

  /// Inserts the root that no source has, into a database of the newest version.
  static func insertImpliedRoot(_ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO taxa(id, rank, scientific_name) VALUES (?, ?, 'implied root')",
      arguments: [TaxonomySchema.impliedRoot, SourceRank.noRank.canonicalName])
  }
}

/// Inserts IUCN codes of taxa that have none.
struct CodeInserter {
  private let database: Database
  private let update: Statement
  private let present: Statement

  init(_ database: Database) throws {
    self.database = database
    update = try database.makeStatement(
      sql: "UPDATE taxa SET conservation = ? WHERE id = ? AND conservation IS NULL")
    present = try database.makeStatement(sql: "SELECT conservation FROM taxa WHERE id = ?")
  }

  /// What becomes of a code: `.conservation`, `.alreadyThere`, or `.ignored` where there is another.
  func insert(_ code: String, of taxon: Int64) throws -> RowOutcome {
    try update.execute(arguments: [code, taxon])
    if database.changesCount > 0 { return .conservation }
    return try String.fetchOne(present, arguments: [taxon]) == code ? .alreadyThere : .ignored
  }
}

/// Inserts names, in the form of a version of the schema.
final class NameInserter {
  private let name: Statement
  /// For synonyms, which have a record; nil in version 1.
  private let record: Statement?
  /// What the words of the source mean where no phrase says more: there are few of them.
  private var standings: [String: (word: String, further: String)] = [:]
  private static let standingLimit = 1_000

  /// An inserter of names that come from the source of that number.
  init(_ database: Database, schema: Int, source: Int) throws {
    let isFirst = schema == 1
    name = try database.makeStatement(
      sql: """
        INSERT INTO names(taxon_id, name, lang, name_type, is_preferred\(isFirst ? "" : ", status_text, source"))
        VALUES (?, ?, ?, ?, ?\(isFirst ? "" : ", ?, \(source)"))
        """)
    record =
      isFirst
      ? nil
      : try database.makeStatement(
        sql: """
          INSERT INTO names(taxon_id, name, lang, name_type, source_id, author, year, rank, status,
            status_text, code, sensu, source)
          VALUES (?, ?, 'la', 'synonym', ?, ?, ?, ?, ?, ?, ?, ?, \(source))
          """)
  }

  func insert(
    _ text: String, _ language: String, _ type: String, _ isPreferred: Bool,
    _ statusText: String = "", of taxon: Int64
  ) throws {
    let preferred = isPreferred ? 1 : 0
    if record == nil {
      try name.execute(arguments: [taxon, text, language, type, preferred])
    } else {
      try name.execute(arguments: [taxon, text, language, type, preferred, statusText.stated])
    }
  }

  func insert(_ usage: SourceUsage, _ rank: String, asSynonymOf taxon: Int64) throws {
    guard let record else { return try insert(usage.name, "la", "synonym", false, of: taxon) }
    let phrase = NamePhrase(usage.sensu)
    let status = standing(usage.statusText, phrase.sensu)
    try record.execute(
      arguments: [
        taxon, usage.name, usage.id.stated, usage.authorship.stated, usage.year, rank.stated,
        status.word, usage.standing(status.further, phrase.standing).stated, usage.code.stated,
        phrase.sensu.stated,
      ])
  }

  /// The known word for what a source says of a synonym, and what it says beyond that.
  private func standing(_ text: String, _ sensu: String) -> (word: String, further: String) {
    if sensu.isEmpty, let known = standings[text] { return known }
    let word = NameStatusWord.ofSynonym(text, sensu: sensu)
    let standing = (word, NameStatusWord.further(text, than: word))
    if sensu.isEmpty, standings.count < Self.standingLimit { standings[text] = standing }
    return standing
  }
}

extension SourceUsage {
  /// What is said of the name beyond a known word: by its row, and by the phrase behind its authors.
  fileprivate func standing(_ further: String, _ phrase: String) -> String {
    var parts: [String] = []
    for part in [further, nomenclaturalStatus, phrase] where !part.isEmpty && !parts.contains(part)
    {
      parts.append(part)
    }
    return parts.joined(separator: "; ")
  }
}

extension String {
  /// The text, or nil for the empty one, which says nothing.
  var stated: String? { isEmpty ? nil : self }
}

/// Inserts references, the same one of a taxon or name once as long as its rows come together.
final class ReferenceInserter {
  private let database: Database
  private let statement: Statement
  private let isFirst: Bool
  private var taxon: Int64?
  private var name: Int64?
  private var rows: [String: Int64] = [:]

  /// An inserter of references that come from the source of that number.
  init(_ database: Database, schema: Int, source: Int) throws {
    self.database = database
    isFirst = schema == 1
    statement = try database.makeStatement(
      sql: isFirst
        ? "INSERT INTO refs(taxon_id, citation, url, ref_type) VALUES (?, ?, ?, ?)"
        : """
        INSERT INTO refs(taxon_id, citation, url, ref_type, name_id, source)
        VALUES (?, ?, ?, ?, ?, \(source))
        """)
  }

  /// The row of the reference, which is made if need be; one without an address gets the one given.
  ///
  /// It is about the name of the taxon in the row `name`, or about the taxon itself.
  func insert(
    _ citation: String, _ url: String, _ kind: ReferenceKind, of taxon: Int64, _ name: Int64?
  ) throws -> (row: Int64, isNew: Bool) {
    let name = isFirst ? nil : name
    if self.taxon != taxon || self.name != name {
      self.taxon = taxon
      self.name = name
      rows.removeAll(keepingCapacity: true)
    }
    if let row = rows[citation] {
      if !url.isEmpty {
        try database.execute(
          sql: "UPDATE refs SET url = ? WHERE id = ? AND url IS NULL", arguments: [url, row])
      }
      return (row, false)
    }
    if isFirst {
      try statement.execute(arguments: [taxon, citation, url.stated, kind.rawValue])
    } else {
      try statement.execute(arguments: [taxon, citation, url.stated, kind.rawValue, name])
    }
    rows[citation] = database.lastInsertedRowID
    return (database.lastInsertedRowID, true)
  }
}
