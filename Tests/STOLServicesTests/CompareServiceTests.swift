import STOLCompare
import STOLData
import STOLPack
import TestSupport
import Testing

@Suite("Comparisons")
struct CompareServiceTests {
  private let folder: TemporaryFolder
  private let provider: SinglePackProvider
  private let service: LocalCompareService

  init() throws {
    folder = try TemporaryFolder()
    provider = try SinglePackProvider(path: Taxonomy.compile(Taxonomy.cats, in: folder))
    service = LocalCompareService(provider: provider)
  }

  @Test func givesPathsDistanceAndNames() throws {
    let result = try service.compare(taxonA: 6, taxonB: 10, language: "de")
    #expect(result.taxonA.id == 6)
    #expect(result.taxonB.id == 10)
    #expect(result.kinship.commonAncestor?.scientificName == "Carnivora")
    #expect(result.kinship.pathFromA.map(\.id) == [6, 5, 4, 3])
    #expect(result.kinship.pathFromB.map(\.id) == [10, 9, 8, 3])
    #expect(result.kinship.distance == 6)
    #expect(result.commonNames == [6: "Löwe", 10: "Wolf"])
    #expect(try service.compare(taxonA: 6, taxonB: 10).commonNames.isEmpty)
  }

  @Test(arguments: [
    (TaxonID(6), TaxonID(10), "Both are in order Carnivora"),
    (6, 7, "Both are in genus Panthera"), (6, 13, "Both are in domain Eukaryota"),
    (6, 5, "Panthera leo is in genus Panthera"), (3, 6, "Panthera leo is in order Carnivora"),
    (6, 6, "Both are Panthera leo"), (106, 6, "Both are Panthera leo"),
    (6, 21, "They have no common ancestor in this database"),
  ])
  func saysInPlainWords(_ a: TaxonID, _ b: TaxonID, _ sentence: String) throws {
    #expect(try service.compare(taxonA: a, taxonB: b).sharedCladeDescription == sentence)
  }

  @Test func aRootThatNoSourceHasIsNoClade() throws {
    let rows = """
      INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name) VALUES
        (-1, NULL, NULL, 'no rank', 'implied root'), (1, '1', -1, 'kingdom', 'Plantae'),
        (2, '2', -1, 'kingdom', 'Animalia'), (3, '3', 2, 'no rank', 'Bilateria'),
        (4, '4', 3, 'genus', 'Apis'), (5, '5', 3, 'genus', 'Bos');
      """
    let path = try Taxonomy.compile(
      rows, tables: Taxonomy.recordTables, in: folder, "kingdoms")
    let other = try SinglePackProvider(path: path)
    let service = LocalCompareService(provider: other)
    let pairs: [(TaxonID, TaxonID)] = [(1, 2), (4, 5), (2, 4)]
    let sentences = try pairs.map {
      try service.compare(taxonA: $0, taxonB: $1).sharedCladeDescription
    }
    #expect(
      sentences == [
        "They share only a root that no source has", "Both are in Bilateria",
        "Apis is in kingdom Animalia",
      ])
  }

  @Test func taxaOfDifferentTreesHavePathsToTheirRoots() throws {
    let result = try service.compare(taxonA: 21, taxonB: 1)
    #expect(result.kinship.commonAncestor == nil)
    #expect(result.kinship.distance == nil)
    #expect(result.kinship.pathFromA.map(\.id) == [21, 20])
    #expect(result.kinship.pathFromB.map(\.id) == [1])
  }

  @Test func comparesTraits() throws {
    let result = try service.compare(taxonA: 6, taxonB: 7)
    let traits = try #require(result.traits)
    // One shared of five different ones.
    #expect(result.kinship.traitSimilarity == 0.2)
    #expect(traits.shared.map(\.key) == ["diet"])
    #expect(traits.differing.map(\.key) == ["body_length", "habitat"])
    #expect(traits.differing[1].onlyA.map(\.value) == ["savanna"])
    #expect(traits.differing[1].onlyB.map(\.value) == ["forest"])
    let length = try #require(traits.numbers.first)
    #expect(length.unit == "mm")
    #expect(length.a == 1900)
    #expect(length.b == 2200)
    #expect(try service.compare(taxonA: 10, taxonB: 13).kinship.traitSimilarity == nil)
    var config = CompareConfig()
    config.includeTraitSimilarity = false
    let plain = try LocalCompareService(provider: provider, config: config)
      .compare(taxonA: 6, taxonB: 7)
    #expect(plain.traits == nil)
    #expect(plain.kinship.traitSimilarity == nil)
  }

  @Test(arguments: [
    ("1e308", "m", "1", "km", false), ("nan", "m", "1", "m", false), ("inf", "m", "1", "m", false),
    ("12 to 14", "m", "1", "m", false), ("3", "m", "2", "kg", false), ("3", "m", "2", nil, false),
    ("3", nil, "2", nil, true), ("0", "kg", "5", "g", true), ("1e308", "km", "1e308", "um", false),
  ])
  func comparesOnlyWhatAreNumbersOfOneQuantity(
    _ a: String, _ unitA: String?, _ b: String, _ unitB: String?, _ isPair: Bool
  ) throws {
    func trait(_ taxon: Int, _ value: String, _ unit: String?) -> String {
      "INSERT INTO traits (taxon_id, trait_key, trait_value, unit) VALUES "
        + "(\(taxon), 'size', '\(value)', \(unit.map { "'\($0)'" } ?? "NULL"));"
    }
    let sql = Taxonomy.cats + trait(10, a, unitA) + trait(13, b, unitB)
    let provider = try SinglePackProvider(path: Taxonomy.compile(sql, in: folder, "numbers"))
    let traits = try LocalCompareService(provider: provider).compare(taxonA: 10, taxonB: 13).traits
    let pair = traits?.numbers.first
    // 1e308 m in kilometres' smaller unit is still a number.
    #expect((pair != nil) == (isPair || (a, unitB) == ("1e308", "km")))
    #expect(pair.map { $0.a.isFinite && $0.b.isFinite } ?? true)
  }

  @Test func refusesOtherCountsOfRelatives() async throws {
    for count in [0, -1, 101, .max] {
      await #expect(throws: CompareError.countOutOfRange(count)) {
        try await service.topNRelatives(of: 6, n: count, source: .computed)
      }
    }
    #expect(try await service.topNRelatives(of: 6, n: 1, source: .computed).map(\.id) == [7])
    #expect(try await service.topNRelatives(of: 6).map(\.id) == [7, 10, 13])
    await #expect(throws: TaxonomyError.deletedTaxon(107)) {
      try await service.topNRelatives(of: 107, n: 1, source: .precomputed)
    }
  }

  @Test func storedAndComputedRelativesAreEqual() async throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var generator = SeededGenerator(seed: seed)
    var sql = "INSERT INTO taxa (id, rank, scientific_name) VALUES (1, 'domain', 'A');"
    for id in 2...30 {
      sql +=
        "INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES "
        + "(\(id), 1, 'genus', 'Genus\(Int.random(in: 0..<20, using: &generator))');"
    }
    for id in 31...300 {
      sql +=
        "INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES "
        + "(\(id), \(Int.random(in: 2...30, using: &generator)), 'species', "
        + "'Species \(Int.random(in: 0..<100, using: &generator))');"
    }
    let plain = try Taxonomy.compile(sql, in: folder, "plain")
    try CompatibilityTables(of: Pack(path: plain)).write(
      copying: folder("plain.sqlite"), to: folder("tables.sqlite"))
    _ = try PackCompiler(path: folder("tables.sqlite")).compile(to: folder("tables.stolpack"))
    let provider = try SinglePackProvider(path: folder("tables.stolpack"))
    let service = LocalCompareService(provider: provider)
    for id in 31...300 {
      let taxon = TaxonID(rawValue: Int64(id))
      let rows = try await StoredRelative.rows(of: taxon, limit: 10, from: provider.snapshot())
      #expect(rows.count == 10)
      for count in [1, 10, 40] {
        let stored = try await service.topNRelatives(of: taxon, n: count, source: .precomputed)
        let computed = try await service.topNRelatives(of: taxon, n: count, source: .computed)
        // How many are related as closely is not stored.
        let withoutTies = computed.map {
          Relative(
            taxon: $0.taxon, commonAncestor: $0.commonAncestor, distance: $0.distance, tieCount: nil
          )
        }
        let hasCounts = computed.allSatisfy { $0.tieCount != nil }
        #expect(stored == (rows.count >= count ? withoutTies : computed), "seed \(seed), \(id)")
        #expect(hasCounts)
        #expect(stored.count == count)
      }
    }
  }
}
