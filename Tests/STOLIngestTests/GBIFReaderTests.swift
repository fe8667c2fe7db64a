import TestSupport
import Testing

@testable import STOLIngest

@Suite("GBIF's simple form")
struct GBIFReaderTests {
  private func row(_ values: [Int: String]) -> String {
    (0..<30).map { values[$0] ?? "\\N" }.joined(separator: "\t") + "\n"
  }

  private let species = [0: "1", 3: "f", 4: "ACCEPTED", 5: "SPECIES", 19: "Aus bus"]

  @Test func leavesOutReferencesOfMarkupAlone() throws {
    for text in ["<i></i>", "\u{FEFF}", "Syst. nat."] {
      let table = row(species.merging([28: text]) { $1 })
      let made = try MadeDatabase(.gbif, files: ["simple.txt": table])
      #expect(try made.rows("SELECT citation FROM refs") == (text == "Syst. nat." ? [text] : []))
    }
  }

  @Test func namesTheColumnsThatItDoesNotRead() throws {
    let made = try MadeDatabase(.gbif, files: ["simple.txt": row(species)])
    let columns = made.report.sources[0].files[0].unreadColumns
    #expect(columns.count == 18)
    #expect(columns["kingdom_key"] == "said by another column")
    #expect(columns["basionym_key"] == "relations of names and taxa are not kept")
    #expect(!columns.values.contains(UnreadColumn.other))
  }

  @Test func cutsTextsThatNoDatabaseHolds() throws {
    let long = String(repeating: "a", count: 99_999)
    for column in [19, 24] {
      let table = row(species.merging([column: long]) { $1 })
      let made = try MadeDatabase(.gbif, files: ["simple.txt": table])
      #expect(
        try made.rows("SELECT max(length(scientific_name), coalesce(length(author), 0)) FROM taxa")
          == ["65536"])
      #expect(made.count("textTooLong") == 1)
    }
  }

  @Test(arguments: ["9223372036854775807", "-1", "99999999999999", "0"])
  func leavesOutYearsThatAreNone(_ year: String) throws {
    let table = row(species.merging([25: year]) { $1 })
    let made = try MadeDatabase(.gbif, files: ["simple.txt": table])
    #expect(try made.rows("SELECT year, author FROM taxa") == ["-|\(year)"])
  }
}
