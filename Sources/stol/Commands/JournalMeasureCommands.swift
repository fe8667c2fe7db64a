import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The measures that texts such as "girth=1.83m" state, each with a UUID that follows from that of the record.
func journalMeasures(
  _ texts: [String], of id: JournalID, time: LocalTime? = nil, method: String? = nil,
  key: String = "",
  isQuiet: Bool
) throws -> [JournalRecord] {
  var counts: [String: Int] = [:]
  return try texts.map { text in
    let (type, number, words) = try MeasureType.parse(text)
    counts[type, default: 0] += 1
    let label = "measure \(type) \(counts[type] ?? 0) \(key)"
    var measure = Measure(
      id: id.derived(label), target: id, type: type, number: number, text: words)
    (measure.time, measure.method) = (time, method)
    if let finding = measure.finding, !isQuiet {
      writeStandardError("stol: \(Escaping.terminal(finding)): is that right?\n")
    }
    return .measure(measure)
  }
}

/// The command `stol journal measure`.
struct MeasureJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Add measures of what is in the journal.",
    discussion: """
      Of a place, an event, an individual or an occurrence. What has a unit needs it: mm, cm, m, km, in, ft; \
      g, kg, lb; it is rounded to the unit that is kept. One's own begin with x- and are whole numbers or \
      words. The same on the same date changes nothing. With - each line of the standard input is a UUID and \
      measures, tabs between.

        stol journal measure 0192f3a4-5b6c-7d8e-9fab-cdef01234567 girth=1.83m height=12m
        stol journal measure 0192f3a4-5b6c-7d8e-9fab-cdef01234567 health=good --when 2026-03-15
      """)

  @Argument(help: "The UUID of what was measured; - to read lines.")
  var target: String

  @Argument(
    help: ArgumentHelp(
      "Measures: \(MeasureType.builtIn.map(\.name).joined(separator: ", ")), or x-....",
      valueName: "measure"))
  var measures: [String] = []

  @Option(help: ArgumentHelp("When it was measured (default: today).", valueName: "time"))
  var when: String?

  @Option(help: ArgumentHelp("How it was measured.", valueName: "text"))
  var method: String?

  @Flag(help: "Say what would be kept, and keep nothing.")
  var dryRun = false

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if target == "-", !measures.isEmpty {
      throw ValidationError("with - the lines have the measures")
    }
    if target != "-", measures.isEmpty {
      throw ValidationError("Missing expected argument: a measure, as girth=1.83m")
    }
  }

  func run() throws {
    let time = try LocalTime(when ?? journalToday(), field: "--when")
    let file = try journal.open(isDryRun: dryRun)
    let isBatch = target == "-"
    var answers = JournalAnswers(self.answers, ["type", "number", "text"], isBatch: isBatch)
    func add(_ target: String, _ texts: [String], _ answers: inout JournalAnswers) throws {
      let records = try journalMeasures(
        texts, of: try journalID(target), time: time, method: method, key: time.text,
        isQuiet: journal.quiet)
      let outcome = try dryRun ? file.rehearse(records) : file.save(records)
      for (record, result) in zip(records, outcome.results) {
        guard case .measure(let measure) = record else { continue }
        try answers.add(
          result.rawValue, measure.id,
          [measure.type, measure.number.map(String.init), measure.text])
      }
    }
    if isBatch {
      var lines = try JournalInputLines()
      try lines.forEach(cells: 1 + JournalLimits.listCount) { line in
        try answers.line(line, id: 0) { cells, answers in
          guard cells.count > 1 else {
            throw CommandFailure(.usage, "no measure: a UUID and measures, tabs between")
          }
          try add(cells[0], Array(cells.dropFirst()), &answers)
        }
      }
    } else {
      try add(target, measures, &answers)
    }
    try answers.finish()
  }
}

/// The command `stol journal note`.
struct NoteJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note", abstract: "Write something about what is in the journal.",
    discussion: """
      About a place, an event, an individual or an occurrence. With - each line of the standard input is a \
      UUID and a text, a tab between.

        stol journal note 0192f3a4-5b6c-7d8e-9fab-cdef01234567 "Two acorns, and galls"
      """)

  @Argument(help: "The UUID of what it is about; - to read lines.")
  var target: String

  @Argument(help: "The text.")
  var text: String?

  @Option(
    help: ArgumentHelp("When, by the clock of that place (default: today).", valueName: "time"))
  var when: String?

  @Option(help: ArgumentHelp("The UUID of the note.", valueName: "uuid"))
  var id: String?

  @Flag(help: "Say what would be kept, and keep nothing.")
  var dryRun = false

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if target == "-", text != nil || id != nil {
      throw ValidationError("with - the lines have the texts, and no --id")
    }
    if target != "-", text == nil { throw ValidationError("Missing expected argument '<text>'") }
  }

  func run() throws {
    let time = try LocalTime(when ?? journalToday(), field: "--when")
    let id = try id.map { try journalID($0) } ?? JournalID()
    let file = try journal.open(isDryRun: dryRun)
    let isBatch = target == "-"
    var answers = JournalAnswers(self.answers, isBatch: isBatch)
    if isBatch {
      var lines = try JournalInputLines()
      try lines.forEach(cells: 2) { line in
        try answers.line(line) { cells, answers in
          guard cells.count == 2 else {
            throw CommandFailure(.usage, "no text: a UUID and a text, a tab between")
          }
          let note = Note(target: try journalID(cells[0]), text: cells[1], time: time)
          try answers.add(try file.save([.note(note)], isRehearsal: dryRun), note.id)
        }
      }
    } else {
      let note = Note(id: id, target: try journalID(target), text: text ?? "", time: time)
      try answers.add(try file.save([.note(note)], isRehearsal: dryRun), note.id)
    }
    try answers.finish()
  }
}
