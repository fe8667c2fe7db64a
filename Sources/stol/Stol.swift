import STOLFormats
import STOLStore
import STOLTrust
import ArgumentParser
import STOLData
import STOLFavorites
import STOLGzip
import STOLImport
import STOLIngest
import STOLMedia
import STOLPack
import STOLSearch
import STOLServer
import STOLSystem

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
      VerifyCommand.self, QueryCommand.self,
      DatabaseCommand.self, FavoritesCommand.self, MediaCommand.self, ServeCommand.self,
      DiagnosticsCommand.self, StorageCommand.self, PathsCommand.self,
    ])

  /// Parses, runs, and ends with the exit code of the contract.
  static func main() {
    let start = ContinuousClock.now
    do {
      var command = try parseAsRoot()
      try command.run()
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
      if !failure.message.isEmpty { writeStandardError("stol: \(failure.message)\n") }
      return failure.exitCode
    }
    // What remains is the parser's: help and version, or a usage error.
    if exitCode(for: error) == .success {
      print(fullMessage(for: error))
      return .success
    }
    let lines = unknownQuery ?? message(for: error).replacing("\n", with: " ")
    writeStandardError("stol: \(Escaping.terminal(lines)); see \(helpCommand)\n")
    return ExitCode(2)
  }

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

/// An error that ends the command: its exit code and one line for the standard error.
struct CommandFailure: Error {
  let exitCode: ExitCode
  let message: String
  /// The type of the library's error that this amounts to, if any: what a log may say of it.
  private(set) var kind = "CommandFailure"

  /// Nothing found, or ambiguous.
  static let nothingFound = ExitCode(1)
  /// Any error without a code of its own.
  static let general = ExitCode(2)
  /// A corrupt file.
  static let corrupt = ExitCode(3)
  /// A signature that is wrong, or of somebody who is not trusted.
  static let untrusted = ExitCode(4)
  /// Older than what is there.
  static let downgrade = ExitCode(5)
  /// Input or output failed.
  static let inputOutput = ExitCode(6)

  init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  /// The failure that a library's error amounts to; nil for the parser's own errors.
  init?(_ error: any Error) {
    switch error {
    case let failure as CommandFailure:
      self = failure
      return
    case let error as SystemError: self.init(Self.inputOutput, error.description)
    case let error as PackError: self.init(Self.code(error), error.description)
    case let error as CompileError: self.init(Self.code(error), error.description)
    case let error as SearchError: self.init(Self.general, Escaping.terminal(error.description))
    case let error as TaxonomyError: self.init(Self.nothingFound, error.description)
    case let error as GzipError: self.init(Self.corrupt, error.description)
    case let error as ContainerError: self.init(Self.code(error), error.description)
    case let error as ImportError: self.init(Self.code(error), error.description)
    case let error as MediaError: self.init(Self.code(error), error.description)
    case let error as ReferenceStore.Failure: self.init(Self.code(error), error.description)
    case let error as KeyError: self.init(Self.code(error), error.description)
    case let error as ContainerWriter.Failure: self.init(Self.code(error), error.description)
    case let error as StoreError: self.init(Self.code(error), error.description)
    case let error as FormatError:
      self.init(Self.code(error), Escaping.terminal(error.description))
    case let error as IngestError:
      self.init(Self.general, Escaping.terminal(error.description))
    case let error as Explorer.Failure: self.init(Self.general, error.description)
    case let error as BundledDatabase.Failure: self.init(Self.inputOutput, error.description)
    default: return nil
    }
    kind = "\(type(of: error))"
  }

  /// The same failure with the file that it is about in front; failed system calls name theirs.
  func about(_ path: String) -> CommandFailure {
    guard exitCode != Self.inputOutput, !message.hasPrefix(path) else { return self }
    var failure = CommandFailure(exitCode, "\(path): \(message)")
    failure.kind = kind
    return failure
  }

  private static func code(_ error: PackError) -> ExitCode {
    switch error {
    case .unsupportedVersion, .unknownRequiredSection, .wrongSource: general
    default: corrupt
    }
  }

  private static func code(_ error: ImportError) -> ExitCode {
    switch error {
    case .incompatibleSchema, .otherDataset, .importAlreadyInProgress: general
    case .downgrade: downgrade
    case .unexpectedSchema: corrupt
    }
  }

  private static func code(_ error: ContainerError) -> ExitCode {
    switch error {
    case .fileUnreadable: inputOutput
    case .newerFormat, .otherContent: general
    case .unknownKey, .revokedKey, .signatureInvalid: untrusted
    default: corrupt
    }
  }

  private static func code(_ error: MediaError) -> ExitCode {
    switch error {
    case .container(let error): code(error)
    case .file: inputOutput
    case .newerArchive, .tooLarge, .bundled, .buildTimeMissing: general
    case .downgrade: downgrade
    case .notInstalled: nothingFound
    default: corrupt
    }
  }

  private static func code(_ error: ReferenceStore.Failure) -> ExitCode {
    switch error {
    case .notInstalled: nothingFound
    case .stateDamaged: corrupt
    }
  }

  private static func code(_ error: KeyError) -> ExitCode {
    switch error {
    case .system: inputOutput
    case .wrongPassphrase, .outOfMemory: general
    case .revoked, .unknown, .signatureInvalid: untrusted
    case .olderKeyring, .conflictingKeyring: downgrade
    default: corrupt
    }
  }

  private static func code(_ error: ContainerWriter.Failure) -> ExitCode {
    switch error {
    case .file: inputOutput
    case .pack(let error): code(error)
    case .key(let error): code(error)
    case .notADatabase, .notAnArchive: corrupt
    default: general
    }
  }

  private static func code(_ error: StoreError) -> ExitCode {
    switch error {
    case .system: inputOutput
    case .newerVersion: general
    case .damaged: corrupt
    case .busy, .noSpace, .unusable, .notErased: inputOutput
    }
  }

  private static func code(_ error: FormatError) -> ExitCode {
    switch error {
    case .system: inputOutput
    case .unreadable, .unsafeArchive, .line: corrupt
    default: general
    }
  }

  private static func code(_ error: CompileError) -> ExitCode {
    switch error {
    case .unreadable: corrupt
    default: general
    }
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
