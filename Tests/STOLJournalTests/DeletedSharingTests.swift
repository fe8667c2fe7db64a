import Foundation
import STOLData
import TestSupport
import Testing

@testable import STOLJournal

@Suite("What others may know once something is deleted")
struct DeletedSharingTests {
  private let journal: JournalFile

  init() throws { journal = try TestJournal().open() }

  private func shared() throws -> String {
    let bytes = try journal.exported(.jsonl, for: SharingTests.shared()).bytes
    return String(decoding: bytes, as: UTF8.self)
  }

  private func privacy(_ id: JournalID) throws -> Privacy? {
    try journal.record(id)?.record.privacy
  }

  /// A visit at a place of its own, with a sighting that is in a collection.
  private func sighting(
    _ kind: Event.Kind = .visit, privacy: Privacy = .private
  ) throws -> (place: Place, event: Event, seen: Occurrence, group: JournalCollection) {
    var place = Place(kind: .site, name: "Owl ledge")
    place.position = Position(latitudeE7: 424_533_100, longitudeE7: -764_807_000)
    var event = Event(kind: kind, start: try LocalTime("2026-03-15T09:44"))
    event.place = place.id
    let group = JournalCollection(name: "Owls")
    var seen = Occurrence(event: event.id)
    seen.privacy = privacy
    seen.collections = [group.id]
    try journal.save([.place(place), .event(event), .collection(group), .occurrence(seen)])
    return (place, event, seen, group)
  }

  @Test(arguments: [Privacy.private, .obscured])
  func aSightingTakesItsVisitAlong(privacy: Privacy) throws {
    let made = try sighting(privacy: privacy)
    let before = try journal.exported(.jsonl).bytes
    let (batch, deleted) = try journal.delete(made.seen.id)
    #expect(Set(deleted) == [made.seen.id, made.event.id])
    #expect(try journal.record(made.place.id)?.deletedAt == nil)
    #expect(try shared() == "")
    #expect(try journal.check() == [])
    #expect(try journal.undo().undone == batch)
    #expect(try journal.exported(.jsonl).bytes == before)
  }

  @Test func aVisitStaysThatSaysMore() throws {
    let made = try sighting(.survey)
    var visit = Event(kind: .visit, start: try LocalTime("2026-04"))
    visit.remarks = "cold"
    let seen = Occurrence(event: visit.id)
    try journal.save([.event(visit), .occurrence(seen)])
    let first = try journal.delete(made.seen.id).deleted
    #expect(first == [made.seen.id])
    #expect(try journal.delete(seen.id).deleted == [seen.id])
    // Of the survey nothing else is known than what nobody may know; of the visit everything.
    let text = try shared()
    #expect(text.contains("cold") && text.split(separator: "\n").count == 1)
  }

  @Test func whatIsThreatenedStaysSo() throws {
    let made = try sighting(.survey, privacy: .open)
    let other = Occurrence(event: made.event.id)
    let name = Identification(occurrence: made.seen.id, verbatimName: "Panthera critica")
    try journal.save([.occurrence(other), .identification(name)])
    try journal.delete(made.seen.id)
    let text = try shared()
    #expect(text.contains("0.5 degree") && !text.contains("2026-03-15"))
    #expect(!text.contains("Owl"))
    // Once it is gone for good the survey says so itself.
    try journal.purge(threatsOf: SharingJournals.pack.get())
    #expect(try journal.record(made.seen.id) == nil)
    #expect(try privacy(made.event.id) == .obscured)
    let later = try shared()
    #expect(!later.contains("2026-03-15") && !later.contains("Owl"))
    #expect(try journal.check() == [])
  }

  @Test(arguments: [Privacy.private, .obscured])
  func aPlaceLeavesItsWord(privacy: Privacy) throws {
    var made = try sighting(privacy: .open)
    made.place.privacy = privacy
    var tree = Organism()
    tree.place = made.place.id
    var pond = Place(kind: .spot, name: "Pond")
    pond.parent = made.place.id
    try journal.save([.place(made.place), .organism(tree), .place(pond)])
    let before = try journal.exported(.jsonl).bytes
    try journal.delete(made.place.id)
    for id in [made.event.id, tree.id, pond.id] { #expect(try self.privacy(id) == privacy) }
    let text = try shared()
    #expect(!text.contains("424533100") && !text.contains("2026-03-15"))
    try journal.undo()
    #expect(try journal.exported(.jsonl).bytes == before)
  }

  @Test func aHomeATripAndACollectionLeaveTheirWord() throws {
    let home = Place(kind: .home, name: "Home")
    var visit = Event(kind: .visit, start: try LocalTime("2026-03-15"))
    visit.place = home.id
    let trip = Event(kind: .trip, start: try LocalTime("2026-03"))
    var part = Event(kind: .dive, start: try LocalTime("2026-03-16"))
    part.parent = trip.id
    var group = JournalCollection(name: "Orchids")
    group.privacy = .obscured
    var tree = Organism()
    tree.collections = [group.id]
    try journal.save([
      .place(home), .event(visit), .event(trip), .event(part), .collection(group), .organism(tree),
    ])
    try journal.save([.event(trip.privately)])
    _ = try journal.delete([home.id, trip.id, group.id])
    #expect(try privacy(visit.id) == .obscured)
    #expect(try privacy(part.id) == .private)
    #expect(try privacy(tree.id) == .obscured)
    try journal.undo()
    for id in [visit.id, part.id, tree.id] { #expect(try privacy(id) == .open) }
  }

  @Test func whatIsMergedIsKeptAsBefore() throws {
    let open = try sighting(privacy: .open)
    let survey = Event(kind: .survey, start: try LocalTime("2026-05-05"))
    var other = Occurrence(event: survey.id)
    other.remarks = "secret"
    try journal.save([.event(survey.privately), .occurrence(other)])
    try journal.merge(other.id, into: open.seen.id)
    #expect(try privacy(open.seen.id) == .private)
    #expect(try !shared().contains("secret"))
    let home = Place(kind: .home, name: "Home")
    try journal.save([.place(home)])
    try journal.merge(home.id, into: open.place.id)
    #expect(try privacy(open.place.id) == .obscured)
    #expect(try !shared().contains("Owl ledge"))
  }

  @Test func draftsDoNotLeave() throws {
    var made = try sighting(.dive, privacy: .open)
    made.event.status = .draft
    made.event.remarks = "not sure"
    let note = Note(target: made.seen.id, text: "unfinished")
    try journal.save([.event(made.event), .note(note)])
    for format in [ExportFormat.jsonl, .json, .csv, .gpx] {
      let bytes = try journal.exported(format, for: SharingTests.shared()).bytes
      let text = String(decoding: bytes, as: UTF8.self)
      for word in ["not sure", "unfinished", "2026-03-15", "\(made.seen.id)"] {
        #expect(!text.contains(word), "\(format)")
      }
    }
    // Where it was is no secret for that.
    #expect(try shared().contains("Owl ledge"))
    made.event.status = .saved
    try journal.save([.event(made.event)])
    let text = try shared()
    #expect(text.contains("not sure") && text.contains("unfinished"))
  }

  @Test func whatTheDatabaseDoesNotHaveIsCounted() throws {
    let made = try sighting(privacy: .open)
    let name = Identification(
      occurrence: made.seen.id, verbatimName: "Aus bus", taxon: taxon(77, "Aus bus"), match: .exact)
    try journal.save([.identification(name)])
    let report = try journal.exported(.jsonl, for: SharingTests.shared()).report
    #expect(report.sharing.unknownCount == 1)
    #expect(report.lines.contains { $0.hasPrefix("1 occurrence is of a taxon that this database") })
    try journal.delete(made.seen.id)
    let later = try journal.exported(.jsonl, for: SharingTests.shared()).report
    #expect(later.sharing.unknownCount == 0)
  }

  /// Whatever is deleted, others know no more than before of what is left, and as much as the rules say.
  @Test(arguments: 0..<Sweep.count(few: 12, full: 1000))
  func nobodyKnowsMore(seed: Int) throws {
    let made = try SharingJournals(seed: UInt64(seed))
    var generator = SeededGenerator(seed: UInt64(seed))
    try journal.save(made.records, files: made.files)
    let kinds: Set<JournalRecord.Kind> = [.occurrence, .organism, .event, .note, .photo]
    let chosen = made.records.filter { record in
      kinds.contains(record.kind) && Int.random(in: 0..<4, using: &generator) == 0
    }
    let before = try levels()
    _ = try journal.delete(chosen.map(\.id))
    let after = try levels()
    var (records, deletedAt): ([JournalRecord], [JournalID: Date]) = ([], [:])
    for record in made.records {
      let kept = try #require(try journal.record(record.id))
      records.append(kept.record)
      deletedAt[record.id] = kept.deletedAt
    }
    let deleted = Set(deletedAt.keys)
    #expect(!deleted.isEmpty)
    let oracle = SharingOracle(records, deletedAt: deletedAt, threat: SharingJournals.threat)
    for record in records where record.privacy != nil && record.kind != .collection {
      let level = after[record.id] ?? .open
      #expect(level == oracle.level(record.id), "\(record.kind)")
      let old = before[record.id] ?? .open
      #expect(level.stricter(old) == level || deleted.contains(record.id), "\(record.kind)")
    }
    // Nobody knows more when they are gone for good either.
    try journal.purge(threatsOf: SharingJournals.pack.get())
    let left = try levels()
    for record in records where record.privacy != nil && !deleted.contains(record.id) {
      let (level, old) = (left[record.id] ?? .open, after[record.id] ?? .open)
      #expect(level.stricter(old) == level, "\(record.kind)")
    }
    let text = try shared()
    for id in deleted { #expect(!text.contains("\(id)")) }
    #expect(try journal.check() == [])
  }

  private func levels() throws -> [JournalID: Privacy] {
    let pack = try SharingJournals.pack.get()
    return try journal.read { database in
      let plan = try SharingPlan(
        database, threatened: journal.threatenedOccurrences(in: pack, database))
      let reader = RecordReader(database: database)
      return try Dictionary(
        uniqueKeysWithValues: plan.levels.map { (try reader.head($0.key).uuid, $0.value) })
    }
  }
}

extension Event {
  /// The same that nobody may know of.
  fileprivate var privately: Event {
    var event = self
    event.privacy = .private
    return event
  }
}
