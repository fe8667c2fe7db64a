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

  @Test func keepsTheEightRanksAndCollapsesAllOthers() throws {
    let folder = try TemporaryFolder()
    let (path, report) = try Self.ingest(folder)
    #expect(
      try rows(path, "SELECT id, parent_id, rank, scientific_name, author, year FROM taxa") == [
        "2759|-|domain|Eukaryota|-|-", "4565|33090|species|Triticum aestivum|-|-",
        "9681|33208|family|Felidae|-|-", "9688|9681|genus|Panthera|Oken, 1816|1816",
        "9689|9688|species|Panthera leo|(Linnaeus, 1758)|1758",
        "33090|2759|kingdom|Viridiplantae|-|-",
        "33208|2759|kingdom|Metazoa|-|-",
      ])
    #expect(
      try rows(path, "SELECT id, into_id, rank, scientific_name FROM collapsed_taxa") == [
        "1|-|unranked|root", "83386|9689|subspecies|Panthera leo persica",
        "131567|-|unranked|cellular organisms", "338152|9681|subfamily|Pantherinae",
      ])
    #expect(report.totals.taxa == 7)
    #expect(report.totals.collapsed == 4)
    #expect(report.totals.roots == 1)
  }

  @Test func readsEveryClassOfNames() throws {
    let folder = try TemporaryFolder()
    let (path, report) = try Self.ingest(folder)
    #expect(
      try rows(
        path,
        """
        SELECT taxon_id, name, lang, name_type, is_preferred, author, year FROM names
        LEFT JOIN name_details ON name_id = id ORDER BY taxon_id, name
        """) == [
          "2759|eukaryotes|en|common|1|-|-", "4565|bread wheat|en|common|1|-|-",
          "9681|cat family|en|common|1|-|-", "9689|African lion|en|common|0|-|-",
          "9689|Asiatic lion|en|common|0|-|-",
          "9689|Felis leo|la|synonym|0|Linnaeus, 1758|1758", "9689|lion|en|common|1|-|-",
        ])
    let names = try #require(report.sources[0].files.first { $0.name == "names.dmp" })
    #expect(names.outcomes == ["joined": 13, "vernacular": 6, "synonym": 1, "ignored": 1])
    #expect(report.sources[0].unaccounted.isEmpty)
  }

  @Test func leadsMergedIdsToTheirTaxaAndKeepsDeletedOnes() throws {
    let folder = try TemporaryFolder()
    let (path, report) = try Self.ingest(folder)
    #expect(try rows(path, "SELECT * FROM merged_taxa") == ["77|9689", "78|9689"])
    #expect(try rows(path, "SELECT * FROM deleted_taxa") == ["80", "81"])
    #expect(report.sources[0].findings["mergedIntoUnknown"]?.count == 1)
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
