import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Logs of Subsurface")
struct SubsurfaceTests {
  static let log = """
    <divelog program='subsurface' version='3'>
    <settings>
    <divecomputerid model='Vyper' deviceid='7fffffff' serial='00522075'/>
    </settings>
    <divesites>
    <site uuid=' 47b3e28c' name='Blue Corner' gps='7.132557 134.224213'>
      <notes>A wall &amp; a hook</notes>
      <geo cat='1' origin='0' value='Philippine Sea'/>
      <geo cat='2' origin='0' value='Palau'/>
    </site>
    <site uuid='00000001' gps='47.934500 11.334500'/>
    </divesites>
    <dives>
    <trip date='2026-03-14' time='8:00:00' location='Palau'>
    <notes>A week</notes>
    <dive number='7' rating='4' visibility='3' current='2' sac='14.2 l/min' tags='reef, drift' divesiteid=' 47b3e28c' date='2026-03-15' time='09:44:30' duration='51:30 min'>
      <divemaster>Ada</divemaster>
      <buddy>Bob, Cyd</buddy>
      <notes>Sharks
    and more</notes>
      <suit>5 mm</suit>
      <cylinder size='12.0 l' workpressure='232.0 bar' description='12L' o2='32.0%' start='200.0 bar' end='60.5 bar' />
      <cylinder size='3.0 l' o2='100.0%' he='0.0%' use='oxygen' depth='6.0 m' />
      <weightsystem weight='4.5 kg' description='belt' />
      <weightsystem weight='2 lb' description='ankle' />
      <divetemperature air='303.15 K' />
      <divecomputer model='Vyper' deviceid='7fffffff' diveid='0102ff' dctype='CCR'>
      <depth max='22.4 m' mean='12.773 m' />
      <temperature water='21.0 C' />
      <surface pressure='1.008 bar' />
      <water salinity='1025 g/l' />
      <event time='10:01 min' type='25' value='32' name='gaschange' cylinder='1' />
      <event time='0:05 min' name='ascent' />
      <sample time='0:10 min' depth='1.067 m' temp='21.5 C' pressure='200.0 bar' heartbeat='99' />
      <sample time='1:10 min' depth='22.4 m' pressure0='150.25 bar' pressure1='199 bar' />
      <sample time='2:00 min' depth='-0.1 m' temp='70 F' sensor='1' pressure='3000 psi' />
      <sample time='2:10 min' pressure='180 bar' />
      <sample time='1:30 min' depth='3 m' />
      </divecomputer>
      <divecomputer model='Perdix' deviceid='abc' date='2026-03-15' time='09:44:12'>
      <depth max='22.6 m' mean='12.9 m' />
      <extradata key='Serial' value='S-9' />
      <sample time='0:10 min' depth='1.1 m' />
      </divecomputer>
      <picture filename='a.jpg' offset='+1:00 min' />
    </dive>
    </trip>
    <dive tripflag='NOTRIP' date='2026-3-16' time='6:05'>
    </dive>
    </dives>
    </divelog>
    """

  @Test func allOfALogIsRead() throws {
    let (rows, refusals, beside) = try DiveFile.rows(Self.log)
    #expect(refusals == [] && rows.map(\.line) == [6, 11, 14, 16, 48])
    let places = rows.places
    #expect(places.map(\.name) == ["Blue Corner", "47.9345, 11.3345", "Palau"])
    #expect(places[0].position == Position(latitudeE7: 71_325_570, longitudeE7: 1_342_242_130))
    #expect(places[0].diveSite?.description == "A wall & a hook")
    #expect(places[0].waterBody == "Philippine Sea" && places[0].locality == "Palau")
    let trip = try #require(rows.trips.first)
    #expect(trip.start.text == "2026-03-14T08:00:00" && trip.place == places[2].id)
    #expect(trip.remarks == "A week")
    let dives = rows.dives
    #expect(dives.count == 2 && dives[1].start.text == "2026-03-16T06:05")
    #expect(dives[1].parent == nil && dives[1].dive == Dive())
    let (event, dive) = (dives[0], try #require(dives[0].dive))
    #expect(event.parent == trip.id && event.place == places[0].id)
    #expect(event.start.text == "2026-03-15T09:44:30" && event.utcOffsetMin == nil)
    #expect(event.remarks == "Sharks\nand more" && event.tags == ["reef", "drift"])
    #expect(rows.persons.map(\.name) == ["Ada", "Bob", "Cyd"])
    #expect(event.persons.map(\.role).sorted() == [.buddy, .buddy, .guide])
    #expect(dive.number == 7 && dive.durationS == 3090 && dive.currentLevel == 2)
    #expect(dive.maxDepthMm == 22_400 && dive.meanDepthMm == 12_773 && dive.weightG == 5407)
    #expect(dive.airCk == 30_315 && dive.surfaceMbar == 1008 && dive.waterMinCk == 29_415)
    #expect(dive.mode == .closedCircuit && dive.suit == "5 mm" && dive.salinityMgL == nil)
    #expect(
      rows.measures.map { "\($0.type) \($0.number ?? 0)" } == [
        "x-rating 4", "x-visibility 3", "x-water_density_g_l 1025",
      ])
    var (first, second) = (Dive.Tank(), Dive.Tank())
    (first.volumeMl, first.workMbar, first.o2Permille) = (12_000, 232_000, 320)
    (first.startMbar, first.endMbar) = (200_000, 60_500)
    (second.volumeMl, second.o2Permille, second.hePermille, second.use) = (3000, 1000, 0, .oxygen)
    #expect(dive.tanks == [first, second])
    #expect(
      beside.leftOut == [
        "dive.sac": 1, "dive.picture": 1, "cylinder.description": 1, "cylinder.depth": 1,
        "weightsystem.description": 1, "event.type": 1, "event.value": 1, "sample.heartbeat": 1,
        "dive.tripflag": 1, "depth.max (there is another one)": 1,
        "depth.mean (there is another one)": 1, "site.geo (which part of the address it is)": 1,
        "divecomputer.deviceid (its serial number is kept)": 1,
      ])
    #expect(rows.flagged == ["site.name: ", "samples: 1"])
  }

  @Test func allOfItsSamplesAreRead() throws {
    let dive = try #require(try DiveFile.rows(Self.log).rows.dives.first?.dive)
    #expect(dive.logs.map(\.model) == ["Vyper", "Perdix"])
    #expect(dive.logs.map(\.serial) == ["00522075", "S-9"])
    #expect(dive.logs.map(\.fingerprint) == ["0102ff", nil])
    #expect(dive.logs.map(\.start?.text) == [nil, "2026-03-15T09:44:12"])
    let samples = dive.logs[0].samples
    #expect(samples.depthMm.timeS == [10, 70, 120] && samples.depthMm.value == [1067, 22_400, 0])
    #expect(samples.temperatureCk.timeS == [10, 120])
    #expect(samples.temperatureCk.value == [29_465, 29_426])
    #expect(samples.pressureMbar[1]?.value == [200_000, 150_250])
    #expect(samples.pressureMbar[2]?.timeS == [70, 120, 130])
    #expect(samples.pressureMbar[2]?.value == [199_000, 206_843, 180_000])
    #expect(
      samples.events == [
        DiveSamples.Mark(timeS: 5, what: "ascent"),
        DiveSamples.Mark(timeS: 601, what: "gaschange", tank: 2),
      ])
    #expect(dive.logs[1].samples.depthMm.value == [1100])
  }

  /// The same file again says nothing new, and all that it says is kept.
  @Test func itIsKeptOnce() throws {
    let journal = try TestJournal().open()
    let first = try journal.importing(try DiveFile.reader(Array(Self.log.utf8)))
    #expect(first.rowCount == 5 && first.rowCounts[.refused] == nil)
    let lines = try JournalLines.text(of: journal)
    let second = try journal.importing(try DiveFile.reader(Array(Self.log.utf8)))
    #expect(second.rowCounts == [.same: 5] && second.newRecordCount == 0)
    #expect(try JournalLines.text(of: journal) == lines && journal.check() == [])
  }

  @Test func locationsOfBeforeAreSites() throws {
    let (rows, refusals, _) = try DiveFile.rows(
      """
      <?xml version="1.0"?>
      <!-- of 2011 -->
      <dives>
      <program name='subsurface' version='1'></program>
      <dive date='2011-12-02' time='6:00:00' duration='30:00 min'>
      <depth max='20.0 m' mean='15.0 m' /><location gps='1.5 -2.25'>A</location>
      <sample time='0:06 min' depth='20 m' cylpress='200 bar' /></dive>
      <dive date='2011-12-03'><location>A</location><gps>1.5 -2.25</gps></dive>
      <dive date='2011-12-03'><location>A</location></dive>
      <dive date='2011-12-03'><location gps='91 0'>B</location></dive>
      </dives>
      """)
    #expect(refusals == [] && rows.dives.count == 4)
    #expect(rows.dives[0].place == rows.dives[1].place)
    #expect(rows.places.map(\.name) == ["A", "A", "B"])
    #expect(rows.places.map { $0.position?.longitudeE7 } == [-22_500_000, nil, nil])
    #expect(rows.flagged == ["location.gps: 91 0"])
    #expect(rows.dives[0].dive?.maxDepthMm == 20_000)
    #expect(rows.dives[0].dive?.logs.first?.samples.pressureMbar[1]?.value == [200_000])
    // Two dives of one day are two.
    #expect(Set(rows.dives.map(\.id)).count == 4)
  }

  @Test func whatCannotBeIsSaidAndSpoilsNothing() throws {
    let (rows, refusals, _) = try DiveFile.rows(
      """
      <divelog program='subsurface' version='3'><dives>
      <dive date='2026-02-31' time='09:00:00'/>
      <dive time='09:00:00'/>
      <dive date='2026-02-28' time='25:00:00'/>
      <dive number='-3' rating='9' divesiteid='ffff' date='2026-02-28' duration='x'>
      <cylinder size='12 furlongs' start='50 bar' end='200 bar' o2='32'/>
      <divecomputer dctype='x'>
      <depth max='5 m' mean='12 m'/><temperature water='400 C' air='-300 C'/>
      <sample time='0:10 min' depth='99999999999999999999 m' temp='999 C' pressure='9999 bar'/>
      <sample time='0:11' depth='5'/><sample depth='5 m'/><sample time='0:12 min' depth='4 m'/>
      </divecomputer></dive>
      </dives>
      """)
    #expect(refusals.map(\.line) == [2, 3, 4, 12])
    #expect(refusals.map(\.column) == ["dive.date", "dive.date", "dive.date", ""])
    #expect(refusals[3].description.contains("is not valid XML"))
    let dive = try #require(rows.dives.first?.dive)
    #expect(rows.dives.count == 1 && dive.logs.first?.samples.depthMm.value == [4000])
    #expect(dive.maxDepthMm == 5000 && dive.meanDepthMm == nil && dive.number == nil)
    var tank = Dive.Tank()
    tank.startMbar = 50_000
    #expect(dive.tanks == [tank])
    let columns = Set(rows.flatMap(\.flags).map(\.column))
    #expect(
      columns == [
        "dive.number", "dive.rating", "dive.divesiteid", "dive.duration", "cylinder.size",
        "cylinder.o2", "cylinder.end", "divecomputer.dctype", "depth.mean",
        "temperature.water", "temperature.air", "sample.depth", "sample.temp", "sample.pressure",
        "samples",
      ])
    // Another document is none.
    let reader = try SubsurfaceReader(ByteChunks(Array("<gpx/>".utf8)))
    #expect(try reader.all().refusals.map(\.reason) == ["is no log of Subsurface"])
  }

  @Test func aListOfDivesIsRead() throws {
    let header =
      "dive number,date,time,duration [min],sac [l/min],maxdepth [m],avgdepth [ft],mode,airtemp [C],watertemp [F],"
      + "cylinder size (1) [l],startpressure (1) [bar],endpressure (1) [psi],o2 (1) [%],he (1) [%],"
      + "location,gps,divemaster,buddy,suit,rating,visibility,notes,weight [lbs],tags,\n"
    let (rows, refusals, beside) = try DiveFile.rows(
      header + """
        7,2026-03-15,09:44:30,51:30,14,22.4,32.8,CCR,30,70,12,200,1000,32,0,Blue Corner,7.1 134.2,"Ada","Bob, Cyd",5 mm,4,,"two
        lines",4,"reef, drift"
        ,2026-03-16,,x,,,,,,,,,,,,,,,,,,,,,
        8,2026-02-30,,1:00,,,,,,,,,,,,,,,,,,,,,

        """)
    #expect(rows.map(\.line) == [2, 4] && refusals.map(\.line) == [5])
    let (event, dive) = (rows.dives[0], try #require(rows.dives[0].dive))
    #expect(event.start.text == "2026-03-15T09:44:30" && event.remarks == "two\nlines")
    #expect(rows.places.map(\.name) == ["Blue Corner"] && event.place == rows.places[0].id)
    #expect(rows.persons.map(\.name) == ["Ada", "Bob", "Cyd"] && event.tags == ["reef", "drift"])
    #expect(dive.number == 7 && dive.durationS == 3090 && dive.mode == .closedCircuit)
    #expect(dive.maxDepthMm == 22_400 && dive.meanDepthMm == 9997 && dive.weightG == 1814)
    #expect(dive.airCk == 30_315 && dive.waterMinCk == 29_426 && dive.suit == "5 mm")
    var tank = Dive.Tank()
    (tank.volumeMl, tank.startMbar, tank.endMbar) = (12_000, 200_000, 68_948)
    (tank.o2Permille, tank.hePermille) = (320, 0)
    #expect(dive.tanks == [tank])
    #expect(rows.measures.map(\.type) == ["x-rating"] && beside.leftOut == ["sac": 1])
    #expect(rows.flagged == ["duration: x"])
  }

  @Test(.enabled(if: SharedData.has(DiveFile.folder)))
  func aRealListIsRead() throws {
    let (rows, refusals, _) = try DiveFile.real("subsurface-dive_list.csv")
    #expect(refusals == [] && rows.dives.count == 24)
  }

  /// Counts as an independent reader has them (ElementTree of Python).
  @Test(
    .enabled(if: SharedData.has(DiveFile.folder)),
    arguments: [
      ("TwoTimesTwo.ssrf", 4, 0, 4, 0), ("merged-tank-sensors.xml", 4, 0, 8, 112),
      ("ostc.xml", 2, 0, 2, 150), ("test23.xml", 2, 1, 0, 0), ("test25.xml", 1, 1, 1, 6),
      ("test34.xml", 1, 0, 1, 138), ("test38.xml", 1, 0, 1, 0), ("test43.xml", 1, 1, 1, 7),
      ("test47.xml", 1, 0, 1, 6), ("test47b.xml", 1, 0, 1, 6), ("test50.xml", 3, 0, 3, 0),
      ("test51.xml", 1, 1, 1, 47),
    ])
  func realLogsAreRead(
    name: String, diveCount: Int, tripCount: Int, computerCount: Int, sampleCount: Int
  ) throws {
    let (rows, refusals, _) = try DiveFile.real(name)
    #expect(refusals == [])
    let logs = rows.dives.flatMap { $0.dive?.logs ?? [] }
    #expect(rows.dives.count == diveCount && rows.trips.count == tripCount)
    #expect(logs.count == computerCount)
    #expect(logs.reduce(0) { $0 + $1.samples.depthMm.count } == sampleCount)
    let journal = try TestJournal().open()
    for row in rows { try journal.save(row.records, as: .import) }
    #expect(try journal.check() == [])
  }
}
