import Foundation
import STOLJournal
import STOLSystem
import Testing

@testable import STOLServer

/// What the page says of a file before it leaves, against what is in the file.
@Suite("Giving out the journal")
struct JournalExportTests {
  /// What is found in a file by reading it without the library.
  private struct Found {
    var records: [String: Int] = [:]
    var itemCount = 0
    var exactCount = 0
    var obscuredCount = 0
  }

  @Test(arguments: 0..<6, [true, false])
  func whatIsShownIsWhatIsInTheFile(seed: Int, isExact: Bool) async throws {
    let harness = try JournalHarness()
    var random = RandomJournal(seed: UInt64(seed))
    try await random.fill(try harness.pages.services.journal.begun(), eventCount: 60)
    let filters = ["", "&taxon=orchids", "&kind=dive", "&from=2022-03&to=2023"]
    for format in ExportFormat.allCases where isExact || format != .archive {
      let filter = filters[(seed + format.rawValue.count) % filters.count]
      let query =
        "format=\(format.rawValue)&for=\(isExact ? "myself" : "others")&licence=CC0-1.0&creator=Ada"
        + filter
      let answer = try await harness.json("/journal/export.json?\(query)")
      let leaving = try #require(answer["leaving"] as? [String: Any], "\(query)")
      let page = try await harness.text("/journal/export?\(query)")
      let shown = try JournalHarness.counts(in: page)
      let reply = try await harness.post(
        "/journal/export",
        try #require(Fields(parsing: query)).pairs.map { ($0.name, $0.value) } + [
          ("shown", try JournalHarness.hidden("shown", in: page)), ("unsealed", "yes"),
        ])
      #expect(reply.status == 200, "\(query)")
      #expect(reply.fields.contains { $0 == ("cache-control", "no-store") })
      let name = try #require(reply.fields.first { $0.name == "content-disposition" }?.value)
      #expect(name.contains("attachment") && !name.contains("Tree"), "\(name)")
      let bytes = try reply.allBytes
      #expect(leaving["byteCount"] as? Int == bytes.count, "\(query)")
      let positions = try #require(leaving["positions"] as? [String: Int])
      #expect(shown["exact positions"] == positions["exact"], "\(query)")
      #expect(
        shown["positions as a cell of the map only"]
          == (isExact ? nil : positions["obscured"]), "\(query)")
      if isExact { #expect(positions["obscured"] == 0 && positions["withheld"] == 0) }
      guard let found = try Self.read(bytes, format, isExact: isExact) else { continue }
      #expect(
        (positions["exact"] ?? 0) + (positions["obscured"] ?? 0)
          == found.exactCount + found.obscuredCount, "\(query)")
      if Self.saysWhatIsObscured(format) {
        #expect(positions["obscured"] == found.obscuredCount, "\(query)")
      }
      let written = Self.counts(leaving["written"])
      switch format {
      case .json, .jsonl:
        #expect(written == ["records": found.itemCount], "\(query)")
        #expect(Self.counts(leaving["records"]) == found.records, "\(query)")
        for (kind, word) in [
          ("occurrence", "sightings"), ("photo", "photos"), ("person", "persons"),
          ("note", "notes"),
        ] {
          #expect(shown[word] == found.records[kind] ?? 0, "\(query) \(word)")
        }
        if !isExact { #expect(found.records["person"] == nil) }
      case .subsurface, .uddf:
        #expect(written["dives"] ?? 0 == found.itemCount, "\(query)")
      case .umilog: break
      default: #expect(written.values.reduce(0, +) == found.itemCount, "\(query) \(written)")
      }
    }
  }

  /// What others do not get is what is in the file for oneself and not in theirs.
  @Test func whatIsKeptFromOthersIsWhatIsMissing() async throws {
    for seed in 20..<26 {
      let harness = try JournalHarness()
      var random = RandomJournal(seed: UInt64(seed))
      try await random.fill(try harness.pages.services.journal.begun(), eventCount: 50)
      func leaving(_ query: String) async throws -> [String: Any] {
        let answer = try await harness.json("/journal/export.json?format=jsonl&for=\(query)")
        return try #require(answer["leaving"] as? [String: Any])
      }
      let (mine, theirs) = (try await leaving("myself"), try await leaving("others"))
      let (all, some) = (Self.counts(mine["records"]), Self.counts(theirs["records"]))
      let withheld = Self.counts(theirs["withheld"])
      for kind in all.keys {
        #expect((all[kind] ?? 0) - (some[kind] ?? 0) == withheld[kind] ?? 0, "\(seed) \(kind)")
      }
      #expect(Self.counts(mine["withheld"]).isEmpty && Self.counts(mine["generalised"]).isEmpty)
    }
  }

  @Test func whatHasChangedSinceIsShownAgain() async throws {
    let harness = try JournalHarness()
    let journal = try harness.pages.services.journal.begun()
    var random = RandomJournal(seed: 3)
    try await random.fill(journal, eventCount: 5)
    let page = try await harness.text("/journal/export?format=jsonl&for=others")
    let fields = [
      ("format", "jsonl"), ("for", "others"),
      ("shown", try JournalHarness.hidden("shown", in: page)),
    ]
    #expect(try await harness.post("/journal/export", fields).status == 200)
    try await random.fill(journal, eventCount: 5)
    let reply = try await harness.post("/journal/export", fields)
    #expect(reply.status == 409 && reply.spooled == nil)
    let again = String(decoding: reply.bytes, as: UTF8.self)
    #expect(again.contains("Nothing has left"))
    #expect(try JournalHarness.hidden("shown", in: again) != fields[2].1)
  }

  @Test(arguments: [
    "format=pdf", "format=csv&for=everybody", "format=archive&for=others", "format=dwca&for=others",
    "format=dwca&for=others&licence=CC0-1.0", "format=dwca&for=others&creator=Ada&licence=mine",
  ])
  func whatCannotBeIsSaid(query: String) async throws {
    let harness = try JournalHarness()
    var random = RandomJournal(seed: 4)
    try await random.fill(try harness.pages.services.journal.begun(), eventCount: 3)
    let reply = try await harness.get("/journal/export?\(query)")
    #expect(reply.status == 400)
    #expect(String(decoding: reply.bytes, as: UTF8.self).contains("Nothing has left"))
    #expect(try await harness.get("/journal/export.json?\(query)").status == 400)
    let fields = try #require(Fields(parsing: query)).pairs.map { ($0.name, $0.value) }
    #expect(try await harness.post("/journal/export", fields).spooled == nil)
  }

  @Test func anArchiveNeedsAPassphraseOrAWord() async throws {
    let harness = try JournalHarness()
    var random = RandomJournal(seed: 5)
    try await random.fill(try harness.pages.services.journal.begun(), eventCount: 3)
    let page = try await harness.text("/journal/export?format=archive&for=myself")
    let fields = [
      ("format", "archive"), ("for", "myself"),
      ("shown", try JournalHarness.hidden("shown", in: page)),
    ]
    for wrong in [[], [("passphrase", "a b"), ("again", "a c")], [("again", "a")]] {
      let reply = try await harness.post("/journal/export", fields + wrong)
      #expect(reply.status == 400 && reply.spooled == nil)
    }
    let sealed = try await harness.post(
      "/journal/export", fields + [("passphrase", "a b"), ("again", "a b")])
    #expect(sealed.status == 200)
    #expect(!String(decoding: try sealed.allBytes, as: UTF8.self).contains("Tree 0"))
  }

  // MARK: - Reading files without the library

  private static func counts(_ value: Any?) -> [String: Int] {
    var counts: [String: Int] = [:]
    for line in value as? [[String: Any]] ?? [] {
      if let what = line["what"] as? String { counts[what] = line["count"] as? Int }
    }
    return counts
  }

  private static func saysWhatIsObscured(_ format: ExportFormat) -> Bool {
    [.json, .jsonl, .csv, .tsv, .geojson, .gpx, .kml].contains(format)
  }

  private static func read(
    _ bytes: [UInt8], _ format: ExportFormat, isExact: Bool
  ) throws -> Found? {
    let text = String(decoding: bytes, as: UTF8.self)
    var found = Found()
    func count(_ isObscured: Bool) {
      if isObscured { found.obscuredCount += 1 } else { found.exactCount += 1 }
    }
    func count(records: [[String: Any]]) {
      for record in records {
        found.itemCount += 1
        found.records[record["recordKind"] as? String ?? "", default: 0] += 1
        guard record["position"] != nil else { continue }
        count(!isExact && record["privacy"] as? String == "obscured")
      }
    }
    func parsed(_ text: Substring) throws -> Any {
      try JSONSerialization.jsonObject(with: Data(text.utf8))
    }
    switch format {
    case .json:
      let document = try parsed(text[...]) as? [String: Any]
      count(records: document?["records"] as? [[String: Any]] ?? [])
    case .jsonl:
      count(
        records: try text.split(separator: "\n").compactMap { try parsed($0) as? [String: Any] })
    case .csv, .tsv:
      let rows = cells(text, format == .csv ? "," : "\t")
      let header = rows.first ?? []
      let places = header.indices.filter { header[$0].hasSuffix("latitude") }
      #expect(places.count == 4)
      for row in rows.dropFirst() {
        found.itemCount += 1
        guard places.contains(where: { !row[$0].isEmpty }) else { continue }
        let mark = header.firstIndex(of: "data_generalizations")
        count(mark.map { !row[$0].isEmpty } ?? false)
      }
    case .geojson:
      let document = try parsed(text[...]) as? [String: Any]
      for feature in document?["features"] as? [[String: Any]] ?? [] {
        found.itemCount += 1
        guard feature["geometry"] is [String: Any] else { continue }
        let properties = feature["properties"] as? [String: Any]
        count(properties?["data_generalizations"] != nil)
      }
    case .gpx, .kml:
      let mark = format == .gpx ? "<wpt " : "<Placemark"
      for part in text.split(separator: mark, omittingEmptySubsequences: false).dropFirst() {
        found.itemCount += 1
        count(part.contains("data_generalizations"))
      }
    case .treetracker:
      for tree in try parsed(text[...]) as? [[String: Any]] ?? [] {
        found.itemCount += 1
        if tree["latitude"] != nil { count(false) }
      }
    case .umilog:
      let tables = try parsed(text[...]) as? [String: Any] ?? [:]
      for site in tables.values.flatMap({ $0 as? [[String: Any]] ?? [] }) {
        if site["latitude"] is NSNumber { count(false) }
      }
    case .subsurface:
      found.itemCount = text.split(separator: "<dive ", omittingEmptySubsequences: false).count - 1
      found.exactCount = text.split(separator: " gps=", omittingEmptySubsequences: false).count - 1
    case .uddf:
      found.itemCount = text.split(separator: "<dive ", omittingEmptySubsequences: false).count - 1
      found.exactCount =
        text.split(separator: "<latitude>", omittingEmptySubsequences: false).count - 1
    case .ebird, .inaturalist:
      let rows = cells(text, ",").dropFirst(format == .ebird ? 0 : 1)
      for row in rows {
        found.itemCount += 1
        if !row[format == .ebird ? 6 : 4].isEmpty { count(false) }
      }
    case .kmz, .dwca, .archive: return nil
    }
    return found
  }

  /// The cells of a table, quoted or not.
  private static func cells(_ text: String, _ delimiter: Character) -> [[String]] {
    var (rows, row, cell, isQuoted) = ([[String]](), [String](), "", false)
    var characters = Array(text.unicodeScalars.map(Character.init))[...]
    while let character = characters.popFirst() {
      switch character {
      case "\"" where isQuoted && characters.first == "\"":
        cell.append("\"")
        characters.removeFirst()
      case "\"" where delimiter == ",": isQuoted.toggle()
      case delimiter where !isQuoted:
        row.append(cell)
        cell = ""
      case "\n" where !isQuoted:
        rows.append(row + [cell])
        (row, cell) = ([], "")
      default: cell.append(character)
      }
    }
    return rows
  }
}
