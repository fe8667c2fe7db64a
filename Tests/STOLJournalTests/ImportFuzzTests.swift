import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Damaged tables")
struct ImportFuzzTests {
  private static let map = [
    "id=id", "what=name", "lat=latitude", "lon=longitude", "acc=uncertainty_m:m", "when=date",
    "clock=time", "n=count", "seen=presence", "alt=organism_elevation_cm:cell", "tags=tags",
    "in=place", "old=planted", "=dates=dmy", "=source=test",
  ]
  private static let table = #"""
    id,what,lat,lon,acc,when,clock,n,seen,alt,tags,in,old
    1,"Quercus ""robur""",42.1,-76.1,5,15.3.2019,9:44,1,present,120m,a;b,North,1998
    2,Acer sp.,"42,2",-76.2,20,2019-03-16T09:44:30Z,,,absent,,,"two
    lines",
    3,\#u{E9}t\#u{E9},-0.1,179.9999999,,2019,,12,,-3.5ft,x,,12/1990

    """#

  /// Whatever bytes come, each row gets one outcome, and the journal is whole.
  private func check(_ bytes: [UInt8], _ map: [String], in journal: JournalFile, _ seed: String) {
    do {
      var options = ImportOptions()
      options.isDryRun = true
      var rows: [ImportedRow] = []
      let reader = try TableImportReader(
        TestTable.stream(bytes, pieceByteCount: 37), fileName: "a.csv",
        mapping: try TableMapping(map))
      let summary = try journal.importing(reader, options) { rows.append($0) }
      #expect(summary.rowCount == rows.count, "\(seed)")
      #expect(
        rows.allSatisfy { row in
          (row.outcome == .refused) == (row.refusal != nil) && row.line > 0
            && (row.outcome != .flagged || !row.flags.isEmpty)
        }, "\(seed)")
      #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.line < $1.line }, "\(seed)")
    } catch is JournalError {
      // The header is damaged.
    } catch is FormatError {
    } catch {
      Issue.record("\(seed): \(error)")
    }
  }

  @Test func damagedTablesAreReadOrRefused() throws {
    let home = try TestJournal()
    let journal = try home.open()
    try journal.save(try Walk().records)
    let before = try home.dump()
    let export = Array(try TestTable.text(of: journal).text.utf8)
    let table = Array(Self.table.utf8)
    let signs = Array(",;\t\"\n\r\\{}|'=+-.:/0159Tz\u{0}".utf8) + [0xFF, 0xC3, 0x80, 0xEF]
    for round in 0..<3000 {
      var generator = SeededGenerator(seed: UInt64(round))
      var bytes: [UInt8]
      switch round % 4 {
      case 0:
        bytes = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
          UInt8.random(in: .min ... .max, using: &generator)
        }
      case 1: bytes = export
      default: bytes = table
      }
      for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
        // The header of most stays as it is.
        let start = round % 8 == 7 ? 0 : min(bytes.count - 1, 55)
        let place = Int.random(in: start..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = signs.randomElement(using: &generator) ?? 0
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(signs.randomElement(using: &generator) ?? 0, at: place)
        default:
          let end = Int.random(in: place..<bytes.count, using: &generator)
          bytes.insert(contentsOf: bytes[place..<min(end, place + 40)], at: place)
        }
      }
      check(
        bytes, round % 4 == 1 ? [] : Self.map, in: journal, "round \(round)")
    }
    #expect(try home.dump() == before && journal.history().count == 1)
    #expect(try journal.check() == [])
  }

  @Test func aRowWithoutEndIsRefusedAndTheNextIsRead() throws {
    let journal = try TestJournal().open()
    let long = String(repeating: "x", count: TableReader.rowLimit + 1)
    let (rows, _) = try TestTable.import(
      "what,when\n\(long),2019\nelm,2019\n", ["what=name", "when=date"], into: journal)
    #expect(rows.map(\.outcome) == [.refused, .new] && rows.map(\.line) == [2, 3])
  }
}
