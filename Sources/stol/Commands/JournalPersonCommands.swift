import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal person`.
struct PersonJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "person", abstract: "Keep who was there too: buddies, guides, instructors.",
    discussion: """
        stol journal person add "Ada Reef" --orcid 0000-0002-1825-0097
        stol journal person list
      """,
    subcommands: [Add.self, List.self])

  /// The command `stol journal person add`.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a person, unless there is one with the name.",
      discussion: """
        With - each line of the standard input is a name and an ORCID iD or none, a tab between.

          stol journal person add "Ada Reef" --orcid 0000-0002-1825-0097
        """)

    @Argument(help: "The name; - to read lines.")
    var name: String

    @Option(help: ArgumentHelp("The ORCID iD.", valueName: "orcid"))
    var orcid: String?

    @Option(help: ArgumentHelp("The UUID; that of another name renames.", valueName: "uuid"))
    var id: String?

    @Flag(help: "Say what would be kept, and keep nothing.")
    var dryRun = false

    @OptionGroup var answers: JournalAnswerOptions
    @OptionGroup var journal: JournalOptions

    func validate() throws {
      if name == "-", id != nil || orcid != nil {
        throw ValidationError("--id and --orcid are for one: with - they are not allowed")
      }
    }

    func run() throws {
      let file = try journal.open(isDryRun: dryRun)
      func add(_ name: String, _ orcid: String?, _ answers: inout JournalAnswers) throws {
        var person = try journalPerson(named: name, file) ?? Person(name: name)
        if let id { person.id = try journalID(id) }
        person.name = name
        person.orcid = orcid ?? person.orcid
        try answers.add(try file.save([.person(person)], isRehearsal: dryRun), person.id)
      }
      let isBatch = name == "-"
      var answers = JournalAnswers(self.answers, isBatch: isBatch)
      if isBatch {
        var lines = try JournalInputLines()
        try lines.forEach(cells: 2) { line in
          try answers.line(line) { cells, answers in
            try add(cells[0], cells.count > 1 && !cells[1].isEmpty ? cells[1] : nil, &answers)
          }
        }
      } else {
        try add(name, orcid, &answers)
      }
      try answers.finish()
    }
  }

  /// The command `stol journal person list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the persons, and in how many events each took part.",
      discussion: "  stol journal person list --json")

    @OptionGroup var format: RowFormatOptions
    @OptionGroup var journal: JournalOptions

    func run() throws {
      var writer = format.writer(["id", "name", "orcid", "eventCount"])
      for counted in try journal.open().persons() {
        writer.beginRow()
        writer.text("id", counted.person.id.description)
        writer.text("name", counted.person.name)
        writer.text("orcid", counted.person.orcid)
        writer.number("eventCount", counted.eventCount)
        try writer.endRow()
      }
      try writer.presentFound(header: !format.noHeader)
    }
  }
}

/// The person with a name; nil where there is none.
///
/// - Throws: `CommandFailure` where there are several.
func journalPerson(named name: String, _ journal: JournalFile) throws -> Person? {
  let found = try journal.persons().map(\.person).filter { $0.name == name }
  guard found.count < 2 else {
    throw CommandFailure(
      .notFound,
      "several persons are called \"\(Escaping.terminal(name))\": say which one by its UUID, "
        + found.prefix(5).map(\.id.description).joined(separator: ", "))
  }
  return found.first
}
