import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Several dives in one FIT file")
struct FITChainTests {
  /// A file with a dive that says otherwise than `FITMaker.dive` in everything.
  private static func other() -> [UInt8] {
    var maker = FITMaker()
    let start = 1_086_000_000
    maker.add(0, [maker.enumeration(0, 4), maker.uint16(1, 23), maker.text(8, "Suunto Ocean")])
    maker.add(259, [maker.uint8(0, 0), maker.uint8(1, 21), maker.enumeration(2, 1)])
    maker.add(20, [maker.uint32(253, start + 1), maker.uint32(92, 5000), maker.sint8(13, 20)])
    maker.add(18, [maker.uint32(2, start), maker.enumeration(5, 53), maker.uint32(7, 60_000)])
    maker.add(34, [maker.uint32(253, start), maker.uint32(5, start + 10_800)])
    return maker.file()
  }

  /// Each file of a chain has what it has by itself, whichever comes first.
  @Test(arguments: [false, true])
  func filesOfAChainDoNotMix(isOtherFirst: Bool) throws {
    var files = [FITMaker.dive().file(), Self.other()]
    if isOtherFirst { files.reverse() }
    let alone = try files.flatMap { try DiveFile.rows($0).rows }
    let (rows, refusals, beside) = try DiveFile.rows(files[0] + files[1])
    #expect(refusals == [] && rows.map(\.line) == [1, 2] && rows.flagged == [])
    #expect(rows.map(\.records) == alone.map(\.records))
    #expect(beside.leftOut == ["record.heart_rate": 1])
    // What is wrong with one is said of that one, and a file twice is a dive once.
    var broken = files[1]
    broken[broken.count - 1] ^= 1
    let odd = try DiveFile.rows(files[0] + broken).rows
    #expect(odd.map(\.flags.count) == [0, 1])
    let journal = try TestJournal().open()
    let summary = try journal.importing(try DiveFile.reader(files[0] + files[0]))
    #expect(summary.rowCount == 2 && summary.rowCounts[.same] == 1)
    // One without a dive is counted.
    var run = FITMaker()
    run.add(0, [run.enumeration(0, 4)])
    run.add(18, [run.uint32(2, 1_086_000_000), run.enumeration(5, 1)])
    let mixed = try DiveFile.rows(run.file() + files[0])
    #expect(mixed.rows.map(\.records) == alone.prefix(1).map(\.records))
    #expect(mixed.beside.leftOut["files without a dive"] == 1)
  }

  /// A summary is of the session that it names, and pressures and events of that in which they were.
  @Test(arguments: [false, true])
  func sessionsOfAFileDoNotMix(hasIndexes: Bool) throws {
    var maker = FITMaker()
    maker.add(0, [maker.enumeration(0, 4), maker.uint16(1, 1)])
    for (index, start) in [1_083_000_000, 1_083_007_200].enumerated() {
      let (sensor, depth) = (100 + index, 10_000 * (index + 1))
      maker.add(20, [maker.uint32(253, start + 5), maker.uint32(92, depth), maker.sint8(13, 20)])
      maker.add(
        319, [maker.uint32(253, start + 6), maker.uint32(0, sensor), maker.uint16(1, 20_000)])
      maker.add(
        323,
        [
          maker.uint32(253, start + 60), maker.uint32(0, sensor),
          maker.uint16(1, 20_000 + index), maker.uint16(2, 5000),
        ])
      let number = hasIndexes ? [maker.uint16(254, index)] : []
      maker.add(
        18,
        number + [
          maker.uint32(253, start + 60), maker.uint32(2, start), maker.enumeration(5, 53),
          maker.uint32(7, 60_000),
        ])
      maker.add(
        268,
        [
          maker.uint32(253, start + 60), maker.uint16(0, 18), maker.uint16(1, index),
          maker.uint32(2, depth / 2), maker.uint32(3, depth),
          maker.uint32(11, 50_000 + index * 1000),
        ])
    }
    let (rows, refusals, _) = try DiveFile.rows(maker.file())
    #expect(refusals == [] && rows.flagged == [])
    let dives = rows.dives.compactMap(\.dive)
    #expect(dives.map(\.maxDepthMm) == [10_000, 20_000])
    #expect(dives.map(\.meanDepthMm) == [5000, 10_000] && dives.map(\.bottomS) == [50, 51])
    #expect(dives.map(\.tanks.count) == [1, 1])
    #expect(dives.map { $0.tanks.first?.startMbar } == [200_000, 200_010])
    #expect(
      dives.map { $0.logs.first?.samples.pressureMbar.mapValues(\.value) } == [
        [1: [200_000]], [1: [200_000]],
      ])
  }

  /// Real dives of two makers, one behind the other.
  @Test(.enabled(if: SharedData.has(DiveFile.folder)))
  func realFilesOfAChainDoNotMix() throws {
    let names = ["suunto_ocean_nitrox.fit", "mk3i.fit"]
    for names in [names, names.reversed()] {
      var bytes: [UInt8] = []
      for name in names {
        let files = try SourceFiles(path: SharedData.path(DiveFile.folder + name))
        let stream = try files.open(files.names[0])
        while true {
          let piece = try stream.next()
          if piece.isEmpty { break }
          bytes += piece
        }
      }
      let alone = try names.flatMap { try DiveFile.real($0).rows }
      #expect(try DiveFile.rows(bytes).rows.map(\.records) == alone.map(\.records))
    }
  }
}
