import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLServer

/// Pages over a small database in a folder of their own.
@Suite("Pages")
struct PagesTests {
  private let folder: TemporaryFolder
  private let pages: Pages

  init() throws {
    folder = try TemporaryFolder()
    var rows = Rows()
    let life = rows.add("Biota", "domain", "life")
    let animals = rows.add("Animalia", "kingdom", below: life, "animals")
    let cats = rows.add("Felidae", "family", below: animals, "cats")
    for number in 1...150 {
      rows.add("Felis number\(number)", "species", below: cats, number == 1 ? "lion" : nil)
    }
    rows.add("<script>alert(1)</script>", "species", below: cats, "\"><img src=x onerror=alert(1)>")
    let oaks = rows.add("Fagaceae", "family", below: life, "oaks")
    rows.add("Quercus robur", "species", below: oaks, "oak")
    let path = folder.path + "/small.stolpack"
    try rows.write(to: path)
    var options = Explorer.Options(
      directory: DataDirectory(override: folder.path + "/home"), version: "stol 0")
    options.packPath = path
    pages = Pages(services: try Services(options), token: "secret")
  }

  private func get(_ target: String) async throws -> Reply {
    let parts = target.split(separator: "?", maxSplits: 1)
    let query = try #require(Fields(parsing: parts.dropFirst().first ?? ""))
    let address = try #require(Address(path: String(parts[0]), query: query), "\(target)")
    let reply = await pages.reply(to: Visit(address: address, form: nil, language: "en"))
    guard reply.status == 302 else { return reply }
    // The short form of an address of a taxon, once.
    let place = try #require(reply.fields.first { $0.0 == "location" }?.1)
    let space = place.hasPrefix("/compare") ? "unstated-\(mark)%3A" : "/unstated-\(mark):"
    #expect(place.contains(space), "\(place)")
    return try await get(place)
  }

  /// What tells the database from any other.
  private var mark: String { pages.snapshot.pack.view.sourceMark }

  private func text(_ target: String) async throws -> String {
    String(decoding: try await get(target).bytes, as: UTF8.self)
  }

  private func json(_ target: String) async throws -> [String: Any] {
    let reply = try await get(target)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(reply.bytes)) as? [String: Any], "\(target)")
  }

  private func post(_ target: String, _ fields: String) async throws -> Reply {
    let address = try #require(Address(path: target))
    return await pages.reply(
      to: Visit(address: address, form: Fields(parsing: fields), language: "en"))
  }

  @Test func everyRouteAnswersInEveryFormThatItHas() async throws {
    let routes =
      Route.fixed + [.tree(3), .icicle(3), .taxon(4), .taxon(3), .lineage(4)]
    for route in routes where route.forms.contains(.page) {
      // Without a name there is nothing to answer to a program.
      let queries: [Route: String] = [
        .matchNames: "?name=lion", .ancestor: "?taxon=lion", .subtree: "?taxon=lion",
      ]
      let query = queries[route] ?? ""
      let reply = try await get(Address(route).path + query)
      #expect([200, 303].contains(reply.status), "\(route.path): \(reply.status)")
      guard reply.contentType.hasPrefix("text/html") else { continue }
      let page = String(decoding: reply.bytes, as: UTF8.self)
      #expect(page.hasPrefix("<!doctype html>"))
      guard route.forms.contains(.json), route != .compare else { continue }
      #expect(page.contains("rel=\"alternate\""), "\(route.path)")
      let twin = try await json(Address(route, .json).path)
      #expect(twin["apiVersion"] as? Int == 2, "\(route.path)")
    }
  }

  /// A bookmark says what its number is a number of, and leads nowhere else.
  @Test func addressesAreOfOneDatabase() async throws {
    let short = try #require(
      Address(path: "/taxon/4", query: Fields(parsing: "lang=de") ?? Fields()))
    let reply = await pages.reply(to: Visit(address: short, form: nil, language: "en"))
    #expect(reply.status == 302)
    #expect(reply.fields.first { $0.0 == "location" }?.1 == "/taxon/unstated-\(mark):4?lang=de")
    #expect(try await get("/taxon/unstated-\(mark):4").status == 200)
    for space in ["unstated", "unstated-ffffffff"] {
      let foreign = try await get("/taxon/\(space):4")
      #expect(foreign.status == 404)
      #expect(String(decoding: foreign.bytes, as: UTF8.self).contains("Of another database"))
    }
    let other = try await get("/taxon/ncbi:4")
    #expect(other.status == 404)
    #expect(String(decoding: other.bytes, as: UTF8.self).contains("Of another database"))
    for target in ["/tree/ncbi:4", "/icicle/ncbi:4.svg", "/taxon/ncbi:4/lineage.json"] {
      #expect(try await get(target).status == 404, "\(target)")
    }
    #expect(try await json("/taxon/unstated-\(mark):4.json")["error"] == nil)
  }

  @Test func theInterfaceIsDescribedAsItIs() async throws {
    let description = try await json("/openapi.json")
    let paths = try #require(description["paths"] as? [String: [String: Any]])
    for path in paths.keys {
      let concrete = path.replacingOccurrences(of: "{id}", with: "4")
      let address = try #require(Address(path: concrete), "\(path)")
      guard paths[path]?["get"] != nil, address.route != .image(4) else { continue }
      let queries: [Route: String] = [
        .compare: "?taxon=lion&taxon=oak", .matchNames: "?name=Felis+number1&name=Felis+numbre1",
        .ancestor: "?taxon=lion&taxon=oak", .subtree: "?taxon=Felidae",
      ]
      let query = queries[address.route] ?? ""
      let reply = try await get(concrete + query)
      #expect(reply.status == 200, "\(path)")
      guard let schema = try answerSchema(of: paths[path]) else { continue }
      let answer = try JSONSerialization.jsonObject(with: Data(reply.bytes))
      checkShape(answer, schema, description, path)
    }
    // And the other way round: whatever has a twin is in it.
    let described = Set(paths.keys)
    let routes =
      Route.fixed + [.tree(4), .icicle(4), .taxon(4), .lineage(4), .relatives(4), .drawing(4)]
      + [.pictures(4)]
    for route in routes {
      for form in route.forms where form != .page {
        let path = Address(route, form).path
        let general = path.replacingOccurrences(of: "/4", with: "/{id}")
        #expect(described.contains(general), "\(general)")
      }
    }
    for route in Route.fixed where route.isForPrograms {
      #expect(described.contains(route.path), "\(route.path)")
    }
  }

  @Test func anyNumberOfTaxaHasOneAncestor() async throws {
    func lca(_ query: String) async throws -> Int? {
      (try await json("/api/lca?\(query)")["lca"] as? [String: Any])?["id"] as? Int
    }
    let taxa = (try await json("/api/subtree?taxon=Felidae")["ids"] as? [Int]) ?? []
    #expect(taxa.count > 8)
    #expect(
      try await lca(taxa.dropFirst().prefix(60).map { "taxon=\($0)" }.joined(separator: "&"))
        == taxa[0])
    #expect(try await lca("taxon=lion") == 4)
    for query in ["", "?taxon=", "?taxon=lion&taxon=nonsense", "?taxon=ncbi:4"] {
      #expect([400, 404].contains(try await get("/api/lca" + query).status), "\(query)")
    }
  }

  @Test func aSubtreeIsListedAndWritten() async throws {
    let tree = try await json("/api/subtree?taxon=Felidae")
    let ids = try #require(tree["ids"] as? [Int])
    let parents = try #require(tree["parents"] as? [Any])
    #expect((tree["taxon"] as? [String: Any])?["id"] as? Int == ids[0])
    #expect(parents.count == ids.count)
    #expect(parents[0] is NSNull)
    for (row, parent) in parents.enumerated().dropFirst() {
      #expect((parent as? Int).map { (0..<row).contains($0) } == true)
    }
    let newick = try await text("/api/subtree?taxon=Felidae&format=newick&labels=id")
    #expect(newick.hasSuffix(")\(ids[0]);\n"))
    #expect(newick.filter { $0 == "(" }.count == Set(parents.compactMap { $0 as? Int }).count)
    #expect(try await text("/api/subtree?taxon=lion&format=newick") == "'Felis number1';\n")
    for query in ["", "?taxon=nonsense", "?taxon=lion&format=nexus", "?taxon=lion&labels=colour"] {
      #expect([400, 404].contains(try await get("/api/subtree" + query).status), "\(query)")
    }
    for (path, field) in [
      ("/api/lca?taxon=lion&taxa=tiger", "taxa"), ("/api/lca?taxon=lion&format=newick", "format"),
      ("/api/subtree?taxon=lion&fromat=newick", "fromat"),
    ] {
      let reply = try await get(path)
      #expect(reply.status == 400, "\(path)")
      #expect(String(decoding: reply.bytes, as: UTF8.self).contains(field), "\(path)")
    }
    #expect(try await get("/api/subtree?taxon=lion&lang=fr").status == 200)
  }

  @Test func severalTaxaHaveTheTreeThatConnectsThem() async throws {
    let below = try await json("/api/subtree?taxon=Felidae")
    let ids = try #require(below["ids"] as? [Int])
    let places = try #require(below["parents"] as? [Any]).map { $0 as? Int }
    func lineage(_ place: Int) -> [Int] {
      (places[place].map(lineage) ?? []) + [ids[place]]
    }
    for taxa in [[1, ids.count - 1], [ids.count - 1, 2, 1], [0, 3], [5, 5]] {
      let query = "/api/subtree?" + taxa.map { "taxon=\(ids[$0])" }.joined(separator: "&")
      // All that two of them have in common last, and they themselves.
      var expected = Set(taxa.map { ids[$0] })
      for a in taxa {
        for b in taxa {
          let shared = zip(lineage(a), lineage(b)).prefix { $0 == $1 }
          expected.insert(try #require(shared.map { $0.0 }.last))
        }
      }
      let tree = try await json(query)
      let found = try #require(tree["ids"] as? [Int])
      #expect(found == ids.filter(expected.contains), "\(query)")
      #expect(tree["taxon"] is NSNull)
      #expect((tree["taxa"] as? [[String: Any]])?.map { $0["id"] as? Int } == taxa.map { ids[$0] })
      let parents = try #require(tree["parents"] as? [Any]).map { $0 as? Int }
      for (row, taxon) in found.enumerated() {
        let above = lineage(try #require(ids.firstIndex(of: taxon))).dropLast()
        #expect(parents[row].map { found[$0] } == above.last(where: expected.contains), "\(query)")
      }
      let newick = try await text(query + "&format=newick&labels=id")
      let labels = newick.split { "(),;\n".contains($0) }.compactMap { Int($0) }
      #expect(Set(labels) == expected && labels.count == expected.count, "\(newick)")
      #expect(newick.hasSuffix("\(found[0]);\n"))
    }
    let twice = "/api/subtree?taxon=lion&taxon=lion&format=newick"
    #expect(try await text(twice) == "'Felis number1';\n")
    for query in ["?taxon=lion&taxon=nonsense", "?taxon=lion&taxon=ncbi:4"] {
      #expect(try await get("/api/subtree" + query).status == 404, "\(query)")
    }
  }

  @Test func aSearchTakesADistanceAndCompletionsAFilter() async throws {
    func count(_ target: String) async throws -> Int? {
      (try await json(target)["results"] as? [Any])?.count
    }
    #expect(try await count("/search.json?q=lioon&mode=fuzzy&maxDistance=0") == 0)
    #expect(try await count("/search.json?q=lioon&mode=fuzzy&maxDistance=1") == 1)
    let all = try #require(
      try await json("/complete.json?q=fel&limit=20")["results"] as? [[String: Any]])
    #expect(all.contains { $0["rank"] as? String == "species" })
    let families = try #require(
      try await json("/complete.json?q=fel&limit=20&rank=family")["results"] as? [[String: Any]])
    #expect(!families.isEmpty && families.allSatisfy { $0["rank"] as? String == "family" })
    #expect(try await get("/complete.json?q=fel&rank=nonsense").status == 400)
  }

  @Test(arguments: [
    "mode=exct", "limit=0", "limit=-1", "limit=101", "limit=abc", "maxDistance=4", "maxDistance=x",
  ])
  func aProgramIsToldOfWhatASearchDoesNotTake(field: String) async throws {
    #expect(try await get("/search.json?q=lion&\(field)").status == 400)
    #expect(try await get("/search?q=lion&\(field)").status == 200)
  }

  /// The schema of the JSON that a path answers, or nil where it answers something else.
  private func answerSchema(of path: [String: Any]?) throws -> [String: Any]? {
    let responses = (path?["get"] as? [String: Any])?["responses"] as? [String: Any]
    let content = (responses?["200"] as? [String: Any])?["content"] as? [String: Any]
    return (content?["application/json"] as? [String: Any])?["schema"] as? [String: Any]
  }

  /// Whether an answer has the members that are documented, all of them and no others.
  private func checkShape(
    _ value: Any, _ schema: [String: Any], _ description: [String: Any], _ place: String
  ) {
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init) {
      let schemas = (description["components"] as? [String: Any])?["schemas"] as? [String: Any]
      let named = schemas?[name] as? [String: Any]
      #expect(named != nil, "\(name)")
      checkShape(value, named ?? [:], description, "\(place) \(name)")
    } else if let choices = schema["anyOf"] as? [[String: Any]] {
      if !(value is NSNull) { checkShape(value, choices[0], description, place) }
    } else if let members = schema["properties"] as? [String: [String: Any]] {
      let object = value as? [String: Any] ?? [:]
      let required = Set(schema["required"] as? [String] ?? [])
      #expect(required.isSubset(of: object.keys), "\(place)")
      #expect(Set(object.keys).isSubset(of: members.keys), "\(place)")
      for (name, member) in object {
        checkShape(member, members[name] ?? [:], description, "\(place).\(name)")
      }
    } else if let items = schema["items"] as? [String: Any] {
      #expect(value is [Any], "\(place)")
      for item in value as? [Any] ?? [] { checkShape(item, items, description, place + "[]") }
    } else {
      let types = schema["type"] as? [String] ?? [schema["type"] as? String ?? "object"]
      let type =
        switch value {
        case is NSNull: "null"
        case is String: "string"
        case is [String: Any]: "object"
        default: "number"
        }
      let numbers: Set = ["integer", "number", "boolean"]
      #expect(
        types.contains(type) || type == "number" && !numbers.isDisjoint(with: types),
        "\(place): \(type)")
    }
  }

  @Test func aMisspeltNameIsFoundAndMarked() async throws {
    let page = try await text("/search?q=lioon")
    #expect(page.contains("<mark>"))
    #expect(page.contains("/taxon/unstated-\(mark):4"))
    let hits = try #require(try await json("/search.json?q=lioon")["results"] as? [[String: Any]])
    #expect(hits.first?["id"] as? Int == 4)
    #expect(hits.first?["distance"] as? Int == 1)
  }

  /// The page answers as the command does: it says what became of the text.
  @Test func aSearchSaysWhatBecameOfTheText() async throws {
    for (text, status, name) in [
      ("lion", "common", "Felis number1"), ("Felidae", "exact", "Felidae"),
      ("Felidae+sp.", "partial", "Felidae"), ("FELIDAE+SP.", "partial", "Felidae"),
      ("4", "exact", "Felis number1"), ("unstated-\(mark):4", "exact", "Felis number1"),
      ("quercus", "partial", "Quercus robur"), ("lioon", "fuzzy", "Felis number1"),
      ("NA", "not_found", nil), ("", "invalid", nil),
    ] as [(String, String, String?)] {
      let found = try await json("/search.json?q=\(text)")
      let hits = try #require(found["results"] as? [[String: Any]])
      #expect(found["status"] as? String == status, "\(text)")
      #expect(hits.first?["scientificName"] as? String == name, "\(text)")
      #expect((found["candidates"] as? [Any])?.isEmpty == true, "\(text)")
    }
    #expect(try await text("/search?q=Felidae+sp.").contains("matches in part: family Felidae"))
    #expect(try await text("/search?q=quercus").contains("these have a part of it"))
    #expect(try await text("/search?q=lioon").contains("these names are spelled alike"))
  }

  @Test func emptyAndFruitlessSearchesSayWhatToDo() async throws {
    #expect(try await text("/search").contains("Type a name"))
    #expect(try await text("/search?q=zzzzzzzzzz").contains("Nothing found"))
    #expect(try await get("/search?q=lion&rank=nonsense").status == 400)
    #expect(try await get("/search?q=" + String(repeating: "a", count: 600)).status == 400)
  }

  @Test func aCladeIsWhatTheCommandTakesForOne() async throws {
    for page in ["/search.json", "/complete.json"] {
      for (clade, count) in [
        ("3", 1), ("unstated-\(mark):3", 1), ("Felidae", 1), ("cats", 1), ("Quercus+robur", 0),
        ("Fagaceae", 0),
      ] {
        let found = try await json("\(page)?q=lion&within=\(clade)")
        #expect((found["results"] as? [Any])?.count == count, "\(page) \(clade)")
      }
      for clade in ["9999", "unstated-ffffffff:3", "ncbi:3", "Felid", "Felis+sp.", "nonsense"] {
        let reply = try await get("\(page)?q=lion&within=\(clade)")
        #expect(reply.status == 400, "\(page) \(clade)")
        #expect(String(decoding: reply.bytes, as: UTF8.self).contains("no taxon"), "\(clade)")
      }
    }
    // The form sends again what was asked for, and the tree only what is below its own taxon.
    let field = "name=\"within\" value=\"cats\""
    #expect(try await text("/search?q=lion&within=cats").contains(field))
    #expect(try await !text("/tree/3?within=cats&rank=species").contains("name=\"within\""))
    let below = try await json("/tree/3.json?within=Fagaceae&rank=species")
    #expect(below["childCount"] as? Int == 151)
  }

  @Test func aCladeMayHaveAnIDThatIsAText() async throws {
    let rows = """
      INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name) VALUES
        (5255986671275305897, 'x4', NULL, 'kingdom', 'Plantae'),
        (1, '1', NULL, 'kingdom', 'Animalia'),
        (6506926741143480773, 'urn:a', 5255986671275305897, 'genus', 'Prunella'),
        (8026504480663138727, 'b', 1, 'genus', 'Prunella'),
        (8026503381151510512, 'c', 6506926741143480773, 'species', 'Prunella vulgaris');
      """
    var options = Explorer.Options(
      directory: DataDirectory(override: folder.path + "/texts"), version: "stol 0")
    options.packPath = try Taxonomy.compile(rows, tables: Taxonomy.recordTables, in: folder)
    let others = Pages(services: try Services(options), token: "secret")
    let mark = others.snapshot.pack.view.sourceMark
    func found(_ clade: String, in page: String) async throws -> (status: Int, text: String) {
      let query = try #require(Fields(parsing: "q=prunella&within=\(clade)"))
      let address = try #require(Address(path: page, query: query))
      let reply = await others.reply(to: Visit(address: address, form: nil, language: "en"))
      return (reply.status, String(decoding: reply.bytes, as: UTF8.self))
    }
    for page in ["/search.json", "/complete.json"] {
      // An id is never the number that stands for it; an address has some of its letters escaped.
      for (clade, isPlant) in [
        ("x4", true), ("unstated-\(mark):x4", true), ("urn:a", true),
        ("unstated-\(mark):urn:a", true), ("unstated-\(mark):urn%253Aa", true), ("1", false),
        ("b", false), ("Animalia", false),
      ] {
        let answer = try await found(clade, in: page)
        #expect(answer.status == 200, "\(page) \(clade)")
        #expect(answer.text.contains("Prunella vulgaris") == isPlant, "\(page) \(clade)")
        #expect(answer.text.contains("\"b\"") == !isPlant, "\(page) \(clade)")
      }
      let several = try await found("Prunella", in: page)
      #expect(several.status == 400 && several.text.contains("an id, as urn:a or b"), "\(page)")
      #expect(try await found("5255986671275305897", in: page).status == 400, "\(page)")
    }
  }

  @Test func aRootThatNoSourceHasIsNoHit() async throws {
    let rows = """
      INSERT INTO sources VALUES (1, 'coldp', 'Checklist', '2026', 'CC0', 'Cite me', NULL);
      INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name) VALUES
        (-1, NULL, NULL, 'no rank', 'implied root'), (1, '1', -1, 'kingdom', 'Plantae'),
        (2, '2', -1, 'kingdom', 'Animalia'), (3, '3', 1, 'genus', 'Prunella'),
        (4, '4', 2, 'genus', 'Prunella');
      """
    var options = Explorer.Options(
      directory: DataDirectory(override: folder.path + "/other"), version: "stol 0")
    options.packPath = try Taxonomy.compile(rows, tables: Taxonomy.recordTables, in: folder)
    let others = Pages(services: try Services(options), token: "secret")
    func json(_ target: String) async throws -> [String: Any] {
      let parts = target.split(separator: "?", maxSplits: 1)
      let query = try #require(Fields(parsing: parts.dropFirst().first ?? ""))
      let address = try #require(Address(path: String(parts[0]), query: query))
      let reply = await others.reply(to: Visit(address: address, form: nil, language: "en"))
      let object = try JSONSerialization.jsonObject(with: Data(reply.bytes))
      return try #require(object as? [String: Any])
    }
    for page in ["/search.json?q=implied+root", "/complete.json?q=impl"] {
      #expect((try await json(page)["results"] as? [Any])?.isEmpty == true, "\(page)")
    }
    let homonym = try await json("/search.json?q=Prunella")
    #expect(homonym["status"] as? String == "ambiguous")
    #expect((homonym["candidates"] as? [[String: Any]])?.map { $0["id"] as? Int } == [3, 4])
    let sources = try #require(
      try await json("/settings/sources.json")["sources"] as? [[String: Any]])
    #expect(sources.map { $0["citation"] as? String } == ["Cite me"])
    #expect(sources.map { $0["release"] as? String } == ["2026"])
  }

  @Test func childrenComeInPagesWithoutGaps() async throws {
    var seen: [Int] = []
    for number in 1...2 {
      let branch = try await json("/tree/3.json?page=\(number)")
      #expect(branch["childCount"] as? Int == 151)
      let children = try #require(branch["children"] as? [[String: Any]])
      seen += children.compactMap { $0["id"] as? Int }
    }
    #expect(seen.count == 151 && Set(seen).count == 151)
    #expect(try await json("/tree/3.json?page=3")["page"] as? Int == 2)
    #expect(try await text("/tree/3?page=2").contains("Page 2 of 2"))
    #expect(try await text("/tree/3?page=99").contains("Page 2 of 2"))
  }

  @Test func unknownTaxaAreNotFound() async throws {
    for path in [
      "/taxon/999", "/tree/999", "/icicle/999", "/taxon/999/lineage",
      "/taxon/999/relatives.json", "/taxon/999.json", "/icicle/999.svg", "/taxon/4/image",
    ] {
      #expect(try await get(path).status == 404, "\(path)")
    }
  }

  @Test func namesOfTheDatabaseAreTextEverywhere() async throws {
    for path in [
      "/search?q=script", "/tree/3", "/taxon/154", "/icicle/3", "/icicle/3.svg",
      "/taxon/154/lineage", "/compare?taxon=154&taxon=4", "/compare.svg?taxon=154&taxon=4",
    ] {
      let page = try await text(path)
      #expect(!page.contains("<script>alert"), "\(path)")
      #expect(!page.contains("<img src=x"), "\(path)")
      #expect(page.contains("&lt;") || path.hasPrefix("/icicle"), "\(path)")
    }
    #expect(try await text("/taxon/154").contains("&lt;script&gt;"))
    #expect(!(try await text("/search?q=%3Cscript%3E")).contains("<script>alert"))
  }

  @Test func favoritesChangeByFormsOnly() async throws {
    #expect(try await post("/favorites", "action=add&taxon=4&return=/taxon/4").status == 303)
    let list = try #require(try await json("/favorites.json")["favorites"] as? [[String: Any]])
    #expect(list.map { $0["id"] as? Int } == [4])
    #expect(try await text("/favorites/export.txt").contains("1. Felis number1 (lion)"))
    #expect(try await text("/taxon/4").contains("aria-pressed=\"true\""))
    let state = try await post("/favorites.json", "action=remove&taxon=4")
    #expect(String(decoding: state.bytes, as: UTF8.self).contains("\"isFavorite\":false"))
    #expect(try await post("/favorites", "action=add&taxon=999").status == 404)
    #expect(try await post("/favorites", "action=explode&taxon=4").status == 400)
    #expect(try await post("/favorites", "action=add").status == 400)
    #expect(try await post("/tree", "action=add&taxon=4").status == 405)
    // What the pages send says of which database it is, and is refused in another.
    #expect(try await text("/taxon/4").contains("name=\"taxon\" value=\"unstated-\(mark):4\""))
    for action in ["add", "remove"] {
      for space in ["ncbi", "unstated", "unstated-ffffffff"] {
        let refused = try await post("/favorites", "action=\(action)&taxon=\(space):4")
        #expect(refused.status == 409, "\(action) \(space)")
      }
    }
    #expect((try await json("/favorites.json")["favorites"] as? [Any])?.isEmpty == true)
    let written = "taxon=unstated-\(mark):4"
    #expect(try await post("/favorites", "action=add&\(written)").status == 303)
    #expect(try await text("/favorites").contains("value=\"unstated-\(mark):4\""))
    #expect(try await post("/favorites", "action=remove&\(written)").status == 303)
    for id in 4...9 { _ = try await post("/favorites", "action=add&taxon=\(id)") }
    #expect(try await get("/favorites/clear").status == 200)
    #expect((try await json("/favorites.json")["favorites"] as? [Any])?.count == 6)
    #expect(try await post("/favorites/clear", "").status == 303)
    #expect((try await json("/favorites.json")["favorites"] as? [Any])?.isEmpty == true)
  }

  /// Whoever removed all may have meant something else.
  @Test func whatWasRemovedAllAtOnceCanBePutBack() async throws {
    func ids() async throws -> [Int?] {
      let list = try #require(try await json("/favorites.json")["favorites"] as? [[String: Any]])
      return list.map { $0["id"] as? Int }
    }
    for id in [6, 4, 9] { _ = try await post("/favorites", "action=add&taxon=\(id)") }
    let reply = try await post("/favorites/clear", "")
    #expect(reply.fields.first { $0.0 == "location" }?.1 == "/favorites?cleared=all")
    let page = try await text("/favorites?cleared=all")
    #expect(page.contains("3 favourites are no favourites any more."))
    #expect(page.contains("name=\"action\" value=\"restore\""))
    #expect(try await !text("/favorites").contains("restore"))
    #expect(try await ids().isEmpty)
    _ = try await post("/favorites", "action=add&taxon=5")
    #expect(try await post("/favorites", "action=restore").status == 303)
    #expect(try await ids() == [9, 4, 6, 5])
    // Once.
    #expect(try await !text("/favorites?cleared=all").contains("restore"))
    #expect(try await post("/favorites", "action=restore").status == 303)
    #expect(try await ids() == [9, 4, 6, 5])
    // Removing nothing keeps what was removed before.
    for _ in 0..<2 { _ = try await post("/favorites/clear", "") }
    #expect(try await post("/favorites", "action=restore").status == 303)
    #expect(try await ids().count == 4)
  }

  @Test func comparingNeedsTwoAndSaysWhichAreMeant() async throws {
    #expect(try await get("/compare").status == 200)
    #expect(try await get("/compare.json?taxon=lion").status == 400)
    #expect(try await text("/compare?taxon=lioon&taxon=oak").contains("Which “lioon”?"))
    let comparison = try await json("/compare.json?taxon=lion&taxon=oak&taxon=5")
    #expect((comparison["lca"] as? [String: Any])?["scientificName"] as? String == "Biota")
    let pairs = try #require(comparison["pairs"] as? [[String: Any]])
    #expect(pairs.map { $0["distance"] as? Int } == [5, 2, 5])
    let page = try await text("/compare?taxon=lion&taxon=oak")
    #expect(page.contains("are in the domain <i class=\"scientific\" lang=\"la\"><bdi>Biota<"))
    #expect(!page.contains("steps apart") && !page.contains("cousins"))
    #expect(try await text("/compare?taxon=lion&taxon=Felidae").contains("One holds the other"))
    #expect(try await text("/compare?taxon=lion&taxon=4&taxon=5").contains("shown once: Lion."))
    #expect(try await text("/compare?taxon=lion&taxon=4").contains("These are the same"))
    // Links say of which database they are; what is of another is no taxon of this one.
    #expect(try await text("/taxon/4").contains("/compare?taxon=unstated-\(mark)%3A4"))
    let foreign = "/compare?taxon=ncbi:4&taxon=unstated-\(mark):5"
    #expect(try await text(foreign).contains("“ncbi:4” is of another database"))
    let refused = try await get(foreign.replacing("?", with: ".json?"))
    #expect(refused.status == 400)
    #expect(String(decoding: refused.bytes, as: UTF8.self).contains("of the active database"))
  }

  /// Nothing that was asked for is left out in silence, and more than three are a table.
  @Test func manyAreComparedInATableAndTooManyRefused() async throws {
    func query(_ ids: ClosedRange<Int>) -> String {
      ids.map { "taxon=\($0)" }.joined(separator: "&")
    }
    for target in ["/compare?", "/compare.json?", "/compare.svg?"] {
      let refused = try await get(target + query(4...12))
      #expect(refused.status == 400, "\(target)")
      let said = String(decoding: refused.bytes, as: UTF8.self)
      #expect(said.contains("t most 8") && said.contains("these are 9"), "\(target)")
    }
    let cells = { (page: String) in page.components(separatedBy: "<td>").count - 1 }
    #expect(try await cells(text("/compare?" + query(4...11))) == 64)
    #expect(try await cells(text("/compare?" + query(4...6))) == 0)
  }

  @Test func traitsAreComparedWhereBothAreKnown() async throws {
    let rows = """
      INSERT INTO taxa VALUES (1, NULL, 'genus', 'Panthera', NULL, NULL, 'accepted', NULL),
        (2, 1, 'species', 'Panthera leo', NULL, NULL, 'accepted', NULL),
        (3, 1, 'species', 'Panthera tigris', NULL, NULL, 'accepted', NULL),
        (4, 1, 'species', 'Panthera onca', NULL, NULL, 'accepted', NULL);
      INSERT INTO traits VALUES (1, 2, 'diet', 'meat', NULL, NULL), (2, 2, 'habitat', 'savanna', NULL, NULL),
        (3, 3, 'diet', 'meat', NULL, NULL), (4, 3, 'habitat', 'forest', NULL, NULL),
        (5, 4, 'colour', 'yellow', NULL, NULL);
      """
    var options = Explorer.Options(
      directory: DataDirectory(override: folder.path + "/traits"), version: "stol 0")
    options.packPath = try Taxonomy.compile(rows, in: folder)
    let others = Pages(services: try Services(options), token: "secret")
    for (names, said) in [
      (["leo", "tigris"], "Of 2 traits known of both, one is the same."), (["leo", "onca"], nil),
    ] as [([String], String?)] {
      var query = Fields()
      for name in names { query.append("taxon", "Panthera \(name)") }
      let visit = Visit(address: Address(.compare, query: query), form: nil, language: "en")
      let page = String(decoding: await others.reply(to: visit).bytes, as: UTF8.self)
      #expect(page.contains(said ?? "are in the genus"))
      #expect(page.contains("known of both") == (said != nil))
    }
  }

  @Test func relativesAreTiedWhereTheyShareTheAncestor() async throws {
    let page = try await text("/taxon/4")
    #expect(page.contains("One of its 150 closest relatives of the same rank here is"))
    #expect(page.contains("one of 150 as close"))
    let relatives = try await json("/taxon/4/relatives.json")["relatives"] as? [[String: Any]]
    #expect(relatives?.allSatisfy { $0["kinCount"] as? Int == 150 } == true)
    let oak = try await text("/taxon/156")
    #expect(!oak.contains("steps away"))
  }

  @Test func aFieldSentAgainMeansTheSame() async throws {
    for id in 1...160 {
      guard case let page = try await text("/compare?taxon=\(id)"),
        page.contains("data-id=\"unstated-\(mark):\(id)\"")
      else { continue }
      let start = try #require(page.range(of: "name=\"taxon\" value=\"")).upperBound
      let value = page[start...].prefix { $0 != "\"" }
      guard !value.contains("&") else { continue }
      let query = try #require(
        String(value).addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      #expect(
        try await text("/compare?taxon=\(query)").contains("data-id=\"unstated-\(mark):\(id)\""),
        "\(id)")
    }
  }

  @Test func onePackCannotBeSwitched() async throws {
    #expect(try await text("/settings/databases").contains("started for one pack"))
    #expect(try await post("/settings/databases", "action=activate").status == 409)
    #expect(try await post("/settings/databases/import", "path=/x.stol").status == 409)
  }

  /// All that a pack is asked for, however damaged; what it answers does not matter.
  private func askEverything(_ pages: Pages) async {
    var routes = Route.fixed
    for number in [1, 3, 4, 5, 154, 156] {
      let id = TaxonAddress(idSpace: "unstated-\(mark)", sourceID: "\(number)", id: 0)
      routes += [.tree(id), .icicle(id), .taxon(id), .lineage(id), .relatives(id), .drawing(id)]
    }
    for route in routes {
      for form in route.forms {
        var query = Fields()
        if route == .search || route == .completions { query.append("q", "lioon") }
        if route == .compare { for id in ["4", "156", "2"] { query.append("taxon", id) } }
        if route == .boxes {
          query.append("to", "156")
          for box in ["all", "3", "3,0,40", "1,0,1"] { query.append("at", box) }
        }
        let address = Address(route, form, query: query)
        _ = await pages.reply(to: Visit(address: address, form: nil, language: "en"))
      }
    }
  }

  private func pages(of pack: String) throws -> Pages {
    var options = Explorer.Options(
      directory: DataDirectory(override: folder.path + "/home"), version: "stol 0")
    options.packPath = pack
    return Pages(services: try Services(options), token: "secret")
  }

  @Test func noDamagedPackEndsTheServer() async throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let sound = try folder.bytes(of: "small.stolpack")
    let path = folder.path + "/damaged.stolpack"
    var openedCount = 0
    for favorite in [4, 5, 156] { _ = try await post("/favorites", "action=add&taxon=\(favorite)") }
    // Behind the header and the directory, which have checksums of their own.
    let firstSection = 128 + 64 * Int(sound[12])
    for _ in 0..<150 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: firstSection..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      }
      try folder.write(bytes, to: "damaged.stolpack")
      guard let pages = try? pages(of: path) else { continue }
      openedCount += 1
      await askEverything(pages)
    }
    #expect(openedCount > 100)
  }
}
