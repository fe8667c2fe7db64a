import STOLFormats

/// Reads logs of Subsurface, `.ssrf` or `.xml`, of the versions 1 to 3: sites, trips and dives.
///
/// A dive is told from others by when it began and by what its first computer knows it by. Numbers have units, in
/// any that `Units` knows. What Subsurface works out itself, as the consumption of gas, is not kept.
package final class SubsurfaceReader: ImportReader {
  private let parts: XMLParts
  /// Sites by what dives call them by.
  private var sites: [String: JournalID] = [:]
  /// Serial numbers of computers by model and device.
  private var serials: [String: String] = [:]
  private var names = NamedOnce()
  /// The trip that is open, and whether its row was given.
  private var trip: (draft: DiveDraft, isGiven: Bool)?
  private var waiting: [Result<ImportRow, ImportRefusal>] = []
  private var isRootKnown = false
  /// What is odd about the file, which its first row says.
  private var flags: [ImportFlag] = []
  package private(set) var beside = ImportBeside()
  package var roundTrip: RoundTripFormat? { .subsurface }

  /// Reads what `chunks` gives.
  ///
  /// - Throws: `JournalError.invalid` where memory is short.
  package init(_ chunks: ByteChunks) throws {
    parts = try XMLParts(chunks) { name, parent in
      switch (name, parent) {
      case ("dive", _), ("site", "divesites"), ("divecomputerid", _), ("notes", "trip"): .keep
      case ("divelog", nil), ("dives", nil), ("trip", _): .tell
      default: .descend
      }
    }
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    while true {
      if !waiting.isEmpty { return waiting.removeFirst().map { $0.taking(&flags) } }
      do {
        guard let part = try parts.next() else {
          guard isRootKnown else {
            isRootKnown = true
            throw Self.otherRoot(line: parts.line)
          }
          return nil
        }
        try take(part)
      } catch let refusal as ImportRefusal {
        isRootKnown = true
        return .failure(refusal)
      }
    }
  }

  private static func otherRoot(line: Int) -> ImportRefusal {
    ImportRefusal(
      line: line, column: "", value: "", reason: "is no log of Subsurface",
      remedy: "a document whose root is divelog or dives")
  }

  private func take(_ part: XMLPart) throws(ImportRefusal) {
    switch part {
    case .begin(let item):
      isRootKnown = true
      switch item.name {
      case "trip": try begin(item)
      case "divelog": takeVersion(item)
      default: break
      }
    case .end(let name):
      guard name == "trip" else { return }
      try giveTrip()
      trip = nil
    case .whole(let item):
      switch item.name {
      case "site": try takeSite(item)
      case "divecomputerid":
        if let model = item.attribute("model"), let device = item.attribute("deviceid"),
          let serial = item.attribute("serial")
        {
          serials["\(model)\n\(device)"] = serial
        }
        let known = ["model", "deviceid", "serial"]
        beside.leave(
          item.attributes.map(\.name).filter { !known.contains($0) }
            .map { "divecomputerid.\($0)" })
      case "notes": trip?.draft.addRemarks(item.text, "trip.notes")
      default:
        try giveTrip()
        try takeDive(item)
      }
    }
  }

  private func takeVersion(_ item: XMLItem) {
    guard let version = item.attribute("version"),
      !(1...3).contains(WrittenNumber(version)?.scaled(by: 1) ?? 0)
    else { return }
    flags.append(
      ImportFlag(
        column: "divelog.version", value: version,
        reason: "is none of 1 to 3: what these have is read of it"))
  }

  private func give(_ draft: DiveDraft) throws(ImportRefusal) {
    var draft = draft
    waiting.append(.success(try draft.row()))
    beside.leave(draft.words.left.sorted())
  }

  // MARK: - Sites and trips

  private func takeSite(_ item: XMLItem) throws(ImportRefusal) {
    let key = Self.key(item.attribute("uuid") ?? "")
    var flags: [ImportFlag] = []
    let position = Self.position(item.attribute("gps"), "site.gps", &flags)
    var words = ImportWords()
    let name = words.name(item.attribute("name"), "site.name")
    let shown = name ?? position.map { "\($0.latitudeText), \($0.longitudeText)" } ?? "unnamed site"
    if name == nil {
      words.flag("site.name", "", "has no name: it is called '\(shown)'")
    }
    let id = Self.ownID(item) ?? names.id(["subsurface", "site", key.isEmpty ? shown : key])
    var place = Place(id: id, kind: .site, name: shown)
    place.position = position
    var texts = [item.attribute("description")]
    if texts[0] != nil { words.left.insert("site.description (with its notes)") }
    var localities: [String] = []
    for child in item.children {
      switch child.name {
      case "notes": texts.append(child.text)
      case "geo":
        guard let value = words.name(child.attribute("value"), "site.geo") else { continue }
        // Their category 1 is the ocean, the others are countries and what is in them.
        if child.attribute("cat") == "1" {
          place.waterBody = value
        } else {
          localities.append(value)
          if child.attribute("cat") != "4" {
            words.left.insert("site.geo (which part of the address it is)")
          }
        }
      default: words.left.insert("site.\(child.name)")
      }
    }
    place.locality = words.name(localities.joined(separator: ", "), "site.geo")
    let description = texts.compactMap { words.text($0, "site.description") }
    if !description.isEmpty {
      var site = DiveSite()
      site.description = words.text(description.joined(separator: "\n"), "site.description")
      place.diveSite = site
    }
    do {
      try place.validate()
    } catch {
      throw ImportRefusal(error, line: item.line)
    }
    if !key.isEmpty { sites[key] = place.id }
    beside.leave(words.left.sorted())
    waiting.append(
      .success(
        ImportRow(line: item.line, records: [.place(place)], flags: flags + words.flags)))
  }

  private func begin(_ item: XMLItem) throws(ImportRefusal) {
    guard let start = Self.time(item) else {
      trip = nil
      waiting.append(.failure(Self.noDate(item)))
      return
    }
    let place = item.attribute("location") ?? ""
    let id = Self.ownID(item) ?? names.id(["subsurface", "trip", start.text, place])
    var draft = DiveDraft(Event(id: id, kind: .trip, start: start), line: item.line)
    if let name = draft.name(place, "trip.location") {
      let area = Place(
        id: JournalID(naming: ["subsurface", "trip location", name]), kind: .area, name: name)
      draft.event.place = area.id
      draft.add(.place(area))
    }
    trip = (draft, false)
  }

  /// Gives the trip that is open before what is in it.
  private func giveTrip() throws(ImportRefusal) {
    guard let open = trip, !open.isGiven else { return }
    trip?.isGiven = true
    try give(open.draft)
  }

  // MARK: - Dives

  private func takeDive(_ item: XMLItem) throws(ImportRefusal) {
    guard let start = Self.time(item) else { throw Self.noDate(item) }
    let computers = item.children.filter { $0.name == "divecomputer" }
    let computer = computers.first
    let id =
      Self.ownID(item)
      ?? names.id([
        "subsurface", "dive", start.text, computer?.attribute("deviceid") ?? "",
        computer?.attribute("diveid") ?? "",
      ])
    var draft = DiveDraft(Event(id: id, kind: .dive, start: start), line: item.line)
    draft.event.parent = trip.flatMap { $0.isGiven ? $0.draft.event.id : nil }
    takeAttributes(item, &draft)
    var location: (name: String, gps: String) = ("", "")
    for child in item.children {
      switch child.name {
      case "location":
        if !child.text.isEmpty { location.name = child.text }
        if let gps = child.attribute("gps") { location.gps = gps }
      case "gps": location.gps = child.text
      case "divecomputer": break
      default: takeElement(child, &draft)
      }
    }
    setPlace(item.attribute("divesiteid"), location, &draft)
    for computer in computers { takeComputer(computer, isFirst: computer === computers[0], &draft) }
    if computers.isEmpty { takeBareSamples(item, &draft) }
    try give(draft)
  }

  private func takeAttributes(_ item: XMLItem, _ draft: inout DiveDraft) {
    for (name, value) in item.attributes {
      switch name {
      case "date", "time", "divesiteid", "stol": break
      case "number":
        draft.dive.number = WrittenNumber(value)?.scaled(by: 1)
        if draft.dive.number == 0 { draft.dive.number = nil }
        draft.note("number", "dive.number", value)
      case "duration":
        draft.dive.durationS = SubsurfaceText.seconds(value)
        draft.note("duration_s", "dive.duration", value)
        if draft.dive.durationS == nil {
          draft.flag("dive.duration", value, "is no time: left out")
        }
      case "tags":
        draft.addTags(value.split(separator: ",").map(String.init), "dive.tags")
      case "current":
        draft.dive.currentLevel = WrittenNumber(value)?.scaled(by: 1)
        draft.note("current_level", "dive.current", value)
      case "rating", "visibility", "wavesize", "surge", "chill":
        guard let number = WrittenNumber(value)?.scaled(by: 1), (0...5).contains(number) else {
          draft.flag("dive.\(name)", value, "is none of 0 to 5: left out")
          continue
        }
        draft.addMeasure("x-\(name)", number)
      default: draft.leave("dive.\(name)")
      }
    }
  }

  private func takeElement(_ child: XMLItem, _ draft: inout DiveDraft) {
    switch child.name {
    case "notes": draft.addRemarks(child.text, "dive.notes")
    case "suit": draft.dive.suit = draft.name(child.text, "dive.suit")
    case "buddy": draft.addPersons(child.text, .buddy, "dive.buddy")
    case "divemaster", "diveguide": draft.addPersons(child.text, .guide, "dive.\(child.name)")
    case "cylinder": takeCylinder(child, &draft)
    case "weightsystem":
      if let grams = SubsurfaceText.value(child, "weight", .mass, &draft) {
        draft.dive.weightG = (draft.dive.weightG ?? 0) + max(0, min(grams, 1_000_000))
      }
      leave(child, but: ["weight"], &draft)
    case "divetemperature", "temperature", "depth", "surface", "water":
      takeConditions(child, isFirst: true, &draft)
    case "sample", "event": break
    default: draft.leave("dive.\(child.name)")
    }
  }

  private func leave(_ item: XMLItem, but known: Set<String>, _ draft: inout DiveDraft) {
    for attribute in item.attributes where !known.contains(attribute.name) {
      draft.leave("\(item.name).\(attribute.name)")
    }
  }

  private func takeCylinder(_ item: XMLItem, _ draft: inout DiveDraft) {
    var tank = Dive.Tank()
    tank.volumeMl = SubsurfaceText.value(item, "size", .volume, &draft)
    tank.workMbar = SubsurfaceText.value(item, "workpressure", .pressure, &draft)
    tank.startMbar = SubsurfaceText.value(item, "start", .pressure, &draft)
    tank.endMbar = SubsurfaceText.value(item, "end", .pressure, &draft)
    tank.o2Permille = SubsurfaceText.permille(item, "o2", &draft)
    tank.hePermille = SubsurfaceText.permille(item, "he", &draft)
    // A size or a pressure of nothing is one that nobody knows.
    if tank.volumeMl == 0 { tank.volumeMl = nil }
    if tank.workMbar == 0 { tank.workMbar = nil }
    switch item.attribute("use") {
    case "diluent": tank.use = .diluent
    case "oxygen": tank.use = .oxygen
    case nil, "OC-gas": break
    default: draft.leave("cylinder.use")
    }
    leave(
      item, but: ["size", "workpressure", "start", "end", "o2", "he", "use"], &draft)
    var sources: [String: ImportMember] = [:]
    for (field, name) in Self.tankAttributes {
      sources[field] = item.attribute(name).map {
        ImportMember(name: "cylinder.\(name)", shown: $0)
      }
    }
    draft.add(tank, "cylinder", sources)
  }

  private static let tankAttributes: KeyValuePairs = [
    "volume_ml": "size", "work_mbar": "workpressure", "start_mbar": "start", "end_mbar": "end",
    "o2_permille": "o2", "he_permille": "he",
  ]

  /// Depth, temperatures, pressure and water, of the dive or of one of its computers; what of it the dive has already,
  /// and otherwise, is counted.
  private func takeConditions(_ item: XMLItem, isFirst: Bool, _ draft: inout DiveDraft) {
    func leaveSecond(_ attribute: String, _ draft: inout DiveDraft) {
      draft.leave("\(item.name).\(attribute) (there is another one)")
    }
    func set(
      _ path: WritableKeyPath<Dive, Int?>, _ column: String, _ attribute: String,
      _ kind: SubsurfaceText.Kind, _ draft: inout DiveDraft
    ) {
      guard let value = SubsurfaceText.value(item, attribute, kind, &draft) else { return }
      if let known = draft.dive[keyPath: path] {
        if known != value { leaveSecond(attribute, &draft) }
        return
      }
      draft.dive[keyPath: path] = value
      draft.note(column, "\(item.name).\(attribute)", item.attribute(attribute) ?? "")
    }
    switch item.name {
    case "depth":
      set(\.maxDepthMm, "max_depth_mm", "max", .length, &draft)
      if isFirst {
        set(\.meanDepthMm, "mean_depth_mm", "mean", .length, &draft)
      } else if item.attribute("mean") != nil {
        leaveSecond("mean", &draft)
      }
      leave(item, but: ["max", "mean"], &draft)
    case "temperature", "divetemperature":
      set(\.airCk, "air_ck", "air", .temperature, &draft)
      set(\.waterMinCk, "water_min_ck", "water", .temperature, &draft)
      leave(item, but: ["air", "water"], &draft)
    case "surface":
      set(\.surfaceMbar, "surface_mbar", "pressure", .pressure, &draft)
      leave(item, but: ["pressure"], &draft)
    default:
      // What they call its salinity is the density of the water.
      if isFirst, let text = item.attribute("salinity"),
        let density = WrittenNumber(text)?.scaled(by: 1), (1...9999).contains(density)
      {
        draft.addMeasure("x-water_density_g_l", density)
      } else if item.attribute("salinity") != nil {
        leaveSecond("salinity", &draft)
      }
      leave(item, but: ["salinity"], &draft)
    }
  }

  private func setPlace(
    _ key: String?, _ location: (name: String, gps: String), _ draft: inout DiveDraft
  ) {
    if let key {
      if let site = sites[Self.key(key)] {
        draft.event.place = site
      } else {
        draft.flag("dive.divesiteid", key, "is no site of the file: left out")
      }
    }
    guard draft.event.place == nil, !location.name.isEmpty || !location.gps.isEmpty else { return }
    var flags: [ImportFlag] = []
    let position = location.gps.isEmpty ? nil : Self.position(location.gps, "location.gps", &flags)
    for flag in flags { draft.flag(flag.column, flag.value, flag.reason) }
    draft.setLocation(draft.name(location.name, "location"), position)
  }

  // MARK: - Computers

  private func takeComputer(_ item: XMLItem, isFirst: Bool, _ draft: inout DiveDraft) {
    var log = Dive.Log()
    log.model = draft.name(item.attribute("model"), "divecomputer.model")
    if let device = item.attribute("deviceid") {
      log.serial = serials["\(item.attribute("model") ?? "")\n\(device)"] ?? device
      log.serial = draft.name(log.serial, "divecomputer.deviceid")
    }
    log.fingerprint = draft.name(item.attribute("diveid"), "divecomputer.diveid")
    if item.attribute("date") != nil, let start = Self.time(item), start != draft.event.start {
      log.start = start
    }
    if isFirst {
      switch item.attribute("dctype")?.lowercased() {
      case "ccr": draft.dive.mode = .closedCircuit
      case "pscr": draft.dive.mode = .semiClosedCircuit
      case "freedive": draft.dive.mode = .free
      case "oc": draft.dive.mode = .openCircuit
      case nil: break
      case let other?: draft.flag("divecomputer.dctype", other, "is no way to dive: left out")
      }
    }
    var known: Set<String> = ["model", "deviceid", "diveid", "date", "time"]
    if isFirst { known.insert("dctype") }
    leave(item, but: known, &draft)
    var samples = SubsurfaceSamples()
    for child in item.children {
      switch child.name {
      case "sample": samples.take(child, &draft)
      case "event": samples.takeEvent(child, &draft)
      case "depth", "temperature", "surface", "water":
        takeConditions(child, isFirst: isFirst, &draft)
      case "extradata" where child.attribute("key") == "Serial":
        log.serial = draft.name(child.attribute("value"), "extradata") ?? log.serial
      default: draft.leave("divecomputer.\(child.name)")
      }
    }
    if let device = item.attribute("deviceid"), let serial = log.serial, device != serial,
      device != SubsurfaceExport.device(serial)
    {
      draft.leave("divecomputer.deviceid (its serial number is kept)")
    }
    let all = samples.samples(&draft)
    // A computer that says nothing is where the dive says how deep it was.
    if log != Dive.Log() || !all.isEmpty { draft.add(log, all, "divecomputer") }
  }

  /// Samples of before there were several computers.
  private func takeBareSamples(_ item: XMLItem, _ draft: inout DiveDraft) {
    var samples = SubsurfaceSamples()
    for child in item.children {
      if child.name == "sample" { samples.take(child, &draft) }
      if child.name == "event" { samples.takeEvent(child, &draft) }
    }
    let all = samples.samples(&draft)
    if !all.isEmpty { draft.add(Dive.Log(), all, "sample") }
  }

  // MARK: - Times and positions

  /// What a site is called by: hexadecimal digits, before which a space may stand.
  private static func key(_ text: String) -> String { text.trimmed().lowercased() }

  /// The UUID that an export of stol noted.
  private static func ownID(_ item: XMLItem) -> JournalID? {
    item.attribute("stol").flatMap { JournalID($0) }
  }

  private static func noDate(_ item: XMLItem) -> ImportRefusal {
    let shown = [item.attribute("date"), item.attribute("time")].compactMap { $0 }
    return ImportRefusal(
      line: item.line, column: "\(item.name).date", value: shown.joined(separator: " "),
      reason: shown.isEmpty ? "is missing" : "is no date of the calendar",
      remedy: "a date as 2026-03-15, and a time as 09:44:30")
  }

  /// When an element says that it began: "2015-1-2" and "6:00:00" are two digits each.
  static func time(_ item: XMLItem) -> LocalTime? {
    guard let date = item.attribute("date") else { return nil }
    func padded(_ text: String, _ sign: Character, _ first: Int) -> String {
      text.split(separator: sign, omittingEmptySubsequences: false).enumerated().map {
        index, part in
        let length = index == 0 ? first : 2
        return String(repeating: "0", count: max(0, length - part.count)) + part
      }.joined(separator: String(sign))
    }
    let day = padded(date, "-", 4)
    guard let time = item.attribute("time") else { return try? LocalTime(day) }
    return try? LocalTime("\(day)T\(padded(time, ":", 2))")
  }

  /// The position that a text such as "7.132557 134.224213" is.
  static func position(
    _ text: String?, _ column: String, _ flags: inout [ImportFlag]
  ) -> Position? {
    guard let text else { return nil }
    let parts = text.split { $0 == " " || $0 == "," }.map(String.init)
    if parts.count == 2, let position = try? Position(latitude: parts[0], longitude: parts[1]) {
      return position
    }
    flags.append(
      ImportFlag(
        column: column, value: text,
        reason: "is no position: left out; two numbers with a space between are needed"))
    return nil
  }
}
