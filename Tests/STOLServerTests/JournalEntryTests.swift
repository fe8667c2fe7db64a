import Foundation
import STOLJournal
import STOLSystem
import TestSupport
import Testing

@testable import STOLServer

/// The form for a note: a position by a track or a tap, a look before it is kept, and the line that says it all.
@Suite("Notes")
struct JournalEntryTests {
  private let harness: JournalHarness

  init() throws { harness = try JournalHarness() }

  /// A walk to the north: a point a minute, from 07:40 UTC on, each a thousandth of a degree farther.
  private static let track =
    "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
    + (0..<10).map { minute in
      "<trkpt lat=\"51.\(15 + minute)\" lon=\"-2.7\"><time>2025-05-04T07:\(40 + minute):00Z</time>"
        + "<hdop>1</hdop></trkpt>"
    }.joined() + "</trkseg></trk></gpx>"

  private func fields(_ further: KeyValuePairs<String, String>) -> [(String, String)] {
    let usual = [
      ("id", "\(JournalID())"), ("kind", "walk"), ("taxon", "Ophrys apifera"),
      ("when", "2025-05-04 09:44:20"),
    ]
    let names = Set(further.map(\.key))
    return usual.filter { !names.contains($0.0) } + further.map { ($0.key, $0.value) }
  }

  private func post(
    _ further: KeyValuePairs<String, String>, track: String? = nil
  ) async throws -> (reply: Reply, page: String) {
    let file = track.map { SentFile(field: "track", name: "walk.gpx", bytes: Array($0.utf8)) }
    let reply = try await harness.post("/journal/new", fields(further), file)
    return (reply, String(decoding: reply.bytes, as: UTF8.self))
  }

  private func value(_ name: String, in page: String) throws -> String {
    let field = try Regex("<input[^>]*name=\"\(name)\"[^>]*value=\"([^\"]*)\"")
    return String(try #require(page.firstMatch(of: field)?[1].substring, "\(name)"))
  }

  private func noneIsKept() -> Bool {
    !JournalFile.isPresent(in: harness.pages.services.directory)
  }

  @Test func aTrackSaysWhereItWasAndHowFarInTime() async throws {
    // A look keeps nothing, and shows it.
    let look = try await post(["offset": "+2", "look": "track"], track: Self.track)
    #expect(look.reply.status == 200 && noneIsKept())
    #expect(look.page.contains("from the track, whose nearest point is 20 s away in time"))
    // A third of the way from the point of 07:44 to the one of 07:45.
    let at = try value("at", in: look.page).split(separator: ",")
    let north = try #require(Double(at[0]))
    #expect(abs(north - (51.19 + 0.01 / 3)) < 1e-6, "\(north)")
    #expect(try #require(Int(try value("accuracy", in: look.page))) > 300)
    #expect(look.page.contains("The track itself is not kept"))
    // Kept at once it is there too, and the page says from where it has its position.
    let kept = try await post(["offset": "+02:00"], track: Self.track)
    let target = try #require(kept.reply.fields.first { $0.name == "location" }?.value)
    #expect(target.hasSuffix("from=track-20"))
    #expect(try await harness.text(target).contains("nearest point is 20 s away in time"))
    let sighting = try #require(
      (try await harness.json("/journal.json")["sightings"] as? [[String: Any]])?.first)
    let position = try #require(sighting["position"] as? [String: Any])
    #expect(abs((position["latitude"] as? Double ?? 0) - north) < 1e-6)
    let event = try #require(sighting["event"] as? String)
    let journal = try #require(try harness.pages.services.journal.journal())
    guard case .event(let record)? = try await journal.record(JournalID(event)!)?.record else {
      Issue.record("no event")
      return
    }
    #expect(record.utcOffsetMin == 120)
    // The same again knows the offset.
    let again = try await harness.text(
      "/journal/new?again=\(try #require(sighting["sighting"] as? String))")
    #expect(try value("offset", in: again) == "+02:00")
  }

  @Test(arguments: [
    (
      "",
      "say how far the clock there was ahead of UTC: the track is of 2025-05-04 07:40 to 2025-05-04 07:49 UTC"
    ),
    ("+5", "it has no points around 2025-05-04 09:44:20: by that clock it is of 2025-05-04 12:40"),
    ("later", "as +2, +02:00 or -5:30"), ("+19", "at most 18 hours"),
    ("+2:60", "hours and minutes"),
  ])
  func aTrackThatDoesNotTellIsSaid(offset: String, words: String) async throws {
    let sent = try await post(["offset": offset], track: Self.track)
    #expect(sent.reply.status == 400 && sent.page.contains(words), "\(offset)")
    #expect(sent.page.contains("Choose the track again, too") && noneIsKept())
  }

  @Test(arguments: [
    "", "no track", "<gpx></gpx>", "<kml></kml>",
    "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>",
  ])
  func whatIsNoTrackIsSaid(text: String) async throws {
    let sent = try await post(["offset": "+2"], track: text)
    #expect(sent.reply.status == 400 && noneIsKept(), "\(text)")
    // What somebody typed holds, whatever the file says.
    let typed = try await post(["offset": "+2", "at": "47.1, 8.2"], track: text)
    #expect(typed.reply.status == 303)
  }

  @Test func offsetsAreReadAsPeopleWriteThem() throws {
    for (text, minutes) in [
      ("+2", 120), ("2", 120), ("+02:00", 120), ("-5:30", -330), ("\u{2212}5", -300), ("Z", 0),
      ("0", 0), ("+18", 1080), ("-00:30", -30),
    ] {
      #expect(try JournalEntry.offset(text) == minutes, "\(text)")
      #expect(try JournalEntry.offset(JournalEntry.offsetText(minutes)) == minutes)
    }
    for text in ["", "+", "--2", "2:3:4", "+200", "2.5", "UTC", "+2 ", "١"] {
      #expect(throws: JournalError.self, "\(text)") { try JournalEntry.offset(text) }
    }
  }

  @Test func aTapOnTheMapIsAPosition() async throws {
    var random = SeededGenerator(seed: 7)
    for zoom in 0...20 {
      let view = JournalMapView(
        latitude: Double.random(in: -80...80, using: &random),
        longitude: Double.random(in: -180..<180, using: &random), zoom: zoom)
      let named = try #require(JournalMapView(view.fields))
      let (x, y) = (
        Int.random(in: 1...269, using: &random), Int.random(in: 1...179, using: &random)
      )
      let tapped = try await post([
        "mapat": view.fields["at"] ?? "", "mapz": "\(zoom)", "spot.x": "\(x)", "spot.y": "\(y)",
        "count": "3",
      ])
      #expect(tapped.reply.status == 200 && noneIsKept())
      #expect(tapped.page.contains("Its position is from the map"))
      #expect(try value("count", in: tapped.page) == "3")
      let position = try #require(
        JournalMapView.position(
          try value("at", in: tapped.page).replacing(" ", with: "")))
      // It is drawn where it was tapped, as near as a unit of the drawing.
      let point = named.point(position.latitude, position.longitude)
      let scale = JournalMapView.width / EntryMapStep.width
      #expect(abs(point.x - Double(x) * scale) < 1 || zoom == 0, "\(zoom)")
      #expect(abs(point.y - Double(y) * scale) < 1, "\(zoom)")
      #expect(try value("accuracy", in: tapped.page) == "\(EntryMapStep.uncertaintyM(named))")
      // The next map is nearer, and has it in its middle.
      #expect(try value("mapz", in: tapped.page) == "\(min(22, zoom + 2))")
    }
    // A key presses the corner: nothing is taken from that.
    let pressed = try await post(["spot.x": "0", "spot.y": "0"])
    #expect(pressed.reply.status == 200)
    #expect(try value("at", in: pressed.page).isEmpty)
    for (x, y) in [("-1", "5"), ("1e9", "5"), ("nan", "5"), ("5", "inf")] {
      let odd = try await post(["spot.x": x, "spot.y": y])
      #expect(try odd.reply.status == 200 && value("at", in: odd.page).isEmpty, "\(x), \(y)")
    }
  }

  @Test func theSmallMapMovesWithoutScripts() async throws {
    for move in EntryMapStep.Move.allCases {
      let moved = try await post(["mapat": "10,20", "mapz": "5", "move": move.rawValue])
      let view = JournalMapView(latitude: 10, longitude: 20, zoom: 5)
      #expect(
        try value("mapat", in: moved.page) == move.view(after: view).fields["at"], "\(move)")
      #expect(noneIsKept())
    }
    // Its picture is there before any journal is.
    let form = try await harness.text("/journal/new")
    let source = try #require(
      form.firstMatch(of: try Regex("type=\"image\"[^>]*src=\"([^\"]*)\""))?[1].substring)
    let picture = try await harness.get(String(source).replacing("&amp;", with: "&"))
    #expect(picture.status == 200 && picture.contentType.hasPrefix("image/svg+xml"))
    #expect(noneIsKept())
  }

  @Test func aLookSaysAllThatWouldBeKept() async throws {
    let look = try await post([
      "kind": "dive", "taxon": "Felis number1", "depth": "12", "duration": "46",
      "tank": "12l,200-60bar,EAN32", "place": "Old Anchor",
      "more": "Felis number2=2\n\n Felis number3",
      "at": "1, 2", "accuracy": "4", "look": "all",
    ])
    #expect(look.reply.status == 200 && noneIsKept())
    #expect(
      look.page.contains(
        "Felis number1, and 2 more, 12 m, 46 min, 200 to 60 bar, 12 l, EAN32, 2025-05-04 09:44:20, Old Anchor, 1, 2, excellent, within 4 m"
      ))
    for (text, words) in [
      ("200-60bar", "200 to 60 bar"), ("200bar-60bar", "200 to 60 bar"), ("15 l, air", "15 l, air"),
      ("3000-900psi", "3000-900psi"), ("", ""), (",,", ""),
    ] {
      #expect(EntryReview.tank(text) == words, "\(text)")
    }
  }

  @Test func ownTaxaAreSuggestedFirst() async throws {
    _ = try await post(["taxon": "Felis number12"])
    let found = try #require(
      try await harness.json("/journal/complete.json?q=felis")["results"] as? [[String: Any]])
    #expect(found.first?["scientificName"] as? String == "Felis number12")
    #expect(found.count == 8)
  }
}
