import Foundation
import GRDB
import STOLMedia
import STOLSystem
import STOLTrust
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Photos in the journal")
struct PhotoStoreTests {
  private static func file(_ number: UInt8 = 0, name: String = "oak.jpg") throws -> PhotoFile {
    try PhotoFile(PhotoSample.full.jpeg(number: number), name: name)
  }

  /// The files beside a journal, by their paths below media.
  private static func files(_ home: TestJournal) -> [String] {
    let folder = home.path.replacing("journal.sqlite", with: "media")
    return (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
      .filter { $0.contains("/") }.sorted()
  }

  private static func path(_ file: PhotoFile) -> String {
    let digits = "\(file.file.sha256)"
    return "\(digits.prefix(2))/\(digits.dropFirst(2))"
  }

  @Test func aFileIsKeptOnceByteForByteAndForItsOwnerAlone() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let walk = try Walk()
    try journal.save(walk.records)
    let file = try Self.file()
    let targets = [walk.place.id, walk.event.id, walk.tree.id, walk.oak.id, walk.note.id]
    for target in targets {
      let photo = try journal.photo(file, of: target)
      #expect(photo.time?.text == "2026-03-15T09:44:30" && photo.utcOffsetMin == 120)
      #expect(photo.position?.uncertaintyM == 4 && photo.elevationCm == -1230)
      #expect(photo.name == "oak.jpg" && photo.file.orientation == 6)
      #expect(try journal.save([.photo(photo)], files: [file]).results == [.new])
      #expect(try journal.bytes(of: photo) == file.bytes)
      // The same again is the same.
      let again = try journal.photo(file, of: target)
      #expect(again == photo)
      #expect(try journal.save([.photo(again)], files: [file]).batch == nil)
    }
    #expect(Self.files(home) == [Self.path(file)])
    let path = journal.media.path(of: file.file.sha256)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    let folder = try FileManager.default.attributesOfItem(
      atPath: String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)))
    #expect((folder[.posixPermissions] as? Int) == 0o700)
    let rows = try home.inside { try Int.fetchOne($0, sql: "SELECT count(*) FROM media") }
    #expect(rows == 1)
    #expect(try journal.check() == [])
    #expect(try journal.checkMedia() == MediaReport())
    // A photo is of one thing that is there.
    for target in [walk.oakName.id, walk.orchard.id, walk.ada.id, JournalID()] {
      #expect(throws: JournalError.self) {
        try journal.save([.photo(file.photo(of: target))], files: [file])
      }
    }
  }

  @Test func photosOfAThingAreThoseOfItsPartsToo() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    try journal.save(walk.records)
    func add(_ number: UInt8, _ target: JournalID, ordinal: Int? = nil) throws -> JournalID {
      let file = try Self.file(number)
      var photo = try journal.photo(file, of: target)
      photo.ordinal = ordinal
      try journal.save([.photo(photo)], files: [file])
      return photo.id
    }
    let ofNote = try add(1, walk.note.id)
    let ofOak = try add(2, walk.oak.id)
    let last = try add(3, walk.tree.id)
    let second = try add(4, walk.tree.id, ordinal: 2)
    let first = try add(5, walk.tree.id, ordinal: 1)
    let ofBird = try add(6, walk.bird.id)
    func ids(_ id: JournalID) throws -> [JournalID] { try journal.photos(of: id).map(\.record.id) }
    #expect(try ids(walk.tree.id) == [first, second, last, ofNote, ofOak])
    #expect(try ids(walk.oak.id) == [ofNote, ofOak].reversed())
    #expect(try ids(walk.note.id) == [ofNote])
    #expect(try ids(walk.event.id) == [ofNote, ofOak, ofBird])
    #expect(try ids(walk.place.id) == [])
    #expect(throws: JournalError.self) { try ids(JournalID()) }
    // Pages meet.
    var (all, after): ([JournalID], JournalID?) = ([], nil)
    repeat {
      let page = try journal.photos(after: after, limit: 4).map(\.record.id)
      all += page
      after = page.last
    } while after != nil
    #expect(all == [ofNote, ofOak, last, second, first, ofBird])
    #expect(
      try journal.parts(of: walk.tree.id).map(\.record.id).suffix(3) == [last, second, first])
  }

  @Test func whatIsDeletedTakesItsPhotosAlongAndBringsThemBack() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let walk = try Walk()
    try journal.save(walk.records)
    let (a, b) = (try Self.file(1), try Self.file(2))
    let ofNote = try journal.photo(a, of: walk.note.id)
    let ofBird = try journal.photo(a, of: walk.bird.id)
    let other = try journal.photo(b, of: walk.bird.id)
    try journal.save([.photo(ofNote), .photo(ofBird), .photo(other)], files: [a, b])
    let before = try JournalLines.text(of: journal)
    try journal.delete(walk.note.id)
    #expect(try journal.record(ofNote.id)?.deletedAt != nil)
    #expect(try journal.record(ofBird.id)?.deletedAt == nil)
    try journal.undo()
    #expect(try JournalLines.text(of: journal) == before)
    // A photo that was taken away comes back as another one, or by an undo.
    try journal.delete(ofBird.id)
    let again = try journal.photo(a, of: walk.bird.id)
    #expect(again.id != ofBird.id && again.file == ofBird.file)
    try journal.undo()
    try journal.delete(walk.bird.id)
    // Until a purge all files stay.
    #expect(Self.files(home).count == 2)
    #expect(try journal.checkMedia() == MediaReport())
    #expect(try journal.purgeable().fileCount == 1)
    #expect(try journal.purge().fileCount == 1)
    #expect(Self.files(home) == [Self.path(a)])
    #expect(try journal.bytes(of: ofNote) == a.bytes)
    #expect(try journal.check() == [])
    #expect(try journal.checkMedia() == MediaReport())
    #expect(try journal.record(ofNote.id)?.record == .photo(ofNote))
  }

  @Test func whatWasAddedAndUndoneCanBeDoneAgain() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    try journal.save(walk.records)
    let file = try Self.file()
    let photo = file.photo(of: walk.oak.id)
    try journal.save([.photo(photo)], files: [file])
    let (_, by) = try journal.undo()
    #expect(try journal.record(photo.id) == nil)
    #expect(try journal.check() == [])
    try journal.undo(batch: by)
    #expect(try journal.record(photo.id)?.record == .photo(photo))
    #expect(try journal.bytes(of: photo) == file.bytes)
  }

  @Test func mergingKeepsThePhotosOfBoth() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    try journal.save(walk.records)
    var other = Occurrence(event: walk.event.id)
    other.organism = walk.tree.id
    let (a, b) = (try Self.file(1), try Self.file(2))
    let photos = [a.photo(of: walk.oak.id), b.photo(of: other.id)]
    try journal.save([.occurrence(other)] + photos.map { .photo($0) }, files: [a, b])
    try journal.merge(other.id, into: walk.oak.id)
    #expect(
      try Set(journal.photos(of: walk.oak.id).map(\.record.id)).isSuperset(of: photos.map(\.id)))
    #expect(try journal.check() == [])
  }

  @Test func aCheckFindsWhatIsMissingOtherOrTooMuch() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let walk = try Walk()
    try journal.save(walk.records)
    let files = try (1...4).map { try Self.file(UInt8($0)) }
    let photos = files.map { $0.photo(of: walk.oak.id) }
    try journal.save(photos.map { .photo($0) }, files: files)
    #expect(try journal.checkMedia() == MediaReport())
    let media = journal.media
    let paths = files.map { media.path(of: $0.file.sha256) }
    try FileManager.default.removeItem(atPath: paths[0])
    try Data("other".utf8).write(to: URL(fileURLWithPath: paths[1]))
    var bytes = files[2].bytes
    bytes[bytes.count - 1] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: paths[2]))
    let orphan = try Self.file(9)
    #expect(try media.keep(orphan))
    let rest = paths[3] + ".7.tmp"
    try Data().write(to: URL(fileURLWithPath: rest))
    let report = try journal.checkMedia()
    #expect(report.faults.count == 3)
    for (index, word) in ["cannot be read", "is not the file", "is not the file"].enumerated() {
      #expect(
        report.faults.contains { $0.contains(paths[index]) && $0.contains(word) }, "\(report)")
    }
    #expect(Set(report.orphans) == [media.path(of: orphan.file.sha256), rest])
    #expect(throws: JournalError.self) { try journal.bytes(of: photos[0]) }
    #expect(throws: JournalError.self) { try journal.bytes(of: photos[2]) }
    #expect(Set(try journal.removeOrphans()) == Set(report.orphans))
    #expect(try journal.checkMedia().orphans == [])
    // The same files again mend what is missing or other.
    for (photo, file) in zip(photos, files) { try journal.save([.photo(photo)], files: [file]) }
    #expect(try journal.checkMedia() == MediaReport())
  }

  /// A file that cannot be kept keeps its photo from being kept, and leaves nothing behind.
  @Test func aFolderThatCannotBeWrittenIsAnError() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let walk = try Walk()
    try journal.save(walk.records)
    let (a, b) = (try Self.file(1), try Self.file(2))
    // A file stands where the folder of the second one is to be.
    let place = journal.media.path(of: b.file.sha256)
    let folder = String(place.prefix(upTo: place.lastIndex(of: "/") ?? place.endIndex))
    try FileManager.default.createDirectory(
      atPath: journal.media.folder.path, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: folder))
    let records = [a, b].map { JournalRecord.photo($0.photo(of: walk.oak.id)) }
    #expect(throws: SystemError.self) { try journal.save(records, files: [a, b]) }
    #expect(try journal.photos(limit: 9).isEmpty && Self.files(home).isEmpty)
    try FileManager.default.removeItem(atPath: folder)
    // What the database refuses leaves a file that no photo has.
    #expect(throws: JournalError.self) {
      try journal.save([.photo(a.photo(of: JournalID()))], files: [a])
    }
    #expect(try journal.save(records, files: [a, b]).results == [.new, .new])
    #expect(try journal.checkMedia() == MediaReport())
  }

  @Test func filesThatAreNoPhotosAreRefusedByTheirName() throws {
    let folder = try TemporaryFolder()
    let sample = PhotoSample.full
    let cases: [(name: String, bytes: [UInt8], words: [String])] = [
      ("renamed.jpg", Array("%PDF-1.7".utf8), ["byte 0", "as no photo does", "take a JPEG"]),
      ("cut.jpg", Array(sample.jpeg().prefix(300)), ["byte 300", "ends within", "copy it"]),
      (
        "huge.png", sample.png(width: 30_000, height: 30_000), ["30000 x 30000", "save it smaller"]
      ),
      ("empty.jpg", [], ["byte 0"]),
    ]
    for (name, bytes, words) in cases {
      try Data(bytes).write(to: URL(fileURLWithPath: folder(name)))
      let error = #expect(throws: JournalError.self) { try PhotoFile(path: folder(name)) }
      for word in words + [folder(name)] {
        #expect(error?.description.contains(word) == true, "\(String(describing: error))")
      }
    }
    #expect(throws: SystemError.self) { try PhotoFile(path: folder("missing.jpg")) }
    #expect(throws: SystemError.self) { try PhotoFile(path: folder.path) }
    // The bytes say what it is, not the name.
    try Data(sample.png()).write(to: URL(fileURLWithPath: folder("oak.jpg")))
    #expect(try PhotoFile(path: folder("oak.jpg")).file.type == .png)
    // What is too large is refused before it is looked at.
    let large = folder("large.jpg")
    try Data(sample.jpeg()).write(to: URL(fileURLWithPath: large))
    let handle = try #require(FileHandle(forWritingAtPath: large))
    try handle.truncate(atOffset: UInt64(PhotoFacts.byteLimit + 1))
    try handle.close()
    let error = #expect(throws: JournalError.self) { try PhotoFile(path: large) }
    #expect(error?.description.contains("at most 67108864 bytes") == true)
  }
}
