import STOLAnswers
import STOLJournal

extension Pages {
  /// An event with all that was seen in it; of a dive its profile too.
  func eventPage(_ visit: Visit, _ id: JournalID, _ journal: LocalJournal) async throws -> Reply {
    let (detail, collections) = try await journal.read { file, _ in
      (try file.detail(ofEvent: id), try file.collections())
    }
    guard detail.event.deletedAt == nil, case .event(let event) = detail.event.record else {
      throw JournalError.unknown(id: id, needed: "event")
    }
    var query = SightingQuery()
    (query.event, query.includesAbsent, query.limit) = (id, true, 500)
    let page = try await journal.sightings(query)
    let taxa = seen(page.sightings.compactMap(\.taxon), visit)
    if visit.address.form == .json {
      return .json { json in
        json.text("event", "\(id)")
        json.text("kind", event.kind.rawValue)
        json.text("start", event.start.text)
        json.text("end", event.end?.text)
        json.position("position", event.position)
        json.text("place", detail.places.last.map { "\($0.id)" })
        json.object("dive") { json in
          json.number("durationS", event.dive?.durationS)
          json.number("maxDepthMm", event.dive?.maxDepthMm)
          json.number("meanDepthMm", event.dive?.meanDepthMm)
        }
        json.objects("sightings", page.sightings) { $0.fields(of: $1, taxa) }
      }
    }
    return journalPage(visit, .event(id), "An event", heading: eventTitle(detail)) {
      if !detail.places.isEmpty {
        tag("p", .class("lead")) {
          detail.places.reversed().enumerated().map { index, place in
            Html {
              index > 0 ? ", " : "At "
              tag("a", .href(Address(.place(place.id)))) { tag("bdi") { place.name } }
            }
          }
        }
      }
      if let dive = event.dive {
        itemList(class: "quick", of: Self.quickFacts(dive)) { $0 }
        for (index, log) in dive.logs.enumerated() where log.hasSamples {
          DiveProfile(log.samples, number: index + 1).figure(log.model)
        }
        tanks(dive.tanks)
      }
      tag("dl", .class("names")) {
        words("Until", event.end.map { JournalWords.time($0) })
        words("Weather", event.weather)
        words("Water", event.dive.flatMap { Self.water($0) })
        words(
          "With",
          detail.participants.isEmpty
            ? nil
            : detail.participants.map { "\($0.name) (\($0.role.rawValue))" }.joined(separator: ", ")
        )
        words("How", event.protocol)
        words("Tags", event.tags.isEmpty ? nil : event.tags.sorted().joined(separator: ", "))
        words("Remarks", event.remarks)
      }
      section("Seen") {
        if page.sightings.isEmpty { tag("p") { "Nothing was noted." } }
        sightingList(page.sightings, taxa)
      }
      photoGrid(photos(in: detail.parts), "Photos")
      facts(of: detail.parts)
      tag("div", .class("actions")) {
        if let position = event.position ?? detail.places.last?.position {
          tag(
            "a", .class("button"), .href(JournalMapView(around: position).address(JournalFilter()))
          ) { "On the map" }
        }
      }
      collecting(visit, id, event.collections, collections)
      deletion(visit, id, "Delete all of it")
    }
  }

  /// What one wants to know of a dive first: "12 m", "46 min", "200 to 60 bar".
  static func quickFacts(_ dive: Dive) -> [String] {
    var facts: [String] = []
    if let number = dive.number { facts.append("dive \(Words.grouped(number))") }
    if let depth = dive.maxDepthMm { facts.append("\(JournalWords.metres(depth)) m deep") }
    if let duration = dive.durationS { facts.append("\((duration + 30) / 60) min") }
    if let tank = dive.tanks.first, let start = tank.startMbar, let end = tank.endMbar {
      facts.append("\(start / 1000) to \(end / 1000) bar")
    }
    if let gas = dive.tanks.first.flatMap({ Self.gas($0) }) { facts.append(gas) }
    if let water = dive.waterMinCk { facts.append("water \(Temperature.celsius(water))") }
    if let far = dive.visibilityCm { facts.append("one saw \(JournalWords.metres(far * 10)) m") }
    return facts
  }

  private static func water(_ dive: Dive) -> String? {
    guard let low = dive.waterMinCk ?? dive.waterMaxCk else { return nil }
    let high = dive.waterMaxCk ?? low
    return low == high
      ? Temperature.celsius(low) : "\(Temperature.celsius(low)) to \(Temperature.celsius(high))"
  }

  /// A gas by its name: "air", "EAN32", "oxygen", "trimix 18/45".
  private static func gas(_ tank: Dive.Tank) -> String? {
    guard let oxygen = tank.o2Permille else { return nil }
    let helium = tank.hePermille ?? 0
    if helium > 0 { return "trimix \(oxygen / 10)/\(helium / 10)" }
    return (205...210).contains(oxygen) ? "air" : oxygen == 1000 ? "oxygen" : "EAN\(oxygen / 10)"
  }

  private func tanks(_ tanks: [Dive.Tank]) -> Html? {
    guard !tanks.isEmpty else { return nil }
    return tag("table", .class("traits tanks")) {
      tag("thead") {
        tag("tr") {
          for title in ["Tank", "Gas", "Litres", "Bar", "Used"] {
            tag("th", Attribute("scope", "col")) { title }
          }
        }
      }
      tag("tbody") {
        for (index, tank) in tanks.enumerated() {
          tag("tr") {
            tag("th", Attribute("scope", "row")) { "\(index + 1)" }
            tag("td") { Self.gas(tank) ?? "" }
            tag("td") { tank.volumeMl.map { JournalWords.metres($0) } ?? "" }
            tag("td") {
              [tank.startMbar, tank.endMbar].compactMap { $0 }.map { "\($0 / 1000)" }
                .joined(separator: " to ")
            }
            tag("td") {
              if let volume = tank.volumeMl, let start = tank.startMbar, let end = tank.endMbar {
                "\(volume / 1000 * (start - end) / 1000) l"
              }
            }
          }
        }
      }
    }
  }
}
