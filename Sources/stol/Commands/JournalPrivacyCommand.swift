import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal privacy`.
struct PrivacyJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "privacy", abstract: "Say what others may know of where something is.",
    discussion: """
      open: all. obscured: the cell of a fixed grid and the month. private: nothing. It counts where something is \
      exported for others, which every 'stol journal export' is without --exact; what you list, search and look \
      at yourself is exact. What is within a place, an event or a collection, and each occurrence of an \
      individual, is at least as much kept from others as that. A place that is a home is at least obscured. What is \
      deleted or merged leaves what was in it as much kept from others as before.

        stol journal privacy set private --place "Owl wood"
        stol journal privacy set obscured 0192f3a4-5b6c-7d8e-9fab-cdef01234567
        stol journal privacy default obscured
      """, subcommands: [SetPrivacy.self, DefaultPrivacy.self])

  /// The command `stol journal privacy set`.
  struct SetPrivacy: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Say it of places, events, individuals, occurrences or collections.",
      discussion: """
        With - each line of the standard input is a UUID, and all is changed in one batch.

          stol journal privacy set private --place "Owl wood"
          stol journal privacy set obscured --collection Orchids
          stol journal privacy set open - --dry-run < uuids.txt
        """)

    @Argument(help: "open, obscured or private.")
    var privacy: String

    @Argument(help: "UUIDs; - to read them.")
    var ids: [String] = []

    @Option(help: ArgumentHelp("A place (name or UUID); may be repeated.", valueName: "place"))
    var place: [String] = []

    @Option(
      help: ArgumentHelp("A collection (name or UUID); may be repeated.", valueName: "collection"))
    var collection: [String] = []

    @OptionGroup var targets: JournalTargets

    func validate() throws {
      if ids.isEmpty, place.isEmpty, collection.isEmpty {
        throw ValidationError("of what? Give UUIDs, --place or --collection")
      }
      if ids == ["-"], !place.isEmpty || !collection.isEmpty {
        throw ValidationError("- stands alone")
      }
    }

    func run() throws {
      let word = try Privacy(word: privacy, field: "privacy")
      let file = try targets.open()
      let named =
        try place.map { try journalPlace($0, file).description }
        + collection.map { try SightingOptions.collection($0, file).description }
      try targets.change(ids + named, file) { record throws(JournalError) in
        try record.kept(word)
      }
    }
  }

  /// The command `stol journal privacy default`.
  struct DefaultPrivacy: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "default", abstract: "Say what new records are, or show it.",
      discussion: """
        It is what 'stol journal add', 'dive' and 'place add' make of a new record where --privacy does not say it; \
        what is there stays as it is, and so does what is imported.

          stol journal privacy default obscured
        """)

    @Argument(help: "open, obscured or private.")
    var privacy: String?

    @OptionGroup var journal: JournalOptions

    func run() throws {
      let file = try journal.open()
      if let privacy {
        try file.setDefaultPrivacy(try Privacy(word: privacy, field: "privacy"))
      }
      try writeText(try file.defaultPrivacy().rawValue + "\n")
    }
  }
}

/// What others may know of a new record.
struct PrivacyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What others may know of where it is: open, obscured, private (default: that of 'stol journal privacy default').",
      valueName: "privacy"))
  var privacy: String?

  /// What was said, else what the record says that is there, else what new ones are.
  func chosen(_ id: JournalID, in file: JournalFile) throws -> Privacy {
    if let privacy { return try Privacy(word: privacy, field: "--privacy") }
    return try file.record(id)?.record.privacy ?? file.defaultPrivacy()
  }
}
