import STOLData
import STOLJournal
import STOLPack

/// What a form says of something that was seen, read but not kept yet.
struct JournalEntry: Sendable {
  /// What somebody notes.
  enum Profile: String, CaseIterable, Sendable {
    case tree, walk, dive
  }

  /// Something that was seen: a taxon that was picked, or a name as it was written.
  struct Seen: Sendable {
    var taxon: TaxonReference?
    var name: String
    var count: Int?
    var countKind: Occurrence.CountKind?
  }

  /// The UUID that the form carries from its first rendering; what is sent twice is one record.
  var id: JournalID
  var profile: Profile
  var seen: [Seen] = []
  var time: LocalTime
  /// How many minutes the clock was ahead of UTC.
  var utcOffsetMin: Int?
  var position: Position?
  var place: String?
  /// The place that a page named, where its name was left as it is.
  var placeID: JournalID?
  /// The individual that is visited again.
  var organism: JournalID?
  /// What a new individual is called.
  var individual: String?
  var measures: [(type: String, number: Int?, text: String?)] = []
  var dive: Dive?
  var note: String?
  var tags: Set<String> = []
  var privacy: Privacy
  var photo: PhotoFile?

  /// Reads a form; `reference` gives the taxon that an address is of, or nil where the active database has none.
  ///
  /// - Throws: `JournalError` for the first field that says what cannot be.
  init(
    _ form: Fields, photo: PhotoFile?, reference: (String) throws -> TaxonReference?
  ) throws {
    guard let id = form["id"].flatMap({ JournalID($0) }) else {
      throw JournalError.invalid(
        field: "id", value: form["id"] ?? "", remedy: "the UUID that the page gave: load it again")
    }
    self.id = id
    profile = form["kind"].flatMap { Profile(rawValue: $0) } ?? .walk
    time = try LocalTime(form["when"] ?? "", field: "when")
    utcOffsetMin = try form["offset"].map { try Self.offset($0) }
    privacy = try form["privacy"].map { try Privacy(word: $0, field: "privacy") } ?? .open
    position = try Self.position(form)
    if let text = form["taxon"] {
      var first = Seen(name: text)
      if TaxonAddress(segment: text) != nil {
        guard let taxon = try reference(text) else {
          throw JournalError.invalid(
            field: "what", value: text,
            remedy: "the active database does not have it: write its name")
        }
        (first.taxon, first.name) = (taxon, taxon.name)
      }
      if let count = form["count"] {
        let counted = try CountedText("x=\(count)")
        (first.count, first.countKind) = (counted.count, counted.countKind)
      }
      seen.append(first)
    }
    if profile != .tree {
      for line in (form["more"] ?? "").split(whereSeparator: \.isNewline) {
        let text = line.drop { $0 == " " }
        guard !text.isEmpty else { continue }
        let counted = try CountedText(String(text))
        seen.append(
          Seen(name: counted.name, count: counted.count, countKind: counted.countKind))
      }
    }
    place = form["place"]
    placeID = form["placeid"].flatMap { JournalID($0) }
    note = form["note"]
    tags = Set(
      (form["tags"] ?? "").split(separator: ",").map { part in
        String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }.filter { !$0.isEmpty })
    if profile == .tree {
      organism = form["organism"].flatMap { JournalID($0) }
      individual = form["individual"]
      measures = try (form["measure"] ?? "").split(separator: ",").map { part in
        let text = part.drop { $0 == " " }
        return try MeasureType.parse(String(text))
      }
    }
    if profile == .dive { dive = try Self.dive(form) }
    self.photo = photo
    guard !seen.isEmpty || profile == .dive else {
      throw JournalError.invalid(field: "what", value: "", remedy: "say what you saw")
    }
  }

  /// Where a form says that it was; nil where it does not say.
  ///
  /// - Throws: `JournalError`
  static func position(_ form: Fields) throws -> Position? {
    guard let at = form["at"] else { return nil }
    let parts = at.split(whereSeparator: { $0 == "," || $0 == " " || $0 == ";" })
    guard parts.count == 2 else {
      throw JournalError.invalid(
        field: "where", value: at, remedy: "latitude and longitude, as 42.45331, -76.48070")
    }
    let metres = try form["accuracy"].map { text in
      guard let metres = Int(text) else {
        throw JournalError.invalid(
          field: "accuracy", value: text, remedy: "whole metres from 1, or nothing")
      }
      return metres
    }
    return try Position(
      latitude: String(parts[0]), longitude: String(parts[1]), uncertaintyM: metres)
  }

  /// A number alone is in the unit that the field names.
  private static func unit(_ text: String, _ unit: String) -> String {
    text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") } ? text + unit : text
  }

  private static func dive(_ form: Fields) throws -> Dive {
    var dive = Dive()
    dive.durationS = try form["duration"].map {
      try TimeSpan(unit($0, "min"), field: "duration").s
    }
    dive.maxDepthMm = try form["depth"].map { try Length(unit($0, "m"), field: "depth").mm }
    dive.waterMinCk = try form["water"].map {
      try Temperature(unit($0, "C"), field: "water").ck
    }
    dive.visibilityCm = try form["visibility"].map {
      try Length(unit($0, "m"), field: "visibility").mm / 10
    }
    dive.tanks = try form["tank"].map { [try Dive.Tank($0)] } ?? []
    return dive
  }

  // MARK: - Records

  /// The page that shows what was kept.
  var target: Address {
    profile == .dive || seen.isEmpty ? Address(.event(eventID)) : Address(.sighting(id))
  }

  private var eventID: JournalID { id.derived("event") }

  /// Keeps it: all of it or nothing, and the same again changes nothing.
  ///
  /// - Throws: `JournalError`, `StoreError`
  func save(to file: JournalFile, in pack: Pack) throws -> SaveOutcome {
    var records: [JournalRecord] = []
    var event = Event(id: eventID, kind: profile == .dive ? .dive : .visit, start: time)
    (event.position, event.utcOffsetMin) = (position, utcOffsetMin)
    (event.dive, event.privacy) = (dive, privacy)
    event.place = try placeRecord(file, &records)
    records.append(.event(event))
    let individual = try organismRecord(file, event.place, &records)
    var reader = JournalNameReader()
    let view = pack.view
    for (index, seen) in seen.enumerated() {
      var occurrence = Occurrence(
        id: index == 0 ? id : id.derived("saw \(index + 1)"), event: eventID)
      if let count = seen.count { occurrence.take(count: count, seen.countKind ?? .exact) }
      occurrence.privacy = privacy
      if index == 0 { (occurrence.organism, occurrence.tags) = (individual, tags) }
      let name = occurrence.id.derived("identification \(seen.taxon?.written ?? seen.name)")
      let identification =
        seen.taxon.map {
          Identification(
            id: name, occurrence: occurrence.id, verbatimName: seen.name, taxon: $0, match: .chosen)
        } ?? reader.read(seen.name, in: view).identification(of: occurrence.id, id: name)
      records += [.occurrence(occurrence), .identification(identification)]
    }
    let target = seen.isEmpty ? eventID : id
    if let note {
      records.append(.note(Note(id: id.derived("note"), target: target, text: note, time: time)))
    }
    for measure in measures {
      var record = Measure(
        id: id.derived("measure \(measure.type)"), target: individual ?? target,
        type: measure.type, number: measure.number, text: measure.text)
      record.time = time
      records.append(.measure(record))
    }
    guard let photo else { return try file.save(records) }
    return try file.save(
      records + [.photo(try file.photo(photo, of: target))], files: [photo])
  }

  /// The place of that name, or a new one.
  private func placeRecord(
    _ file: JournalFile, _ records: inout [JournalRecord]
  ) throws -> JournalID? {
    guard let place else { return nil }
    if let placeID, case .place(let known)? = try file.record(placeID)?.record,
      known.name == place
    {
      return placeID
    }
    let known = try file.places(named: place)
    if known.count > 1 {
      throw JournalError.invalid(
        field: "place", value: place,
        remedy: "several places are called so: begin on the page of the one that you mean")
    }
    if let one = known.first { return one.id }
    var new = Place(
      id: id.derived("place \(place)"), kind: profile == .dive ? .site : .spot, name: place)
    (new.position, new.privacy) = (position, privacy)
    records.append(.place(new))
    return new.id
  }

  /// The individual that is visited again, or a new one where it was given a name.
  private func organismRecord(
    _ file: JournalFile, _ place: JournalID?, _ records: inout [JournalRecord]
  ) throws -> JournalID? {
    if let organism { return organism }
    guard let individual else { return nil }
    var new = Organism(id: id.derived("organism"))
    (new.name, new.position, new.place) = (individual, position, place)
    (new.status, new.privacy) = (.alive, privacy)
    records.append(.organism(new))
    return new.id
  }
}
