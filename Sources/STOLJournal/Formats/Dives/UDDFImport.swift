import STOLFormats

/// Reads dives and dive sites of the Universal Dive Data Format, version 3, with or without its namespace.
///
/// All numbers are in units of the SI. What dives refer to stands before them, as the order of that format has it;
/// a reference to what is not there is said, and no more.
package final class UDDFReader: ImportReader {
  private let parts: XMLParts
  private var definitions = UDDFDefinitions()
  private var names = NamedOnce()
  private var waiting: [Result<ImportRow, ImportRefusal>] = []
  private var isRootKnown = false
  /// What is odd about the file, which its first row says.
  private var flags: [ImportFlag] = []
  package private(set) var beside = ImportBeside()
  package var roundTrip: RoundTripFormat? { .uddf }

  /// Reads what `chunks` gives.
  ///
  /// - Throws: `JournalError.invalid` where memory is short.
  package init(_ chunks: ByteChunks) throws {
    parts = try XMLParts(chunks) { name, parent in
      switch (name, parent) {
      case ("dive", "repetitiongroup"), ("divesite", _), ("diver", _), ("gasdefinitions", _),
        ("generator", _):
        .keep
      case ("profiledata", _), ("repetitiongroup", _): .descend
      case (_, nil), (_, "uddf"): .tell
      default: .descend
      }
    }
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    while true {
      if !waiting.isEmpty { return waiting.removeFirst().map { $0.taking(&flags) } }
      do {
        guard let part = try parts.next() else { return nil }
        try take(part)
      } catch let refusal as ImportRefusal {
        return .failure(refusal)
      }
    }
  }

  private func take(_ part: XMLPart) throws(ImportRefusal) {
    switch part {
    case .begin(let item):
      if isRootKnown { return beside.leave([item.name]) }
      isRootKnown = true
      guard item.name == "uddf" else {
        throw ImportRefusal(
          line: item.line, column: "", value: item.name, reason: "is no UDDF",
          remedy: "a document whose root is uddf")
      }
      if let version = item.attribute("version"),
        version.split(separator: ".").first?.trimmed() != "3"
      {
        flags.append(
          ImportFlag(
            column: "uddf.version", value: version,
            reason: "is not 3: what that has is read of it"))
      }
    case .end: break
    case .whole(let item):
      switch item.name {
      case "generator": definitions.isOwn = item.child("name")?.text == UDDFText.generator
      case "diver": definitions.takeDiver(item)
      case "gasdefinitions": definitions.takeGases(item)
      case "divesite": try takeSites(item)
      default: try takeDive(item)
      }
    }
  }

  // MARK: - Sites

  private func takeSites(_ item: XMLItem) throws(ImportRefusal) {
    // Some write each site as a divesite of its own.
    let sites = item.children.filter { $0.name == "site" }
    let isItself = sites.isEmpty && item.attribute("id") != nil
    for site in isItself ? [item] : sites {
      do throws(ImportRefusal) {
        try takeSite(site)
      } catch {
        waiting.append(.failure(error))
      }
    }
  }

  private func takeSite(_ item: XMLItem) throws(ImportRefusal) {
    let key = item.attribute("id") ?? ""
    var words = ImportWords()
    let geography = item.child("geography")
    let gps = geography?.child("gps") ?? geography
    var position: Position?
    if let latitude = gps?.child("latitude")?.text, let longitude = gps?.child("longitude")?.text {
      do {
        position = try UDDFText.position(latitude, longitude)
      } catch {
        words.flag(
          "site.geography", "\(latitude) \(longitude)", "is no position: left out: \(error)")
      }
    }
    let name = words.name(item.child("name")?.text, "site.name")
    let shown = name ?? position.map { "\($0.latitudeText), \($0.longitudeText)" } ?? "unnamed site"
    if name == nil { words.flag("site.name", "", "has no name: it is called '\(shown)'") }
    let id =
      definitions.ownID(key) ?? names.id(["uddf", "site", shown, position?.latitudeText ?? ""])
    var place = Place(id: id, kind: .site, name: shown)
    place.position = position
    if let location = words.name(geography?.child("location")?.text, "site.location"),
      location != shown
    {
      place.locality = location
    }
    if let altitude = geography?.child("altitude")?.text {
      place.elevationCm = WrittenNumber(altitude)?.scaled(by: 100)
      if let elevation = place.elevationCm, !Organism.elevationRange.contains(elevation) {
        place.elevationCm = nil
        words.flag("site.altitude", altitude, "cannot be: left out")
      }
    }
    place.diveSite = Self.diveSite(item, &words)
    for child in geography?.children ?? []
    where !["location", "latitude", "longitude", "gps", "altitude"].contains(child.name) {
      words.left.insert("site.geography.\(child.name)")
    }
    do {
      try place.validate()
    } catch {
      throw ImportRefusal(error, line: item.line)
    }
    definitions.sites[key] = place.id
    beside.leave(words.left.sorted())
    waiting.append(
      .success(ImportRow(line: item.line, records: [.place(place)], flags: words.flags)))
  }

  private static func diveSite(_ item: XMLItem, _ words: inout ImportWords) -> DiveSite? {
    var site = DiveSite()
    for child in item.children {
      switch child.name {
      case "name", "geography": break
      case "notes": site.description = words.text(UDDFText.paragraphs(child), "site.notes")
      case "environment":
        // What else there is has no kind of site for it.
        site.kind = child.text == "lake-quarry" ? .quarry : nil
        if site.kind == nil { words.left.insert("site.environment") }
      case "sitedata":
        for part in child.children {
          switch part.name {
          case "maximumdepth": site.maxDepthMm = WrittenNumber(part.text)?.scaled(by: 1000)
          case "minimumdepth": site.minDepthMm = WrittenNumber(part.text)?.scaled(by: 1000)
          default: words.left.insert("site.sitedata.\(part.name)")
          }
        }
      default: words.left.insert("site.\(child.name)")
      }
    }
    if site.minDepthMm ?? site.maxDepthMm != nil, (try? site.validate()) == nil {
      words.flag(
        "site.sitedata", "\(site.minDepthMm ?? 0) to \(site.maxDepthMm ?? 0) mm",
        "are no depths: left out")
      (site.minDepthMm, site.maxDepthMm) = (nil, nil)
    }
    return site.isEmpty ? nil : site
  }

  // MARK: - Dives

  private func takeDive(_ item: XMLItem) throws(ImportRefusal) {
    let before = item.child("informationbeforedive")
    guard let written = before?.child("datetime") else {
      throw ImportRefusal(
        line: item.line, column: "datetime", value: "", reason: "is missing",
        remedy: "when the dive began, as 2026-03-15T09:44:30")
    }
    guard let start = ImportTime(written.text.trimmed(of: \.isWhitespace)) else {
      throw ImportRefusal(
        line: written.line, column: "datetime", value: written.text, reason: "is no time",
        remedy: "when the dive began, as 2026-03-15T09:44:30")
    }
    let id =
      definitions.ownID(item.attribute("id") ?? "")
      ?? names.id(["uddf", "dive", start.time.text, before?.child("divenumber")?.text ?? ""])
    var draft = DiveDraft(Event(id: id, kind: .dive, start: start.time), line: item.line)
    draft.event.utcOffsetMin = start.utcOffsetMin
    var dive = UDDFDive(definitions, draft)
    if let before { dive.takeBefore(before) }
    for child in item.children where child.name == "tankdata" { dive.takeTank(child) }
    for child in item.children {
      switch child.name {
      case "informationbeforedive", "tankdata": break
      case "informationafterdive": dive.takeAfter(child)
      case "samples": dive.takeSamples(child)
      default: dive.draft.leave("dive.\(child.name)")
      }
    }
    draft = dive.finished()
    waiting.append(.success(try draft.row()))
    beside.leave(draft.words.left.sorted())
  }
}

/// What dives refer to.
struct UDDFDefinitions {
  /// Whether stol wrote the file.
  var isOwn = false
  var sites: [String: JournalID] = [:]
  fileprivate(set) var buddies: [String: String] = [:]
  fileprivate(set) var owners: Set<String> = []
  fileprivate(set) var suits: [String: String] = [:]
  fileprivate(set) var tanks: [String: Int] = [:]
  fileprivate(set) var mixes: [String: (o2Permille: Int?, hePermille: Int?)] = [:]
  fileprivate(set) var computers: [String: Dive.Log] = [:]
  /// What else of the equipment is there.
  fileprivate(set) var others: Set<String> = []

  /// The UUID that stol wrote into an identifier, as "dive-UUID".
  func ownID(_ key: String) -> JournalID? {
    guard isOwn, let hyphen = key.firstIndex(of: "-") else { return nil }
    return JournalID(String(key[key.index(after: hyphen)...]))
  }

  mutating func takeDiver(_ item: XMLItem) {
    for child in item.children {
      let key = child.attribute("id") ?? ""
      if child.name == "owner" {
        owners.insert(key)
        if let equipment = child.child("equipment") { takeEquipment(equipment) }
      } else if child.name == "buddy" {
        let personal = child.child("personal")
        let names = ["firstname", "middlename", "lastname"].compactMap {
          personal?.child($0)?.text.trimmed(of: \.isWhitespace)
        }
        buddies[key] = names.filter { !$0.isEmpty }.joined(separator: " ")
      }
    }
  }

  private mutating func takeEquipment(_ item: XMLItem) {
    var words = ImportWords()
    for child in item.children {
      guard let key = child.attribute("id") else { continue }
      switch child.name {
      case "divecomputer":
        var log = Dive.Log()
        log.model = words.name(child.child("model")?.text ?? child.child("name")?.text, "model")
        log.serial = words.name(child.child("serialnumber")?.text, "serialnumber")
        computers[key] = log
      case "suit": suits[key] = child.child("name")?.text ?? child.child("suittype")?.text ?? ""
      case "tank":
        tanks[key] = child.child("tankvolume").flatMap {
          WrittenNumber($0.text)?.scaled(by: 1_000_000)
        }
        others.insert(key)
      default: others.insert(key)
      }
    }
  }

  mutating func takeGases(_ item: XMLItem) {
    for mix in item.children where mix.name == "mix" {
      func permille(_ name: String) -> Int? {
        mix.child(name).flatMap { WrittenNumber($0.text)?.scaled(by: 1000) }
      }
      mixes[mix.attribute("id") ?? ""] = (permille("o2"), permille("he"))
    }
  }
}
