import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

/// Readers of dives on bytes as they should not be: each ends, none traps, and what is read can be kept.
@Suite("Dives in broken files")
struct DiveFuzzTests {
  /// Whole files of each format.
  private static func seeds(_ format: ImportFormat) throws -> [[UInt8]] {
    switch format {
    case .subsurface:
      let dives = (1...20).map {
        "<dive date='2026-03-\($0 + 9)' time='09:44:30'><notes>a</notes></dive>\n"
      }
      let short =
        "<divelog program='subsurface' version='3'><dives>\n\(dives.joined())</dives></divelog>"
      return [Array(SubsurfaceTests.log.utf8), Array(short.utf8)]
    case .uddf:
      let dives = (1...20).map { day in
        "<dive><informationbeforedive><datetime>2026-03-\(day + 9)T09:44:30</datetime></informationbeforedive></dive>\n"
      }
      let short =
        "<uddf><profiledata><repetitiongroup>\n\(dives.joined())</repetitiongroup></profiledata></uddf>"
      return [Array(UDDFTests.whole.utf8), Array(short.utf8)]
    default:
      return [FITMaker.dive().file(), FITMaker.dive(isBigEndian: true).file(headByteCount: 12)]
    }
  }

  private static let pieces = [
    "'", "\"", "<", "</", "/>", "<dive>", "<sample ", "time='", "99999999999999999999", "-1",
    "1e999",
    "&", "&#0;", "\u{0}", "<!ENTITY a 'b'>", "NaN", ":::", "-", " m", " C", "id=", "ref=",
  ]

  @Test(arguments: [ImportFormat.subsurface, .uddf, .fit])
  func readersEnd(format: ImportFormat) throws {
    var generator = SeededGenerator(seed: 81)
    let seeds = try Self.seeds(format)
    var (diveCount, oddCount) = (0, 0)
    for round in 0..<Sweep.count(few: 1500, full: 1_700_000) {
      var bytes = ReaderFuzzTests.mutated(seeds[round % seeds.count], &generator)
      if round % 3 == 0 {
        let at = Int.random(in: 0...bytes.count, using: &generator)
        bytes.insert(contentsOf: (Self.pieces.randomElement(using: &generator) ?? "").utf8, at: at)
      }
      _ = DiveFormat.detect(bytes)
      guard let reader = try DiveFormat.reader(format, ByteChunks(bytes)) else {
        Issue.record("\(format)")
        return
      }
      let (rows, refusals) = try reader.all()
      for row in rows {
        #expect(row.line > 0 && !row.records.isEmpty)
        for record in row.records { try record.validate() }
      }
      #expect(refusals.allSatisfy { $0.line > 0 && !$0.reason.isEmpty })
      diveCount += rows.dives.count
      oddCount += refusals.count + rows.flatMap(\.flags).count
    }
    #expect(diveCount > 300 && oddCount > 300, "\(diveCount) \(oddCount)")
  }

  /// Numbers are read as they are written, whatever stands around them.
  @Test func numbersAreReadExactly() throws {
    var generator = SeededGenerator(seed: 82)
    for _ in 0..<5000 {
      let value = Int.random(in: -9_999_999...9_999_999, using: &generator)
      let decimals = Int.random(in: 0...6, using: &generator)
      let text = DecimalText.text(value, decimals: decimals)
      let number = try #require(WrittenNumber(" \(text) m\n"))
      #expect(number.unit == "m")
      // By decimal digits, with a half rounded away from zero.
      let exact = ExactDecimal(text)
      #expect(number.scaled(by: 1000) == exact?.scaled(by: 1000, over: 1), "\(text)")
      #expect(number.scaled(by: 1, over: 100) == exact?.scaled(by: 1, over: 100), "\(text)")
    }
    for text in ["", "m", "-", ".", "e5", "x1"] { #expect(WrittenNumber(text) == nil) }
    #expect(WrittenNumber("1.5e3")?.scaled(by: 1) == 1500)
    #expect(WrittenNumber("-25e-1")?.scaled(by: 1) == -3)
    #expect(WrittenNumber("299.15000000000003")?.scaled(by: 100) == 29_915)
    #expect(WrittenNumber("1e400")?.scaled(by: 1) == nil)
    #expect(WrittenNumber("1e-400")?.scaled(by: 1000) == 0)
    #expect(WrittenNumber("123456789012345678901234567890")?.scaled(by: 1000) == nil)
    for (text, seconds) in [
      ("54:30 min", 3270), ("1:02:03", 3723), ("90 s", 90), ("45 min", 2700), ("1:02:03 h", 3723),
      ("x", nil), ("", nil), ("::", nil), ("1:2:3:4", nil), ("99999999999 s", nil),
    ] as [(String, Int?)] {
      #expect(SubsurfaceText.seconds(text) == seconds, "\(text)")
    }
  }
}
