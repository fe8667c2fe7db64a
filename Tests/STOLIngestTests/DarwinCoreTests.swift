import Foundation
import GRDB
import STOLIngest
import STOLFormats
import TestSupport
import Testing

/// Small Darwin Core archives, each with one oddity.
struct DarwinCoreTests {
  /// Ingests a folder of files and gives what queries find.
  private func ingest(
    _ files: [String: String], _ queries: String..., kind: SourceKind = .dwca
  ) throws -> (results: [[String]], report: IngestReport) {
    let folder = try TemporaryFolder()
    let source = folder("source")
    try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
    for (name, text) in files { try folder.write(Array(text.utf8), to: "source/" + name) }
    let report = try Ingestion(IngestSource(kind: kind, path: source))
      .write(to: folder("taxa.sqlite"))
    for file in report.sources[0].files {
      #expect(file.outcomes.values.reduce(0, +) == file.rows, "\(file.name)")
    }
    let queue = try DatabaseQueue(path: folder("taxa.sqlite"))
    let results = try queue.read { database in
      try queries.map { sql in
        try Row.fetchAll(database, sql: sql).map { row in
          row.databaseValues.map { String.fromDatabaseValue($0) ?? "\($0)" }
            .joined(separator: "|")
        }
      }
    }
    return (results, report)
  }

  private let taxa = "SELECT scientific_name, rank FROM taxa ORDER BY rank, scientific_name"
  private let synonyms = """
    SELECT names.name, taxa.scientific_name FROM names JOIN taxa ON taxa.id = taxon_id
    WHERE name_type = 'synonym' ORDER BY 1, 2
    """

  @Test func takesSeveralAcceptedIDsApartUnlessTheyAreOne() throws {
    let table = """
      taxonID,scientificName,taxonRank,acceptedNameUsageID
      1,Aus bus,species,
      2,Aus cus,species,2
      3;x,Aus dus,species,NULL
      4,Aus eus,species,1;2
      5,Aus fus,species,3;x
      6,Aus gus,no such rank,\\N
      """
    let found = try ingest(["taxa.csv": table], taxa, synonyms)
    #expect(
      found.results[0] == [
        "Aus gus|no such rank", "Aus bus|species", "Aus cus|species", "Aus dus|species",
      ])
    #expect(found.results[1] == ["Aus eus|Aus bus", "Aus eus|Aus cus", "Aus fus|Aus dus"])
    #expect(found.report.sources[0].findings["synonymProParte"]?.count == 1)
  }

  /// The list of species that GBIF makes of a download.
  @Test func takesTheIDsOfGBIFsListsOfSpecies() throws {
    let table = """
      taxonKey\tscientificName\tacceptedTaxonKey\tacceptedScientificName\ttaxonRank\ttaxonomicStatus\tkingdom
      11\tAus bus L.\t11\tAus bus L.\tSPECIES\tACCEPTED\tAnimalia
      12\tAus cus L.\t11\tAus bus L.\tSPECIES\tSYNONYM\tAnimalia
      """
    let found = try ingest(
      ["species.csv": table], "SELECT source_id, scientific_name FROM taxa WHERE rank = 'species'",
      "SELECT source_id, name, taxon_id FROM names WHERE name_type = 'synonym'")
    #expect(found.results == [["11|Aus bus"], ["12|Aus cus|11"]])
  }

  /// What Excel and R write quotes around, whatever meta.xml says.
  @Test func fieldsInQuotesHaveNoneInNames() throws {
    let term = "http://rs.tdwg.org/dwc/terms/"
    let meta = """
      <archive xmlns="http://rs.tdwg.org/dwc/text/"><core encoding="UTF-8" fieldsTerminatedBy="\\t"
        linesTerminatedBy="\\n" fieldsEnclosedBy="" ignoreHeaderLines="1" rowType="\(term)Taxon">
        <files><location>taxa.txt</location></files><id index="0"/>
        <field index="1" term="\(term)scientificName"/>
        <field index="2" term="\(term)scientificNameAuthorship"/>
        <field index="3" term="\(term)taxonRank"/></core></archive>
      """
    let table = """
      taxonID\tscientificName\tscientificNameAuthorship\ttaxonRank
      1\tPanthera leo\t"(Linnaeus, 1758)"\tspecies
      2\tPanthera onca\t"(Linnaeus, ""1758"")"\tspecies
      3\tPanthera "uncia\t\tspecies
      4\tPanthera pardus\t\tspecies

      """
    for files in [["taxa.txt": table], ["taxa.txt": table, "meta.xml": meta]] {
      let found = try ingest(
        files, "SELECT source_id, author FROM taxa ORDER BY id LIMIT 2", "SELECT count(*) FROM taxa"
      )
      #expect(
        found.results == [["1|(Linnaeus, 1758)", "2|(Linnaeus, \"1758\")"], ["4"]],
        "\(files.keys)")
    }
  }

  /// A column that says what rows are based on makes no sightings of taxa; sightings are refused.
  @Test(arguments: [
    (
      "taxonID,scientificName,taxonRank,basisOfRecord,taxonomicStatus\n1,Aus bus,species,Taxon,accepted",
      true
    ),
    ("taxonID,scientificName,taxonRank,basisOfRecord\n1,Aus bus,species,Taxon", true),
    ("scientificName,basisOfRecord\nAus bus,HumanObservation", false),
    ("occurrenceID,scientificName,taxonRank\n1,Aus bus,species", false),
    ("occurrenceID,scientificName,taxonomicStatus,eventDate\n1,Aus bus,accepted,2020", false),
    ("taxonID,scientificName,basisOfRecord,eventDate\n1,Aus bus,HumanObservation,2020", false),
    ("scientificName,decimalLatitude,eventDate\nAus bus,1,2020", false),
  ])
  func sightingsAreToldFromChecklists(_ table: String, _ isChecklist: Bool) throws {
    do {
      let found = try ingest(["t.csv": table + "\n"], taxa)
      #expect(isChecklist && found.results[0].count == 1)
    } catch let error as FormatError {
      #expect(!isChecklist && error.description.contains("sightings"), "\(error)")
    }
  }

  /// What is left of other layouts is known to others, and the report says to whom.
  @Test func otherLayoutsThanColDPAreNamed() throws {
    let core = "taxonID\tscientificName\ttaxonRank\n1\tBus\tgenus\n"
    let dump = "1\t|\t1\t|\tno rank\t|\n9\t|\t1\t|\tgenus\t|\n"
    let names =
      "1\t|\troot\t|\t\t|\tscientific name\t|\n9\t|\tCus\t|\t\t|\tscientific name\t|\n"
    let species = "AcceptedTaxonID\tGenus\tSpeciesEpithet\n1\tDus\teus\n"
    let lineages = "G1\td__Bacteria;p__Bacillota\n"
    let folder = try TemporaryFolder()
    for (name, text) in [
      "Taxon.tsv": core, "nodes.dmp": dump, "names.dmp": names, "AcceptedSpecies.txt": species,
      "bac120_taxonomy.tsv": lineages, "notes.tsv": "a\tb\n1\t2\n",
    ] { try folder.write(Array(text.utf8), to: name) }
    let unknown = "no reader of this kind of source knows it"
    let dwca = "another layout, a Darwin Core table: alone, stol ingest dwca reads it"
    let ncbi = "another layout, NCBI Taxonomy's dump: stol ingest ncbi reads it"
    let acef = "another layout, ACEF: stol ingest acef reads it"
    let gtdb =
      "another layout, GTDB: stol ingest csv --mapping gtdb --table bac120_taxonomy.tsv reads it"
    let archive = try MadeDatabase(.dwca, folder.path)
    #expect(try archive.taxa == ["genus Bus"])
    #expect(
      archive.report.sources[0].unreadFiles == [
        "nodes.dmp": ncbi, "names.dmp": ncbi, "AcceptedSpecies.txt": acef,
        "bac120_taxonomy.tsv": gtdb, "notes.tsv": unknown,
      ])
    let taxonomy = try MadeDatabase(.ncbi, folder.path)
    #expect(
      taxonomy.report.sources[0].unreadFiles == [
        "Taxon.tsv": dwca, "AcceptedSpecies.txt": acef, "bac120_taxonomy.tsv": gtdb,
        "notes.tsv": unknown,
      ])
    let checklist = try MadeDatabase(.acef, folder.path)
    #expect(
      checklist.report.sources[0].unreadFiles == [
        "nodes.dmp": ncbi, "names.dmp": ncbi, "Taxon.tsv": dwca, "bac120_taxonomy.tsv": gtdb,
        "notes.tsv": unknown,
      ])
  }

  /// Each of two layouts has the title that its own description says.
  @Test func descriptionsAreThoseOfTheirLayouts() throws {
    let term = "http://rs.tdwg.org/dwc/terms/"
    for (file, isEML) in [("eml.xml", true), ("famous.xml", true), ("none.xml", false)] {
      let folder = try TemporaryFolder()
      var files = [
        "metadata.yaml": "title: The package\n",
        "NameUsage.tsv": "ID\tscientificName\trank\tstatus\na\tAus\tgenus\taccepted\n",
        "taxon.txt": "taxonID\tscientificName\ttaxonRank\n1\tBus\tgenus\n",
        "meta.xml": """
        <archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="\(file)"><core encoding="UTF-8"
          fieldsTerminatedBy="\\t" linesTerminatedBy="\\n" ignoreHeaderLines="1" rowType="\(term)Taxon">
          <files><location>taxon.txt</location></files><id index="0"/>
          <field index="1" term="\(term)scientificName"/><field index="2" term="\(term)taxonRank"/></core></archive>
        """,
      ]
      if isEML { files[file] = "<eml><dataset><title>The archive</title></dataset></eml>" }
      for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
      let archive = try MadeDatabase(.dwca, folder.path).report.sources[0]
      #expect(archive.name == (isEML ? "The archive" : "The package"))
      #expect(archive.unreadFiles[file] == (isEML ? "it describes the dataset" : nil))
      #expect(try SourceRecognition(path: folder.path).title.hasPrefix(archive.name))
      #expect(try MadeDatabase(.coldp, folder.path).report.sources[0].name == "The package")
    }
  }

  /// Two layouts of one data set: one is read, and the report says how to read the other.
  @Test func anotherLayoutInTheSameFolderIsNamed() throws {
    let term = "http://rs.tdwg.org/dwc/terms/"
    let folder = try TemporaryFolder()
    for (name, text) in [
      "NameUsage.tsv": "ID\tscientificName\trank\tstatus\na\tAus\tgenus\taccepted\n",
      "taxon.txt": "taxonID\tscientificName\ttaxonRank\n1\tBus\tgenus\n",
      "meta.xml": """
      <archive xmlns="http://rs.tdwg.org/dwc/text/"><core encoding="UTF-8" fieldsTerminatedBy="\\t"
        linesTerminatedBy="\\n" ignoreHeaderLines="1" rowType="\(term)Taxon">
        <files><location>taxon.txt</location></files><id index="0"/>
        <field index="1" term="\(term)scientificName"/><field index="2" term="\(term)taxonRank"/></core></archive>
      """,
    ] { try folder.write(Array(text.utf8), to: name) }
    let found = try SourceRecognition(path: folder.path)
    #expect(found.kind == .dwca)
    #expect(found.title.contains("NameUsage.tsv is of another layout, ColDP"))
    let archive = try MadeDatabase(.dwca, folder.path)
    #expect(try archive.taxa == ["genus Bus"])
    #expect(
      archive.report.sources[0].unreadFiles["NameUsage.tsv"]
        == "another layout, ColDP: stol ingest coldp reads it")
    let package = try MadeDatabase(.coldp, folder.path)
    #expect(try package.taxa == ["genus Aus"])
    #expect(package.report.sources[0].files.map(\.name) == ["NameUsage.tsv"])
    #expect(
      package.report.sources[0].unreadFiles["taxon.txt"]?.contains("stol ingest dwca") ?? false)
    let tables = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv": "taxonID,scientificName,taxonRank\n1,Bus,genus\n",
        "taxa.tsv": "taxonID\tscientificName\ttaxonRank\n2\tCus\tgenus\n",
        "names.csv": "taxonID,vernacularName\n1,bus\n",
      ])
    #expect(try tables.taxa == ["genus Bus"])
    #expect(tables.report.sources[0].files.map(\.name) == ["taxa.csv", "names.csv"])
    #expect(
      tables.report.sources[0].unreadFiles["taxa.tsv"]?.hasPrefix("another table of taxa") ?? false)
  }

  /// Whatever the row says of a name is in its record.
  @Test func keepsTheRecordOfAName() throws {
    let table = """
      taxonID\tscientificName\tscientificNameAuthorship\ttaxonRank\ttaxonomicStatus\tnomenclaturalCode\tnomenclaturalStatus\tacceptedNameUsageID\tnamePublishedIn
      007\tAus bus\tL. sensu Busch, 1930\tsubsp.\tvalid\tICZN\t\t\tBook 1
      2\tBus bus\tMill. ex Roe, 1800\tvarietas\tmisapplied name\tICN\tnom. illeg.\t007\tBook 2
      2b\tCus bus\tauct. non L.\t\tSYNONYM\t\tnom. nud.\t007\tBook 1

      """
    let found = try ingest(
      ["taxa.txt": table],
      "SELECT source_id, rank, author, status, status_text, code, sensu, source FROM taxa",
      """
      SELECT source_id, name, rank, author, year, status, status_text, code, sensu, source
      FROM names ORDER BY 1
      """,
      "SELECT citation, name FROM refs LEFT JOIN names ON names.id = name_id ORDER BY 1, 2",
      "SELECT count(*) FROM merged_taxa")
    #expect(
      found.results[0] == ["007|subspecies|L.|accepted|valid|ICZN|sensu Busch, 1930|1"])
    #expect(
      found.results[1] == [
        "2|Bus bus|varietas|Mill. ex Roe, 1800|1800|misapplied|misapplied name; nom. illeg.|ICN|NULL|1",
        "2b|Cus bus|species|NULL|NULL|misapplied|SYNONYM; nom. nud.|NULL|auct. non L.|1",
      ])
    #expect(found.results[2] == ["Book 1|NULL", "Book 1|Cus bus", "Book 2|Bus bus"])
    #expect(found.results[3] == ["0"])
  }

  /// A root is implied above several domains, kingdoms or realms, and above nothing else.
  @Test(arguments: [false, true])
  func impliesARootAboveKingdoms(isImplied: Bool) throws {
    let words = ["kingdom", "realm", "superkingdom", "domain", "phylum", "no rank"]
    for first in words {
      for second in words {
        let folder = try TemporaryFolder()
        let table =
          "taxonID,scientificName,taxonRank\n1,Aia,\(first)\n2,Bia,\(second)\n3,Cia,order\n"
        try folder.write(Array(table.utf8), to: "taxa.csv")
        var ingestion = Ingestion(IngestSource(kind: .dwca, path: folder("taxa.csv")))
        ingestion.impliesRoot = isImplied
        let path = folder("taxa.sqlite")
        let report = try ingestion.write(to: path)
        let isAbove = isImplied && [first, second].allSatisfy { $0 != "phylum" && $0 != "no rank" }
        let parent = isAbove ? "-1" : "-"
        let expected = ["1|1|\(parent)|\(first)", "2|2|\(parent)|\(second)", "3|3|-|order"]
        #expect(
          try rows(path, "SELECT id, source_id, parent_id, rank FROM taxa ORDER BY id")
            == (isAbove ? ["-1|-|-|no rank"] : []) + expected)
        #expect(report.totals.taxa == 3)
        #expect(report.totals.impliedRoots == (isAbove ? 1 : 0))
        #expect(report.totals.roots == (isAbove ? 2 : 3))
        #expect(report.sources[0].findings["otherRoot"]?.count == (isAbove ? 1 : nil))
      }
    }
  }

  @Test func makesTaxaOfNamesThatHaveNoRow() throws {
    let table = """
      scientificName,taxonRank,parentNameUsage,acceptedNameUsage,family
      Aus bus L.,species,Aus Miller,,Aidae
      Aus cus L.,species,,Aus dus Miller,Aidae
      Aus Miller,genus,Aidae Smith,,Aidae
      """
    let found = try ingest(["taxa.csv": table], taxa, synonyms)
    #expect(
      found.results[0] == [
        "Aidae|family", "Aus|genus", "Aus bus|species", "Aus dus|species",
      ])
    #expect(found.results[1] == ["Aus cus|Aus dus"])
  }

  @Test func assemblesNamesOfParts() throws {
    let table = """
      id\ttaxonRank\tgenus\tspecificEpithet\tinfraspecificEpithet\tfamily\tscientificNameAuthorship
      1\tfamily\t\t\t\tAidae\tSmith
      2\tgenus\tAus\t\t\tAidae\tMiller, 1900
      3\t\tAus\tbus\t\tAidae\t(L., 1758)
      4\tsubspecies\tAus\tbus\tcus\tAidae\tL.
      5\tspecies\t\tbus\t\tAidae\tL.
      """
    let found = try ingest(
      ["taxa.txt": table], "SELECT scientific_name, author, year FROM taxa ORDER BY id")
    #expect(
      found.results[0] == [
        "Aidae|Smith|NULL", "Aus|Miller, 1900|1900", "Aus bus|(L., 1758)|1758",
        "Aus bus cus|L.|NULL",
      ])
    #expect(found.report.sources[0].findings["emptyName"]?.count == 1)
  }

  private let meta = """
    <archive xmlns="http://rs.tdwg.org/dwc/text/">
      <core fieldsTerminatedBy="," ignoreHeaderLines="0" rowType="http://rs.tdwg.org/dwc/terms/Taxon">
        <files><location>core.csv</location></files>
        <id index="0"/>
        <field index="1" term="http://rs.tdwg.org/dwc/terms/taxonID"/>
        <field index="2" term="http://rs.tdwg.org/dwc/terms/scientificName"/>
        <field default="Animalia" term="http://rs.tdwg.org/dwc/terms/kingdom"/>
      </core>
      <extension fieldsTerminatedBy="," rowType="http://rs.gbif.org/terms/1.0/SpeciesProfile">
        <files><location>profile.csv</location></files>
        <coreid index="0"/>
        <field index="1" term="http://rs.gbif.org/terms/1.0/isMarine"/>
        <field index="2" term="http://rs.gbif.org/terms/1.0/isFreshwater"/>
        <field index="3" term="http://rs.gbif.org/terms/1.0/massInGrams"/>
      </extension>
      <extension fieldsTerminatedBy="," rowType="http://rs.gbif.org/terms/1.0/Description">
        <files><location>description.csv</location></files>
        <coreid index="0"/>
        <field index="1" term="http://purl.org/dc/terms/type"/>
        <field index="2" term="http://purl.org/dc/terms/description"/>
      </extension>
      <extension fieldsTerminatedBy="," rowType="http://rs.gbif.org/terms/1.0/Distribution">
        <files><location>distribution.csv</location></files>
        <coreid index="0"/>
        <field index="1" term="http://iucn.org/terms/threatStatus"/>
      </extension>
      <extension fieldsTerminatedBy="," rowType="http://rs.gbif.org/terms/1.0/VernacularName">
        <files><location>names.csv</location></files>
        <coreid index="0"/>
        <field index="1" term="http://rs.tdwg.org/dwc/terms/vernacularName"/>
        <field index="2" term="http://purl.org/dc/terms/language"/>
        <field index="3" term="http://rs.gbif.org/terms/1.0/isPreferredName"/>
      </extension>
      <extension fieldsTerminatedBy="," rowType="http://rs.gbif.org/terms/1.0/Multimedia">
        <files><location>gone.csv</location></files>
        <coreid index="0"/>
      </extension>
    </archive>
    """

  @Test func readsExtensions() throws {
    let found = try ingest(
      [
        "meta.xml": meta, "core.csv": "a,1,Aus bus L.\nb,2,Aus cus L.\n",
        "profile.csv": "a,true,1,12.5\nb,false,,0\n",
        "description.csv":
          "a,habit,\"herb, shrub\"\nb,biology,\"It lives long. It eats little.\"\n",
        "distribution.csv": "a,Vulnerable\nb,\n",
        "names.csv": "a,lion,English,true\nz,tiger,en,\nb,,en,\n",
      ],
      "SELECT taxon_id, trait_key, trait_value, unit FROM traits ORDER BY id",
      "SELECT scientific_name, conservation FROM taxa ORDER BY id",
      "SELECT taxon_id, name, lang, is_preferred FROM names")
    #expect(
      found.results[0] == [
        "1|habitat|marine|NULL", "1|habitat|freshwater|NULL", "1|body_mass|12.5|g",
        "1|habit|herb|NULL", "1|habit|shrub|NULL",
      ])
    #expect(found.results[1] == ["Aus bus|VU", "Aus cus|NULL", "Animalia|NULL"])
    #expect(found.results[2] == ["1|lion|en|1"])
    let findings = found.report.sources[0].findings
    #expect(findings["missingTable"]?.count == 1 && findings["unknownTaxon"]?.count == 1)
    let outcomes = found.report.sources[0].files.map { $0.outcomes }
    #expect(outcomes[1] == ["trait": 1, "ignored": 1])
    #expect(outcomes[3] == ["conservation": 1, "ignored": 1])
    #expect(outcomes[4] == ["vernacular": 1, "unknownTaxon": 1, "emptyName": 1])
  }

  @Test func saysWhatIsNoArchive() throws {
    #expect(throws: FormatError.self) { try ingest(["readme.txt": "nothing\n"]) }
    #expect(throws: IngestError.self) {
      try ingest(["taxa.csv": "taxonID,scientificName,taxonomicStatus\n1,Aus bus,synonym\n"])
    }
  }

  @Test func readsTheBackboneInItsSimpleForm() throws {
    func row(_ values: [Int: String]) -> String {
      (0..<30).map { values[$0] ?? "\\N" }.joined(separator: "\t") + "\n"
    }
    let table =
      row([0: "1", 3: "f", 4: "ACCEPTED", 5: "KINGDOM", 18: "Animalia", 19: "Animalia"])
      + row([
        0: "2", 1: "1", 3: "f", 4: "DOUBTFUL", 5: "SPECIES", 18: "Aus bus (L., 1758) Müller, 1800",
        19: "Aus bus", 24: "Müller", 25: "1800", 26: "L.", 27: "1758", 28: "Syst. nat. 10",
      ])
      + row([
        0: "3", 1: "2", 3: "t", 4: "HETEROTYPIC_SYNONYM", 5: "SUBSPECIES", 19: "Bus bus bus",
        24: "L.",
      ])
      + row([0: "4", 1: "1", 3: "f", 4: "ACCEPTED", 5: "SPECIES", 18: "Abies alba × nigra"])
      + row([0: "5", 1: "1", 3: "f", 4: "ACCEPTED", 5: "SUBFAMILY", 19: "Ainae"])
    let found = try ingest(
      ["simple.txt": table],
      "SELECT id, parent_id, rank, scientific_name, author, year, status FROM taxa ORDER BY id",
      "SELECT source_id, name, author, rank, status, status_text FROM names",
      "SELECT taxon_id, citation, name_id FROM refs",
      "SELECT source_id, status_text FROM taxa WHERE status_text IS NOT NULL",
      kind: .gbif)
    #expect(
      found.results[0] == [
        "1|NULL|kingdom|Animalia|NULL|NULL|accepted",
        "2|1|species|Aus bus|(L., 1758) Müller, 1800|1800|provisional",
        "4|1|species|Abies alba × nigra|NULL|NULL|accepted",
        "5|1|subfamily|Ainae|NULL|NULL|accepted",
      ])
    #expect(found.results[1] == ["3|Bus bus bus|L.|subspecies|heterotypic|HETEROTYPIC_SYNONYM"])
    #expect(found.results[2] == ["2|Syst. nat. 10|NULL"])
    #expect(found.results[3] == ["2|DOUBTFUL"])
  }
}
