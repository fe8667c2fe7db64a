import TestSupport
import Testing

@testable import STOLJournal

@Suite("Making records of lines ahead")
struct LinesAheadTests {
  private struct Torn: Error {}

  /// What a line is, read alone.
  private static func row(_ line: String, number: Int) -> LinesAhead.Row? {
    guard line.contains(where: { $0 != " " }) else { return nil }
    do {
      let record = try JournalLines.record(line)
      try record.validate()
      return .success(ImportRow(line: number, records: [record], keepsNames: true))
    } catch {
      return .failure(ImportRefusal(error, line: number))
    }
  }

  /// A file of a few batches, and more, with bad and empty lines among others.
  @Test(arguments: [0, 1, 3, 700, 5_000])
  func rowsAreThoseOfTheLinesInTheirOrder(count: Int) throws {
    var maker = RandomRecords(seed: UInt64(count))
    var lines: [String] = []
    for number in 0..<count {
      guard let record = try maker.next() else { continue }
      let line = try JournalLines.line(of: record)
      lines.append(number % 7 == 3 ? String(line.dropLast(number % 40)) : line)
      if number % 11 == 0 { lines.append("  ") }
    }
    let wanted = lines.enumerated().compactMap { Self.row($1, number: $0 + 1) }
    let reader = JournalLinesReader(ByteChunks(Array(lines.joined(separator: "\n").utf8)))
    var found: [LinesAhead.Row] = []
    while let row = try reader.next() { found.append(row) }
    #expect(found == wanted)
    #expect(try reader.next() == nil)
  }

  /// A reader that nobody asks to the end goes without its thread, and one whose file fails gives all before that.
  @Test func filesThatEndEarly() throws {
    var maker = RandomRecords(seed: 5)
    let lines = try (0..<2_000).compactMap { _ in
      try maker.next().map { try JournalLines.line(of: $0) + "\n" }
    }
    for taken in [0, 1, 500, lines.count] {
      let reader = JournalLinesReader(ByteChunks(Array(lines.joined().utf8)))
      for _ in 0..<taken { #expect(try reader.next() != nil) }
    }
    var left = lines[...]
    let reader = JournalLinesReader(
      ByteChunks { buffer, _ in
        guard let line = left.popFirst() else { throw Torn() }
        buffer = Array(line.utf8)
      })
    var count = 0
    #expect(throws: Torn.self) { while try reader.next() != nil { count += 1 } }
    #expect(count == lines.count)
  }
}
