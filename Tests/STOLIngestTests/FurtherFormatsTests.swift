import Foundation
import GRDB
import STOLFormats
import TestSupport
import Testing

@testable import STOLIngest

/// Formats of the Catalogue of Life beside ColDP.
@Suite("ACEF, TextTree and SFGA")
struct FurtherFormatsTests {
  static let acef = [
    "AcceptedSpecies.txt": """
    AcceptedTaxonID,Kingdom,Phylum,Class,Order,Superfamily,Family,Genus,SubGenusName,SpeciesEpithet,AuthorString,GSDNameStatus,Sp2000NameStatus,IsExtinct,LifeZone,SpeciesURL
    s1,Animalia,Arthropoda,Insecta,Lepidoptera,Pterophoroidea,Pterophoridae,Agdistis,,adactyla,"(Hübner, 1819)",valid,accepted name,0,terrestrial,
    s2,Animalia,Arthropoda,Insecta,Lepidoptera,Pterophoroidea,Pterophoridae,Agdistis,Herbertia,bennetii,"(Curtis, 1833)",,provisionally accepted name,1,"terrestrial, brackish",
    s3,Animalia,Arthropoda,Insecta,Lepidoptera,,Not assigned,Aus,,bus,,,accepted name,,,

    """,
    "AcceptedInfraSpecificTaxa.txt": """
    AcceptedTaxonID,ParentSpeciesID,InfraSpeciesEpithet,InfraSpeciesAuthorString,InfraSpeciesMarker,Sp2000NameStatus
    i1,s1,minor,"Smith, 1900",subsp.,accepted name
    i2,s9,lost,,subsp.,accepted name

    """,
    "Synonyms.txt": """
    ID,AcceptedTaxonID,Genus,SubGenusName,SpeciesEpithet,AuthorString,InfraSpeciesEpithet,InfraSpeciesMarker,InfraSpeciesAuthorString,Sp2000NameStatus
    y1,s1,Alucita,,adactyla,"Hübner, 1819",,,,synonym
    ,s2,Adactylus,,bennetii,"Curtis, 1833",,,,ambiguous synonym
    ,s1,Agdistis,,adactyla,,nana,var.,Jones,misapplied name

    """,
    "CommonNames.txt":
      "AcceptedTaxonID,CommonName,TransliteratedName,Country,Language\ns1,Heidemotte,,Germany,German\n",
    "Distribution.txt": "AcceptedTaxonID,DistributionElement\ns1,Europe\n",
    "References.txt": """
    ReferenceID,Author,Year,Title,Details
    r1,"Gielis, C.",2003,Pterophoroidea,World Catalogue of Insects 4
    r2,Nobody,1900,Unused,

    """,
    "NameReferencesLinks.txt":
      "ID,ReferenceType,ReferenceID\ns1,TaxAccRef,r1\ny1,NomRef,r1\ns1,ComNameRef,r1\n",
    "SourceDatabase.txt":
      "DatabaseFullName,DatabaseVersion,ReleaseDate,HomeURL\nPlume moths,7,2020-01-02,https://example.org\n",
  ]

  @Test func acefGivesWhatItsTablesSay() throws {
    let made = try MadeDatabase(.acef, files: Self.acef)
    #expect(
      try made.taxa == [
        "class Insecta < Arthropoda", "family Not assigned < Lepidoptera",
        "family Pterophoridae < Pterophoroidea", "genus Agdistis < Pterophoridae",
        "genus Aus < Not assigned", "kingdom Animalia",
        "order Lepidoptera < Insecta", "phylum Arthropoda < Animalia",
        "species Agdistis (Herbertia) bennetii (Curtis, 1833) ? < Herbertia",
        "species Agdistis adactyla (Hübner, 1819) < Agdistis", "species Aus bus < Aus",
        "subgenus Herbertia < Agdistis",
        "subspecies Agdistis adactyla subsp. minor Smith, 1900 < Agdistis adactyla",
        "superfamily Pterophoroidea < Lepidoptera",
      ])
    #expect(
      try made.synonyms == [
        "Adactylus bennetii Curtis, 1833 = Agdistis (Herbertia) bennetii",
        "Agdistis adactyla var. nana Jones = Agdistis adactyla",
        "Alucita adactyla Hübner, 1819 = Agdistis adactyla",
      ])
    #expect(
      try made.rows("SELECT status FROM names WHERE name_type = 'synonym' ORDER BY name") == [
        "ambiguous", "misapplied", "synonym",
      ])
    #expect(
      try made.traits == [
        "Agdistis (Herbertia) bennetii extinct=true",
        "Agdistis (Herbertia) bennetii habitat=brackish",
        "Agdistis (Herbertia) bennetii habitat=terrestrial",
        "Agdistis adactyla habitat=terrestrial",
      ])
    #expect(
      try made.rows("SELECT name, lang FROM names WHERE name_type <> 'synonym'") == [
        "Heidemotte|de"
      ])
    #expect(try made.rows("SELECT count(*), count(DISTINCT name_id) FROM refs") == ["2|1"])
    #expect(made.count("unknownTaxon") == 1)
    #expect(made.unaccounted == [])
    let source = made.report.sources[0]
    #expect(source.name == "Plume moths" && source.release == "7")
    let unread = source.files.first { $0.name == "AcceptedSpecies.txt" }?.unreadColumns.keys
      .sorted()
    #expect(unread == ["SpeciesURL"])
  }

  @Test func aTextTreeGivesWhatItsLinesSay() throws {
    let made = try MadeDatabase(
      .txtree,
      files: [
        "firs.txtree": """
        # Trees of a garden
        Pinales [order]
          Pinaceae Spreng. ex F.Rudolphi [family]
            Abies Mill. [genus]
              Abies alba Mill. [species] {ID=17 VERN=de:Weißtanne,en:silver fir,, common ENV=terrestrial REF=x1}  # tall
                ≡$Pinus picea L. [species]
                =Abies pectinata (Lam.) DC. [species]
                Abies alba var. pendula [variety]
              †?Abies chaneyi Mason [species] {id=19}
        Pinales [order]

        """
      ])
    #expect(
      try made.taxa == [
        "family Pinaceae Spreng. ex F.Rudolphi < Pinales", "genus Abies Mill. < Pinaceae",
        "order Pinales", "order Pinales", "species Abies alba Mill. < Abies",
        "species Abies chaneyi Mason ? < Abies",
        "variety Abies alba var. pendula < Abies alba",
      ])
    #expect(
      try made.rows("SELECT source_id FROM taxa WHERE scientific_name = 'Abies chaneyi'") == ["19"])
    #expect(
      try made.synonyms == [
        "Abies pectinata (Lam.) DC. = Abies alba", "Pinus picea L. = Abies alba",
      ])
    #expect(
      try made.rows(
        "SELECT status, status_text FROM names WHERE name_type = 'synonym' ORDER BY name") == [
          "synonym|-", "homotypic|homotypic synonym; basionym",
        ])
    #expect(
      try made.rows("SELECT source_id FROM taxa WHERE scientific_name = 'Abies alba'") == ["17"])
    #expect(try made.traits == ["Abies alba habitat=terrestrial", "Abies chaneyi extinct=true"])
    #expect(
      try made.rows("SELECT name, lang FROM names WHERE name_type <> 'synonym' ORDER BY 1") == [
        "Weißtanne|de", "silver fir, common|en",
      ])
    #expect(made.unaccounted == [])
    #expect(
      made.report.sources[0].files[0].unreadColumns == [
        "REF": "references in this place are not read"
      ])
  }

  /// Encodings are told as those of tables are, and what was odd is counted alike.
  @Test(arguments: [
    ("latin", "windows1252"), ("little", ""), ("big", ""), ("marked", ""),
    ("mixed", "invalidEncoding"),
  ])
  func textTreesMayBeInAnyEncoding(_ encoding: String, _ finding: String) throws {
    let text = "Aus Müller [genus]\n  Aus bus [species]\n"
    let bytes: [UInt8] =
      switch encoding {
      case "latin": text.unicodeScalars.map { UInt8($0.value) }
      case "little": text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case "big": text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      case "marked": Array("\u{FEFF}Aus Müller [genus]\r\n  Aus bus [species]".utf8)
      default: Array("Aus Müller ".utf8) + [0xFC] + Array("[genus]\n  Aus bus [species]\n".utf8)
      }
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "tree.txt")
    let found = try SourceRecognition(path: path)
    #expect(found.kind == .txtree)
    let made = try MadeDatabase(.txtree, path)
    #expect(try made.taxa.first { $0.hasPrefix("genus") }?.hasPrefix("genus Aus Müller") ?? false)
    #expect(try made.taxa.contains { $0.hasPrefix("species Aus bus < Aus") })
    #expect(
      Set(made.report.sources[0].findings.keys)
        .intersection(["windows1252", "invalidEncoding"]) == Set([finding].filter { !$0.isEmpty }))
  }

  /// Names of higher taxa in columns are repaired as those of rows are; words that say that nothing is
  /// known stay.
  @Test func higherTaxaInCapitalsAreRepaired() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv": """
        taxonID,scientificName,taxonRank,class,order,family
        1,Aus bus,species,AVES,ARTIODACTYLA,FELIDAE
        2,Cus dus,species,Aves,Artiodactyla,felidae
        3,Eus fus,species,SAR,incertae sedis,unknown
        4,Gus hus,species,Aves,Not assigned,Felidae

        """
      ])
    let found = try made.rows(
      "SELECT scientific_name FROM taxa WHERE rank <> 'species' ORDER BY 1")
    #expect(
      found == [
        "Artiodactyla", "Aves", "Felidae", "Felidae", "Not assigned", "SAR", "incertae sedis",
        "unknown",
      ])
    #expect(made.count("nameCaseRepaired") == 4)
    #expect(made.unaccounted == [])
  }

  @Test func aLineThatNoTextTreeHasEndsTheReading() throws {
    let folder = try TemporaryFolder()
    let long = [UInt8](repeating: 0x61, count: 1 << 21)
    let path = try folder.write(Array("Aus [genus]\n".utf8) + long, to: "a.txtree")
    #expect {
      try MadeDatabase(.txtree, path)
    } throws: { "\($0)".contains("line 2: over 1048576 bytes") }
  }

  @Test(arguments: [
    ("Aus [genus]\n   Aus bus [species]\n", "line 2: it is indented by 3 spaces"),
    ("Aus [genus]\n\tAus bus [species]\n", "line 2: it is indented with something else"),
    ("Aus [genus]\n\n      Aus bus [species]\n", "line 3: it is indented by 6 spaces"),
  ])
  func aTreeThatIsIndentedBadlySaysWhere(_ text: String, _ part: String) throws {
    #expect {
      try MadeDatabase(.txtree, files: ["a.txtree": text])
    } throws: { "\($0)".contains(part) }
  }

  /// The trees that the Catalogue of Life expects of its test archives are TextTrees themselves, and
  /// `ExpectedTree` reads them without the reader.
  @Test(.enabled(if: !TestArchive.withTree.isEmpty), arguments: TestArchive.withTree)
  func expectedTreesReadAsTextTrees(_ archive: TestArchive) throws {
    // Of what a name is a synonym as well, only those trees say.
    let text = try #require(archive.text("expected.tree")).replacing(/\ pro-parte:\S+/, with: "")
    let made = try MadeDatabase(.txtree, files: ["a.txtree": text])
    let found = try made.queue.read { try TreeLines($0) }
    let expected = ExpectedTree(text).lines(isKept: { _ in true }, path: { _ in nil })
    let difference = found.difference(from: expected)
    #expect(difference.isEmpty, "\n\(difference.joined(separator: "\n"))")
    #expect(made.unaccounted == [])
  }

  /// Writes a small Species File Group Archive.
  static func writeSpeciesFiles(to path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE version (id TEXT);
          CREATE TABLE metadata (col__id INTEGER PRIMARY KEY, col__title TEXT, col__version TEXT);
          INSERT INTO metadata VALUES (1, 'Grasshoppers', '3');
          CREATE TABLE rank (id TEXT PRIMARY KEY, name TEXT); INSERT INTO rank VALUES ('SPECIES', 'species');
          CREATE TABLE name (col__id TEXT PRIMARY KEY, gn__scientific_name_string TEXT,
            col__scientific_name TEXT, col__authorship TEXT, col__rank_id TEXT, col__code_id TEXT,
            col__status_id TEXT, col__reference_id TEXT);
          INSERT INTO name VALUES ('n1', 'Acrida L.', 'Acrida', 'Linnaeus, 1758', 'GENUS', 'ZOOLOGICAL', 'ESTABLISHED', ''),
            ('n2', '', 'Acrida turrita', '(Linnaeus, 1758)', 'SPECIES', 'ZOOLOGICAL', '', 'r1'),
            ('n3', '', 'Gryllus turritus', 'Linnaeus, 1758', 'SPECIES', 'ZOOLOGICAL', '', '');
          CREATE TABLE taxon (col__id TEXT PRIMARY KEY, gn__local_id TEXT, col__parent_id TEXT,
            col__name_id TEXT, col__status_id TEXT, col__extinct INTEGER, col__environment_id TEXT,
            col__remarks TEXT);
          INSERT INTO taxon VALUES ('t1', 'x', '', 'n1', 'ACCEPTED', NULL, '', ''),
            ('t2', 'y', 't1', 'n2', 'PROVISIONALLY_ACCEPTED', 1, 'TERRESTRIAL,MARINE', 'two' || char(10) || 'lines');
          CREATE TABLE synonym (col__id TEXT, col__taxon_id TEXT, col__name_id TEXT, col__status_id TEXT);
          INSERT INTO synonym VALUES ('y1', 't2', 'n3', 'SYNONYM');
          CREATE TABLE vernacular (col__taxon_id TEXT, col__name TEXT, col__language TEXT, col__preferred INTEGER);
          INSERT INTO vernacular VALUES ('t2', 'Nasenschrecke', 'deu', 1);
          CREATE TABLE reference (col__id TEXT PRIMARY KEY, col__citation TEXT, col__doi TEXT);
          INSERT INTO reference VALUES ('r1', 'Systema Naturae', '');
          CREATE TABLE distribution (col__taxon_id TEXT, col__area TEXT);
          INSERT INTO distribution VALUES ('t2', 'Africa');
          """)
    }
    try queue.close()
  }

  @Test func anArchiveOfSpeciesFilesIsColDPInADatabase() throws {
    let folder = try TemporaryFolder()
    try Self.writeSpeciesFiles(to: folder("a.sqlite"))
    #expect(try SourceRecognition(path: folder("a.sqlite")).kind == .sfga)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let made = try MadeDatabase(.sfga, folder("a.sqlite"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
    #expect(
      try made.taxa == [
        "genus Acrida Linnaeus, 1758", "species Acrida turrita (Linnaeus, 1758) ? < Acrida",
      ])
    #expect(try made.synonyms == ["Gryllus turritus Linnaeus, 1758 = Acrida turrita"])
    #expect(
      try made.traits == [
        "Acrida turrita extinct=true", "Acrida turrita habitat=marine",
        "Acrida turrita habitat=terrestrial",
      ])
    #expect(
      try made.rows("SELECT name, lang FROM names WHERE name_type <> 'synonym'") == [
        "Nasenschrecke|de"
      ])
    #expect(
      try made.rows("SELECT source_id, code FROM taxa ORDER BY 1") == [
        "t1|zoological", "t2|zoological",
      ])
    #expect(try made.rows("SELECT citation FROM refs") == ["Systema Naturae"])
    #expect(made.unaccounted == [])
    #expect(made.report.sources[0].name == "Grasshoppers")
    #expect(made.report.sources[0].release == "3")
  }
}
