import STOLAnswers
import STOLData
import STOLJournal
import STOLSystem

extension Pages {
  /// A tree, or another individual, through the years.
  func organismPage(
    _ visit: Visit, _ id: JournalID, _ journal: LocalJournal
  ) async throws -> Reply {
    let (kept, parts, collections) = try await journal.read { file, _ in
      guard let kept = try file.record(id), kept.deletedAt == nil,
        case .organism(let organism) = kept.record
      else { throw JournalError.unknown(id: id, needed: "organism") }
      return (organism, try file.parts(of: id), try file.collections())
    }
    var query = SightingQuery()
    (query.organism, query.includesAbsent, query.limit) = (id, true, 500)
    let page = try await journal.sightings(query)
    let taxa = seen(page.sightings.compactMap(\.taxon), visit)
    if visit.address.form == .json {
      return .json { json in
        json.text("organism", "\(id)")
        json.text("name", kept.name)
        json.text("status", kept.status.rawValue)
        json.text("planted", kept.planted?.text)
        json.position("position", kept.position)
        json.objects("sightings", page.sightings) { $0.fields(of: $1, taxa) }
      }
    }
    let latest = page.sightings.first
    let place = try await placeName(kept.place, journal)
    return journalPage(
      visit, .organism(id), "An individual",
      heading: Html {
        if let name = kept.name {
          tag("bdi") { name }
        } else {
          sightingName(latest?.taxon, latest?.verbatimName, taxa)
        }
      }
    ) {
      tag("p", .class("lead")) {
        if kept.name != nil, let latest { sightingName(latest.taxon, latest.verbatimName, taxa) }
        ", \(kept.status.rawValue)"
        if let planted = kept.planted { ", planted \(JournalWords.time(planted))" }
        if let place, let id = kept.place {
          ", at "
          tag("a", .href(Address(.place(id)))) { tag("bdi") { place } }
        }
      }
      tag("div", .class("actions")) {
        if let latest {
          tag("a", .class("button main"), .href(Address(.new, ["again": "\(latest.occurrence)"]))) {
            "Visit it again"
          }
        }
        if let position = kept.position {
          tag(
            "a", .class("button"), .href(JournalMapView(around: position).address(JournalFilter()))
          ) { "On the map" }
        }
      }
      measureCharts(parts)
      section("Through the years") { timeline(page.sightings, parts, taxa) }
      photoGrid(photos(in: parts), "Photos")
      collecting(visit, id, kept.collections, collections)
      deletion(visit, id, "Delete this individual")
    }
  }

  /// Visits, notes and measures of an individual by year, the last one first.
  private func timeline(
    _ sightings: [Sighting], _ parts: [KeptRecord], _ taxa: [TaxonReference: SeenTaxon]
  ) -> Html {
    var moments: [(day: Int, Html)] = sightings.map { sighting in
      (
        sighting.time.firstDay,
        Html {
          tag("a", .href(Address(.sighting(sighting.occurrence)))) {
            JournalWords.time(sighting.time)
          }
          sighting.isPresent ? ", visited" : ", not found"
        }
      )
    }
    for part in parts {
      switch part.record {
      case .note(let note):
        guard let time = note.time else { continue }
        moments.append(
          (
            time.firstDay,
            Html {
              "\(JournalWords.time(time)): "; tag("bdi") { note.text }
            }
          ))
      case .measure(let measure):
        guard let time = measure.time else { continue }
        moments.append(
          (
            time.firstDay,
            Html {
              "\(JournalWords.time(time)): "; measureText(measure)
            }
          ))
      default: continue
      }
    }
    moments.sort { $0.day > $1.day }
    let years = moments.map { CivilDate(days: $0.day).year }
    var order: [Int] = []
    for year in years where order.last != year { order.append(year) }
    return itemList("ol", class: "years", of: order) { year in
      tag("h3") { "\(year)" }
      itemList(of: zip(years, moments).filter { $0.0 == year }.map(\.1.1)) { $0 }
    }
  }
}
