/// What a file would say of records that are kept, had nobody changed it since the journal wrote it.
///
/// So what a format has no place for, says less exactly or joins to something else is no change, whatever it is: a file
/// says anew what it says otherwise than this, and nothing else.
struct FormatEcho {
  private let kept: [JournalID: JournalRecord]
  /// Several of one record, where other rows have but a name of it.
  private var echoes: [JournalID: [JournalRecord]] = [:]
  /// The UUIDs in the journal of what has another one in the file, as a person whose name is all that stands there.
  private var names: [JournalID: JournalID] = [:]
  private var tree: KeptTree?

  /// The echo of some records.
  ///
  /// - Parameters:
  ///   - records: the records, with all that the format joins to them, in the order of their rows.
  ///   - format: the format.
  /// - Throws: what writing them throws.
  init(of records: [JournalRecord], in format: RoundTripFormat) throws {
    kept = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
    var coming = try format.comingBack(records)
    if format == .treetracker {
      tree =
        coming.compactMap { record in
          if case .organism(let tree) = record { KeptTree(tree.id, among: records) } else { nil }
        }.first
      coming = tree?.records(of: coming) ?? coming
    }
    for record in coming where kept[record.id] == nil {
      names[record.id] = Self.namesake(of: record, among: records)
    }
    for record in coming.map(renamed) { echoes[record.id, default: []].append(record) }
  }

  /// The records of a row as they will be: what is kept, with what the row says anew.
  ///
  /// - Parameter records: what the row says.
  /// - Returns: its records, without those of which the journal has all in others.
  /// - Throws: `JournalError.invalid` where what it says does not fit what is kept.
  func news(of records: [JournalRecord]) throws -> [JournalRecord] {
    var found: [JournalRecord] = []
    for record in (tree?.records(of: records) ?? records).map(renamed) {
      guard !found.contains(where: { $0.id == record.id }) else { continue }
      let all = echoes[record.id] ?? []
      guard let echo = all.first(where: { $0 == record }) ?? all.first, echo.kind == record.kind
      else {
        found.append(record)
        continue
      }
      // The UUID of an identification is made of all that it says.
      if record.kind == .identification { continue }
      if let kept = kept[record.id], kept.kind == record.kind {
        found.append(try record.news(since: echo, on: kept))
      } else if record != echo {
        found.append(record)
      }
    }
    return found
  }

  // MARK: - Other UUIDs

  private func renamed(_ record: JournalRecord) -> JournalRecord {
    guard !names.isEmpty else { return record }
    var record = record
    for (_, id, _) in record.references {
      if let name = names[id] { record = record.replacing(id, by: name) }
    }
    guard let id = names[record.id] else { return record }
    switch record {
    case .place(var place):
      place.id = id
      return .place(place)
    case .person(var person):
      person.id = id
      return .person(person)
    case .measure(var measure):
      measure.id = id
      return .measure(measure)
    default: return record
    }
  }

  /// The record that is meant by one that is there under another UUID: of its kind and name, or what was measured.
  private static func namesake(
    of record: JournalRecord, among kept: [JournalRecord]
  ) -> JournalID? {
    switch record {
    case .person(let person):
      return kept.first { other in
        guard case .person(let other) = other else { return false }
        return plain(other.name) == plain(person.name)
      }?.id
    case .place(let place):
      let places = kept.compactMap { other -> Place? in
        guard case .place(let other) = other else { return nil }
        return plain(other.name) == plain(place.name) ? other : nil
      }
      return (places.first { $0.kind == place.kind } ?? places.first)?.id
    case .measure(let measure):
      return kept.last { other in
        if case .measure(let other) = other {
          (other.target, other.type, other.number) == (measure.target, measure.type, measure.number)
        } else {
          false
        }
      }?.id
    default: return nil
    }
  }

  /// A name as formats have it in which a comma parts names, and white space is of no account.
  private static func plain(_ name: String) -> [Substring] {
    name.replacing(",", with: ";").split(whereSeparator: \.isWhitespace)
  }
}

/// A tree of a file that the journal keeps otherwise than one that came from there: an individual that was seen in
/// events of the journal's own, or what was seen and is no individual.
private struct KeptTree {
  private let id: JournalID
  /// When it was seen first, or itself.
  private let seen: Occurrence
  /// The occurrence whose name it has in the file.
  private let named: JournalID
  private let isIndividual: Bool

  /// - Returns: nil for one that is kept as it is in a file, or not at all.
  init?(_ id: JournalID, among kept: [JournalRecord]) {
    let index = RecordIndex(of: kept)
    self.id = id
    if let seen = index.occurrences.first(where: { $0.id == id }) {
      guard seen.organism == nil else { return nil }
      (self.seen, named, isIndividual) = (seen, id, false)
      return
    }
    let visits = index.occurrences(of: id).filter { $0.presence == .present }
    guard let first = visits.first, !visits.contains(where: { $0.id == id.derived("occurrence") })
    else { return nil }
    let last = visits.last { !index.identifications(of: $0.id).isEmpty }
    (seen, named, isIndividual) = (first, last?.id ?? first.id, true)
  }

  /// The records of the tree as the journal has them; when it was seen is said of the occurrence, for others may have
  /// been seen in the same event.
  func records(of records: [JournalRecord]) -> [JournalRecord] {
    var (organism, start): (Organism?, LocalTime?)
    for record in records {
      if case .organism(let it) = record, it.id == id { organism = it }
      if case .event(let it) = record, it.id == id.derived("event") { start = it.start }
    }
    return records.compactMap { record in
      switch record {
      case .organism(let it) where it.id == id && !isIndividual: return nil
      case .event(let it) where it.id == id.derived("event"): return nil
      case .occurrence(var it) where it.id == id.derived("occurrence"):
        (it.id, it.event, it.time) = (seen.id, seen.event, start)
        if !isIndividual {
          it.organism = nil
          it.position = organism?.position
          it.collections = organism?.collections ?? []
        }
        return .occurrence(it)
      case .identification(var it):
        it.occurrence = named
        return .identification(it)
      default: return record
      }
    }
  }
}
