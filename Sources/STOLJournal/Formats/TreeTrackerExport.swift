/// Writes organisms, and occurrences of none, in the layout of Tree Tracker's JSON export: a list of trees.
enum TreeTrackerExport {
  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, to sink: inout ExportSink
  ) throws -> ExportReport {
    var report = ExportReport()
    try write(RecordIndex(journal, query, sharing), to: &sink, &report)
    return report
  }

  static func write(
    _ index: RecordIndex, to sink: inout ExportSink, _ report: inout ExportReport
  ) throws {
    var count = 0
    try sink.append("[")
    func add(_ tree: String?) throws {
      guard let tree else { return report.lose("trees without a position") }
      try sink.append((count == 0 ? "\n" : ",\n") + tree)
      count += 1
    }
    for organism in index.organisms { try add(try tree(organism, index, &report)) }
    for occurrence in index.occurrences where occurrence.organism == nil {
      guard occurrence.presence == .present else {
        report.lose("occurrence of what was absent")
        continue
      }
      try add(try tree(occurrence, index, &report))
    }
    for place in index.places { try report.loseAll(of: .place(place), but: held) }
    for event in index.events.values {
      // The position of a tree may be that of its event.
      let isUsed = index.occurrences(of: event.id).contains {
        index.position(of: $0) == event.position
      }
      try report.loseAll(
        of: .event(event),
        but: held.union(["start", "utcOffsetMin", "kind"]).union(isUsed ? position : []))
      report.lose("note on an event", index.notes(on: event.id).count)
    }
    for place in index.places { report.lose("note on a place", index.notes(on: place.id).count) }
    report.lose("measures", index.measureCount)
    report.lose("photos", index.photoCount)
    try sink.append("\n]\n")
    report.add("trees", count)
  }

  /// What every tree has of any record, or needs none of.
  private static let held: Set<String> = ["id", "recordKind"]
  private static let position: Set<String> = [
    "position.latitudeE7", "position.longitudeE7", "position.uncertaintyM",
  ]

  private static func tree(
    _ organism: Organism, _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> String? {
    let occurrences = index.occurrences(of: organism.id).filter { $0.presence == .present }
    guard let place = index.position(of: organism) else { return nil }
    try report.loseAll(
      of: .organism(organism), but: held.union(position).union(["elevationCm", "collections"]))
    for occurrence in occurrences {
      try report.loseAll(of: .occurrence(occurrence), but: held.union(["event", "organism"]))
    }
    report.lose("visits after the first", max(0, occurrences.count - 1))
    let names = occurrences.flatMap { index.identifications(of: $0.id) }
    let notes = ([organism.id] + occurrences.map(\.id)).flatMap { index.notes(on: $0) }
    return try members(
      organism.id, place, organism.elevationCm, names, organism.collections, notes,
      occurrences.first.flatMap { index.time(of: $0) }, organism.privacy, index, &report)
  }

  private static func tree(
    _ occurrence: Occurrence, _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> String? {
    guard let place = index.position(of: occurrence) else { return nil }
    try report.loseAll(
      of: .occurrence(occurrence),
      but: held.union(position).union(["event", "time", "collections"]))
    return try members(
      occurrence.id, place, nil, index.identifications(of: occurrence.id), occurrence.collections,
      index.notes(on: occurrence.id), index.time(of: occurrence), occurrence.privacy, index, &report
    )
  }

  private static func members(
    _ id: JournalID, _ position: Position, _ elevationCm: Int?, _ names: [Identification],
    _ collections: Set<JournalID>, _ notes: [Note],
    _ made: (time: LocalTime, utcOffsetMin: Int?)?, _ privacy: Privacy, _ index: RecordIndex,
    _ report: inout ExportReport
  ) throws -> String {
    report.addPosition(position, isObscured: index.isShared && privacy == .obscured)
    let name = names.last
    if let name {
      try report.loseAll(
        of: .identification(name),
        but: held.union(["occurrence", "verbatimName", "cultivar", "rootstock", "match"]))
    }
    report.lose("identifications before the last", max(0, names.count - 1))
    for note in notes { try report.loseAll(of: .note(note), but: held.union(["target", "text"])) }
    report.lose("notes of their own (joined)", notes.count > 1 ? notes.count : 0)
    let joined = JoinedNotes.text(notes.map(\.text))
    report.lose("\"\(JoinedNotes.separator)\" within a note", joined.changedCount)
    let groups = index.collectionNames(collections)
    report.lose("collections after the first", max(0, groups.count - 1))
    if let made, !made.time.hasTimeOfDay || made.utcOffsetMin == nil {
      report.lose("createdAt as a moment (a local time is written)")
    }
    var tree = JSONObjectWriter()
    try tree.text("id", "\(id)")
    tree.number("latitude", position.latitudeE7, decimals: 7)
    tree.number("longitude", position.longitudeE7, decimals: 7)
    tree.number("horizontalAccuracy", position.uncertaintyM)
    tree.number("altitude", elevationCm, decimals: 2)
    try tree.text("species", name?.verbatimName ?? "")
    try tree.text("variety", name?.cultivar)
    try tree.text("rootstock", name?.rootstock)
    try tree.text("collection", groups.first)
    try tree.text(
      "createdAt", made.map { ImportTime.text($0.time, utcOffsetMin: $0.utcOffsetMin) })
    try tree.text("notes", joined.text)
    return tree.json
  }
}
