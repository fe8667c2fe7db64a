import STOL
import STOLJournal

/// What was seen, where and when: the code of the article "From a walk to a journal".
struct JournalScreen {
  let journal: any JournalService

  /// Two oaks that were seen on a walk.
  struct Walk {
    let id: JournalID
    let oak: JournalID
    let saved: SaveOutcome
    let again: SaveOutcome
  }

  func keepAWalk() async throws -> Walk {
    var wood = Place(kind: .site, name: "Beech Wood")
    wood.position = try Position(latitude: "42.45331", longitude: "-76.48070", uncertaintyM: 30)
    var walk = Event(kind: .visit, start: try LocalTime("2026-03-15T09:44"))
    walk.place = wood.id
    var oak = Occurrence(event: walk.id)
    (oak.count, oak.countKind) = (2, .exact)

    let reading = try await journal.reading(of: "quercus robur")
    let name = reading.identification(of: oak.id)

    let entry: [JournalRecord] = [
      .place(wood), .event(walk), .occurrence(oak), .identification(name),
    ]
    let saved = try await journal.save(entry)
    let again = try await journal.save(entry)
    return Walk(id: walk.id, oak: oak.id, saved: saved, again: again)
  }

  func inView() async throws -> (seen: SightingPage, life: [LifeEntry]) {
    var query = SightingQuery()
    query.bounds = try Bounds(
      southE7: 420_000_000, westE7: -770_000_000, northE7: 430_000_000, eastE7: -760_000_000)
    let page = try await journal.sightings(query)
    let life = try await journal.lifeList(SightingQuery())
    return (page, life)
  }

  /// Takes a walk away and back again; gives what was gone meanwhile.
  func deleteAndTakeBack(_ walk: JournalID) async throws -> [JournalID] {
    let deletion = try await journal.delete(walk)
    if let batch = deletion.batch { try await journal.undo(batch: batch) }
    return deletion.deleted
  }

  func importTrees(_ path: String) async throws -> [String] {
    var lines: [String] = []
    let trees = ImportSource(
      path: path,
      columns: [
        "=source=Town", "=date=2026", "id=id", "tree=name", "lat=latitude", "lon=longitude",
        "girth=girth_mm:cm",
      ])
    for try await event in journal.importing(trees, ImportOptions()) {
      switch event {
      case .began(let format, _): lines.append("a table: \(format.rawValue)")
      case .row(let row): lines.append("line \(row.line): \(row.outcome.rawValue)")
      case .finished(let summary): lines.append("\(summary.rowCount) rows")
      }
    }
    return lines
  }

  /// What is told of next.
  func nextChange(_ act: () async throws -> Void) async throws -> [JournalRecord.Kind]? {
    let changes = journal.changes
    try await act()
    for await change in changes {
      return change.records.map { $0.keys.sorted { $0.rawValue < $1.rawValue } }
    }
    return nil
  }
}
