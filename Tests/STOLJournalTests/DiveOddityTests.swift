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

  /// Depths above the water cannot be, but for what the errors of a computer are.
  @Test func depthsAboveTheWaterAreLeftOut() throws {
    let (rows, _, _) = try DiveFile.rows(
      """
      <divelog version='3'><dives><dive date='2026-03-15' time='09:44:30'><divecomputer>
      <depth max='-3 m'/><sample time='0:10 min' depth='-0.4 m'/>
      <sample time='0:20 min' depth='-5 m'/><sample time='0:30 min' depth='5 m'/>
      </divecomputer></dive></dives></divelog>
      """)
    #expect(rows.dives[0].dive?.logs[0].samples.depthMm.value == [0, 5000])
    #expect(rows.dives[0].dive?.maxDepthMm == nil)
    #expect(rows.flagged == ["sample.depth: -5 m", "depth.max: -3 m"])
    let (odd, _, _) = try DiveFile.rows(
      """
      <uddf version="2.2.0"><profiledata><repetitiongroup><dive>
      <informationbeforedive><datetime>2026-03-15T09:44:30Z</datetime></informationbeforedive><samples>
      <waypoint><depth>-5</depth><divetime>5</divetime></waypoint>
      <waypoint><depth>2</depth><divetime>6</divetime></waypoint>
      </samples><tankdata><tankpressurebegin>5000000</tankpressurebegin>
      <tankpressureend>20000000</tankpressureend></tankdata></dive></repetitiongroup></profiledata></uddf>
      """)
    #expect(odd.dives[0].dive?.logs[0].samples.depthMm.value == [2000])
    #expect(
      odd.flagged == ["tankpressureend: 20000000", "depth: -5", "uddf.version: 2.2.0"])
    #expect(odd[0].flags[0].reason == "left out: at most tankpressurebegin, which is 5000000")
  }

  /// What Subsurface knows and the journal has no place for is counted.
  @Test func whatIsNotKeptIsCounted() throws {
    let (rows, refusals, beside) = try DiveFile.rows(
      """
      <divelog program='subsurface' version='99'><settings>
      <divecomputerid model='Vyper' deviceid='7fffffff' serial='1' firmware='2' nickname='N'/></settings>
      <divesites><site uuid='0000000a' name='Reef' description='A wall'>
      <geo cat='2' value='Indonesia'/><geo cat='3' value='Bali'/></site></divesites><dives>
      <dive tripflag='NOTRIP' date='2026-03-15' time='09:44:30'>
      <divetemperature air='30 C' water='26.3 C'/>
      <divecomputer model='Vyper' deviceid='7fffffff'><depth max='33 m' mean='14 m'/>
      <temperature water='25.9 C' air='30 C'/><surface pressure='1.01 bar'/></divecomputer>
      <divecomputer model='Perdix'><depth max='33.1 m' mean='13.9 m'/><temperature water='27.1 C'/>
      <surface pressure='1.013 bar'/><water salinity='1025 g/l'/></divecomputer></dive></dives></divelog>
      """)
    #expect(refusals == [] && rows.flagged == ["divelog.version: 99"])
    let dive = rows.dives[0].dive
    #expect(dive?.waterMinCk == 29_945 && dive?.maxDepthMm == 33_000 && dive?.surfaceMbar == 1010)
    #expect(
      beside.leftOut == [
        "divecomputerid.firmware": 1, "divecomputerid.nickname": 1, "dive.tripflag": 1,
        "site.description (with its notes)": 1, "site.geo (which part of the address it is)": 1,
        "divecomputer.deviceid (its serial number is kept)": 1,
        "depth.max (there is another one)": 1, "depth.mean (there is another one)": 1,
        "temperature.water (there is another one)": 1,
        "surface.pressure (there is another one)": 1, "water.salinity (there is another one)": 1,
      ])
  }

  /// What Subsurface finds otherwise than it wrote it is named.
  @Test func whatIsWrittenOtherwiseIsNamed() throws {
    let journal = try TestJournal().open()
    var site = Place(kind: .site, name: "Reef")
    site.locality = "Bali"
    var event = Event(kind: .dive, start: try LocalTime("2026-03-15T09:44"))
    event.place = site.id
    event.dive = Dive()
    var log = Dive.Log()
    (log.model, log.serial) = ("Vyper", "00522075-1")
    event.dive?.logs = [log]
    try journal.save([.place(site), .event(event)])
    let (_, report) = try journal.exported(.subsurface)
    #expect(report.losses == [:] && report.isWhole)
    #expect(
      report.changes == [
        "localities as one part of an address (geo 4)": 1,
        "serial numbers as a deviceid made of them": 1,
        "uuids of sites, which are those of the journal in short": 1,
      ])
    #expect(report.lines[0] == "wrote 1 site, 1 dive")
    #expect(report.lines[1].hasPrefix("written otherwise: localities"))
  }
}
