import Foundation
import GRDB
import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("What dive computers recorded")
struct DiveLogTests {
  /// A log with everything in it.
  static func sample() throws -> Dive.Log {
    var (log, samples) = (Dive.Log(), DiveSamples())
    (log.model, log.serial, log.fingerprint) = ("Perdix", "7f3a", "0102ff")
    log.start = try LocalTime("2026-03-15T09:44:28")
    for (time, depth) in [(0, 0), (10, 3400), (20, 3400), (600, 22_400), (600, 22_300), (3090, 0)] {
      samples.depthMm.append(depth, at: time)
    }
    samples.temperatureCk.append(29_915, at: 0)
    samples.temperatureCk.append(29_515, at: 600)
    for tank in [1, 2] {
      samples.pressureMbar[tank, default: DiveSamples.Series()].append(200_000, at: 0)
      samples.pressureMbar[tank]?.append(60_000, at: 3000)
    }
    samples.events = [
      DiveSamples.Mark(timeS: 0, what: "gaschange", tank: 1),
      DiveSamples.Mark(timeS: 700, what: "ascent \u{E9}"),
    ]
    try log.set(samples)
    return log
  }

  /// Reads bytes by the words of Format/JOURNAL.md, with nothing of the reader's.
  private static func unpacked(_ bytes: [UInt8]) -> DiveSamples {
    var (rest, samples) = (bytes[...], DiveSamples())
    func number() -> Int {
      var (value, factor) = (0, 1)
      while let byte = rest.popFirst() {
        value += Int(byte % 128) * factor
        factor *= 128
        if byte < 128 { break }
      }
      return value
    }
    func list(_ count: Int) -> [Int] {
      var last = 0
      return (0..<count).map { _ in
        let code = number()
        last += code % 2 == 0 ? code / 2 : -(code + 1) / 2
        return last
      }
    }
    for _ in 0..<number() {
      let (key, count) = (number(), number())
      var series = DiveSamples.Series()
      let (times, values) = (list(count), list(count))
      for (time, value) in zip(times, values) { series.append(value, at: time) }
      if key == 0 { samples.depthMm = series }
      if key == 1 { samples.temperatureCk = series }
      if key > 1 { samples.pressureMbar[key - 1] = series }
    }
    for time in list(number()) {
      let (tank, count) = (number(), number())
      samples.events.append(
        DiveSamples.Mark(
          timeS: time, what: String(decoding: rest.prefix(count), as: UTF8.self),
          tank: tank == 0 ? nil : tank))
      rest = rest.dropFirst(count)
    }
    return samples
  }

  @Test func bytesAreAsTheyAreDescribed() throws {
    var samples = DiveSamples()
    #expect(samples.packed == [] && DiveSamples(packed: []) == samples)
    samples.depthMm.append(0, at: 0)
    samples.depthMm.append(100, at: 2)
    samples.depthMm.append(99, at: 2)
    samples.pressureMbar[2] = DiveSamples.Series()
    samples.pressureMbar[2]?.append(3, at: 1)
    samples.events = [DiveSamples.Mark(timeS: 5, what: "a", tank: 2)]
    #expect(
      samples.packed == [
        2, 0, 3, 0, 4, 0, 0, 200, 1, 1, 3, 1, 2, 6, 1, 10, 2, 1, 97,
      ])
    var maker = RandomRecords(seed: 91)
    for _ in 0..<2000 {
      let samples = maker.samples()
      try samples.validate()
      #expect(DiveSamples(packed: samples.packed) == samples)
      guard !samples.isEmpty else { continue }
      #expect(Self.unpacked(samples.packed) == samples)
    }
  }

  /// Bytes that nobody writes are none, so that equal samples have equal bytes.
  @Test func otherBytesAreNone() throws {
    var generator = SeededGenerator(seed: 92)
    let bytes = try Self.sample().samples.packed
    var readCount = 0
    for _ in 0..<20_000 {
      let other = ReaderFuzzTests.mutated(bytes, &generator)
      guard let samples = DiveSamples(packed: other) else { continue }
      #expect(samples.packed == other)
      readCount += 1
    }
    #expect((100..<20_000).contains(readCount))
    // A count of more than there is, a number of one byte in two, a series twice, text that is none.
    for other: [UInt8] in [
      [0], [255], [1, 0, 0x80], [1, 0, 1, 0x80, 0, 0, 0], [2, 0, 1, 0, 0, 0, 1, 0, 0, 0],
      [0, 1, 0, 0, 1, 0xFF], [1, 0, 0xFF, 0xFF, 0xFF, 0x7F], [0x80, 0],
      [UInt8](repeating: 0xFF, count: 40),
    ] {
      #expect(DiveSamples(packed: other) == nil, "\(other)")
    }
  }

  @Test func whatCannotBeIsRefused() throws {
    typealias Change = (inout DiveSamples) -> Void
    let changes: [(String, Change)] = [
      ("samples.depth_mm", { $0.depthMm.append(-1, at: 9000) }),
      ("samples.depth_mm", { $0.depthMm.append(.max, at: 9000) }),
      ("samples.temperature_ck", { $0.temperatureCk.append(19_999, at: 9000) }),
      ("samples.pressure_mbar", { $0.pressureMbar[1]?.append(500_001, at: 9000) }),
      ("samples.tank", { $0.pressureMbar[0] = $0.pressureMbar[1] }),
      ("samples.tank", { $0.pressureMbar[65] = $0.pressureMbar[1] }),
      ("samples.time_s", { $0.depthMm.append(0, at: 2_678_401) }),
      ("samples.time_s", { $0.events[1].timeS = -1 }),
      ("samples.tank", { $0.events[1].tank = 0 }),
      ("samples.what", { $0.events[1].what = "" }),
    ]
    for (field, change) in changes {
      var log = try Self.sample()
      var samples = log.samples
      change(&samples)
      let error = #expect(throws: JournalError.self) { try log.set(samples) }
      guard case .invalid(field, _, _)? = error else {
        Issue.record("\(field): \(String(describing: error))")
        continue
      }
      #expect(try log == Self.sample())
    }
    var series = DiveSamples.Series()
    #expect(series.append(1, at: 5) && series.append(2, at: 5) && !series.append(3, at: 4))
    #expect(series.timeS == [5, 5] && series.value == [1, 2])
  }

  @Test func aDiveHasNoMoreThanItMay() throws {
    var (log, samples) = (Dive.Log(), DiveSamples())
    for time in 0..<70_000 { samples.depthMm.append(time % 2 * 40, at: time) }
    try log.set(samples)
    var dive = Dive()
    dive.logs = [log, log]
    try dive.validate()
    dive.logs = [log, log, log]
    #expect(throws: JournalError.self) { try dive.validate() }
    dive.logs = [Dive.Log](repeating: Dive.Log(), count: 65)
    #expect(throws: JournalError.self) { try dive.validate() }
    // The line of what a dive may have is no longer than a reader takes.
    dive.logs = [log, log]
    var event = Event(kind: .dive, start: try LocalTime("2026"))
    event.dive = dive
    let line = try JournalLines.line(of: .event(event))
    #expect(line.utf8.count < JournalLinesReader.lineLimit)
    #expect(try JournalLines.record(line) == .event(event))
  }

  private func dive() throws -> Event {
    var event = Event(kind: .dive, start: try LocalTime("2026-03-15T09:44:30"))
    event.dive = Dive()
    event.dive?.logs = [try Self.sample(), Dive.Log()]
    event.dive?.logs[1].model = "Vyper"
    return event
  }

  @Test func logsAreKeptChangedAndBroughtBack() throws {
    let home = try TestJournal()
    let journal = try home.open()
    var event = try dive()
    try journal.save([.event(event)])
    #expect(try journal.liveRecords().map(\.record) == [.event(event)])
    let blob = try home.inside { try Data.fetchOne($0, sql: "SELECT samples FROM dive_log") }
    #expect(
      try Zstd.decompress(Array(try #require(blob)), path: "", limit: 1000)
        == Self.sample().samples.packed)
    #expect(
      try home.inside { try Int.fetchOne($0, sql: "SELECT count(samples) FROM dive_log") } == 1)
    let whole = event
    event.dive?.logs.removeFirst()
    try journal.save([.event(event)])
    #expect(try journal.liveRecords().map(\.record) == [.event(event)])
    try journal.undo(batch: try #require(try journal.history().first).id)
    #expect(try journal.liveRecords().map(\.record) == [.event(whole)])
    #expect(try journal.check() == [])
  }

  /// Others do not learn whose computer it was; who has it does not lose that when the export comes back.
  @Test func othersDoNotLearnWhoseComputerItWas() throws {
    let journal = try TestJournal().open()
    let event = try dive()
    try journal.save([.event(event)])
    let shared = try journal.exported(.jsonl, for: SharingTests.shared())
    let text = String(decoding: shared.bytes, as: UTF8.self)
    #expect(text.contains("Perdix") && !text.contains("7f3a") && !text.contains("0102ff"))
    #expect(text.contains("\"informationWithheld\":\"which dive computer it was\""))
    #expect(shared.report.sharing.withheld == ["event.dive.logs.serial": 1])
    var options = ImportOptions()
    options.updates = true
    let reader = JournalLinesReader(ByteChunks(shared.bytes))
    #expect(try journal.importing(reader, options).rowCounts == [.same: 1])
    #expect(try journal.liveRecords().map(\.record) == [.event(event)])
  }

  @Test func aFormatWithoutSamplesSaysSo() throws {
    var report = ExportReport()
    try report.loseAll(of: .event(try dive()), but: ["id", "recordKind", "kind", "start"])
    #expect(
      report.losses == [
        "event.dive.logs.samples": 1, "event.dive.logs.model": 1, "event.dive.logs.serial": 1,
        "event.dive.logs.fingerprint": 1, "event.dive.logs.start": 1,
      ])
  }

  @Test(arguments: [
    ("{}", "samples"), ("{\"depthMm\":{\"timeS\":[0],\"value\":[]}}", "depthMm"),
    ("{\"depthMm\":{\"timeS\":[],\"value\":[]}}", "depthMm"), ("{\"events\":[]}", "events"),
    ("{\"pressureMbar\":[]}", "pressureMbar"),
    ("{\"heart\":[]}", "heart"), ("{\"events\":[{\"timeS\":0,\"what\":\"\"}]}", "what"),
    ("{\"depthMm\":{\"timeS\":[1,0],\"value\":[0,0]}}", "time_s"),
    (
      "{\"pressureMbar\":[{\"tank\":1,\"timeS\":[0],\"value\":[1]},"
        + "{\"tank\":1,\"timeS\":[0],\"value\":[1]}]}", "pressureMbar"
    ),
  ])
  func samplesThatAreNoneAreRefused(json: String, member: String) throws {
    let line = """
      {"recordKind":"event","id":"0192f3a45b6c7d8e9fabcdef01234567","kind":"dive","status":"saved",\
      "start":"2026","isCompleteList":false,"dive":{"tanks":[],"logs":[{"samples":\(json)}]}}
      """
    let error = #expect(throws: JournalError.self) { try JournalLines.record(line) }
    guard case .invalid(let field, _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(field.hasSuffix(member), "\(field)")
  }
}
