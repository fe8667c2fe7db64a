import ArgumentParser
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// The command `stol journal dive`.
struct DiveJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dive", abstract: "Add a dive with what was seen.",
    discussion: """
      Prints new, same or updated and the UUID of the dive, once all of it is safe on the disk, then a line \
      for everything that was seen. Depths, temperatures, pressures and times need their units. Given a UUID \
      with --id the same command, run again, changes nothing. Of a dive that is there with that --id it changes \
      what you say and leaves the rest: all tanks, all tags, all persons of a role, or how often the first of what \
      was seen was.

        stol journal dive --place "Blue Corner" --start 2026-03-15T09:44 --max-depth 22m \
      --duration 52min --tank 12l,200-60bar,EAN32 --saw "Chelonia mydas=2" --saw "Amphiprion sp."
        stol journal dive --start 2026-03-15 --max-depth 72ft --water-temperature 80F --buddy "Ada Reef"
      """)

  @Option(help: ArgumentHelp("The place (name or UUID).", valueName: "place"))
  var place: String?

  @Flag(help: "Add the place as a site, where none has the name.")
  var newPlace = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where exactly, in degrees: latitude,longitude.", valueName: "position"))
  var at: String?

  @OptionGroup var nullIsland: NullIslandOptions

  @Option(
    help: ArgumentHelp(
      "When it began, by the clock of that place, as 2026-03-15T09:44 (default: today).",
      valueName: "time"))
  var start: String?

  @Option(help: ArgumentHelp("When it ended.", valueName: "time"))
  var end: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The minutes that this clock is ahead of UTC.", valueName: "minutes"))
  var utcOffset: Int?

  @Option(help: ArgumentHelp("The trip that it is part of.", valueName: "uuid"))
  var trip: String?

  @Option(help: ArgumentHelp("Its number in your life.", valueName: "n"))
  var number: Int?

  @Option(help: ArgumentHelp("oc, ccr, scr, free or gauge.", valueName: "mode"))
  var mode: String?

  @Option(help: ArgumentHelp("How long it was, as 52min or 1h5min.", valueName: "time"))
  var duration: String?

  @Option(help: ArgumentHelp("How long you were at the bottom.", valueName: "time"))
  var bottomTime: String?

  @Option(help: ArgumentHelp("The deepest point, as 22m or 72ft.", valueName: "depth"))
  var maxDepth: String?

  @Option(help: ArgumentHelp("The mean depth.", valueName: "depth"))
  var meanDepth: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The water, as 28C or 82F, or the coldest and the warmest, as 26C,28C.",
      valueName: "temperature"
    ))
  var waterTemperature: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The air, as 30C.", valueName: "temperature"))
  var airTemperature: String?

  @Option(help: ArgumentHelp("How far you saw, as 25m.", valueName: "length"))
  var visibility: String?

  @Option(help: ArgumentHelp("From 0, none, to 5, very strong.", valueName: "0-5"))
  var current: Int?

  @Option(help: ArgumentHelp("The lead, as 4kg.", valueName: "mass"))
  var weight: String?

  @Option(help: ArgumentHelp("What you wore.", valueName: "text"))
  var suit: String?

  @Option(help: ArgumentHelp("The weather.", valueName: "text"))
  var weather: String?

  @Option(help: ArgumentHelp("Something to say about it.", valueName: "text"))
  var remarks: String?

  @Option(
    help: ArgumentHelp(
      "A tank, as 12l,200-60bar,EAN32: volume, pressures, gas (air, EAN32, O2, TX18/45), use; may be repeated.",
      valueName: "tank"))
  var tank: [String] = []

  @Option(
    help: ArgumentHelp(
      "What you saw, and how many: =2, =2+ for two or more, =~20 for about, =0 for none; may be repeated.",
      valueName: "name=n"))
  var saw: [String] = []

  @Option(
    help: ArgumentHelp(
      "Who dived along (name or UUID); a new one is added; may be repeated.", valueName: "person"))
  var buddy: [String] = []

  @Option(help: ArgumentHelp("Who led the way; may be repeated.", valueName: "person"))
  var guide: [String] = []

  @Option(help: ArgumentHelp("Who taught.", valueName: "person"))
  var instructor: String?

  @Option(help: ArgumentHelp("The instructor's number.", valueName: "number"))
  var instructorNumber: String?

  @Option(help: ArgumentHelp("A tag; may be repeated.", valueName: "tag"))
  var tag: [String] = []

  @Flag(inversion: .prefixedNo, help: "Keep it as a draft, which counts nowhere.")
  var draft: Bool?

  @OptionGroup var privacy: PrivacyOptions

  @Option(help: ArgumentHelp("The UUID of the dive.", valueName: "uuid"))
  var id: String?

  @Option(
    help: ArgumentHelp("Only taxa within this clade (id or name) are seen.", valueName: "taxon"))
  var within: String?

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if newPlace, place == nil { throw ValidationError("--new-place needs --place") }
    if instructorNumber != nil, instructor == nil {
      throw ValidationError("--instructor-number needs --instructor")
    }
  }

  func run() throws {
    // What cannot be is said before anything is opened.
    _ = try dive(Dive())
    let counts = try saw.map { text throws(JournalError) in try CountedText(text) }
    let pack = try journal.location.open().pack
    let clade = try within.map { text in
      let view = pack.view
      return try view.journalTaxon(named: text)
    }
    var reader = JournalNameReader(within: clade)
    let file = try journal.open()
    let id = try id.map { try journalID($0) } ?? JournalID()
    var records: [JournalRecord] = []
    let event = try self.event(id, file, &records)
    records.append(.event(event))
    var seen: [(id: JournalID, reading: NameReading)] = []
    for (index, counted) in counts.enumerated() {
      let reading = reader.read(counted.name, in: pack.view)
      var occurrence = Occurrence(id: id.derived("saw \(index + 1)"), event: id)
      if case .occurrence(let kept)? = try known(occurrence.id, file) { occurrence = kept }
      if let count = counted.count { occurrence.take(count: count, counted.countKind ?? .exact) }
      records += [
        .occurrence(occurrence),
        .identification(
          reading.identification(of: occurrence.id, id: occurrence.id.derived("identification"))),
      ]
      seen.append((occurrence.id, reading))
    }
    try requireSameNames(seen, file)
    let outcome = try file.save(records)
    let results = Dictionary(
      uniqueKeysWithValues: zip(records.map(\.id), outcome.results.map(\.rawValue)))
    var answers = JournalAnswers(self.answers, ["taxon", "name"])
    try answers.add(outcome.word, id)
    for (id, reading) in seen {
      try answers.add(results[id] ?? "", id, [reading.taxon?.written, reading.verbatimName])
    }
    try answers.finish()
    guard !journal.quiet else { return }
    for (_, reading) in seen where reading.taxon == nil {
      writeStandardError(
        "stol: no taxon for \(Escaping.terminal("\(reading.verbatimName) yet (\(reading.question))"));"
          + " 'stol journal names' decides\n")
    }
  }

  /// Refuses other names for what was seen, which is found again by its number.
  private func requireSameNames(
    _ seen: [(id: JournalID, reading: NameReading)], _ file: JournalFile
  ) throws {
    for (index, (id, reading)) in seen.enumerated() {
      let name = reading.identification(of: id, id: id.derived("identification"))
      guard case .identification(let kept)? = try known(name.id, file), kept != name else {
        continue
      }
      throw CommandFailure(
        .usage,
        "--saw \(index + 1) is \(Escaping.terminal(kept.verbatimName)) in this dive: repeat what was said before in "
          + "its order; 'stol journal edit \(id) --name' takes it for something else")
    }
  }

  /// The live record with a UUID.
  private func known(_ id: JournalID, _ file: JournalFile) throws -> JournalRecord? {
    try file.record(id).flatMap { $0.deletedAt == nil ? $0.record : nil }
  }

  /// A dive with what the options say about it.
  private func dive(_ known: Dive) throws -> Dive {
    var dive = known
    dive.number = number ?? dive.number
    dive.mode = try mode.map { try Dive.Mode(word: $0, field: "--mode") } ?? dive.mode
    dive.durationS = try duration.map { try TimeSpan($0, field: "--duration").s } ?? dive.durationS
    dive.bottomS = try bottomTime.map { try TimeSpan($0, field: "--bottom-time").s } ?? dive.bottomS
    dive.maxDepthMm =
      try maxDepth.map { try Length($0, field: "--max-depth").mm } ?? dive.maxDepthMm
    dive.meanDepthMm =
      try meanDepth.map { try Length($0, field: "--mean-depth").mm } ?? dive.meanDepthMm
    if let waterTemperature {
      let ends = waterTemperature.split(separator: ",", omittingEmptySubsequences: false)
      guard ends.count <= 2 else {
        throw JournalError.invalid(
          field: "--water-temperature", value: waterTemperature,
          remedy: "one, or the coldest and the warmest, as 26C,28C")
      }
      let read = try ends.map { try Temperature(String($0), field: "--water-temperature").ck }
      dive.waterMinCk = read[0]
      dive.waterMaxCk = read.count == 2 ? read[1] : nil
    }
    dive.airCk =
      try airTemperature.map { try Temperature($0, field: "--air-temperature").ck } ?? dive.airCk
    dive.visibilityCm =
      try visibility.map { try Length($0, field: "--visibility").mm / 10 } ?? dive.visibilityCm
    dive.currentLevel = current ?? dive.currentLevel
    dive.weightG = try weight.map { try Mass($0, field: "--weight").g } ?? dive.weightG
    dive.suit = suit ?? dive.suit
    if !tank.isEmpty { dive.tanks = try tank.map { try Dive.Tank($0) } }
    return dive
  }

  /// The event, with the records that it needs before it.
  private func event(
    _ id: JournalID, _ file: JournalFile, _ records: inout [JournalRecord]
  ) throws -> Event {
    let time = try start.map { try LocalTime($0, field: "--start") }
    var event: Event
    if case .event(let kept)? = try known(id, file) {
      event = kept
      event.start = time ?? event.start
    } else {
      let start = try time ?? LocalTime(journalToday(), field: "--start")
      event = Event(id: id, kind: .dive, start: start)
    }
    if let draft { event.status = draft ? .draft : .saved }
    event.end = try end.map { try LocalTime($0, field: "--end") } ?? event.end
    event.utcOffsetMin = utcOffset ?? event.utcOffsetMin
    event.parent = try trip.map { try journalID($0) } ?? event.parent
    event.position =
      try at.map { try nullIsland.checked(try journalPosition($0, "--at"), "--at") }
      ?? event.position
    (event.weather, event.remarks) = (weather ?? event.weather, remarks ?? event.remarks)
    if !tag.isEmpty { event.tags = Set(tag) }
    event.dive = try dive(event.dive ?? Dive())
    event.privacy = try privacy.chosen(id, in: file)
    if let place {
      if newPlace, JournalID(place) == nil, try file.places(named: place).isEmpty {
        let first = id.derived("place")
        let isFirst = try known(first, file) == nil
        var new = Place(
          id: isFirst ? first : id.derived("place \(place)"), kind: .site, name: place)
        new.privacy = try file.defaultPrivacy()
        records.append(.place(new))
        event.place = new.id
      } else {
        event.place = try journalPlace(place, file)
      }
    }
    var new: [String: JournalID] = [:]
    func add(_ text: String, _ role: Participant.Role, _ number: String? = nil) throws {
      let person: JournalID
      if let known = try JournalID(text) ?? journalPerson(named: text, file)?.id ?? new[text] {
        person = known
      } else {
        person = id.derived("person \(text)")
        new[text] = person
        var record = Person(name: text)
        record.id = person
        records.append(.person(record))
      }
      event.persons.insert(Participant(person: person, role: role, number: number))
    }
    let roles: [(role: Participant.Role, isSaid: Bool)] = [
      (.buddy, !buddy.isEmpty), (.guide, !guide.isEmpty), (.instructor, instructor != nil),
    ]
    for (role, isSaid) in roles where isSaid {
      event.persons = event.persons.filter { $0.role != role }
    }
    for text in buddy { try add(text, .buddy) }
    for text in guide { try add(text, .guide) }
    if let instructor { try add(instructor, .instructor, instructorNumber) }
    return event
  }
}
