#if Encryption
import Foundation
import STOLData
import STOLStore
import STOLSystem
import STOLTrust
import TestSupport
import Testing

@testable import STOLJournal

/// A passphrase.
func secret(_ text: String) throws -> SecretBytes {
  var bytes = Array(text.utf8)
  return try #require(SecretBytes(moving: &bytes))
}

/// A journal with words and images that nothing else has, and what it says.
struct PrivateJournal {
  let home: TestJournal
  let passphrase: SecretBytes
  /// What nobody may read in a locked journal.
  let words: [String]

  /// So many entries and photos, some of which have thumbnails.
  init(entries: Int = 12, photos: Int = 4) throws {
    home = try TestJournal()
    passphrase = try secret("under the oak")
    let journal = try home.open()
    var words: Set<String> = [
      "Secretwood", "Hidden Reef", "Ada Lark", "Camera 7", "Beech Wood", "CREATE TABLE",
    ]
    let ada = Person(name: "Ada Lark")
    let places = ["Secretwood", "Hidden Reef"].map { Place(kind: .site, name: $0) }
    try journal.save([.person(ada)] + places.map { .place($0) })
    for start in stride(from: 0, to: entries, by: 100) {
      var records: [JournalRecord] = []
      for number in start..<min(entries, start + 100) {
        var event = Event(kind: .visit, start: try LocalTime("2026-03-15T09:44"))
        event.place = places[number % 2].id
        event.remarks = "remark-\(number)-remark"
        words.insert("remark-\(number)-remark")
        let seen = Occurrence(event: event.id)
        let name = Identification(occurrence: seen.id, verbatimName: "Quercus occulta")
        words.insert("Quercus occulta")
        records += [.event(event), .occurrence(seen), .identification(name)]
        if number < photos {
          // The first ones have pixels that can be decoded.
          let image = number < 2 ? JPEGSample.halved.bytes : PhotoSample.full.jpeg()
          let rest = [UInt8](repeating: 7, count: number % 8 * 30_000) + [UInt8(number % 256)]
          let file = try PhotoFile(image + rest, name: "oak-\(number).jpg")
          words.insert("oak-\(number).jpg")
          try journal.save(
            records + [.photo(file.photo(of: seen.id))], files: [file])
          records = []
        }
      }
      try journal.save(records)
    }
    _ = try journal.makeThumbnails()
    self.words = words.sorted()
  }

  var folder: String { home.directory.journal }

  func open(_ passphrase: SecretBytes? = nil) throws -> JournalFile {
    let passphrase = passphrase ?? self.passphrase
    return try home.open(passphrase: { passphrase })
  }

  /// Locks it, and gives the recovery code.
  @discardableResult
  func lock() throws -> String {
    let code = Locked("")
    let left = try JournalLock.lock(folder: folder, passphrase, .least) { text in
      code.withLock { $0 = text }
    }
    #expect(left == [])
    return code.withLock { $0 }
  }

  /// All that it says, its photos and thumbnails among that.
  func contents(_ passphrase: SecretBytes? = nil) throws -> [String] {
    let journal = try open(passphrase)
    #expect(try journal.check() == [])
    #expect(try journal.checkMedia() == MediaReport())
    var contents = [try JournalLines.text(of: journal)]
    try journal.eachPhoto { photo in
      contents.append("\(SHA256.digest(of: try journal.bytes(of: photo)))")
      for size in ThumbnailSize.allCases {
        let thumbnail = try journal.thumbnail(of: photo.file, size)
        contents.append(thumbnail.map { "\(SHA256.digest(of: $0))" } ?? "none")
      }
    }
    return contents
  }

  /// All files of the journal by their paths in its folder.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    let all = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    for path in all {
      let url = URL(fileURLWithPath: "\(folder)/\(path)")
      if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
        files[path] = try Data(contentsOf: url)
      }
    }
    return files
  }

  /// Puts these files in the place of those that are there.
  func put(_ files: [String: Data]) throws {
    try? FileManager.default.removeItem(atPath: folder)
    for (path, bytes) in files {
      let url = URL(fileURLWithPath: "\(folder)/\(path)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try bytes.write(to: url)
    }
  }

  /// The words that stand in some file, or in the name of one.
  func readableWords() throws -> [String] {
    let files = try files()
    #expect(!files.isEmpty)
    let names = Data(files.keys.joined(separator: "\n").utf8)
    let starts = [Data([0xFF, 0xD8, 0xFF]), Data("SQLite format 3".utf8), Data("Exif".utf8)]
    return files.values.flatMap { bytes in
      words.filter { bytes.range(of: Data($0.utf8)) != nil }
        + starts.filter { bytes.starts(with: $0) }.map { "\($0)" }
    } + words.filter { names.range(of: Data($0.utf8)) != nil }
  }
}
#endif
