import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

/// Readers on bytes as they should not be: each ends, none traps, and what is read can be kept.
@Suite("Readers of broken files")
struct ReaderFuzzTests {
  private static let seeds: [String] = [
    """
    {"format":"stol-journal","version":1,"writer":"a","records":[
    {"recordKind":"place","id":"0192f3a45b6c7d8e9fabcdef01234567","kind":"site","name":"A","tags":["b"],
    "position":{"latitudeE7":1,"longitudeE7":2}},
    {"recordKind":"event","id":"0192f3a45b6c7d8e9fabcdef01234568","kind":"dive","status":"saved","start":"2026",
    "isCompleteList":false,"dive":{"tanks":[{"o2Permille":320}]}}]}
    """,
    """
    {"recordKind":"collection","id":"0192f3a45b6c7d8e9fabcdef01234567","name":"\\u00e4\\ud83c\\udf33"}
    {"recordKind":"note","id":"0192f3a45b6c7d8e9fabcdef01234568","target":"0192f3a45b6c7d8e9fabcdef01234567","text":"x"}
    """,
    """
    [{"id":"0192f3a4-5b6c-7d8e-9fab-cdef01234567","latitude":-4.2e1,"longitude":179.5,"horizontalAccuracy":4.2,
    "altitude":1e3,"species":"A b","variety":"c","collection":{"name":"d"},"createdAt":795364222.75,
    "notes":[{"text":"e","createdAt":"2026-03-15T09:44:30.5+05:30"},"f"],"photos":["AA"]}]
    """,
    """
    {"id":"0192f3a4-5b6c-7d8e-9fab-cdef01234567","lat":1,"lon":2,"accuracy":3,"species":"A","notes":"b",
    "capturedAt":"2026-03-15T09:44:30Z"}
    """,
    SeedLayoutTests.dives,
    """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[1.5,-4.2e1]},"properties":{"name":"A",
    "note":"b"}},
    {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[179,1],[-179,2],[179,3],[179,1]]]},
    "properties":{"scientificName":"Quercus robur","eventDate":"2026-03-15","individualCount":3}}],"x":[]}
    """,
  ]

  /// Other bytes in the place of some, some gone, some twice, pieces that mean something put in.
  static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    let pieces = [
      "\"", "{", "}", "[", "]", ",", ":", "\\u", "\\", "null", "-", "1e999", "9999999999999999999",
      "\u{0}", "\u{FEFF}", "\n", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
      "0.0000000000000000000001", "-0",
      "2026-99-99", "<", "&", "$", "*",
    ]
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let at = Int.random(in: 0...bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: at)
      case 1:
        bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0...20, using: &generator)))
      case 2: bytes.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: at)
      case 3:
        let end = min(bytes.count, at + Int.random(in: 0...60, using: &generator))
        bytes.insert(
          contentsOf: Array(bytes[at..<end]), at: Int.random(in: 0...bytes.count, using: &generator)
        )
      case 4 where at < bytes.count: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      default: bytes.removeLast(bytes.count - at)
      }
    }
    return bytes
  }

  @Test(arguments: JSONLayout.allCases)
  func readersEnd(layout: JSONLayout) throws {
    var generator = SeededGenerator(seed: 71)
    var (rowCount, refusedCount, failedCount) = (0, 0, 0)
    for round in 0..<4000 {
      // Every second file is of the layout, the others of any.
      let own = JSONLayout.allCases.firstIndex(of: layout) ?? 0
      let number = round % 2 == 0 ? own : round / 2
      let seed = Array(Self.seeds[number % Self.seeds.count].utf8)
      let bytes =
        round % 50 == 49
        ? (0..<200).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        : Self.mutated(seed, &generator)
      _ = JSONLayout.detect(bytes)
      do {
        let (rows, refusals) = try layout.reader(ByteChunks(bytes)).all()
        rowCount += rows.count
        refusedCount += refusals.count
        for row in rows {
          #expect(row.line > 0 && !row.records.isEmpty)
          for record in row.records { try record.validate() }
        }
        #expect(refusals.allSatisfy { $0.line > 0 && !$0.reason.isEmpty })
      } catch is JournalError {
        failedCount += 1
      }
    }
    #expect(
      rowCount > 50 && refusedCount + failedCount > 100,
      "\(rowCount) \(refusedCount) \(failedCount)")
  }

  /// What was read of a broken file is read again from what is written of it.
  @Test func whatIsReadIsWrittenAndReadAlike() throws {
    var generator = SeededGenerator(seed: 72)
    var count = 0
    for _ in 0..<4000 {
      let bytes = Self.mutated(Array(Self.seeds[1].utf8), &generator)
      for row in try JournalLinesReader(ByteChunks(bytes)).all().rows {
        for record in row.records {
          #expect(try JournalLines.record(try JournalLines.line(of: record)) == record)
          count += 1
        }
      }
    }
    #expect(count > 1000)
  }

  /// Lines are the same wherever the pieces of a file end.
  @Test func linesDoNotDependOnPieces() throws {
    var generator = SeededGenerator(seed: 73)
    for _ in 0..<300 {
      let letters: [UInt8] = Array("\n\rab".utf8)
      let count = Int.random(in: 0...40, using: &generator)
      let bytes: [UInt8] = (0..<count).map { _ in letters.randomElement(using: &generator) ?? 0 }
      var expected: [[UInt8]] = bytes.split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      ).map { line in Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line) }
      if bytes.isEmpty || bytes.last == UInt8(ascii: "\n") { expected.removeLast() }
      var rest = bytes[...]
      let sizes = Int.random(in: 1...7, using: &generator)
      let lines = ByteLines(
        ByteChunks { buffer, _ in
          buffer = Array(rest.prefix(sizes))
          rest = rest.dropFirst(sizes)
        }, limit: 100)
      var found: [[UInt8]] = []
      while let line = try lines.next() { found.append(line) }
      #expect(found == expected && lines.number == expected.count)
    }
  }

  @Test func receiversMaySayAnything() throws {
    var generator = SeededGenerator(seed: 74)
    let sentences = Array(
      """
      $GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A
      $GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47
      $GPGGA,123520,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*4D

      """.utf8)
    let track = Array(
      """
      <gpx><trk><trkseg><trkpt lat="48.1173" lon="11.51667"><ele>545.4</ele><time>2026-03-15T09:44:30Z</time>
      <hdop>0.9</hdop><extensions><accuracy>4</accuracy></extensions></trkpt></trkseg></trk></gpx>
      """.utf8)
    var (fixCount, trackCount) = (0, 0)
    for _ in 0..<8000 {
      var bytes = Self.mutated(sentences, &generator)
      if Int.random(in: 0..<2, using: &generator) == 0 { bytes = Self.resummed(bytes) }
      var reader = NMEAReader(ByteChunks(bytes))
      while let fix = try reader.next() {
        try fix.position.validate()
        fixCount += 1
      }
      guard let fixes = try? GPXTrack.fixes(Self.mutated(track, &generator)) else { continue }
      for fix in fixes { try fix.position.validate() }
      trackCount += fixes.count
    }
    #expect(fixCount > 1000 && trackCount > 100, "\(fixCount) \(trackCount)")
  }

  /// Lines with right checksums, so that what is between is looked at.
  private static func resummed(_ bytes: [UInt8]) -> [UInt8] {
    bytes.split(separator: UInt8(ascii: "\n")).flatMap { line -> [UInt8] in
      guard let start = line.firstIndex(of: UInt8(ascii: "$")),
        let star = line.lastIndex(of: UInt8(ascii: "*")), start < star
      else { return Array(line) + [10] }
      let sum = line[(start + 1)..<star].reduce(0, ^)
      let digits = String(sum, radix: 16)
      return Array(line[start...star]) + Array((digits.count < 2 ? "0" + digits : digits).utf8) + [
        10
      ]
    }
  }
}
