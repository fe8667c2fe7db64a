import STOLPack
import GRDB

extension TaxonomyWriter {
  /// Writes the taxa of a source, in the order of their ids, and what became of its other usages.
  ///
  /// - Throws: `IngestError`
  func writeUsages(_ intake: Intake, _ resolution: Resolution) throws {
    let usages = resolution.usages
    var rows = (0..<usages.count).map { UInt32($0) }
    if !(1..<max(1, usages.count)).allSatisfy({ usages.ids[$0 - 1] < usages.ids[$0] }) {
      rows.sort { usages.ids[Int($0)] < usages.ids[Int($1)] }
    }
    try write { database in
      let taxon = try database.makeStatement(
        sql: "INSERT INTO taxa VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      // What the first version has no tables for is not written.
      func statement(_ sql: String) throws -> Statement? {
        schemaVersion < 2 ? nil : try database.makeStatement(sql: sql)
      }
      let collapsed = try statement("INSERT INTO collapsed_taxa VALUES (?, ?, ?, ?, ?, ?)")
      let merged = try statement("INSERT INTO merged_taxa VALUES (?, ?)")
      let source = try statement("INSERT INTO source_ids VALUES (?, ?)")
      let names = try NameInserter(database, schema: schemaVersion)
      for row in rows {
        let row = Int(row)
        let fate = resolution.fates[row]
        guard fate != .duplicate, fate != .bare else { continue }
        var text = try intake.text(row)
        let id = usages.ids[row]
        if text.name.isEmpty {
          text.name = "[\(id)]"
          intake.findings.add(.missingName, "\(id)")
        }
        let target = resolution.targets[row]
        let targetID = target == Resolution.none ? nil : usages.ids[Int(target)]
        let rank = usages.ranks.names[Int(usages.rankCodes[row])]
        if let code = text.conservation, fate != .taxon {
          intake.findings.add(.aboutCollapsedTaxon, "\(text.name): \(code)")
        }
        switch fate {
        case .taxon:
          guard let kept = usages.keptRank(row) else { continue }
          let status = usages.flags[row].contains(.doubtful) ? "doubtful" : "accepted"
          try taxon.execute(
            arguments: [
              id, targetID, kept.name, text.name, text.authorship.stated, text.year, status,
              text.conservation,
            ])
        case .collapsed:
          try collapsed?.execute(
            arguments: [
              id, targetID, rank.stated ?? "unranked", text.name, text.authorship.stated, text.year,
            ])
          if schemaVersion < 2, let targetID {
            try names.insert(text, rank, asSynonymOf: targetID)
          }
        case .synonym:
          guard let targetID else { continue }
          try merged?.execute(arguments: [id, targetID])
          try names.insert(text, rank, asSynonymOf: targetID)
          guard usages.flags[row].contains(.proParte) else { break }
          var named: Set = [Int(target)]
          for other in text.acceptedIDs {
            let otherID = TaxonID(sourceText: other).rawValue
            guard let also = resolution.taxon(otherID), named.insert(also).inserted else {
              continue
            }
            try names.insert(text, rank, asSynonymOf: usages.ids[also])
          }
        default: continue
        }
        if !text.id.isEmpty { try source?.execute(arguments: [id, text.id]) }
        try countRow("writing taxa")
      }
    }
  }

  /// Writes the ids that the source says were merged or deleted.
  func writeRetiredIDs(_ intake: Intake, _ resolution: Resolution) throws {
    let usages = resolution.usages
    try write { database in
      let merged = try database.makeStatement(
        sql: "INSERT OR IGNORE INTO merged_taxa VALUES (?, ?)")
      for entry in intake.merged {
        try countRow("writing merged ids")
        guard let taxon = resolution.taxon(entry.into) else {
          intake.findings.add(.mergedIntoUnknown, "\(entry.id) into \(entry.into)")
          intake.account.move(from: .merged, to: .unknownTaxon)
          continue
        }
        if resolution.table.row(entry.id, ids: usages.ids) == nil {
          try merged.execute(arguments: [entry.id, usages.ids[taxon]])
          if database.changesCount > 0 { continue }
        }
        intake.findings.add(.retiredIDInUse, "\(entry.id)")
        intake.account.move(from: .merged, to: .duplicate)
      }
      let deleted = try database.makeStatement(sql: "INSERT OR IGNORE INTO deleted_taxa VALUES (?)")
      for id in intake.deleted.sorted() {
        try countRow("writing deleted ids")
        if resolution.table.row(id, ids: usages.ids) == nil {
          try deleted.execute(arguments: [id])
          if database.changesCount > 0 { continue }
        }
        intake.findings.add(.retiredIDInUse, "\(id)")
        intake.account.move(from: .deleted, to: .duplicate)
      }
    }
  }

  /// Writes the names, references and traits of a source.
  ///
  /// - Parameters:
  ///   - intake: the source.
  ///   - isNew: whether an entry is to be written, for sources that are added to another one.
  ///   - missing: what becomes of a row about a taxon that is not there.
  ///   - isCollapsed: whether an id of the source is that of a taxon of another rank.
  ///   - taxon: the id in the database that an id of the source stands for.
  /// - Returns: how many IUCN codes were written.
  /// - Throws: `IngestError`
  @discardableResult
  func writeAttachments(
    _ intake: Intake,
    isNew: (Int64, Attachment) -> Bool = { _, _ in true },
    missing: RowOutcome = .unknownTaxon,
    isCollapsed: (Int64) -> Bool,
    taxon: (Int64) -> Int64?
  ) throws -> Int {
    try intake.attachments.finish()
    var codeCount = 0
    try write { database in
      let names = try NameInserter(database, schema: schemaVersion)
      let references = try ReferenceInserter(database)
      let trait = try database.makeStatement(
        sql: """
          INSERT INTO traits(taxon_id, trait_key, trait_value, unit, source_ref)
          VALUES (?, ?, ?, ?, ?)
          """)
      let codes = try CodeInserter(database)
      var offset = 0
      while offset < intake.attachments.byteCount {
        var record = try intake.attachments.record(at: UInt64(offset))
        offset += RecordBuilder.headByteCount + record.byteCount
        let file = record.number()
        let id = Int64(record.number())
        let attachment = Attachment(&record)
        guard let taxonID = taxon(id) else {
          if missing == .unknownTaxon {
            intake.findings.add(.unknownTaxon, "id \(id): \(attachment)")
          }
          intake.account.add(missing, file: file)
          continue
        }
        let isCollapsed = isCollapsed(id)
        if isCollapsed, attachment.outcome == .trait || attachment.outcome == .conservation {
          intake.findings.add(.aboutCollapsedTaxon, "id \(id): \(attachment)")
          intake.account.add(.ignored, file: file)
          continue
        }
        // Of a code, the database itself says whether it is new.
        guard attachment.outcome == .conservation || isNew(taxonID, attachment) else {
          intake.account.add(.alreadyThere, file: file)
          continue
        }
        var outcome = attachment.outcome
        switch attachment {
        case .vernacular(let name, let language, let isPreferred, let isCommon):
          // What is preferred for a part is not preferred for the whole.
          try names.insert(
            name, language, isCommon ? "common" : "vernacular", isPreferred && !isCollapsed,
            of: taxonID)
        case .synonym(let name, let authorship, let year, let rank):
          try names.insert(synonym: name, of: taxonID, authorship, year, rank)
        case .reference(let citation, let url, let kind):
          if try !references.insert(citation, url, kind, of: taxonID).isNew { outcome = .joined }
        case .trait(let key, let value, let unit, let citation):
          let reference =
            citation.isEmpty ? nil : try references.insert(citation, "", .other, of: taxonID).row
          try trait.execute(
            arguments: [taxonID, key, value, unit.stated, reference])
        case .conservation(let code):
          outcome = try codes.insert(code, of: taxonID)
          if outcome == .conservation { codeCount += 1 }
          if outcome == .ignored {
            intake.findings.add(.conflictingConservation, "id \(id): \(code)")
          }
        }
        intake.account.add(outcome, file: file)
        try countRow("writing names, references and traits")
      }
    }
    return codeCount
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

/// Inserts names, with what the schema keeps of them elsewhere.
struct NameInserter {
  private let database: Database
  private let name: Statement
  private let details: Statement?

  init(_ database: Database, schema: Int) throws {
    self.database = database
    name = try database.makeStatement(
      sql: "INSERT INTO names(taxon_id, name, lang, name_type, is_preferred) VALUES (?, ?, ?, ?, ?)"
    )
    details =
      schema < 2
      ? nil : try database.makeStatement(sql: "INSERT INTO name_details VALUES (?, ?, ?, ?)")
  }

  func insert(
    _ text: String, _ language: String, _ type: String, _ isPreferred: Bool, of taxon: Int64
  ) throws {
    try name.execute(arguments: [taxon, text, language, type, isPreferred ? 1 : 0])
  }

  func insert(
    synonym text: String, of taxon: Int64, _ author: String, _ year: Int?, _ rank: String
  ) throws {
    try insert(text, "la", "synonym", false, of: taxon)
    guard let details, !author.isEmpty || year != nil || !rank.isEmpty else { return }
    try details.execute(
      arguments: [database.lastInsertedRowID, author.stated, year, rank.stated])
  }

  func insert(_ usage: SourceUsage, _ rank: String, asSynonymOf taxon: Int64) throws {
    try insert(synonym: usage.name, of: taxon, usage.authorship, usage.year, rank)
  }
}

extension String {
  /// The text, or nil for the empty one, which says nothing.
  var stated: String? { isEmpty ? nil : self }
}

/// Inserts references, the same one of a taxon once as long as its rows come together.
final class ReferenceInserter {
  private let database: Database
  private let statement: Statement
  private var taxon: Int64?
  private var rows: [String: Int64] = [:]

  init(_ database: Database) throws {
    self.database = database
    statement = try database.makeStatement(
      sql: "INSERT INTO refs(taxon_id, citation, url, ref_type) VALUES (?, ?, ?, ?)")
  }

  /// The row of the reference, which is made if need be; one without an address gets the one given.
  func insert(
    _ citation: String, _ url: String, _ kind: ReferenceKind, of taxon: Int64
  ) throws -> (row: Int64, isNew: Bool) {
    if self.taxon != taxon {
      self.taxon = taxon
      rows.removeAll(keepingCapacity: true)
    }
    if let row = rows[citation] {
      if !url.isEmpty {
        try database.execute(
          sql: "UPDATE refs SET url = ? WHERE id = ? AND url IS NULL", arguments: [url, row])
      }
      return (row, false)
    }
    try statement.execute(
      arguments: [taxon, citation, url.stated, kind.rawValue])
    rows[citation] = database.lastInsertedRowID
    return (database.lastInsertedRowID, true)
  }
}

extension Attachment {
  /// What a row that is one of these becomes.
  var outcome: RowOutcome {
    switch self {
    case .vernacular: .vernacular
    case .synonym: .synonym
    case .reference: .reference
    case .trait: .trait
    case .conservation: .conservation
    }
  }
}
