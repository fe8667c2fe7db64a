import Foundation
import STOLAnswers
import STOLData
import STOLMatch
import STOLPack
import STOLSearch
import TestSupport
import Testing

@testable import STOLServer

/// Matching over a few cats, an oak and what would be markup if it were more than a name.
@Suite("Matching names")
struct MatchTests {
  private let folder: TemporaryFolder
  private let path: String
  private let pages: Pages

  init() throws {
    folder = try TemporaryFolder()
    let hostile = """
      INSERT INTO taxa VALUES
        (30, 5, 'species', 'Panthera <b>onca</b>', '<i>"L."</i>', NULL, 'accepted', NULL),
        (31, 9, 'genus', 'Prunella', 'Vieillot', 1816, 'accepted', NULL),
        (32, 11, 'genus', 'Prunella', 'L.', 1753, 'accepted', NULL);
      """
    path = try Taxonomy.compile(Taxonomy.cats + hostile, in: folder)
    var options = Explorer.Options(
      directory: DataDirectory(override: folder.path + "/home"), version: "stol 0")
    options.packPath = path
    pages = Pages(services: try Services(options), token: "secret")
  }

  // MARK: - Asking

  private func get(_ target: String, _ fields: KeyValuePairs<String, String?>) async throws -> Reply
  {
    let route = try #require(Address(path: target)).route
    let address = Address(route, .page, fields)
    return await pages.reply(to: Visit(address: address, form: nil, language: "en"))
  }

  private func post(
    _ target: String, _ form: Fields = Fields(), _ file: SentFile? = nil,
    query: KeyValuePairs<String, String?> = [:]
  ) async throws -> Reply {
    let route = try #require(Address(path: target)).route
    return await pages.reply(
      to: Visit(
        address: Address(route, .page, query), form: form, files: file.map { [$0] } ?? [],
        language: "en"))
  }

  private func fields(_ pairs: KeyValuePairs<String, String>) -> Fields {
    var fields = Fields()
    for (name, value) in pairs { fields.append(name, value) }
    return fields
  }

  private func results(_ reply: Reply) throws -> [[String: Any]] {
    #expect(reply.status == 200, "\(String(decoding: reply.bytes, as: UTF8.self))")
    #expect(reply.contentType == Reply.jsonType)
    let object = try JSONSerialization.jsonObject(with: Data(reply.bytes)) as? [String: Any]
    #expect(object?["apiVersion"] as? Int == 2)
    return try #require(object?["results"] as? [[String: Any]])
  }

  private func text(_ reply: Reply) -> String { String(decoding: reply.bytes, as: UTF8.self) }

  /// Names of the pack with authors, misspelt, with qualifiers, cut short and mixed up.
  private func someNames(_ count: Int) -> [String] {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let known = [
      "Panthera leo", "Panthera tigris", "Felis leo", "Canis lupus", "Quercus robur", "Panthera",
      "Felidae", "Prunella", "Influenza A virus", "lion", "Panthera <b>onca</b>",
    ]
    let ends = [
      "", "", " (Linnaeus, 1758)", " L.", " Smith, 1999", " cf.", " sp.", ", 1758", " (L.", " ?",
      " subsp. persica", " var. x Mill.", "\u{A0}L.", " \"quoted\"",
    ]
    return (0..<count).map { _ in
      var name = known.randomElement(using: &generator) ?? ""
      for _ in 0..<Int.random(in: 0...2, using: &generator) where !name.isEmpty {
        let place = name.index(
          name.startIndex, offsetBy: Int.random(in: 0..<name.count, using: &generator))
        switch Int.random(in: 0...3, using: &generator) {
        case 0: name.remove(at: place)
        case 1: name.insert(contentsOf: "e", at: place)
        case 2: name.replaceSubrange(place...place, with: "a")
        default: name = name.uppercased()
        }
      }
      return name + (ends.randomElement(using: &generator) ?? "")
    }
  }

  // MARK: - For programs

  /// The library is asked for each name alone, the explorer for all at once and for each.
  @Test func theExplorerSaysWhatTheLibrarySays() async throws {
    let names = someNames(400)
    let service = LocalMatchService(provider: try SinglePackProvider(path: path))
    let body = try JSONSerialization.data(withJSONObject: names)
    let together = try results(
      try await post(
        "/api/match", Fields(), SentFile(contentType: "application/json", bytes: Array(body))))
    #expect(together.count == names.count)
    var seen: Set<String> = []
    for (name, found) in zip(names, together) {
      let known = try await service.match(MatchQuery(name))
      seen.insert(known.status.rawValue)
      #expect(found["input"] as? String == name)
      #expect(found["status"] as? String == known.status.rawValue, "\(name)")
      #expect(found["reason"] as? String == known.reason, "\(name)")
      #expect(found["acceptedName"] as? String == known.taxon?.scientificName, "\(name)")
      #expect((found["taxonID"] as? Int).map(String.init) == known.taxon?.sourceID, "\(name)")
      #expect(found["matchedName"] as? String == known.matchedName, "\(name)")
      #expect(found["score"] as? Int == (known.taxon == nil ? nil : known.score), "\(name)")
      #expect(found["edits"] as? Int == (known.taxon == nil ? nil : known.edits), "\(name)")
      let candidates = try #require(found["candidates"] as? [[String: Any]])
      #expect(candidates.map { $0["matchedName"] as? String } == known.candidates.map(\.name))
      #expect(
        candidates.map { ($0["taxonID"] as? Int).map(String.init) }
          == known.candidates.map(\.sourceID), "\(name)")
      let alone = try results(try await get("/api/match", ["name": name]))
      #expect(alone.count == 1)
      #expect(alone[0] as NSDictionary == found as NSDictionary, "\(name)")
    }
    #expect(seen.isSuperset(of: ["exact", "synonym", "fuzzy", "partial", "not_found"]))
  }

  @Test func everyFormOfAListIsAnsweredAlike() async throws {
    let names = someNames(60).filter { !$0.contains("\"") && !$0.isEmpty }
    let json = try JSONSerialization.data(withJSONObject: names)
    let lines = names.joined(separator: "\n")
    let table = "scientificName\tnote\n" + names.map { "\($0)\tx\n" }.joined()
    var form = Fields()
    for name in names { form.append("name", name) }
    let expected = try results(try await post("/api/match", form))
    for (type, body) in [
      ("application/json", Array(json)), ("text/plain", Array(lines.utf8)),
      ("text/tab-separated-values", Array(table.utf8)),
    ] {
      let found = try results(
        try await post("/api/match", Fields(), SentFile(contentType: type, bytes: body)))
      #expect(found as NSArray == expected as NSArray, "\(type)")
    }
  }

  @Test func hintsAndSettingsCount() async throws {
    func status(_ fields: KeyValuePairs<String, String?>) async throws -> String? {
      try results(try await get("/api/match", fields)).first?["status"] as? String
    }
    #expect(try await status(["name": "Prunella"]) == "ambiguous")
    let animal = try results(
      try await get("/api/match", ["name": "Prunella", "kingdom": "Metazoa"]))
    #expect(animal[0]["taxonID"] as? Int == 31)
    let plant = try results(try await get("/api/match", ["name": "Prunella", "authorship": "L."]))
    #expect(plant[0]["taxonID"] as? Int == 32)
    let object =
      #"[{"name": "Prunella", "kingdom": "Metazoa"}, {"name": "Prunella", "authorship": "L."}]"#
    let both = try results(
      try await post(
        "/api/match", Fields(),
        SentFile(contentType: "application/json", bytes: Array(object.utf8))))
    #expect(both.map { $0["taxonID"] as? Int } == [31, 32])
    #expect(try await status(["name": "Panthera lea"]) == "fuzzy")
    #expect(try await status(["name": "Panthera lea", "minScore": "100"]) != "fuzzy")
    #expect(try await status(["name": "Panthera lea", "exact": "yes"]) != "fuzzy")
    #expect(try await status(["name": "Panthera sp. x"]) == "partial")
    #expect(try await status(["name": "Panthera zzzzzz", "noHigher": "yes"]) == "not_found")
    let ranks = try results(
      try await get("/api/match", ["name": "Panthera leo", "ranks": "family,order"]))[0]["ranks"]
    #expect(ranks as? [String: String] == ["family": "Felidae", "order": "Carnivora"])
  }

  @Test func whatCannotBeReadIsRefusedInJSON() async throws {
    func refused(_ reply: Reply, _ status: Int, _ word: String) throws {
      #expect(reply.status == status, "\(text(reply))")
      #expect(reply.contentType == Reply.jsonType)
      let object = try JSONSerialization.jsonObject(with: Data(reply.bytes)) as? [String: Any]
      #expect(object?["error"] is String)
      #expect((object?["detail"] as? String)?.contains(word) == true, "\(object ?? [:])")
    }
    try refused(try await get("/api/match", [:]), 400, "name")
    for (name, value) in [
      ("minScore", "101"), ("minScore", "x"), ("ocr", "no"), ("format", "xml"), ("ranks", "zork"),
    ] {
      try refused(try await get("/api/match", ["name": "Panthera", name: value]), 400, value)
    }
    for (json, word) in [
      ("{", "JSON"), ("{}", "array"), ("[1]", "element 0"), ("[\"a\", {}]", "element 1"),
      ("[{\"name\": \"a\", \"familia\": \"b\"}]", "familia"),
      ("[{\"name\": \"a\", \"family\": 1}]", "family"),
    ] {
      try refused(
        try await post(
          "/api/match", Fields(),
          SentFile(contentType: "application/json", bytes: Array(json.utf8))), 400, word)
    }
    for (table, word) in [
      ("a,b\n1,2\n", "nameColumn"), ("\u{1F}\u{8B}", ""), ("name\0x\n", "zeros"),
      ("PK\u{3}\u{4}", "archive"),
    ] where !word.isEmpty {
      try refused(
        try await post(
          "/api/match", Fields(), SentFile(contentType: "text/csv", bytes: Array(table.utf8))),
        400, word)
    }
    try refused(
      try await post(
        "/api/match", Fields(),
        SentFile(contentType: "text/csv", bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])), 400, "compressed"
    )
    try refused(
      try await post(
        "/api/match", Fields(), SentFile(contentType: "text/csv", bytes: Array("name,x\n".utf8)),
        query: ["nameColumn": "nmae"]), 400, "did you mean")
    try refused(
      try await post(
        "/api/match", Fields(), SentFile(contentType: "text/csv", bytes: Array("name,x\n".utf8)),
        query: ["format": "table", "add": "zork"]), 400, "zork")
  }

  @Test func whatNothingAsksForIsRefusedWithASuggestion() async throws {
    for (name, meant) in [
      ("minscore", "minScore"), ("familiy", "family"), ("nohigher", "noHigher"), ("zork", ""),
    ] {
      for reply in [
        try await get("/api/match", ["name": "Panthera", name: "yes"]),
        try await post("/api/match", fields(["name": "Panthera", name: "yes"])),
      ] {
        #expect(reply.status == 400, "\(name)")
        #expect(text(reply).contains("nothing is called"))
        #expect(text(reply).contains("did you mean") == !meant.isEmpty)
        #expect(meant.isEmpty || text(reply).contains(meant))
      }
    }
    let reply = try await get("/api/match", ["name": "Panthera", "format": "gbiff"])
    #expect(reply.status == 400 && text(reply).contains("did you mean 'gbif'?"))
  }

  @Test func fieldsOfOtherServices() async throws {
    let one = try results(
      try await get("/api/match", ["name": "Felis leo L.", "format": "gbif"]))
    #expect(one.count == 1)
    #expect(Set(one[0].keys) == Set(MatchColumn.gbifColumns.map(\.name)))
    #expect(one[0]["matchType"] as? String == "EXACT")
    #expect(one[0]["family"] as? String == "Felidae")
    let gn = try results(try await get("/api/match", ["name": "Panthera lea", "format": "gn"]))
    #expect(Set(gn[0].keys) == Set(MatchColumn.gnColumns.map(\.name)))
    #expect(gn[0]["MatchType"] as? String == "Fuzzy")
    #expect(gn[0]["MatchedCanonical"] as? String == "Panthera leo")
    for service in MatchService.allCases {
      let reply = try await post(
        "/api/match", Fields(),
        SentFile(
          contentType: "text/csv", bytes: Array("name,x\nPanthera leo,1\n".utf8)),
        query: ["format": service.rawValue])
      let header = service.columns.map(\.name).joined(separator: ",")
      #expect(reply.status == 200 && reply.contentType.hasPrefix("text/csv"))
      #expect(text(reply).hasPrefix("name,x,\(header)\nPanthera leo,1,"))
    }
    let both = try await get("/api/match", ["name": "Panthera", "format": "gn", "add": "status"])
    #expect(both.status == 400 && text(both).contains("no add"))
  }

  @Test func moreThanTheLimitsIsRefused() async throws {
    let most = MatchSettings.greatestRowCount
    let lines = String(repeating: "Panthera leo\n", count: most)
    let plain = SentFile(contentType: "text/plain", bytes: Array(lines.utf8))
    #expect(try results(try await post("/api/match", Fields(), plain)).count == most)
    let more = Array((lines + "x").utf8)
    for file in [
      SentFile(contentType: "text/plain", bytes: more),
      SentFile(contentType: "text/csv", bytes: Array("name,x\n".utf8) + more),
      SentFile(
        contentType: "application/json",
        bytes: Array(("[" + String(repeating: "\"a\",", count: most) + "\"a\"]").utf8)),
      SentFile(
        contentType: "text/plain",
        bytes: [UInt8](repeating: 0x61, count: MatchSettings.greatestByteCount + 1)),
      SentFile(
        contentType: "application/json",
        bytes: [UInt8](repeating: 0x20, count: MatchSettings.greatestByteCount + 1)),
    ] {
      let reply = try await post("/api/match", Fields(), file)
      #expect(reply.status == 413, "\(file.contentType)")
      #expect(text(reply).contains("5,000 rows"))
      let page = try await post("/match", Fields(), file)
      #expect(
        page.status == (file.contentType == "application/json" && file.bytes[0] == 0x5B ? 400 : 413)
      )
    }
    // A name that is too long is one row that cannot be asked.
    let long = try results(
      try await post("/api/match", fields(["name": String(repeating: "a", count: 600)])))
    #expect(long[0]["status"] as? String == "invalid")
  }

  // MARK: - The page

  private let table =
    "id,scientificName,note\n1,Panthera lexx,a\n2,Panthera leo,\"b, c\"\n3,Panthera lexx,d\n4,Prunella,e\n"

  @Test func aTableIsAnsweredRowByRow() async throws {
    let page = text(try await post("/match", fields(["text": table])))
    #expect(page.contains("Matched names"))
    #expect(page.contains("Four rows.") || page.contains("4 rows."))
    let space = pages.snapshot.pack.view.addressSpace
    #expect(page.contains("href=\"/taxon/\(space):6\""))
    #expect(page.components(separatedBy: "<select").count == 3, "one for each name, not each row")
    #expect(page.contains("as in row 1"))
    #expect(page.contains("name=\"decision-0\"") && page.contains("name=\"decision-3\""))
    #expect(!page.contains("name=\"decision-2\""))
    let asked = text(try await get("/match", ["text": table]))
    #expect(asked.contains("as in row 1"))
    #expect(
      asked.replacing(Data(table.utf8).base64EncodedString(), with: "").contains(
        "rel=\"alternate\"") == false)
  }

  @Test func aDecisionCountsForAllRowsOfAName() async throws {
    var form = fields(["text": table, "add": "status,taxonID,reason"])
    form.append("decision-0", "7")
    form.append("decision-3", "none")
    let page = text(try await post("/match", form))
    #expect(page.components(separatedBy: ">decided<").count == 3)
    #expect(page.contains("decided: none"))
    #expect(page.contains("<option value=\"7\" selected=\"\">"))
    form.append("action", "download")
    let file = try await post("/match", form)
    #expect(file.contentType == "text/csv; charset=utf-8")
    #expect(
      file.fields.contains { $0.name == "content-disposition" && $0.value.contains("matched.csv") })
    #expect(
      text(file)
        == "id,scientificName,note,status,taxonID,reason\n1,Panthera lexx,a,exact,7,decided\n"
        + "2,Panthera leo,\"b, c\",exact,6,name\n3,Panthera lexx,d,exact,7,decided\n"
        + "4,Prunella,e,not_found,,decided: none\n")
    form.set("action", "review")
    let review = text(try await post("/match", form)).split(separator: "\n")
    #expect(review.map { $0.split(separator: ",").first } == ["name", "Panthera lexx", "Prunella"])
    #expect(review[1].hasSuffix(",7") && review[2].hasSuffix(",none"))
    form.set("action", "explode")
    #expect(try await post("/match", form).status == 400)
  }

  @Test func theTableTravelsWithThePageByteForByte() async throws {
    let bytes: [UInt8] =
      [0xEF, 0xBB, 0xBF] + Array("scientificName;x\r\nPanthera leo;".utf8) + [0xFF, 0x0D, 0x0A]
    let page = text(try await post("/match", Fields(), SentFile(name: "a.csv", bytes: bytes)))
    let start = try #require(page.range(of: "name=\"table\" value=\"")).upperBound
    let state = String(page[start...].prefix { $0 != "\"" })
    let file = try await post(
      "/match",
      fields(["table": state, "fileName": "a.csv", "add": "status", "action": "download"]))
    #expect(
      file.bytes == [0xEF, 0xBB, 0xBF] + Array("scientificName;x;status\r\nPanthera leo;".utf8) + [
        0xFF
      ]
        + Array(";exact\r\n".utf8))
    #expect(try await post("/match", fields(["table": "***"])).status == 400)
  }

  @Test func aColumnCanBeChosenWhereNoneIsKnown() async throws {
    let reply = try await post("/match", fields(["text": "a,b<c\nPanthera leo,1\n"]))
    #expect(reply.status == 400)
    let page = text(reply)
    #expect(page.contains("Which column has the names?"))
    #expect(page.contains("<option value=\"b&lt;c\">"))
    let chosen = text(
      try await post("/match", fields(["text": "a,b<c\nPanthera leo,1\n", "nameColumn": "a"])))
    #expect(chosen.contains("Matched names"))
  }

  @Test func nothingToMatchIsSaid() async throws {
    #expect(try await get("/match", [:]).status == 200)
    #expect(try await get("/match", ["text": " \n"]).status == 200)
    #expect(try await post("/match", fields(["text": " \r\n "])).status == 400)
    #expect(try await post("/match", fields(["text": "Panthera", "minScore": "x"])).status == 400)
    #expect(text(try await post("/match", fields(["text": "name,x\n"]))).contains("0 rows"))
  }

  @Test func namesAreTextEverywhere() async throws {
    let name = "<script>alert(1)</script>"
    let input =
      "scientificName,x\n\(name),1\nPanthera <b>onca</b>,2\nPanthera onca,3\n\"\"\" onfocus=\"\"x\",4\n"
    for reply in [
      try await post("/match", fields(["text": input, "decision-0": "\"><img src=x>"])),
      try await post("/match", fields(["text": input, "add": "\"><img src=x>"])),
      try await post("/match", fields(["text": "a\(name),b\n1,2\n"])),
      try await post(
        "/match", Fields(), SentFile(name: "\"><img src=x>", bytes: Array(input.utf8))),
      try await get("/match", ["text": input]),
    ] {
      let page = text(reply)
      #expect(!page.contains("<script>alert"))
      #expect(!page.contains("<img src=x"))
      #expect(!page.contains("<b>onca"))
      #expect(page.contains("&lt;"))
    }
    let json = text(try await get("/api/match", ["name": name]))
    #expect(json.contains("\"input\":\"<script>alert(1)</script>\""))
  }
}
