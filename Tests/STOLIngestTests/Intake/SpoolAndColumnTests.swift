import STOLNames
import STOLPack
import TestSupport
import Testing

@testable import STOLIngest
import STOLSystem

/// What holds the rows of a source, against arrays and dictionaries.
struct SpoolAndColumnTests {
  /// Counts around the length of a piece.
  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
  func aColumnIsAnArray(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var model: [Int32] = []
    var column = Column<Int32>()
    for _ in 0..<count {
      let value = Int32.random(in: .min ... .max, using: &random)
      model.append(value)
      column.append(value)
    }
    var filled = Column<Int32>(repeating: 7, count: count)
    #expect(column.count == count && filled.count == count)
    #expect((0..<count).allSatisfy { filled[$0] == 7 && column[$0] == model[$0] })
    // Appending goes on where a filled column ends.
    for value in 0..<Int32(70_000) { filled.append(value) }
    #expect(filled.count == count + 70_000)
    #expect((0..<70_000).allSatisfy { filled[count + $0] == Int32($0) })
    guard count > 0 else { return }
    for _ in 0..<1000 {
      let row = Int.random(in: 0..<count, using: &random)
      let value = Int32.random(in: .min ... .max, using: &random)
      model[row] = value
      column[row] = value
    }
    #expect((0..<count).allSatisfy { column[$0] == model[$0] })
  }

  @Test func anIDTableIsADictionary() {
    for seed in 0..<UInt64(300) {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...300, using: &random)
      // Few ids, ids of all sizes, or ids that begin at the same slot.
      let kind = Int.random(in: 0...2, using: &random)
      func id() -> Int64 {
        switch kind {
        case 0: Int64.random(in: -5...40, using: &random)
        case 1: Int64(bitPattern: random.next())
        default: Int64.random(in: 0...400, using: &random) << 40
        }
      }
      var ids = Column<Int64>()
      for _ in 0..<count { ids.append(id()) }
      var table = IDTable(count: count)
      var model: [Int64: Int] = [:]
      for row in 0..<count {
        #expect(table.insert(row, ids: ids) == model[ids[row]], "seed \(seed), row \(row)")
        if model[ids[row]] == nil { model[ids[row]] = row }
      }
      for key in (0..<count).map({ ids[$0] }) + (0..<100).map({ _ in id() }) + [.min, .max, 0] {
        #expect(table.row(key, ids: ids) == model[key], "seed \(seed), id \(key)")
      }
    }
  }

  // MARK: Records

  private enum Part: Equatable {
    case number(Int)
    case text(String)
  }

  private static func parts(_ random: inout SeededGenerator) -> [Part] {
    (0..<Int.random(in: 0...12, using: &random)).map { _ in
      switch Int.random(in: 0...5, using: &random) {
      case 0: .number(Int.random(in: -3...200, using: &random))
      case 1: .number(Int(bitPattern: UInt(random.next())))
      case 2:
        .number(
          [Int.min, -1, 0, 127, 128, 16_383, 16_384, .max].randomElement(using: &random) ?? 0)
      case 3: .text("")
      case 4:
        .text(
          String(
            (0..<Int.random(in: 1...40, using: &random)).map { _ in
              Character(["a", "é", "\u{0}", "×", "𝄞", "\n"].randomElement(using: &random) ?? "b")
            }))
      default:
        .text(String(repeating: "x", count: Int.random(in: 100...9000, using: &random)))
      }
    }
  }

  private static func record(_ parts: [Part]) -> RecordBuilder {
    var record = RecordBuilder()
    for part in parts {
      switch part {
      case .number(let number): record.add(number)
      case .text(let text): record.add(text)
      }
    }
    return record
  }

  private static func read(_ record: RecordReader, like parts: [Part]) -> [Part] {
    var record = record
    return parts.map { part in
      switch part {
      case .number: .number(record.number())
      case .text: .text(record.text())
      }
    }
  }

  /// Writes and reads take turns; long records are longer than what is read at once.
  @Test func aSpoolGivesEveryRecordInAnyOrder() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<UInt64(40) {
      var random = SeededGenerator(seed: seed)
      let spool = try Spool(beside: folder("spool"))
      var model: [(offset: UInt64, parts: [Part])] = []
      for _ in 0..<Int.random(in: 1...300, using: &random) {
        if Int.random(in: 0...2, using: &random) > 0 || model.isEmpty {
          var parts = Self.parts(&random)
          if Int.random(in: 0...60, using: &random) == 0 {
            parts.append(.text(String(repeating: "long", count: 16_000)))
          }
          let offset = try spool.append(Self.record(parts))
          #expect(spool.byteCount == Int(offset) + Self.size(parts))
          model.append((offset, parts))
        } else {
          let entry = model[Int.random(in: 0..<model.count, using: &random)]
          let found = Self.read(try spool.record(at: entry.offset), like: entry.parts)
          #expect(found == entry.parts, "seed \(seed)")
        }
      }
      for entry in model + model.reversed() + model.shuffled(using: &random) {
        let found = Self.read(try spool.record(at: entry.offset), like: entry.parts)
        #expect(found == entry.parts, "seed \(seed)")
      }
    }
    #expect(try folder.contents == [])
  }

  private static func size(_ parts: [Part]) -> Int { record(parts).framed.count }

  /// Every text, year and list that a usage may have comes back.
  @Test func aUsageReadsWhatItWrote() {
    for seed in 0..<UInt64(2000) {
      var random = SeededGenerator(seed: seed)
      func text() -> String {
        let scalars = (0..<Int.random(in: 0...9, using: &random)).map { _ in
          Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)) ?? "x"
        }
        return String(String.UnicodeScalarView(scalars))
      }
      func count() -> Int { Int.random(in: 0...3, using: &random) }
      var usage = SourceUsage()
      usage.name = text()
      usage.authorship = text()
      usage.year = Bool.random(using: &random) ? Int.random(in: 1700...2100, using: &random) : nil
      usage.id = text()
      let code = text()
      usage.conservation = code.isEmpty ? nil : code
      usage.parentID = text()
      usage.parentName = text()
      usage.acceptedName = text()
      usage.statusText = text()
      usage.nomenclaturalStatus = text()
      usage.code = text()
      usage.sensu = text()
      usage.acceptedIDs = (0..<count()).map { _ in text() }
      usage.classification = (0..<count()).map { _ in
        (SourceRank.aboveSpecies.randomElement(using: &random) ?? .genus, text())
      }
      var record = RecordBuilder()
      usage.write(to: &record)
      var fromBytes = RecordBuilder()
      var unnamed = usage
      unnamed.name = "another"
      let texts = (Array(usage.name.utf8), Array(usage.authorship.utf8))
      unnamed.write(name: texts.0.span, authorship: texts.1.span, to: &fromBytes)
      #expect(fromBytes.framed == record.framed, "seed \(seed)")
      var reader = RecordReader(bytes: record.framed.dropFirst(RecordBuilder.headByteCount))
      // Every stored property, and no rank, status or line.
      #expect("\(SourceUsage(&reader))" == "\(usage)", "seed \(seed)")
    }
  }

  @Test func whatFollowsTheLastRecordIsAnError() throws {
    let folder = try TemporaryFolder()
    let spool = try Spool(beside: folder("spool"))
    _ = try spool.append(Self.record([.text("only")]))
    #expect(throws: SystemError.self) { try spool.record(at: UInt64(spool.byteCount)) }
  }

  /// A year that cannot be one of a description is none.
  @Test(arguments: [nil, 0, 1, 1699, 1700, 1758, 2100, 2101, -1, Int.max - 1, Int.max, Int.min])
  func yearsOverflowNothing(year: Int?) throws {
    let folder = try TemporaryFolder()
    let intake = try Intake(beside: folder("x"), findings: Findings())
    intake.account.begin("rows")
    try intake.countRow()
    var usage = SourceUsage()
    usage.id = "1"
    usage.name = "Aus bus"
    usage.year = year
    try intake.add(usage)
    let expected = year.flatMap { (1700...2100).contains($0) ? $0 : nil }
    #expect(try intake.text(0).year == expected)
  }
}
