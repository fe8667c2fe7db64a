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
        "Aus bus|species", "Aus cus|species", "Aus dus|species", "Aus gus|species",
      ])
    #expect(found.results[1] == ["Aus eus|Aus bus", "Aus eus|Aus cus", "Aus fus|Aus dus"])
    #expect(found.report.sources[0].findings["synonymProParte"]?.count == 1)
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
      ["taxa.txt": table], "SELECT scientific_name, author, year FROM taxa ORDER BY id",
      "SELECT scientific_name, into_id FROM collapsed_taxa")
    #expect(
      found.results[0] == [
        "Aidae|Smith|NULL", "Aus|Miller, 1900|1900", "Aus bus|(L., 1758)|1758",
      ])
    #expect(found.results[1].count == 1)
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
      "SELECT name, author, rank FROM names JOIN name_details ON name_id = names.id",
      "SELECT taxon_id, citation FROM refs", "SELECT id, into_id FROM collapsed_taxa",
      kind: .gbif)
    #expect(
      found.results[0] == [
        "1|NULL|kingdom|Animalia|NULL|NULL|accepted",
        "2|1|species|Aus bus|(L., 1758) Müller, 1800|1800|doubtful",
        "4|1|species|Abies alba × nigra|NULL|NULL|accepted",
      ])
    #expect(found.results[1] == ["Bus bus bus|L.|subspecies"])
    #expect(found.results[2] == ["2|Syst. nat. 10"])
    #expect(found.results[3] == ["5|1"])
  }
}
