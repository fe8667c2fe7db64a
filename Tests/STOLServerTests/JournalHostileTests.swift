import Foundation
import STOLJournal
import STOLSystem
import TestSupport
import Testing

@testable import STOLServer

/// Markup and long texts in every field of every form and in every column of a file; a page that sends far too much.
@Suite("Hostile texts in the journal")
struct JournalHostileTests {
  private let harness: JournalHarness

  init() throws { harness = try JournalHarness() }

  /// What would run a script as an element, behind the end of an attribute of either kind, and in a text.
  private static let evil =
    "\"><script>evil()</script>'><img src=x onerror=evil()>\" onfocus=evil() x=' onfocus=evil() y=</title></textarea>"
  private static let long = String(repeating: "long ", count: 20_000) + evil

  /// Why an answer is none of ours; nil where all of it is escaped.
  private static func fault(_ reply: Reply) -> String? {
    guard reply.contentType.hasPrefix("text/html") || reply.contentType.hasPrefix("image/svg")
    else { return nil }
    let text = String(decoding: reply.bytes, as: UTF8.self)
    for word in [
      "<script>evil", "<img src=x", "\" onfocus=evil", "' onfocus=evil", "</title></textarea>",
    ] where text.contains(word) { return word }
    // Nor is any of it in a title, which a browser keeps.
    if text.hasPrefix("<!doctype"),
      text.firstMatch(of: #/<title>([^<]*)</#)?.1.contains("evil") != false
    {
      return "title"
    }
    // What the engine refuses is no fault of it.
    return reply.status == 500 ? "status 500" : nil
  }

  /// A form of a page: where it is sent, and what its fields say.
  private struct Form: Hashable {
    let action: String
    let names: [String]
    let values: [String]
  }

  /// The forms of a page, as a browser would send them.
  private static func forms(_ page: String) -> [Form] {
    page.components(separatedBy: "<form").dropFirst().compactMap { part -> Form? in
      let form = part.components(separatedBy: "</form>")[0]
      guard form.contains("method=\"post\""),
        let action = form.firstMatch(of: #/action="([^"]*)"/#)?.1, action.hasPrefix("/journal")
      else { return nil }
      var (names, values): ([String], [String]) = ([], [])
      for field in form.matches(
        of: #/<(?:input|select|textarea|button)[^>]*? name="([^"]*)"[^>]*>/#)
      {
        names.append(String(field.1))
        let value = String(field.0.firstMatch(of: #/value="([^"]*)"/#)?.1 ?? "")
        values.append(
          value.replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
            .replacing("&amp;", with: "&"))
      }
      if form.contains("type=\"image\"") { names += ["spot.x", "spot.y"]; values += ["1", "1"] }
      return Form(action: String(action), names: names, values: values)
    }
  }

  /// All pages of the journal, with all forms and filters.
  private func targets() async throws -> [String] {
    var targets: [String] = []
    let encoded = try #require(
      Self.evil.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    var routes = JournalRoute.fixed
    if let journal = try harness.pages.services.journal.journal() {
      let page = try await journal.sightings(SightingQuery())
      for sighting in page.sightings.prefix(40) {
        routes += [.sighting(sighting.occurrence), .event(sighting.event)]
      }
      let (places, collections, organisms) = try await journal.read { file, _ in
        let organisms = try page.sightings.prefix(40).compactMap { sighting -> JournalID? in
          guard case .occurrence(let seen)? = try file.record(sighting.occurrence)?.record
          else { return nil }
          return seen.organism
        }
        return (try file.places(PlaceQuery()).places, try file.collections(), organisms)
      }
      routes += places.prefix(40).map { .place($0.id) }
      routes += collections.compactMap(\.id).prefix(40).map { .collection($0) }
      routes += organisms.map { .organism($0) }
    }
    for route in routes {
      for form in route.forms where form == .page || form == .svg {
        let path = Address(.journal(route), form).path
        targets += [path, "\(path)?taxon=\(encoded)&tag=\(encoded)&label=variety&show=\(encoded)"]
        if route == .map { targets += ["\(path)?show=places", "\(path)?label=variety"] }
        if route == .export { targets.append("\(path)?for=others&format=csv") }
        if route == .new { targets.append("\(path)?when=\(encoded)&kind=\(encoded)") }
      }
    }
    return targets
  }

  private func expectAllPagesAreSound(_ comment: String) async throws {
    for target in try await targets() {
      if let fault = Self.fault(try await harness.get(target)) {
        Issue.record("\(comment): \(target) has \(fault)")
      }
    }
  }

  @Test func noFieldOfAnyFormIsMarkup() async throws {
    var random = RandomJournal(seed: 11)
    try await random.fill(try harness.pages.services.journal.begun(), eventCount: 12)
    // A name that is a question, a file that waits, and whatever else makes a form.
    _ = try await harness.post(
      "/journal/new", [("id", "\(JournalID())"), ("taxon", "Ophrys apifora"), ("when", "2025")])
    _ = try await harness.post(
      "/journal/import", [("action", "send")],
      SentFile(field: "file", name: Self.evil + ".csv", bytes: Array("a,b\n1,2\n".utf8)))
    var forms: [String: Form] = [:]
    for target in try await targets() {
      for form in Self.forms(try await harness.text(target)) {
        // Forms that differ in their records alone are one kind.
        let values = zip(form.names, form.values).map { $0 == "action" ? $1 : "" }
        forms["\(form.action) \(form.names) \(values)"] = form
      }
    }
    let actions = Set(forms.values.map(\.action))
    for action in [
      "/journal", "/journal/new", "/journal/import", "/journal/export", "/journal/lock",
      "/journal/map", "/journal/collections",
    ] {
      #expect(actions.contains(action), "\(action)")
    }
    var count = 0
    // What changes passwords or takes long is tried last, and once.
    for form in forms.values.sorted(by: { $0.action < $1.action }) {
      for (place, name) in form.names.enumerated() where name != "token" {
        for text in [Self.evil, Self.long] {
          var fields = Array(zip(form.names, form.values))
          fields[place].1 = text
          if name == "passphrase" || name == "again" {
            for other in ["passphrase", "again", "old"] {
              fields = fields.map { $0.0 == other ? (other, text) : $0 }
            }
          }
          // A journal that is locked says nothing, and takes a second for each passphrase.
          if form.action == "/journal/lock", fields.contains(where: { $0 == ("action", "lock") }) {
            fields = fields.map { $0.0 == "again" ? ("again", "other") : $0 }
          }
          let reply = try await harness.post(form.action, fields)
          count += 1
          if let fault = Self.fault(reply) {
            Issue.record("\(form.action), \(name) of \(form.names): \(fault)")
          }
        }
      }
    }
    #expect(count > 100, "\(count)")
    try await expectAllPagesAreSound("after all forms")
  }

  /// A note that says so in each field that takes any text, and so is kept.
  @Test func whatIsKeptIsNoMarkup() async throws {
    for profile in ["tree", "walk", "dive"] {
      let id = JournalID()
      let kept = try await harness.post(
        "/journal/new",
        [
          ("id", "\(id)"), ("kind", profile), ("taxon", Self.evil), ("when", "2025-05-04"),
          ("at", "1, 2"), ("place", Self.evil), ("individual", Self.evil), ("note", Self.evil),
          ("more", profile == "tree" ? "" : Self.evil.replacing("=", with: "-")),
          ("tags", Self.evil),
        ])
      #expect(kept.status == 303, "\(profile)")
      for record in [id, id.derived("event")] {
        _ = try await harness.post(
          "/journal/collections",
          [("action", "add"), ("id", "\(record)"), ("name", "\(profile) \(Self.evil)")])
      }
    }
    #expect(
      try await harness.text("/journal").contains("&lt;script&gt;evil()&lt;/script&gt;"))
    try await expectAllPagesAreSound("kept")
  }

  @Test func noColumnOfAnyFileIsMarkup() async throws {
    // The columns that the journal writes itself.
    var random = RandomJournal(seed: 12)
    let journal = try harness.pages.services.journal.begun()
    try await random.fill(journal, eventCount: 6)
    let path = harness.folder.path + "/own.csv"
    try await journal.export(nil, as: .csv, describedBy: nil, isExact: true, to: path)
    let own = try String(contentsOfFile: path, encoding: .utf8)
    let columns = try #require(own.split(whereSeparator: \.isNewline).first).split(separator: ",")
      .map(String.init)
    #expect(columns.count > 60)
    let quoted = "\"" + Self.evil.replacing("\"", with: "\"\"") + "\""
    var files: [(name: String, text: String)] = columns.map { column in
      let cells = [
        "occurrence_uuid": "\(JournalID())", "event_uuid": "\(JournalID())",
        "name": "Felis number1",
        "event_kind": "visit", "start": "2025-05-04", "place_kind": "site", "place_name": "Here",
      ].merging([column: quoted]) { $1 }
      let names = cells.keys.sorted()
      return (
        "\(column).csv",
        names.joined(separator: ",") + "\n" + names.map { cells[$0] ?? "" }.joined(separator: ",")
      )
    }
    let ebird =
      "Submission ID,Common Name,Scientific Name,Taxonomic Order,Count,State/Province,County,Location ID,Location,Latitude,Longitude,Date,Time,Protocol,Duration (Min),All Obs Reported,Distance Traveled (km),Area Covered (ha),Number of Observers,Breeding Code,Observation Details,Checklist Comments,ML Catalog Numbers"
    let row =
      "S1,,Felis number1,1,2,US-NY,Tompkins,L9,Woods,42.4,-76.45,2022-12-01,06:05 AM,eBird - Casual Observation,,0,,,,,,,"
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for place in row.indices {
      var cells = row
      cells[place] = quoted
      cells[0] = place == 0 ? quoted : "S\(place)"
      files.append(("ebird\(place).csv", ebird + "\n" + cells.joined(separator: ",") + "\n"))
    }
    let escaped = Self.evil.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    for tag in ["name", "desc", "cmt", "src", "sym", "type", "time", "ele"] {
      files.append(
        (
          "\(tag).gpx",
          "<gpx version=\"1.1\"><wpt lat=\"1\" lon=\"2\"><name>x</name><\(tag)>\(escaped)</\(tag)></wpt></gpx>"
        ))
    }
    let json = String(
      decoding: try JSONSerialization.data(withJSONObject: [Self.evil]), as: UTF8.self
    ).dropFirst().dropLast()
    for key in columns + ["name", "title", "description"] {
      files.append(
        (
          "\(key).geojson",
          "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[2,1]},\"properties\":{\"\(key)\":\(json)}}"
        ))
    }
    files.append((Self.evil + ".csv", own))
    var importedCount = 0
    for (name, text) in files {
      let sent = try await harness.post(
        "/journal/import", [("action", "send")],
        SentFile(field: "file", name: name, bytes: Array(text.utf8)))
      #expect(sent.status == 303, "\(name)")
      for _ in 0..<2 {
        let page = try await harness.get("/journal/import")
        if let fault = Self.fault(page) { Issue.record("\(name): \(fault)") }
        let state = try await harness.json("/journal/import.json")
        guard state["state"] as? String == "waiting" else { break }
        let done = try await harness.post(
          "/journal/import",
          [("action", "import"), ("upload", state["upload"] as? String ?? "")])
        if done.status == 303 { importedCount += 1 }
        if let fault = Self.fault(done) { Issue.record("\(name): \(fault)") }
      }
    }
    #expect(importedCount > 40, "\(importedCount) of \(files.count)")
    try await expectAllPagesAreSound("imported")
  }

  /// Far more notes at once than anybody writes: each is kept once, or refused so that its page knows.
  @Test func aThousandNotesAtOnceLoseNothing() async throws {
    let ids = (0..<1000).map { _ in JournalID() }
    let kept = try await withThrowingTaskGroup(of: (JournalID, Bool).self) { group in
      for id in ids + ids.prefix(100) {
        group.addTask {
          let reply = try await harness.post(
            "/journal/new",
            [
              ("id", "\(id)"), ("kind", "walk"), ("taxon", "Ophrys apifera"),
              ("when", "2025-05-04"),
            ])
          #expect([303, 429, 503].contains(reply.status))
          return (id, reply.status == 303)
        }
      }
      var kept: Set<JournalID> = []
      for try await (id, isKept) in group where isKept { kept.insert(id) }
      return kept
    }
    #expect(try await harness.json("/journal.json")["count"] as? Int == kept.count)
    for id in ids.prefix(20) where kept.contains(id) {
      #expect(try await harness.get("/journal/sighting/\(id)").status == 200)
    }
    let journal = try #require(try harness.pages.services.journal.journal())
    let findings = try await journal.read { file, _ in try file.check() }
    #expect(findings.isEmpty)
  }
}
