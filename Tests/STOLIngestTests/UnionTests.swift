import Foundation
import STOLIngest
import TestSupport
import Testing

/// Unions of checklists that have ids of their own, cuts of unions, and their roots.
struct UnionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let header =
    "taxonID,parentNameUsageID,acceptedNameUsageID,scientificName,scientificNameAuthorship,taxonRank,taxonomicStatus,vernacularName,language\n"

  /// The union of tables with these rows, and the database.
  private func union(
    _ tables: [String], _ settle: (inout Ingestion) -> Void = { _ in }
  ) throws -> IngestReport {
    let sources = try tables.enumerated().map { number, rows in
      IngestSource(
        kind: .dwca,
        path: try folder.write(Array((Self.header + rows).utf8), to: "\(number + 1).csv"))
    }
    return try union(of: sources, settle)
  }

  private func union(
    of sources: [IngestSource], _ settle: (inout Ingestion) -> Void = { _ in }
  ) throws -> IngestReport {
    var ingestion = Ingestion(sources[0], adding: Array(sources.dropFirst()))
    settle(&ingestion)
    let report = try ingestion.write(to: path)
    for source in report.sources { #expect(source.unaccounted == []) }
    return report
  }

  private var path: String { folder("made.sqlite") }

  /// Taxa as "name < parent".
  private var taxa: [String] {
    get throws {
      try rows(
        path,
        """
        SELECT t.scientific_name || coalesce(' ' || t.author, '')
          || coalesce(' < ' || p.scientific_name, '')
        FROM taxa t LEFT JOIN taxa p ON p.id = t.parent_id ORDER BY 1
        """)
    }
  }

  private static let plant = """
    1,,,Plantae,,kingdom,accepted,,
    8,1,,Oenanthe,L.,genus,accepted,,

    """
  private static let bird = """
    100,,,Animalia,,kingdom,accepted,,
    8,100,,Oenanthe,"Vieillot, 1816",genus,accepted,wheatear,en
    9,8,,Oenanthe oenanthe,"(Linnaeus, 1758)",species,accepted,,

    """
  private static let both = [
    "Animalia < implied root", "Oenanthe L. < Plantae", "Oenanthe Vieillot, 1816 < Animalia",
    "Oenanthe oenanthe (Linnaeus, 1758) < Oenanthe", "Plantae < implied root", "implied root",
  ]

  /// Nobody says what the ids are ids of: one number in two tables says nothing.
  @Test func idsOfTwoTablesAreNotCompared() throws {
    let report = try union([Self.plant, Self.bird])
    #expect(try taxa == Self.both)
    #expect(
      try rows(
        path,
        "SELECT taxa.author FROM names JOIN taxa ON taxa.id = taxon_id WHERE name = 'wheatear'")
        == ["Vieillot, 1816"])
    #expect(report.sources[1].matching?.byID == 0)
    #expect(report.sources[1].findings["otherNameOfID"] == nil)
    // The first source alone needs no root; both do.
    #expect(report.totals.impliedRoots == 1)
    #expect(report.totals.roots == 1)
  }

  /// With one id space an id alone is no proof either.
  @Test func oneIDOfOtherKingdomsAndAuthorsIsTwoTaxa() throws {
    let mapping = """
      id_space: made
      id = taxonID
      parent = parentNameUsageID
      name = scientificName
      authorship = scientificNameAuthorship
      rank = taxonRank
      """
    let map = try folder.write(Array(mapping.utf8), to: "made.map")
    let sources = try [Self.plant, Self.bird].enumerated().map { number, rows in
      IngestSource(
        kind: .csv,
        path: try folder.write(Array((Self.header + rows).utf8), to: "\(number).csv"),
        mappingPath: map)
    }
    let report = try union(of: sources)
    #expect(try taxa == Self.both)
    #expect(report.sources[1].matching?.byID == 0)
    let same = try union(of: [sources[0], sources[0]])
    #expect(same.sources[1].matching?.byID == 2)
    #expect(same.sources[1].matching?.taxaAdded == 0)
  }

  // MARK: Roots

  @Test func addedKingdomsGoBelowTheRootThatIsThere() throws {
    let dump = try SmallDump.write(in: folder)
    let table = try folder.write(
      Array((Self.header + "1,,,Fungi,,kingdom,accepted,,\n2,,,Aidae,,family,accepted,,\n").utf8),
      to: "taxa.csv")
    let report = try union(of: [
      IngestSource(kind: .ncbi, path: dump), IngestSource(kind: .dwca, path: table),
    ])
    #expect(
      try taxa.filter { $0.hasPrefix("Fungi") || $0.hasPrefix("Aidae") } == [
        "Aidae", "Fungi < root",
      ])
    #expect(report.totals.impliedRoots == 0)
    #expect(report.totals.roots == 2)
    #expect(report.sources[1].findings["otherRoot"]?.examples == ["2: Aidae"])
  }

  @Test func rootsStayWhereNoneIsWanted() throws {
    let report = try union([Self.plant, Self.bird]) { $0.impliesRoot = false }
    #expect(report.totals.roots == 2)
    #expect(report.totals.impliedRoots == 0)
    #expect(report.sources[1].findings["otherRoot"]?.examples == ["100: Animalia"])
  }

  // MARK: Cuts

  private static let cats = """
    1,,,Animalia,,kingdom,accepted,,
    2,1,,Carnivora,,order,accepted,,
    3,2,,Felidae,,family,accepted,,
    4,3,,Panthera,,genus,accepted,,
    5,4,,Panthera leo,,species,accepted,lion,en
    6,4,,Panthera dubia,,species,doubtful,,
    7,2,,Canidae,,family,accepted,,
    8,7,,Canis,,genus,accepted,,
    9,,8,Lupus,,genus,synonym,,
    10,,5,Felis leo,,species,synonym,,

    """
  private static let moreCats = """
    a,,,Carnivora,,order,accepted,carnivores,en
    b,a,,Felidae,,family,accepted,,
    c,b,,Panthera,,genus,accepted,,
    d,c,,Panthera onca,,species,accepted,jaguar,en
    e,c,,Panthera nova,,species,doubtful,,
    f,a,,Lupus,,genus,accepted,,
    g,f,,Lupus novus,,species,accepted,wolf,en
    h,a,,Ursidae,,family,accepted,bears,en
    i,,d,Felis onca,,species,synonym,,
    j,,g,Canis novus,,species,synonym,,

    """

  @Test(arguments: [
    SourceCut(within: "Felidae"), SourceCut(ranks: ["genus"]), SourceCut(ranks: ["family"]),
    SourceCut(status: .accepted), SourceCut(status: .provisional),
    SourceCut(within: "Felidae", ranks: ["species"]),
  ])
  func theSameFileBringsNothingBack(_ cut: SourceCut) throws {
    let alone = try union([Self.cats]) { $0.cut = cut }
    let taxa = try taxa
    let report = try union([Self.cats, Self.cats]) { $0.cut = cut }
    #expect(try self.taxa == taxa)
    let matching = try #require(report.sources[1].matching)
    #expect(matching.taxaAdded == 0 && matching.unmatched == 0)
    #expect(matching.byName == alone.totals.taxa)
    #expect(report.sources[1].files[0].outcomes["cut"] == alone.sources[0].files[0].outcomes["cut"])
    #expect(report.totals.synonyms == alone.totals.synonyms)
  }

  @Test func onlyWhatLiesBelowTheKeptTaxonIsAdded() throws {
    let report = try union([Self.cats, Self.moreCats]) { $0.cut = SourceCut(within: "Felidae") }
    #expect(
      try taxa == [
        "Animalia", "Carnivora < Animalia", "Felidae < Carnivora", "Panthera < Felidae",
        "Panthera dubia < Panthera", "Panthera leo < Panthera", "Panthera nova < Panthera",
        "Panthera onca < Panthera",
      ])
    // Of Carnivora, which stays, the name is a name; bears and wolves are not there.
    #expect(
      try rows(path, "SELECT name FROM names WHERE source = 2 ORDER BY 1")
        == ["Felis onca", "carnivores", "jaguar"])
    // Lupus, which the first source has as a name of what was cut, its species, the bears and a synonym.
    #expect(report.sources[1].matching?.cut == 3)
    #expect(
      report.sources[1].files[0].outcomes == [
        "taxon": 2, "alreadyThere": 3, "synonym": 1, "cut": 4,
      ])
  }

  @Test func ranksAndStatusCutWhatIsAdded() throws {
    var report = try union([Self.cats, Self.moreCats]) { $0.cut = SourceCut(status: .accepted) }
    #expect(
      try taxa.filter { $0.hasPrefix("Panthera ") } == [
        "Panthera < Felidae", "Panthera leo < Panthera", "Panthera onca < Panthera",
      ])
    #expect(report.sources[1].matching?.cut == 1)
    report = try union([Self.cats, Self.moreCats]) { $0.cut = SourceCut(ranks: ["family"]) }
    #expect(
      try rows(path, "SELECT DISTINCT rank FROM taxa ORDER BY 1") == ["family", "kingdom", "order"])
    #expect(try taxa.contains("Ursidae < Carnivora"))
  }

  @Test(arguments: [
    ("speceis", "; did you mean 'species'?"), ("xyzzyxyzzy", "there is no rank 'xyzzyxyzzy'"),
  ])
  func aRankThatNobodyHasIsRefused(_ word: String, _ part: String) throws {
    #expect {
      try union([Self.cats]) { $0.cut = SourceCut(ranks: ["genus", word]) }
    } throws: { "\($0)".contains("there is no rank '\(word)'") && "\($0)".contains(part) }
  }

  // MARK: Synonyms

  @Test func whatTheFirstSourceSaysOfASynonymStands() throws {
    let first = """
      1,,,Canis familiaris,"Linnaeus, 1758",species,accepted,,
      2,,,Canis aureus,"Linnaeus, 1758",species,accepted,,
      3,,2,Canis syriacus,"Hemprich & Ehrenberg, 1833",species,synonym,,
      4,,2,Canis vulgaris,,species,synonym,,

      """
    let second = """
      x1,,,Canis lupus,"Linnaeus, 1758",species,accepted,,
      x2,,x1,Canis familiaris,"Linnaeus, 1758",species,synonym,,
      x3,,,Canis latrans,"Say, 1823",species,accepted,,
      x4,,x3,Canis aureus,,species,synonym,,
      x5,,x1,Canis syriacus,,species,synonym,,
      x6,,x1,Canis vulgaris,,species,misapplied,,
      x7,,x1,Canis familiaris,"Nobody, 1999",species,synonym,,
      x8,,x1,Lupus lupus,,species,synonym,,

      """
    let report = try union([first, second])
    #expect(
      try rows(
        path,
        """
        SELECT names.name, scientific_name FROM names JOIN taxa ON taxa.id = taxon_id
        ORDER BY 1, 2
        """) == [
          "Canis familiaris|Canis lupus", "Canis syriacus|Canis aureus",
          "Canis vulgaris|Canis aureus", "Canis vulgaris|Canis lupus", "Lupus lupus|Canis lupus",
        ])
    let found = try #require(report.sources[1].findings["conflictingSynonym"])
    #expect(
      found.examples == [
        "Canis familiaris: here of x1: Canis lupus, there accepted",
        "Canis aureus: here of x3: Canis latrans, there accepted",
        "Canis syriacus: here of x1: Canis lupus, there of 2: Canis aureus",
      ])
    #expect(found.count == 3)
    #expect(report.sources[1].files[0].outcomes == ["taxon": 2, "synonym": 3, "conflict": 3])
  }

  /// Synonyms that are rows without ids of their own, as NCBI's, are no others.
  @Test func synonymsOfADumpMayConflictAsWell() throws {
    let table = "1,,,Felis leo,,species,accepted,,\n"
    let path = try folder.write(Array((Self.header + table).utf8), to: "taxa.csv")
    let report = try union(of: [
      IngestSource(kind: .dwca, path: path),
      IngestSource(kind: .ncbi, path: try SmallDump.write(in: folder)),
    ])
    #expect(
      report.sources[1].findings["conflictingSynonym"]?.examples
        == ["Felis leo: here of 9689: Panthera leo, there accepted"])
    #expect(try rows(self.path, "SELECT count(*) FROM names WHERE name = 'Felis leo'") == ["0"])
  }
}
