import STOLSystem

/// Writes dives and dive sites in the Universal Dive Data Format, version 3.2.3; see `UDDFReader`.
struct UDDFExport {
  private let index: DiveIndex
  private var report = ExportReport()
  private var xml = XMLText()
  /// The numbers of computers and of suits, from 1, by what is said of them.
  private var computers: [Computer: Int] = [:]
  private var suits: [String: Int] = [:]

  private struct Computer: Hashable {
    let model: String?
    let serial: String?
  }

  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, by writer: String,
    to sink: inout ExportSink
  ) throws -> ExportReport {
    var report = ExportReport()
    return try write(
      try DiveIndex(journal, query, sharing, &report), report, by: writer, to: &sink)
  }

  static func write(
    _ index: DiveIndex, _ report: ExportReport, by writer: String, to sink: inout ExportSink
  ) throws -> ExportReport {
    var export = UDDFExport(index: index, report: report)
    try export.write(by: writer, to: &sink)
    return export.report
  }

  private init(index: DiveIndex, report: ExportReport) {
    (self.index, self.report) = (index, report)
  }

  private mutating func write(by writer: String, to sink: inout ExportSink) throws {
    try sink.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <uddf xmlns="http://www.streit.cc/uddf/3.2/" version="3.2.3">
      <generator><name>\(UDDFText.generator)</name><type>logbook</type>\
      \(xml.element("version", writer))</generator>

      """)
    try sink.append(diver())
    try sink.append("<divesite>\n")
    for site in index.sites { try sink.append(try text(of: site)) }
    try sink.append("</divesite>\n")
    report.add("sites", index.sites.count)
    try sink.append(gases())
    try sink.append("<profiledata>\n")
    for (number, dive) in index.dives.enumerated() {
      try sink.append("<repetitiongroup id=\"group-\(number + 1)\">\n")
      try sink.append(try text(of: dive))
      try sink.append("</repetitiongroup>\n")
    }
    try sink.append("</profiledata>\n</uddf>\n")
    report.lose("trips", index.trips.count)
    report.lose("control characters (replaced)", xml.replacedCount)
  }

  // MARK: - What dives refer to

  private mutating func diver() -> String {
    var text =
      "<diver>\n<owner id=\"owner\"><personal><firstname/><lastname/></personal><equipment>"
    for dive in index.dives.compactMap(\.dive) {
      if let log = dive.logs.first, log.model != nil || log.serial != nil {
        let computer = Computer(model: log.model, serial: log.serial)
        if computers[computer] == nil {
          computers[computer] = computers.count + 1
          text += "<divecomputer id=\"computer-\(computers.count)\">"
          text += xml.element("name", log.model ?? log.serial) + xml.element("model", log.model)
          text += xml.element("serialnumber", log.serial) + "</divecomputer>"
        }
      }
      if let suit = dive.suit, suits[suit] == nil {
        suits[suit] = suits.count + 1
        text += "<suit id=\"suit-\(suits.count)\">\(xml.element("name", suit))</suit>"
      }
    }
    text += "</equipment></owner>\n"
    var buddies: Set<JournalID> = []
    for dive in index.dives {
      for buddy in index.persons(of: dive, .buddy) where buddies.insert(buddy.id).inserted {
        text += "<buddy id=\"buddy-\(buddy.id)\"><personal>\(xml.element("firstname", buddy.name))"
        text += "<lastname/></personal></buddy>\n"
      }
    }
    return text + "</diver>\n"
  }

  /// The identifier of the mix in a tank; nil where it is not known.
  private static func mix(_ tank: Dive.Tank) -> String? {
    tank.o2Permille.map { "mix-\($0)-\(tank.hePermille ?? 0)" }
  }

  private func gases() -> String {
    var (text, seen): (String, Set<String>) = ("<gasdefinitions>\n", [])
    for tank in index.dives.flatMap({ $0.dive?.tanks ?? [] }) {
      guard let mix = Self.mix(tank), let oxygen = tank.o2Permille, seen.insert(mix).inserted else {
        continue
      }
      let helium = tank.hePermille ?? 0
      text += "<mix id=\"\(mix)\"><name>\(Self.name(oxygen, helium))</name>"
      text += "<o2>\(DecimalText.text(oxygen, decimals: 3))</o2>"
      text += "<n2>\(DecimalText.text(1000 &- oxygen &- helium, decimals: 3))</n2>"
      text += "<he>\(DecimalText.text(helium, decimals: 3))</he></mix>\n"
    }
    return text + "</gasdefinitions>\n"
  }

  private static func name(_ oxygen: Int, _ helium: Int) -> String {
    func percent(_ permille: Int) -> String { DecimalText.text(permille, decimals: 1) }
    if helium > 0 { return "TX \(percent(oxygen))/\(percent(helium))" }
    return oxygen == 209 || oxygen == 210 ? "air" : "EAN \(percent(oxygen))"
  }

  private static let heldOfPlace: Set<String> = [
    "id", "recordKind", "kind", "name", "position.latitudeE7", "position.longitudeE7",
    "elevationCm", "locality", "diveSite.description", "diveSite.minDepthMm",
    "diveSite.maxDepthMm",
  ]

  private mutating func text(of site: Place) throws -> String {
    let isQuarry = site.diveSite?.kind == .quarry
    report.addPosition(site.position, isObscured: false)
    try report.loseAll(
      of: .place(site), but: isQuarry ? Self.heldOfPlace.union(["diveSite.kind"]) : Self.heldOfPlace
    )
    var text = "<site id=\"site-\(site.id)\">\(xml.element("name", site.name))"
    if isQuarry { text += "<environment>lake-quarry</environment>" }
    text += "<geography>" + xml.element("location", site.locality ?? site.name)
    text += xml.element("latitude", site.position?.latitudeText)
    text += xml.element("longitude", site.position?.longitudeText)
    text += xml.element("altitude", site.elevationCm.map { DecimalText.text($0, decimals: 2) })
    text += "</geography>"
    var depths = ""
    if let high = site.diveSite?.maxDepthMm { depths += depth("maximumdepth", high) }
    if let low = site.diveSite?.minDepthMm { depths += depth("minimumdepth", low) }
    if !depths.isEmpty { text += "<sitedata>\(depths)</sitedata>" }
    return text + notes(site.diveSite?.description) + "</site>\n"
  }

  /// Notes, a paragraph for each line.
  private mutating func notes(_ text: String?) -> String {
    guard let text else { return "" }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { xml.element("para", String($0)) }
    return "<notes>\(lines.joined())</notes>"
  }

  private func depth(_ name: String, _ mm: Int) -> String {
    "<\(name)>\(DecimalText.text(mm, decimals: 3))</\(name)>"
  }

  // MARK: - Dives

  private static let heldOfDive: Set<String> = [
    "id", "recordKind", "kind", "place", "start", "utcOffsetMin", "remarks", "persons.person",
    "persons.role", "dive.number", "dive.durationS", "dive.maxDepthMm", "dive.meanDepthMm",
    "dive.waterMinCk", "dive.waterMaxCk", "dive.airCk", "dive.visibilityCm", "dive.currentLevel",
    "dive.weightG", "dive.suit", "dive.mode", "dive.tanks.volumeMl", "dive.tanks.startMbar",
    "dive.tanks.endMbar", "dive.tanks.o2Permille", "dive.tanks.hePermille", "dive.logs.model",
    "dive.logs.serial", "dive.logs.samples",
  ]
  private static let rating = "x-rating_of_10"

  private mutating func text(of event: Event) throws -> String {
    try report.loseAll(of: .event(event), but: Self.heldOfDive)
    report.add("dives")
    let dive = event.dive ?? Dive()
    index.loseMeasures(of: event, but: [Self.rating], &report)
    report.lose("logs after the first", max(0, dive.logs.count - 1))
    report.lose("persons that are no buddies", event.persons.count { $0.role != .buddy })
    var text = "<dive id=\"dive-\(event.id)\">\n" + before(event, dive)
    for (number, tank) in dive.tanks.enumerated() { text += self.text(of: tank, number + 1, event) }
    text += samples(dive, event)
    return text + after(event, dive) + "</dive>\n"
  }

  private mutating func before(_ event: Event, _ dive: Dive) -> String {
    var text = "<informationbeforedive>"
    if let place = event.place.flatMap({ index.places[$0] }) {
      if place.kind == .site || place.kind == .spot {
        text += "<link ref=\"site-\(place.id)\"/>"
      } else {
        report.lose("places of dives that are no dive sites")
      }
    }
    for buddy in index.persons(of: event, .buddy) { text += "<link ref=\"buddy-\(buddy.id)\"/>" }
    text += xml.element("divenumber", dive.number.map(String.init))
    var time = event.start.text
    if event.start.hasTimeOfDay {
      time = ImportTime.text(event.start, utcOffsetMin: event.utcOffsetMin)
    } else {
      report.lose("times of dives of which the day is known (now midnight)")
      time += "T00:00:00"
    }
    text += xml.element("datetime", time)
    text += xml.element("airtemperature", dive.airCk.map(Self.kelvin))
    var equipment = ""
    if let log = dive.logs.first,
      let number = computers[Computer(model: log.model, serial: log.serial)]
    {
      equipment += "<link ref=\"computer-\(number)\"/>"
    }
    if let number = dive.suit.flatMap({ suits[$0] }) {
      equipment += "<link ref=\"suit-\(number)\"/>"
    }
    equipment += xml.element(
      "leadquantity", dive.weightG.map { DecimalText.text($0, decimals: 3) })
    if !equipment.isEmpty { text += "<equipmentused>\(equipment)</equipmentused>" }
    return text + "</informationbeforedive>\n"
  }

  private mutating func text(of tank: Dive.Tank, _ number: Int, _ event: Event) -> String {
    var text = "<tankdata id=\"tank\(number)-\(event.id)\">"
    if let mix = Self.mix(tank) {
      text += "<link ref=\"\(mix)\"/>"
    }
    if tank.hePermille != nil, tank.o2Permille == nil || tank.hePermille == 0 {
      report.lose("helium of tanks that is 0, or without oxygen")
    }
    text += xml.element("tankvolume", tank.volumeMl.map { DecimalText.text($0, decimals: 6) })
    text += xml.element("tankpressurebegin", tank.startMbar.map { String($0 &* 100) })
    text += xml.element("tankpressureend", tank.endMbar.map { String($0 &* 100) })
    return text + "</tankdata>\n"
  }

  /// Words for alarms that the format has.
  private static let alarms: Set<String> = [
    "ascent", "breath", "deco", "error", "link", "microbubbles", "rbt", "skincooling", "surface",
  ]

  private mutating func samples(_ dive: Dive, _ event: Event) -> String {
    let moments = dive.logs.first?.samples.moments(includingEvents: true) ?? []
    guard !moments.isEmpty else {
      if dive.mode != nil { report.lose("event.dive.mode of dives without samples") }
      return ""
    }
    var text = "<samples>\n"
    for (number, moment) in moments.enumerated() {
      text += "<waypoint>"
      for mark in moment.events where Self.alarms.contains(mark.what) {
        text += "<alarm>\(mark.what)</alarm>"
      }
      text += depth("depth", moment.depthMm)
      if number == 0 { text += mode(dive.mode) }
      text += "<divetime>\(moment.timeS)</divetime>"
      if !moment.isDepthNoted { report.lose("moments without a depth (now between the others)") }
      for mark in moment.events where !Self.alarms.contains(mark.what) {
        text += gasChange(mark, dive)
      }
      for (tank, value) in moment.pressureMbar {
        guard tank <= dive.tanks.count else {
          report.lose("pressures in tanks that are not there")
          continue
        }
        text += "<tankpressure ref=\"tank\(tank)-\(event.id)\">\(value * 100)</tankpressure>"
      }
      if let temperature = moment.temperatureCk {
        text += "<temperature>\(Self.kelvin(temperature))</temperature>"
      }
      text += "</waypoint>\n"
    }
    return text + "</samples>\n"
  }

  private mutating func mode(_ mode: Dive.Mode?) -> String {
    let word: String
    switch mode {
    case .openCircuit: word = "opencircuit"
    case .closedCircuit: word = "closedcircuit"
    case .semiClosedCircuit: word = "semiclosedcircuit"
    case .free: word = "apnoe"
    case .gauge:
      report.lose("dive.mode gauge")
      return ""
    case nil: return ""
    }
    return "<divemode type=\"\(word)\"/>"
  }

  private mutating func gasChange(_ mark: DiveSamples.Mark, _ dive: Dive) -> String {
    guard mark.what == "gaschange", let tank = mark.tank, dive.tanks.indices.contains(tank - 1),
      let mix = Self.mix(dive.tanks[tank - 1])
    else {
      report.lose("events that the format has no word for")
      return ""
    }
    if dive.tanks.firstIndex(where: { Self.mix($0) == mix }) != tank - 1 {
      report.lose("which of tanks with one gas was changed to")
    }
    return "<switchmix ref=\"\(mix)\"/>"
  }

  private mutating func after(_ event: Event, _ dive: Dive) -> String {
    var text = "<informationafterdive>"
    text += xml.element("lowesttemperature", dive.waterMinCk.map(Self.kelvin))
    text += xml.element("highesttemperature", dive.waterMaxCk.map(Self.kelvin))
    if let high = dive.maxDepthMm { text += depth("greatestdepth", high) }
    if let mean = dive.meanDepthMm { text += depth("averagedepth", mean) }
    text += xml.element("diveduration", dive.durationS.map(String.init))
    text += xml.element("visibility", dive.visibilityCm.map { DecimalText.text($0, decimals: 2) })
    text += xml.element("current", Self.current(dive.currentLevel))
    if let rating = index.measure(Self.rating, of: event), (1...10).contains(rating) {
      text += "<rating><ratingvalue>\(rating)</ratingvalue></rating>"
    }
    let remarks = index.remarks(of: event, &report)
    return text + notes(remarks) + "</informationafterdive>\n"
  }

  /// The word for a current; nil for a level that a damaged journal may have.
  private static func current(_ level: Int?) -> String? {
    level.flatMap { UDDFText.currents.indices.contains($0) ? UDDFText.currents[$0] : nil }
  }

  private static func kelvin(_ ck: Int) -> String { DecimalText.text(ck, decimals: 2) }
}
