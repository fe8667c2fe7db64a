import TestSupport
import Testing

@testable import STOLJournal

@Suite("Places by themselves, and what a mapping would store")
struct PlaceTableTests {
  private static let sites = """
    ref,Site,Lat,Lon,Height (m),Land,About
    7,Blue Corner,7.134,134.221,-15,PW,a wall
    8,Siaes,7.315,134.22,,PW,
    9,,7.3,134.2,,PW,
    10,Off,97.3,134.2,,PW,

    """
  private static let map = [
    "ref=id", "Site=place", "Lat=latitude", "Lon=longitude", "Height (m)=elevation_cm:m",
    "Land=country", "About=notes", "=source=OpenSites", "=licence=CC BY 4.0",
    "=attribution=OpenSites and others",
  ]

  @Test func aTableOfPlacesNeedsNoDate() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let (rows, summary) = try TestTable.import(Self.sites, Self.map, into: journal)
    #expect(rows.map(\.outcome) == [.new, .new, .refused, .refused], "\(rows)")
    #expect(rows[3].refusal?.column == "Lat" && rows[3].refusal?.line == 5)
    let places = try journal.placesByName()
    #expect(places.keys.sorted() == ["Blue Corner", "Siaes"])
    let corner = try #require(places["Blue Corner"])
    #expect(corner.position == Position(latitudeE7: 71_340_000, longitudeE7: 1_342_210_000))
    #expect(corner.elevationCm == -1_500 && corner.country == "PW" && corner.kind == .site)
    let credit = "Source: OpenSites\nOpenSites and others\nLicence: CC BY 4.0"
    #expect(try journal.texts(ofNotesOn: corner.id) == ["a wall", credit])
    let all = try journal.liveRecords().map(\.record)
    #expect(Set(all.map(\.kind)) == [.place, .note])
    let before = try home.dump()
    #expect(try TestTable.import(Self.sites, Self.map, into: journal).summary.batch == nil)
    #expect(try home.dump() == before)
    // A later file of the source may call the place otherwise, and it stays the same.
    let renamed = Self.sites.replacing("Blue Corner", with: "Blue corner")
    var options = ImportOptions()
    options.updates = true
    let (later, _) = try TestTable.import(renamed, Self.map, into: journal, options)
    #expect(later[0].outcome == .updated && later[0].id == corner.id)
    #expect(summary.batch != nil)
  }

  /// Where something was seen there, a table is one of that, and needs a date.
  @Test func aTableOfSightingsNeedsADate() throws {
    let journal = try TestJournal().open()
    let (rows, _) = try TestTable.import(
      "Site,what\nReef,Manta\n", ["Site=place", "what=name"], into: journal)
    #expect(rows.map(\.outcome) == [.refused])
  }

  @Test func placesOfAMapSayWhereTheyAreFrom() throws {
    let journal = try TestJournal().open()
    let text = #"""
      {"type":"Feature","id":5,"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"A"}}
      """#
    let map = ["=source=Sites", "=licence=ODbL"]
    _ = try TestMap.import(text, map, into: journal)
    let place = try #require(try journal.placesByName()["A"])
    #expect(place.id == JournalID(naming: ["place", "Sites", "5"]))
    #expect(try journal.texts(ofNotesOn: place.id) == ["Source: Sites\nLicence: ODbL"])
  }

  // MARK: - Proposals

  @Test func aProposalShowsWhatItWouldStore() throws {
    let text = """
      Botanic,Lat,Lon,DBH,Height (m),Inventory Date
      Quercus robur,42,-76,12,7,2019-03-15
      Acer,42.1,-76.1,,,2019-03-16

      """
    let proposal = try TableProposal.text(
      of: TestTable.stream(Array(text.utf8), pieceByteCount: 11), fileName: "trees.csv")
    let lines = proposal.split(separator: "\n").map(String.init)
    for line in [
      "# DBH=dbh_mm:?", "Height (m)=height_cm:m", "# As it stands, this mapping would store:",
      "#   line 2: survey 2019-03-15", "#   line 2: individual, at 42, -76",
      "#   line 2: sighting, present", "#   line 2: name \"Quercus robur\"",
      "#   line 2: height_cm 700 cm", "#   line 3: individual, at 42.1, -76.1",
    ] {
      #expect(lines.contains(line), "\(line) in\n\(proposal)")
    }
    // No unit was said for it, so nothing of it would be stored.
    #expect(!proposal.contains("dbh_mm 12"))
    #expect(try TableMapping(contentsOf: proposal).entries.count == 5)
    let undated = try TableProposal.text(
      of: TestTable.stream(Array("Botanic\nAcer\n".utf8)), fileName: "trees.csv")
    #expect(undated.contains("#   nothing: line 2, date is missing"))
  }

  @Test func aProposalForAMapIsOfItsProperties() throws {
    let text = #"""
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[-76,42]},
        "properties":{"Botanic":"Quercus robur","Observed":"2019-03-15","DBH":12}}]}
      """#
    let proposal = try TableProposal.text(
      of: TestTable.stream(Array(text.utf8)), as: .geojson, fileName: "trees.geojson")
    let lines = proposal.split(separator: "\n").map(String.init)
    for line in [
      "Botanic=name", "Observed=date", "# DBH=dbh_mm:?", "#   line 2: visit 2019-03-15, at 42, -76",
      "#   line 2: name \"Quercus robur\"",
    ] {
      #expect(lines.contains(line), "\(line) in\n\(proposal)")
    }
    let journal = try TestJournal().open()
    try journal.save(try Walk().records)
    for format in [ExportFormat.gpx, .geojson, .kml] {
      let own = try TableProposal.text(
        of: TestTable.stream(try journal.exported(format).bytes),
        as: try #require(ImportFormat(rawValue: format.rawValue)), fileName: "a")
      #expect(own.contains("needs no mapping"))
    }
  }
}
