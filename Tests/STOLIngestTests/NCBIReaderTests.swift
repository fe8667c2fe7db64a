import STOLIngest
import STOLFormats
import TestSupport
import Testing

struct NCBIReaderTests {
  private static func ingest(
    _ folder: TemporaryFolder, nodes: [String] = SmallDump.nodes, names: [String] = SmallDump.names
  ) throws -> (path: String, report: IngestReport) {
    let source = try SmallDump.write(in: folder, nodes: nodes, names: names)
    let path = folder("taxa.sqlite")
    let report = try Ingestion(IngestSource(kind: .ncbi, path: source)).write(to: path)
    return (path, report)
  }

  @Test func keepsEveryNodeWithItsRank() throws {
    let folder = try TemporaryFolder()
    let (path, report) = try Self.ingest(folder)
    #expect(
      try rows(path, "SELECT id, parent_id, rank, scientific_name, author, year FROM taxa") == [
        "1|-|no rank|root|-|-", "2759|131567|superkingdom|Eukaryota|-|-",
        "4565|33090|species|Triticum aestivum|-|-", "9681|33208|family|Felidae|-|-",
        "9688|338152|genus|Panthera|Oken, 1816|1816",
        "9689|9688|species|Panthera leo|(Linnaeus, 1758)|1758",
        "33090|2759|kingdom|Viridiplantae|-|-", "33208|2759|kingdom|Metazoa|-|-",
        "83386|9689|subspecies|Panthera leo persica|-|-",
        "131567|1|no rank|cellular organisms|-|-", "338152|9681|subfamily|Pantherinae|-|-",
      ])
    #expect(try rows(path, "SELECT id FROM taxa WHERE source_id IS NOT id || ''") == [])
    #expect(report.totals.taxa == SmallDump.nodes.count)
    #expect(report.totals.roots == 1)
    #expect(report.totals.impliedRoots == 0)
    #expect(try rows(path, "SELECT value FROM dataset WHERE key = 'id_space'") == ["ncbi"])
  }

  @Test func readsEveryClassOfNames() throws {
    let folder = try TemporaryFolder()
    let (path, report) = try Self.ingest(folder)
    #expect(
      try rows(
        path,
        """
        SELECT taxon_id, name, lang, name_type, is_preferred, author, year FROM names
        ORDER BY taxon_id, name
        """) == [
          "2759|eukaryotes|en|common|1|-|-", "4565|bread wheat|en|common|1|-|-",
          "9681|cat family|en|common|1|-|-", "9689|African lion|en|common|0|-|-",
          "9689|Felis leo|la|synonym|0|Linnaeus, 1758|1758", "9689|lion|en|common|1|-|-",
          "83386|Asiatic lion|en|common|1|-|-",
        ])
    let names = try #require(report.sources[0].files.first { $0.name == "names.dmp" })
    #expect(names.outcomes == ["joined": 13, "vernacular": 6, "trait": 1, "synonym": 1])
    #expect(report.sources[0].unaccounted.isEmpty)
  }

  /// An authority begins with the name that it is about; the class says what a name is.
  @Test func synonymsHaveTheirAuthorsAndTheirClass() throws {
    let folder = try TemporaryFolder()
    // The names of a taxon stand together.
    let end = try #require(SmallDump.names.firstIndex { $0.hasPrefix("4565") })
    let (path, _) = try Self.ingest(
      folder,
      names: SmallDump.names[..<end] + [
        "83386\tFelis\t\tin-part", "83386\tFelis persica\t\tgenbank synonym",
        "83386\tFelis persica Meyer, 1826\t\tauthority", "83386\tF. persyca\t\tmisspelling",
        "83386\tLeo persicus\t\tequivalent name", "83386\tPLP\t\tgenbank acronym",
        "83386\tLeo goojratensis sensu Smith, 1833\t\tincludes",
        "83386\tPanthera leo persica (Meyer, 1826) sensu Pocock\t\tauthority",
      ] + SmallDump.names[end...])
    #expect(
      try rows(
        path,
        """
        SELECT name, author, year, status, status_text, sensu FROM names
        WHERE taxon_id = 83386 AND name_type = 'synonym' ORDER BY name
        """) == [
          "F. persyca|-|-|misspelling|-|-", "Felis|-|-|in-part|-|-",
          "Felis persica|Meyer, 1826|1826|synonym|genbank synonym|-",
          "Leo goojratensis sensu Smith, 1833|-|-|includes|-|-",
          "Leo persicus|-|-|equivalent|equivalent name|-",
          "PLP|-|-|acronym|genbank acronym|-",
        ])
    #expect(
      try rows(path, "SELECT author, year, sensu FROM taxa WHERE id = 83386")
        == ["(Meyer, 1826)|1826|sensu Pocock"])
  }

  /// Names that were not validly published stand in quotes, which some dumps escape.
  ///
  /// What is about no name of the taxon, and a second author, make no names.
  @Test func authoritiesInQuotesGiveNamesTheirAuthors() throws {
    let folder = try TemporaryFolder()
    let (path, report) = try Self.ingest(
      folder,
      names: [
        "9681\tFelidae\t\tscientific name", "9681\tFelidae [class] Cope 1900\t\tauthority",
        "9681\tFelidae Fischer 1817\t\tauthority", "9681\tFelidae Gray 1821\t\tauthority",
        "9681\tnot Felidae Smith 2002\t\tauthority", "9689\tPanthera leo\t\tscientific name",
        "9689\t\\\"Bus leo\\\" Migula 1895\t\tauthority",
        "9689\t\"Bus leo minor\" (Migula 1895) Lehmann 1896\t\tauthority",
        "9689\tBus leo\t\tsynonym", "9689\tBus leo minor\t\tsynonym",
        "9689\t\"Nobody's\" name\t\tauthority", "999\tAus bus L.\t\tauthority",
      ])
    #expect(
      try rows(path, "SELECT name, author, year, status_text FROM names ORDER BY name") == [
        "Bus leo|Migula 1895|1895|-", "Bus leo minor|(Migula 1895) Lehmann 1896|1895|-",
      ])
    #expect(
      try rows(path, "SELECT author FROM taxa WHERE id IN (9681, 9689) ORDER BY id")
        == ["Fischer 1817", "-"])
    let names = try #require(report.sources[0].files.first { $0.name == "names.dmp" })
    #expect(names.outcomes == ["joined": 5, "synonym": 2, "ignored": 4, "unknownTaxon": 1])
    #expect(
      names.reasons == [
        "an authority of a name that the taxon has not": 3, "a second authority of a name": 1,
      ])
    #expect(report.sources[0].findings["authorityWithoutName"]?.count == 4)
  }

  @Test func namesTheColumnsThatItDoesNotRead() throws {
    let folder = try TemporaryFolder()
    let (_, report) = try Self.ingest(
      folder, nodes: SmallDump.nodes.map { $0 + "\tXX\t0\t1\t11" })
    let files = report.sources[0].files
    #expect(
      files.first { $0.name == "nodes.dmp" }?.unreadColumns == [
        "embl code": "what sequences need is not kept",
        "division id": "what sequences need is not kept",
        "inherited div flag": "what sequences need is not kept",
        "genetic code id": "what sequences need is not kept",
      ])
    #expect(
      files.first { $0.name == "names.dmp" }?.unreadColumns
        == ["unique name": "said by another column"])
  }

  @Test func leadsMergedIdsToTheirTaxaAndKeepsDeletedOnes() throws {
    let folder = try TemporaryFolder()
    let (path, report) = try Self.ingest(folder)
    #expect(try rows(path, "SELECT * FROM merged_taxa") == ["77|77|9689", "78|78|83386"])
    #expect(try rows(path, "SELECT * FROM deleted_taxa") == ["80|80", "81|81"])
    #expect(report.sources[0].findings["mergedIntoUnknown"]?.count == 1)
  }

  /// Every small graph of merged ids, against following each step by step.
  @Test func followsChainsOfMergedIdsToTheirEnd() throws {
    let ids = ["70", "71", "72"]
    let ends = ids + ["9689"]
    for number in 0..<64 {
      var rest = number
      let targets = ids.map { id in
        let target = ends[rest % ends.count]
        rest /= ends.count
        return (id, target)
      }
      var expected: [String] = []
      for (id, _) in targets {
        var last = id
        for _ in ids { last = targets.first { $0.0 == last }?.1 ?? last }
        if last == "9689" { expected.append("\(id)|9689") }
      }
      let folder = try TemporaryFolder()
      let source = try SmallDump.write(in: folder, merged: targets.map { "\($0.0)\t\($0.1)" })
      let path = folder("taxa.sqlite")
      let report = try Ingestion(IngestSource(kind: .ncbi, path: source)).write(to: path)
      #expect(
        try rows(path, "SELECT source_id, into_id FROM merged_taxa") == expected, "\(targets)")
      #expect(report.sources[0].unaccounted.isEmpty)
    }
  }

  @Test func namesThatStandApartOrInAnotherOrderGiveTheSame() throws {
    let folder = try TemporaryFolder()
    let sorted = try Self.ingest(folder)
    let expected = try rows(sorted.path, "SELECT * FROM taxa")
    let other = try TemporaryFolder()
    let mixed = try Self.ingest(other, nodes: SmallDump.nodes.reversed())
    #expect(try rows(mixed.path, "SELECT * FROM taxa") == expected)
  }

  @Test func oddRowsAreCountedAndChangeNothingElse() throws {
    let folder = try TemporaryFolder()
    let (path, report) = try Self.ingest(
      folder,
      nodes: SmallDump.nodes + [
        "9689\t9688\tspecies", "500\t501\tgenus", "600\t601\tspecies", "601\t600\tspecies",
        "700\t9688\tspecies",
      ],
      names: SmallDump.names + [
        "500\tOrphanus\t\tscientific name", "600\tAus bus\t\tscientific name",
        "601\tAus cus\t\tscientific name", "999\tnobody\t\tcommon name",
        "9681\t\t\tcommon name",
      ])
    let findings = report.sources[0].findings
    #expect(findings["duplicateID"]?.count == 1)
    #expect(findings["missingParent"]?.examples == ["500: Orphanus"])
    #expect(findings["parentCycle"]?.count == 1)
    #expect(findings["missingName"]?.count == 1)
    #expect(findings["unknownTaxon"]?.count == 1)
    #expect(findings["emptyName"]?.count == 1)
    #expect(
      try rows(path, "SELECT id, parent_id, scientific_name FROM taxa WHERE id BETWEEN 500 AND 700")
        == ["500|-|Orphanus", "600|601|Aus bus", "601|-|Aus cus", "700|9688|[700]"])
    #expect(report.sources[0].unaccounted.isEmpty)
  }

  @Test func namesOfUnknownTaxaAreNamedByTheirLines() throws {
    let folder = try TemporaryFolder()
    let (_, report) = try Self.ingest(
      folder,
      names: [
        "4242\tGhost\t\tscientific name", "4242\tGhost Roe, 1999\t\tauthority",
      ] + SmallDump.names)
    #expect(
      report.sources[0].findings["unknownTaxon"]?.examples == [
        "names.dmp, line 2: 4242: Ghost Roe, 1999", "names.dmp, line 1: 4242: Ghost",
      ])
  }

  @Test func namesOfNegativeIdsAreCounted() throws {
    let folder = try TemporaryFolder()
    let (_, report) = try Self.ingest(
      folder,
      names: [
        "-1\tnobody\t\tcommon name", "-1\tnobody\t\tsynonym", "-5\tnothing\t\tcommon name",
      ] + SmallDump.names)
    #expect(report.sources[0].findings["unknownTaxon"]?.count == 3)
    #expect(report.sources[0].unaccounted.isEmpty)
  }

  @Test(arguments: [
    ("9689\t9688", "2 columns, at least 3 are needed"), ("x\t1\tgenus", "tax_id is not a number"),
    ("5\tx\tgenus", "parent tax_id is not a number"),
  ])
  func refusesRowsWithoutWhatHoldsTheTreeTogether(_ row: String, _ reason: String) throws {
    let folder = try TemporaryFolder()
    #expect(
      throws: FormatError.line(
        file: "nodes.dmp", line: SmallDump.nodes.count + 1, reason: reason)
    ) { try Self.ingest(folder, nodes: SmallDump.nodes + [row]) }
  }
}
