import Foundation
import STOLMedia
import STOLSystem
import STOLTrust
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Thumbnails in the journal")
struct ThumbnailStoreTests {
  private let home: TestJournal
  private let journal: JournalFile
  private let walk: Walk

  init() throws {
    home = try TestJournal()
    journal = try home.open()
    walk = try Walk()
    try journal.save(walk.records)
  }

  /// The photos of an oak, of files that begin with these bytes.
  private func add(_ files: [UInt8]...) throws -> [Photo] {
    let files = try files.map { try PhotoFile($0, name: "oak.jpg") }
    let photos = files.map { $0.photo(of: walk.oak.id) }
    try journal.save(photos.map { .photo($0) }, files: files)
    return photos
  }

  /// The files in the folder of thumbnails, by their paths in it.
  private var files: [String] {
    let all = FileManager.default.enumerator(atPath: journal.thumbnails.path)?.allObjects
    return (all as? [String] ?? []).filter { $0.split(separator: "/").count == 3 }.sorted()
  }

  private func digits(_ photo: Photo) -> String { "\(photo.file.sha256)" }

  @Test func aThumbnailIsMadeOnceForItsOwnerAlone() throws {
    let photo = try add(JPEGSample.halved.bytes)[0]
    #expect(files.isEmpty)
    let large = try #require(try journal.thumbnail(of: photo.file, .large))
    let small = try #require(try journal.thumbnail(of: photo.file, .small))
    let digits = digits(photo)
    let below = "\(digits.prefix(2))/\(digits.dropFirst(2))"
    #expect(files == ["512/\(below)", "64/\(below)"])
    for (size, bytes) in [(ThumbnailSize.large, large), (.small, small)] {
      let path = journal.thumbnails.path(of: photo.file.sha256, size)
      #expect(FileManager.default.contents(atPath: path) == Data(bytes))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? Int) == 0o600)
      let folder = try FileManager.default.attributesOfItem(
        atPath: String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)))
      #expect((folder[.posixPermissions] as? Int) == 0o700)
    }
    // Without the photo's file it is the kept one that is given.
    try FileManager.default.removeItem(atPath: journal.media.path(of: photo.file.sha256))
    #expect(try journal.thumbnail(of: photo.file, .large) == large)
    // One that is not whole, or is gone, is made again.
    try FileManager.default.removeItem(
      atPath: journal.thumbnails.path(of: photo.file.sha256, .large))
    #expect(throws: JournalError.self) { try journal.thumbnail(of: photo.file, .large) }
    _ = try add(JPEGSample.halved.bytes)
    for bytes in [Data(large.dropLast()), Data(large.dropFirst()), Data("other".utf8)] {
      let path = journal.thumbnails.path(of: photo.file.sha256, .large)
      try bytes.write(to: URL(fileURLWithPath: path))
      #expect(try journal.thumbnail(of: photo.file, .large) == large)
      #expect(FileManager.default.contents(atPath: path) == Data(large))
    }
  }

  @Test func thatNoneCanBeMadeIsKeptToo() throws {
    let photo = try add(PhotoSample.full.png())[0]
    for size in ThumbnailSize.allCases {
      #expect(try journal.thumbnail(of: photo.file, size) == nil)
    }
    try FileManager.default.removeItem(atPath: journal.media.path(of: photo.file.sha256))
    #expect(try journal.thumbnail(of: photo.file, .large) == nil)
  }

  @Test func thoseThatAreMissingAreMade() throws {
    let photos = try add(
      JPEGSample.halved.bytes, JPEGSample.grey.bytes, PhotoSample.full.png(),
      PhotoSample.full.jpeg(number: 7))
    // The same file is another photo too.
    let file = try PhotoFile(JPEGSample.halved.bytes, name: nil)
    try journal.save([.photo(file.photo(of: walk.bird.id))], files: [file])
    try FileManager.default.removeItem(atPath: journal.media.path(of: photos[3].file.sha256))
    let expected = ThumbnailCounts(made: 2, none: 1, lost: 1)
    #expect(try journal.makeThumbnails() == expected)
    #expect(files.count == 6)
    #expect(try journal.makeThumbnails() == expected)
  }

  /// They are no part of the record: no export has them, and no check asks for them.
  @Test func aThumbnailIsNoFact() throws {
    let photo = try add(JPEGSample.halved.bytes)[0]
    let before = try home.dump()
    _ = try journal.makeThumbnails()
    #expect(try home.dump() == before)
    #expect(try journal.check() == [])
    #expect(try journal.checkMedia() == MediaReport())
    let folder = try TemporaryFolder()
    #expect(try journal.exportMedia(to: folder.path) == 1)
    let exported = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String]
    #expect(
      exported?.filter { $0.contains("/") }.map { $0.replacing("/", with: "") } == [
        "media\(digits(photo).prefix(2))", "media\(digits(photo))",
      ])
    try FileManager.default.removeItem(atPath: journal.thumbnails.path)
    try Data().write(to: URL(fileURLWithPath: journal.thumbnails.path))
    #expect(try journal.checkMedia() == MediaReport())
    // Where none can be kept it is made each time.
    #expect(try journal.thumbnail(of: photo.file, .small) != nil)
    #expect(try journal.thumbnail(of: photo.file, .small) != nil)
  }

  @Test func aPurgeRemovesThoseThatNothingHas() throws {
    let photos = try add(JPEGSample.halved.bytes, JPEGSample.grey.bytes)
    _ = try journal.makeThumbnails()
    let kept = files.filter { $0.hasSuffix(digits(photos[1]).dropFirst(2)) }
    #expect(kept.count == 2 && files.count == 4)
    try journal.delete(photos[0].id)
    // It can come back.
    #expect(try journal.removeOrphans() == [])
    #expect(files.count == 4)
    // What a killed process left, and what belongs to nothing.
    let path = journal.thumbnails.path(of: photos[1].file.sha256, .small)
    for rest in [path + ".7.tmp", path + "0"] {
      try Data("rest".utf8).write(to: URL(fileURLWithPath: rest))
    }
    try journal.purge()
    #expect(files == kept)
    // One that is made while its photo is purged goes too.
    let orphan = try PhotoFile(JPEGSample.cmyk.bytes, name: nil)
    #expect(try journal.media.keep(orphan))
    #expect(try journal.thumbnail(of: orphan.file, .small) != nil)
    #expect(files == kept)
  }

  @Test func anAppAsksByThePhoto() async throws {
    let photos = try add(JPEGSample.halved.bytes, JPEGSample.progressive.bytes).map(\.id)
    let service = try ServiceTests.service(home)
    // Several ask for the same ones at the same time.
    let found = try await withThrowingTaskGroup(of: (JournalID, [UInt8]?).self) { group in
      for id in Array(repeatElement(photos, count: 8)).joined() {
        group.addTask { (id, try await service.thumbnail(of: id, .small)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found.count == 16)
    for (id, bytes) in found {
      let file = try journal.photo(id).file
      #expect(try bytes != nil && bytes == journal.thumbnail(of: file, .small))
    }
    #expect(files.count == 4)
    try await service.delete(photos[0])
    for id in [photos[0], walk.oak.id, JournalID()] {
      await #expect(throws: JournalError.self) { try await service.thumbnail(of: id, .small) }
    }
  }
}
