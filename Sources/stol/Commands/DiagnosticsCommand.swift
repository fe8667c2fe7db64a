import STOLSystem
import ArgumentParser
import STOLAnswers
import STOLData
import STOLDiagnostics

/// The command `stol diagnostics`.
struct DiagnosticsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagnostics", abstract: "Write a report for whoever helps with a problem.",
    discussion: """
      A log is kept only between "on" and "off": which commands ran, how they ended, what failed. \
      Neither log nor report holds names that were searched, ids, paths or anything about a person, \
      and nothing is ever sent.

        stol diagnostics on
        stol diagnostics export -o report.txt
        stol diagnostics off
      """,
    subcommands: [
      DiagnosticsOnCommand.self, DiagnosticsOffCommand.self, DiagnosticsExportCommand.self,
      DiagnosticsClearCommand.self,
    ])
}

/// The command `stol diagnostics on`.
struct DiagnosticsOnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on", abstract: "Keep a log from now on.", discussion: "  stol diagnostics on")

  @OptionGroup var home: HomeOptions

  func run() throws {
    try DiagnosticFile(in: try home.directory).enable()
    writeStandardError("the log is on; to see it: stol diagnostics export\n")
  }
}

/// The command `stol diagnostics off`.
struct DiagnosticsOffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Keep no log any more, and delete it.",
    discussion: "  stol diagnostics off")

  @OptionGroup var home: HomeOptions

  func run() throws {
    try DiagnosticFile(in: try home.directory).disable()
    writeStandardError("the log is off and deleted\n")
  }
}

/// The command `stol diagnostics clear`.
struct DiagnosticsClearCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Delete the lines of the log.",
    discussion: "  stol diagnostics clear")

  @OptionGroup var home: HomeOptions

  func run() throws {
    try DiagnosticFile(in: try home.directory).clear()
    writeStandardError("the log is empty\n")
  }
}

/// The command `stol diagnostics export`.
struct DiagnosticsExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write versions, figures of the databases and the log.",
    discussion: """
        stol diagnostics export
        stol diagnostics export -o report.txt
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write it (default: standard output).", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var home: HomeOptions

  func run() throws {
    let file = DiagnosticFile(in: try home.directory)
    var lines = try file.lines()
    var config: DatabaseConfig?
    do {
      // Nothing is switched: a reference that cannot be used is what the report is about.
      config = DatabaseConfig(of: try DatabaseSnapshot(asItIsIn: try home.directory))
    } catch {
      lines.append("error db: \(error)")
    }
    let report = DiagnosticReport(
      version: Stol.configuration.version, database: config,
      storage: LocalStorage(directory: try home.directory).parts(), isLogging: file.isEnabled,
      lines: lines)
    guard let output else { return try writeText(report.text) }
    try replaceFile(output, with: Array(report.text.utf8))
  }
}

/// What this command adds to the log, where one is kept.
enum CommandLog {
  private static let log = DiagnosticLog(isEnabled: true)

  /// Notes something that was worth a word on the standard error; it is redacted.
  static func note(_ category: DiagnosticLog.Category, _ text: String) {
    log.record(category, "error", text)
  }

  /// Notes how the command ended, and adds all notes to the log in the data directory.
  ///
  /// What was asked is not in it: only which command it was, its exit code and the kind of error.
  static func note(_ duration: Duration, exitCode: Int32, error: (any Error)?) {
    let words = Array(CommandLine.arguments.dropFirst())
    let directory = DataDirectory(override: chosenDirectory(words))
    let file = DiagnosticFile(in: directory)
    guard file.isEnabled, (try? directory.check()) != nil else { return }
    let milliseconds = ((duration / .milliseconds(1) * 10).rounded() / 10).decimalText
    let name = knownWords(words).joined(separator: " ")
    log.record(.ui, "info", "\(name): exit \(exitCode), \(milliseconds) ms")
    if exitCode != 0, let error {
      log.record(.ui, "error", "\((error as? CommandFailure)?.typeName ?? "\(type(of: error))")")
    }
    // A log that cannot be written must not fail what was asked for.
    try? file.append(log.lines)
  }

  /// What `--data-dir` says.
  private static func chosenDirectory(_ words: [String]) -> String? {
    let option = "--data-dir"
    for (word, next) in zip(words, words.dropFirst() + [""]) {
      if word == option { return next }
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
    }
    return nil
  }

  /// The words of the command line that name commands.
  private static func knownWords(_ words: [String]) -> [String] {
    var known: [String] = []
    var commands = Stol.configuration.subcommands
    for word in words {
      guard let command = commands.first(where: { $0.configuration.commandName == word }) else {
        break
      }
      known.append(word)
      commands = command.configuration.subcommands
    }
    return known
  }
}
