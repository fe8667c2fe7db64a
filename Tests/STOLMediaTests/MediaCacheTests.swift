import Foundation
import GRDB
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLMedia
import STOLSystem

@Suite("The cache of images")
struct MediaCacheTests {
  /// An image shows where its reference leads to a taxon, and never on what has the same number.
  @Test func imagesAreNotThoseOfOtherTaxaWithTheirNumbers() async throws {
    let home = try Home()
    try home.add(
      TestMedia.container(in: home.folder, taxa: [8, 100]))
    let pack = try TestMedia.pack(in: home.folder)
    let own = home.cache(pack)
    #expect(await own.image(for: 8)?.bytes == TestMedia.image("8"))
    // Another database has the lion under 77, and under 8 a plant.
    let path = home.folder("plants.sqlite")
    try FileManager.default.copyItem(atPath: home.folder("taxa.sqlite"), toPath: path)
    let queue = try DatabaseQueue(path: path)
    try await queue.write { database in
      try database.execute(
        sql: """
          DELETE FROM merged_taxa; UPDATE taxa SET id = 77 WHERE id = 8;
          INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES
            (8, 1, 'species', 'Cotoneaster rehderi');
          UPDATE taxa SET scientific_name = 'Virusa' WHERE id = 100;
          """)
    }
    try queue.close()
    _ = try PackCompiler(path: path).compile(to: home.folder("plants.stolpack"))
    let plants = try Pack(path: home.folder("plants.stolpack"))
    let cache = home.cache(plants)
    #expect(await cache.image(for: 8) == nil)
    #expect(await cache.image(for: 77)?.bytes == TestMedia.image("8"))
    #expect(await cache.image(for: 77)?.taxonID == 77)
    #expect(await cache.image(for: 100) == nil)
    // Switching back gives everything back.
    #expect(await own.image(for: 8)?.bytes == TestMedia.image("8"))
    #expect(await own.image(for: 100)?.bytes == TestMedia.image("100"))
  }

  @Test func givesTheImageOfATaxonWithAllThatIsKnownOfIt() async throws {
    let home = try Home()
    try home.add(TestMedia.container(in: home.folder))
    let image = try #require(await home.cache().image(for: 8))
    #expect(image.bytes == TestMedia.image("8") && image.type == .png && image.taxonID == 8)
    #expect(image.title == "Title of 8" && image.author == "Author")
    #expect(image.licence == "CC0-1.0" && image.source == "")
    #expect(image.packID.text == "animals")
    #expect(await home.cache().image(for: 6) == nil)
  }

  @Test func fallsBackToTheNearestAncestor() async throws {
    let home = try Home()
    let pack = try TestMedia.pack(in: home.folder)
    try home.add(TestMedia.container(in: home.folder, taxa: [1]))
    let cache = home.cache(pack)
    for id in [1, 4, 6, 8, 900, 901] as [TaxonID] {
      #expect(await cache.image(for: id)?.taxonID == 1, "\(id)")
    }
    for id in [100, 5, 0, -1, 12345] as [TaxonID] {
      #expect(await cache.image(for: id) == nil, "\(id)")
    }
    try home.add(TestMedia.container(in: home.folder, "b", id: "mammals", taxa: [4]))
    #expect(await home.cache(pack).image(for: 8)?.taxonID == 4)
    #expect(await home.cache(pack).image(for: 1)?.taxonID == 1)
  }

  @Test func mergedIDsStandForWhatTheyWereMergedInto() async throws {
    let home = try Home()
    let pack = try TestMedia.pack(in: home.folder)
    try home.add(TestMedia.container(in: home.folder, taxa: [1, 901]))
    let cache = home.cache(pack)
    #expect(await cache.image(for: 8)?.bytes == TestMedia.image("901"))
    #expect(await cache.image(for: 900)?.taxonID == 4)
    #expect(await cache.image(for: 901)?.taxonID == 4)
    #expect(await home.cache().image(for: 901)?.taxonID == 901)
  }

  @Test func followsTheTaxonomyThatAnswersNow() async throws {
    let home = try Home()
    let pack = try TestMedia.pack(in: home.folder)
    try home.add(TestMedia.container(in: home.folder, taxa: [901]))
    let current = Locked<Pack?>(nil)
    let cache = LocalMediaCache(directory: home.directory) { current.withLock { $0 } }
    #expect(await cache.image(for: 8) == nil)
    current.withLock { $0 = pack }
    #expect(await cache.image(for: 8)?.taxonID == 4)
  }

  @Test func bundledPacksAnswerAndCannotBeDeleted() async throws {
    let home = try Home()
    let bundled = try TestMedia.archive(in: home.folder, "app.stolimages", id: "app", taxa: [1, 4])
    let cache = home.cache(bundled: [bundled])
    let id = try TestMedia.id("app")
    #expect(await cache.image(for: 4)?.packID == id)
    #expect(await cache.optionalMediaStorageBytes() == 0)
    #expect(await cache.availableMediaPacks().map(\.isBundled) == [true])
    await #expect(throws: MediaError.bundled(id)) { try await cache.deleteMediaPack(id: id) }
    let missing = try TestMedia.id("none")
    await #expect(throws: MediaError.notInstalled(missing)) {
      try await cache.deleteMediaPack(id: missing)
    }
    // One of the same id that was installed goes before it, and can be deleted.
    try home.add(
      TestMedia.container(in: home.folder, id: "app", release: 2, taxa: [4], content: "new"))
    #expect(await cache.availableMediaPacks().map(\.isBundled) == [false, true])
    #expect(await cache.image(for: 4)?.bytes == TestMedia.image("4new"))
    #expect(await cache.image(for: 1)?.bytes == TestMedia.image("1"))
    #expect(await cache.optionalMediaStorageBytes() > 0)
    try await cache.deleteMediaPack(id: id)
    #expect(await cache.image(for: 4)?.bytes == TestMedia.image("4"))
    #expect(await cache.optionalMediaStorageBytes() == 0)
  }

  @Test func aBundledFileThatIsNoArchiveIsListedAsDamaged() async throws {
    let home = try Home()
    let container = try TestMedia.container(in: home.folder, "app.stol-media")
    let packs = await home.cache(bundled: [container, home.folder("missing")])
      .availableMediaPacks()
    #expect(packs.map(\.id.text) == ["app.stol-media", "missing"])
    #expect(packs.first?.damage == .notAnArchive && packs.allSatisfy(\.isBundled))
  }

  @Test func noticesWhatIsReplacedAndDeletedBehindItsBack() async throws {
    let home = try Home()
    let cache = home.cache()
    try home.add(TestMedia.container(in: home.folder))
    #expect(await cache.image(for: 8)?.bytes == TestMedia.image("8"))
    try home.add(
      TestMedia.container(in: home.folder, "b", release: 2, taxa: [4, 1, 8], content: "b"))
    #expect(await cache.image(for: 8)?.bytes == TestMedia.image("8b"))
    try home.store.delete(TestMedia.id("animals"))
    #expect(await cache.image(for: 8) == nil)
    #expect(await cache.availableMediaPacks().isEmpty)
  }

  @Test func deletingWhileImagesAreReadHarmsNobody() async throws {
    let home = try Home()
    let path = try TestMedia.container(
      in: home.folder, content: String(repeating: "x", count: 9999))
    try home.add(path)
    let cache = home.cache()
    let wanted = TestMedia.image("8" + String(repeating: "x", count: 9999))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            let image = await cache.image(for: 8)
            #expect(image == nil || image?.bytes == wanted)
          }
        }
      }
      group.addTask {
        for _ in 0..<10 {
          try? await cache.deleteMediaPack(id: TestMedia.id("animals"))
          _ = try? home.add(path)
        }
      }
    }
    #expect(await cache.availableMediaPacks().map(\.damage) == [nil])
    #expect(await cache.image(for: 8)?.bytes == wanted)
  }

  @Test func damageOnDiskIsFoundAndCanBeDeleted() async throws {
    let home = try Home()
    try home.add(TestMedia.container(in: home.folder, taxa: [8]))
    let name = "home/Media/animals.stolimages"
    let whole = try home.folder.bytes(of: name)
    let imageStart = whole.count - TestMedia.image("8").count
    for offset in whole.indices {
      var bytes = whole
      bytes[offset] ^= 1 << UInt8(offset % 8)
      try home.folder.write(bytes, to: name)
      let cache = home.cache()
      #expect(await cache.image(for: 8) == nil, "\(offset)")
      let isListedAsSound = await cache.availableMediaPacks().allSatisfy { $0.damage == nil }
      #expect(isListedAsSound == (offset >= imageStart), "\(offset)")
    }
    for length in whole.indices {
      try home.folder.write(whole[..<length], to: name)
      #expect(await home.cache().image(for: 8) == nil)
      #expect(home.store.packs.map { $0.damage == nil } == [false])
    }
    let cache = home.cache()
    try await cache.deleteMediaPack(id: TestMedia.id("animals"))
    #expect(await cache.availableMediaPacks().isEmpty)
  }

  @Test func aDamagedPackGivesWayToASoundOne() throws {
    let home = try Home()
    let path = try TestMedia.container(in: home.folder)
    try home.add(TestMedia.container(in: home.folder, "b", release: 9))
    try home.folder.write([1], to: "home/Media/animals.stolimages")
    // Which release it was is still known.
    let id = try TestMedia.id("animals")
    expectError(.downgrade(pack: id, installed: 9, offered: 1)) { try home.add(path) }
    #expect(try home.add(home.folder("b")).releaseNumber == 9)
    try home.folder.write([1], to: "home/Media/animals.stolimages")
    #expect(try home.add(path, allowingDowngrade: true).releaseNumber == 1)
  }

  @Test func theHighestReleaseIsNeverForgotten() throws {
    let home = try Home()
    let id = try TestMedia.id("animals")
    let second = try TestMedia.container(in: home.folder, "b", release: 2)
    let first = try TestMedia.container(in: home.folder)
    let changed = try TestMedia.container(in: home.folder, "c", release: 2, content: "!")
    try home.add(second)
    for _ in 0..<2 {
      expectError(.downgrade(pack: id, installed: 2, offered: 1)) { try home.add(first) }
      expectError(.downgrade(pack: id, installed: 2, offered: 2)) { try home.add(changed) }
      try? home.store.delete(id)
    }
    #expect(try home.add(second).releaseNumber == 2)
  }

  @Test func whatIsNoFileOfStolIsPassedOver() throws {
    let home = try Home()
    try home.add(TestMedia.container(in: home.folder))
    try home.folder.write([1], to: "home/Media/notes.txt")
    try home.folder.write([1], to: "home/Media/Not An ID.stolimages")
    #expect(home.store.ids.map(\.text) == ["animals"])
    // An archive under another name, a link, a folder.
    let archive = try home.folder.bytes(of: "home/Media/animals.stolimages")
    try home.folder.write(archive, to: "home/Media/other.stolimages")
    try FileManager.default.createSymbolicLink(
      atPath: home.folder("home/Media/link.stolimages"),
      withDestinationPath: "animals.stolimages")
    try FileManager.default.createDirectory(
      atPath: home.folder("home/Media/folder.stolimages"), withIntermediateDirectories: false)
    let packs = home.store.packs
    #expect(packs.map(\.id.text) == ["animals", "folder", "link", "other"])
    #expect(packs.map { $0.damage == nil } == [true, false, false, false])
    for pack in packs where pack.damage != nil { try home.store.delete(pack.id) }
    #expect(home.store.packs.map(\.damage) == [nil])
  }
}
