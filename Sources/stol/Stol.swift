import STOLSystem
import ArgumentParser
import STOLAnswers
import STOLPack

/// The command `stol`.
@main
struct Stol: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stol",
    abstract: "The engine of Species: Tree of Life.",
    discussion: """
      Compiles a SQLite taxonomy into one memory-mapped pack and answers from it at once.

        stol query search lion
        stol query lca "Panthera leo" "Canis lupus"
        stol pack TAXA.sqlite -o TAXA.stolpack
        stol verify TAXA.stol
      """,
    version: "stol \(Version.stol), pack format \(Pack.formatVersion), \(Version.build) build",
    subcommands: [
      IngestCommand.self, PackCommand.self, InspectCommand.self,
      VerifyCommand.self, QueryCommand.self, MatchCommand.self,
      DatabaseCommand.self, FavoritesCommand.self, JournalCommand.self, MediaCommand.self,
      ServeCommand.self,
      DiagnosticsCommand.self, StorageCommand.self, PathsCommand.self,
    ])

  /// Parses, runs, and ends with the exit code of the contract.
  static func main() {
    let start = ContinuousClock.now
    // Also for commands that print nothing: a limit on the length of files is an error of a write.
    StandardOutput.prepare()
    do {
      if let query = PlainLine.query(CommandLine.arguments.dropFirst()) {
        try query.run()
      } else {
        var command = try parseAsRoot()
        try command.run()
      }
      CommandLog.note(.now - start, exitCode: 0, error: nil)
    } catch {
      let code = say(error)
      CommandLog.note(.now - start, exitCode: code.rawValue, error: error)
      exit(withExitCode: code)
    }
  }

  /// Says on the standard error what went wrong, and gives the exit code of the contract.
  private static func say(_ error: any Error) -> ExitCode {
    if (error as? SystemError)?.code == .brokenPipe { return .success }
    if let code = error as? ExitCode { return code }
    if let failure = CommandFailure(error) {
      writeStandardError("stol: \(failure.description)\n")
      return ExitCode(failure.kind.exitCode)
    }
    // What remains is the parser's: help and version, or a usage error.
    if exitCode(for: error) == .success {
      let message = fullMessage(for: error)
      print(message.hasPrefix("OVERVIEW:") ? message + "\n" + exitCodes : message)
      return .success
    }
    let lines = unknownQuery ?? message(for: error).replacing("\n", with: " ")
    writeStandardError("stol: \(Escaping.terminal(lines)); see \(helpCommand)\n")
    return ExitCode(2)
  }

  /// What every help ends with.
  private static let exitCodes = """
    EXIT CODES:
      0                       Found, or done.
      1                       Nothing found, or ambiguous.
      2                       Wrong usage, or any other error.
      3                       A damaged file.
      4                       Untrusted, or a bad signature.
      5                       Older than what is here.
      6                       A file cannot be read or written.

    """

  /// What to say where the word after `query` is none of its subcommands.
  private static var unknownQuery: String? {
    let words = CommandLine.arguments.dropFirst()
    guard words.first == "query", let word = words.dropFirst().first, !word.hasPrefix("-") else {
      return nil
    }
    let known = QueryCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !known.contains(word) else { return nil }
    return "unknown query \"\(word)\"; one of: \(known.joined(separator: ", "))"
  }

  /// The command that explains the one that was mistyped.
  private static var helpCommand: String {
    let words = CommandLine.arguments.dropFirst().prefix(2).filter { !$0.hasPrefix("-") }
    guard let first = words.first,
      configuration.subcommands.contains(where: { $0.configuration.commandName == first })
    else { return "stol --help" }
    let isKnown = first == "query" && words.count == 2 && unknownQuery == nil
    return "stol \(isKnown ? words.joined(separator: " ") : first) --help"
  }

  private static func exit(withExitCode code: ExitCode) -> Never { Self.exit(withError: code) }
}

/// What this build is.
enum Version {
  static let stol = "0.1.0"
  #if DEBUG
  static let build = "debug"
  #else
  static let build = "release"
  #endif
}

/// An error that ends the command with one line on the standard error.
struct CommandFailure: StolError {
  let kind: ErrorKind
  let description: String
  /// The type of the library's error that this amounts to, if any: what a log may say of it.
  private(set) var typeName = "CommandFailure"

  init(_ kind: ErrorKind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// The failure that a library's error amounts to; nil for the parser's own errors.
  init?(_ error: any Error) {
    // Where the reader has gone away, nothing is wrong and there is nobody to tell.
    if (error as? SystemError)?.code == .brokenPipe { return nil }
    guard let error = error as? any StolError else { return nil }
    if let failure = error as? CommandFailure {
      self = failure
    } else {
      // Candidates stand in lines of their own, and are escaped there.
      let isSafe = error is TaxonNotFound
      self.init(error.kind, isSafe ? error.description : Escaping.terminal(error.description))
      typeName = "\(type(of: error))"
    }
  }

  /// The same failure with the file that it is about in front; failed system calls name theirs.
  func about(_ path: String) -> CommandFailure {
    guard kind != .inputOutput, !description.hasPrefix(path) else { return self }
    var failure = CommandFailure(kind, "\(path): \(description)")
    failure.typeName = typeName
    return failure
  }
}

/// Refuses to write `output` over one of the files that it is made from.
func requireOther(_ output: String, than sources: [String]) throws {
  guard !sources.contains(where: { isSameFile(output, $0) }) else {
    throw CommandFailure(
      .usage, "\(output): would replace what it is made from; choose another -o")
  }
}

/// Runs `body`; its errors name `path`.
func about<Result: ~Copyable>(
  _ path: String, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch {
    if let failure = CommandFailure(error) { throw failure.about(path) }
    throw error
  }
}
