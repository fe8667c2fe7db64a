import STOLIngest
import STOLFormats
import TestSupport
import Testing

@Suite("Tables with a mapping")
struct MappedTableReaderTests {
  private static let birds = """
    Taxon_rank,Order,Family,Scientific_name,Authority,English_name_AviList,Wing,IUCN_Red_List_Category
    order,Struthioniformes,,Struthioniformes,"Latham, 1790",,,
    genus,Struthioniformes,Struthionidae,Struthio,"Linnaeus, 1758",,,
    species,Struthioniformes,Struthionidae,Struthio camelus,"Linnaeus, 1758",Common Ostrich,900,LC
    subspecies,Struthioniformes,Struthionidae,Struthio camelus syriacus,"Rothschild, 1919",,,
    species,Rheiformes,Rheidae,Rhea americana,"(Linnaeus, 1758)",Greater Rhea,,NT
    species,Rheiformes,Rheidae,,,,,
    """
  private static let mapping = """
    # AviList
    title: Birds: a list
    licence: CC BY 4.0

    class = constant:Aves
    order = Order
    family = family
    rank = Taxon_rank
    name = Scientific_name
    authorship = Authority
    iucn = IUCN_Red_List_Category
    name.en = English_name_AviList
    trait.wing_length = Wing [mm]
    """

  private func made(_ table: String, _ mapping: String) throws -> MadeDatabase {
    let folder = try TemporaryFolder()
    try folder.write(Array(table.utf8), to: "birds.csv")
    try folder.write(Array(mapping.utf8), to: "birds.map")
    return try MadeDatabase(.csv, folder("birds.csv"), mappingPath: folder("birds.map"))
  }

  @Test func readsBirds() throws {
    let made = try made(Self.birds, Self.mapping)
    #expect(
      try made.taxa == [
        "class Aves", "family Rheidae < Rheiformes", "family Struthionidae < Struthioniformes",
        "genus Rhea < Rheidae", "genus Struthio Linnaeus, 1758 < Struthionidae",
        "order Rheiformes < Aves", "order Struthioniformes Latham, 1790 < Aves",
        "species Rhea americana (Linnaeus, 1758) < Rhea",
        "species Struthio camelus Linnaeus, 1758 < Struthio",
        "subspecies Struthio camelus syriacus Rothschild, 1919 < Struthio camelus",
      ])
    #expect(try made.traits == ["Struthio camelus wing_length=900 mm"])
    #expect(
      try made.rows("SELECT lang, name FROM names ORDER BY 2") == [
        "en|Common Ostrich", "en|Greater Rhea",
      ])
    #expect(
      try made.rows("SELECT conservation FROM taxa WHERE conservation IS NOT NULL ORDER BY 1")
        == ["LC", "NT"])
    #expect(
      try made.rows("SELECT source_id FROM taxa WHERE source_id LIKE 'sp%' ORDER BY 1")
        == ["species Rhea americana", "species Struthio camelus"])
    #expect(made.report.sources[0].name == "Birds: a list")
    #expect(
      made.outcomes("birds.csv") == [
        "taxon": 5, "emptyName": 1,
      ])
    #expect(made.unaccounted == [])
  }

  @Test func readsIdsParentsAndSynonyms() throws {
    let made = try made(
      "key;up;is;full;level\n1;;;Aus L.;genus\n2;1;;Aus bus Mill.;species\n3;;2;Cus dus (L.) Roe;species\n",
      "id = key\nparent = up\naccepted = is\nname = full\nrank = level\nreference = constant:Roe 1999"
    )
    #expect(try made.taxa == ["genus Aus L.", "species Aus bus Mill. < Aus"])
    #expect(try made.synonyms == ["Cus dus (L.) Roe = Aus bus"])
    #expect(try made.rows("SELECT DISTINCT citation FROM refs") == ["Roe 1999"])
  }

  @Test func namesItsIdSpaceAndCodes() throws {
    let made = try made(
      "key,full,level,code\nx1,Aus L.,genus,ICN\n",
      "id_space: made-up\nid = key\nname = full\nrank = level\ncode = code")
    #expect(try made.rows("SELECT source_id, code FROM taxa") == ["x1|ICN"])
    #expect(
      try made.rows("SELECT value FROM dataset WHERE key = 'id_space'") == ["made-up"])
  }

  @Test func yearsThatAreNoneAreLeftOut() throws {
    let years = ["1758", "9223372036854775807", "-1", "99999999999999", "x"]
    let rows = years.enumerated().map { "Aus a\("bcdef".dropFirst($0).prefix(1)),species,\($1)\n" }
    let made = try made(
      "n,r,y\n" + rows.joined(), "name = n\nrank = r\nyear = y\n")
    #expect(
      try made.rows("SELECT year FROM taxa WHERE rank = 'species' ORDER BY scientific_name")
        == ["1758", "-", "-", "-", "-"])
  }

  @Test(arguments: [
    ("name = Scientific_nam", 1, "did you mean 'Scientific_name'?"),
    ("# first\nnam = Scientific_name", 2, "did you mean 'name'?"),
    ("name = Scientific_name\nname = Authority", 2, "was there before"),
    ("name = Scientific_name\norder = Order\norder = Family", 3, "was there before"),
    ("titel: Birds\nname = Scientific_name", 1, "did you mean 'title'?"),
    ("name = Scientific_name\n\nanything", 3, "neither"),
    ("id_space: Made up\nname = Scientific_name", 1, "no id space"),
    ("id_space: unstated\nname = Scientific_name", 1, "not 'unstated'"),
    ("name = Scientific_name\nname.xyzxyz = Order", 2, "no language"),
  ])
  func namesTheLineOfAnError(mapping: String, line: Int, words: String) throws {
    let error = try #require(throws: FormatError.self) { try made(Self.birds, mapping) }
    guard case .line(_, let found, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(found == line)
    #expect(reason.contains(words))
  }

  @Test func lineagesOfTooManyPartsAreLeftOut() throws {
    func way(_ count: Int) -> String { (1...count).map { "x\($0)" }.joined(separator: ";") }
    let long = "y" + String(repeating: "z", count: 40_000)
    let made = try made(
      "g,way\nR1,\(way(200))\nR2,\(way(201))\nR3,\(long);\(long)\nR4,\(way(3))\n",
      "id = g\nlineage = way [;]")
    #expect(try made.rows("SELECT count(*) FROM taxa") == ["200"])
    #expect(
      try made.rows("SELECT source_id FROM taxa WHERE scientific_name IN ('x2', 'x3', 'x200')")
        .sorted() == ["R1", "R4", "x1;x2"])
    #expect(made.count("lineageTooLong") == 2)
    let examples = made.report.sources[0].findings["lineageTooLong"]?.examples ?? []
    #expect(examples.first?.hasPrefix("birds.csv, line 3: x1;x2") == true)
    #expect(made.outcomes("birds.csv")["ignored"] == 2)
    #expect(made.unaccounted == [])
  }

  @Test func needsAMappingWithAName() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.birds.utf8), to: "birds.csv")
    #expect(throws: FormatError.self) { try MadeDatabase(.csv, folder("birds.csv")) }
    #expect(throws: FormatError.self) { try made(Self.birds, "rank = Taxon_rank\n") }
  }
}
