import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("UDDF")
struct UDDFTests {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <uddf xmlns="http://www.streit.cc/uddf/3.2/" version="3.2.1">
    <generator><name>Other</name></generator>
    <diver><owner id="o"><personal><firstname>Ada</firstname></personal><equipment>
    <divecomputer id="c"><name>My computer</name><model>Perdix</model><serialnumber>77</serialnumber></divecomputer>
    <suit id="s"><name>5 mm</name></suit><tank id="t"><tankvolume>0.0121</tankvolume></tank><boots id="b"/>
    </equipment></owner>
    <buddy id="x"><personal><firstname>Bob</firstname><lastname>Lark</lastname></personal></buddy></diver>
    <divesite><divebase id="d"><name>Base</name></divebase>
    <site id="p"><name>Blue Hole</name><environment>lake-quarry</environment>
    <geography><location>Red Sea</location><latitude>2.8123456e1</latitude><longitude>34.5678900</longitude>
    <altitude>12.5</altitude></geography><sitedata><maximumdepth>40</maximumdepth><bottom>sand</bottom></sitedata>
    <notes><para>A hole.</para><para>Deep.</para></notes></site>
    <site id="q"><name>Nowhere</name><geography><location>Nowhere</location></geography></site></divesite>
    <gasdefinitions><mix id="e"><o2>0.32</o2><he>0</he></mix><mix id="h"><o2>0.18</o2><he>0.45</he></mix></gasdefinitions>

    """
  private static let dive = """
    <profiledata><repetitiongroup id="r"><dive id="1">
    <informationbeforedive><link ref="x"/><link ref="p"/><link ref="o"/><divenumber>42</divenumber>
    <datetime>2026-03-15T09:44:30+02:00</datetime><airtemperature>298.15</airtemperature>
    <equipmentused><leadquantity>4.5</leadquantity><link ref="c"/><link ref="s"/><link ref="b"/></equipmentused>
    </informationbeforedive>
    <tankdata id="k"><link ref="t"/><link ref="e"/><tankpressurebegin>20000000</tankpressurebegin>
    <tankpressureend>6050000.0</tankpressureend></tankdata>
    <tankdata><link ref="h"/><tankvolume>0.003</tankvolume></tankdata>
    <samples>
    <waypoint><alarm>ascent</alarm><depth>0.0</depth><divetime>0.0</divetime><divemode type="closedcircuit"/>
    <switchmix ref="e"/><temperature>299.15</temperature></waypoint>
    <waypoint><depth>18.25</depth><divetime>180</divetime><heading>3</heading>
    <tankpressure ref="k">19000000</tankpressure></waypoint>
    <waypoint><depth>-0.2</depth><divetime>1500.4</divetime><switchmix ref="h"/><tankpressure>18000000</tankpressure></waypoint>
    </samples>
    <informationafterdive><greatestdepth>18.5</greatestdepth><averagedepth>1.23e1</averagedepth>
    <diveduration>1500.0</diveduration><lowesttemperature>299.65</lowesttemperature><visibility>12</visibility>
    <current>mild-current</current><rating><ratingvalue>8</ratingvalue></rating>
    <notes><para>Sharks</para><para>and more</para></notes><observations/></informationafterdive>
    </dive></repetitiongroup></profiledata>

    """

  static let whole = head + dive + "</uddf>"

  @Test func allOfADiveIsRead() throws {
    let (rows, refusals, beside) = try DiveFile.rows(Self.whole)
    #expect(refusals == [] && rows.flagged == [] && rows.map(\.line) == [10, 14, 16])
    let places = rows.places
    #expect(places.map(\.name) == ["Blue Hole", "Nowhere"])
    #expect(places[0].position == Position(latitudeE7: 281_234_560, longitudeE7: 345_678_900))
    #expect(places[0].elevationCm == 1250 && places[0].locality == "Red Sea")
    #expect(places[0].diveSite?.kind == .quarry && places[0].diveSite?.maxDepthMm == 40_000)
    #expect(places[0].diveSite?.description == "A hole.\nDeep.")
    #expect(places[1].position == nil && places[1].locality == nil)
    let event = try #require(rows.dives.first)
    let dive = try #require(event.dive)
    #expect(event.start.text == "2026-03-15T09:44:30" && event.utcOffsetMin == 120)
    #expect(event.place == places[0].id && event.remarks == "Sharks\nand more")
    #expect(rows.persons.map(\.name) == ["Bob Lark"])
    #expect(dive.number == 42 && dive.airCk == 29_815 && dive.weightG == 4500)
    #expect(dive.maxDepthMm == 18_500 && dive.meanDepthMm == 12_300 && dive.durationS == 1500)
    #expect(dive.waterMinCk == 29_965 && dive.visibilityCm == 1200 && dive.currentLevel == 2)
    #expect(dive.suit == "5 mm" && dive.mode == .closedCircuit)
    #expect(rows.measures.map(\.type) == ["x-rating_of_10"] && rows.measures[0].number == 8)
    var (first, second) = (Dive.Tank(), Dive.Tank())
    (first.volumeMl, first.o2Permille) = (12_100, 320)
    (first.startMbar, first.endMbar) = (200_000, 60_500)
    (second.volumeMl, second.o2Permille, second.hePermille) = (3000, 180, 450)
    #expect(dive.tanks == [first, second])
    #expect(dive.logs.count == 1 && dive.logs[0].model == "Perdix" && dive.logs[0].serial == "77")
    let samples = dive.logs[0].samples
    #expect(samples.depthMm.timeS == [0, 180, 1500])
    #expect(samples.depthMm.value == [0, 18_250, 0])
    #expect(samples.temperatureCk.value == [29_915])
    #expect(
      samples.pressureMbar[1]?.value == [190_000, 180_000] && samples.pressureMbar.count == 1)
    #expect(
      samples.events == [
        DiveSamples.Mark(timeS: 0, what: "ascent"),
        DiveSamples.Mark(timeS: 0, what: "gaschange", tank: 1),
        DiveSamples.Mark(timeS: 1500, what: "gaschange", tank: 2),
      ])
    #expect(
      beside.leftOut == [
        "site.sitedata.bottom": 1, "waypoint.heading": 1, "informationafterdive.observations": 1,
      ])
  }

  @Test func aNamespaceIsOfNoAccount() throws {
    let text = Self.whole
    let bare = text.replacing(" xmlns=\"http://www.streit.cc/uddf/3.2/\"", with: "")
    var prefixed = text.replacing("xmlns=", with: "xmlns:u=")
    prefixed = prefixed.replacing("</", with: "</u:").replacing("<?xml", with: "\u{1}")
    prefixed = prefixed.replacing("<", with: "<u:").replacing("<u:/u:", with: "</u:")
    prefixed = prefixed.replacing("\u{1}", with: "<?xml")
    let expected = try DiveFile.rows(text).rows
    #expect(try DiveFile.rows(bare).rows == expected)
    #expect(try DiveFile.rows(prefixed).rows == expected)
  }

  @Test func whatLeadsNowhereIsSaid() throws {
    let (rows, refusals, beside) = try DiveFile.rows(
      """
      <uddf version="3.2.1"><mediadata/><profiledata><repetitiongroup><dive>
      <informationbeforedive><link ref="nobody"/><datetime>2026-03-15T09:44:30Z</datetime></informationbeforedive>
      <tankdata><link ref="nothing"/></tankdata>
      <samples><waypoint><depth>1</depth><divetime>5</divetime><switchmix ref="gas"/>
      <tankpressure ref="tank">1</tankpressure></waypoint></samples></dive>
      <dive><informationbeforedive><link ref="nobody"/></informationbeforedive></dive>
      <dive><informationbeforedive><datetime>2026-02-30T09:44:30Z</datetime></informationbeforedive></dive>
      </repetitiongroup></profiledata><divetrip/></uddf>
      """)
    #expect(rows.dives.count == 1 && rows.dives[0].utcOffsetMin == 0)
    #expect(
      rows.flagged == [
        "link: nobody", "tankdata.link: nothing", "switchmix: gas", "tankpressure: tank",
      ])
    #expect(rows[0].flags.map(\.reason).allSatisfy { $0.contains("(line ") })
    #expect(refusals.map(\.line) == [6, 7] && refusals.map(\.column) == ["datetime", "datetime"])
    #expect(beside.leftOut == ["mediadata": 1, "divetrip": 1])
    // Celsius in the place of kelvin, a time that goes back, and numbers that are none.
    let (odd, _, _) = try DiveFile.rows(
      """
      <uddf><profiledata><repetitiongroup><dive>
      <informationbeforedive><datetime>2026-03-15T09:44:30</datetime><airtemperature>25.0</airtemperature>
      <divenumber>x</divenumber></informationbeforedive><samples>
      <waypoint><depth>1</depth><divetime>5</divetime><temperature>28.0</temperature></waypoint>
      <waypoint><depth>2</depth><divetime>4</divetime></waypoint><waypoint><depth>2</depth></waypoint>
      <waypoint><depth>1e30</depth><divetime>6</divetime></waypoint>
      </samples></dive></repetitiongroup></profiledata></uddf>
      """)
    #expect(
      odd.flagged == [
        "divenumber: x", "temperature: 28.0", "depth: 1e30", "waypoints: 2",
        "airtemperature: 25.0",
      ])
    #expect(odd.dives[0].dive?.logs.first?.samples.depthMm.value == [1000])
  }

  /// Counts as an independent reader has them (ElementTree of Python).
  @Test(
    .enabled(if: SharedData.has(DiveFile.folder)),
    arguments: [
      ("mk3i.uddf.gz", 1, 1, 3339, 14, []), ("test42.uddf.gz", 1, 1, 2485, 153, []),
      // Of a dive without a date nobody knows when it was.
      ("weppos_all_sections.uddf", 0, 1, 0, 0, [64]),
      ("weppos_cross_references.uddf", 2, 2, 4, 0, []),
      ("weppos_divesite_basic.uddf", 0, 2, 0, 0, []),
      ("weppos_invalid_bad_xml.uddf", 0, 0, 0, 0, [7]),
      ("weppos_invalid_unresolved_reference.uddf", 0, 0, 0, 0, [18]),
      // Its temperatures are degrees Celsius, which it says of none.
      ("weppos_profiledata_full.uddf", 1, 1, 5, 0, []),
      ("weppos_real_shearwater_perdix_closedcircuit_deco.uddf", 1, 0, 10, 10, []),
    ] as [(String, Int, Int, Int, Int, [Int])])
  func realFilesAreRead(
    name: String, diveCount: Int, siteCount: Int, depthCount: Int, temperatureCount: Int,
    refused: [Int]
  ) throws {
    let (rows, refusals, _) = try DiveFile.real(name)
    #expect(refusals.map(\.line) == refused, "\(refusals)")
    #expect(rows.dives.count == diveCount && rows.places.count == siteCount)
    let samples = rows.dives.flatMap { $0.dive?.logs ?? [] }.map(\.samples)
    #expect(samples.reduce(0) { $0 + $1.depthMm.count } == depthCount)
    #expect(samples.reduce(0) { $0 + $1.temperatureCk.count } == temperatureCount)
    let journal = try TestJournal().open()
    for row in rows { try journal.save(row.records, as: .import) }
    #expect(try journal.check() == [])
  }
}
