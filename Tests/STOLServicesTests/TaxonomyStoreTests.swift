import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@Suite("Taxonomy store")
struct TaxonomyStoreTests {
  private let folder: TemporaryFolder
  private let store: LocalTaxonomyStore

  init() throws {
    folder = try TemporaryFolder()
    let path = try Taxonomy.compile(Taxonomy.cats, in: folder)
    store = LocalTaxonomyStore(provider: try SinglePackProvider(path: path))
  }

  @Test func givesAllColumnsOfATaxon() throws {
    let lion = try #require(store.taxon(id: 6))
    #expect(lion.parentID == 5)
    #expect(lion.rank == .species)
    #expect(lion.scientificName == "Panthera leo")
    #expect(lion.author == "(Linnaeus, 1758)")
    #expect(lion.year == 1758)
    #expect(lion.status == .accepted)
    #expect(lion.conservationStatus == "VU")
    #expect(store.taxon(id: 20)?.status == .provisional)
    #expect(
      store.taxa(ids: [6, 999, 1]).map { $0?.scientificName } == [
        "Panthera leo", nil, "Eukaryota",
      ])
  }

  @Test func followsMergedIDs() async throws {
    #expect(store.taxon(id: 106)?.id == 6)
    #expect(try store.ancestors(of: 106).last?.id == 5)
    #expect(try await store.references(for: 106).map(\.taxonID) == [6, 6])
    #expect(store.preferredNames(for: [106]) == ["lion"])
  }

  @Test func tellsUnknownAndDeletedIDsApart() async throws {
    #expect(store.taxon(id: 107) == nil)
    #expect(throws: TaxonomyError.deletedTaxon(107)) { try store.children(of: 107) }
    #expect(throws: TaxonomyError.unknownTaxon(-3)) { try store.ancestors(of: -3) }
    await #expect(throws: TaxonomyError.unknownTaxon(999)) { try await store.references(for: 999) }
  }

  @Test func walksTheTree() throws {
    #expect(store.roots().map(\.scientificName) == ["Eukaryota", "Viruses"])
    #expect(try store.children(of: 5).map(\.id) == [6, 7])
    #expect(try store.children(of: 6).isEmpty)
    #expect(try store.ancestors(of: 6).map(\.id) == [1, 2, 3, 4, 5])
    #expect(try store.ancestors(of: 1).isEmpty)
  }

  @Test func fallsBackFromRegionToLanguageToEnglish() {
    let ids: [TaxonID] = [6, 7, 13, 10, 21, 999]
    #expect(
      store.preferredNames(for: ids, language: "pt-BR") == ["leão", "tigre", "oak", nil, nil, nil])
    #expect(
      store.preferredNames(for: ids, language: "pt") == ["leão", "tigre", "oak", nil, nil, nil])
    #expect(
      store.preferredNames(for: ids, language: "pt-AO") == ["leão", "tigre", "oak", nil, nil, nil])
    #expect(
      store.preferredNames(for: ids, language: "DE_at") == [
        "Löwe", "tiger", "oak", "Wolf", nil, nil,
      ])
    #expect(
      store.preferredNames(for: ids, language: "en-GB") == [
        "lion", "tiger", "English oak", nil, nil, nil,
      ])
    #expect(store.preferredNames(for: ids) == ["lion", "tiger", "oak", nil, nil, nil])
    #expect(
      store.preferredNames(for: ids, language: "") == ["lion", "tiger", "oak", nil, nil, nil])
    #expect(
      store.preferredNames(for: ids, language: "zh-x-private") == [
        "lion", "tiger", "oak", nil, nil, nil,
      ])
  }

  @Test func groupsNamesByLanguageAndKeepsSynonymsApart() throws {
    let groups = try store.nameGroups(for: 6, language: "pt-BR")
    #expect(groups.languages.map(\.language) == ["pt", "en", "de"])
    #expect(groups.languages[1].names.map(\.name) == ["lion", "African lion"])
    #expect(groups.synonyms.map(\.name) == ["Felis leo"])
    #expect(try store.names(for: 6, language: nil).count == 5)
    #expect(try store.names(for: 6, language: "EN").map(\.name) == ["lion", "African lion"])
    #expect(try store.names(for: 13, language: "en").map(\.language) == ["en", "en-GB"])
    #expect(try store.names(for: 6, language: "fr").isEmpty)
  }

  @Test func readsTraitsFromThePackAndReferencesFromSQLite() async throws {
    #expect(
      try store.traits(for: 6).map { "\($0.key)=\($0.value)\($0.unit ?? "")" } == [
        "body_length=1.9m", "diet=carnivore", "habitat=savanna",
      ])
    let references = try await store.references(for: 6)
    #expect(references.map(\.refType) == ["taxonomy", "conservation"])
    #expect(references[0].url == "https://doi.org/10.5962/bhl.title.542")
    #expect(try await store.references(for: 7).isEmpty)
  }

  @Test func aPackAloneHasNamesButNoReferences() async throws {
    let alone = try Taxonomy.compile(Taxonomy.cats, in: folder, "alone")
    try FileManager.default.removeItem(atPath: folder("alone.sqlite"))
    let store = LocalTaxonomyStore(provider: try SinglePackProvider(path: alone))
    #expect(store.preferredNames(for: [6]) == ["lion"])
    await #expect(throws: TaxonomyError.noDatabase(packPath: alone)) {
      try await store.references(for: 6)
    }
  }
}
