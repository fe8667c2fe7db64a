import Foundation
import STOLMedia
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Photos in and out")
struct PhotoImportTests {
  /// A journal with three photos of two files, and the folder that it is exported to.
  private static func exported() throws -> (
    folder: TemporaryFolder, lines: String, photos: [Photo], journal: JournalFile
  ) {
    let journal = try TestJournal().open()
    let photos = try PhotoSample.saveWalk(in: journal)
    let folder = try TemporaryFolder()
    let path = folder("journal.jsonl")
    try Data(try journal.exported(.jsonl).bytes).write(to: URL(fileURLWithPath: path))
    #expect(try journal.exportMedia(to: folder.path, for: .exact) == 2)
    return (folder, path, photos, journal)
  }

  private static func `import`(
    _ path: String, into journal: JournalFile, _ choice: PhotoChoice, isDryRun: Bool = false
  ) throws -> (summary: ImportSummary, rows: [ImportedRow]) {
    var options = ImportOptions()
    options.isDryRun = isDryRun
    var rows: [ImportedRow] = []
    let layout = try #require(
      JSONLayout.detect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))))
    let reader = try journal.reader(
      layout, try ByteChunks(path: path), photos: PhotoImport(choice, beside: path))
    let summary = try journal.importing(reader, options) { rows.append($0) }
    return (summary, rows)
  }

  @Test func filesBesideAnExportGoIn() throws {
    let (folder, path, photos, journal) = try Self.exported()
    defer { withExtendedLifetime(folder) {} }
    let other = try TestJournal().open()
    let rehearsed = try Self.import(path, into: other, .keep, isDryRun: true)
    #expect(rehearsed.summary.rowCounts[.refused] == nil && other.media.folder.paths().isEmpty)
    let (summary, _) = try Self.import(path, into: other, .keep)
    #expect(summary.rowCounts[.refused] == nil)
    #expect(try other.exported(.jsonl).bytes == journal.exported(.jsonl).bytes)
    for photo in photos { #expect(try other.bytes(of: photo) == journal.bytes(of: photo)) }
    #expect(try other.check() == [])
    #expect(try other.checkMedia() == MediaReport())
    // Once more, and where files lie no longer beside it, nothing changes.
    let (again, _) = try Self.import(path, into: other, .keep)
    #expect(again.batch == nil && again.rowCounts[.refused] == nil)
  }

  @Test func photosAreLeftOutByChoice() throws {
    let (folder, path, _, journal) = try Self.exported()
    defer { withExtendedLifetime(folder) {} }
    let other = try TestJournal().open()
    let (summary, rows) = try Self.import(path, into: other, .skip)
    #expect(summary.rowCounts[.refused] == nil && summary.rowCount == rows.count)
    let leftOut = rows.filter { $0.flags.contains { $0.reason.contains("left out") } }
    #expect(leftOut.count == 3 && leftOut.allSatisfy { $0.outcome == .flagged && $0.id == nil })
    #expect(other.media.folder.paths().isEmpty)
    #expect(try other.liveRecords().count == journal.liveRecords().count - 3)
  }

  @Test func aPhotoWithoutItsFileIsRefusedAndSpoilsNoOther() throws {
    let (folder, path, photos, _) = try Self.exported()
    defer { withExtendedLifetime(folder) {} }
    let beside = MediaFolder(path: folder("media"))
    try FileManager.default.removeItem(atPath: beside.path(of: photos[2].file.sha256))
    let bytes = PhotoSample.full.jpeg(number: 7)
    try Data(bytes).write(to: URL(fileURLWithPath: beside.path(of: photos[0].file.sha256)))
    let other = try TestJournal().open()
    let (summary, rows) = try Self.import(path, into: other, .keep)
    #expect(summary.rowCounts[.refused] == 3)
    let refusals = rows.compactMap(\.refusal)
    #expect(refusals.allSatisfy { $0.column == "file" && $0.description.contains("--photos skip") })
    #expect(refusals.count { $0.reason.contains("not the file that the record names") } == 2)
    #expect(try other.checkMedia() == MediaReport())
    #expect(try other.photos(limit: 9).isEmpty)
  }

  // MARK: - Tree Tracker

  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"

  private static func trees(_ folder: TemporaryFolder) throws -> String {
    func base64(_ number: UInt8) -> String {
      Data(PhotoSample.full.jpeg(number: number)).base64EncodedString()
    }
    try Data(PhotoSample.full.png()).write(to: URL(fileURLWithPath: folder("bark.png")))
    let path = folder("trees.json")
    try """
    [{"id": "\(id)", "latitude": 42.45331, "longitude": -76.4807, "species": "Malus domestica",
      "createdAt": "2026-03-15T14:30:22Z",
      "photos": ["\(base64(1))", {"imageData": "data:image/jpeg;base64,\(base64(2))"}, "bark.png",
        "AAAA", "../bark.png", "missing.jpg", 7],
      "notes": [{"text": "dated", "photos": ["\(base64(3))"]},
        {"text": "", "photos": ["\(base64(4))"]}]}]
    """.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func photosOfTreesGoIn() throws {
    let folder = try TemporaryFolder()
    let path = try Self.trees(folder)
    let journal = try TestJournal().open()
    let (summary, rows) = try Self.import(path, into: journal, .keep)
    #expect(summary.rowCounts == [.flagged: 1])
    let flags = rows[0].flags.filter { $0.column.hasPrefix("photos") }
    #expect(flags.map(\.column) == ["photos.3", "photos.4", "photos.5", "photos.6"])
    #expect(flags.allSatisfy { $0.reason.hasPrefix("left out: ") })
    let tree = try #require(JournalID(Self.id))
    let photos = try journal.photos(of: tree).compactMap { kept in
      if case .photo(let photo) = kept.record { photo } else { nil }
    }
    #expect(photos.count == 5)
    #expect(photos.filter { $0.target == tree }.map(\.ordinal) == [1, 1, 2, 3])
    #expect(photos.contains { $0.name == "bark.png" && $0.file.type == .png })
    #expect(photos.contains { $0.target != tree && $0.time?.text == "2026-03-15T09:44:30" })
    for photo in photos { _ = try journal.bytes(of: photo) }
    #expect(try journal.checkMedia() == MediaReport())
    // The same file again changes nothing.
    #expect(try Self.import(path, into: journal, .keep).summary.batch == nil)
  }

  @Test func photosOfTreesAreLeftOutByChoiceAndCounted() throws {
    let folder = try TemporaryFolder()
    let path = try Self.trees(folder)
    let journal = try TestJournal().open()
    let (_, rows) = try Self.import(path, into: journal, .skip)
    let flags = rows[0].flags.filter { $0.column == "photos" }
    #expect(Set(flags.map(\.value)) == ["7", "1"])
    #expect(flags.allSatisfy { $0.reason == "left out: --photos keep takes them" })
    #expect(try journal.photos(limit: 9).isEmpty && journal.media.folder.paths().isEmpty)
  }
}
