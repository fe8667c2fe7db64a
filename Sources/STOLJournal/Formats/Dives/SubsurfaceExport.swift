import STOLSystem

/// Writes dives, trips and dive sites as a log of Subsurface, version 3; see `SubsurfaceReader`.
///
/// UUIDs stand in attributes `stol`, which Subsurface passes over.
struct SubsurfaceExport {
  private let index: DiveIndex
  private var report = ExportReport()
  private var xml = XMLText()
  /// What sites are called by in the file: eight hexadecimal digits, each once.
  private var keys: [JournalID: String] = [:]
  private var takenKeys: Set<String> = []

  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, to sink: inout ExportSink
  ) throws -> ExportReport {
    var report = ExportReport()
    return try write(try DiveIndex(journal, query, sharing, &report), report, to: &sink)
  }

  static func write(
    _ index: DiveIndex, _ report: ExportReport, to sink: inout ExportSink
  ) throws -> ExportReport {
    var export = SubsurfaceExport(index: index, report: report)
    try export.write(to: &sink)
    return export.report
  }

  private init(index: DiveIndex, report: ExportReport) {
    (self.index, self.report) = (index, report)
  }

  private mutating func write(to sink: inout ExportSink) throws {
    try sink.append("<divelog program=\"subsurface\" version=\"3\">\n<settings>\n")
    for line in computers() { try sink.append(line) }
    try sink.append("</settings>\n<divesites>\n")
    for site in sites() { try sink.append(try text(of: site)) }
    try sink.append("</divesites>\n<dives>\n")
    let trips = Dictionary(
      grouping: index.dives.filter { $0.parent.map { index.trips[$0] != nil } ?? false },
      by: { $0.parent })
    for trip in index.trips.values.sorted(by: { ($0.startMs, $0.id) < ($1.startMs, $1.id) }) {
      guard trip.status == .saved, trip.start.dayNumber != nil else {
        report.lose("trips without a day, or drafts")
        continue
      }
      try sink.append(try beginning(of: trip))
      for dive in trips[trip.id] ?? [] { try sink.append(try text(of: dive)) }
      try sink.append("</trip>\n")
      report.add("trips")
    }
    for dive in index.dives {
      if let parent = dive.parent, let trip = index.trips[parent], trip.status == .saved,
        trip.start.dayNumber != nil
      {
        continue
      }
      try sink.append(try text(of: dive))
    }
    try sink.append("</dives>\n</divelog>\n")
    report.lose("control characters (replaced)", xml.replacedCount)
  }

  // MARK: - Computers and sites

  /// Computers with their serial numbers.
  private mutating func computers() -> [String] {
    var seen: Set<String> = []
    var lines: [String] = []
    for log in index.dives.flatMap({ $0.dive?.logs ?? [] }) {
      guard let model = log.model, let serial = log.serial else { continue }
      let line =
        "<divecomputerid\(attribute("model", model))\(attribute("deviceid", Self.device(serial)))"
        + "\(attribute("serial", serial))/>\n"
      guard seen.insert(line).inserted else { continue }
      lines.append(line)
      if Self.device(serial) != serial {
        report.change("serial numbers as a deviceid made of them")
      }
    }
    return lines
  }

  /// Eight hexadecimal digits for a serial number: itself, where it is such.
  static func device(_ serial: String) -> String {
    let digits = Set("0123456789abcdef")
    if serial.count == 8, serial.allSatisfy(digits.contains) { return serial }
    return String(JournalID(hashing: serial.utf8).description.prefix(8))
  }

  /// The sites, and other places that dives are at.
  private mutating func sites() -> [Place] {
    var sites = index.sites
    var ids = Set(sites.map(\.id))
    for dive in index.dives {
      guard let place = dive.place.flatMap({ index.places[$0] }) else { continue }
      if ids.insert(place.id).inserted {
        sites.append(place)
        report.lose("places that are no dive sites (as such)")
      }
    }
    for site in sites { report.addPosition(site.position, isObscured: false) }
    for dive in index.dives where dive.place == nil {
      guard let position = dive.position else { continue }
      report.addPosition(
        position, isObscured: index.isShared && dive.privacy == .obscured)
      // Only a site has a position there.
      var place = Place(
        id: dive.id.derived("site"), kind: .site,
        name: "\(position.latitudeText), \(position.longitudeText)")
      place.position = position
      sites.append(place)
    }
    for site in sites {
      var number = site.id.bytes.suffix(4).reduce(0) { $0 << 8 | UInt64($1) }
      while !takenKeys.insert(number.digits(8, radix: 16)).inserted {
        number = (number + 1) & 0xFFFF_FFFF
      }
      keys[site.id] = number.digits(8, radix: 16)
    }
    report.add("sites", sites.count)
    report.change("uuids of sites, which are those of the journal in short", sites.count)
    report.change(
      "localities as one part of an address (geo 4)", sites.count { $0.locality != nil })
    return sites
  }

  private static let heldOfPlace: Set<String> = [
    "id", "recordKind", "kind", "name", "position.latitudeE7", "position.longitudeE7", "locality",
    "waterBody", "diveSite.description",
  ]

  private mutating func text(of site: Place) throws -> String {
    try report.loseAll(of: .place(site), but: Self.heldOfPlace)
    var text = "<site\(attribute("uuid", keys[site.id]))\(attribute("name", site.name))"
    text += attribute("gps", site.position.map { "\($0.latitudeText) \($0.longitudeText)" })
    text += "\(attribute("stol", "\(site.id)"))>\n"
    text += xml.element("notes", site.diveSite?.description).line
    text += geo(1, site.waterBody) + geo(4, site.locality)
    return text + "</site>\n"
  }

  /// A part of the address of a site: 1 is the ocean, 4 part of a country.
  private mutating func geo(_ category: Int, _ value: String?) -> String {
    guard let value else { return "" }
    return "<geo cat=\"\(category)\" origin=\"0\"\(attribute("value", value))/>\n"
  }

  // MARK: - Trips and dives

  private static let heldOfTrip: Set<String> = [
    "id", "recordKind", "kind", "start", "place", "remarks",
  ]

  private mutating func beginning(of trip: Event) throws -> String {
    try report.loseAll(of: .event(trip), but: Self.heldOfTrip)
    let place = trip.place.flatMap { index.places[$0] }
    if place != nil { report.lose("places of trips (their names alone)") }
    let remarks = index.remarks(of: trip, &report)
    return "<trip\(times(trip.start))\(attribute("location", place?.name))"
      + "\(attribute("stol", "\(trip.id)"))>\n" + xml.element("notes", remarks).line
  }

  private static let heldOfDive: Set<String> = [
    "id", "recordKind", "kind", "parent", "place", "position.latitudeE7", "position.longitudeE7",
    "start", "remarks", "tags", "persons.person", "persons.role", "dive.number", "dive.mode",
    "dive.durationS", "dive.maxDepthMm", "dive.meanDepthMm", "dive.waterMinCk", "dive.airCk",
    "dive.currentLevel", "dive.surfaceMbar", "dive.weightG", "dive.suit", "dive.tanks.volumeMl",
    "dive.tanks.workMbar", "dive.tanks.startMbar", "dive.tanks.endMbar", "dive.tanks.o2Permille",
    "dive.tanks.hePermille", "dive.tanks.use", "dive.logs.model", "dive.logs.serial",
    "dive.logs.fingerprint", "dive.logs.start", "dive.logs.samples",
  ]
  /// Measures that are attributes of a dive.
  private static let ratings = ["rating", "visibility", "wavesize", "surge", "chill"]
  private static let density = "x-water_density_g_l"

  private mutating func text(of event: Event) throws -> String {
    try report.loseAll(of: .event(event), but: Self.heldOfDive)
    report.add("dives")
    let dive = event.dive ?? Dive()
    index.loseMeasures(
      of: event, but: Set(Self.ratings.map { "x-\($0)" } + [Self.density]), &report)
    if event.position != nil {
      report.lose(
        event.place == nil
          ? "positions of dives (as sites)" : "positions of dives beside their place")
    }
    report.lose(
      "persons that are neither buddy nor guide",
      event.persons.count { $0.role != .buddy && $0.role != .guide })
    var text = "<dive\(attribute("number", dive.number.map(String.init)))"
    for name in Self.ratings {
      text += attribute(name, index.measure("x-\(name)", of: event).map(String.init))
    }
    text += attribute("current", dive.currentLevel.map(String.init))
    text += attribute("tags", list(event.tags.sorted(), "tag"))
    let site = event.place ?? (event.position == nil ? nil : event.id.derived("site"))
    text += attribute("divesiteid", site.flatMap { keys[$0] })
    text += times(event.start)
    text += attribute("duration", dive.durationS.map(Self.minutes))
    text += "\(attribute("stol", "\(event.id)"))>\n"
    text += xml.element("divemaster", list(index.names(of: event, .guide), "person")).line
    text += xml.element("buddy", list(index.names(of: event, .buddy), "person")).line
    text += xml.element("notes", index.remarks(of: event, &report)).line
    text += xml.element("suit", dive.suit).line
    for tank in dive.tanks { text += self.text(of: tank) }
    if let weight = dive.weightG {
      text += "<weightsystem weight=\"\(DecimalText.text(weight, decimals: 3)) kg\"/>\n"
    }
    if let air = dive.airCk { text += "<divetemperature air=\"\(Self.celsius(air))\"/>\n" }
    let logs = dive.logs.isEmpty ? [Dive.Log()] : dive.logs
    for (number, log) in logs.enumerated() {
      text += self.text(of: log, isFirst: number == 0, dive, event)
    }
    return text + "</dive>\n"
  }

  private mutating func text(of tank: Dive.Tank) -> String {
    func bar(_ mbar: Int?) -> String? { mbar.map { DecimalText.text($0, decimals: 3) + " bar" } }
    func percent(_ permille: Int?) -> String? {
      permille.map { DecimalText.text($0, decimals: 1) + "%" }
    }
    var text = "<cylinder"
    text += attribute("size", tank.volumeMl.map { DecimalText.text($0, decimals: 3) + " l" })
    text += attribute("workpressure", bar(tank.workMbar))
    text += attribute("o2", percent(tank.o2Permille)) + attribute("he", percent(tank.hePermille))
    text += attribute("start", bar(tank.startMbar)) + attribute("end", bar(tank.endMbar))
    switch tank.use {
    case .diluent: text += " use=\"diluent\""
    case .oxygen: text += " use=\"oxygen\""
    case nil: break
    default: report.lose("uses of tanks but for diluent and oxygen")
    }
    return text + "/>\n"
  }

  /// A computer; the first one says of the dive what Subsurface has there.
  private mutating func text(
    of log: Dive.Log, isFirst: Bool, _ dive: Dive, _ event: Event
  ) -> String {
    var text = "<divecomputer\(attribute("model", log.model))"
    text += attribute("deviceid", log.model == nil ? log.serial : log.serial.map(Self.device))
    text += attribute("diveid", log.fingerprint)
    if let start = log.start { text += times(start) }
    if isFirst {
      switch dive.mode {
      case .closedCircuit: text += " dctype=\"CCR\""
      case .semiClosedCircuit: text += " dctype=\"PSCR\""
      case .free: text += " dctype=\"Freedive\""
      case .openCircuit: text += " dctype=\"OC\""
      case .gauge: report.lose("dive.mode gauge")
      case nil: break
      }
    }
    text += ">\n"
    if isFirst {
      func metres(_ mm: Int?) -> String? { mm.map { DecimalText.text($0, decimals: 3) + " m" } }
      let depths =
        attribute("max", metres(dive.maxDepthMm)) + attribute("mean", metres(dive.meanDepthMm))
      if !depths.isEmpty { text += "<depth\(depths)/>\n" }
      if let water = dive.waterMinCk { text += "<temperature water=\"\(Self.celsius(water))\"/>\n" }
      if let surface = dive.surfaceMbar {
        text += "<surface pressure=\"\(DecimalText.text(surface, decimals: 3)) bar\"/>\n"
      }
      if let density = index.measure(Self.density, of: event) {
        text += "<water salinity=\"\(density) g/l\"/>\n"
      }
    }
    let samples = log.samples
    for mark in samples.events {
      text += "<event time=\"\(Self.minutes(mark.timeS))\"\(attribute("name", mark.what))"
      text += attribute("cylinder", mark.tank.map { String($0 - 1) }) + "/>\n"
    }
    for moment in samples.moments(includingEvents: false) { text += Self.text(of: moment) }
    return text + "</divecomputer>\n"
  }

  /// A sample; the depth of one that nobody noted is there for Subsurface, which takes 0 for it else.
  private static func text(of moment: DiveMoment) -> String {
    var text = "<sample time=\"\(minutes(moment.timeS))\""
    text += " depth=\"\(DecimalText.text(moment.depthMm, decimals: 3)) m\""
    if !moment.isDepthNoted { text += " stol=\"between\"" }
    if let temperature = moment.temperatureCk { text += " temp=\"\(celsius(temperature))\"" }
    for (tank, value) in moment.pressureMbar {
      text += " pressure\(tank - 1)=\"\(DecimalText.text(value, decimals: 3)) bar\""
    }
    return text + "/>\n"
  }

  // MARK: - Values

  private static func celsius(_ ck: Int) -> String {
    DecimalText.text(ck &- 27_315, decimals: 2) + " C"
  }

  private static func minutes(_ seconds: Int) -> String {
    "\(seconds / 60):\((seconds % 60).digits(2)) min"
  }

  private func times(_ time: LocalTime) -> String {
    let clock = time.hasTimeOfDay ? " time=\"\(time.text.dropFirst(11))\"" : ""
    return " date=\"\(time.text.prefix(10))\"\(clock)"
  }

  /// Several words in one attribute, commas between.
  private mutating func list(_ words: [String], _ what: String) -> String? {
    report.lose("commas in a \(what) (now semicolons)", words.count { $0.contains(",") })
    return words.isEmpty
      ? nil : words.map { $0.replacing(",", with: ";") }.joined(separator: ", ")
  }

  private mutating func attribute(_ name: String, _ value: String?) -> String {
    value.map { " \(name)=\"\(xml.escaped($0))\"" } ?? ""
  }
}

extension String {
  /// The text with a line feed behind it; nothing for none.
  var line: String { isEmpty ? "" : self + "\n" }
}
