import Foundation
import GRDB
import STOLFormats
import STOLIngest
import TestSupport
import Testing

/// What archives that nobody had tuned to got wrong, each as a small file in the true layout.
@Suite("What real archives taught")
struct ArchiveFaultTests {
  @Test func subspeciesGoBelowTheirSpecies() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "birds.csv": """
        scientificName,taxonRank,order,family
        Struthio camelus syriacus,subspecies,Struthioniformes,Struthionidae
        Struthio camelus,species,Struthioniformes,Struthionidae
        Rhea americana intermedia,subspecies,Rheiformes,Rheidae
        Aus bus cus,subspecies,,
        Aus bus,species,,
        """
      ])
    let taxa = try made.taxa
    #expect(taxa.contains("subspecies Struthio camelus syriacus < Struthio camelus"))
    // No species of this name is in the file or in a column.
    #expect(taxa.contains("subspecies Rhea americana intermedia < Rheidae"))
    #expect(taxa.contains("subspecies Aus bus cus < Aus bus"))
    #expect(taxa.contains("species Struthio camelus < Struthionidae"))
  }

  @Test func speciesAndGeneraOfColumnsAreMade() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv": """
        scientificName,taxonRank,family,genus,specificEpithet,infraspecificEpithet
        Rhea americana intermedia,subspecies,Rheidae,Rhea,americana,intermedia
        Rhea pennata,species,Rheidae,Rhea,pennata,
        Anas × platyrhynchos,hybrid,Anatidae,Anas,,
        """
      ])
    #expect(
      try made.taxa == [
        "family Anatidae", "family Rheidae", "genus Anas < Anatidae", "genus Rhea < Rheidae",
        "hybrid Anas × platyrhynchos < Anas", "species Rhea americana < Rhea",
        "species Rhea pennata < Rhea",
        "subspecies Rhea americana intermedia < Rhea americana",
      ])
  }

  @Test func whatTheSourceSaysByAnIDStands() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv": """
        taxonID,parentNameUsageID,scientificName,taxonRank
        1,,Felidae,family
        2,1,Panthera leo,species
        3,1,Panthera leo persica,subspecies
        """
      ])
    #expect(try made.taxa.contains("subspecies Panthera leo persica < Felidae"))
  }

  @Test func quotesOfTabbedTablesAreNoPartsOfNames() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "classification.csv": """
        "taxonID"\t"scientificName"\t"scientificNameAuthorship"\t"taxonRank"\t"parentNameUsageID"\t"taxonomicStatus"\t"acceptedNameUsageID"
        "wfo-01"\t"Quercus"\t"L."\t"genus"\t""\t"Accepted"\t""
        "wfo-02"\t"Quercus robur"\tNA\t"species"\t"wfo-01"\t"Accepted"\t\\N
        "wfo-03"\t"Quercus pedunculata"\t"Ehrh."\t"species"\tNULL\t"Synonym"\t"wfo-02"
        """
      ])
    #expect(try made.taxa == ["genus Quercus L.", "species Quercus robur < Quercus"])
    #expect(try made.synonyms == ["Quercus pedunculata Ehrh. = Quercus robur"])
    #expect(try made.rows("SELECT source_id FROM taxa ORDER BY 1") == ["wfo-01", "wfo-02"])
  }

  @Test func encodingsThatNobodyStatesAreTold() throws {
    let folder = try TemporaryFolder()
    let text = "scientificName,scientificNameAuthorship,taxonRank\nAus bus,Müller,species\n"
    let wide = Array(text.utf16)
    let little: [UInt8] = wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big: [UInt8] = wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let letters: [UInt8] = text.unicodeScalars.map { UInt8($0.value) }
    let files: [(String, [UInt8])] = [
      ("1252.csv", letters), ("le.csv", little), ("be.csv", big), ("8.csv", Array(text.utf8)),
    ]
    for (name, bytes) in files {
      try folder.write(bytes, to: name)
      let made = try MadeDatabase(.dwca, folder(name))
      #expect(try made.taxa == ["species Aus bus Müller"], "\(name)")
      let found = made.report.sources[0].findings["windows1252"]?.count
      #expect(found == (name == "1252.csv" ? 1 : nil), "\(name)")
    }
    // A text that is UTF-8 but for one byte is damaged.
    try folder.write(
      Array("scientificName,taxonRank,x\nAus bus,species,ü".utf8) + [0xFF], to: "d.csv")
    let made = try MadeDatabase(.dwca, folder("d.csv"))
    #expect(made.report.sources[0].findings["invalidEncoding"]?.count == 1)
  }

  @Test func wideTextIsReadWhateverMetaSays() throws {
    let table = "id\tname\trank\n1\tAus bus\tspecies\n2\tÄus\tgenus\n"
    let wide = Array(table.utf16)
    let little: [UInt8] = wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big: [UInt8] = wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let meta = """
      <archive><core encoding="UTF-8" fieldsTerminatedBy="\\t" fieldsEnclosedBy='"'
        ignoreHeaderLines="1" rowType="http://rs.tdwg.org/dwc/terms/Taxon">
      <files><location>taxa.txt</location></files><id index="0"/>
      <field index="1" term="http://rs.tdwg.org/dwc/terms/scientificName"/>
      <field index="2" term="http://rs.tdwg.org/dwc/terms/taxonRank"/></core></archive>
      """
    for bytes in [Array(table.utf8), little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
      let folder = try TemporaryFolder()
      try folder.write(Array(meta.utf8), to: "meta.xml")
      try folder.write(bytes, to: "taxa.txt")
      let made = try MadeDatabase(.dwca, folder.path)
      #expect(try made.taxa == ["genus Äus", "species Aus bus"], "\(bytes.prefix(4))")
      #expect(try made.rows("SELECT id FROM taxa ORDER BY 1") == ["1", "2"])
    }
  }

  @Test func controlCharactersAreNoPartsOfRanksAndIds() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.tsv": "taxonID\tscientificName\ttaxonRank\n"
          + "1\tAus\tge\0nus\n2\tCus dus\t\0species\n3\tEus\t\0\nx4\tGus\tpars\0 nova\n"
          + "a\0b\tDus eus\tspecies\na\0c\tDus fus\tspecies\n"
      ])
    #expect(
      try made.rows("SELECT source_id, rank, scientific_name FROM taxa ORDER BY 3") == [
        "1|genus|Aus", "2|species|Cus dus", "3|no rank|Eus", "x4|pars nova|Gus",
      ])
    #expect(made.count("unfitID") == 2)
    #expect(
      made.report.sources[0].findings["unfitID"]?.examples == [
        "taxa.tsv, line 6: ab", "taxa.tsv, line 7: ac",
      ])
    #expect(made.unaccounted == [])
  }

  @Test(arguments: ["xz", "bz2", "zst"])
  func compressedTablesAreRead(_ suffix: String) throws {
    let folder = try TemporaryFolder()
    let table = "scientificName,taxonRank\nAus bus,species\n"
    let tool = ["xz": "xz", "bz2": "bzip2", "zst": "zstd"][suffix] ?? ""
    guard let bytes = try Self.piped(Array(table.utf8), through: tool) else { return }
    try folder.write(bytes, to: "taxa.csv.\(suffix)")
    #expect(try MadeDatabase(.dwca, folder("taxa.csv.\(suffix)")).taxa == ["species Aus bus"])
    let inner = try TemporaryFolder()
    try inner.write(bytes, to: "taxa.csv.\(suffix)")
    #expect(try MadeDatabase(.dwca, inner.path).taxa == ["species Aus bus"])
    // Cut off: an error, and nothing left behind.
    try folder.write(Array(bytes.dropLast(8)), to: "cut.csv.\(suffix)")
    let error = #expect(throws: FormatError.self) {
      try MadeDatabase(.dwca, folder("cut.csv.\(suffix)"))
    }
    #expect("\(error?.description ?? "")".ranges(of: "cut.csv").count == 1)
  }

  @Test func aDamagedFileIsNamedOnce() throws {
    let folder = try TemporaryFolder()
    let bytes = try gzip(Array("scientificName,taxonRank\nAus bus,species\n".utf8))
    try folder.write(Array(bytes.dropLast(9)), to: "cut.csv.gz")
    let error = #expect(throws: FormatError.self) {
      try MadeDatabase(.dwca, folder("cut.csv.gz"))
    }
    #expect("\(error?.description ?? "")".ranges(of: "cut.csv").count == 1)
  }

  /// What a command makes of bytes; nil where it is not installed.
  private static func piped(_ bytes: [UInt8], through tool: String) throws -> [UInt8]? {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: "in")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "\(tool) -c < '\(folder("in"))' > '\(folder("out"))' 2>/dev/null"]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return Array(try Data(contentsOf: URL(fileURLWithPath: folder("out"))))
  }

  @Test func misappliedNamesSayThatTheyAre() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv": """
        taxonID,acceptedNameUsageID,scientificName,taxonRank,taxonomicStatus
        1,,Aus bus L.,species,accepted
        2,1,Aus cus auct. non Mill.,species,misapplied
        3,1,Aus dus auct.,species,synonym
        6,1,Aus eus L. p.p.,species,
        7,1,Aus fus auct. non L.,species,heterotypic synonym
        8,1,Aus gus sensu Roe,species,synonym
        4,,incertae sedis,no rank,accepted
        5,,Mollusca not assigned,no rank,accepted
        """
      ])
    #expect(
      try made.rows("SELECT name, status, status_text, sensu FROM names ORDER BY 1") == [
        "Aus cus|misapplied|-|auct. non Mill.", "Aus dus|misapplied|synonym|auct.",
        "Aus eus|in-part|-|p.p.", "Aus fus|heterotypic|heterotypic synonym|auct. non L.",
        "Aus gus|synonym|-|sensu Roe",
      ])
    #expect(
      try made.rows("SELECT scientific_name FROM taxa WHERE rank = 'no rank' ORDER BY 1")
        == ["Mollusca not assigned", "incertae sedis"])
  }

  @Test func aParentMayBeTheAcceptedTaxonOfASynonym() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv": """
        taxonID,parentNameUsageID,scientificName,taxonRank,taxonomicStatus
        1,,Aus,genus,accepted
        2,1,Aus bus,species,accepted
        3,2,Cus bus,species,synonym
        4,1,Dus eus,species,synonym
        """
      ])
    #expect(try made.synonyms == ["Cus bus = Aus bus"])
    // A genus is what a species was put into, not what it is.
    #expect(made.report.sources[0].findings["synonymWithoutAccepted"]?.count == 1)
    #expect(made.unaccounted == [])
  }

  @Test func namesInAnotherCaseAreRepaired() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv": """
        scientificName,taxonRank,scientificNameAuthorship
        PANTHERA LEO,species,"(LINNAEUS, 1758)"
        panthera tigris,species,
        FELIDAE,family,
        INCERTAE SEDIS,genus,
        UNASSIGNED,genus,
        unclassified bacterium,species,
        SARS,species,
        BOLD:AAA1234,species,
        """
      ])
    let names = try made.rows("SELECT scientific_name FROM taxa ORDER BY 1")
    #expect(
      names == [
        "BOLD:AAA1234", "Felidae", "INCERTAE SEDIS", "Panthera leo", "Panthera tigris", "SARS",
        "UNASSIGNED", "unclassified bacterium",
      ])
    #expect(made.report.sources[0].findings["nameCaseRepaired"]?.count == 3)
  }

  @Test func sightingsAreNoTaxa() throws {
    for text in [
      "occurrenceID,basisOfRecord,scientificName,eventDate\n1,HumanObservation,Aus bus,2020\n",
      "scientificName,decimalLatitude,decimalLongitude,eventDate\nAus bus,1,2,2020\n",
    ] {
      #expect {
        try MadeDatabase(.dwca, files: ["occurrence.txt": text])
      } throws: { "\($0)".contains("sightings") }
    }
  }

  @Test func whatIsIgnoredHasAReason() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv":
          "taxonID,scientificName,taxonRank,colour,modified,bibliographicCitation,measurementMethod\n"
          + "1,Aus bus,species,red,2020-01-01,x,y\n",
        "distribution.csv": "taxonID,occurrenceStatus,locality\n1,present,Berlin\n",
      ])
    let files = made.report.sources[0].files
    let taxa = try #require(files.first { $0.name == "taxa.csv" })
    #expect(
      taxa.unreadColumns == [
        "colour": "no reader knows this column", "modified": "dates of records are not kept",
        "bibliographicCitation": "what Darwin Core says of records and finds is not kept",
        "measurementMethod": "how something was measured is not kept",
      ])
    let other = try #require(files.first { $0.name == "distribution.csv" })
    #expect(other.outcomes == ["ignored": 1])
    #expect(other.reasons.values.reduce(0, +) == 1)
    #expect(made.unaccounted == [])
  }

  private static let tree = """
    taxonID,parentNameUsageID,acceptedNameUsageID,scientificName,taxonRank,taxonomicStatus
    1,,,Animalia,kingdom,accepted
    2,1,,Felidae,family,accepted
    3,2,,Panthera,genus,accepted
    4,3,,Panthera leo,species,accepted
    5,4,,Panthera leo persica,subspecies,doubtful
    6,1,,Canidae,family,accepted
    7,6,,Canis,genus,accepted
    8,,4,Felis leo,species,synonym
    9,,7,Lupus,genus,synonym
    """

  @Test(arguments: [
    (SourceCut(), 7, 2), (SourceCut(within: "Felidae"), 5, 1), (SourceCut(within: "3"), 5, 1),
    (SourceCut(ranks: ["genus"]), 5, 1), (SourceCut(ranks: ["Genus", "species"]), 6, 2),
    (SourceCut(status: .accepted), 6, 2), (SourceCut(status: .provisional), 5, 1),
    (SourceCut(within: "Canidae", ranks: ["genus"]), 3, 1),
  ])
  func aPartIsKeptWithItsAncestors(_ cut: SourceCut, _ taxa: Int, _ synonyms: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.tree.utf8), to: "taxa.csv")
    var ingestion = Ingestion(IngestSource(kind: .dwca, path: folder("taxa.csv")))
    ingestion.cut = cut
    let report = try ingestion.write(to: folder("made.sqlite"))
    #expect(report.totals.taxa == taxa)
    #expect(report.totals.synonyms == synonyms)
    #expect(report.sources[0].files[0].outcomes["cut"] ?? 0 == 9 - taxa - synonyms)
    #expect(report.sources[0].unaccounted == [])
  }

  @Test func aCutWithinNothingIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.tree.utf8), to: "taxa.csv")
    var ingestion = Ingestion(IngestSource(kind: .dwca, path: folder("taxa.csv")))
    ingestion.cut = SourceCut(within: "Ursidae")
    #expect {
      try ingestion.write(to: folder("made.sqlite"))
    } throws: { "\($0)".contains("no taxon \"Ursidae\"") }
    #expect(!FileManager.default.fileExists(atPath: folder("made.sqlite")))
  }

  /// A person's list of birds from eBird has names, and is no checklist.
  @Test(arguments: [
    "Submission ID,Common Name,Scientific Name,Count,Location,Latitude,Longitude,Date\nS1,Lion,Panthera leo,1,x,1,2,2020-01-01\n",
    "id,observed_on,latitude,longitude,scientific_name\n1,2020-01-01,1,2,Panthera leo\n",
  ])
  func listsOfSightingsAreRefusedAsSuch(_ text: String) throws {
    #expect {
      try MadeDatabase(.dwca, files: ["list.csv": text])
    } throws: { "\($0)".contains("sightings") }
  }

  /// Two layouts of one dataset in a folder: one is read, and the report names the other.
  @Test func filesThatNobodyReadsAreNamed() throws {
    let made = try MadeDatabase(
      .coldp,
      files: [
        "NameUsage.tsv": "ID\tscientificName\trank\tstatus\na\tAus\tgenus\taccepted\n",
        "taxon.txt.bak": "x", "dwca.tsv": "taxonID\tscientificName\na\tAus\n",
        "metadata.yaml": "title: x\n", "README.md": "x", "citations.csv": "x",
      ])
    #expect(
      made.report.sources[0].unreadFiles == [
        "README.md": "it is for people", "metadata.yaml": "it describes the dataset",
        "citations.csv": "no reader of this kind of source knows it",
        "dwca.tsv": "another layout, a Darwin Core table: alone, stol ingest dwca reads it",
        "taxon.txt.bak": "no reader of this kind of source knows it",
      ])
    #expect(try made.taxa == ["genus Aus"])
  }

  @Test func chainsOfMergedIDsLeadToTheirEnd() throws {
    let folder = try TemporaryFolder()
    let made = try MadeDatabase(
      .ncbi,
      try SmallDump.write(
        in: folder, merged: ["70\t71", "71\t72", "72\t9689", "73\t74", "74\t73", "75\t76"]))
    #expect(
      try made.rows("SELECT source_id, into_id FROM merged_taxa ORDER BY id") == [
        "70|9689", "71|9689", "72|9689",
      ])
    #expect(made.count("mergedIntoUnknown") == 3)
  }

  /// A database in WAL mode is read as it is, and nothing is left beside it.
  @Test func nothingIsLeftBesideASourceInWALMode() throws {
    let folder = try TemporaryFolder()
    let path = folder("itis.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          CREATE TABLE taxonomic_units (tsn INTEGER PRIMARY KEY, complete_name TEXT, rank_id INTEGER,
            parent_tsn INTEGER, name_usage TEXT, kingdom_id INTEGER);
          INSERT INTO taxonomic_units VALUES (202423, 'Animalia', 10, 0, 'valid', 5);
          """)
    }
    try queue.close()
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(before == ["itis.sqlite"])
    let bytes = try folder.bytes(of: "itis.sqlite")
    #expect(try SourceRecognition(path: path).kind == .itis)
    let made = try MadeDatabase(.itis, path)
    #expect(try made.taxa == ["kingdom Animalia"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
    #expect(try folder.bytes(of: "itis.sqlite") == bytes)
    // With a log that was never taken in, as of a program that ended early.
    let writer = try DatabaseQueue(path: path)
    try writer.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          INSERT INTO taxonomic_units VALUES (914154, 'Bilateria', 20, 202423, 'valid', 5);
          """)
    }
    let copy = try TemporaryFolder()
    for name in ["itis.sqlite", "itis.sqlite-wal"] {
      try copy.write(try folder.bytes(of: name), to: name)
    }
    try writer.close()
    let log = try copy.bytes(of: "itis.sqlite-wal")
    #expect(!log.isEmpty)
    #expect(try SourceRecognition(path: copy("itis.sqlite")).kind == .itis)
    #expect(
      try MadeDatabase(.itis, copy("itis.sqlite")).taxa
        == ["kingdom Animalia", "subkingdom Bilateria < Animalia"])
    #expect(try copy.contents == ["itis.sqlite", "itis.sqlite-wal"])
    #expect(try copy.bytes(of: "itis.sqlite-wal") == log)
  }
}
