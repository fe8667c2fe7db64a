import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLServer

/// The picture of all life against rows alone: nothing is missing, nothing is there twice, and areas are true.
@Suite struct LifeBoxesTests {
  private typealias Box = [String: Any]

  /// What boxes must say, from rows.
  private struct Oracle {
    let rows: Rows
    private(set) var children: [Int64: [Int64]] = [:]

    init(_ rows: Rows) {
      self.rows = rows
      for row in rows.taxa { children[row.parentID ?? 0, default: []].append(row.id) }
    }

    private func isSpecies(_ id: Int64) -> Bool {
      id > 0 && rows.taxa[Int(id) - 1].rank == "species"
    }

    func speciesCount(_ id: Int64) -> Int {
      (children[id] ?? []).reduce(isSpecies(id) ? 1 : 0) { $0 + speciesCount($1) }
    }

    /// Equal areas: one for each species, one for each branch without any that is within none.
    func tileCount(_ id: Int64) -> Int {
      let speciesCount = speciesCount(id)
      if isSpecies(id) { return speciesCount }
      if speciesCount == 0 { return id == 0 ? 0 : 1 }
      return (children[id] ?? []).reduce(0) { $0 + tileCount($1) }
    }

    /// The size of a taxon: its tiles, or its part of the tile that it is within.
    func size(_ id: Int64) -> Int {
      isWithinTile(id) ? max(1, speciesCount(id)) : tileCount(id)
    }

    /// Whether a taxon is within a species, or within a branch without any.
    func isWithinTile(_ id: Int64) -> Bool {
      var above = id > 0 ? rows.taxa[Int(id) - 1].parentID : nil
      while let next = above {
        if isSpecies(next) || speciesCount(next) == 0 { return true }
        above = rows.taxa[Int(next) - 1].parentID
      }
      return false
    }
  }

  private func pages(of rows: Rows, in folder: TemporaryFolder) throws -> Pages {
    let path = folder.path + "/\(UUID().uuidString).stolpack"
    try rows.write(to: path)
    var options = Explorer.Options(
      directory: DataDirectory(override: folder.path + "/home"), version: "stol 0")
    options.packPath = path
    return Pages(services: try Services(options), token: "secret")
  }

  private func answer(_ query: String, _ pages: Pages) async throws -> Box {
    let address = Address(.boxes, query: try #require(Fields(parsing: query)))
    let reply = await pages.reply(to: Visit(address: address, form: nil, language: "en"))
    #expect(reply.status == 200, "\(query)")
    #expect(reply.bytes.count <= 30_000, "\(query): \(reply.bytes.count) bytes")
    return try #require(try JSONSerialization.jsonObject(with: Data(reply.bytes)) as? Box)
  }

  /// The number of the taxon of a box, 0 for all roots; of a group that of what holds it.
  private func number(_ box: Box) throws -> Int64 {
    let name = try #require(box["box"] as? String).split(separator: ",")[0]
    return name == "all" ? 0 : try #require(name.split(separator: ":").last.flatMap { Int64($0) })
  }

  private func checkWalk(_ rows: Rows, _ folder: TemporaryFolder) async throws {
    let oracle = Oracle(rows)
    let pages = try pages(of: rows, in: folder)
    var waiting = ["all"]
    var found: [Int64: Int] = [:]
    var inside: [String: [Box]] = [:]
    while !waiting.isEmpty {
      let names = waiting.suffix(8)
      let answer = try await answer(names.map { "at=\($0)" }.joined(separator: "&"), pages)
      let opened = try #require(answer["opened"] as? [Box])
      try #require(!opened.isEmpty)
      waiting.removeLast(names.count)
      waiting += names.dropFirst(opened.count)
      var boxes = opened.map { ($0, isOpened: true) }
      while let (box, isOpened) = boxes.popLast() {
        let name = try #require(box["box"] as? String)
        let isOpenable = try #require(box["isOpenable"] as? Bool)
        guard let below = box["boxes"] as? [Box] else {
          if isOpenable { waiting.append(name) }
          #expect(!(isOpened && isOpenable))
          continue
        }
        #expect(inside[name] == nil, "\(name) is opened twice")
        inside[name] = below
        #expect((1...LifeChildren.greatestCount).contains(below.count))
        let holder = try number(box)
        if box["memberCount"] == nil {
          #expect(box["speciesCount"] as? Int == oracle.speciesCount(holder))
        }
        let species = below.reduce(0) { $0 + ($1["speciesCount"] as? Int ?? .min) }
        let own = holder > 0 && box["rank"] as? String == "species" ? 1 : 0
        #expect(species + own == box["speciesCount"] as? Int, "\(name)")
        let count = box["memberCount"] as? Int ?? oracle.children[holder]?.count
        #expect(below.reduce(0) { $0 + ($1["memberCount"] as? Int ?? 1) } == count, "\(name)")
        if box["memberCount"] != nil || isOpened == false {
          let size = below.reduce(0) { $0 + ($1["size"] as? Int ?? .min) }
          // What is within a tile shares its area, as many as they are.
          let isShared =
            box["memberCount"] == nil
            && (oracle.size(holder) == 1 || oracle.isWithinTile(holder))
          #expect(isShared || own == 1 || size == box["size"] as? Int, "\(name)")
        }
        for one in below {
          let id = try number(one)
          if one["memberCount"] == nil {
            found[id, default: 0] += 1
            #expect(rows.taxa[Int(id) - 1].parentID ?? 0 == holder)
            #expect(one["scientificName"] as? String == rows.taxa[Int(id) - 1].scientificName)
            #expect(one["size"] as? Int == oracle.size(id), "\(id)")
            #expect(one["isOpenable"] as? Bool == (oracle.children[id] != nil))
          } else {
            #expect(id == holder)
          }
          boxes.append((one, isOpened: false))
        }
      }
    }
    #expect(found.count == rows.taxa.count)
    #expect(found.values.allSatisfy { $0 == 1 })
    for row in rows.taxa.shuffled().prefix(10) {
      let space = pages.snapshot.pack.view.addressSpace
      let answer = try await answer("to=\(space):\(row.id)", pages)
      #expect(answer["isWholePath"] as? Bool == true)
      var name = "all"
      for step in try #require(answer["path"] as? [Box]) {
        let beside = try #require(inside[name])
        #expect(step["sizes"] as? [Int] == beside.compactMap { $0["size"] as? Int })
        let index = try #require(step["index"] as? Int)
        name = try #require(beside[index]["box"] as? String)
        #expect(step["box"] as? String == name)
      }
      #expect(name == "\(space):\(row.id)")
    }
  }

  @Test func everyTaxonOfARandomTreeIsInOneBox() async throws {
    let folder = try TemporaryFolder()
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for count in [1, 2, 33, 34, 120, 400, 900] {
      let reach = [3, 40, 1000].randomElement(using: &generator) ?? 1
      try await checkWalk(.random(count: count, reach: reach, &generator), folder)
    }
  }

  @Test func everyChildOfManyIsInOneBox() async throws {
    var rows = Rows()
    let genus = rows.add("Genus", "genus")
    for number in 1...5000 { rows.add("Genus number\(number)", "species", below: genus) }
    for number in 1...40 { rows.add("Genus form\(number)", "subspecies", below: 2) }
    rows.add("Genus empty", "subgenus", below: genus)
    try await checkWalk(rows, try TemporaryFolder())
  }

  @Test func longNamesDoNotMakeLongAnswers() async throws {
    var rows = Rows()
    var above: Int64?
    for number in 1...250 {
      above = rows.add(
        "Taxon\(number) " + String(repeating: "long", count: 60), "clade", below: above,
        String(repeating: "Wort ", count: 50))
      for other in 1...5 { rows.add("Leaf\(other)", "species", below: above) }
    }
    let pages = try pages(of: rows, in: try TemporaryFolder())
    let space = pages.snapshot.pack.view.addressSpace
    let answer = try await answer("to=\(space):\(above ?? 0)", pages)
    #expect(answer["isWholePath"] as? Bool == false)
    let path = try #require(answer["path"] as? [Box])
    #expect(!path.isEmpty && path.count < 250)
  }

  @Test func whatIsNoBoxIsRefused() async throws {
    var rows = Rows()
    let life = rows.add("Biota", "domain")
    rows.add("Panthera leo", "species", below: life)
    let pages = try pages(of: rows, in: try TemporaryFolder())
    let space = pages.snapshot.pack.view.addressSpace
    func status(_ query: String) async throws -> Int {
      let address = Address(.boxes, query: try #require(Fields(parsing: query)))
      return await pages.reply(to: Visit(address: address, form: nil, language: "en")).status
    }
    for query in [
      "at=ncbi:1", "at=lion", "at=\(space):9", "at=all,0", "at=all,1,0", "at=all,0,1,2",
      "at=,0,1", "at=all,-1,5", "at=all,0,2", "at=all,5,9", "at=all,0,99999999999999999999",
      "to=all", "to=all,0,1", "to=\(space):7", "taxon=1", String(repeating: "at=all&", count: 9),
    ] {
      #expect([400, 404].contains(try await status(query)), "\(query)")
    }
    for query in ["", "at=all", "at=1", "at=all,0,1", "to=2&lang=de"] {
      #expect(try await status(query) == 200, "\(query)")
    }
  }
}
