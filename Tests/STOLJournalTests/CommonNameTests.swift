import STOLData
import STOLPack
import Testing

@testable import STOLJournal

/// Rows that have a common name, and homonyms of which one is within what was asked for.
@Suite("Common names and homonyms in imports")
struct CommonNameTests {
  private static func identifications(_ journal: JournalFile) throws -> [Identification] {
    try journal.liveRecords().compactMap { kept in
      if case .identification(let it) = kept.record { it } else { nil }
    }
  }

  /// A common name is kept where a row has no other; "Iris" is not the genus then.
  @Test func aCommonNameIsKeptAndNoIdentification() throws {
    let journal = try TestJournal().open()
    let text = """
      id,common_name,botanic,cultivar,said,date
      1,Red oak,,,,2020-05-01
      2,Iris,,,by Ada,2020-05-01
      3,weird local name,,,,2020-05-01
      4,English oak,Quercus robur,,by Ada,2020-05-01
      5,apple,,Fuji,,2020-05-01
      6,,,,,2020-05-01

      """
    let map = [
      "id=id", "common_name=vernacular", "botanic=name", "cultivar=cultivar", "date=date",
      "said=identification_remarks",
    ]
    let (rows, summary) = try TestTable.import(text, map, into: journal, looksUpNames: true)
    #expect(rows.map(\.outcome) == [.new, .new, .new, .new, .new, .flagged])
    let names = try Self.identifications(journal)
    #expect(
      names.map(\.verbatimName) == ["Red oak", "Iris", "weird local name", "Quercus robur", "Fuji"])
    #expect(names.map { $0.taxon?.name } == [nil, nil, nil, "Quercus robur", nil])
    #expect(names.prefix(3).allSatisfy { $0.match == .none })
    #expect(names.map(\.remarks) == [nil, "by Ada", nil, "by Ada; English oak", "apple"])
    #expect(summary.namelessCount == 1 && summary.unresolvedCount == 4)
    #expect(try TestTable.import(text, map, into: journal, looksUpNames: true).summary.batch == nil)
  }

  @Test(arguments: [
    ("Oenanthe", "Metazoa", "Muscicapidae"), ("Oenanthe", "Viridiplantae", "Apiaceae"),
    ("Morus", "Viridiplantae", "Moraceae"), ("Morus", "Metazoa", "Sulidae"),
  ])
  func ofHomonymsTheOneWithinIsMeant(name: String, within: String, family: String) throws {
    let pack = try TestTable.pack.get()
    let view = pack.view
    let taxa = (clade: view.resolve(within).taxon, parent: view.resolve(family).taxon)
    let (clade, parent) = (try #require(taxa.clade), try #require(taxa.parent))
    var reader = JournalNameReader(within: clade)
    let reading = reader.read(name, in: view)
    let found = reading.taxon.flatMap { view.resolve($0).taxon }
    let taxon = try #require(found)
    let isInFamily = view.tree.isAncestor(parent, of: taxon)
    #expect(isInFamily)
    var free = JournalNameReader()
    let unsure = free.read(name, in: view)
    #expect(unsure.taxon == nil)
    // What is nowhere within it is not made to be.
    let nonsense = reader.read("Nonsensea nonsensii", in: view)
    #expect(nonsense.taxon == nil)
    let names = ImportNames(in: pack, within: clade)
    let resolved = names.resolve(
      Identification(occurrence: JournalID(), verbatimName: name), hints: [])
    #expect(resolved.taxon == reading.taxon && resolved.match == .exact)
  }
}
