import GRDB

/// A derived table, and what a rebuild gives.
struct DerivedComparison {
  let table: String
  /// The columns of `stored` that the first columns of `made` are, and of which no two rows have the same values.
  let key: [String]
  let stored: String
  let made: String

  init(_ table: String, key: [String], made: String, stored: String? = nil) {
    self.table = table
    self.key = key
    self.made = made
    self.stored = stored ?? "SELECT * FROM \(table)"
  }

  private static let box = "SELECT id, min_lon, max_lon, min_lat, max_lat FROM"
  private static let sighting = DerivedComparison(
    "sighting", key: ["occurrence_id"], made: DerivedTables.sightings)
  private static let days = DerivedComparison(
    "day_tally", key: ["day"], made: DerivedTables.dayTallies)
  private static let cells = DerivedComparison(
    "cell", key: ["level", "y", "x"], made: CellTallies.cellRows)
  private static let facets = DerivedComparison(
    "facet_tally", key: ["level", "y", "x", "facet", "value"], made: CellTallies.facetRows)
  private static let others = [
    DerivedComparison("taxon_tally", key: ["taxon_ref_id"], made: DerivedTables.taxonTallies),
    DerivedComparison(
      "sighting_box", key: ["id"], made: DerivedTables.sightingBoxes,
      stored: "\(box) sighting_box"),
    DerivedComparison(
      "place_box", key: ["id"], made: DerivedTables.placeBoxes, stored: "\(box) place_box"),
    DerivedComparison(
      "journal_text", key: ["rowid"], made: DerivedTables.journalTexts,
      stored: "SELECT rowid, name, body FROM journal_text"),
  ]

  /// What does not follow from the records as it should, in all tables; so many rows of `facet_tally` are
  /// compared at a time.
  static func faults(_ database: Database, heldCount: Int = 1 << 18) throws -> [String] {
    var faults: [String] = []
    for comparison in [sighting] + others where try !comparison.isSame(database) {
      faults += try comparison.faults(database)
    }
    // SQLite would keep all sightings in memory to group them.
    let facetCount = try Int.fetchOne(database, sql: "SELECT count(*) FROM facet_tally") ?? 0
    let partCount = facetCount / heldCount + 1
    let counted = try Self.counted(database, CellTallies(part: 0, of: partCount))
    if try counted?.areDaysStored() != true { faults += try days.faults(database) }
    if try counted?.cells.areCellsStored(in: database) != true {
      faults += try cells.faults(database)
    }
    var areFacetsStored = try counted?.cells.areFacetsStored(in: database) == true
    for part in 1..<max(partCount, 1) where areFacetsStored {
      let counted = try Self.counted(database, CellTallies(part: part, of: partCount))
      areFacetsStored = try counted?.cells.areFacetsStored(in: database) == true
    }
    if !areFacetsStored { faults += try facets.faults(database) }
    return faults
  }

  /// What is counted of all sightings; nil where one of them is at no place of the globe.
  private static func counted(
    _ database: Database, _ cells: CellTallies
  ) throws -> DerivedTables? {
    var counted = try DerivedTables(database: database)
    counted.cells = cells
    let columns = CountedSighting.columns.joined(separator: ", ")
    let sightings = try Row.fetchCursor(database, sql: "SELECT \(columns) FROM sighting")
    while let row = try sightings.next() {
      let sighting = try CountedSighting(Array(row.databaseValues))
      do {
        try sighting.position?.validate()
      } catch {
        return nil
      }
      counted.count(sighting, 1)
    }
    return counted
  }

  /// What is stored too much, missing, or another; at most one row of each.
  private func faults(_ database: Database) throws -> [String] {
    var faults: [String] = []
    for (first, second, word) in [(stored, made, "too much"), (made, stored, "missing or other")] {
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM (\(first)) EXCEPT SELECT * FROM (\(second)) LIMIT 1")
      if let row { faults.append("\(table): row \(row[0] as DatabaseValue) is \(word)") }
    }
    return faults
  }

  /// Whether as many rows are stored as are made, and each of these is there.
  ///
  /// One row after another is made and looked up, so that nothing of either is held.
  private func isSame(_ database: Database) throws -> Bool {
    let names = try database.makeStatement(sql: made).columnNames
    let stored = key + names.dropFirst(key.count)
    let same = zip(stored, names).enumerated().map { index, names in
      "s.\(names.0) \(index < key.count ? "=" : "IS") m.\(names.1)"
    }
    return try Bool.fetchOne(
      database,
      sql: """
        SELECT count(*) = (SELECT count(*) FROM (\(self.stored))) AND ifnull(sum(NOT EXISTS (
          SELECT 1 FROM \(table) s WHERE \(same.joined(separator: " AND ")))), 0) = 0
        FROM (\(made)) m
        """) == true
  }
}

extension DerivedTables {
  /// Whether `day_tally` holds what was counted, and nothing else.
  fileprivate func areDaysStored() throws -> Bool {
    let rows = try Row.fetchCursor(database, sql: "SELECT day, sighting_count FROM day_tally")
    var count = 0
    while let row = try rows.next() {
      let numbers = Array(row.databaseValues).map { Int64.fromDatabaseValue($0) ?? 0 }
      guard days[numbers[0]].map(Int64.init) == numbers[1] else { return false }
      count += 1
    }
    return count == days.count
  }
}

extension JournalFile {
  /// What does not follow from the records as it should.
  static func faultsOfDerivedTables(_ database: Database) throws -> [String] {
    var faults = try DerivedComparison.faults(database)
    for table in JournalLayout.boxes {
      let report = try String.fetchOne(database, sql: "SELECT rtreecheck(?)", arguments: [table])
      if let report, report != "ok" { faults.append("\(table): \(report)") }
    }
    do {
      try database.execute(
        sql: "INSERT INTO journal_text (journal_text) VALUES ('integrity-check')")
    } catch let error as DatabaseError {
      faults.append("journal_text: \(error.message ?? "its index is damaged")")
    }
    return faults
  }
}
