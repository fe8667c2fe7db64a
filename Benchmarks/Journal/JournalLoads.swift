import Foundation
import STOLData
import STOLJournal
import STOLPack
import STOLTrust
import TestSupport

/// What a large journal takes: `JournalLoads VERB FOLDER PACK SEED PLACES OCCURRENCES OUTPUT`.
///
/// `make` makes one in FOLDER, whose name is Journal, `ask` asks it, `change` changes it, `lock` locks it; `photos` makes
/// another one, with as many photos as PLACES says. What each call took, in microseconds, is written into OUTPUT as JSON.
@main
struct JournalLoads {
  private enum Verb: String { case make, ask, change, lock, photos }

  private struct Usage: Error {}

  /// Events that are made at once.
  private static let pieceCount = 1_000

  private let folder: String
  private let pack: Pack
  private let placeCount: Int
  private let occurrenceCount: Int
  private var made: MadeJournal
  private let found = Found()

  /// What is written.
  private final class Found: Encodable {
    var times: [String: [Double]] = [:]
    var rows: [String: Int] = [:]
    var faults: [String] = []
    var bytes: Int64 = 0
  }

  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 7, let verb = Verb(rawValue: words[0]), let seed = UInt64(words[3]),
      let placeCount = Int(words[4]), let occurrenceCount = Int(words[5])
    else { throw Usage() }
    let pack = try Pack(path: words[2])
    var loads = JournalLoads(
      folder: words[1], pack: pack, placeCount: placeCount, occurrenceCount: occurrenceCount,
      made: MadeJournal(pack, seed: seed))
    switch verb {
    case .make: try loads.make()
    case .ask: try loads.ask()
    case .change: try loads.change()
    case .lock: try loads.lock()
    case .photos: try loads.keepPhotos(placeCount, seed: seed)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try encoder.encode(loads.found).write(to: URL(fileURLWithPath: words[6]))
  }

  private func time<Value>(_ key: String, _ call: () throws -> Value) rethrows -> Value {
    let start = ContinuousClock.now
    let value = try call()
    found.times[key, default: []].append((ContinuousClock.now - start) / .microseconds(1))
    return value
  }

  // MARK: - Locking

  /// A passphrase, which costs next to nothing to try: Argon2id is not what is measured.
  private static func passphrase() -> SecretBytes? {
    var bytes = Array("bench".utf8)
    return SecretBytes(moving: &bytes)
  }

  private func open() throws -> JournalFile {
    try JournalFile(folder: folder, passphrase: { Self.passphrase() })
  }

  private func lock() throws {
    guard folder.hasSuffix("/Journal"), let passphrase = Self.passphrase() else { throw Usage() }
    let directory = DataDirectory(override: String(folder.dropLast("/Journal".count)))
    _ = try time("lock") {
      try JournalLock.lock(in: directory, passphrase: passphrase, cost: .least) { _ in }
    }
    let journal = try open()
    found.bytes = try journal.storageBytes()
    found.faults = try journal.check()
  }

  // MARK: - Photos

  /// Different images among photos.
  private static let imageCount = 24
  private static let photosPerPage = 50
  private static let pageCount = 40

  private func keepPhotos(_ count: Int, seed: UInt64) throws {
    let photos = MadePhotos(count: min(Self.imageCount, count), seed: seed)
    let journal = try JournalFile(folder: folder)
    let event = Event(kind: .visit, start: try LocalTime("2026-03-15"))
    try journal.save([.event(event)])
    let path = "\(folder)/IMG.jpg"
    var ids: [JournalID] = []
    for number in 0..<count {
      let bytes = photos.file(number)
      found.bytes += Int64(bytes.count)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      // What a command does with each of its files.
      ids.append(
        try time("keep") {
          let file = try PhotoFile(path: path)
          let photo = try journal.photo(file, of: event.id)
          try journal.save([.photo(photo)], files: [file])
          return photo.id
        })
    }
    try FileManager.default.removeItem(atPath: path)
    // The last photos of the pages before some of all pages.
    let pages = max(1, count / Self.photosPerPage)
    let starts = stride(from: 0, to: pages, by: max(1, pages / Self.pageCount)).map { page in
      page == 0 ? nil : ids[page * Self.photosPerPage - 1]
    }
    for start in starts {
      for case .photo(let photo) in try page(after: start, journal) {
        let thumbnail = try time("thumbnail") { try journal.thumbnail(of: photo.file, .small) }
        if thumbnail == nil { found.faults.append("no thumbnail") }
      }
    }
    for start in starts {
      found.rows["page", default: 0] += try time("page") {
        let records = try page(after: start, journal)
        for case .photo(let photo) in records { _ = try journal.thumbnail(of: photo.file, .small) }
        return records.count
      }
    }
    found.rows["photos"] = ids.count
  }

  private func page(after last: JournalID?, _ journal: JournalFile) throws -> [JournalRecord] {
    try journal.photos(after: last, limit: Self.photosPerPage).map(\.record)
  }

  // MARK: - Making

  private mutating func make() throws {
    let lines = try MadeLines(folder: folder + "-lines")
    for start in stride(from: 0, to: placeCount, by: Self.pieceCount) {
      try lines.write(made.places(min(Self.pieceCount, placeCount - start)))
    }
    let events = occurrenceCount / MadeJournal.occurrencesPerEvent
    for start in stride(from: 0, to: events, by: Self.pieceCount) {
      try lines.write(try made.events(min(Self.pieceCount, events - start)))
    }
    try lines.close()
    // What a command does, which keeps the file for as long as it imports.
    let summary = try time("import") {
      try JournalFile(folder: folder).importing(JournalLinesReader(lines.chunks()))
    }
    let lineCount = placeCount + events * (1 + 2 * MadeJournal.occurrencesPerEvent)
    if summary.newRecordCount != lineCount { found.faults.append("not all imported") }
    try lines.remove()
    let journal = try JournalFile(folder: folder)
    found.bytes = try journal.storageBytes()
    found.faults = try time("check") { try journal.check() }
    found.rows["sightings"] = try journal.keyFigures().sightingCount
  }

  // MARK: - Asking

  /// Makes all places again, a few at a time, so that what is asked for is there.
  private mutating func findPlaces() {
    made.reserve(placeCount)
    let few = 50
    for start in stride(from: 0, to: placeCount, by: few) {
      _ = made.places(min(few, placeCount - start))
    }
  }

  private mutating func ask() throws {
    findPlaces()
    for _ in 0..<20 {
      try time("start") {
        let journal = try open()
        _ = try journal.sightings(page(50))
      }
    }
    let journal = try open()
    try askForViews(journal)
    try askForPages(journal)
    for _ in 0..<100 {
      let year = 2006 + Int.random(in: 0..<20, using: &made.generator)
      let days = try LocalTime("\(year)")
      found.rows["calendar"] = try time("calendar") {
        try journal.calendar(days.firstDay...days.lastDay).count
      }
    }
    for _ in 0..<20 {
      found.rows["life"] = try time("life") {
        try journal.lifeList(SightingQuery(), in: pack).count
      }
    }
    for _ in 0..<5 {
      found.rows["species"] = try time("figures") {
        _ = try journal.keyFigures()
        return try journal.speciesCount(in: pack)
      }
    }
  }

  private mutating func askForViews(_ journal: JournalFile) throws {
    for (key, hundredths) in [("places2", 200), ("places20", 2000)] {
      for _ in 0..<500 {
        var query = PlaceQuery()
        query.bounds = try made.view(hundredths: hundredths)
        found.rows[key, default: 0] += try time(key) { try journal.places(query).places.count }
      }
    }
    for (key, hundredths) in [("sightings05", 50), ("sightings2", 200)] {
      for _ in 0..<500 {
        var query = page(1000)
        query.bounds = try made.view(hundredths: hundredths)
        found.rows[key, default: 0] += try time(key) {
          try journal.sightings(query).sightings.count
        }
      }
    }
    for (key, hundredths) in [("map05", 50), ("map2", 200)] {
      for _ in 0..<500 {
        var query = SightingQuery()
        query.bounds = try made.view(hundredths: hundredths)
        found.rows[key, default: 0] += try time(key) {
          let map = try journal.map(of: query)
          return map.dots.count + map.clusters.count
        }
      }
    }
  }

  private func page(_ limit: Int) -> SightingQuery {
    var query = SightingQuery()
    query.limit = limit
    return query
  }

  private mutating func askForPages(_ journal: JournalFile) throws {
    for _ in 0..<500 {
      let text = made.beginning(Int.random(in: 3...6, using: &made.generator))
      found.rows["search", default: 0] += try time("search") {
        try journal.search(text, kinds: [.place], in: pack).hits.count
      }
    }
    for name in ["a", "qu", "pan", "sal", "homo", "aves", "lar", "eu"] {
      for _ in 0..<10 { _ = try time("searchAll") { try journal.search(name, in: pack) } }
    }
    var query = page(500)
    for _ in 0..<4 {
      let (sightings, next) = try time("page500") { try journal.sightings(query) }
      query.after = next
      for sighting in sightings {
        try time("detail") {
          _ = try journal.record(sighting.event)
          _ = try journal.parts(of: sighting.event)
        }
      }
    }
  }

  // MARK: - Changing

  private mutating func change() throws {
    let journal = try open()
    findPlaces()
    // Other numbers, so that no UUID is there already.
    made.generator = SeededGenerator(seed: ~made.generator.next())
    let count = occurrenceCount < 10_000 ? 20 : 300
    for _ in 0..<count {
      let records = try made.event()
      let outcome = try time("save") { try journal.save(records) }
      if outcome.results.contains(where: { $0 != .new }) { found.faults.append("not new") }
      guard case .event(var event)? = records.first else { continue }
      event.remarks = "changed"
      _ = try time("update") { try journal.save([.event(event)]) }
      _ = try time("delete") { try journal.delete(event.id) }
      _ = try time("undo") { try journal.undo() }
    }
    found.faults += try journal.check()
  }
}
