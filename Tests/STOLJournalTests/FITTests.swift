import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("FIT files of dives")
struct FITTests {
  @Test(arguments: [false, true], [12, 14])
  func allOfADiveIsRead(isBigEndian: Bool, headByteCount: Int) throws {
    let file = FITMaker.dive(isBigEndian: isBigEndian).file(headByteCount: headByteCount)
    let (rows, refusals, beside) = try DiveFile.rows(file)
    #expect(refusals == [] && rows.count == 1 && rows[0].flags == [])
    let event = try #require(rows.dives.first)
    let dive = try #require(event.dive)
    #expect(event.start.text == "2024-05-29T09:22:06" && event.utcOffsetMin == -240)
    #expect(event.position == Position(latitudeE7: 280_494_541, longitudeE7: -830_121_051))
    #expect(dive.number == 91 && dive.durationS == 3452 && dive.bottomS == 3391)
    #expect(dive.maxDepthMm == 14_313 && dive.meanDepthMm == 9212 && dive.mode == .openCircuit)
    #expect(dive.waterMinCk == 27_215)
    var tank = Dive.Tank()
    (tank.startMbar, tank.endMbar, tank.o2Permille) = (202_430, 84_800, 320)
    #expect(dive.tanks == [tank])
    let log = try #require(dive.logs.first)
    #expect(log.model == "Garmin, product 4223" && log.serial == "77")
    #expect(log.samples.depthMm.timeS == [0, 3, 60])
    #expect(log.samples.depthMm.value == [1546, 9000, 200])
    #expect(log.samples.temperatureCk.timeS == [0, 34, 60])
    #expect(log.samples.temperatureCk.value == [30_015, 27_215, 29_915])
    #expect(log.samples.pressureMbar[1]?.timeS == [40])
    #expect(log.samples.events == [DiveSamples.Mark(timeS: 41, what: "gaschange", tank: 1)])
    #expect(rows.measures.map(\.number) == [1025])
    #expect(beside.leftOut == ["record.heart_rate": 1])
  }

  /// Bytes that are others are found, and what is whole is read all the same.
  @Test func damageIsSaid() throws {
    let file = FITMaker.dive().file()
    func flags(_ bytes: [UInt8]) throws -> [String] { try DiveFile.rows(bytes).rows.flagged }
    var other = file
    other[12] ^= 1
    #expect(try flags(other) == ["byte 0: ", "byte \(file.count - 2): "])
    other = file
    other[file.count - 1] ^= 1
    #expect(try flags(other) == ["byte \(file.count - 2): "])
    // A file that is cut has what is whole.
    let whole = try #require(try DiveFile.rows(file).rows.dives.first?.dive?.logs.first?.samples)
    var depthCounts: Set<Int> = []
    for length in 14..<file.count {
      let (rows, refusals, _) = try DiveFile.rows(Array(file.prefix(length)))
      #expect(rows.count + refusals.count == 1)
      guard let row = rows.first else {
        #expect(refusals[0].reason.contains("it ends too early"))
        continue
      }
      #expect(row.flags.contains { $0.reason.contains("it ends too early") })
      let samples = try #require(rows.dives[0].dive?.logs.first?.samples)
      #expect(whole.depthMm.value.starts(with: samples.depthMm.value))
      depthCounts.insert(samples.depthMm.count)
    }
    #expect(depthCounts == [1, 2, 3])
    // A message without its definition ends what is read.
    var maker = FITMaker.dive()
    maker.bytes.append(0x0F)
    #expect(try flags(maker.file()) == ["byte \(14 + maker.bytes.count - 1): "])
  }

  @Test func severalFilesInOneAreRead() throws {
    var other = FITMaker()
    other.add(
      18, [other.uint32(2, 1_086_000_000), other.enumeration(5, 53), other.uint32(7, 60_000)])
    other.add(20, [other.uint32(253, 1_086_000_001), other.uint32(92, 5000)])
    let (rows, refusals, _) = try DiveFile.rows(FITMaker.dive().file() + other.file())
    #expect(refusals == [] && rows.map(\.line) == [1, 2])
    #expect(rows.dives.compactMap { $0.dive?.logs.first?.samples.depthMm.count } == [3, 1])
    #expect(rows.dives[1].dive?.logs.first?.samples.depthMm.timeS == [1])
  }

  @Test func aFileWithoutADiveSaysSo() throws {
    var run = FITMaker()
    run.add(0, [run.enumeration(0, 4)])
    run.add(18, [run.uint32(2, 1_086_000_000), run.enumeration(5, 1)])
    let (rows, refusals, _) = try DiveFile.rows(run.file())
    #expect(rows.isEmpty && refusals.count == 1)
    #expect(refusals.first?.description.contains("has no dive: it is of the sport 1") == true)
    #expect(try DiveFile.rows(FITMaker().file()).refusals.count == 1)
  }

  @Test(
    .enabled(if: SharedData.has(DiveFile.folder)),
    arguments: [
      "fitparse_Activity.fit", "fitparse_activity-filecrc.fit",
      "fitparse_activity-unexpected-eof.fit", "fitparse_garmin-fenix-5-walk.fit",
    ])
  func realFilesWithoutADiveSaySo(name: String) throws {
    let (rows, refusals, _) = try DiveFile.real(name)
    #expect(rows.isEmpty && refusals.count == 1)
    let reason = refusals.first?.reason ?? ""
    #expect(reason.contains("has no dive"))
    #expect(reason.contains("checksum") == name.contains("crc"))
    #expect(reason.contains("ends too early") == name.contains("eof"))
  }

  @Test(.enabled(if: SharedData.has(DiveFile.folder)))
  func aRealDiveOfSuuntoIsRead() throws {
    let (rows, refusals, _) = try DiveFile.real("suunto_ocean_nitrox.fit")
    #expect(refusals == [] && rows.count == 1 && rows[0].flags == [])
    let dive = try #require(rows.dives.first?.dive)
    #expect(rows.dives[0].start.text == "2026-05-15T13:40:49")
    #expect(rows.dives[0].utcOffsetMin == 180 && dive.number == 4)
    let log = try #require(dive.logs.first)
    #expect(log.model == "Suunto Ocean")
    #expect(log.samples.depthMm.count == 418 && log.samples.temperatureCk.count == 3958)
    #expect(log.samples.depthMm.value.max() == 10_590 && dive.maxDepthMm == 10_730)
  }

  /// One dive as FIT, and as UDDF which another program made of that, by a clock that is a second ahead; between its
  /// samples that has put others.
  @Test(.enabled(if: SharedData.has(DiveFile.folder)))
  func oneDiveInTwoFormatsIsTheSame() throws {
    let fit = try #require(try DiveFile.real("mk3i.fit").rows.dives.first)
    let uddf = try #require(try DiveFile.real("mk3i.uddf.gz").rows.dives.first)
    #expect(fit.start == uddf.start)
    #expect(fit.dive?.maxDepthMm == 14_313 && uddf.dive?.maxDepthMm == 14_313)
    let samples = try #require(fit.dive?.logs.first?.samples)
    let others = try #require(uddf.dive?.logs.first?.samples)
    #expect(samples.depthMm.count == 3298 && others.depthMm.count == 3339)
    var depths: [Int: [Int]] = [:]
    for (time, depth) in zip(others.depthMm.timeS, others.depthMm.value) {
      depths[time, default: []].append(depth)
    }
    for (time, depth) in zip(samples.depthMm.timeS, samples.depthMm.value) {
      let same = depths[time + 1] ?? []
      #expect(same.contains { abs($0 - depth) <= 100 }, "\(time): \(depth) \(same)")
    }
    // UDDF has a temperature where it changes.
    var temperatures = zip(others.temperatureCk.timeS, others.temperatureCk.value).map { $0 }[...]
    var temperature = 0
    for (time, value) in zip(samples.temperatureCk.timeS, samples.temperatureCk.value) {
      while let next = temperatures.first, next.0 <= time + 1 {
        temperature = next.1
        temperatures.removeFirst()
      }
      #expect(abs(temperature - value) <= 10, "\(time): \(value) \(temperature)")
    }
    #expect(temperatures.isEmpty)
    #expect(samples.pressureMbar.map(\.value.count).sorted() == [376, 392, 640])
  }
}
