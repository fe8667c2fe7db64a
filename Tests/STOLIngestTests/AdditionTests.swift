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
          "9689|African lion|common", "9689|Asiatic lion|common", "9689|Felis leo|synonym",
          "9689|Leo leo|synonym", "9689|lion|common",
        ])
    #expect(
      try rows(path, "SELECT author, year FROM taxa WHERE id = 9681")
        == ["Fischer von Waldheim, 1817|1817"])
    #expect(report.totals.taxa == 7)
    let matching = try #require(report.sources[1].matching)
    // Metazoa and one Panthera by id; Felidae, the other Panthera and the lion by name. The plants'
    // Felidae is in another kingdom; Animalia, Plantae and the jaguar are not there.
    #expect(matching.byID == 2)
    #expect(matching.byName == 3)
    #expect(matching.unmatched == 4)
    #expect(matching.ambiguous == 0)
    #expect(matching.authorshipsAdded == 1)
    #expect(report.sources[1].findings["otherNameOfID"]?.count == 1)
    let names = try #require(report.sources[1].files.first { $0.name == "names.dmp" })
    #expect(
      names.outcomes == [
        "joined": 11, "vernacular": 2, "synonym": 1, "alreadyThere": 2, "unmatched": 2,
      ])
    #expect(report.sources[1].unaccounted.isEmpty)
    #expect(
      try rows(path, "SELECT position, kind, name FROM sources") == [
        "1|ncbi|NCBI Taxonomy", "2|ncbi|NCBI Taxonomy",
      ])
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
}
