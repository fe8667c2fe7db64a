import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

/// What files state of names and taxa, and what is made of it.
@Suite("Stated names")
struct StatedNameTests {
  private static let header =
    "name,match,taxon,taxon_name,when\n"
  private static let map = [
    "name=name", "match=match", "taxon=taxon", "taxon_name=taxon_name", "when=date",
  ]

  private func identifications(_ journal: JournalFile) throws -> [Identification] {
    try journal.liveRecords().compactMap {
      if case .identification(let identification) = $0.record { identification } else { nil }
    }
  }

  /// The id of a taxon as the embedded database writes it.
  private func written(_ name: String) throws -> String {
    let pack = try TestTable.pack.get()
    let view = pack.view
    let taxon = try #require(view.resolve(name).taxon)
    let reference = view.reference(to: taxon)
    return try #require(reference).written
  }

  /// Of a name and a taxon, whether a file can say that they are one.
  @Test(arguments: [
    ("Quercus robur", "Quercus robur", true), ("quercus ROBUR L.", "Quercus robur", true),
    ("Quercus robur f. fastigiata", "Quercus robur", true), ("Quercus sp.", "Quercus", true),
    ("Cervis canadensis", "Quercus robur", false),
    ("Cercis canadensis", "Cervus canadensis", false),
    ("Quercus robur ?", "Quercus robur", false), ("Quercus robus", "Quercus robur", false),
    ("Quercus", "Quercus robur", false), ("oak", "Quercus robur", false),
  ])
  func whatAFileStatesIsChecked(name: String, taxon: String, isSo: Bool) throws {
    let home = try TestJournal()
    let journal = try home.open()
    let text = Self.header + "\(name),exact,\(try written(taxon)),\(taxon),2020\n"
    let (rows, _) = try TestTable.import(text, Self.map, into: journal, looksUpNames: true)
    let kept = try #require(try identifications(journal).first)
    #expect(kept.match == (isSo ? .exact : .chosen) && kept.verbatimName == name)
    #expect(kept.taxon?.name == taxon)
    #expect(rows.first?.outcome == (isSo ? .new : .flagged), "\(rows)")
    #expect(rows.first?.flags.contains { $0.column == "match" && $0.value == "exact" } == !isSo)
    // As lines it is checked, too, and the same file again changes nothing.
    let line = try JournalLines.line(
      of: .identification(
        Identification(
          occurrence: kept.occurrence, verbatimName: name, taxon: try #require(kept.taxon),
          match: .exact)))
    let reader = JournalLinesReader(ByteChunks(TestTable.stream(Array((line + "\n").utf8))))
    var options = ImportOptions()
    options.updates = true
    var flags: [ImportFlag] = []
    _ = try journal.importing(
      reader, options, names: ImportNames(in: try TestTable.pack.get())
    ) { flags += $0.flags }
    #expect(flags.isEmpty == isSo)
    #expect(try identifications(journal).count == 1)
    let before = try home.dump()
    _ = try TestTable.import(text, Self.map, into: journal, looksUpNames: true)
    #expect(try home.dump() == before)
  }

  /// What the journal itself finds exact, it finds exact again where it is exported and imported.
  @Test func whatWasExactStaysSo() throws {
    let names = [
      "Quercus robur", "Panthera leo (Linnaeus, 1758)", "Acer sp.", "Quercus cf. robur",
      "Panthera leo / tigris", "Quercus robur 'Koster'", "Quercus robur f. fastigiata", "Felis leo",
      "Panthera leo [lion]", "Acer rubrum s.l.", "Quercus pedunculata",
    ]
    let journal = try TestJournal().open()
    let text = "name,when\n" + names.map { "\($0),2020\n" }.joined()
    _ = try TestTable.import(text, ["name=name", "when=date"], into: journal, looksUpNames: true)
    let wanted = try TestTable.records(of: journal)
    #expect(try identifications(journal).count { $0.match == .exact } > 7)
    let table = try TestTable.text(of: journal).text
    let other = try TestJournal().open()
    let (rows, _) = try TestTable.import(table, into: other, looksUpNames: true)
    #expect(rows.allSatisfy { $0.flags.isEmpty }, "\(rows)")
    #expect(try TestTable.records(of: other) == wanted)
  }

  /// A qualifier in a column of its own says as much as one behind the name.
  @Test(arguments: [
    ("?", nil as String?), ("cf.", nil), ("dead", nil), ("s.l.", "Quercus robur"),
    ("", "Quercus robur"),
  ])
  func aDoubtInAColumnIsOne(qualifier: String, taxon: String?) throws {
    let journal = try TestJournal().open()
    _ = try TestTable.import(
      "name,beside,when\nQuercus robur,\(qualifier),2020\n",
      ["name=name", "beside=qualifier", "when=date"], into: journal, looksUpNames: true)
    let kept = try #require(try identifications(journal).first)
    #expect(kept.taxon?.name == taxon && kept.verbatimName == "Quercus robur", "\(kept)")
    #expect(kept.qualifier == (qualifier.isEmpty ? nil : qualifier))
  }
}
