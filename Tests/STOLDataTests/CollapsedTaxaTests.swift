import STOLData
import STOLPack
import Testing

/// Taxa of other ranks: Format/DATABASE.md, version 2.
struct CollapsedTaxaTests {
  private static let sql =
    TestDatabase.keyedTables + TestDatabase.goodTaxa + """
      UPDATE schema_version SET version = 2;
      CREATE TABLE collapsed_taxa (id INTEGER PRIMARY KEY, into_id, rank, scientific_name, author, year);
      INSERT INTO collapsed_taxa VALUES
        (20, 4, 'subspecies', 'Panthera leo persica', 'Meyer', 1826),
        (21, NULL, 'unranked', 'cellular organisms', NULL, NULL),
        (22, 2, 'subfamily', 'Pantherinae', 'Pocock', 1917);
      """

  @Test func namesAndIdsLeadToWhatATaxonStandsFor() throws {
    let pack = try TestDatabase.pack(Self.sql)
    try pack.verify()
    let view = pack.view
    #expect(pack.schemaVersion == 2)
    #expect(view.tree.taxa.count == 4)
    for (text, name) in [
      ("Pantherinae", "Felidae"), ("panthera leo persica", "Panthera leo"), ("20", "Panthera leo"),
    ] {
      let taxon = try #require(view.resolve(text).taxon)
      #expect(view.names.scientificName(of: taxon) == name)
    }
    #expect(view.resolve("21") == .notFound)
    #expect(view.resolve("cellular organisms") == .notFound)
  }

  @Test func aTableOfTheNameBeforeIsRefused() {
    let sql = Self.sql + "ALTER TABLE collapsed_taxa RENAME TO folded_taxa;"
    #expect(throws: CompileError.missing(table: "collapsed_taxa", column: nil)) {
      try TestDatabase.pack(sql)
    }
  }

  @Test func anEmptyNameNamesItsTable() {
    let sql = Self.sql + "INSERT INTO collapsed_taxa VALUES (23, 4, 'form', '', NULL, NULL);"
    #expect(
      throws: CompileError.row(
        table: "collapsed_taxa", id: 23, reason: .emptyText(column: "scientific_name"))
    ) { try TestDatabase.pack(sql) }
  }

  @Test func aTextThatASourceUsesAsIdFindsItsTaxon() throws {
    let id = TaxonID(sourceText: "urn:lsid:example.org:taxname:51").rawValue
    let pack = try TestDatabase.pack(
      TestDatabase.keyedTables + TestDatabase.goodTaxa
        + "INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES (\(id), 2, 'genus', 'Lynx');"
    )
    let taxon = try #require(pack.view.resolve("urn:lsid:example.org:taxname:51").taxon)
    #expect(pack.view.names.scientificName(of: taxon) == "Lynx")
  }
}
