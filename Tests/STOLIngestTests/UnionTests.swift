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

  // MARK: Kingdoms

  private static let mulberry = """
    1,,,Equisetopsida,,class,accepted,,
    2,1,,Moraceae,,family,accepted,,
    3,2,,Morus,L.,genus,accepted,,
    4,3,,Morus alba,L.,species,accepted,,
    5,2,,Sesbania,Scop.,genus,accepted,,
    6,,5,Daubentonia,DC.,genus,synonym,,

    """
  private static let animals = """
    a,,,Animalia,,kingdom,accepted,,
    b,a,,Aves,,class,accepted,,
    c,b,,Sulidae,,family,accepted,,
    d,c,,Morus,,genus,accepted,gannets,en
    e,d,,Morus bassanus,"(Linnaeus, 1758)",species,accepted,,
    f,a,,Mammalia,,class,accepted,,
    g,f,,Daubentoniidae,,family,accepted,,
    h,g,,Daubentonia,,genus,accepted,,
    i,h,,Daubentonia madagascariensis,"(Gmelin, 1788)",species,accepted,,

    """

  /// The first source names no kingdom: the classes say that its mulberry is no gannet.
  @Test func generaOfOtherClassesAreOthersWithoutAKingdom() throws {
    let report = try union([Self.mulberry, Self.animals])
    #expect(
      try taxa == [
        "Animalia", "Aves < Animalia", "Daubentonia < Daubentoniidae",
        "Daubentonia madagascariensis (Gmelin, 1788) < Daubentonia", "Daubentoniidae < Mammalia",
        "Equisetopsida", "Mammalia < Animalia", "Moraceae < Equisetopsida", "Morus < Sulidae",
        "Morus L. < Moraceae", "Morus alba L. < Morus",
        "Morus bassanus (Linnaeus, 1758) < Morus", "Sesbania Scop. < Moraceae",
        "Sulidae < Aves",
      ])
    #expect(
      try rows(
        path,
        """
        SELECT p.scientific_name FROM taxa t JOIN taxa g ON g.id = t.parent_id
        JOIN taxa p ON p.id = g.parent_id WHERE t.scientific_name = 'Morus bassanus'
        """) == ["Sulidae"])
    #expect(
      report.sources[1].findings["possibleHomonym"]?.examples == ["d: Morus", "h: Daubentonia"])
    #expect(report.sources[1].findings["regroupsTaxa"] == nil)
    let matching = try #require(report.sources[1].matching)
    #expect(matching.taxaAdded == 9 && matching.byName == 0 && matching.bySynonym == 0)
    #expect(report.sources[1].files[0].outcomes == ["taxon": 9])
  }

  @Test func anAddedSourceMayBeTheOneWithoutAKingdom() throws {
    let report = try union([Self.animals, Self.mulberry])
    #expect(report.sources[1].findings["possibleHomonym"]?.examples == ["3: Morus"])
    #expect(report.sources[1].matching?.taxaAdded == 5)
    #expect(report.sources[1].files[0].outcomes == ["taxon": 5, "synonym": 1])
  }

  /// No rank is in both; the ending of its name says that a family is none of animals.
  @Test func aFamilyOfAnotherCodeIsAnotherKingdom() throws {
    let report = try union([
      "1,,,Moraceae,,family,accepted,,\n2,1,,Morus,L.,genus,accepted,,\n",
      "a,,,Animalia,,kingdom,accepted,,\nb,a,,Aves,,class,accepted,,\nc,b,,Morus,,genus,accepted,,\n",
    ])
    #expect(
      try taxa == [
        "Animalia", "Aves < Animalia", "Moraceae", "Morus < Aves", "Morus L. < Moraceae",
      ])
    #expect(report.sources[1].findings["possibleHomonym"]?.examples == ["c: Morus"])
  }

  /// A group in common, authors and a species below both say that two genera are one.
  @Test(arguments: [
    "y,x,,Moraceae,,family,accepted,,\nz,y,,Morus,,genus,accepted,,\n",
    "z,x,,Morus,Linnaeus,genus,accepted,,\n",
    "y,x,,Urticaceae,,family,accepted,,\nz,y,,Morus,,genus,accepted,,\nw,z,,Morus alba,,species,accepted,,\n",
  ])
  func generaMayBeOneWithoutAKingdom(_ rows: String) throws {
    let report = try union([
      Self.mulberry,
      "k,,,Plantae,,kingdom,accepted,,\nx,k,,Magnoliopsida,,class,accepted,,\n" + rows
        + "n,z,,Morus nova,,species,accepted,,\n",
    ])
    #expect(report.sources[1].findings["possibleHomonym"] == nil)
    #expect(try taxa.filter { $0.hasPrefix("Morus") }.count == 3)
    #expect(try taxa.contains("Morus L. < Moraceae"))
    #expect(try taxa.contains("Morus nova < Morus"))
  }

  /// A domain is as much of a kingdom as a kingdom.
  @Test func bacteriaAreNoStickInsects() throws {
    let insects = """
      1,,,Animalia,,kingdom,accepted,,
      2,1,,Insecta,,class,accepted,,
      3,2,,Phasmida,,order,accepted,,
      4,3,,Bacillus,"Peletier & Serville, 1828",genus,accepted,,
      5,4,,Bacillus rossius,"(Rossi, 1788)",species,accepted,,

      """
    let bacteria = """
      a,,,Bacteria,,domain,accepted,,
      b,a,,Bacillota,,phylum,accepted,,
      c,b,,Bacillus,,genus,accepted,,
      d,c,,Bacillus subtilis,,species,accepted,,

      """
    for tables in [[insects, bacteria], [bacteria, insects]] {
      let report = try union(tables)
      let taxa = try taxa
      #expect(taxa.count == 10)
      #expect(taxa.contains("Bacillus < Bacillota"))
      #expect(taxa.contains("Bacillus Peletier & Serville, 1828 < Phasmida"))
      #expect(report.sources[1].findings.isEmpty)
    }
  }

  /// What a table says of kingdoms holds for them and for what is in them.
  @Test(arguments: [
    ("Plantae,,kingdom", "Chloroplastida,,kingdom"),
    ("Archaeplastida,,kingdom", "Plantae,\"Haeckel, 1866\",kingdom"),
    ("Viridiplantae,,kingdom", "Chloroplastida,,kingdom"),
    ("Bacteria,,kingdom", "Bacteria,,domain"), ("Eubacteria,,superkingdom", "Bacteria,,kingdom"),
  ])
  func kingdomsOfSeveralNamesAreOne(_ first: String, _ second: String) throws {
    let below = ",accepted,,\n2,1,,Aus,,genus,accepted,,\n3,2,,Aus bus,,species,accepted,,\n"
    let report = try union([
      "1,,,\(first)\(below)", "1,,,\(second)\(below)4,1,,Cus,,genus,accepted,,\n",
    ])
    #expect(report.sources[1].matching?.byName == 3)
    #expect(report.sources[1].matching?.taxaAdded == 1)
    #expect(report.sources[1].findings.isEmpty)
    #expect(report.totals.roots == 1)
    #expect(report.totals.taxa == 4)
  }

  /// Of two kingdoms that are one elsewhere it is the one of that name, else the higher one.
  @Test func theHigherOfTwoKingdomsIsTheOneElsewhere() throws {
    let first = """
      1,,,Archaeplastida,,kingdom,accepted,,
      2,1,,Chloroplastida,,kingdom,accepted,,

      """
    for (name, there) in [
      ("Plantae", "Archaeplastida"), ("Chloroplastida", "Chloroplastida"),
    ] {
      let report = try union([
        first, "a,,,\(name),,kingdom,accepted,,\nb,a,,Aus,,genus,accepted,,\n",
      ])
      #expect(try taxa.contains("Aus < \(there)"))
      #expect(report.sources[1].findings.isEmpty)
    }
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
