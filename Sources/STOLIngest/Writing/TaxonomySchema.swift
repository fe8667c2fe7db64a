/// The tables of a taxonomy database: Format/DATABASE.md.
enum TaxonomySchema {
  /// The newest version, which this room writes unless it is told otherwise.
  static let newest = 3

  /// The id of a root that is implied; no text of a source becomes it.
  static let impliedRoot: Int64 = -1

  /// The tables of version 1, which every reader knows.
  static let firstTables = """
    CREATE TABLE schema_version (
      version    INTEGER NOT NULL,
      applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ','now')));
    CREATE TABLE taxa (
      id              INTEGER PRIMARY KEY,
      parent_id       INTEGER REFERENCES taxa(id),
      rank            TEXT NOT NULL CHECK (rank IN
        ('domain','kingdom','phylum','class','order','family','genus','species')),
      scientific_name TEXT NOT NULL,
      author          TEXT,
      year            INTEGER,
      status          TEXT NOT NULL DEFAULT 'accepted'
        CHECK (status IN ('accepted','synonym','doubtful')),
      conservation    TEXT);
    CREATE TABLE names (
      id           INTEGER PRIMARY KEY,
      taxon_id     INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
      name         TEXT NOT NULL,
      lang         TEXT NOT NULL,
      name_type    TEXT NOT NULL CHECK (name_type IN ('common','synonym','vernacular','trade')),
      is_preferred INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE refs (
      id       INTEGER PRIMARY KEY,
      taxon_id INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
      citation TEXT NOT NULL,
      url      TEXT,
      ref_type TEXT NOT NULL CHECK (ref_type IN
        ('taxonomy','ecology','morphology','conservation','other')));
    CREATE TABLE traits (
      id          INTEGER PRIMARY KEY,
      taxon_id    INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
      trait_key   TEXT NOT NULL,
      trait_value TEXT NOT NULL,
      unit        TEXT,
      source_ref  INTEGER REFERENCES refs(id));
    """

  /// The tables of version 3.
  static let newestTables = """
    CREATE TABLE schema_version (
      version    INTEGER NOT NULL,
      applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ','now')));
    CREATE TABLE sources (
      position INTEGER PRIMARY KEY,
      kind     TEXT NOT NULL,
      name     TEXT,
      release  TEXT,
      licence  TEXT,
      citation TEXT,
      url      TEXT);
    CREATE TABLE taxa (
      id              INTEGER PRIMARY KEY,
      source_id       TEXT,
      parent_id       INTEGER REFERENCES taxa(id),
      rank            TEXT NOT NULL,
      scientific_name TEXT NOT NULL,
      author          TEXT,
      year            INTEGER,
      status          TEXT NOT NULL DEFAULT 'accepted'
        CHECK (status IN ('accepted','provisional','synonym')),
      conservation    TEXT,
      code            TEXT,
      status_text     TEXT,
      sensu           TEXT,
      source          INTEGER REFERENCES sources(position));
    CREATE TABLE names (
      id           INTEGER PRIMARY KEY,
      taxon_id     INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
      name         TEXT NOT NULL,
      lang         TEXT NOT NULL,
      name_type    TEXT NOT NULL CHECK (name_type IN ('common','synonym','vernacular','trade')),
      is_preferred INTEGER NOT NULL DEFAULT 0,
      source_id    TEXT,
      author       TEXT,
      year         INTEGER,
      rank         TEXT,
      status       TEXT,
      status_text  TEXT,
      code         TEXT,
      sensu        TEXT,
      source       INTEGER REFERENCES sources(position));
    CREATE TABLE refs (
      id       INTEGER PRIMARY KEY,
      taxon_id INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
      citation TEXT NOT NULL,
      url      TEXT,
      ref_type TEXT NOT NULL CHECK (ref_type IN
        ('taxonomy','ecology','morphology','conservation','other')),
      name_id  INTEGER REFERENCES names(id) ON DELETE CASCADE,
      source   INTEGER REFERENCES sources(position));
    CREATE TABLE traits (
      id          INTEGER PRIMARY KEY,
      taxon_id    INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
      trait_key   TEXT NOT NULL,
      trait_value TEXT NOT NULL,
      unit        TEXT,
      source_ref  INTEGER REFERENCES refs(id),
      source      INTEGER REFERENCES sources(position));
    CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE merged_taxa (
      id        INTEGER PRIMARY KEY,
      source_id TEXT NOT NULL,
      into_id   INTEGER NOT NULL);
    CREATE TABLE deleted_taxa (id INTEGER PRIMARY KEY, source_id TEXT NOT NULL);
    """

  /// The indexes of version 1, made once the rows are there.
  static let indexes = [
    "CREATE INDEX idx_taxa_parent ON taxa(parent_id)",
    "CREATE INDEX idx_taxa_rank ON taxa(rank)",
    "CREATE INDEX idx_taxa_status ON taxa(status)",
    "CREATE INDEX idx_taxa_name ON taxa(scientific_name)",
    "CREATE INDEX idx_names_taxon ON names(taxon_id)",
    "CREATE INDEX idx_names_lang ON names(lang)",
    "CREATE INDEX idx_names_type ON names(name_type)",
    "CREATE INDEX idx_refs_taxon ON refs(taxon_id)",
    "CREATE INDEX idx_traits_taxon ON traits(taxon_id)",
    "CREATE INDEX idx_traits_key ON traits(trait_key)",
  ]

  /// The index of version 3 beyond those.
  static let sourceIndex = "CREATE INDEX idx_taxa_source_id ON taxa(source_id)"

  /// The index of older apps over all names.
  static let fullText = """
    CREATE VIRTUAL TABLE fts_taxa USING fts5(
      taxon_id UNINDEXED, scientific_name, common_names, synonyms,
      content='', tokenize='unicode61 remove_diacritics 2');
    INSERT INTO fts_taxa(rowid, taxon_id, scientific_name, common_names, synonyms)
      SELECT id, id, scientific_name,
        (SELECT group_concat(name, ' ') FROM names
          WHERE taxon_id = taxa.id AND name_type IN ('common','vernacular')),
        (SELECT group_concat(name, ' ') FROM names
          WHERE taxon_id = taxa.id AND name_type = 'synonym')
      FROM taxa;
    """
}
