import STOLFormats
import TestSupport
import Testing

/// Tables whose bytes are kept: what is written row by row is read again, in pieces of any size.
@Suite("Raw tables")
struct RawTableTests {
  /// A row as it was written.
  private struct Row: Equatable {
    var bytes: [UInt8] = []
    var lineEnd: [UInt8] = []
    var cells: [[UInt8]] = []
    var line = 1
  }

  /// A dialect and rows that were written in it.
  private struct Written {
    var delimiter: UInt8?
    var isQuoted = false
    var rows: [Row] = []
    var bytes: [UInt8] { rows.flatMap { $0.bytes + $0.lineEnd } }

    init(_ random: inout SeededGenerator) {
      delimiter = [nil, UInt8(ascii: ","), 0x09].randomElement(using: &random) ?? nil
      isQuoted = Bool.random(using: &random) && delimiter != nil
      var line = 1
      let count = Int.random(in: 1...30, using: &random)
      for number in 0..<count {
        var row = Row(line: line)
        for column in 0..<(delimiter == nil ? 1 : Int.random(in: 1...4, using: &random)) {
          let cell = cell(&random)
          row.cells.append(cell)
          if column > 0, let delimiter { row.bytes.append(delimiter) }
          row.bytes += written(cell, &random)
        }
        if number < count - 1 || Bool.random(using: &random) {
          row.lineEnd = Bool.random(using: &random) ? [0x0A] : [0x0D, 0x0A]
        }
        if row.bytes.isEmpty, row.lineEnd.isEmpty { continue }
        line += max(1, (row.bytes + row.lineEnd).count { $0 == 0x0A })
        rows.append(row)
      }
    }

    private func cell(_ random: inout SeededGenerator) -> [UInt8] {
      let letters: [UInt8] =
        isQuoted ? Array("ab\",\t\n ".utf8) + [0xFF] : Array("ab' ".utf8) + [0xFF]
      return (0..<Int.random(in: 0...6, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? 0
      }
    }

    private func written(_ cell: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
      let quote = UInt8(ascii: "\"")
      let needsQuotes = cell.contains { $0 == quote || $0 == delimiter || $0 == 0x0A }
      guard isQuoted, needsQuotes || Bool.random(using: &random) else { return cell }
      return [quote] + cell.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }
  }

  /// A table that comes in chunks.
  private func table(_ written: Written, chunk: Int) -> RawTable {
    let bytes = written.bytes
    var offset = 0
    return RawTable(head: [], delimiter: written.delimiter, isQuoted: written.isQuoted) {
      let end = min(bytes.count, offset + chunk)
      defer { offset = end }
      return Array(bytes[offset..<end])
    }
  }

  private func cells(_ cursor: RowCursor, _ bytes: [UInt8]) -> [[UInt8]] {
    (0..<cursor.fieldCount).map { index in
      var cell: [UInt8] = []
      cursor.appendField(index, of: bytes, to: &cell)
      return cell
    }
  }

  @Test(arguments: 1...200)
  func rowsAreReadAsTheyWereWritten(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let written = Written(&random)
    for chunk in [1, 3, 1000] {
      var table = table(written, chunk: chunk)
      var rows: [Row] = []
      while let row = try table.next() {
        rows.append(
          Row(
            bytes: row.bytes, lineEnd: row.lineEnd,
            cells: row.fields.indices.compactMap { row.field($0) }, line: row.line))
      }
      #expect(rows == written.rows)
    }
  }

  @Test(arguments: 1...200)
  func blocksHoldAllRowsInTheirOrder(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let written = Written(&random)
    for (chunk, blockByteCount, pieceByteCount) in [
      (1, 1, 1), (3, 16, 4), (1000, 40, 1), (5, 1000, 7), (1000, 1000, 1000),
    ] {
      var table = table(written, chunk: chunk)
      var cursor = table.rows
      var rows: [Row] = []
      var bytes: [UInt8] = []
      while let block = try table.nextBlock(of: blockByteCount, inPiecesOf: pieceByteCount) {
        #expect(block.pieces.flatMap { Array($0.range) } == Array(block.bytes.indices))
        bytes += block.bytes
        for piece in block.pieces {
          var line = piece.line
          var next = piece.range.lowerBound
          while next < piece.range.upperBound {
            _ = cursor.find(in: block.bytes, from: next)
            rows.append(
              Row(
                bytes: Array(block.bytes[cursor.row]), lineEnd: Array(block.bytes[cursor.lineEnd]),
                cells: cells(cursor, block.bytes), line: line))
            line += max(1, cursor.lineEndCount)
            next = cursor.lineEnd.upperBound
          }
          #expect(next == piece.range.upperBound)
        }
      }
      #expect(bytes == written.bytes)
      #expect(rows == written.rows)
    }
  }

  @Test func aRowThatIsTooLongIsRefusedByItsLine() throws {
    for isQuoted in [false, true] {
      let long = [UInt8(ascii: "\"")] + [UInt8](repeating: 0x61, count: RawTable.rowLimit + 10)
      var chunks = [Array("a,b\nc,d\n".utf8), long, long]
      var table = RawTable(head: [], delimiter: UInt8(ascii: ","), isQuoted: isQuoted) {
        chunks.isEmpty ? [] : chunks.removeFirst()
      }
      let error = #expect(throws: FormatError.self) {
        while try table.nextBlock() != nil {}
      }
      #expect(error?.description.contains("line 3") ?? false)
    }
  }
}
