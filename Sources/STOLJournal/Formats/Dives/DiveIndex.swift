import STOLFormats

/// The records that formats of dives take, and what of the others they do not.
struct DiveIndex {
  /// Dives by when they began.
  private(set) var dives: [Event] = []
  /// Trips by their UUIDs.
  private(set) var trips: [JournalID: Event] = [:]
  private(set) var places: [JournalID: Place] = [:]
  /// Dive sites in the order of the journal.
  private(set) var sites: [Place] = []
  /// Whether it is for others, who have of what is obscured a cell of the grid alone.
  let isShared: Bool
  private var people: [JournalID: Person] = [:]
  private var notes: [JournalID: [Note]] = [:]
  private var measures: [JournalID: [Measure]] = [:]
  /// How many of what else there are.
  private var others: [String: Int] = [:]

  /// The records of a query as others may have them, or with nil as they are.
  init(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?,
    _ report: inout ExportReport
  ) throws {
    isShared = sharing != nil
    try journal.forEachRecord(of: query, by: sharing) { add($0.record) }
    finish(&report)
  }

  /// Some records as they are.
  init(of records: [JournalRecord], _ report: inout ExportReport) {
    isShared = false
    for record in records { add(record) }
    finish(&report)
  }

  private mutating func add(_ record: JournalRecord) {
    switch record {
    case .place(let it):
      places[it.id] = it
      if it.kind == .site || it.kind == .spot { sites.append(it) }
    case .event(let it):
      if it.kind == .trip {
        trips[it.id] = it
      } else if it.kind == .dive, it.status == .saved, it.start.dayNumber != nil {
        dives.append(it)
      } else if it.kind != .dive {
        others["events that are no dives", default: 0] += 1
      } else {
        others[it.status == .saved ? "dives without a day" : "drafts", default: 0] += 1
      }
    case .person(let it): people[it.id] = it
    case .note(let it): notes[it.target, default: []].append(it)
    case .measure(let it): measures[it.target, default: []].append(it)
    case .organism: others["organisms", default: 0] += 1
    case .occurrence: others["occurrences", default: 0] += 1
    case .identification: others["identifications", default: 0] += 1
    case .photo: others["photos", default: 0] += 1
    case .collection: break
    }
  }

  /// Puts the dives in their order, and counts what of the rest belongs to none of them.
  private mutating func finish(_ report: inout ExportReport) {
    dives.sort { ($0.startMs, $0.id) < ($1.startMs, $1.id) }
    let diveIDs = Set(dives.map(\.id))
    others["measures"] = measures.reduce(0) { $0 + (diveIDs.contains($1.key) ? 0 : $1.value.count) }
    let targets = diveIDs.union(trips.keys)
    others["notes that are not on dives"] = notes.reduce(0) {
      $0 + (targets.contains($1.key) ? 0 : $1.value.count)
    }
    for (what, count) in others { report.lose(what, count) }
  }

  /// The names of those who took part in a dive in some roles, in order.
  func names(of event: Event, _ roles: Participant.Role...) -> [String] {
    event.persons.filter { roles.contains($0.role) }.compactMap { people[$0.person]?.name }.sorted()
  }

  /// Those who took part in a dive in some roles.
  func persons(of event: Event, _ role: Participant.Role) -> [Person] {
    event.persons.filter { $0.role == role }.sorted().compactMap { people[$0.person] }
  }

  /// The number that was measured of a dive.
  func measure(_ type: String, of event: Event) -> Int? {
    measures[event.id]?.last { $0.type == type }?.number
  }

  /// Counts measures of a dive but for those of some types, of which the last is taken.
  func loseMeasures(of event: Event, but types: Set<String>, _ report: inout ExportReport) {
    let all = measures[event.id] ?? []
    let taken = types.intersection(all.filter { $0.number != nil }.map(\.type))
    report.lose("measures", all.count - taken.count)
  }

  /// Remarks and notes as one text.
  func remarks(of event: Event, _ report: inout ExportReport) -> String? {
    let notes = notes[event.id] ?? []
    report.lose("notes of their own (joined)", notes.count)
    let texts = ([event.remarks].compactMap { $0 } + notes.map(\.text))
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }
}

/// What a computer noted at one moment.
struct DiveMoment {
  let timeS: Int
  /// The depth, which lies between those before and behind where nobody noted it.
  var depthMm: Int
  /// Whether somebody noted the depth.
  var isDepthNoted = false
  var temperatureCk: Int?
  /// Pressures by the numbers of tanks.
  var pressureMbar: [(tank: Int, value: Int)] = []
  var events: [DiveSamples.Mark] = []
}

extension DiveSamples {
  /// All that was noted, a moment after another, with what happened or without it; of several values at one second
  /// each has a moment.
  func moments(includingEvents: Bool) -> [DiveMoment] {
    var moments: [DiveMoment] = []
    let tanks = pressureMbar.sorted { $0.key < $1.key }.map { (tank: $0.key, series: $0.value) }
    var (depth, temperature, event) = (0, 0, 0)
    var pressures = [Int](repeating: 0, count: tanks.count)
    func next(_ series: Series, _ index: Int) -> Int {
      index < series.count ? series.timeS[index] : .max
    }
    while true {
      var time = min(next(depthMm, depth), next(temperatureCk, temperature))
      for (index, tank) in tanks.enumerated() {
        time = min(time, next(tank.series, pressures[index]))
      }
      if includingEvents, event < events.count { time = min(time, events[event].timeS) }
      guard time < .max else { return moments }
      var moment = DiveMoment(timeS: time, depthMm: 0)
      if next(depthMm, depth) == time {
        (moment.depthMm, moment.isDepthNoted) = (depthMm.value[depth], true)
        depth += 1
      } else {
        moment.depthMm = depthMm.between(depth, at: time)
      }
      if next(temperatureCk, temperature) == time {
        moment.temperatureCk = temperatureCk.value[temperature]
        temperature += 1
      }
      for (index, tank) in tanks.enumerated() where next(tank.series, pressures[index]) == time {
        moment.pressureMbar.append((tank.tank, tank.series.value[pressures[index]]))
        pressures[index] += 1
      }
      if includingEvents {
        while event < events.count, events[event].timeS == time {
          moment.events.append(events[event])
          event += 1
        }
      }
      moments.append(moment)
    }
  }
}

extension DiveSamples.Series {
  /// What lies between the value before an index and the one at it, at a second between their times; that of the
  /// one that is there where the other is not, and 0 of none.
  fileprivate func between(_ index: Int, at time: Int) -> Int {
    guard index > 0 else { return value.first ?? 0 }
    guard index < count, timeS[index] > timeS[index - 1] else { return value[index - 1] }
    let (span, part) = (timeS[index] - timeS[index - 1], time - timeS[index - 1])
    return value[index - 1] + (value[index] - value[index - 1]) * part / span
  }
}
