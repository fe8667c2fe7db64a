import STOLFormats
import STOLSystem

/// What a FIT file says of dives, of which it may have several.
struct FITDives {
  /// A number of the profile of FIT.
  private enum Message: Int {
    case fileID = 0
    case session = 18
    case record = 20
    case event = 21
    case activity = 34
    case settings = 258
    case gas = 259
    case summary = 268
    case tankUpdate = 319
    case tankSummary = 323
  }

  /// A dive, or what is known of it.
  struct Session {
    var start: Int
    /// What its summary calls it.
    var index: Int?
    /// How long it was, in milliseconds.
    var elapsedMs: Int?
    var subSport: Int?
    var position: Position?
    var maxDepthMm: Int?
    var meanDepthMm: Int?
    var number: Int?
  }

  private var sessions: [Session] = []
  private var sports: Set<Int> = []
  private var fileType: Int?
  private var log = Dive.Log()
  private var offsetMin: Int?
  private var summaries: [FITMessage] = []
  /// How many sessions there are, of whatever sport.
  private var sessionCount = 0
  private var settings: FITMessage?
  private var gases: [(o2Permille: Int?, hePermille: Int?, isDiluent: Bool)] = []
  /// Times with depths in millimetres, temperatures, pressures by sensor, and events.
  private var depths: [(time: Int, value: Int)] = []
  private var temperatures: [(time: Int, value: Int)] = []
  private var pressures: [(time: Int, sensor: Int, value: Int)] = []
  private var events: [(time: Int, mark: DiveSamples.Mark)] = []
  /// What sensors of tanks say at the end.
  private var tankSummaries: [(time: Int?, sensor: Int, start: Int?, end: Int?)] = []
  private var left: Set<String> = []

  /// What FIT counts its seconds from, 1989-12-31T00:00:00Z.
  private static let epoch = 631_065_600
  private static let diving = 53
  /// No file has so many dives, gases or sensors.
  private static let listLimit = 64
  private static let summaryLimit = listLimit * listLimit

  mutating func take(_ message: FITMessage) {
    guard let kind = Message(rawValue: message.number) else { return }
    let time = message.time.map(Int.init)
    switch kind {
    case .fileID:
      fileType = message.integer(0)
      var words = ImportWords()
      let maker = message.integer(1).map { Self.makers[$0] ?? "manufacturer \($0)" }
      let product = message.integer(2).map { "product \($0)" }
      log.model = words.name(
        message.text(8) ?? [maker, product].compactMap { $0 }.joined(separator: ", "), "file_id")
      log.serial = message.integer(3).map(String.init)
    case .session: takeSession(message)
    case .record: if let time { takeRecord(message, time) }
    case .event: if let time { takeEvent(message, time) }
    case .activity:
      // Clocks differ from UTC by minutes; a difference that no clock has is none.
      if let time, let local = message.integer(5), abs(local - time) <= 18 * 3600,
        (local - time) % 60 == 0
      {
        offsetMin = (local - time) / 60
      }
    case .settings: settings = message
    case .gas:
      // Those that are switched off were not there.
      guard message.integer(2) != 0, gases.count < Self.listLimit else { return }
      gases.append(
        (
          message.integer(1).map { $0 * 10 }, message.integer(0).map { $0 * 10 },
          message.integer(3) == 1
        ))
    case .summary:
      if message.integer(0) == Message.session.rawValue, summaries.count < Self.listLimit {
        summaries.append(message)
      }
    case .tankUpdate:
      guard let time, let sensor = message.integer(0), let pressure = message.integer(1) else {
        return
      }
      pressures.append((time, sensor, pressure * 10))
    case .tankSummary:
      guard let sensor = message.integer(0) else { return }
      if tankSummaries.count < Self.summaryLimit {
        tankSummaries.append(
          (time, sensor, message.integer(1).map { $0 * 10 }, message.integer(2).map { $0 * 10 }))
      }
      if message.has(3) { left.insert("tank_summary.volume_used") }
    }
  }

  private static let makers = [1: "Garmin", 23: "Suunto", 123: "Polar", 294: "Coros"]

  private mutating func takeSession(_ message: FITMessage) {
    if let sport = message.integer(5) { sports.insert(sport) }
    sessionCount += 1
    guard message.integer(5) == Self.diving, let start = message.integer(2),
      sessions.count < Self.listLimit
    else { return }
    var session = Session(start: start, index: message.integer(254) ?? sessionCount - 1)
    session.elapsedMs = message.integer(7)
    session.subSport = message.integer(6)
    if let latitude = message.integer(3), let longitude = message.integer(4) {
      // Of 2^31 for half a turn.
      func degrees(_ value: Int) -> Int { (value * 1_800_000_000 + (1 << 30)) >> 31 }
      if max(latitude.magnitude, longitude.magnitude) <= 1 << 31 {
        let position = Position(latitudeE7: degrees(latitude), longitudeE7: degrees(longitude))
        if (try? position.validate()) != nil { session.position = position }
      }
    }
    session.meanDepthMm = message.integer(140)
    session.maxDepthMm = message.integer(141)
    session.number = message.integer(156)
    sessions.append(session)
  }

  private mutating func takeRecord(_ message: FITMessage, _ time: Int) {
    if let depth = message.integer(92) { depths.append((time, depth)) }
    if let celsius = message.integer(13) { temperatures.append((time, celsius * 100 + 27_315)) }
    for (number, what) in Self.unread where !left.contains(what) && message.has(number) {
      left.insert(what)
    }
  }

  private static let unread: KeyValuePairs<UInt8, String> = [
    0: "record.position", 3: "record.heart_rate", 94: "record.next_stop_time",
    95: "record.time_to_surface", 96: "record.ndl_time", 97: "record.cns_load",
    91: "record.absolute_pressure",
  ]

  private mutating func takeEvent(_ message: FITMessage, _ time: Int) {
    switch message.integer(0) {
    case 56?:
      let what = message.integer(3).map { "alert \($0)" } ?? "alert"
      events.append((time, DiveSamples.Mark(timeS: 0, what: what)))
    case 57?:
      // Gases are counted from 0.
      let tank = message.integer(3).flatMap {
        (0..<JournalLimits.listCount).contains($0) ? $0 + 1 : nil
      }
      events.append((time, DiveSamples.Mark(timeS: 0, what: "gaschange", tank: tank)))
    default: left.insert("event")
    }
  }

  /// The dives: the sessions that are such, else one where depths are without any, as in a file that is cut.
  var dives: [Session] {
    if !sessions.isEmpty { return sessions }
    guard sports.isEmpty, let first = depths.map(\.time).min() else { return [] }
    return [Session(start: first)]
  }

  /// What the file is of, where it is of no dive.
  var what: String {
    if let sport = sports.min() { return "it is of the sport \(sport) of FIT, and diving is 53" }
    return fileType.map { "it is a file of the type \($0) of FIT, without depths" }
      ?? "it is without depths"
  }

  /// The times of which messages are of a dive: all of them, where it is alone in its file.
  private func span(of session: Session) -> Range<Int> {
    guard sessionCount > 1 else { return .min..<(.max) }
    let next = sessions.map(\.start).filter { $0 > session.start }.min() ?? .max
    return session.start..<next
  }

  /// What the computer has worked out of a dive.
  private func summary(of session: Session) -> FITMessage? {
    guard sessionCount > 1 else { return summaries.last }
    let span = span(of: session)
    return summaries.last { message in
      if let index = message.integer(1) { return index == session.index }
      return message.time.map { span.contains(Int($0)) } ?? false
    }
  }

  /// The sensors of tanks of a dive in the order in which they come, with the pressures at start and end.
  private func sensors(
    _ span: Range<Int>
  ) -> [(sensor: Int, start: Int?, end: Int?)] {
    var sensors: [(sensor: Int, start: Int?, end: Int?)] = []
    for (time, sensor, _) in pressures
    where span.contains(time) && !sensors.contains(where: { $0.sensor == sensor }) {
      if sensors.count < Self.listLimit { sensors.append((sensor, nil, nil)) }
    }
    for (time, sensor, start, end) in tankSummaries
    where (time.map { span.contains($0) } ?? (sessionCount < 2)) {
      if let index = sensors.firstIndex(where: { $0.sensor == sensor }) {
        sensors[index] = (sensor, start, end)
      } else if sensors.count < Self.listLimit {
        sensors.append((sensor, start, end))
      }
    }
    return sensors
  }

  /// What is known of a dive.
  func draft(of session: Session, number: Int) throws(ImportRefusal) -> DiveDraft {
    let span = span(of: session)
    var end = span.upperBound
    if sessionCount > 1, let elapsedMs = session.elapsedMs {
      end = session.start + elapsedMs / 1000
    }
    let (summary, sensors) = (summary(of: session), sensors(span))
    let seconds = session.start + Self.epoch + (offsetMin ?? 0) * 60
    guard let start = try? LocalTime(timeText(secondsSince1970: seconds)) else {
      throw ImportRefusal(
        line: number, column: "session.start_time", value: "\(session.start)",
        reason: "is no time", remedy: "seconds since 1989-12-31")
    }
    var event = Event(
      id: JournalID(naming: ["fit", "dive", log.serial ?? "", "\(session.start)"]), kind: .dive,
      start: start)
    event.utcOffsetMin = offsetMin ?? 0
    event.position = session.position
    var draft = DiveDraft(event, line: number)
    for what in left { draft.leave(what) }
    draft.dive.number = session.number ?? summary?.integer(10)
    if draft.dive.number == 0 { draft.dive.number = nil }
    draft.dive.durationS = session.elapsedMs.map { ($0 + 500) / 1000 }
    draft.dive.maxDepthMm = summary?.integer(3) ?? session.maxDepthMm
    draft.dive.meanDepthMm = summary?.integer(2) ?? session.meanDepthMm
    draft.dive.bottomS = summary?.integer(11).map { ($0 + 500) / 1000 }
    switch session.subSport {
    case 53?, 54?: draft.dive.mode = .openCircuit
    case 55?: draft.dive.mode = .gauge
    case 56?, 57?: draft.dive.mode = .free
    case 63?: draft.dive.mode = .closedCircuit
    default: break
    }
    if let density = settings?.decimal(5), (1...9999).contains(density) {
      draft.addMeasure("x-water_density_g_l", Int(density.rounded()))
    }
    addTanks(sensors, &draft)
    var log = log
    log.fingerprint = "\(session.start)"
    let all = samples(from: session.start, to: end, sensors.map(\.sensor), &draft)
    draft.add(log, all, "record")
    return draft
  }

  private func addTanks(
    _ sensors: [(sensor: Int, start: Int?, end: Int?)], _ draft: inout DiveDraft
  ) {
    for index in 0..<max(gases.count, sensors.count) {
      var tank = Dive.Tank()
      if sensors.indices.contains(index) {
        (tank.startMbar, tank.endMbar) = (sensors[index].start, sensors[index].end)
      }
      // Nobody says which gas a sensor is at, but where there is one alone.
      let gas = gases.count == 1 ? gases[0] : gases.indices.contains(index) ? gases[index] : nil
      tank.o2Permille = gas?.o2Permille
      tank.hePermille = gas?.hePermille == 0 ? nil : gas?.hePermille
      if gas?.isDiluent == true { tank.use = .diluent }
      draft.add(tank, "dive_gas")
    }
  }

  private func samples(
    from start: Int, to end: Int, _ sensors: [Int], _ draft: inout DiveDraft
  ) -> DiveSamples {
    var samples = DiveSamples()
    var oddCount = 0
    func second(_ time: Int) -> Int? {
      guard time <= end else { return nil }
      guard time >= start, time - start <= DiveSamples.lastSecond else {
        // They may be of an earlier dive.
        if sessionCount < 2 { oddCount += 1 }
        return nil
      }
      return time - start
    }
    for (time, depth) in depths {
      guard let time = second(time) else { continue }
      let isKept = (0...12_000_000).contains(depth) && samples.depthMm.append(depth, at: time)
      if !isKept { oddCount += 1 }
    }
    for (time, temperature) in temperatures {
      guard let time = second(time) else { continue }
      let isKept =
        (20_000...40_000).contains(temperature)
        && samples.temperatureCk.append(temperature, at: time)
      if !isKept { oddCount += 1 }
    }
    draft.dive.waterMinCk = samples.temperatureCk.value.min()
    for (time, sensor, pressure) in pressures {
      guard let time = second(time), let index = sensors.firstIndex(of: sensor)
      else { continue }
      let isKept =
        (0...500_000).contains(pressure)
        && samples.pressureMbar[index + 1, default: DiveSamples.Series()].append(pressure, at: time)
      if !isKept { oddCount += 1 }
    }
    for (time, mark) in events {
      guard let time = second(time) else { continue }
      var mark = mark
      mark.timeS = time
      samples.events.append(mark)
    }
    samples.events = samples.events.enumerated().sorted {
      ($0.element.timeS, $0.offset) < ($1.element.timeS, $1.offset)
    }.map(\.element)
    if oddCount > 0 {
      draft.flag(
        "records", "\(oddCount)",
        "left out: before the dive or an earlier one, or what cannot be")
    }
    return samples
  }
}
