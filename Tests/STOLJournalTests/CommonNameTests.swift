import STOLData
import STOLPack
import Testing

@testable import STOLJournal

/// Rows that have a common name, and homonyms of which one is within what was asked for.
@Suite("Common names and homonyms in imports")
struct CommonNameTests {
  @Test(arguments: [
    ("Oenanthe", "Metazoa", "Muscicapidae"), ("Oenanthe", "Viridiplantae", "Apiaceae"),
    ("Morus", "Viridiplantae", "Moraceae"), ("Morus", "Metazoa", "Sulidae"),
  ])
  func ofHomonymsTheOneWithinIsMeant(name: String, within: String, family: String) throws {
    let pack = try TestTable.pack.get()
    let view = pack.view
    let clade = try #require(view.resolve(within).taxon)
    let parent = try #require(view.resolve(family).taxon)
    var reader = JournalNameReader(within: clade)
    let reading = reader.read(name, in: view)
    let taxon = try #require(reading.taxon.flatMap { view.resolve($0).taxon })
    #expect(view.tree.isAncestor(parent, of: taxon))
    var free = JournalNameReader()
    #expect(free.read(name, in: view).taxon == nil)
    let names = ImportNames(in: pack, within: clade)
    let found = names.resolve(
      Identification(occurrence: JournalID(), verbatimName: name), hints: [])
    #expect(found.taxon == reading.taxon && found.match == .exact)
    // What is nowhere within it is not made to be.
    #expect(reader.read("Nonsensea nonsensii", in: view).taxon == nil)
  }
}
