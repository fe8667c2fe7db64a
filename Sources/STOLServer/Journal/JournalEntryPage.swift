import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSearch

extension Pages {
  /// The form for something that was seen: empty, or with what is the same again.
  func entryForm(_ visit: Visit) async throws -> Reply {
    var values = Fields()
    values.append("id", "\(JournalID())")
    values.append("when", visit.query["when"] ?? JournalClock.now.replacing("T", with: " "))
    guard let journal = try services.journal.journal() else {
      return entryPage(
        visit, EntryFormContent(values: values, places: [], card: nil, map: .world))
    }
    var card: TaxonCard?
    if let again = (visit.query["again"] ?? visit.query["beside"]).flatMap({ JournalID($0) }) {
      card = try await repeated(
        visit, again, isSame: visit.query["again"] != nil, journal, &values)
    }
    if let at = visit.query["at"].flatMap({ JournalID($0) }),
      case .place(let place)? = try await journal.record(at)?.record
    {
      values.append("place", place.name)
      values.append("placeid", "\(at)")
    }
    if let kind = visit.query["kind"] { values.append("kind", kind) }
    return entryPage(
      visit,
      EntryFormContent(
        values: values, places: try await knownPlaces(journal), card: card,
        map: try await entryMap(values)))
  }

  /// The names of places, for a field that completes them.
  private func knownPlaces(_ journal: LocalJournal) async throws -> [String] {
    var query = PlaceQuery()
    query.limit = 200
    return try await journal.places(query).places.map(\.name)
  }

  /// Fills a form with where a sighting was, and where the same is meant with what it was.
  private func repeated(
    _ visit: Visit, _ id: JournalID, isSame: Bool, _ journal: LocalJournal,
    _ values: inout Fields
  ) async throws -> TaxonCard? {
    let found = try await journal.read { file, _ -> (Occurrence, Event, [KeptRecord], String?)? in
      guard case .occurrence(let seen)? = try file.record(id)?.record,
        case .event(let event)? = try file.record(seen.event)?.record
      else { return nil }
      var place: String?
      if let id = event.place, case .place(let record)? = try file.record(id)?.record {
        place = record.name
      }
      return (seen, event, try file.parts(of: id), place)
    }
    guard let (seen, event, parts, place) = found else {
      throw JournalError.unknown(id: id, needed: "occurrence")
    }
    let position = seen.position ?? event.position
    values.append("at", position.map { "\($0.latitudeText), \($0.longitudeText)" })
    values.append("accuracy", position?.uncertaintyM.map { "\($0)" })
    values.append("offset", event.utcOffsetMin.map { JournalEntry.offsetText($0) })
    values.append("place", place)
    values.append("placeid", event.place.map { "\($0)" })
    values.append("privacy", seen.privacy.rawValue)
    let profile: JournalEntry.Profile =
      seen.organism != nil ? .tree : event.kind == .dive ? .dive : .walk
    values.append("kind", profile.rawValue)
    guard isSame else { return nil }
    values.append("organism", seen.organism.map { "\($0)" })
    values.append("tags", seen.tags.isEmpty ? nil : seen.tags.sorted().joined(separator: ", "))
    let last = parts.compactMap { part in
      if case .identification(let record) = part.record { record } else { nil }
    }.last
    let card = last?.taxon.flatMap { self.seen([$0], visit)[$0]?.card }
    values.append("taxon", card?.address.text ?? last?.verbatimName)
    return card
  }

  /// Keeps what a form says, and shows it, or what it would be; a field that cannot be is said beside the form.
  func keepEntry(_ visit: Visit, _ sent: Fields) async throws -> Reply {
    var form = sent
    let view = try await entryMap(sent)
    do {
      if let step = EntryMapStep(form) {
        let moved = step.apply(to: &form, view)
        let origin: EntryOrigin? = step.isTap && form["at"] != sent["at"] ? .map : nil
        return try await entryAgain(visit, form, moved, said: origin?.words)
      }
      let photo = try visit.file(of: "photo").map { try PhotoFile($0.bytes, name: $0.name) }
      let origin = try place(of: &form, photo, visit)
      if form["look"] != nil {
        for name in ["mapat", "mapz"] { form.set(name, nil) }
        return try await entryAgain(visit, form, try await entryMap(form), said: origin?.words)
      }
      let entry = try JournalEntry(form, photo: photo) { text in
        try taxonID(text).flatMap { id in
          withView(visit) { view, _ in
            (try? view.ordinal(of: id)).flatMap { view.reference(to: $0) }
          }
        }
      }
      let journal = try services.journal.begun()
      let pack = snapshot.pack
      let outcome = try await journal.change { try entry.save(to: $0, in: pack) }
      let word =
        outcome.batch == nil ? "same" : outcome.results.contains(.new) ? "new" : "updated"
      var address = entry.target
      address.query.append("done", word)
      address.query.append("batch", outcome.batch.map { "\($0)" })
      address.query.append("from", origin?.text)
      return .seeOther(address)
    } catch let error as JournalError {
      switch error {
      case .invalid, .photo:
        return try await entryAgain(visit, form, view, error: error.description)
      default: throw error
      }
    }
  }

  /// Gives a form without a position that of its track or its photo; from where it is.
  private func place(
    of form: inout Fields, _ photo: PhotoFile?, _ visit: Visit
  ) throws -> EntryOrigin? {
    // What somebody typed holds, whatever a file says.
    guard form["at"] == nil else { return nil }
    var found: (Position, EntryOrigin)?
    if let track = visit.file(of: "track") {
      let place = try JournalEntry.place(on: track, at: form["when"], offset: form["offset"])
      found = (place.fix.position, EntryOrigin(place))
    } else if let position = photo?.facts.exif.position {
      found = (position, .photo)
    }
    guard let (position, origin) = found else { return nil }
    form.set("at", "\(position.latitudeText), \(position.longitudeText)")
    form.set("accuracy", position.uncertaintyM.map { "\($0)" })
    return origin
  }

  /// The form once more, with what it says.
  private func entryAgain(
    _ visit: Visit, _ form: Fields, _ view: JournalMapView, said: String? = nil,
    error: String? = nil
  ) async throws -> Reply {
    let journal = try services.journal.journal()
    var places: [String] = []
    if let journal { places = try await knownPlaces(journal) }
    let card = try form["taxon"].flatMap { try taxonID($0) }.flatMap { cards([$0], visit).first }
    return entryPage(
      visit, EntryFormContent(values: form, places: places, card: card, map: view, said: said),
      error: error)
  }

  /// The part of the globe on the small map of a form: the one that it says, else that around its position, else that
  /// around the last sighting, else all of it.
  private func entryMap(_ form: Fields) async throws -> JournalMapView {
    var query = Fields()
    query.append("at", form["mapat"])
    query.append("z", form["mapz"])
    if let view = JournalMapView(query) { return view }
    if let position = try? JournalEntry.position(form) { return JournalMapView(around: position) }
    var last = SightingQuery()
    last.limit = 1
    guard let journal = try services.journal.journal(),
      let position = try await journal.sightings(last).sightings.first?.position
    else { return .world }
    return JournalMapView(around: position)
  }

  // MARK: - Completion

  /// Suggestions for a name: what was seen before first, then what the database has.
  func journalCompletions(_ visit: Visit) async throws -> Reply {
    let text = visit.query["q"] ?? ""
    let pack = snapshot.pack
    let languages = LanguagePreference(visit.language, in: pack.view.names)
    let own =
      try await services.journal.journal()?.read { file, _ in try file.ownTaxa(in: pack) } ?? []
    // Own ones may be far behind others whose names begin alike.
    let query = SearchQuery(
      text, words: .asTyped, preferredLanguages: languages.wished,
      limit: own.isEmpty ? Self.shownCount : 1000)
    let results =
      text.isEmpty
      ? [] : try await services.search.search(query, filter: TaxonFilter(), in: snapshot)
    let view = pack.view
    let isOwn = results.map { result in
      (try? view.ordinal(of: result.id)).map { own.contains($0) } ?? false
    }
    let first = zip(results, isOwn).filter { $0.1 }.map(\.0).prefix(Self.shownCount)
    let others = zip(results, isOwn).filter { !$0.1 }.map(\.0).prefix(Self.shownCount)
    let found = hits(Array(first + others), in: pack, languages, visit)
    return .json { write(Array(found.prefix(Self.shownCount)), to: &$0) }
  }

  /// As many names are suggested.
  private static let shownCount = 8
}
