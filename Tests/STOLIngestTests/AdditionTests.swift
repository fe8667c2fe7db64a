import Foundation
import STOLIngest
import TestSupport
import Testing

/// A source that is added to another one.
struct AdditionTests {
  /// The second dump has other ids for two taxa, one id for another taxon, a homonym in another
  /// kingdom, and names that the first one has or lacks.
  private static let nodes = [
    "1\t1\tno rank", "10\t1\tkingdom", "11\t10\tfamily", "12\t11\tgenus", "13\t12\tspecies",
    "9681\t12\tspecies", "20\t1\tkingdom", "21\t20\tfamily", "33208\t1\tkingdom",
    "9688\t33208\tgenus",
  ]
  private static let names = [
    "1\troot\t\tscientific name", "10\tAnimalia\t\tscientific name",
    "11\tFelidae\t\tscientific name", "11\tcats\t\tcommon name",
    "11\tFelidae Fischer von Waldheim, 1817\t\tauthority", "12\tPanthera\t\tscientific name",
    "13\tPanthera leo\t\tscientific name", "13\tlion\t\tcommon name",
    "13\tLeo leo\t\tsynonym", "13\tFelis leo Linnaeus, 1758\t\tsynonym",
    "9681\tPanthera onca\t\tscientific name", "9681\tjaguar\t\tcommon name",
    "20\tPlantae\t\tscientific name", "21\tFelidae\t\tscientific name", "21\tmoss\t\tcommon name",
    "33208\tMetazoa\t\tscientific name", "9688\tPanthera\t\tscientific name",
    "9688\tbig cats\t\tcommon name",
  ]

  @Test func addsToTheSameTaxaAndToNoOther() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    let base = IngestSource(kind: .ncbi, path: try SmallDump.write(in: first))
    let addition = IngestSource(
      kind: .ncbi,
      path: try SmallDump.write(
        in: second, nodes: Self.nodes, names: Self.names, merged: [], deleted: []))
    let path = first("x.sqlite")
    let report = try Ingestion(base, adding: [addition]).write(to: path)

    #expect(
      try rows(
        path,
        """
        SELECT taxon_id, name, name_type FROM names WHERE taxon_id IN (9681, 9688, 9689)
        ORDER BY taxon_id, name
        """) == [
          "9681|cat family|common", "9681|cats|common", "9688|big cats|common",
          "9689|African lion|common", "9689|Felis leo|synonym", "9689|Leo leo|synonym",
          "9689|lion|common",
        ])
    #expect(
      try rows(path, "SELECT name FROM names WHERE source = 2 ORDER BY name")
        == ["Leo leo", "big cats", "cats", "jaguar", "moss"])
    // What only the second one has: the jaguar below its genus, and plants below the root.
    #expect(
      try rows(
        path,
        "SELECT source_id, scientific_name, parent_id, rank FROM taxa WHERE source = 2 ORDER BY 2")
        == ["21|Felidae|33090|family", "source2:9681|Panthera onca|9688|species"])
    #expect(
      try rows(path, "SELECT author, year FROM taxa WHERE id = 9681")
        == ["Fischer von Waldheim, 1817|1817"])
    #expect(report.totals.taxa == SmallDump.nodes.count + 2)
    let matching = try #require(report.sources[1].matching)
    // The root, Metazoa and one Panthera by id; Felidae, the other Panthera, the lion and, under NCBI's
    // names, Animalia and Plantae by name. The plants' Felidae is in another kingdom.
    #expect(matching.byID == 3)
    #expect(matching.byName == 5)
    #expect(matching.taxaAdded == 2)
    #expect(matching.unmatched == 0)
    #expect(matching.ambiguous == 0)
    #expect(matching.authorshipsAdded == 1)
    #expect(report.sources[1].findings["otherNameOfID"]?.count == 1)
    let names = try #require(report.sources[1].files.first { $0.name == "names.dmp" })
    #expect(
      names.outcomes == [
        "joined": 11, "vernacular": 4, "synonym": 1, "alreadyThere": 2,
      ])
    #expect(report.sources[1].unaccounted.isEmpty)
    #expect(
      try rows(path, "SELECT position, kind, name FROM sources") == [
        "1|ncbi|NCBI Taxonomy", "2|ncbi|NCBI Taxonomy",
      ])
  }

  /// An id of the second source would be taken for one of the first.
  @Test func addedNamesHaveNoIDs() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    let table = """
      taxonID,scientificName,taxonRank,taxonomicStatus,acceptedNameUsageID,namePublishedIn
      9681,Panthera leo,species,accepted,,Book 1
      x2,Leo leo,species,synonym,9681,Book 2
      9688,Leo maximus,species,synonym,9681,

      """
    try second.write(Array(table.utf8), to: "taxa.csv")
    let path = first("x.sqlite")
    _ = try Ingestion(
      IngestSource(kind: .ncbi, path: try SmallDump.write(in: first)),
      adding: [IngestSource(kind: .dwca, path: second("taxa.csv"))]
    ).write(to: path)
    #expect(
      try rows(
        path,
        "SELECT taxon_id, name, source_id, source FROM names WHERE name LIKE 'Leo%' ORDER BY name")
        == ["9689|Leo leo|-|2", "9689|Leo maximus|-|2"])
    #expect(
      try rows(
        path,
        """
        SELECT refs.taxon_id, citation, name, refs.source FROM refs
        LEFT JOIN names ON names.id = name_id ORDER BY citation
        """) == ["9689|Book 1|-|2", "9689|Book 2|Leo leo|2"])
    #expect(
      try rows(path, "SELECT value FROM dataset WHERE key = 'id_space'") == ["ncbi"])
  }

  @Test func aNameOfSeveralTaxaIsNotGuessed() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    let base = IngestSource(
      kind: .ncbi,
      path: try SmallDump.write(
        in: first, nodes: SmallDump.nodes + ["50\t33208\tgenus", "51\t9681\tgenus"],
        names: SmallDump.names + ["50\tAus\t\tscientific name", "51\tAus\t\tscientific name"]))
    let addition = IngestSource(
      kind: .ncbi,
      path: try SmallDump.write(
        in: second, nodes: ["1\t1\tkingdom", "2\t1\tgenus"],
        names: [
          "1\tMetazoa\t\tscientific name", "2\tAus\t\tscientific name", "2\ta name\t\tcommon name",
        ], merged: [], deleted: []))
    let path = first("x.sqlite")
    let report = try Ingestion(base, adding: [addition]).write(to: path)
    #expect(report.sources[1].matching?.ambiguous == 1)
    #expect(report.sources[0].findings["homonym"]?.examples == ["Aus: 2 taxa, from 50 to 51"])
    #expect(report.sources[1].findings["ambiguousMatch"]?.examples == ["2: Aus"])
    #expect(try rows(path, "SELECT count(*) FROM names WHERE name = 'a name'") == ["0"])
  }

  /// A checklist whose taxa are elsewhere in the first source, are its synonyms, have other authors, regroup
  /// its taxa or are not there at all.
  private static let checklist = """
    taxonID,parentNameUsageID,scientificName,scientificNameAuthorship,taxonRank,taxonomicStatus
    k,,Animalia,,kingdom,accepted
    f,k,Feliformia,,suborder,accepted
    a,f,Felidae,,family,accepted
    g,a,Leo,"Brehm, 1829",genus,accepted
    s,g,Felis leo,"Linnaeus, 1758",species,accepted
    n,g,Leo novus,"Smith, 2001",species,accepted
    h,k,Triticum,,genus,accepted
    w,h,Panthera leo,"Nobody, 1999",species,accepted
    v,f,Viverridae,"Gray, 1821",family,accepted
    p,k,Panthera,,genus,accepted

    """

  @Test func whatIsNotThereIsAddedAndConflictsAreListed() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    try second.write(Array(Self.checklist.utf8), to: "taxa.csv")
    let path = first("x.sqlite")
    let report = try Ingestion(
      IngestSource(kind: .ncbi, path: try SmallDump.write(in: first)),
      adding: [IngestSource(kind: .dwca, path: second("taxa.csv"))]
    ).write(to: path)
    // The suborder has a family that is new; the genus Leo a species that is.
    #expect(
      try rows(
        path,
        """
        SELECT t.source_id, t.scientific_name, p.scientific_name FROM taxa t
        JOIN taxa p ON p.id = t.parent_id WHERE t.source = 2 ORDER BY 1
        """) == [
          "source2:f|Feliformia|Metazoa", "source2:g|Leo|Felidae", "source2:h|Triticum|Metazoa",
          "source2:n|Leo novus|Leo", "source2:v|Viverridae|Feliformia",
          "source2:w|Panthera leo|Triticum",
        ])
    #expect(try rows(path, "SELECT count(*) FROM taxa WHERE source = 1") == ["11"])
    let found = report.sources[1].findings
    #expect(found["acceptedIsSynonym"]?.examples == ["s: Felis leo"])
    #expect(found["otherAuthorship"]?.examples == ["w: Panthera leo"])
    #expect(found["otherPlace"] == nil)
    #expect(found["regroupsTaxa"] == nil)
    let matching = try #require(report.sources[1].matching)
    #expect(matching.byName == 3 && matching.bySynonym == 1 && matching.taxaAdded == 6)
    let rows = report.sources[1].files[0]
    #expect(rows.outcomes == ["taxon": 6, "alreadyThere": 4])
  }

  @Test func whatOnlyRegroupsIsNotAdded() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    let table = """
      taxonID,parentNameUsageID,scientificName,taxonRank
      x,,Pantherinia,superfamily
      f,x,Felidae,family
      y,,Viridiplantae,kingdom
      g,y,Panthera,genus

      """
    try second.write(Array(table.utf8), to: "taxa.csv")
    let path = first("x.sqlite")
    let report = try Ingestion(
      IngestSource(kind: .ncbi, path: try SmallDump.write(in: first)),
      adding: [IngestSource(kind: .dwca, path: second("taxa.csv"))]
    ).write(to: path)
    let found = report.sources[1].findings
    #expect(found["regroupsTaxa"]?.examples == ["x: Pantherinia"])
    #expect(report.sources[1].matching?.unmatched == 1)
    // Of the plants' Panthera nothing is there: it is another one.
    #expect(try rows(path, "SELECT scientific_name FROM taxa WHERE source = 2") == ["Panthera"])
    #expect(report.sources[1].files[0].outcomes == ["taxon": 1, "alreadyThere": 2, "unmatched": 1])
  }

  @Test func aTaxonThatStandsElsewhereIsAConflict() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    let table = """
      taxonID,parentNameUsageID,scientificName,taxonRank
      k,,Animalia,kingdom
      g,k,Panthera,genus
      f,g,Felidae,family

      """
    try second.write(Array(table.utf8), to: "taxa.csv")
    let path = first("x.sqlite")
    let report = try Ingestion(
      IngestSource(kind: .ncbi, path: try SmallDump.write(in: first)),
      adding: [IngestSource(kind: .dwca, path: second("taxa.csv"))]
    ).write(to: path)
    #expect(
      report.sources[1].findings["otherPlace"]?.examples == ["f: Felidae within g: Panthera"])
    #expect(report.totals.taxa == SmallDump.nodes.count)
  }

  /// A third source meets what the second one has added.
  @Test func sourcesMeetWhatThoseBeforeThemAdded() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    for name in ["a.csv", "b.csv"] {
      try second.write(Array(Self.checklist.utf8), to: name)
    }
    let path = first("x.sqlite")
    let report = try Ingestion(
      IngestSource(kind: .ncbi, path: try SmallDump.write(in: first)),
      adding: ["a.csv", "b.csv"].map { IngestSource(kind: .dwca, path: second($0)) }
    ).write(to: path)
    #expect(report.sources[1].matching?.taxaAdded == 6)
    #expect(report.sources[2].matching?.taxaAdded == 0)
    #expect(report.sources[2].files[0].outcomes == ["alreadyThere": 10])
  }

  /// Of all of CITES in the form of ColDP none is lost.
  @Test(.enabled(if: RealSources.isAvailable("coldp_cites")))
  func everyTaxonOfCITESIsInTheUnion() throws {
    let folder = try TemporaryFolder()
    let path = folder("x.sqlite")
    let report = try Ingestion(
      IngestSource(kind: .gbif, path: RealSources.path("gbif_simple")),
      adding: [IngestSource(kind: .coldp, path: RealSources.path("coldp_cites"))]
    ).write(to: path)
    let alone = try MadeDatabase(.coldp, RealSources.path("coldp_cites"))
    let all = try alone.rows("SELECT scientific_name FROM taxa WHERE source_id IS NOT NULL")
    let known = Set(
      try rows(path, "SELECT scientific_name FROM taxa UNION SELECT name FROM names"))
    let missing = all.filter { !known.contains($0) }
    let matching = try #require(report.sources[1].matching)
    #expect(missing.count <= matching.unmatched + matching.ambiguous, "\(missing.prefix(5))")
    #expect(
      matching.byID + matching.byName + matching.bySynonym + matching.taxaAdded
        + matching.unmatched + matching.ambiguous == all.count)
    #expect(matching.taxaAdded > 1_000 && matching.ambiguous < 20)
    #expect(report.sources[1].unaccounted.isEmpty)
    try SoundDatabase.check(path, report, packsIn: folder, "CITES")
  }

  /// VASCAN names no kingdom: of what CITES has among animals nothing is in its plants.
  @Test(
    .enabled(if: RealSources.isAvailable("coldp_cites")),
    .enabled(if: RealSources.isAvailable("dwca/vascan.zip")))
  func noAnimalOfCITESIsAmongPlants() throws {
    let folder = try TemporaryFolder()
    let path = folder("x.sqlite")
    let report = try Ingestion(
      IngestSource(kind: .dwca, path: RealSources.path("dwca/vascan.zip")),
      adding: [IngestSource(kind: .coldp, path: RealSources.path("coldp_cites"))]
    ).write(to: path)
    // Of each species the highest ancestor below the root that is implied over the kingdoms.
    let tops = """
      WITH RECURSIVE up(id, name, parent, top) AS (
        SELECT id, scientific_name, parent_id, scientific_name FROM taxa WHERE %
        UNION ALL
        SELECT up.id, name, taxa.parent_id, taxa.scientific_name FROM up
        JOIN taxa ON taxa.id = up.parent WHERE taxa.source_id IS NOT NULL)
      SELECT DISTINCT name FROM up WHERE
      """
    let alone = try MadeDatabase(.coldp, RealSources.path("coldp_cites"))
    let animals = Set(
      try alone.rows(
        tops.replacing("%", with: "rank = 'species'") + " top = 'Animalia' ORDER BY 1"))
    let plants = try rows(
      path,
      tops.replacing("%", with: "source = 2 AND rank = 'species'")
        + " top IN ('Plantae', 'Equisetopsida') ORDER BY 1")
    #expect(animals.count > 500 && plants.count > 100)
    #expect(plants.filter(animals.contains) == [])
    // The aye-aye is no Sesbania, and alligator lizards are no sand verbenas.
    #expect(
      report.sources[1].findings["possibleHomonym"]?.examples
        == ["x35X: Daubentonia", "x48: Abronia"])
    let matching = try #require(report.sources[1].matching)
    let all = try alone.rows("SELECT count(*) FROM taxa WHERE source_id IS NOT NULL")
    #expect(
      all == [
        "\(matching.byName + matching.bySynonym + matching.taxaAdded + matching.unmatched)"
      ])
  }
}
