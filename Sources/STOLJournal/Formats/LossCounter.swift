import STOLData

/// Counts what records say and a format does not hold.
///
/// What is lost of a record depends on which of its members are there, so that it is found out but once for all records
/// with the same ones.
struct LossCounter {
  /// The members that the format holds, with those in others after a point: "position.latitudeE7".
  private let held: Set<String>
  private var counts: [JournalRecord.Shape: Int] = [:]
  private var losses: [JournalRecord.Shape: ExportReport] = [:]
  /// Those of records that are like no other.
  private var others = ExportReport()

  init(but held: Set<String>) { self.held = held }

  /// Counts a record.
  ///
  /// - Throws: what JSON cannot say.
  mutating func add(_ record: JournalRecord) throws {
    guard let shape = record.shape else { return try others.loseAll(of: record, but: held) }
    counts[shape, default: 0] += 1
    guard losses[shape] == nil else { return }
    var found = ExportReport()
    try found.loseAll(of: record, but: held)
    losses[shape] = found
  }

  /// Adds what was counted to a report.
  func add(to report: inout ExportReport) {
    for (what, count) in others.losses { report.lose(what, count) }
    for (shape, count) in counts {
      guard let found = losses[shape] else { continue }
      for what in found.losses.keys { report.lose(what, count) }
    }
  }
}

extension ExportReport {
  /// Counts what all records of a kind say and a format does not hold.
  ///
  /// - Throws: `StoreError`; what JSON cannot say.
  mutating func loseAll(
    of kind: JournalRecord.Kind, in records: RecordJoin, but held: Set<String>
  ) throws {
    var counter = LossCounter(but: held)
    try records.forEach(kind) { try counter.add($0) }
    counter.add(to: &self)
  }
}

extension JournalRecord {
  /// Which members a record has, and which of them say nothing.
  struct Shape: Hashable {
    let kind: Kind
    private(set) var bits: UInt64 = 0
    private var next: UInt64 = 1

    fileprivate init(_ kind: Kind) { self.kind = kind }

    fileprivate mutating func add(_ says: Bool) {
      if says { bits |= next }
      next <<= 1
    }

    fileprivate mutating func add(_ position: Position?) {
      add(position != nil)
      add(position?.uncertaintyM != nil)
    }

    fileprivate mutating func add(_ tags: Set<String>, _ collections: Set<JournalID>) {
      add(!tags.isEmpty)
      add(!collections.isEmpty)
    }
  }

  /// The shape of a record of which there are many; nil of those that have parts of their own, as dives have.
  fileprivate var shape: Shape? {
    var shape = Shape(kind)
    switch self {
    case .occurrence(let it):
      shape.add(it.organism != nil)
      shape.add(it.position)
      shape.add(it.time != nil)
      shape.add(it.presence == .present)
      shape.add(it.count != nil)
      shape.add(it.countKind != nil)
      shape.add(it.sex != nil)
      shape.add(it.lifeStage != nil)
      shape.add(it.behaviour != nil)
      shape.add(it.establishment != nil)
      shape.add(it.minDepthMm != nil)
      shape.add(it.maxDepthMm != nil)
      shape.add(it.privacy == .open)
      shape.add(it.remarks != nil)
      shape.add(it.tags, it.collections)
    case .identification(let it):
      shape.add(it.qualifier != nil)
      shape.add(it.cultivar != nil)
      shape.add(it.rootstock != nil)
      shape.add(it.date != nil)
      shape.add(it.remarks != nil)
      shape.add(it.taxon != nil)
      shape.add(it.taxon?.idSpace != nil)
      shape.add(it.taxon?.id.isEmpty ?? true)
      shape.add(it.taxon?.name.isEmpty ?? true)
      shape.add(it.taxon?.authorship.isEmpty ?? true)
      shape.add(it.taxon?.year != nil)
      shape.add(it.taxon?.rank.isEmpty ?? true)
      shape.add(it.taxon?.kingdoms.isEmpty ?? true)
    case .note(let it): shape.add(it.time != nil)
    case .event(let it):
      guard it.dive == nil, it.persons.allSatisfy({ $0.number == nil }) else { return nil }
      shape.add(it.status == .saved)
      shape.add(it.parent != nil)
      shape.add(it.place != nil)
      shape.add(it.position)
      shape.add(it.end != nil)
      shape.add(it.utcOffsetMin != nil)
      shape.add(it.protocol != nil)
      shape.add(it.effortValue != nil)
      shape.add(it.effortUnit != nil)
      shape.add(it.isCompleteList)
      shape.add(it.weather != nil)
      shape.add(it.remarks != nil)
      shape.add(it.privacy == .open)
      shape.add(!it.persons.isEmpty)
      shape.add(it.tags, it.collections)
    case .organism(let it):
      shape.add(it.name != nil)
      shape.add(it.place != nil)
      shape.add(it.position)
      shape.add(it.elevationCm != nil)
      shape.add(it.status == .unknown)
      shape.add(it.planted != nil)
      shape.add(it.privacy == .open)
      shape.add(it.tags, it.collections)
    case .place(let it):
      guard it.diveSite == nil else { return nil }
      shape.add(it.parent != nil)
      shape.add(it.position)
      shape.add(it.elevationCm != nil)
      shape.add(it.locality != nil)
      shape.add(it.waterBody != nil)
      shape.add(it.country != nil)
      shape.add(it.privacy == .open)
      shape.add(!it.states.isEmpty)
      shape.add(it.tags, it.collections)
    case .measure, .collection, .person, .photo: return nil
    }
    return shape
  }
}
