import GRDB
import STOLPack

extension TaxonomyWriter {
  /// Gives `body` the key of every name, reference and trait in the database.
  func forEachEntry(_ body: (UInt64) -> Void) throws {
    try write { database in
      for (kind, sql) in [
        ("name", "SELECT taxon_id, lang, name FROM names"),
        ("reference", "SELECT taxon_id, '', citation FROM refs"),
        ("trait", "SELECT taxon_id, trait_key, trait_value FROM traits"),
      ] {
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() { body(Attachment.key(row[0], kind, row[1], row[2])) }
      }
    }
  }

  /// Gives `body` the row and the name of every synonym from the source of that number.
  func forEachSynonym(ofSource source: Int, _ body: (Int64, String) -> Void) throws {
    try write { database in
      // Version 1 does not say where names come from.
      let condition = schemaVersion == 1 ? "" : " AND source = \(source)"
      let rows = try Row.fetchCursor(
        database, sql: "SELECT id, name FROM names WHERE name_type = 'synonym'\(condition)")
      while let row = try rows.next() { body(row[0], row[1]) }
    }
  }

  /// What the database says of the synonym in a row of `names`.
  func synonym(inRow row: Int64) throws -> (
    taxon: Int64, name: String, authorship: String, year: Int?, rank: String
  )? {
    try write { database in
      let columns = schemaVersion == 1 ? "NULL, NULL, NULL" : "author, year, rank"
      let found = try Row.fetchOne(
        database, sql: "SELECT taxon_id, name, \(columns) FROM names WHERE id = ?",
        arguments: [row])
      return found.map { ($0[0], $0[1], $0[2] ?? "", $0[3], $0[4] ?? "") }
    }
  }

  /// Writes taxa that only a source that is added has.
  func addTaxa(
    _ taxa: [TaxonMatcher.NewTaxon], of addition: Intake, _ added: Resolution, source: Int
  ) throws {
    try write { database in
      let inserter = try TaxonInserter(database, schema: schemaVersion, source: source)
      for taxon in taxa {
        var text = try addition.text(taxon.row)
        text.id = taxon.sourceID
        let usages = added.usages
        let kept = schemaVersion == 1 ? usages.keptRank(taxon.row)?.name : nil
        try inserter.insert(
          text, id: taxon.id, below: taxon.parent, rank: kept ?? usages.rankName(taxon.row),
          isDoubtful: usages.flags[taxon.row].contains(.doubtful))
        try countRow("adding taxa")
      }
    }
  }

  /// Writes what the usages of a source that is added say of taxa.
  ///
  /// That is synonyms, of which `accepted` gives the taxon where they are to be added; and for taxa that were
  /// there before, the rows that `taxon` knows, authorships and IUCN codes.
  ///
  /// - Returns: the rows of synonyms that are there already, and what the others became in `names`.
  func addUsages(
    _ addition: Intake, _ added: Resolution, source: Int,
    _ matching: inout IngestReport.Matching, isNew: (Int64, Attachment) -> Bool,
    taxon: (Int) -> Int64?, accepted: (Int) -> Int64?
  ) throws -> (known: Set<Int>, names: [Int: Int64]) {
    var authorships = 0
    var known: Set<Int> = []
    var nameRows: [Int: Int64] = [:]
    var codeCount = 0
    try write { database in
      let names = try NameInserter(database, schema: schemaVersion, source: source)
      let codes = try CodeInserter(database)
      let author = try database.makeStatement(
        sql: """
          UPDATE taxa SET author = ?, year = ? WHERE id = ? AND author IS NULL AND year IS NULL
          """)
      let taxonName = try database.makeStatement(
        sql: "SELECT scientific_name FROM taxa WHERE id = ?")
      for row in 0..<added.usages.count {
        switch added.fates[row] {
        case .taxon:
          guard let id = taxon(row) else { continue }
          let text = try addition.text(row)
          if !text.authorship.isEmpty || text.year != nil {
            try author.execute(arguments: [text.authorship.stated, text.year, id])
            authorships += database.changesCount
          }
          guard let code = text.conservation else { continue }
          switch try codes.insert(code, of: id) {
          case .conservation: codeCount += 1
          case .ignored:
            addition.findings.add(.conflictingConservation, "\(text.name): \(code)")
          default: break
          }
        case .synonym:
          guard added.targets[row] != Resolution.none, let id = accepted(row) else { continue }
          var text = try addition.text(row)
          // An id of another source would be taken for one of the first.
          text.id = ""
          let rank = added.usages.rankName(row)
          let synonym = Attachment.synonym(
            name: text.name, authorship: text.authorship, year: text.year, rank: rank)
          let isTaxon = try String.fetchOne(taxonName, arguments: [id]) == text.name
          guard !isTaxon, isNew(id, synonym) else {
            known.insert(row)
            continue
          }
          try names.insert(text, rank, asSynonymOf: id)
          nameRows[row] = database.lastInsertedRowID
        default: continue
        }
        try countRow("adding names")
      }
    }
    matching.authorshipsAdded = authorships
    matching.conservationAdded = codeCount
    return (known, nameRows)
  }

  /// Writes the root that no source has.
  func writeImpliedRoot() throws {
    try write { try TaxonInserter.insertImpliedRoot($0) }
  }

  /// Puts taxa below another one.
  func put(_ taxa: [Int64], below parent: Int64) throws {
    try write { database in
      let update = try database.makeStatement(sql: "UPDATE taxa SET parent_id = ? WHERE id = ?")
      for taxon in taxa { try update.execute(arguments: [parent, taxon]) }
    }
  }

  /// Records where everything comes from, and what the ids are ids of.
  func writeSources(_ sources: [IngestReport.Source], idSpace: String?) throws {
    try write { database in
      for (number, source) in sources.enumerated() {
        let texts = [source.name, source.release, source.licence, source.citation, source.url]
        try database.execute(
          sql: "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?)",
          arguments: [number + 1, source.kind]
            + StatementArguments(texts.map(\.stated)))
      }
      let facts: [(key: String, value: (IngestReport.Source) -> String)] = [
        ("name", \.name), ("release", \.release), ("licence", \.licence), ("source", \.url),
      ]
      if let idSpace {
        try database.execute(
          sql: "INSERT INTO dataset VALUES ('id_space', ?)", arguments: [idSpace])
      }
      for (key, value) in facts {
        let text = Self.joined(sources, value)
        guard !text.isEmpty else { continue }
        try database.execute(sql: "INSERT INTO dataset VALUES (?, ?)", arguments: [key, text])
      }
    }
  }

  /// One source's value alone, or each with the name of its source before it.
  private static func joined(
    _ sources: [IngestReport.Source], _ value: (IngestReport.Source) -> String
  ) -> String {
    let stated = sources.filter { !value($0).isEmpty }
    if sources.count == 1 || Set(stated.map(value)).count < 2 && stated.count == sources.count {
      return stated.first.map(value) ?? ""
    }
    return stated.map { source in
      let name = source.name.isEmpty ? source.kind : source.name
      return value(source) == name ? name : "\(name): \(value(source))"
    }.joined(separator: "; ")
  }

  /// Counts the names that several taxa have; the index over names must be there.
  func countHomonyms(_ findings: Findings) throws {
    try write { database in
      // Version 1 has no place for ids that are texts.
      let id =
        schemaVersion == 1
        ? "CASE WHEN id < \(TaxonID.firstOfText) THEN CAST(id AS TEXT) END" : "source_id"
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT name, number, (SELECT \(id) FROM taxa WHERE id = first),
            (SELECT \(id) FROM taxa WHERE id = last)
          FROM (
            SELECT scientific_name AS name, count(*) AS number, min(id) AS first, max(id) AS last
            FROM taxa WHERE id <> \(TaxonomySchema.impliedRoot)
            GROUP BY scientific_name HAVING count(*) > 1)
          """)
      while let row = try rows.next() {
        let (name, count): (String, Int) = (row[0], row[1])
        let (first, last): (String?, String?) = (row[2], row[3])
        var text = "\(name): \(count) taxa"
        if let first, let last { text += ", from \(first) to \(last)" }
        findings.add(.homonym, text)
      }
    }
  }

  /// What the database holds.
  func totals() throws -> IngestReport.Totals {
    try write { database in
      func count(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
      var totals = IngestReport.Totals()
      for row in try Row.fetchAll(
        database,
        sql:
          """
          SELECT rank, count(*), sum(parent_id IS NULL), count(conservation) FROM taxa
          WHERE id <> \(TaxonomySchema.impliedRoot) GROUP BY rank
          """
      ) {
        totals.ranks[row[0]] = row[1]
        totals.taxa += row[1]
        totals.roots += row[2]
        totals.conservation += row[3]
      }
      totals.impliedRoots = try count(
        "SELECT count(*) FROM taxa WHERE id = \(TaxonomySchema.impliedRoot)")
      totals.roots += totals.impliedRoots
      totals.synonyms = try count("SELECT count(*) FROM names WHERE name_type = 'synonym'")
      totals.vernaculars = try count("SELECT count(*) FROM names WHERE name_type <> 'synonym'")
      totals.references = try count("SELECT count(*) FROM refs")
      totals.traits = try count("SELECT count(*) FROM traits")
      if schemaVersion > 1 {
        totals.merged = try count("SELECT count(*) FROM merged_taxa")
        totals.deleted = try count("SELECT count(*) FROM deleted_taxa")
      } else {
        totals.lostIDs = try count(
          "SELECT count(*) FROM taxa WHERE id >= \(TaxonID.firstOfText)")
      }
      return totals
    }
  }
}
