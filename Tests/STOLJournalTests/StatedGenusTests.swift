import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

/// Tables that have the genus in a column of its own.
@Suite("Stated genera")
struct StatedGenusTests {
  @Test func aStatedGenusHasToAgree() throws {
    let journal = try TestJournal().open()
    let text = """
      genus,species,when
      Acer,saccharum,2020
      Acer,rubrum,2020
      Quercus,Quercus robur,2020
      Acer,Quercus robur,2020
      Acer,Quercus robus,2020
      ,Quercus robur,2020

      """
    var options = ImportOptions()
    options.accept = .fuzzy
    _ = try TestTable.import(
      text, ["genus=genus", "species=name", "when=date"], into: journal, options,
      looksUpNames: true)
    let taxa: [String?] = try journal.liveRecords().compactMap {
      if case .identification(let identification) = $0.record {
        .some(identification.taxon?.name)
      } else {
        nil
      }
    }
    #expect(taxa == [nil, nil, "Quercus robur", nil, nil, "Quercus robur"])
    var reader = JournalNameReader()
    let pack = try TestTable.pack.get()
    let view = pack.view
    let reading = reader.read("Quercus robur", hints: [("genus", "Acer")], in: view)
    #expect(reading.taxon == nil && reading.reason.contains("\"Acer\""), "\(reading)")
    #expect(reading.suggestions.first?.taxon.name == "Quercus robur")
  }

  @Test func besideAGenusTheSpeciesIsAnEpithet() throws {
    func proposal(_ header: String) throws -> [String] {
      let text = header + "\nAcer,rubrum\n"
      return try TableProposal.text(
        of: TestTable.stream(Array(text.utf8)), fileName: "trees.csv"
      ).split(separator: "\n").map(String.init)
    }
    #expect(Set(try proposal("genus,species")).isSuperset(of: ["genus=genus", "species=species"]))
    #expect(Set(try proposal("species,genus")).isSuperset(of: ["genus=genus", "species=species"]))
    #expect(try proposal("id,species").contains("species=name"))
  }
}
