import STOLFormats
import STOLIngest
import TestSupport
import Testing

/// Sources whose content says what they are, and tables that state whole lineages.
@Suite("Recognition")
struct RecognitionTests {
  private static let gtdb = """
    RS_GCF_000005845.2\td__Bacteria;p__Pseudomonadota;c__Gammaproteobacteria;o__Enterobacterales;f__Enterobacteriaceae;g__Escherichia;s__Escherichia coli
    GB_GCA_000006155.2\td__Bacteria;p__Bacillota;c__Bacilli;o__Bacillales;f__Bacillaceae_G;g__Bacillus_A;s__Bacillus_A anthracis
    RS_GCF_003697165.2\td__Bacteria;p__Pseudomonadota;c__Gammaproteobacteria;o__Enterobacterales;f__Enterobacteriaceae;g__Escherichia;s__Escherichia coli
    RS_GCF_000000001.1\td__Archaea;p__Thermoproteota;c__;o__;f__;g__;s__

    """
  private static let silva = """
    Archaea;\t2\tdomain\t\t
    Archaea;Aenigmarchaeota;\t11084\tphylum\t\t123
    Archaea;Aenigmarchaeota;Deep Sea Euryarchaeotic Group(DSEG);\t11085\tclass\t\t123

    """
  private static let unite = """
    SH1140752.08FU_EU489898\tk__Fungi;p__Ascomycota;c__Eurotiomycetes;o__Eurotiales;f__Aspergillaceae;g__Aspergillus;s__Aspergillus_niger

    """
  private static let mdd = """
    sciName,id,phylosort,mainCommonName,otherCommonNames,order,family,genus,authoritySpeciesAuthor,authoritySpeciesYear
    Panthera_leo,1006010,1,Lion,African Lion,Carnivora,Felidae,Panthera,Linnaeus,1758

    """
  private static let clements = """
    sort v2024,species_code,category,English name,scientific name,range,order,family,extinct
    1,ostric2,species,Common Ostrich,Struthio camelus,Africa,Struthioniformes,Struthionidae (Ostriches),
    2,ostric3,subspecies,Common Ostrich (camelus),Struthio camelus camelus,Sahel,Struthioniformes,Struthionidae (Ostriches),

    """
  private static let ebird = """
    TAXON_ORDER,CATEGORY,SPECIES_CODE,TAXON_CONCEPT_ID,PRIMARY_COM_NAME,SCI_NAME,ORDER,FAMILY,SPECIES_GROUP,REPORT_AS
    2,species,ostric2,avibase-1,Common Ostrich,Struthio camelus,Struthioniformes,Struthionidae (Ostriches),Ostriches,

    """

  /// What lists of birds have beside species: within one, or of one genus, or of none.
  private static let categories: [(category: String, name: String, parent: String)] = [
    ("group (polytypic)", "Anas crecca crecca/nimia", "Anas crecca"),
    ("group (monotypic)", "Anas crecca carolinensis", "Anas crecca"),
    ("issf", "Anas platyrhynchos conboschas", "Anas platyrhynchos"),
    ("form", "Anas platyrhynchos (pale form)", "Anas platyrhynchos"),
    ("domestic", "Anas platyrhynchos (Domestic type)", "Anas platyrhynchos"),
    ("intergrade", "Anas crecca crecca x carolinensis", "Anas crecca"),
    ("hybrid", "Anas crecca x platyrhynchos", "Anas"),
    ("slash", "Anas crecca/platyrhynchos", "Anas"),
    ("spuh", "Anas sp.", "Anas"), ("spuh", "Anatidae sp. (duck sp.)", "Anatidae"),
    ("hybrid", "Aix sponsa x Anas crecca", "Anatidae"), ("slash", "Aix/Anas sp.", "Anatidae"),
  ]

  @Test(arguments: ["Clements-2024.csv", "ebird.csv"])
  func categoriesOfBirdsGoBelowSpeciesAndGenera(_ file: String) throws {
    var rows = ["species,Anas crecca", "species,Anas platyrhynchos"]
    rows += Self.categories.map { "\($0.category),\($0.name)" }
    let isClements = file.hasPrefix("C")
    let lines = rows.enumerated().map { number, text in
      let words = text.split(separator: ",")
      return isClements
        ? "\(number),code\(number),\(words[0]),Bird \(number),\(words[1]),\"L., 1758\",Anatidae (Ducks),\(number == 2 ? "1" : "")"
        : "\(words[0]),code\(number),Bird \(number),\(words[1]),Anatidae (Ducks),\(words[0] == "issf" ? "code1" : "")"
    }
    let header =
      isClements
      ? "sort,species_code,category,English name,scientific name,authority,family,extinct"
      : "CATEGORY,SPECIES_CODE,PRIMARY_COM_NAME,SCI_NAME,FAMILY,REPORT_AS"
    let made = try made(file, ([header] + lines).joined(separator: "\n") + "\n")
    for (category, name, parent) in Self.categories {
      let found = try made.rows(
        """
        SELECT t.rank, p.scientific_name FROM taxa t JOIN taxa p ON p.id = t.parent_id
        WHERE t.scientific_name = '\(name)'
        """)
      #expect(found == ["\(category)|\(parent)"], "\(name)")
    }
    #expect(
      try made.rows("SELECT scientific_name FROM taxa WHERE source_id = 'code1'")
        == ["Anas platyrhynchos"])
    #expect(made.count("unknownRank") == 0)
    #expect(made.unaccounted == [])
    guard isClements else { return }
    #expect(
      try made.rows("SELECT DISTINCT author, year FROM taxa WHERE source_id LIKE 'code%'") == [
        "L., 1758|1758"
      ])
    #expect(try made.traits == ["Anas crecca crecca/nimia extinct=true"])
  }

  @Test func mammalsHaveTheirParenthesesAndAllNames() throws {
    let made = try made(
      "MDD_v2.csv",
      """
      sciName,id,mainCommonName,otherCommonNames,order,family,subfamily,tribe,genus,authoritySpeciesAuthor,authoritySpeciesYear,authorityParentheses,extinct
      Ornithorhynchus_anatinus,1,Platypus,Duck-billed Platypus|Duckbill,MONOTREMATA,ORNITHORHYNCHIDAE,NA,NA,Ornithorhynchus,Shaw,1799,1,0
      Bos_primigenius,2,Aurochs,NA,Artiodactyla,Bovidae,Bovinae,Bovini,Bos,Bojanus,1827,0,1

      """)
    #expect(
      try made.taxa.filter { $0.hasPrefix("s") || $0.hasPrefix("genus") } == [
        "genus Bos < Bovini", "genus Ornithorhynchus < Ornithorhynchidae",
        "species Bos primigenius Bojanus, 1827 < Bos",
        "species Ornithorhynchus anatinus (Shaw, 1799) < Ornithorhynchus",
        "subfamily Bovinae < Bovidae",
      ])
    #expect(
      try made.rows("SELECT name, is_preferred FROM names ORDER BY id") == [
        "Platypus|1", "Duck-billed Platypus|0", "Duckbill|0", "Aurochs|1",
      ])
    #expect(
      try made.rows("SELECT DISTINCT year FROM taxa WHERE rank = 'species' ORDER BY 1") == [
        "1799", "1827",
      ])
    #expect(try made.traits == ["Bos primigenius extinct=true"])
  }

  @Test(arguments: [
    ("bac120_taxonomy.tsv", gtdb, SourceKind.csv, "gtdb"),
    ("tax_slv_ssu_138.2.txt", silva, .csv, "silva"), ("unite.txt", unite, .csv, "unite"),
    ("MDD_v2.csv", mdd, .csv, "mdd"), ("Clements-2024.csv", clements, .csv, "clements"),
    ("ebird.csv", ebird, .csv, "ebird"), ("taxa.csv", "scientificName\nAus\n", .dwca, ""),
    ("nodes.dmp", "1\t|\t1\t|\tno rank\t|\n", .ncbi, ""),
    ("NameUsage.tsv", "ID\tscientificName\n", .coldp, ""),
    ("taxonomy.tsv", "uid\t|\tparent_uid\t|\n", .ott, ""),
    ("AcceptedSpecies.txt", "AcceptedTaxonID\n", .acef, ""), ("a.txtree", "Aus\n", .txtree, ""),
    ("tree.txt", "# Firs\nAbies [genus]\n  Abies alba [species]\n", .txtree, ""),
  ])
  func tellsWhatLiesThere(
    _ name: String, _ text: String, _ kind: SourceKind, _ mapping: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(text.utf8), to: name)
    for path in [folder.path, folder(name)] {
      let found = try SourceRecognition(path: path)
      #expect(found.kind == kind && found.mapping ?? "" == mapping, "\(path)")
      #expect(!found.title.isEmpty)
    }
  }

  private struct Foreign {
    var name: String
    var bytes: [UInt8]
    var part: String

    init(_ name: String, _ bytes: [UInt8], _ part: String) {
      (self.name, self.bytes, self.part) = (name, bytes, part)
    }

    init(_ name: String, text: String, _ part: String) {
      self.init(name, Array(text.utf8), part)
    }
  }

  private static let foreign: [Foreign] = [
    Foreign("notes.md", text: "hello\n", "nothing in it is known"),
    // PACK.md section 2, CONTAINER.md section 2.
    Foreign(
      "x.stolpack", [0x89, 0x53, 0x54, 0x4F, 0x4C, 13, 10, 26, 10, 2, 0, 0, 0], "a pack already"),
    Foreign("x.stol", text: "STOL\0DB\u{2}\0\0", "a signed container"),
    Foreign("a.xls", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0], "old Excel"),
    Foreign("a.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "7-Zip archive; unpack it"),
    Foreign("a.rar", text: "Rar!\u{1A}\u{7}\0", "RAR archive; unpack it"),
    Foreign("a.fasta", text: ">AB001.1 Bacteria;Proteobacteria;x\nACGT\n", "sequences (FASTA)"),
    Foreign("a.pdf", text: "%PDF-1.4\n", "a PDF"),
    Foreign("a.html", text: "\n<html><body>Not found</body></html>", "a web page"),
    Foreign("a.csv", text: "<!DOCTYPE html>\n<html>", "a web page"),
    Foreign("a.gpx", text: "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\">", "(GPX)"),
    Foreign("a.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10], "a picture (JPEG)"),
    Foreign("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], "a picture (PNG)"),
    Foreign("a.json", text: "{\"a\":1}", "not of Open Tree's services"),
    Foreign("a.nwk", text: "((Homo_sapiens:1,Pan:1):1,Mus:2);\n", "a tree (Newick)"),
    Foreign("a.parquet", text: "PAR1xxxx", "a Parquet file"),
    Foreign("empty.csv", [], "it is empty"),
    Foreign(
      "plain.csv", text: "name,rank,family\nPanthera leo,species,Felidae\n",
      "no reader knows (name, rank, family); say what they mean: stol ingest csv"),
    Foreign(
      "taxmap_slv_ssu_ref_nr_138.2.txt",
      text: "primaryAccession\tstart\tstop\tpath\torganism_name\ttaxid\nA\t1\t2\tB;\tx\t5\n",
      "tax_slv_*.txt"),
  ]

  @Test func callsWhatItCannotReadByItsName() throws {
    for file in Self.foreign {
      let folder = try TemporaryFolder()
      try folder.write(file.bytes, to: file.name)
      #expect("\(file.name)") {
        try SourceRecognition(path: folder(file.name))
      } throws: { "\($0)".contains(file.part) }
    }
  }

  /// What is compressed or in an archive is called by its name as well.
  @Test func callsWhatLiesInArchivesByItsName() throws {
    let folder = try TemporaryFolder()
    let pdf = try folder.write(try gzip(Array("%PDF-1.4\n".utf8)), to: "a.pdf.gz")
    #expect {
      try SourceRecognition(path: pdf)
    } throws: { "\($0)".contains("this is a PDF") }
    let database = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 100)
    var builder = ZipBuilder()
    try builder.add("x/ITIS.sqlite".utf8, database)
    let zip = try folder.write(builder.archive, to: "itisSqlite.zip")
    #expect {
      try SourceRecognition(path: zip)
    } throws: {
      "\($0)".contains("x/ITIS.sqlite in it is a database of SQLite; name that file, unpacked")
    }
  }

  private static let qiime = """
    Feature ID\tTaxon\tConfidence
    a1\tk__Fungi; p__Ascomycota; c__Eurotiomycetes; g__Aspergillus; s__Aspergillus_niger\t0.9
    a2\tk__Fungi; p__Ascomycota; c__Eurotiomycetes; g__Aspergillus; s__Aspergillus_niger\t0.8

    """

  @Test func lineagesOfQIIMEAreRead() throws {
    let made = try made("taxonomy.tsv", Self.qiime)
    #expect(
      try made.taxa == [
        "class Eurotiomycetes < Ascomycota", "genus Aspergillus < Eurotiomycetes",
        "kingdom Fungi", "phylum Ascomycota < Fungi", "species Aspergillus niger < Aspergillus",
      ])
    #expect(made.outcomes("taxonomy.tsv") == ["taxon": 1, "joined": 1])
    #expect(
      made.report.sources[0].files[0].unreadColumns == [
        "Feature ID": "the mapping does not name it", "Confidence": "the mapping does not name it",
      ])
  }

  private static func archive(_ rows: String, columns: [String]) -> [String: String] {
    let term = "http://rs.tdwg.org/dwc/terms/"
    let fields = columns.enumerated().map { "<field index=\"\($0)\" term=\"\(term)\($1)\"/>" }
    return [
      "meta.xml": """
      <archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml"><core encoding="UTF-8"
        fieldsTerminatedBy="," fieldsEnclosedBy='"' linesTerminatedBy="\\n" ignoreHeaderLines="1"
        rowType="\(term)Taxon"><files><location>t.csv</location></files><id index="0"/>
        \(fields.joined())</core></archive>
      """,
      "t.csv": columns.joined(separator: ",") + "\n" + rows,
    ]
  }

  /// What an archive is of: its ids say it, or its own title.
  @Test(arguments: [
    (
      "https://www.inaturalist.org/taxa/1", "", "iNaturalist's taxonomy", SourceKind.dwca,
      "inaturalist"
    ),
    ("wfo-7000000323", "", "World Flora Online", .dwca, "wfo"),
    ("1", "GBIF Backbone\n  Taxonomy", "the GBIF backbone", .gbif, "gbif"),
    ("1", "A list\n of mine", "A list of mine, a Darwin Core archive", .dwca, "-"),
    ("1", "", "a Darwin Core archive", .dwca, "-"),
  ])
  func archivesAreCalledByWhatTheyAreOf(
    _ id: String, _ title: String, _ name: String, _ kind: SourceKind, _ space: String
  ) throws {
    let folder = try TemporaryFolder()
    var files = Self.archive(
      "\(id),Aus,genus\n", columns: ["taxonID", "scientificName", "taxonRank"])
    if !title.isEmpty {
      files["eml.xml"] = "<eml><dataset><title>\(title)</title></dataset></eml>"
    }
    for (file, text) in files { try folder.write(Array(text.utf8), to: file) }
    let found = try SourceRecognition(path: folder.path)
    #expect(found.kind == kind && found.title.hasPrefix(name), "\(found.title)")
    let made = try MadeDatabase(found.kind, folder.path)
    #expect(
      try made.rows("SELECT value FROM dataset WHERE key = 'id_space'")
        == (space == "-" ? [] : [space]))
  }

  /// The sheet that was told is the one that is read; another one may be asked for.
  @Test func aSheetAmongOthersIsRead() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("Clements Checklist\tv2024\nby Cornell\t\n".utf8), to: "Read me.tsv")
    try folder.write(Array(Self.clements.utf8), to: "Clements.csv")
    try folder.write(Array(Self.mdd.utf8), to: "Mammals.csv")
    let found = try SourceRecognition(path: folder.path)
    #expect(found.mapping == "clements" && found.table == "Clements.csv")
    let source = IngestSource(
      kind: found.kind, path: folder.path, mappingPath: found.mapping, table: found.table)
    let report = try Ingestion(source).write(to: folder("x.sqlite"))
    #expect(report.sources[0].files.map(\.name) == ["Clements.csv"])
    #expect(
      report.sources[0].unreadFiles["Mammals.csv"] == "another table is read: Clements.csv")
    let other = try SourceRecognition(path: folder.path, table: "Mammals.csv")
    #expect(other.mapping == "mdd" && other.table == "Mammals.csv")
    #expect {
      try SourceRecognition(path: folder.path, table: "Birds")
    } throws: { "\($0)".contains("there is no table Birds in it, but Clements.csv") }
  }

  private func made(_ name: String, _ text: String) throws -> MadeDatabase {
    let folder = try TemporaryFolder()
    try folder.write(Array(text.utf8), to: name)
    let found = try SourceRecognition(path: folder(name))
    return try MadeDatabase(found.kind, folder(name), mappingPath: found.mapping)
  }

  @Test func gtdbKeepsItsPlaceholders() throws {
    let made = try made("bac120_taxonomy.tsv", Self.gtdb)
    #expect(
      try made.rows(
        """
        SELECT t.rank, t.scientific_name, p.scientific_name FROM taxa t
        JOIN taxa p ON p.id = t.parent_id
        WHERE t.rank IN ('family', 'genus', 'species', 'phylum') ORDER BY 1, 2
        """) == [
          "family|Bacillaceae_G|Bacillales", "family|Enterobacteriaceae|Enterobacterales",
          "genus|Bacillus_A|Bacillaceae_G", "genus|Escherichia|Enterobacteriaceae",
          "phylum|Bacillota|Bacteria", "phylum|Pseudomonadota|Bacteria",
          "phylum|Thermoproteota|Archaea", "species|Bacillus_A anthracis|Bacillus_A",
          "species|Escherichia coli|Escherichia",
        ])
    #expect(made.outcomes("bac120_taxonomy.tsv") == ["taxon": 3, "joined": 1])
    #expect(made.unaccounted == [])
    #expect(made.report.totals.impliedRoots == 1)
  }

  /// GTDB publishes bacteria and archaea as two tables.
  @Test func bothTablesOfGTDBAreOneSource() throws {
    let folder = try TemporaryFolder()
    let archaea = "RS_GCF_000000002.1\td__Archaea;p__Thermoproteota;c__Thermoproteia\n"
    try folder.write(Array(archaea.utf8), to: "ar53_taxonomy.tsv")
    try folder.write(Array(Self.gtdb.utf8), to: "bac120_taxonomy.tsv")
    try folder.write(
      Array("accession\tgtdb_taxonomy\tsize\na\tb;c\t1\n".utf8), to: "ar53_metadata.tsv")
    let found = try SourceRecognition(path: folder.path)
    let made = try MadeDatabase(found.kind, folder.path, mappingPath: found.mapping)
    #expect(
      try made.taxa.filter { $0.contains("Archaea") || $0.contains("implied") } == [
        "domain Archaea < implied root", "domain Bacteria < implied root", "no rank implied root",
        "phylum Thermoproteota < Archaea",
      ])
    #expect(made.outcomes("ar53_taxonomy.tsv") == ["taxon": 1])
    // Its last row is about a phylum of which the other table has a class.
    #expect(made.outcomes("bac120_taxonomy.tsv") == ["taxon": 2, "joined": 2])
    #expect(made.report.sources[0].unreadFiles.keys.sorted() == ["ar53_metadata.tsv"])
    #expect(made.unaccounted == [])
  }

  @Test func silvaHasItsIDsAndRanks() throws {
    let made = try made("tax_slv_ssu_138.2.txt", Self.silva)
    #expect(
      try made.rows("SELECT source_id, rank, scientific_name FROM taxa ORDER BY id") == [
        "2|domain|Archaea", "11084|phylum|Aenigmarchaeota",
        "11085|class|Deep Sea Euryarchaeotic Group(DSEG)",
      ])
    #expect(made.unaccounted == [])
  }

  @Test func namesOfTheOtherTablesAreWords() throws {
    #expect(
      try made("unite.txt", Self.unite).taxa.contains("species Aspergillus niger < Aspergillus"))
    let mammals = try made("MDD_v2.csv", Self.mdd)
    #expect(try mammals.taxa.contains("species Panthera leo Linnaeus < Panthera"))
    #expect(try mammals.rows("SELECT name FROM names") == ["Lion", "African Lion"])
    for (name, text) in [("Clements-2024.csv", Self.clements), ("ebird.csv", Self.ebird)] {
      #expect(
        try made(name, text).taxa.contains { $0.hasPrefix("species Struthio camelus < Struthio") },
        "\(name)")
    }
    #expect(
      try made("Clements-2024.csv", Self.clements).taxa
        .contains("family Struthionidae < Struthioniformes"))
    #expect(
      try made("Clements-2024.csv", Self.clements).taxa
        .contains("subspecies Struthio camelus camelus < Struthio camelus"))
  }

  /// `classification.csv` of World Flora Online: tabs between quoted fields.
  private static let wfo = """
    "taxonID"\t"scientificNameID"\t"localID"\t"scientificName"\t"taxonRank"\t"parentNameUsageID"\t"scientificNameAuthorship"\t"family"\t"genus"\t"specificEpithet"\t"infraspecificEpithet"\t"nomenclaturalStatus"\t"namePublishedIn"\t"taxonomicStatus"\t"acceptedNameUsageID"\t"majorGroup"
    "wfo-7000000323"\t""\t""\t"Rosaceae"\t"family"\t""\t"Juss."\t"Rosaceae"\t""\t""\t""\t"Valid"\t"Gen. Pl.: 334 (1789)"\t"Accepted"\t""\t"A"
    "wfo-4000033320"\t""\t""\t"Rosa"\t"genus"\t"wfo-7000000323"\t"L."\t"Rosaceae"\t"Rosa"\t""\t""\t"Valid"\t""\t"Accepted"\t""\t"A"
    "wfo-0001007979"\t"1"\t"x"\t"Rosa canina"\t"species"\t"wfo-4000033320"\t"L."\t"Rosaceae"\t"Rosa"\t"canina"\t""\t"Valid"\t"Sp. Pl.: 491 (1753)"\t"Accepted"\t""\t"A"
    "wfo-0001008000"\t""\t""\t"Rosa leucantha"\t"species"\t""\t"Loisel."\t"Rosaceae"\t"Rosa"\t"leucantha"\t""\t"Illegitimate"\t""\t"Synonym"\t"wfo-0001007979"\t"A"

    """

  @Test(arguments: [nil, "wfo"])
  func worldFloraOnlineHasNoQuotesInItsNames(_ mapping: String?) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.wfo.utf8), to: "classification.csv")
    let found = try SourceRecognition(path: path)
    #expect(found.kind == .dwca && found.title.contains("World Flora Online"))
    let made = try MadeDatabase(mapping == nil ? found.kind : .csv, path, mappingPath: mapping)
    #expect(
      try made.taxa == [
        "family Rosaceae Juss.", "genus Rosa L. < Rosaceae", "species Rosa canina L. < Rosa",
      ])
    #expect(try made.synonyms == ["Rosa leucantha Loisel. = Rosa canina"])
    #expect(
      try made.rows("SELECT source_id FROM taxa WHERE rank = 'species'") == ["wfo-0001007979"])
    #expect(
      try made.rows("SELECT citation FROM refs ORDER BY 1")
        == ["Gen. Pl.: 334 (1789)", "Sp. Pl.: 491 (1753)"])
    #expect(made.unaccounted == [])
    #expect(try made.rows("SELECT value FROM dataset WHERE key = 'id_space'") == ["wfo"])
    #expect(made.report.sources[0].name == "World Flora Online")
    #expect(made.report.sources[0].url == "https://www.worldfloraonline.org")
  }

  /// iNaturalist's archive: ancestors in columns and by id, and a file of names for each language, whose
  /// lexicon says what the language does not.
  @Test func iNaturalistHasALexicon() throws {
    let term = "http://rs.tdwg.org/dwc/terms/"
    let vernacular = { (file: String) in
      """
      <extension encoding="UTF-8" linesTerminatedBy="\\n" fieldsTerminatedBy="," fieldsEnclosedBy='"'
        ignoreHeaderLines="1" rowType="http://rs.gbif.org/terms/1.0/VernacularName">
        <files><location>\(file)</location></files><coreid index="0"/>
        <field index="1" term="\(term)vernacularName"/><field index="2" term="http://purl.org/dc/terms/language"/>
        <field index="3" term="\(term)locality"/><field index="4" term="\(term)countryCode"/>
        <field index="5" term="http://purl.org/dc/terms/source"/>
        <field index="6" term="https://www.inaturalist.org/terms/lexicon"/></extension>
      """
    }
    let columns = [
      "taxonID", "identifier", "parentNameUsageID", "kingdom", "phylum", "class", "order", "family",
      "genus", "specificEpithet", "infraspecificEpithet", "modified", "scientificName", "taxonRank",
    ]
    let made = try MadeDatabase(
      .dwca,
      files: [
        "meta.xml": """
        <archive xmlns="http://rs.tdwg.org/dwc/text/"><core encoding="UTF-8" linesTerminatedBy="\\n"
          fieldsTerminatedBy="," fieldsEnclosedBy='"' ignoreHeaderLines="1" rowType="\(term)Taxon">
          <files><location>taxa.csv</location></files><id index="0"/>
          \(columns.enumerated().map { "<field index=\"\($0 + 1)\" term=\"\(term)\($1)\"/>" }.joined())
        </core>\(vernacular("VernacularNames-english.csv"))\(vernacular("VernacularNames-other.csv"))</archive>
        """,
        "taxa.csv": """
        id,\(columns.joined(separator: ","))
        1,https://www.inaturalist.org/taxa/1,https://www.inaturalist.org/taxa/1,,Animalia,,,,,,,,2021-11-02,Animalia,kingdom
        3,https://www.inaturalist.org/taxa/3,https://www.inaturalist.org/taxa/3,https://www.inaturalist.org/taxa/1,Animalia,Chordata,Aves,,,,,,2021-11-01,Aves,class
        7,https://www.inaturalist.org/taxa/7,https://www.inaturalist.org/taxa/7,https://www.inaturalist.org/taxa/3,Animalia,Chordata,Aves,Gruiformes,Aramidae,Aramus,guarauna,,2021-11-01,Aramus guarauna,species

        """,
        "VernacularNames-english.csv": """
        id,vernacularName,language,locality,countryCode,source,lexicon,contributor,created
        7,Limpkin,en,"","",,English,,2008-03-13
        7,Carrao,,"","",,Spanish,,2008-03-13

        """,
        "VernacularNames-other.csv": """
        id,vernacularName,language,locality,countryCode,source,lexicon,contributor,created
        7,LIMP,und,"","",,AOU 4-Letter Codes,,2008-03-13

        """,
      ])
    #expect(
      try made.rows(
        "SELECT name, lang, status_text FROM names ORDER BY name") == [
          "Carrao|es|-", "LIMP|und|AOU 4-Letter Codes", "Limpkin|en|-",
        ])
    #expect(try made.taxa.contains("species Aramus guarauna < Aves"))
    #expect(made.unaccounted == [])
  }

  @Test func aMappingOfLineagesMayNameAnySign() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("a\tLife|Animalia|Felidae\n".utf8), to: "t.tsv")
    try folder.write(
      Array("columns: key, way\nlineage = way [|]\n".utf8), to: "t.map")
    let made = try MadeDatabase(.csv, folder("t.tsv"), mappingPath: folder("t.map"))
    #expect(
      try made.taxa == ["no rank Animalia < Life", "no rank Felidae < Animalia", "no rank Life"])
  }
}
