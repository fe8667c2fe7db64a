import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The records that a command changes.
struct JournalTargets: ParsableArguments {
  @Flag(help: "Say what would become of each, and change nothing.")
  var dryRun = false

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  /// Opens the journal that they are in.
  func open() throws -> JournalFile { try journal.open(isDryRun: dryRun) }

  /// Changes records in one batch, and says what became of each.
  ///
  /// - Parameters:
  ///   - texts: their UUIDs, or "-" for those in the lines of the standard input.
  ///   - file: the journal.
  ///   - body: what becomes of a record.
  /// - Throws: `ExitCode.nothingFound` where none of several could be changed; of one, why.
  func change(
    _ texts: [String], _ file: JournalFile,
    _ body: (JournalRecord) throws(JournalError) -> JournalRecord
  ) throws {
    let isBatch = texts == ["-"] || texts.count > 1
    var given = texts
    if texts == ["-"] {
      given = []
      var lines = try JournalInputLines()
      try lines.forEach(cells: 1) { given.append($0.cells.first ?? "") }
    }
    let ids = given.map { JournalID($0.trimmed()) }
    guard isBatch else {
      let id = try journalID(given[0])
      let outcome = try file.edit([id], isRehearsal: dryRun, body)
      let result = try outcome.results[0].get()
      var answers = JournalAnswers(self.answers)
      try answers.add(result.rawValue, id)
      return try answers.finish()
    }
    var results = try file.edit(ids.compactMap { $0 }, isRehearsal: dryRun, body).results[...]
    var answers = JournalAnswers(self.answers, isBatch: true, isStreamed: false)
    for (text, id) in zip(given, ids) {
      try answers.line(id, input: text) { answers in
        guard let id else { throw CommandFailure(.usage, "no UUID") }
        guard let result = results.popFirst() else { return }
        try answers.add(try result.get().rawValue, id)
      }
    }
    try answers.finish()
  }
}

/// The command `stol journal tag`.
struct TagJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Give tags to what is in the journal, and take them away.",
    discussion: """
        stol journal tag add 0192f3a4-5b6c-7d8e-9fab-cdef01234567 reef deep
        stol journal tag list
      """,
    subcommands: [Add.self, Remove.self, List.self])

  /// The command `stol journal tag add`.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Give tags to a place, an event, an individual or an occurrence.",
      discussion: """
        Tags that differ in the case of letters alone are one. With - for the UUID each line of the standard \
        input is one, and all is changed in one batch.

          stol journal tag add 0192f3a4-5b6c-7d8e-9fab-cdef01234567 reef deep
          stol journal tag add - reef --dry-run < uuids.txt
        """)

    @Argument(help: "The UUID; - to read them.")
    var id: String

    @Argument(help: "The tags.")
    var tags: [String]

    @OptionGroup var targets: JournalTargets

    func run() throws {
      try targets.change([id], try targets.open()) { record throws(JournalError) in
        try record.tagged(tags)
      }
    }
  }

  /// The command `stol journal tag remove`.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Take tags away.",
      discussion: """
          stol journal tag remove 0192f3a4-5b6c-7d8e-9fab-cdef01234567 deep
        """)

    @Argument(help: "The UUID; - to read them.")
    var id: String

    @Argument(help: "The tags.")
    var tags: [String]

    @OptionGroup var targets: JournalTargets

    func run() throws {
      try targets.change([id], try targets.open()) { record throws(JournalError) in
        try record.untagged(tags)
      }
    }
  }

  /// The command `stol journal tag list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List all tags, and how many records have each.",
      discussion: "  stol journal tag list")

    @OptionGroup var format: RowFormatOptions
    @OptionGroup var journal: JournalOptions

    func run() throws { try list(try journal.open().tags(), ["name", "count"], format) }
  }
}

/// Lists tags or collections.
private func list(_ names: [CountedName], _ columns: [String], _ format: RowFormatOptions) throws {
  var writer = format.writer(columns)
  for name in names {
    writer.beginRow()
    if let id = name.id { writer.text("id", id.description) }
    writer.text("name", name.name)
    writer.number("count", name.count)
    try writer.endRow()
  }
  try writer.presentFound(header: !format.noHeader)
}

/// The command `stol journal collection`.
struct CollectionJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collection", abstract: "Gather records under names; one may be in several.",
    discussion: """
        stol journal collection add Orchard
        stol journal collection put Orchard 0192f3a4-5b6c-7d8e-9fab-cdef01234567
      """,
    subcommands: [Add.self, List.self, Put.self, Take.self])

  /// The command `stol journal collection add`.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a collection, unless there is one with the name.",
      discussion: "  stol journal collection add Orchard")

    @Argument(help: "What it is called.")
    var name: String

    @Option(help: ArgumentHelp("Its UUID; that of another name renames it.", valueName: "uuid"))
    var id: String?

    @Option(
      help: ArgumentHelp(
        "What others may know of where all is that is in it: open, obscured, private (default: open).",
        valueName: "privacy"))
    var privacy: String?

    @OptionGroup var answers: JournalAnswerOptions
    @OptionGroup var journal: JournalOptions

    func run() throws {
      let file = try journal.open()
      var collection: JournalCollection
      if let id = try id.map({ try journalID($0) }) {
        let others = try file.collections(named: name).filter { $0 != id }
        guard others.isEmpty else {
          throw CommandFailure(
            .usage,
            Escaping.terminal(
              "\"\(name)\" is what another collection is called, in whatever case: choose another name"
            ))
        }
        collection = JournalCollection(id: id, name: name)
        if case .collection(let known)? = try file.record(id)?.record {
          collection.privacy = known.privacy
        }
      } else {
        collection = try file.collection(named: name)
      }
      if let privacy { collection.privacy = try Privacy(word: privacy, field: "--privacy") }
      let outcome = try file.save([.collection(collection)])
      var answers = JournalAnswers(self.answers)
      try answers.add(outcome.word, collection.id)
      try answers.finish()
    }
  }

  /// The command `stol journal collection list`.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the collections, and how many records are in each.",
      discussion: "  stol journal collection list --json")

    @OptionGroup var format: RowFormatOptions
    @OptionGroup var journal: JournalOptions

    func run() throws {
      try list(try journal.open().collections(), ["id", "name", "count"], format)
    }
  }

  /// The command `stol journal collection put`.
  struct Put: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "put", abstract: "Put records into a collection.",
      discussion: """
        With - each line of the standard input is a UUID, and all is changed in one batch.

          stol journal collection put Orchard 0192f3a4-5b6c-7d8e-9fab-cdef01234567
          stol journal collection put Orchard - --dry-run < uuids.txt
        """)

    @Argument(help: "The collection (name or UUID).")
    var collection: String

    @Argument(help: "UUIDs of places, events, individuals and occurrences; - to read them.")
    var ids: [String]

    @OptionGroup var targets: JournalTargets

    func run() throws {
      let file = try targets.open()
      let id = try SightingOptions.collection(collection, file)
      try targets.change(ids, file) { record throws(JournalError) in
        try record.labelled { _, collections in collections.insert(id) }
      }
    }
  }

  /// The command `stol journal collection take`.
  struct Take: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "take", abstract: "Take records out of a collection.",
      discussion: """
          stol journal collection take Orchard 0192f3a4-5b6c-7d8e-9fab-cdef01234567
        """)

    @Argument(help: "The collection (name or UUID).")
    var collection: String

    @Argument(help: "UUIDs; - to read them.")
    var ids: [String]

    @OptionGroup var targets: JournalTargets

    func run() throws {
      let file = try targets.open()
      let id = try SightingOptions.collection(collection, file)
      try targets.change(ids, file) { record throws(JournalError) in
        try record.labelled { _, collections in collections.remove(id) }
      }
    }
  }
}
