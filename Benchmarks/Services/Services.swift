import Foundation
import Loads
import STOLCompare
import STOLData
import STOLFavorites
import STOLPack
import STOLSearch

/// Latencies of what an app calls: `Services PACK HOME [SEED] [--json] [--quick]`, with the database
/// beside the pack, and favourites in the data directory HOME.
///
/// Every call goes through the protocol of its service, as an app makes it, with `await` and all
/// values that a screen shows.
@main
struct Services {
  static func main() async throws {
    let options = CommandLine.arguments.dropFirst()
    let arguments = options.filter { !$0.hasPrefix("--") }
    guard let path = arguments.first, let home = arguments.dropFirst().first else {
      return print("usage: Services PACK HOME [SEED] [--json] [--quick]")
    }
    let seed = arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? .random(in: 0..<1 << 32)
    var services = try Services(path: path, seed: seed, isQuick: options.contains("--quick"))
    try await services.measureTaxa()
    try await services.measureComparisons()
    try await services.measureSearch()
    services.measureReferences()
    try await services.measureFavorites(in: DataDirectory(override: home))
    try services.timings.print(
      asJSON: options.contains("--json"),
      title: "\(services.pack.taxonCount) taxa, seed \(seed)")
  }

  private let pack: Pack
  private let isQuick: Bool
  private var load: Load
  private var timings = Timings()
  private let taxonomy: LocalTaxonomyStore
  private let compare: LocalCompareService
  private let search: any SearchService

  private init(path: String, seed: UInt64, isQuick: Bool) throws {
    let provider = try SinglePackProvider(path: path)
    pack = provider.pack
    self.isQuick = isQuick
    load = Load(provider.pack, seed: seed)
    taxonomy = LocalTaxonomyStore(provider: provider)
    compare = LocalCompareService(provider: provider)
    search = LocalSearchService(provider: provider)
  }

  private mutating func ids(_ count: Int) -> [TaxonID] {
    let pack = pack
    return (0..<(isQuick ? count / 10 : count)).map { _ in pack.view.ids[load.species()] }
  }

  private mutating func measureTaxa() async throws {
    let ids = ids(20_000)
    let store: any TaxonomyStore = taxonomy
    var times: [Double] = []
    for id in ids { times.append(try await Timings.time { try await store.taxon(id: id) }) }
    timings.record("taxon", "a taxon", "us", times)
    times = []
    for id in ids { times.append(try await Timings.time { try await store.ancestors(of: id) }) }
    timings.record("ancestors", "its ancestors", "us", times)
    times = []
    for start in stride(from: 0, to: ids.count - 50, by: 50) {
      let list = Array(ids[start..<start + 50])
      times.append(
        Timings.time {
          (taxonomy.taxa(ids: list), taxonomy.preferredNames(for: list, language: "pt-BR"))
        })
    }
    timings.record("list", "a list of 50 taxa with common names", "us", times)
    times = []
    for id in ids.prefix(2_000) {
      times.append(try await Timings.time { try await store.references(for: id) })
    }
    timings.record("references", "references of a taxon, from SQLite", "us", times)
  }

  private mutating func measureComparisons() async throws {
    let ids = ids(20_000)
    let pairs = Array(zip(ids, ids.reversed()))
    let service: any CompareService = compare
    let pack = pack
    let view = pack.view
    var times: [Double] = []
    for (a, b) in pairs {
      guard let a = view.ids.taxon(a), let b = view.ids.taxon(b) else { continue }
      times.append(Timings.time { view.compare(a, b) })
    }
    timings.record("compare", "a comparison in the pack", "us", times)
    times = []
    for (a, b) in pairs {
      times.append(try await Timings.time { try await service.compare(taxonA: a, taxonB: b) })
    }
    timings.record("compareValues", "a comparison with all columns of all taxa", "us", times)
    times = []
    for (a, b) in pairs {
      times.append(
        try Timings.time { try compare.compare(taxonA: a, taxonB: b, language: "pt-BR") })
    }
    timings.record("compareNames", "the same with common names", "us", times)
    times = []
    for id in ids.prefix(5_000) {
      times.append(
        try await Timings.time {
          try await service.topNRelatives(of: id, n: 10, source: .computed)
        })
    }
    timings.record("relatives", "ten relatives with all columns", "us", times)
  }

  /// References as favourites are kept: half of them of this database's ids, half of another's, which their
  /// snapshots lead to.
  private mutating func measureReferences() {
    let pack = pack
    let view = pack.view
    let count = isQuick ? 10_000 : 100_000
    var references: [TaxonReference] = []
    while references.count < count {
      guard var reference = view.reference(to: load.species()) else { continue }
      if references.count.isMultiple(of: 2) { reference.idSpace = "elsewhere" }
      references.append(reference)
    }
    let times = (0..<5).map { _ in Timings.time { view.resolve(references) } }
    timings.record("resolve", "resolve \(count) references", "us", times)
  }

  private mutating func measureFavorites(in directory: DataDirectory) async throws {
    let database = FavoriteDatabase(pack, directory: directory)
    var times: [Double] = []
    for _ in 0..<(isQuick ? 5 : 50) {
      times.append(
        try Timings.time { try LocalFavorites(directory: directory, database: database) })
    }
    timings.record("favourites", "open the favourites", "us", times)
    let favorites = try LocalFavorites(directory: directory, database: database)
    let ids = try await favorites.allFavorites().map(\.taxonID) + self.ids(10_000)
    // A single call is shorter than a look at the clock.
    times = (0..<50).map { _ in
      Timings.time { ids.count { favorites.isFavorite(taxonID: $0) } } / Double(ids.count)
    }
    timings.record("favourite", "whether a taxon is a favourite", "us", times)
  }

  private mutating func measureSearch() async throws {
    let queries = load.queries(isQuick ? 500 : 5_000) { $0.completion(of: 3...8, edits: 0) }
    var times: [Double] = []
    for query in queries {
      times.append(
        try await Timings.time {
          try await search.autocomplete(prefix: query.text, maxResults: 10)
        })
    }
    timings.record("autocomplete", "a completion, 3 to 8 letters", "us", times)
  }
}
