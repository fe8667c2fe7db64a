import STOLData
import STOLPack
import STOLTrust
import TestSupport
import Testing

/// Schema version 3, and what version 2 says of names and ids: Format/DATABASE.md.
struct RecordCompileTests {
  private static let leo = TaxonID(sourceText: "4CGXP").rawValue

  private static let rows = """
    INSERT INTO sources VALUES
      (7, 'coldp', 'Checklist', '2026', 'CC0', 'Cite me', 'https://example.org'),
      (9, 'csv', NULL, NULL, NULL, NULL, NULL);
    INSERT INTO taxa VALUES
      (-1, NULL, NULL, 'no rank', 'implied root', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
      (2, '2', -1, 'domain', 'Eukaryota', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 7),
      (3, '3', 2, 'clade', 'Amniota', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 7),
      (4, '4', 3, 'subfamily', 'Pantherinae', 'Pocock', 1917, 'provisional', NULL, 'ICZN',
        'provisionally accepted', 's.str.', 9),
      (\(leo), '4CGXP', 4, 'species', 'Panthera leo', '(Linnaeus, 1758)', 1758, 'accepted', 'VU',
        'ICZN', NULL, NULL, 9);
    INSERT INTO names VALUES
      (1, \(leo), 'Felis leo', 'la', 'synonym', 0, 'syn-1', 'Linnaeus', 1758, 'species',
        'homotypic', 'basionym', 'ICZN', NULL, 7),
      (2, \(leo), 'Leo leo', 'la', 'synonym', 0, NULL, NULL, NULL, NULL, 'misapplied', NULL, NULL,
        'sensu Busch, 1930', NULL),
      (3, \(leo), 'lion', 'en', 'common', 1, 'v-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 9);
    INSERT INTO refs VALUES
      (1, \(leo), 'Linnaeus 1758', NULL, 'taxonomy', 1, 7),
      (2, \(leo), 'IUCN', 'https://iucn', 'conservation', NULL, 9),
      (3, \(leo), 'Nobody', NULL, 'other', NULL, NULL);
    INSERT INTO traits VALUES (1, \(leo), 'diet', 'meat', NULL, 1, 9);
    INSERT INTO dataset VALUES ('id_space', 'col'), ('name', 'Checklist');
    INSERT INTO merged_taxa VALUES
      (50, '50', 51), (51, '51', \(leo)), (52, '52', \(TaxonID(sourceText: "syn-1").rawValue));
    INSERT INTO deleted_taxa VALUES (60, '60');
    """

  @Test func everythingOfSchema3IsReadBack() throws {
    let pack = try TestDatabase.pack(Taxonomy.recordTables + Self.rows)
    try pack.verify()
    #expect(pack.schemaVersion == 3)
    let view = pack.view
    let taxa = view.tree.taxa.map { view.taxon($0) }
    #expect(taxa.map(\.sourceID) == [nil, "2", "3", "4", "4CGXP"])
    #expect(taxa.map(\.isImplied) == [true, false, false, false, false])
    #expect(taxa.map(\.rank.rawValue) == ["no rank", "domain", "clade", "subfamily", "species"])
    #expect(taxa[3].status == .provisional && taxa[3].code == "ICZN")
    let record = view.record(of: NameOrdinal(rawValue: 3))
    #expect(record.statusText == "provisionally accepted" && record.sensu == "s.str.")
    let names = view.furtherNames(of: TaxonOrdinal(rawValue: 4))
    #expect(names.map(\.record.status) == [.homotypic, .misapplied, nil])
    #expect(names.map(\.record.sourceID) == ["syn-1", nil, "v-1"])
    #expect(names[0].record.authorship == "Linnaeus" && names[0].record.year == 1758)
    #expect(names[0].record.statusText == "basionym" && names[0].record.rank == .species)
    #expect(names[1].record.sensu == "sensu Busch, 1930")
    let sources = view.sources
    #expect(sources.map(\.kind) == ["coldp", "csv"] && sources[0].citation == "Cite me")
    let kinds = view.tree.taxa.map { view.source(of: $0)?.kind }
    #expect(kinds == [nil, "coldp", "coldp", "csv", "csv"])
    let traits = view.sourcedTraits(of: TaxonOrdinal(rawValue: 4)).map { $0.source?.kind }
    #expect(traits == ["csv"])
  }

  @Test func everyIdOfSchema3Resolves() throws {
    let pack = try TestDatabase.pack(Taxonomy.recordTables + Self.rows)
    let view = pack.view
    let lion = TaxonOrdinal(rawValue: 4)
    let found = ["4CGXP", "50", "51", "52", "60", "-1", "\(Self.leo)", "v-1", "04", "4cgxp"].map {
      view.ids.resolve(sourceID: $0)
    }
    #expect(
      found == [
        .found(lion), .merged(lion), .merged(lion), .merged(lion), .deleted, .notFound, .notFound,
        .notFound, .notFound, .notFound,
      ])
    let synonym = view.ids.resolve(sourceID: "syn-1")
    let name = synonym.name.map { view.names.text(of: $0) }
    #expect(synonym.taxon == lion && name == "Felis leo")
    let space = view.idSpace
    let prefixed = view.resolve("col:4CGXP")
    #expect(space == "col" && prefixed == .found(lion))
  }

  @Test func thePackHoldsTheDigestOfItsDatabase() throws {
    let folder = try TemporaryFolder()
    let path = try Taxonomy.compile(Self.rows, tables: Taxonomy.recordTables, in: folder)
    let digest = SHA256.digest(of: try TestDatabase.bytes(of: folder("taxa.sqlite")))
    let pack = try Pack(path: path)
    #expect(pack.source.sha256 == digest.bytes)
  }

  @Test func referencesSayWhichNameTheyAreAbout() throws {
    let folder = try TemporaryFolder()
    let path = try Taxonomy.compile(Self.rows, tables: Taxonomy.recordTables, in: folder)
    let source = try #require(try SourceDatabase(beside: path, of: Pack(path: path)))
    let references = try source.references(of: TaxonID(rawValue: Self.leo))
    #expect(references.map(\.name) == ["Felis leo", nil, nil])
    let record = try #require(references[0].nameRecord)
    #expect(record.sourceID == "syn-1" && record.authorship == "Linnaeus" && record.year == 1758)
    #expect(references[1].nameRecord == nil)
    #expect(references.map(\.source) == [1, 2, nil])
  }

  @Test(
    arguments: [
      (
        "UPDATE taxa SET source_id = NULL WHERE id = 3", Int64(3),
        RowFault.emptyText(column: "source_id")
      ),
      ("UPDATE taxa SET source_id = '' WHERE id = 3", 3, .emptyText(column: "source_id")),
      ("UPDATE taxa SET source_id = '33' WHERE id = 3", 3, .otherSourceID("33")),
      ("UPDATE taxa SET rank = '' WHERE id = 3", 3, .emptyText(column: "rank")),
      ("UPDATE taxa SET source = 8 WHERE id = 3", 3, .unknownSource(8)),
      ("UPDATE taxa SET status = 'valid' WHERE id = 3", 3, .unknownStatus("valid")),
    ] as [(String, Int64, RowFault)])
  func refusesARowThatBreaksARule(_ change: String, _ id: Int64, _ fault: RowFault) {
    #expect(throws: CompileError.row(table: "taxa", id: id, reason: fault)) {
      try TestDatabase.pack(Taxonomy.recordTables + Self.rows + change)
    }
  }

  @Test func aSchemaOfLaterIsRefused() {
    let sql = Taxonomy.recordTables + Self.rows + "UPDATE schema_version SET version = 4"
    #expect(throws: CompileError.schemaTooNew(found: 4, supported: 3)) {
      try TestDatabase.pack(sql)
    }
  }

  /// Version 2: details of names become records, ids of texts are texts again.
  @Test func detailsAndIdsOfSchema2AreRead() throws {
    let text = TaxonID(sourceText: "urn:x").rawValue
    let sql =
      TestDatabase.keyedTables + TestDatabase.goodTaxa + """
        UPDATE schema_version SET version = 2;
        CREATE TABLE name_details (name_id INTEGER PRIMARY KEY, author, year, rank);
        CREATE TABLE source_ids (id INTEGER PRIMARY KEY, source_id);
        CREATE TABLE collapsed_taxa (id INTEGER PRIMARY KEY, into_id, rank, scientific_name, author, year);
        INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES (\(text), 2, 'genus', 'Lynx');
        INSERT INTO source_ids VALUES (\(text), 'urn:x');
        INSERT INTO names VALUES (1, 4, 'Felis leo', 'la', 'synonym', 0);
        INSERT INTO name_details VALUES (1, 'Linnaeus', 1758, 'species');
        INSERT INTO collapsed_taxa VALUES (20, 4, 'subspecies', 'Panthera leo persica', 'Meyer', 1826);
        """
    let pack = try TestDatabase.pack(sql)
    try pack.verify()
    let view = pack.view
    let areTexts = view.ids.areTexts
    #expect(areTexts)
    let lynx = view.ids.resolve(sourceID: "urn:x").taxon.map { view.names.scientificName(of: $0) }
    #expect(lynx == "Lynx")
    let lion = try #require(view.ids.resolve(sourceID: "4").taxon)
    let names = view.furtherNames(of: lion)
    #expect(names.map(\.record.authorship) == ["Linnaeus", "Meyer"])
    #expect(names.map(\.record.year) == [1758, 1826])
    #expect(names.map(\.record.rank?.rawValue) == ["species", "subspecies"])
    let collapsed = view.ids.resolve(sourceID: "20")
    let name = collapsed.name.map { view.names.text(of: $0) }
    #expect(collapsed.taxon == lion && name == "Panthera leo persica")
  }
}
