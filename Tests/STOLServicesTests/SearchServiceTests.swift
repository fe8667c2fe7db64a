import STOLData
import STOLPack
import STOLSearch
import TestSupport
import Testing

@Suite("Search service")
struct SearchServiceTests {
  private let folder: TemporaryFolder
  private let provider: SinglePackProvider
  private let service: LocalSearchService

  init() throws {
    folder = try TemporaryFolder()
    provider = try SinglePackProvider(path: Taxonomy.compile(Taxonomy.cats, in: folder))
    service = LocalSearchService(provider: provider, sessionCount: 2)
  }

  @Test func findsByEveryKindOfName() async throws {
    func first(_ text: String) async throws -> SearchResult? {
      try await service.search(query: text, rank: nil, maxResults: 5).first
    }
    let scientific = try #require(try await first("panthera leo"))
    #expect(scientific.id == 6 && scientific.matchType == .scientific)
    #expect(scientific.rank == .species && scientific.conservationStatus == "VU")
    let common = try #require(try await first("leao"))
    #expect(common.matchedName == "leão" && common.matchType == .common)
    #expect(common.scientificName == "Panthera leo")
    let synonym = try #require(try await first("felis leo"))
    #expect(synonym.matchType == .synonym && synonym.hit.distance == 0)
    let misspelt = try #require(try await first("pantera tigriss"))
    #expect(misspelt.id == 7 && misspelt.hit.distance == 2)
  }

  @Test func findsANameWithItsAuthorsBehindIt() async throws {
    func found(_ text: String, limit: Int = 5) async throws -> [SearchResult] {
      try await service.search(query: text, rank: nil, maxResults: limit)
    }
    for text in [
      "Panthera leo (Linnaeus, 1758)", "PANTHERA LEO (LINNAEUS, 1758)", "Panthera leo (L.)",
    ] {
      let hits = try await found(text)
      #expect(hits.map(\.id) == [6], "\(text)")
      #expect(hits.first?.hit.distance == 0)
    }
    #expect(try await found("Felis leo Linnaeus").map(\.id) == [6])
    #expect(try await found("Panthera leo (Linnaeus, 1758)", limit: 0).isEmpty)
    #expect(try await found("Panthera leo (Linnaeus, 1758)", limit: -1).isEmpty)
    // What contradicts, and what only begins so, is answered as ever.
    #expect(try await found("Quercus robur Smith, 1999").allSatisfy { $0.hit.distance > 0 })
    #expect(try await found("Panthera L").first?.matchedRanges.isEmpty == false)
    #expect(try await found("Panthera L").first?.id == 6)
    let elsewhere = try await service.search(
      SearchQuery("Panthera leo (Linnaeus, 1758)", limit: 5), filter: TaxonFilter(within: 8))
    #expect(elsewhere.isEmpty)
  }

  @Test func marksTheLettersThatMatch() async throws {
    let hit = try #require(
      try await service.search(query: "afric", rank: nil, maxResults: 1).first)
    #expect(hit.matchedRanges.map { String(hit.matchedName[$0]) } == ["Afric"])
  }

  @Test func obeysRankAndCount() async throws {
    let genera = try await service.search(query: "panthera", rank: .genus, maxResults: 10)
    #expect(genera.map(\.id) == [5])
    #expect(try await service.search(query: "panthera", rank: nil, maxResults: 0).isEmpty)
    #expect(try await service.search(query: "panthera", rank: nil, maxResults: -1).isEmpty)
    #expect(try await service.search(query: "  ", rank: nil, maxResults: 10).isEmpty)
    #expect(try await service.autocomplete(prefix: "pan", maxResults: 2).count == 2)
    #expect(try await service.autocomplete(prefix: "ti", maxResults: 5).first == "tigre")
  }

  @Test func filtersInTheWordsOfTheData() async throws {
    var filter = TaxonFilter(rank: TaxonRank(rawValue: "Species"), within: 3)
    filter.conservationStatus = "lc"
    let query = SearchQuery("", limit: 10)
    #expect(try await service.search(query, filter: filter).map(\.id) == [10])
    filter = TaxonFilter()
    filter.traits = [.init(key: "habitat", value: "forest")]
    #expect(try await service.search(query, filter: filter).map(\.id) == [7])
    filter.traits = [.init(key: "habitat")]
    #expect(Set(try await service.search(query, filter: filter).map(\.id)) == [6, 7])
    // The pack has names in Brazilian Portuguese and in Portuguese, none in that of Angola.
    filter = TaxonFilter()
    filter.language = "pt-AO"
    #expect(try await service.search(SearchQuery("leão"), filter: filter).map(\.id) == [6])
    #expect(try await service.search(SearchQuery("oak"), filter: filter).isEmpty)
    filter = TaxonFilter(within: 999)
    #expect(try await service.search(query, filter: filter).isEmpty)
  }

  @Test func saysWhatThereIsInstead() async throws {
    let known = ["domain", "kingdom", "phylum", "class", "order", "family", "genus", "species"]
    await #expect(
      throws: SearchError.unknownValue(of: "rank", given: "tribe", known: known)
    ) {
      try await service.search(
        SearchQuery("a"), filter: TaxonFilter(rank: TaxonRank(rawValue: "tribe")))
    }
    // An app's list of ranks may be longer than that of a database.
    let tribe = TaxonRank(rawValue: "tribe")
    #expect(try await service.search(query: "a", rank: tribe, maxResults: 1).isEmpty)
    var filter = TaxonFilter()
    filter.traits = [.init(key: "colour", value: "red")]
    await #expect(
      throws: SearchError.unknownValue(
        of: "trait", given: "colour", known: ["body_length", "diet", "habitat"])
    ) { try await service.search(SearchQuery("a"), filter: filter) }
    await #expect(throws: SearchError.queryTooLong(byteCount: 513)) {
      try await service.autocomplete(prefix: String(repeating: "a", count: 513), maxResults: 1)
    }
  }

  @Test func doesNotAskForWhatWasCancelled() async throws {
    let service = service
    let task = Task {
      // Waits until it is cancelled.
      try? await Task.sleep(for: .seconds(60))
      return try await service.search(query: "lion", rank: nil, maxResults: 1).count
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func answersManyAtOnceAsOneByOne() async throws {
    let texts = ["lion", "tiger", "panthera", "canis lupus", "oke", "wolf", "felis"]
    var expected: [[TaxonID]] = []
    for text in texts {
      expected.append(try await service.search(query: text, rank: nil, maxResults: 5).map(\.id))
    }
    let service = service
    try await withThrowingTaskGroup(of: (Int, [TaxonID]).self) { group in
      for turn in 0..<200 {
        group.addTask {
          let number = turn % texts.count
          let hits = try await service.search(query: texts[number], rank: nil, maxResults: 5)
          return (number, hits.map(\.id))
        }
      }
      for try await (number, ids) in group { #expect(ids == expected[number]) }
    }
  }
}
