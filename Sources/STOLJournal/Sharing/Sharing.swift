import GRDB
import STOLData
package import STOLPack
import STOLTrust

/// For whom an export is.
package enum ExportPrivacy: Sendable {
  /// For oneself: everything, as exactly as the journal knows it.
  case exact
  /// For others: Format/JOURNAL.md, "What others may know", by the threats that a pack states.
  case shared(Pack)
}

/// A record as others may have it.
struct SharedRecord {
  let record: JournalRecord
  /// Whether less is said than is known, under another UUID.
  var isObscured = false
  /// What was made less exact (dwc:dataGeneralizations); nil where nothing was.
  var generalizations: String?
  /// What was left out (dwc:informationWithheld); nil where nothing was.
  var withheld: String?
}

/// Makes of the records of a journal what others may have of them, for one export.
final class Sharing {
  private let pack: Pack
  private let names: SharedNames
  /// What becomes of the file of a photo, nil where nobody may have it; nil where no photo leaves.
  let copy: ((Photo) throws -> MediaFile?)?
  /// The files of photos that leave, and whether of obscured ones.
  private var files: [Digest: Bool] = [:]
  private var plan = SharingPlan()
  /// The collections of which others may know that there are such.
  private var collections: Set<JournalID> = []
  private(set) var counts = SharingCounts()
  private var counted: Set<Int64> = []
  /// The open records of which others are not told all.
  private var countedOpen: Set<Int64> = []

  init(_ pack: Pack, _ names: SharedNames, copying copy: ((Photo) throws -> MediaFile?)? = nil) {
    self.pack = pack
    self.names = names
    self.copy = copy
  }

  /// Finds out what holds in one state of the file, before anything else.
  func begin(_ journal: JournalFile, _ database: Database) throws {
    let pack = pack
    let view = pack.view
    counts.knowsThreats = Threats(in: view).areKnown(in: view)
    counts.unknownCount = try journal.unknownOccurrenceCount(in: pack, database)
    plan = try SharingPlan(
      database, threatened: journal.threatenedOccurrences(in: pack, database))
  }

  /// How exactly others may know the record with an id of the file.
  func level(of id: Int64) -> Privacy { plan.level(of: id) }

  /// The UUID under which others have a record that is obscured.
  func name(_ id: JournalID) -> JournalID { names.name(of: id) }

  /// Whether a photo may leave with a file: one that others have of something else too would say that both are near.
  func take(_ file: Digest, isObscured: Bool) -> Bool {
    if let known = files[file], known || isObscured { return false }
    files[file] = isObscured
    return true
  }

  /// Finds the collections that something open is in that is exported, or that are empty.
  func takeCollections(_ database: Database, isExported: (Int64) -> Bool) throws {
    var (open, closed): (Set<Int64>, Set<Int64>) = ([], [])
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT c.collection_id, c.record_id, r.deleted_ms IS NULL FROM collection_item c
          JOIN record r ON r.id = c.record_id
        """)
    while let row = try rows.next() {
      let (collection, record) = (try row.value(at: 0) as Int64, try row.value(at: 1) as Int64)
      let (isOpen, isLive) = (level(of: record) == .open, try row.value(at: 2) as Bool)
      if isOpen, isLive, isExported(record) {
        open.insert(collection)
      } else if isLive || !isOpen {
        closed.insert(collection)
      }
    }
    let heads = try Row.fetchCursor(
      database, sql: "SELECT * FROM record WHERE kind = 'collection' AND deleted_ms IS NULL")
    while let row = try heads.next() {
      let head = try RecordReader.Head(row)
      guard level(of: head.id) == .open, open.contains(head.id) || !closed.contains(head.id) else {
        continue
      }
      collections.insert(head.uuid)
    }
  }

  // MARK: - Records

  /// What others may have of a record; nil for nothing.
  func shared(
    _ record: JournalRecord, _ head: RecordReader.Head, _ reader: RecordReader
  ) throws -> SharedRecord? {
    let found: SharedRecord?
    switch (record, try level(of: record, head, reader)) {
    case (.photo(let photo), let level): found = try shared(photo, level, reader)
    case (_, .open): found = try open(record, head, reader)
    case (_, .obscured): found = try obscured(record, head, reader)
    case (_, .private): found = nil
    }
    // In a table an event stands in a row for each of its occurrences.
    if found?.isObscured ?? true, counted.insert(head.id).inserted {
      counts.add(to: found == nil ? \.withheld : \.generalised, record.kind.rawValue)
      if found == nil, record.position != nil { counts.withheldPositionCount += 1 }
    }
    return found
  }

  /// How exactly others may know a record, or what it says something about.
  func level(
    of record: JournalRecord, _ head: RecordReader.Head, _ reader: RecordReader
  ) throws -> Privacy {
    let owner: JournalID
    switch record {
    case .identification(let it): owner = it.occurrence
    case .note(let it): owner = it.target
    case .measure(let it): owner = it.target
    case .photo(let it): return try level(of: it, head, reader)
    case .person: return .private
    case .collection(let it): return collections.contains(it.id) ? .open : .private
    case .place, .event, .organism, .occurrence: return level(of: head.id)
    }
    guard let other = try reader.head(owner) else { return .private }
    return level(of: head.id).stricter(level(of: other.id))
  }

  /// An open record without those that others may not know.
  private func open(
    _ record: JournalRecord, _ head: RecordReader.Head, _ reader: RecordReader
  ) throws -> SharedRecord {
    var record = record
    record.collections.formIntersection(collections)
    if case .identification(let identification) = record {
      let shared = identification.withoutIdentifier
      guard shared != identification else { return SharedRecord(record: record) }
      if countedOpen.insert(head.id).inserted {
        counts.add(to: \.withheld, "identification.remarks")
      }
      return SharedRecord(record: .identification(shared), withheld: "who identified it")
    }
    guard case .event(var event) = record else { return SharedRecord(record: record) }
    if let parent = event.parent, let head = try reader.head(parent), level(of: head.id) != .open {
      event.parent = nil
    }
    var (withheld, members): ([String], [String]) = ([], [])
    if !event.persons.isEmpty {
      event.persons = []
      members.append("event.persons")
      withheld.append("who took part")
    }
    if let dive = event.dive, dive.isTraceable {
      event.dive = dive.untraceable
      members.append("event.dive.logs.serial")
      withheld.append("which dive computer it was")
    }
    // Whoever looks one up again is told the same once more.
    if !members.isEmpty, countedOpen.insert(head.id).inserted {
      for member in members { counts.add(to: \.withheld, member) }
    }
    return SharedRecord(
      record: .event(event), withheld: withheld.isEmpty ? nil : withheld.joined(separator: ", "))
  }

  /// A record of which nothing is left that somebody wrote in words of his own.
  private func obscured(
    _ record: JournalRecord, _ head: RecordReader.Head, _ reader: RecordReader
  ) throws -> SharedRecord? {
    let isWide = plan.wide.contains(head.id)
    switch record {
    case .event(let event):
      var shared = Event(id: name(event.id), kind: event.kind, start: try month(event.start))
      shared.status = event.status
      shared.privacy = .obscured
      shared.position = plan.cells[head.id]
      return made(.event(shared), isWide)
    case .organism(let organism):
      var shared = Organism(id: name(organism.id))
      shared.status = organism.status
      shared.planted = try organism.planted.map(month)
      shared.privacy = .obscured
      shared.position = plan.cells[head.id]
      return made(.organism(shared), isWide)
    case .occurrence(let occurrence):
      return made(.occurrence(try obscured(occurrence, head, reader)), isWide)
    case .identification(let identification):
      return try obscured(identification, head, reader).map {
        SharedRecord(record: .identification($0), isObscured: true)
      }
    case .place, .note, .measure, .collection, .person, .photo: return nil
    }
  }

  private func obscured(
    _ occurrence: Occurrence, _ head: RecordReader.Head, _ reader: RecordReader
  ) throws -> Occurrence {
    var shared = Occurrence(id: name(occurrence.id), event: name(occurrence.event))
    // An individual that others may know exactly would say where this was.
    if let organism = occurrence.organism, let head = try reader.head(organism),
      level(of: head.id) == .obscured
    {
      shared.organism = name(organism)
    }
    shared.position = plan.cells[head.id]
    shared.time = try occurrence.time.map(month)
    shared.presence = occurrence.presence
    (shared.count, shared.countKind) = (occurrence.count, occurrence.countKind)
    shared.establishment = occurrence.establishment
    shared.privacy = .obscured
    return shared
  }

  /// The identification that holds, in the words of a database: others may be of anybody's.
  private func obscured(
    _ identification: Identification, _ head: RecordReader.Head, _ reader: RecordReader
  ) throws -> Identification? {
    let last = try Int64.fetchOne(
      reader.database.cachedStatement(
        sql: """
          SELECT max(id) FROM identification WHERE occurrence_id = (
            SELECT occurrence_id FROM identification WHERE id = ?)
          """), arguments: [head.id])
    guard last == head.id, let taxon = identification.taxon, !taxon.name.isEmpty else { return nil }
    var shared = Identification(
      id: name(identification.id), occurrence: name(identification.occurrence),
      verbatimName: taxon.name, taxon: taxon, match: identification.match)
    shared.qualifier = identification.qualifier.map(Self.known)
    shared.date = try identification.date.map(month)
    return shared
  }

  private func made(_ record: JournalRecord, _ isWide: Bool) -> SharedRecord {
    SharedRecord(
      record: record, isObscured: true,
      generalizations: "position: the centre of a cell of \(isWide ? "0.5" : "0.1") degree; "
        + "times: the month",
      withheld: "exact place and time, names, words of its own, measures, persons, collections")
  }

  /// The month of a time, or its year where no more is known.
  private func month(_ time: LocalTime) throws -> LocalTime {
    try LocalTime(String(time.text.prefix(7)))
  }

  /// What of a qualifier is open nomenclature; a doubt for the rest.
  private static func known(_ qualifier: String) -> String {
    let words = qualifier.split(separator: " ").map(String.init).filter(openNomenclature.contains)
    return words.isEmpty ? "?" : words.joined(separator: " ")
  }

  private static let openNomenclature: Set<String> = [
    "sp.", "spp.", "cf.", "aff.", "agg.", "s.l.", "s.str.", "?",
  ]
}

/// What an export for others made less exact, and what it left out.
public struct SharingCounts: Equatable, Sendable {
  /// The records of which less is said, by kind.
  public fileprivate(set) var generalised: [String: Int] = [:]
  /// The records that are left out, by kind; "event.persons" for events without those who took part,
  /// "event.dive.logs.serial" for those without what tells a dive computer from others, "identification.remarks"
  /// for names without those who gave them.
  public fileprivate(set) var withheld: [String: Int] = [:]

  /// How many of the records that are left out say where something is.
  public fileprivate(set) var withheldPositionCount = 0

  /// Whether the database says of any taxon that it is threatened.
  public fileprivate(set) var knowsThreats = true

  /// How many live occurrences were identified as a taxon that the database does not have.
  public fileprivate(set) var unknownCount = 0

  /// Nothing.
  public init() {}

  fileprivate mutating func add(
    to path: WritableKeyPath<SharingCounts, [String: Int]>, _ what: String
  ) {
    self[keyPath: path][what, default: 0] += 1
  }

  /// One line for each of the two that says something, and one where the database knows no threats or not all taxa.
  public var lines: [String] {
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
    }
    var lines: [String] = []
    if !generalised.isEmpty {
      lines.append("only the cell of the grid and the month of: " + list(generalised))
    }
    if !withheld.isEmpty { lines.append("left out for others: " + list(withheld)) }
    if !knowsThreats {
      lines.append(
        "this database says of no taxon that it is threatened: nothing is kept from others but what "
          + "'stol journal privacy' says")
    }
    if knowsThreats, unknownCount > 0 {
      lines.append(
        "\(unknownCount) occurrence\(unknownCount == 1 ? " is of a taxon" : "s are of taxa") that this "
          + "database does not have: whether that is threatened is known by its name alone")
    }
    return lines
  }
}
