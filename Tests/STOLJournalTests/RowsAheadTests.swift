import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Reading rows ahead")
struct RowsAheadTests {
  private struct Torn: Error {}

  /// Rows that end with an error.
  private final class TornReader: ImportReader {
    private var left: Int
    var byteCount: Int? { 0 }

    init(_ count: Int) { left = count }

    func next() throws -> Result<ImportRow, ImportRefusal>? {
      guard left > 0 else { throw Torn() }
      left -= 1
      return .success(ImportRow(line: left, records: []))
    }
  }

  /// A table of which some rows cannot be read, and some names mean nothing.
  private static func reader(_ count: Int) throws -> EBirdReader {
    let rows = (0..<count).map { number in
      "S\(number / 7),Ostrich,\(number % 11 == 0 ? "Aus bus" : "Struthio camelus"),1,"
        + "\(number % 13 == 5 ? "many" : "\(number % 9)"),US-NY,,L\(number % 40),Pond,42.5,-76.5,"
        + "2022-12-08,06:05 AM,,,,,,,,,\n"
    }
    return try EBirdTests.reader(EBirdTests.header + rows.joined())
  }

  private static func all(of rows: RowsAhead) throws -> [RowsAhead.Row] {
    var found: [RowsAhead.Row] = []
    while let row = try rows.next(unless: { false }) { found.append(row) }
    return found
  }

  /// A file of a few batches, and more.
  @Test(arguments: [0, 1, 255, 256, 257, 1_500, 5_000])
  func rowsAreThoseOfTheReaderInTheirOrder(count: Int) throws {
    let names = ImportNames(in: try TestTable.pack.get())
    let plain = try Self.reader(count)
    var wanted: [RowsAhead.Row] = []
    while let row = try plain.next() { wanted.append(row.map(names.resolve)) }
    let reader = try Self.reader(count)
    let rows = RowsAhead(reader, names: ImportNames(in: try TestTable.pack.get()))
    #expect(try Self.all(of: rows) == wanted)
    #expect(try rows.next(unless: { false }) == nil)
    rows.finish()
    #expect(wanted.count == count && reader.beside == plain.beside)
    let taxa = wanted.compactMap { row -> Bool? in
      guard case .success(let row) = row, case .identification(let it) = row.records.last else {
        return nil
      }
      return it.taxon != nil
    }
    #expect(count < 20 || Set(taxa) == [true, false])
  }

  /// Rows that nobody wants any more, and a file that fails, which gives all before that.
  @Test func filesThatEndEarly() throws {
    for taken in [0, 1, 300, 2_000] {
      let rows = RowsAhead(try Self.reader(5_000), names: nil)
      for _ in 0..<taken { #expect(try rows.next(unless: { false }) != nil) }
      #expect(throws: CancellationError.self) { try rows.next(unless: { true }) }
    }
    for count in [0, 1, 256, 3_000] {
      let rows = RowsAhead(TornReader(count), names: nil)
      for _ in 0..<count { #expect(try rows.next(unless: { false }) != nil) }
      #expect(throws: Torn.self) { try rows.next(unless: { false }) }
      #expect(throws: Torn.self) { try rows.next(unless: { false }) }
    }
  }

  /// A file that says strictly that all is to be right, and goes wrong far behind, changes nothing.
  @Test func whatFailsFarBehindChangesNothing() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let before = try home.dump()
    var options = ImportOptions()
    options.isStrict = true
    #expect(throws: ImportRefusal.self) {
      try journal.importing(try Self.reader(3_000), options)
    }
    #expect(throws: Torn.self) { try journal.importing(TornReader(3_000)) }
    #expect(try home.dump() == before)
  }
}
