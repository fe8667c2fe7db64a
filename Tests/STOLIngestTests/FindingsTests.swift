import STOLIngest
import TestSupport
import Testing

struct FindingsTests {
  @Test func countsAllAndKeepsTheFirstExamples() {
    let findings = Findings()
    for line in 1...12 { findings.add(.emptyName, "a.txt, line \(line)") }
    findings.add(.emptyName, count: 3)
    #expect(findings.counts[.emptyName]?.count == 15)
    #expect(findings.counts[.emptyName]?.examples.first == "a.txt, line 1")
    #expect(findings.counts[.emptyName]?.examples.count == Findings.exampleLimit)
  }

  /// The numbers that stand for ids that are texts are never shown.
  @Test func namesIdsAsTheSourceWritesThem() throws {
    let made = try MadeDatabase(
      .coldp,
      files: [
        "NameUsage.csv": """
        ID,status,rank,scientificName
        4CGXP,accepted,genus,Oenanthe
        7ABCD,accepted,genus,Oenanthe
        """,
        "vernacular_name.csv": "taxonID,name,language\n9ZZZZ,wheatear,eng\n",
        "reference.csv": "ID,citation\nr1,First\nr1,Second\n",
      ])
    let findings = made.report.sources[0].findings
    #expect(
      findings["homonym"]?.examples == ["Oenanthe: 2 taxa, from 4CGXP to 7ABCD"])
    #expect(findings["unknownTaxon"]?.examples == ["id 9ZZZZ: wheatear (en)"])
    #expect(findings["duplicateID"]?.examples == ["reference r1"])
  }

  /// Version 1 has numbers only, which say nothing where ids are texts.
  @Test(arguments: [("4CGXP", "7ABCD", ""), ("4", "7", ", from 4 to 7")])
  func saysNoKeysInVersion1(_ first: String, _ second: String, _ range: String) throws {
    let (folder, output) = (try TemporaryFolder(), try TemporaryFolder())
    let table =
      "ID,status,rank,scientificName\n"
      + [first, second].map { "\($0),accepted,genus,Oenanthe\n" }.joined()
    try folder.write(Array(table.utf8), to: "NameUsage.csv")
    var ingestion = Ingestion(IngestSource(kind: .coldp, path: folder.path))
    ingestion.schemaVersion = 1
    let report = try ingestion.write(to: output("x.sqlite"))
    #expect(report.sources[0].findings["homonym"]?.examples == ["Oenanthe: 2 taxa\(range)"])
  }
}
