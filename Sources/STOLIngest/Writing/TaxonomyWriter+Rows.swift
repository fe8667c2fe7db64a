import STOLPack
import GRDB

extension TaxonomyWriter {
  /// Writes the taxa of a source, in the order of their ids, and what became of its other usages.
  ///
  /// - Parameters:
  ///   - intake: the source, which is the first.
  ///   - resolution: where its usages end up.
  ///   - impliesRoot: whether a root goes above the roots that are domains, kingdoms or realms.
  /// - Returns: for rows that are synonyms the first row of `names` that they became, else 0.
  /// - Throws: `IngestError`
  func writeUsages(
    _ intake: Intake, _ resolution: Resolution, impliesRoot: Bool = false
  ) throws -> Column<UInt32> {
    let usages = resolution.usages
    var rows = (0..<usages.count).map { UInt32($0) }
    if !(1..<max(1, usages.count)).allSatisfy({ usages.ids[$0 - 1] < usages.ids[$0] }) {
      rows.sort { usages.ids[Int($0)] < usages.ids[Int($1)] }
    }
    var nameRows = Column<UInt32>(repeating: 0, count: usages.count)
    try write { database in
      let taxa = try TaxonInserter(database, schema: schemaVersion)
      let names = try NameInserter(database, schema: schemaVersion, source: 1)
      if impliesRoot { try TaxonInserter.insertImpliedRoot(database) }
      for row in rows {
        let row = Int(row)
        let fate = resolution.fates[row]
        guard fate != .duplicate, fate != .bare, !resolution.isCut(row: row) else { continue }
        var text = try intake.text(row)
        let id = usages.ids[row]
        if text.name.isEmpty {
          text.name = "[\(id)]"
          intake.findings.add(.missingName, "\(id)")
        }
        if text.id.isEmpty { text.id = "\(id)" }
        let target = resolution.targets[row]
        var targetID = target == Resolution.none ? nil : usages.ids[Int(target)]
        let rank = usages.rankName(row)
        if let code = text.conservation, fate != .taxon {
          intake.findings.add(.aboutCollapsedTaxon, "\(text.name): \(code)")
        }
        switch fate {
        case .taxon:
          if impliesRoot, targetID == nil {
            if resolution.isTop(row) {
              targetID = TaxonomySchema.impliedRoot
            } else {
              intake.findings.add(.otherRoot, "\(text.id): \(text.name)")
            }
          }
          let isDoubtful = usages.flags[row].contains(.doubtful)
          let kept = schemaVersion == 1 ? usages.keptRank(row)?.name : nil
          try taxa.insert(
            text, id: id, below: targetID, rank: kept ?? rank, isDoubtful: isDoubtful)
        case .collapsed:
          if let targetID { try names.insert(text, rank, asSynonymOf: targetID) }
        case .synonym:
          guard let targetID else { continue }
          if usages.flags[row].contains(.withoutID) { text.id = "" }
          try names.insert(text, rank, asSynonymOf: targetID)
          nameRows[row] = UInt32(truncatingIfNeeded: database.lastInsertedRowID)
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
        try countRow("writing taxa")
      }
    }
    return nameRows
  }

  /// Writes the ids that the source says were merged or deleted.
  func writeRetiredIDs(_ intake: Intake, _ resolution: Resolution) throws {
    let usages = resolution.usages
    var targets: [Int64: Int64] = [:]
    for entry in intake.merged where targets[entry.id] == nil { targets[entry.id] = entry.into }
    try write { database in
      let merged = try database.makeStatement(
        sql: "INSERT OR IGNORE INTO merged_taxa VALUES (?, ?, ?)")
      for entry in intake.merged {
        try countRow("writing merged ids")
        let last = Self.end(of: entry.into, &targets) {
          resolution.table.row($0, ids: usages.ids) != nil
        }
        guard let taxon = resolution.taxon(last) else {
          if resolution.isCut(last) {
            intake.account.move(from: .merged, to: .cut)
            continue
          }
          intake.findings.add(.mergedIntoUnknown, "\(entry.id) into \(entry.into)")
          intake.account.move(from: .merged, to: .unknownTaxon)
          continue
        }
        if resolution.table.row(entry.id, ids: usages.ids) == nil {
          try merged.execute(arguments: [entry.id, "\(entry.id)", usages.ids[taxon]])
          if database.changesCount > 0 { continue }
        }
        intake.findings.add(.retiredIDInUse, "\(entry.id)")
        intake.account.move(from: .merged, to: .duplicate)
      }
      let deleted = try database.makeStatement(
        sql: "INSERT OR IGNORE INTO deleted_taxa VALUES (?, ?)")
      for id in intake.deleted.sorted() {
        try countRow("writing deleted ids")
        if resolution.table.row(id, ids: usages.ids) == nil {
          try deleted.execute(arguments: [id, "\(id)"])
          if database.changesCount > 0 { continue }
        }
        intake.findings.add(.retiredIDInUse, "\(id)")
        intake.account.move(from: .deleted, to: .duplicate)
      }
    }
  }

  /// The last of a chain of merged ids, which ends where an id is that of a row.
  ///
  /// What is found once shortens every further way. A cycle leads to an id that no row has.
  private static func end(
    of id: Int64, _ targets: inout [Int64: Int64], isLiving: (Int64) -> Bool
  ) -> Int64 {
    var last = id
    var path: [Int64] = []
    while !isLiving(last), let next = targets[last], next != last, path.count <= targets.count {
      path.append(last)
      last = next
    }
    for step in path { targets[step] = last }
    return last
  }

  /// Writes the names, references and traits of a source.
  ///
  /// - Parameters:
  ///   - intake: the source.
  ///   - source: its number, from 1.
  ///   - isNew: whether an entry is to be written, for sources that are added to another one.
  ///   - conflicts: where entries are that sources before contradict.
  ///   - missing: what becomes of a row about the id of a taxon that is not there.
  ///   - isCollapsed: whether an id of the source is that of a taxon of another rank.
  ///   - name: the row of `names` that an id of the source became, if it is that of a synonym.
  ///   - taxon: the id in the database that an id of the source stands for.
  /// - Returns: how many IUCN codes were written.
  /// - Throws: `IngestError`
  @discardableResult
  func writeAttachments(
    _ intake: Intake, source: Int = 1,
    isNew: (Int64, Attachment) -> Bool = { _, _ in true },
    conflicts: Set<Int> = [],
    missing: (Int64) -> RowOutcome,
    isCollapsed: (Int64) -> Bool,
    name: (Int64) -> Int64? = { _ in nil },
    taxon: (Int64) -> Int64?
  ) throws -> Int {
    var codeCount = 0
    try write { database in
      let names = try NameInserter(database, schema: schemaVersion, source: source)
      let references = try ReferenceInserter(database, schema: schemaVersion, source: source)
      let isFirst = schemaVersion == 1
      let trait = try database.makeStatement(
        sql: """
          INSERT INTO traits(taxon_id, trait_key, trait_value, unit, source_ref\(isFirst ? "" : ", source"))
          VALUES (?, ?, ?, ?, ?\(isFirst ? "" : ", \(source)"))
          """)
      let codes = try CodeInserter(database)
      try intake.forEachAttachment { offset, file, id, attachment in
        guard let taxonID = taxon(id) else {
          let outcome = missing(id)
          if outcome == .unknownTaxon {
            intake.findings.add(.unknownTaxon, intake.describe(attachment, at: offset))
          }
          return intake.account.add(outcome, file: file)
        }
        guard !conflicts.contains(offset) else {
          return intake.account.add(.conflict, file: file)
        }
        let isCollapsed = isCollapsed(id)
        if isCollapsed, attachment.outcome == .trait || attachment.outcome == .conservation {
          intake.findings.add(.aboutCollapsedTaxon, intake.describe(attachment, at: offset))
          return intake.account.ignore(
            "schema 1 has no place for what is said of a taxon of another rank", file: file)
        }
        // Of a code, the database itself says whether it is new.
        guard attachment.outcome == .conservation || isNew(taxonID, attachment) else {
          return intake.account.add(.alreadyThere, file: file)
        }
        var outcome = attachment.outcome
        switch attachment {
        case .vernacular(let name, let language, let isPreferred, let isCommon, let statusText):
          // What is preferred for a part is not preferred for the whole.
          try names.insert(
            name, language, isCommon ? "common" : "vernacular", isPreferred && !isCollapsed,
            statusText, of: taxonID)
        case .synonym(let text, let authorship, let year, let rank, let statusText, let sensu):
          var usage = SourceUsage()
          usage.name = text
          usage.authorship = authorship
          usage.year = year
          usage.statusText = statusText
          usage.sensu = sensu
          try names.insert(usage, rank, asSynonymOf: taxonID)
        case .reference(let citation, let url, let kind):
          let isNew = try references.insert(citation, url, kind, of: taxonID, name(id)).isNew
          if !isNew { outcome = .joined }
        case .trait(let key, let value, let unit, let citation):
          let reference =
            citation.isEmpty
            ? nil : try references.insert(citation, "", .other, of: taxonID, name(id)).row
          try trait.execute(
            arguments: [taxonID, key, value, unit.stated, reference])
        case .conservation(let code):
          outcome = try codes.insert(code, of: taxonID)
          if outcome == .conservation { codeCount += 1 }
          if outcome == .ignored {
            intake.findings.add(
              .conflictingConservation, intake.describe(attachment, at: offset))
          }
        }
        if outcome == .ignored {
          intake.account.ignore("another IUCN code is there", file: file)
        } else {
          intake.account.add(outcome, file: file)
        }
        try countRow("writing names, references and traits")
      }
    }
    return codeCount
  }
}

extension Attachment {
  /// What it says, for examples of findings.
  var text: String {
    switch self {
    case .vernacular(let name, let language, _, _, _): "\(name) (\(language))"
    case .synonym(let name, let authorship, _, _, _, _):
      authorship.isEmpty ? name : "\(name) \(authorship)"
    case .reference(let citation, _, _): citation
    case .trait(let key, let value, let unit, _):
      unit.isEmpty ? "\(key) = \(value)" : "\(key) = \(value) \(unit)"
    case .conservation(let code): code
    }
  }

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
