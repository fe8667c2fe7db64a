import Foundation
import GRDB
import STOLIngest
import STOLFormats
import TestSupport
import Testing

@Suite("ITIS")
struct ITISReaderTests {
  private static let units = """
    CREATE TABLE taxonomic_units (tsn INTEGER PRIMARY KEY, complete_name TEXT, n_usage TEXT,
      parent_tsn INTEGER, taxon_author_id INTEGER, kingdom_id INTEGER, rank_id INTEGER,
      uncertain_prnt_ind TEXT);
    INSERT INTO taxonomic_units VALUES
      (1, 'Animalia', 'valid', 0, 0, 5, 10, NULL),
      (2, 'Felidae', 'valid', 1, 0, 5, 140, NULL),
      (3, 'Felis', 'valid', NULL, 7, 5, 180, NULL),
      (4, 'Felis catus', 'valid', 3, 7, 5, 220, 'Yes'),
      (5, 'Felis domesticus', 'invalid', 0, 0, 5, 220, NULL),
      (6, 'Felis dubia', 'invalid', 0, 0, 5, 220, NULL),
      (7, 'Quercus', 'accepted', 0, 0, 3, 180, NULL),
      (8, '', 'valid', 3, 0, 5, 220, NULL);
    """
  private static let others = """
    CREATE TABLE taxon_authors_lkp (taxon_author_id INTEGER, taxon_author TEXT);
    INSERT INTO taxon_authors_lkp VALUES (7, 'Linnaeus, 1758');
    CREATE TABLE kingdoms (kingdom_id INTEGER, kingdom_name TEXT);
    INSERT INTO kingdoms VALUES (5, 'Animalia'), (3, 'Plantae');
    CREATE TABLE hierarchy (TSN INTEGER, Parent_TSN INTEGER);
    INSERT INTO hierarchy VALUES (3, 2);
    CREATE TABLE synonym_links (tsn INTEGER, tsn_accepted INTEGER);
    INSERT INTO synonym_links VALUES (5, 4), (99, 4);
    CREATE TABLE vernaculars (tsn INTEGER, vernacular_name TEXT, language TEXT, approved_ind TEXT);
    INSERT INTO vernaculars VALUES (4, 'cat', 'English', 'Y'), (4, 'gato', 'Spanish', 'N'),
      (4, 'kat', 'unspecified', 'N'), (5, 'chat', 'French', 'N');
    CREATE TABLE publications (pub_id_prefix TEXT, publication_id INTEGER, reference_author TEXT,
      listed_pub_date TEXT, title TEXT, publication_name TEXT, pages TEXT);
    INSERT INTO publications VALUES ('PUB', 1, 'Roe, J.', '1999-01-01', 'Cats', 'Journal', '1-2'),
      ('PUB', 2, 'Nobody', '', 'Unused', '', '');
    CREATE TABLE reference_links (tsn INTEGER, doc_id_prefix TEXT, documentation_id INTEGER);
    INSERT INTO reference_links VALUES (4, 'PUB', 1), (5, 'PUB', 1), (4, 'PUB', 9), (98, 'PUB', 1);
    CREATE TABLE jurisdiction (tsn INTEGER, jurisdiction_value TEXT);
    INSERT INTO jurisdiction VALUES (4, 'Everywhere');
    """

  private func database(_ folder: TemporaryFolder, _ sql: String) throws -> String {
    let queue = try DatabaseQueue(path: folder("ITIS.sqlite"))
    try queue.write { try $0.execute(sql: sql) }
    return folder("ITIS.sqlite")
  }

  @Test func readsUnitsAndWhatBelongsToThem() throws {
    let folder = try TemporaryFolder()
    let made = try MadeDatabase(.itis, database(folder, Self.units + Self.others))
    #expect(
      try made.taxa == [
        "family Felidae < Animalia", "genus Felis Linnaeus, 1758 < Felidae",
        "genus Quercus < Plantae",
        "kingdom Animalia < implied root", "kingdom Plantae < implied root", "no rank implied root",
        "species Felis catus Linnaeus, 1758 ? < Felis",
      ])
    #expect(
      try made.rows("SELECT source_id, status, status_text FROM names WHERE name_type = 'synonym'")
        == ["5|synonym|invalid"])
    #expect(try made.synonyms == ["Felis domesticus = Felis catus"])
    #expect(
      try made.rows(
        "SELECT lang, name, is_preferred FROM names WHERE name_type = 'common' ORDER BY 2")
        == ["en|cat|1", "fr|chat|0", "es|gato|0", "und|kat|0"])
    #expect(
      try made.rows(
        """
        SELECT refs.taxon_id, citation, name FROM refs LEFT JOIN names ON names.id = name_id
        ORDER BY refs.id
        """) == [
          "4|Roe, J. 1999. Cats. Journal 1-2.|-",
          "4|Roe, J. 1999. Cats. Journal 1-2.|Felis domesticus",
        ])
    #expect(
      made.outcomes("taxonomic_units") == ["taxon": 5, "synonym": 1, "bareName": 1, "emptyName": 1])
    #expect(made.outcomes("synonym_links") == ["joined": 1, "unknownTaxon": 1])
    #expect(
      made.outcomes("reference_links") == [
        "reference": 2, "ignored": 1, "unknownTaxon": 1,
      ])
    #expect(made.outcomes("publications") == ["reference": 1, "ignored": 1])
    #expect(made.outcomes("jurisdiction") == ["ignored": 1])
    let files = made.report.sources[0].files
    #expect(
      files.first { $0.name == "jurisdiction" }?.unreadColumns == [
        "tsn": "no row of this file is kept", "jurisdiction_value": "no row of this file is kept",
      ])
    #expect(made.unaccounted == [])
  }

  @Test func namesTheColumnsThatItDoesNotRead() throws {
    let folder = try TemporaryFolder()
    let made = try MadeDatabase(
      .itis,
      database(
        folder,
        Self.units + """
          ALTER TABLE taxonomic_units ADD COLUMN update_date TEXT;
          ALTER TABLE taxonomic_units ADD COLUMN phylo_sort_seq INTEGER;
          """))
    let units = try #require(
      made.report.sources[0].files.first { $0.name == "taxonomic_units" })
    #expect(units.unreadColumns["update_date"] == "dates of records are not kept")
    #expect(units.unreadColumns["phylo_sort_seq"] == "the order of rows is not kept")
    #expect(units.unreadColumns["tsn"] == nil)
  }

  @Test func keepsWhyANameIsNotAccepted() throws {
    let folder = try TemporaryFolder()
    let made = try MadeDatabase(
      .itis,
      database(
        folder,
        Self.units + Self.others + """
          ALTER TABLE taxonomic_units ADD COLUMN unaccept_reason TEXT;
          UPDATE taxonomic_units SET unaccept_reason = 'misapplied' WHERE tsn = 5;
          UPDATE taxonomic_units SET unaccept_reason = 'junior synonym' WHERE tsn = 6;
          INSERT INTO synonym_links VALUES (6, 4);
          """))
    #expect(
      try made.rows(
        "SELECT source_id, status, status_text FROM names WHERE name_type = 'synonym' ORDER BY 1")
        == ["5|misapplied|-", "6|synonym|junior synonym"])
  }

  @Test func readsSlimCopies() throws {
    let folder = try TemporaryFolder()
    let made = try MadeDatabase(.itis, database(folder, Self.units))
    #expect(
      try made.taxa == [
        "family Felidae < Animalia", "genus Felis", "genus Quercus", "kingdom Animalia",
        "species Felis catus ? < Felis",
      ])
  }

  @Test func saysWhatIsWrong() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FormatError.self) {
      try MadeDatabase(.itis, database(folder, "CREATE TABLE taxa (id INTEGER)"))
    }
    let path = folder("other.sqlite")
    try DatabaseQueue(path: path).write {
      try $0.execute(
        sql: "CREATE TABLE taxonomic_units (tsn INTEGER, complete_name TEXT, parent_tsn INTEGER)")
    }
    #expect(
      throws: FormatError.missingColumn(file: "\(path), table taxonomic_units", column: "rank_id")
    ) {
      try MadeDatabase(.itis, path)
    }
    try folder.write(Array("tsn,complete_name\n".utf8), to: "itis.csv")
    #expect(throws: FormatError.self) { try MadeDatabase(.itis, folder("itis.csv")) }
  }

  @Test func damageIsAnErrorOrReadAsItIs() throws {
    let folder = try TemporaryFolder()
    let whole = try Array(
      Data(contentsOf: URL(fileURLWithPath: database(folder, Self.units + Self.others))))
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
      }
      try folder.write(bytes, to: "damaged.sqlite")
      do {
        _ = try MadeDatabase(.itis, folder("damaged.sqlite"))
      } catch is FormatError {
      } catch is IngestError {
      }
    }
  }
}
