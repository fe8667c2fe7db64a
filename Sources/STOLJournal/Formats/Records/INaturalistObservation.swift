import STOLSystem

/// An observation of iNaturalist, in whatever form it came.
struct INaturalistObservation {
  /// What somebody took it for, before what it is called now.
  struct Name {
    let id: String
    let name: String
    var date: LocalTime?
    var remarks: String?
  }

  /// Its number.
  let id: String
  /// When it was, by the clock there.
  let start: LocalTime
  var utcOffsetMin: Int?
  /// Where it was, as exactly as the file says it.
  var position: Position?
  /// Whether the file says less exactly than its observer where it was.
  var isObscured = false
  var privacy = Privacy.open
  var placeName: String?
  /// Who saw it: the name of the account, and that of the person.
  var login: String?
  var personName: String?
  var remarks: String?
  var tags: Set<String> = []
  var isCaptive: Bool?
  var history: [Name] = []
  /// What it is called now.
  var name: String?
  var commonName: String?

  init(id: String, start: LocalTime, utcOffsetMin: Int?) {
    (self.id, self.start, self.utcOffsetMin) = (id, start, utcOffsetMin)
  }

  /// What its UUIDs are named after.
  static let source = "inaturalist"
  /// The tag of what lies somewhere near its position.
  static let obscuredTag = "position obscured"

  /// The UUID of the occurrence with a number.
  static func occurrence(_ id: String) -> JournalID { JournalID(naming: [source, id]) }

  /// Its records.
  var records: [JournalRecord] {
    let id = Self.occurrence(id)
    var records: [JournalRecord] = []
    var event = Event(id: id.derived("event"), kind: .visit, start: start)
    event.utcOffsetMin = utcOffsetMin
    event.position = position
    if let placeName {
      let place = Place(
        id: JournalID(naming: [Self.source, "place", placeName]), kind: .site, name: placeName)
      records.append(.place(place))
      event.place = place.id
    }
    if let login {
      let person = Person(
        id: JournalID(naming: [Self.source, "person", login]), name: personName ?? login)
      records.append(.person(person))
      event.persons = [Participant(person: person.id, role: .observer)]
    }
    records.append(.event(event))
    var occurrence = Occurrence(id: id, event: event.id)
    occurrence.remarks = remarks
    occurrence.tags = isObscured ? tags.union([Self.obscuredTag]) : tags
    occurrence.privacy = isObscured ? privacy.stricter(.obscured) : privacy
    occurrence.establishment = isCaptive.map { $0 ? .cultivated : .wild }
    records.append(.occurrence(occurrence))
    for earlier in history {
      var identification = Identification(
        id: JournalID(naming: [Self.source, "identification", earlier.id]), occurrence: id,
        verbatimName: earlier.name)
      (identification.date, identification.remarks) = (earlier.date, earlier.remarks)
      records.append(.identification(identification))
    }
    if let name, name != history.last?.name {
      var identification = Identification(
        id: id.derived("identification\n\(name)"), occurrence: id, verbatimName: name)
      identification.remarks = commonName
      records.append(.identification(identification))
    }
    return records
  }

  // MARK: - Times

  /// The local time of a day, by what the observer wrote and the moment in UTC.
  ///
  /// The time of day that stands in the text is taken where it lies whole quarters of an hour from the moment, which
  /// tells the offset of the clock too.
  ///
  /// - Parameters:
  ///   - day: the date there.
  ///   - text: what the observer wrote: "2019-08-13 7:02:39 PM CDT".
  ///   - moment: the moment, as seconds since 1970.
  /// - Returns: the local time and its offset; the day alone where they do not tell.
  static func time(
    on day: LocalTime, _ text: String?, _ moment: Int?
  ) -> (time: LocalTime, utcOffsetMin: Int?) {
    guard let clock = text.flatMap(secondOfDay), let moment else { return (day, nil) }
    // A text without seconds may be of a moment with some.
    let local =
      day.firstSecond + clock
      + (clock.isMultiple(of: 60) ? moment.flooredDivision(by: 60).remainder : 0)
    let ahead = local - moment
    guard ahead.isMultiple(of: 900), (-14 * 3600...14 * 3600).contains(ahead) else {
      return (day, nil)
    }
    let written = timeText(secondsSince1970: local)
    let short = written.hasSuffix(":00") ? String(written.dropLast(3)) : written
    guard let time = try? LocalTime(short) else { return (day, nil) }
    return (time, ahead / 60)
  }

  /// The second of the day that the first time of day in a text is: "7:02:39 PM", "19:02".
  private static func secondOfDay(_ text: String) -> Int? {
    let words = text.split { $0 == " " || $0 == "T" || $0 == "\u{202F}" }
    for (index, word) in words.enumerated() where word.contains(":") {
      let clock = word.prefix { $0 == ":" || $0.isASCII && $0.isNumber }
      guard !clock.isEmpty else { continue }
      let half = String(word[clock.endIndex...].prefix(2)).uppercased()
      let next = index + 1 < words.count ? words[index + 1].uppercased() : ""
      let suffix = [half, next].first { $0 == "AM" || $0 == "PM" } ?? ""
      guard let time = CellText.timeOfDay(String(clock) + suffix),
        let whole = try? LocalTime("2000-01-01T\(time)")
      else { continue }
      return whole.firstSecond.flooredDivision(by: 86_400).remainder
    }
    return nil
  }

  /// The word of a privacy that iNaturalist has; open where it has none.
  static func privacy(_ words: String?...) -> Privacy {
    words.compactMap { $0.flatMap { Privacy(rawValue: $0) } }.reduce(.open) { $0.stricter($1) }
  }

  /// The higher taxon that a group of iNaturalist is.
  static func hint(ofGroup name: String?) -> ImportRow.Hint? {
    guard let name, let rank = groups[name] else { return nil }
    return ImportRow.Hint(rank: rank, name: name)
  }

  private static let groups = [
    "Animalia": "kingdom", "Plantae": "kingdom", "Fungi": "kingdom", "Chromista": "kingdom",
    "Protozoa": "kingdom", "Mollusca": "phylum", "Aves": "class", "Insecta": "class",
    "Mammalia": "class", "Reptilia": "class", "Amphibia": "class", "Actinopterygii": "class",
    "Arachnida": "class",
  ]
}
