import STOLStore

/// The schema of Format/JOURNAL.md, version 1.
enum JournalLayout {
  static let fileName = "journal.sqlite"
  static let version = 1
  /// The most bytes of a file that is read as a whole when it is opened; `check` reads larger ones.
  private static let checkedByteCount = 64 << 20

  /// Each table: its columns with what stands behind them, its constraints, and whether it has no rowid.
  private struct Table {
    let name: String
    let columns: [(name: String, type: String, rest: String)]
    let key: [String]
    let unique: [String]
    let hasRowID: Bool

    /// A table from lines such as "uuid BLOB NOT NULL UNIQUE".
    init(_ name: String, _ columns: String, key: [String] = [], unique: [String] = []) {
      self.name = name
      self.columns = columns.split(separator: "\n").map { line in
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        let rest = words.count > 2 ? words[2] : ""
        // Records of one change come in any order. To say so by a pragma in each has all statements prepared anew.
        let refers = rest.contains("REFERENCES")
        return (words[0], words[1], refers ? rest + " DEFERRABLE INITIALLY DEFERRED" : rest)
      }
      self.key = key
      self.unique = unique
      hasRowID = key.isEmpty && !columns.hasPrefix("key TEXT PRIMARY KEY")
    }

    var sql: String {
      var lines = columns.map { "\($0.name) \($0.type)" + ($0.rest.isEmpty ? "" : " \($0.rest)") }
      if !key.isEmpty { lines.append("PRIMARY KEY (\(key.joined(separator: ", ")))") }
      if !unique.isEmpty { lines.append("UNIQUE (\(unique.joined(separator: ", ")))") }
      return "CREATE TABLE IF NOT EXISTS \(name) (\(lines.joined(separator: ", "))) "
        + (hasRowID ? "STRICT" : "WITHOUT ROWID, STRICT") + ";"
    }

    /// The columns that are never NULL.
    var required: Set<String> {
      Set(columns.filter { $0.rest.hasPrefix("NOT NULL") }.map { $0.name })
    }

    /// The columns as `StoreLayout` states them.
    var stated: [String] {
      columns.map { column in
        let place =
          column.rest.hasPrefix("PRIMARY KEY")
          ? 1 : key.firstIndex(of: column.name).map { $0 + 1 } ?? 0
        return "\(column.name) \(column.type) \(place)"
      }
    }
  }

  private static let ownID = "id INTEGER PRIMARY KEY REFERENCES record(id) ON DELETE CASCADE"
  private static let position = """
    latitude_e7 INTEGER
    longitude_e7 INTEGER
    uncertainty_m INTEGER
    """

  private static let tables = [
    Table(
      "record",
      """
      id INTEGER PRIMARY KEY AUTOINCREMENT
      uuid BLOB NOT NULL UNIQUE
      kind TEXT NOT NULL
      created_ms INTEGER NOT NULL
      changed_ms INTEGER NOT NULL
      deleted_ms INTEGER
      moments TEXT
      """),
    Table(
      "place",
      """
      \(ownID)
      kind TEXT NOT NULL
      name TEXT NOT NULL
      parent_id INTEGER REFERENCES place(id)
      \(position)
      elevation_cm INTEGER
      locality TEXT
      water_body TEXT
      country TEXT
      privacy TEXT NOT NULL
      """),
    Table(
      "dive_site",
      """
      place_id INTEGER PRIMARY KEY REFERENCES place(id) ON DELETE CASCADE
      kind TEXT
      entry TEXT
      difficulty INTEGER
      min_depth_mm INTEGER
      max_depth_mm INTEGER
      water TEXT
      season TEXT
      description TEXT
      """),
    Table(
      "place_state",
      """
      place_id INTEGER NOT NULL REFERENCES place(id) ON DELETE CASCADE
      state TEXT NOT NULL
      """, key: ["place_id", "state"]),
    Table(
      "event",
      """
      \(ownID)
      kind TEXT NOT NULL
      status TEXT NOT NULL
      parent_id INTEGER REFERENCES event(id)
      place_id INTEGER REFERENCES place(id)
      \(position)
      local_start TEXT NOT NULL
      local_end TEXT
      utc_offset_min INTEGER
      start_ms INTEGER NOT NULL
      end_ms INTEGER NOT NULL
      start_day INTEGER
      protocol TEXT
      effort_value INTEGER
      effort_unit TEXT
      is_complete_list INTEGER NOT NULL
      weather TEXT
      remarks TEXT
      privacy TEXT NOT NULL
      """),
    Table(
      "dive",
      """
      event_id INTEGER PRIMARY KEY REFERENCES event(id) ON DELETE CASCADE
      number INTEGER
      mode TEXT
      duration_s INTEGER
      bottom_s INTEGER
      max_depth_mm INTEGER
      mean_depth_mm INTEGER
      water_min_ck INTEGER
      water_max_ck INTEGER
      air_ck INTEGER
      visibility_cm INTEGER
      current_level INTEGER
      salinity_mg_l INTEGER
      surface_mbar INTEGER
      weight_g INTEGER
      suit TEXT
      signed_ms INTEGER
      """),
    Table(
      "dive_tank",
      """
      event_id INTEGER NOT NULL REFERENCES dive(event_id) ON DELETE CASCADE
      position INTEGER NOT NULL
      volume_ml INTEGER
      work_mbar INTEGER
      start_mbar INTEGER
      end_mbar INTEGER
      o2_permille INTEGER
      he_permille INTEGER
      use TEXT
      """, key: ["event_id", "position"]),
    Table(
      "dive_log",
      """
      event_id INTEGER NOT NULL REFERENCES dive(event_id) ON DELETE CASCADE
      position INTEGER NOT NULL
      model TEXT
      serial TEXT
      fingerprint TEXT
      local_start TEXT
      samples BLOB
      """, key: ["event_id", "position"]),
    Table(
      "organism",
      """
      \(ownID)
      name TEXT
      place_id INTEGER REFERENCES place(id)
      \(position)
      elevation_cm INTEGER
      status TEXT NOT NULL
      planted TEXT
      privacy TEXT NOT NULL
      """),
    Table(
      "occurrence",
      """
      \(ownID)
      event_id INTEGER NOT NULL REFERENCES event(id)
      organism_id INTEGER REFERENCES organism(id)
      \(position)
      local_time TEXT
      local_ms INTEGER
      local_day INTEGER
      presence TEXT NOT NULL
      count INTEGER
      count_kind TEXT
      sex TEXT
      life_stage TEXT
      behaviour TEXT
      establishment TEXT
      min_depth_mm INTEGER
      max_depth_mm INTEGER
      privacy TEXT NOT NULL
      remarks TEXT
      """),
    Table(
      "taxon_ref",
      """
      id INTEGER PRIMARY KEY AUTOINCREMENT
      id_space TEXT NOT NULL
      id_text TEXT NOT NULL
      name TEXT NOT NULL
      author TEXT NOT NULL
      year INTEGER NOT NULL
      rank TEXT NOT NULL
      kingdoms TEXT NOT NULL
      """, unique: ["id_space", "id_text", "name", "author", "year", "rank", "kingdoms"]),
    Table(
      "identification",
      """
      \(ownID)
      occurrence_id INTEGER NOT NULL REFERENCES occurrence(id)
      verbatim_name TEXT NOT NULL
      qualifier TEXT
      cultivar TEXT
      rootstock TEXT
      taxon_ref_id INTEGER REFERENCES taxon_ref(id)
      match TEXT NOT NULL
      local_date TEXT
      remarks TEXT
      """),
    Table(
      "note",
      """
      \(ownID)
      target_id INTEGER NOT NULL REFERENCES record(id)
      local_time TEXT
      text TEXT NOT NULL
      """),
    Table(
      "measure",
      """
      \(ownID)
      target_id INTEGER NOT NULL REFERENCES record(id)
      type TEXT NOT NULL
      number INTEGER
      text TEXT
      method TEXT
      local_time TEXT
      remarks TEXT
      """),
    Table(
      "media",
      """
      id INTEGER PRIMARY KEY AUTOINCREMENT
      sha256 BLOB NOT NULL UNIQUE
      type TEXT NOT NULL
      byte_count INTEGER NOT NULL
      width INTEGER NOT NULL
      height INTEGER NOT NULL
      orientation INTEGER
      """),
    Table(
      "photo",
      """
      \(ownID)
      target_id INTEGER NOT NULL REFERENCES record(id)
      media_id INTEGER NOT NULL REFERENCES media(id)
      name TEXT
      caption TEXT
      ordinal INTEGER
      local_time TEXT
      utc_offset_min INTEGER
      \(position)
      elevation_cm INTEGER
      author TEXT
      licence TEXT
      source TEXT
      """),
    Table(
      "person",
      """
      \(ownID)
      name TEXT NOT NULL
      orcid TEXT
      """),
    Table(
      "event_person",
      """
      event_id INTEGER NOT NULL REFERENCES event(id) ON DELETE CASCADE
      person_id INTEGER NOT NULL REFERENCES person(id)
      role TEXT NOT NULL
      number TEXT
      """, key: ["event_id", "person_id", "role"]),
    Table(
      "collection",
      """
      \(ownID)
      name TEXT NOT NULL
      privacy TEXT NOT NULL
      """),
    Table(
      "collection_item",
      """
      collection_id INTEGER NOT NULL REFERENCES collection(id)
      record_id INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE
      """, key: ["collection_id", "record_id"]),
    Table(
      "tagging",
      """
      record_id INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE
      tag TEXT NOT NULL COLLATE NOCASE
      """, key: ["record_id", "tag"]),
    Table(
      "setting",
      """
      key TEXT PRIMARY KEY
      value TEXT NOT NULL
      """),
    Table(
      "shared_cell",
      """
      record_id INTEGER NOT NULL REFERENCES record(id) ON DELETE CASCADE
      is_wide INTEGER NOT NULL
      latitude_e7 INTEGER NOT NULL
      longitude_e7 INTEGER NOT NULL
      """, key: ["record_id", "is_wide"]),
    Table(
      "batch",
      """
      id INTEGER PRIMARY KEY AUTOINCREMENT
      at_ms INTEGER NOT NULL
      what TEXT NOT NULL
      undoes INTEGER
      byte_count INTEGER NOT NULL
      """),
    Table(
      "revision",
      """
      batch_id INTEGER NOT NULL REFERENCES batch(id) ON DELETE CASCADE
      record_uuid BLOB NOT NULL
      kind TEXT NOT NULL
      before TEXT
      """, key: ["batch_id", "record_uuid"]),
    Table(
      "sighting",
      """
      occurrence_id INTEGER PRIMARY KEY REFERENCES occurrence(id) ON DELETE CASCADE
      event_id INTEGER NOT NULL
      taxon_ref_id INTEGER
      place_id INTEGER
      \(position)
      at_ms INTEGER NOT NULL
      local_time TEXT NOT NULL
      day INTEGER
      is_present INTEGER NOT NULL
      year INTEGER NOT NULL
      month INTEGER
      kind TEXT NOT NULL
      """),
    Table(
      "taxon_tally",
      """
      taxon_ref_id INTEGER PRIMARY KEY
      sighting_count INTEGER NOT NULL
      first_ms INTEGER NOT NULL
      first_id INTEGER NOT NULL
      first_time TEXT NOT NULL
      last_ms INTEGER NOT NULL
      last_id INTEGER NOT NULL
      last_time TEXT NOT NULL
      """),
    Table(
      "day_tally",
      """
      day INTEGER PRIMARY KEY
      sighting_count INTEGER NOT NULL
      """),
    Table(
      "cell",
      """
      level INTEGER NOT NULL
      y INTEGER NOT NULL
      x INTEGER NOT NULL
      sighting_count INTEGER NOT NULL
      latitude_sum_e7 INTEGER NOT NULL
      longitude_sum_e7 INTEGER NOT NULL
      """, key: ["level", "y", "x"]),
    Table(
      "facet_tally",
      """
      level INTEGER NOT NULL
      y INTEGER NOT NULL
      x INTEGER NOT NULL
      facet TEXT NOT NULL
      value TEXT NOT NULL
      sighting_count INTEGER NOT NULL
      """, key: ["level", "y", "x", "facet", "value"]),
  ]

  /// Indexes of some rows only, each with which ones.
  private static let partialIndexes: [(name: String, on: String, rows: String)] = [
    ("record_deleted", "record(kind)", "deleted_ms NOT NULL"),
    ("sighting_dayless", "sighting(year, month)", "day IS NULL"),
  ]
  private static let indexes: [(name: String, on: String)] = [
    ("place_parent", "place(parent_id)"),
    ("place_name", "place(name, latitude_e7, longitude_e7)"), ("event_start", "event(start_ms)"),
    ("event_place", "event(place_id, start_ms)"), ("event_parent", "event(parent_id)"),
    ("organism_place", "organism(place_id)"), ("occurrence_event", "occurrence(event_id)"),
    ("occurrence_organism", "occurrence(organism_id)"),
    ("identification_occurrence", "identification(occurrence_id)"),
    ("identification_name", "identification(verbatim_name)"), ("note_target", "note(target_id)"),
    ("measure_target", "measure(target_id, type)"), ("photo_target", "photo(target_id)"),
    ("photo_media", "photo(media_id)"),
    ("event_person_person", "event_person(person_id)"),
    ("collection_item_record", "collection_item(record_id)"), ("tagging_tag", "tagging(tag)"),
    ("revision_record", "revision(record_uuid, batch_id)"),
    ("sighting_taxon", "sighting(taxon_ref_id, at_ms)"), ("sighting_at", "sighting(at_ms)"),
    ("sighting_place", "sighting(place_id, at_ms)"),
  ]

  /// The columns of a table, in their order.
  static func columns(of table: String) -> [String] {
    tables.first { $0.name == table }?.columns.map { $0.name } ?? []
  }

  /// Where the columns of a table are in a row of all of them.
  static func indexes(of table: String) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: columns(of: table).enumerated().map { ($1, $0) })
  }

  static let boxes = ["sighting_box", "place_box"]

  static let layout = StoreLayout(
    fileName: fileName, version: version,
    schema: (tables.map(\.sql)
      + indexes.map { "CREATE INDEX IF NOT EXISTS \($0.name) ON \($0.on);" }
      + partialIndexes.map { "CREATE INDEX IF NOT EXISTS \($0.name) ON \($0.on) WHERE \($0.rows);" }
      + ["PRAGMA user_version = \(version);"]).joined(separator: "\n"),
    tables: Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.stated) }),
    indexes: Set(indexes.map(\.name) + partialIndexes.map(\.name)),
    virtualTables: [
      "sighting_box": "USING rtree_i32(id, min_lon, max_lon, min_lat, max_lat)",
      "place_box": "USING rtree_i32(id, min_lon, max_lon, min_lat, max_lat)",
      "journal_text":
        "USING fts5(name, body, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')",
    ],
    partialIndexes: Dictionary(uniqueKeysWithValues: partialIndexes.map { ($0.name, $0.rows) }),
    strictTables: Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.required) }),
    functions: [DerivedTables.fold], checkedByteCount: checkedByteCount, remedy: remedy)

  /// What a person can do about a damaged journal.
  private static let remedy =
    "put a backup in its place, or let 'stol journal check --set-aside' keep it beside a new journal; "
    + "'stol journal check' says what is damaged"
}
