import Foundation
import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("What is odd in maps of other programs")
struct MapImportOddityTests {
  private static let tracks = [
    """
    <gpx><trk><name>t</name><trkseg><trkpt lat="0" lon="0"/><trkpt lat="48" lon="11"/>
    <trkpt lat="48.1" lon="11"/></trkseg></trk></gpx>
    """,
    """
    <kml><Placemark><name>t</name><LineString><coordinates>0,0 11,48 11,48.1</coordinates>
    </LineString></Placemark></kml>
    """,
    """
    <kml><Placemark><name>t</name><Track><coord>0 0 0</coord><coord>11 48 1</coord>
    <coord>11 48.1 1</coord></Track></Placemark></kml>
    """,
    """
    {"type":"Feature","properties":{"name":"t"},
    "geometry":{"type":"LineString","coordinates":[[0,0],[11,48],[11,48.1]]}}
    """,
    """
    {"type":"LineString","coordinates":[[0,0],[11,48],[11,48.1]]}
    """,
  ]

  /// A fix of a device that did not know where it was is no part of a track.
  @Test(arguments: tracks)
  func pointsOfNoPlaceAreLeftOut(text: String) throws {
    let journal = try TestJournal().open()
    let (rows, _, _) = try TestMap.import(text, into: journal)
    #expect(rows.map(\.outcome) == [.flagged], "\(rows)")
    #expect(rows[0].flags.map(\.column) == ["a point"])
    let place = try #require(try journal.placesByName().values.first)
    #expect(place.position?.latitudeE7 == 480_500_000)
    #expect((place.position?.uncertaintyM ?? .max) < 10_000)
    // Where 0 N 0 E is a place like others it is one.
    var options = ImportOptions()
    options.acceptsNullIsland = true
    let other = try TestJournal().open()
    _ = try TestMap.import(text, into: other, options)
    let wide = try #require(try other.placesByName().values.first)
    #expect((wide.position?.uncertaintyM ?? 0) > 2_000_000)
  }

  @Test(arguments: [
    "<gpx><wpt lat=\"0\" lon=\"0\"/></gpx>",
    "<kml><Placemark><LineString><coordinates>0,0 0,0</coordinates></LineString></Placemark></kml>",
    "{\"type\":\"Point\",\"coordinates\":[0,0]}",
  ])
  func whatIsAtNoPlaceAloneIsRefused(text: String) throws {
    let journal = try TestJournal().open()
    let (rows, _, _) = try TestMap.import(text, into: journal)
    #expect(rows.map(\.outcome) == [.refused])
    #expect(rows[0].refusal?.reason.contains("0 N 0 E") == true)
  }

  /// A time that cannot be is said with its line, and the others count.
  @Test func timesThatCannotBeAreSaid() throws {
    let journal = try TestJournal().open()
    let (rows, _, _) = try TestMap.import(
      """
      <gpx><trk><name>t</name><trkseg>
      <trkpt lat="48" lon="11"><time>2022-02-31T11:00:00Z</time></trkpt>
      <trkpt lat="48" lon="11"><time>2022-05-01T24:00:00Z</time></trkpt>
      <trkpt lat="48" lon="11"><time>99999-05-01T10:00:00Z</time></trkpt>
      <trkpt lat="48" lon="11"><time>2022-05-01T10:00:00Z</time></trkpt>
      <trkpt lat="48" lon="11"><time>2022-05-01T11:00:00</time></trkpt>
      <trkpt lat="99" lon="11"/>
      </trkseg></trk></gpx>
      """, into: journal)
    #expect(rows.map(\.outcome) == [.flagged])
    let flags = rows[0].flags
    #expect(flags.map(\.column) == ["time", "time", "time", "time", "lat"])
    for (line, flag) in zip([2, 3, 4, 6, 7], flags) {
      #expect(flag.reason.hasPrefix("(line \(line)) is ") && flag.reason.hasSuffix(": left out"))
    }
    #expect(try journal.events().map(\.start.text) == ["2022-05-01T10:00:00"])
  }

  @Test func severalPositionsInAPointAreRefused() throws {
    let journal = try TestJournal().open()
    let (rows, _, _) = try TestMap.import(
      """
      <kml><Placemark><Point><coordinates>7,5 45,5</coordinates></Point></Placemark>
      <Placemark><MultiGeometry><Point><coordinates> 7.5,45.5 </coordinates></Point>
      <Point><coordinates>7.5,45.6</coordinates></Point></MultiGeometry></Placemark></kml>
      """, into: journal)
    #expect(rows.map(\.outcome) == [.refused, .new], "\(rows)")
    #expect(rows[0].refusal?.value == "7,5 45,5")
    #expect(rows[0].refusal?.remedy.contains("7.5,45.5") == true)
  }

  /// Heights of points are elevations, but for 0 and what is above the ground.
  @Test func heightsOfPointsAreKept() throws {
    let journal = try TestJournal().open()
    for (name, height) in [("a", "1200"), ("b", "-3.25"), ("c", "0.0")] {
      _ = try TestMap.import(
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[7.5,45.5,\(height)]},
        "properties":{"name":"json \(name)"}}
        """, into: journal)
      _ = try TestMap.import(
        """
        <kml><Placemark><name>kml \(name)</name><Point><altitudeMode>absolute</altitudeMode>
        <coordinates>7.5,45.5,\(height)</coordinates></Point></Placemark></kml>
        """, into: journal)
    }
    _ = try TestMap.import(
      """
      <kml><Placemark><name>kml d</name><Point><altitudeMode>relativeToGround</altitudeMode>
      <coordinates>7.5,45.5,3</coordinates></Point></Placemark></kml>
      """, into: journal)
    // A visit has no height.
    let (_, summary, _) = try TestMap.import(
      """
      <kml><Placemark><TimeStamp><when>2024</when></TimeStamp><Point>
      <coordinates>7.5,45.5,3</coordinates></Point></Placemark></kml>
      """, into: journal)
    #expect(summary.beside.leftOut == ["placemark.height": 1])
    let places = try journal.placesByName().mapValues(\.elevationCm)
    #expect(
      places == [
        "json a": 120_000, "kml a": 120_000, "json b": -325, "kml b": -325, "json c": nil,
        "kml c": nil, "kml d": nil,
      ])
  }

  /// Half of a surrogate pair is U+FFFD, and the features behind it are read; on one line each has its number.
  @Test func halfASurrogatePairSpoilsNothing() throws {
    let journal = try TestJournal().open()
    func feature(_ name: String, _ latitude: Int) -> String {
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[7,\(latitude)]},"
        + "\"properties\":{\"name\":\"\(name)\"}}"
    }
    let features = [
      feature("a\\ud800b", 1), feature("c\\udf33\\u0041", 2), feature("d\\ud83c\\u0041", 3),
      feature("e\\ud83c\\udf33", 4), feature("f", 95),
    ]
    let (rows, _, _) = try TestMap.import(
      "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}",
      into: journal)
    #expect(rows.map(\.outcome) == [.flagged, .flagged, .flagged, .new, .refused], "\(rows)")
    #expect(
      try journal.placesByName().keys.sorted() == [
        "a\u{FFFD}b", "c\u{FFFD}A", "d\u{FFFD}A", "e\u{1F333}",
      ])
    #expect(rows[4].refusal?.column == "feature 5, coordinates (latitude)")
  }

  /// A feature with more in it than is kept is refused alone, and coordinates are not counted.
  @Test func whatIsTooLargeSpoilsNothing() throws {
    let journal = try TestJournal().open()
    let zeros = String(repeating: "0,", count: GeoJSONSource.nodeLimit) + "0"
    let points = String(repeating: "[7,8],", count: GeoJSONSource.nodeLimit) + "[9,10]"
    let (rows, _, _) = try TestMap.import(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"a","z":[\(zeros)]},"geometry":null},
      {"type":"Feature","properties":{"name":"b"},"geometry":{"type":"LineString","coordinates":[\(points)]}}
      ]}
      """, into: journal)
    #expect(rows.map(\.outcome) == [.refused, .new], "\(rows)")
    #expect(rows[0].line == 2 && rows[0].refusal?.reason.contains("200000 values") == true)
    #expect(try journal.placesByName()["b"]?.position?.latitudeE7 == 90_000_000)
  }

  /// A poor waypoint is shown by what stands there.
  @Test func aDilutionIsShownAsItIsWritten() throws {
    let journal = try TestJournal().open()
    let (rows, _, _) = try TestMap.import(
      "<gpx><wpt lat=\"48\" lon=\"11\"><hdop>6</hdop></wpt></gpx>", into: journal)
    #expect(rows[0].flags.map(\.column) == ["hdop"])
    #expect(rows[0].flags.map(\.value) == ["6, about 30 m"])
  }
}
