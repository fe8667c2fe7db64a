/// What a format with a row for each occurrence holds, by the members of records.
struct OccurrenceRows {
  let place, event, organism, occurrence, name: Set<String>

  private static let note: Set<String> = ["id", "recordKind", "target", "text"]

  /// Writes the rows, and counts what is in none of them.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - sink: gets each row.
  ///   - report: what is counted.
  ///   - row: makes the row of an occurrence; nil where there is none, which it has counted.
  /// - Returns: how many there are.
  /// - Throws: `StoreError`; what `row` throws, and whoever gets the rows.
  func write(
    _ records: RecordJoin, to sink: inout ExportSink, _ report: inout ExportReport,
    row: (RecordJoin.Seen, inout ExportReport) throws -> String?
  ) throws -> Int {
    var count = 0
    var (occurrences, names, notes) = (
      LossCounter(but: occurrence), LossCounter(but: name), LossCounter(but: Self.note)
    )
    try records.forEachOccurrence { seen in
      guard let row = try row(seen, &report) else { return }
      try sink.append(row)
      count += 1
      try occurrences.add(.occurrence(seen.occurrence))
      if let name = seen.names.last { try names.add(.identification(name)) }
      for note in seen.notes { try notes.add(.note(note)) }
    }
    for counter in [occurrences, names, notes] { counter.add(to: &report) }
    try report.loseAll(of: .place, in: records, but: place)
    try report.loseAll(of: .event, in: records, but: event)
    try report.loseAll(of: .organism, in: records, but: organism)
    report.lose("note on an event", try records.noteCount(onAll: .event))
    report.lose("photos", records.photoCount)
    return count
  }
}
