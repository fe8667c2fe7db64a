import STOLIngest
import TestSupport
import Testing

/// Columns with higher taxa of any rank.
@Suite("Columns of higher taxa")
struct HigherRankTests {
  private static let cats = """
    scientificName,taxonRank,phylum,subphylum,class,order,suborder,superfamily,family,subfamily,tribe,genus,subgenus
    Panthera leo,species,Chordata,Vertebrata,Mammalia,Carnivora,Feliformia,Feloidea,Felidae,Pantherinae,,Panthera,
    Panthera onca,species,Chordata,Vertebrata,Mammalia,Carnivora,Feliformia,Feloidea,Felidae,Pantherinae,,Panthera,Jaguarius
    Felis catus,species,Chordata,Vertebrata,Mammalia,Carnivora,Feliformia,Feloidea,Felidae,Felinae,Felini,Felis,
    Felinae,subfamily,Chordata,Vertebrata,Mammalia,Carnivora,Feliformia,Feloidea,Felidae,Felinae,,,
    Lynx,genus,Chordata,,Mammalia,Carnivora,,,Felidae,,,,
    Lynx lynx,species,Chordata,Vertebrata,Mammalia,Carnivora,Feliformia,Feloidea,Felidae,Felinae,Lyncini,Lynx,

    """
  private static let tree = [
    "class Mammalia < Vertebrata", "family Felidae < Feloidea", "genus Felis < Felini",
    "genus Lynx < Felidae", "genus Panthera < Pantherinae", "order Carnivora < Mammalia",
    "phylum Chordata", "species Felis catus < Felis", "species Lynx lynx < Lynx",
    "species Panthera leo < Panthera", "species Panthera onca < Jaguarius",
    "subfamily Felinae < Felidae", "subfamily Pantherinae < Felidae",
    "subgenus Jaguarius < Panthera", "suborder Feliformia < Carnivora",
    "subphylum Vertebrata < Chordata", "superfamily Feloidea < Feliformia",
    "tribe Felini < Felinae",
  ]

  @Test func everyRankOfAColumnIsATaxonInDarwinCore() throws {
    let made = try MadeDatabase(.dwca, files: ["taxa.csv": Self.cats])
    #expect(try made.taxa == Self.tree)
    #expect(made.report.sources[0].files[0].unreadColumns.isEmpty)
    #expect(made.unaccounted == [])
  }

  @Test func everyRankOfAColumnIsATaxonInColDP() throws {
    let text = Self.cats.replacing("taxonRank", with: "rank").replacing(",", with: "\t")
    let made = try MadeDatabase(.coldp, files: ["NameUsage.tsv": text])
    #expect(try made.taxa == Self.tree)
    #expect(made.report.sources[0].files[0].unreadColumns.isEmpty)
  }

  @Test func everyRankMayBeMapped() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.cats.utf8), to: "cats.csv")
    let ranks = Self.cats.prefix { $0 != "\n" }.split(separator: ",").dropFirst(2)
    let lines = ["name = scientificName", "rank = taxonRank"] + ranks.map { "\($0) = \($0)" }
    try folder.write(Array(lines.joined(separator: "\n").utf8), to: "cats.map")
    let made = try MadeDatabase(.csv, folder("cats.csv"), mappingPath: folder("cats.map"))
    #expect(try made.taxa == Self.tree)
  }

  /// The oldest schema has eight ranks, and nothing of others comes out of columns.
  @Test func schemaOneHasNoneOfThem() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.cats.utf8), to: "taxa.csv")
    var ingestion = Ingestion(IngestSource(kind: .dwca, path: folder("taxa.csv")))
    ingestion.schemaVersion = 1
    _ = try ingestion.write(to: folder("made.sqlite"))
    #expect(
      try rows(folder("made.sqlite"), "SELECT name FROM names WHERE name_type = 'synonym'")
        == ["Felinae"])
  }

  /// Where columns name a species that the table has as a synonym, its accepted taxon is meant.
  @Test(arguments: [SourceKind.dwca, .coldp])
  func aSpeciesInColumnsMayBeASynonym(_ kind: SourceKind) throws {
    let table = """
      ID,status,parentID,scientificName,rank,family,genus,species
      1,accepted,,Cus bus,species,Aidae,Cus,
      2,synonym,1,Aus bus,species,,,
      3,accepted,,Aus bus minor,subspecies,Aidae,Aus,bus
      4,accepted,,Aus dus major,subspecies,Aidae,Aus,dus

      """
    let text =
      kind == .coldp
      ? table
      : table.replacing(
        "ID,status,parentID,scientificName,rank,family,genus,species",
        with:
          "taxonID,taxonomicStatus,acceptedNameUsageID,scientificName,taxonRank,family,genus,specificEpithet"
      )
    let made = try MadeDatabase(kind, files: [kind == .coldp ? "NameUsage.csv" : "taxa.csv": text])
    #expect(
      try made.taxa == [
        "family Aidae", "genus Aus < Aidae", "genus Cus < Aidae", "species Aus dus < Aus",
        "species Cus bus < Cus", "subspecies Aus bus minor < Cus bus",
        "subspecies Aus dus major < Aus dus",
      ])
    #expect(try made.synonyms == ["Aus bus = Cus bus"])
  }

  // MARK: Rows without ids

  /// A subgenus of a column is one that has a row, with its genus before it or alone.
  @Test(arguments: ["Abies (Ferox)", "Ferox"])
  func theSubgenusOfAColumnIsThatOfARow(_ name: String) throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv": """
        taxonID,taxonRank,scientificName,genus,subgenus
        1,section,Abies (Balsamea),Abies,Ferox
        2,subgenus,\(name),Abies,Ferox
        3,genus,Abies,Abies,
        4,species,Picea alba,Picea,Ferox
        """
      ])
    #expect(
      try made.taxa
        == [
          "genus Abies", "genus Picea", "section Abies (Balsamea) < \(name)",
          "species Picea alba < Ferox", "subgenus \(name) < Abies", "subgenus Ferox < Picea",
        ].sorted())
  }

  @Test func rowsOfOneTaxonWithoutIDsAreJoined() throws {
    let made = try MadeDatabase(
      .dwca,
      files: [
        "taxa.csv": """
        scientificName,scientificNameAuthorship,taxonRank,family,vernacularName,language
        Panthera leo,"(Linnaeus, 1758)",species,Felidae,lion,en
        Panthera leo,"(Linnaeus, 1758)",species,Felidae,Löwe,de
        Panthera leo,"(Linnaeus, 1758)",species,Felidae,lion,en
        Oenanthe,,genus,Apiaceae,,
        Oenanthe,,genus,Muscicapidae,wheatear,en

        """
      ])
    #expect(
      try made.rows(
        """
        SELECT scientific_name, source_id FROM taxa WHERE source_id NOT LIKE 'fam%' ORDER BY 2
        """)
        == [
          "Oenanthe|Oenanthe", "Oenanthe|Oenanthe (2)",
          "Panthera leo|Panthera leo (Linnaeus, 1758)",
        ])
    #expect(
      try made.rows("SELECT DISTINCT name FROM names ORDER BY name") == [
        "Löwe", "lion", "wheatear",
      ])
    #expect(made.outcomes("taxa.csv") == ["taxon": 3, "joined": 2])
    #expect(made.unaccounted == [])
  }
}
