import ArgumentParser
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// The command `stol journal edit`.
struct EditJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change what a record says.",
    discussion: """
      Prints updated or same, the UUID and the batch that 'stol journal undo' takes back. The name of an \
      occurrence is what it is taken for: another identification is added, and those before it stay in \
      its history, and it is said how the name was read. An empty value takes away what was there.

        stol journal edit 0192f3a4-5b6c-7d8e-9fab-cdef01234567 --count 3 --remarks "Two of them young"
        stol journal edit 0192f3a4-5b6c-7d8e-9fab-cdef01234567 --name "Quercus petraea"
      """)

  @Argument(help: "The UUID.")
  var id: String

  @Option(
    help:
      "What a place, organism, collection or the file of a photo is called, or what an occurrence is taken for."
  )
  var name: String?

  // A value may begin with a minus.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where, in degrees: latitude,longitude.", valueName: "position"))
  var at: String?

  @Option(help: ArgumentHelp("Within how many metres that is.", valueName: "metres"))
  var accuracy: Int?

  @Option(
    help: ArgumentHelp(
      "When an event began, an occurrence was seen, a note was written or a photo taken.",
      valueName: "time"))
  var when: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many, of an occurrence; 0 of what was looked for and not seen.", valueName: "n"))
  var count: String?

  @Option(
    help: ArgumentHelp(
      "What there is to say about an event or an occurrence, all of a note, or the caption of a photo.",
      valueName: "text"))
  var remarks: String?

  @OptionGroup var nullIsland: NullIslandOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if accuracy != nil, at == nil {
      throw ValidationError("--accuracy says how exact --at is: give that too")
    }
  }

  func run() throws {
    let id = try journalID(id)
    // Not before: an option that there is not is the better thing to say.
    if name == nil, at == nil, when == nil, count == nil, remarks == nil {
      throw CommandFailure(
        .usage, "nothing to change: give --name, --at, --when, --count or --remarks")
    }
    let file = try journal.open()
    guard let record = try file.record(id)?.record else {
      throw JournalError.unknown(id: id, needed: "record")
    }
    var records = [try edited(record)]
    let reading =
      try record.kind == .occurrence ? name.flatMap { try read($0, of: id, in: file) } : nil
    if let reading { records.append(.identification(reading.identification(of: id))) }
    let outcome = try file.save(records)
    try writeText(
      outcome.batch.map { "updated\t\(id)\t\($0)\n" } ?? "same\t\(id)\t\n")
    if let reading, !journal.quiet { journalSay(reading) }
    if record.kind == .occurrence, at == "", !journal.quiet { try sayWhere(id, in: file) }
  }

  /// Says that an occurrence without a position of its own is where its event, organism or place is.
  private func sayWhere(_ id: JournalID, in file: JournalFile) throws {
    guard let position = try file.position(ofOccurrence: id) else { return }
    let text = "\(position.latitude),\(position.longitude)"
    writeStandardError(
      "stol: \(id): is at \(text) all the same, by its event, organism or place: edit that\n")
  }

  /// The record with what was asked for.
  private func edited(_ record: JournalRecord) throws -> JournalRecord {
    switch record {
    case .place(var place):
      try refuse("--when", when, "--count", count, "--remarks", remarks, of: record.kind)
      place.name = name ?? place.name
      place.position = try position(place.position)
      return .place(place)
    case .event(var event):
      try refuse("--name", name, "--count", count, of: record.kind)
      event.position = try position(event.position)
      event.start = try when.map { try LocalTime($0, field: "--when") } ?? event.start
      event.remarks = text(remarks, event.remarks)
      return .event(event)
    case .organism(var organism):
      try refuse("--when", when, "--count", count, "--remarks", remarks, of: record.kind)
      organism.name = text(name, organism.name)
      organism.position = try position(organism.position)
      return .organism(organism)
    case .occurrence(var occurrence):
      occurrence.position = try position(occurrence.position)
      occurrence.time = try time(occurrence.time)
      occurrence.remarks = text(remarks, occurrence.remarks)
      if let count {
        if let number = try number(count) {
          occurrence.take(count: number, occurrence.countKind ?? .exact)
        } else {
          (occurrence.count, occurrence.countKind) = (nil, nil)
        }
      }
      return .occurrence(occurrence)
    case .note(var note):
      try refuse("--name", name, "--at", at, "--count", count, of: record.kind)
      note.time = try time(note.time)
      note.text = remarks ?? note.text
      return .note(note)
    case .collection(var collection):
      try refuse(
        "--at", at, "--when", when, "--count", count, "--remarks", remarks, of: record.kind)
      collection.name = name ?? collection.name
      return .collection(collection)
    case .measure(var measure):
      try refuse("--name", name, "--at", at, "--count", count, of: record.kind)
      measure.time = try time(measure.time)
      measure.remarks = text(remarks, measure.remarks)
      return .measure(measure)
    case .person(var person):
      try refuse(
        "--at", at, "--when", when, "--count", count, "--remarks", remarks, of: record.kind)
      person.name = name ?? person.name
      return .person(person)
    case .photo(var photo):
      try refuse("--count", count, of: record.kind)
      photo.name = text(name, photo.name)
      photo.position = try position(photo.position)
      photo.time = try time(photo.time)
      photo.caption = text(remarks, photo.caption)
      return .photo(photo)
    case .identification: throw JournalError.identificationChanged(id: record.id)
    }
  }

  /// Refuses options that say nothing of a kind of records: each name with its value behind it.
  private func refuse(_ options: String?..., of kind: JournalRecord.Kind) throws {
    for index in stride(from: 0, to: options.count, by: 2) where options[index + 1] != nil {
      throw CommandFailure(
        .usage, "\(options[index] ?? "") says nothing of a record of the kind \(kind.rawValue)")
    }
  }

  private func text(_ new: String?, _ old: String?) -> String? {
    new.map { $0.isEmpty ? nil : $0 } ?? old
  }

  private func time(_ old: LocalTime?) throws -> LocalTime? {
    guard let when else { return old }
    return when.isEmpty ? nil : try LocalTime(when, field: "--when")
  }

  private func position(_ old: Position?) throws -> Position? {
    guard let at else { return old }
    guard !at.isEmpty else { return nil }
    return try nullIsland.checked(try journalPosition(at, "--at", accuracy: accuracy), "--at")
  }

  private func number(_ text: String) throws -> Int? {
    guard !text.isEmpty else { return nil }
    guard let number = Int(text) else {
      throw CommandFailure(
        .usage, "--count needs a whole number, got \"\(Escaping.terminal(text))\"")
    }
    return number
  }

  /// What a name is of an occurrence, unless the identification that holds says the same.
  private func read(
    _ name: String, of occurrence: JournalID, in file: JournalFile
  ) throws -> NameReading? {
    let pack = try journal.location.open().pack
    var reader = JournalNameReader()
    let view = pack.view
    let reading = reader.read(name, in: view)
    let new = reading.identification(of: occurrence)
    let old = try file.parts(of: occurrence).compactMap { kept in
      if case .identification(let known) = kept.record { known } else { nil }
    }.last
    let isSame = old?.verbatimName == new.verbatimName && old?.taxon == new.taxon
    return isSame ? nil : reading
  }
}
