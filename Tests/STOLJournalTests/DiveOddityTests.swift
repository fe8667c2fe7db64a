import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("What is odd in files of dives")
struct DiveOddityTests {
  private static let log = """
    <divelog program='subsurface' version='3'><divesites>
    <site uuid='0000000a' name='Reef' gps='0.000000 0.000000'><notes>Deep</notes></site>
    </divesites><dives><dive divesiteid='0000000a' date='2026-03-15' time='09:44:30'/>
    <dive date='2026-03-16' time='09:44:30'><location gps='0 0'>Wall</location></dive>
    </dives></divelog>
    """
  private static let uddf = """
    <uddf version="3.2.1"><divesite><site id="a"><name>Reef</name><geography><latitude>0</latitude>
    <longitude>0.0</longitude></geography></site></divesite><profiledata><repetitiongroup><dive>
    <informationbeforedive><link ref="a"/><datetime>2026-03-15T09:44:30Z</datetime></informationbeforedive>
    </dive></repetitiongroup></profiledata></uddf>
    """

  /// A site at 0 N 0 E is one without a position, and takes no dive with it.
  @Test(arguments: [log, uddf])
  func aSiteOfNoPositionKeepsItsDives(text: String) throws {
    let journal = try TestJournal().open()
    let summary = try journal.importing(try DiveFile.reader(Array(text.utf8)))
    #expect(summary.rowCounts[.refused] == nil && summary.rowCounts[.flagged] != nil)
    let records = try journal.liveRecords().map(\.record)
    let sites = records.compactMap { record -> Place? in
      if case .place(let place) = record { place } else { nil }
    }
    #expect(sites.contains { $0.name == "Reef" } && sites.allSatisfy { $0.position == nil })
    let dives = records.filter { $0.kind == .event }
    #expect(dives.count == summary.rowCount - 1)
    // Where 0 N 0 E is a place like others it stays.
    let (format, whole) = try ImportFormat.detect(TestTable.stream(Array(text.utf8)))
    let reader = try #require(
      try DiveFormat.reader(format, ByteChunks(whole), acceptsNullIsland: true))
    let places = try reader.all().rows.places
    #expect(places.allSatisfy { $0.position?.isNullIsland == true } && !places.isEmpty)
  }

  @Test func aDiveOfNoPositionIsKept() throws {
    var maker = FITMaker()
    maker.add(
      18,
      [
        maker.uint32(2, 1_086_000_000), maker.sint32(3, 0), maker.sint32(4, 0),
        maker.enumeration(5, 53), maker.uint32(7, 60_000),
      ])
    let (rows, refusals, _) = try DiveFile.rows(maker.file())
    #expect(refusals == [] && rows.dives.map(\.position) == [nil])
    #expect(rows.flagged == ["position: 0 0"])
  }
}
