import Foundation
import GRDB
import STOLData
import STOLPack
import STOLSystem
import TestSupport

@testable import STOLJournal

/// A journal of one test, removed with everything in it.
final class TestJournal: Sendable {
  private let folder: TemporaryFolder
  /// The milliseconds that the journal takes for those since 1970.
  let time: TestClock

  init(time: TestClock = TestClock()) throws {
    folder = try TemporaryFolder()
    self.time = time
  }

  var path: String { folder.path + "/Journal/journal.sqlite" }
  var directory: DataDirectory { DataDirectory(override: folder.path) }

  /// Opens it, or begins it.
  func open(
    readsBeside: Bool = false, passphrase: @escaping PassphraseSource = { nil }
  ) throws -> JournalFile {
    let time = time
    return try JournalFile(
      folder: folder.path + "/Journal", readsBeside: readsBeside, passphrase: passphrase,
      clock: { time.next() })
  }

  /// Runs `body` on the file from outside.
  func inside<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction(body)
  }

  /// What all tables hold, as one text, but for the history and for references and files, which stay when nobody uses them.
  func dump() throws -> String {
    try inside { database in
      let tables = try String.fetchAll(
        database,
        sql: """
          SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual')
            AND name NOT LIKE 'sqlite%' AND name NOT IN ('batch', 'revision', 'taxon_ref', 'media') ORDER BY name
          """)
      return try tables.map { table in
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map(\.description)
        return table + "\n" + rows.sorted().joined(separator: "\n")
      }.joined(separator: "\n")
    }
  }
}

/// A pack of cats, in which a reference of `taxon` is no taxon.
let catsPack = Result {
  let folder = try TemporaryFolder()
  return try Pack(path: try Taxonomy.compile(Taxonomy.cats, in: folder))
}

extension JournalFile {
  /// As of the pack of cats.
  func facets(of query: SightingQuery) throws -> SightingFacets {
    try facets(of: query, in: try catsPack.get())
  }

  /// Likewise.
  func search(
    _ text: String, kinds: Set<JournalRecord.Kind> = []
  ) throws -> (hits: [TextHit], isCut: Bool) {
    try search(text, kinds: kinds, in: try catsPack.get())
  }
}

/// A clock that goes on by a second whenever it is read.
final class TestClock: Sendable {
  private let milliseconds = Locked(Int64(1_700_000_000_000))

  func next() -> Int64 {
    milliseconds.withLock {
      $0 += 1000
      return $0
    }
  }

  /// Lets time go by.
  func pass(days: Int64) { milliseconds.withLock { $0 += days * 86_400_000 } }
}

/// A reference with a snapshot.
func taxon(_ number: Int, _ name: String) -> TaxonReference {
  TaxonReference(
    idSpace: "test", id: "\(number)", name: name, authorship: "L.", year: 1758, rank: "species",
    kingdoms: ["Animalia"])
}

/// A walk with two occurrences, one identified, a note and a measure: all kinds of records in one entry.
struct Walk {
  var place = Place(kind: .site, name: "Beech Wood")
  var event: Event
  var tree = Organism()
  var oak: Occurrence
  var bird: Occurrence
  var oakName: Identification
  var note: Note
  var orchard = JournalCollection(name: "Orchard")
  var ada = Person(name: "Ada Lark")
  var girth: Measure

  init() throws {
    place.position = Position(latitudeE7: 424_533_100, longitudeE7: -764_807_000, uncertaintyM: 30)
    place.tags = ["wood", "wet"]
    place.states = [.wishlist]
    event = Event(kind: .visit, start: try LocalTime("2026-03-15T09:44"))
    event.place = place.id
    event.utcOffsetMin = -240
    event.weather = "fog"
    event.persons = [Participant(person: ada.id, role: .observer)]
    tree.name = "Old oak"
    tree.place = place.id
    tree.collections = [orchard.id]
    oak = Occurrence(event: event.id)
    oak.organism = tree.id
    oak.count = 1
    oak.countKind = .exact
    bird = Occurrence(event: event.id)
    bird.time = try LocalTime("2026-03-15T10:00:30")
    bird.behaviour = "singing"
    oakName = Identification(
      occurrence: oak.id, verbatimName: "quercus robur", taxon: taxon(13, "Quercus robur"),
      match: .exact)
    note = Note(target: oak.id, text: "Two acorns,\nand galls", time: try LocalTime("2026-03"))
    girth = Measure(target: tree.id, type: "girth_mm", number: 1830)
    girth.time = event.start
  }

  var records: [JournalRecord] {
    // Those that refer to others first: the order is of no account.
    [
      .note(note), .identification(oakName), .occurrence(oak), .occurrence(bird), .organism(tree),
      .event(event), .place(place), .collection(orchard), .measure(girth), .person(ada),
    ]
  }
}

extension JournalFile {
  /// All live records, in the order in which they were kept first.
  func liveRecords() throws -> [KeptRecord] {
    try read { database in
      let reader = RecordReader(database: database)
      return try Row.fetchAll(
        database, sql: "SELECT * FROM record WHERE deleted_ms IS NULL ORDER BY id"
      ).map { KeptRecord(try reader.stored(try RecordReader.Head($0))) }
    }
  }
}

extension JournalLines {
  /// All live records of a journal, one a line, those that were kept first at first.
  static func text(of journal: JournalFile) throws -> String {
    try journal.liveRecords().map { try line(of: $0.record) + "\n" }.joined()
  }
}

extension ImportReader {
  /// All rows of the file, and why others are none.
  func all() throws -> (rows: [ImportRow], refusals: [ImportRefusal]) {
    var (rows, refusals): ([ImportRow], [ImportRefusal]) = ([], [])
    while let next = try self.next() {
      switch next {
      case .success(let row): rows.append(row)
      case .failure(let refusal): refusals.append(refusal)
      }
    }
    return (rows, refusals)
  }
}

extension JournalFile {
  /// Keeps what a file says, a row at a time: a row refers to nothing that comes later.
  func keepRows(of reader: any ImportReader) throws {
    let (rows, refusals) = try reader.all()
    guard refusals.isEmpty else { throw refusals[0] }
    for row in rows { try save(row.records, as: .import) }
  }

  /// What an export writes, for oneself unless it is for others.
  func exported(
    _ format: ExportFormat, of query: SightingQuery? = nil, for privacy: ExportPrivacy = .exact
  ) throws -> (bytes: [UInt8], report: ExportReport) {
    let bytes = Locked([UInt8]())
    let report = try export(
      format, of: query, for: privacy, by: "stol test",
      as: try DatasetDescription(licence: .by, creator: "Ada B. Lark"),
      to: { piece in bytes.withLock { $0 += piece } })
    return (bytes.withLock { $0 }, report)
  }
}
