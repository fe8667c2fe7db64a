import Foundation
import TestSupport
import Testing
import STOLSystem

/// The real command, run as a process of its own.
struct Command {
  /// What a run left behind.
  struct Outcome {
    var status: Int32
    var isSignalled: Bool
    var output: Data
    var error: Data
    var isTimedOut: Bool

    var text: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: error, as: UTF8.self) }
    var lines: [String] {
      var lines = text.components(separatedBy: "\n")
      if lines.last == "" { lines.removeLast() }
      return lines
    }
    var errorLines: [String] { errorText.split(separator: "\n").map(String.init) }
  }

  /// `$STOL_BINARY`, else the product beside the tests in the build folder.
  static let path =
    ProcessInfo.processInfo.environment["STOL_BINARY"] ?? builtProgram("stol")

  /// The environment of the command: nothing of the one of the tests but this.
  var environment: [String: String] = [:]

  /// A command that asks `pack`, or, for nil, the bundled taxonomy kept in a folder of the tests.
  init(pack: String? = nil) {
    if let pack { environment["STOL_PACK"] = pack }
    environment["STOL_HOME"] = SharedHome.path
    environment["PATH"] = "/usr/bin:/bin:/usr/local/bin"
    environment["LANG"] = "C.UTF-8"
    environment["TERM"] = "xterm"
  }

  /// Runs the command, with `input` as standard input.
  func callAsFunction(
    _ arguments: String..., input: String = ""
  ) throws -> Outcome {
    try run(Self.path, arguments, input: Data(input.utf8))
  }

  /// Runs the command in a pipeline or with redirections of a shell; `stol` stands for it.
  func shell(_ script: String, input: Data = Data()) throws -> Outcome {
    let function = "stol() { '\(Self.path)' \"$@\"; }\n"
    return try run("/bin/bash", ["-c", function + script], input: input)
  }

  /// Runs the command on a terminal, the standard error too; line ends are plain again.
  func terminal(_ arguments: String...) throws -> Outcome {
    let words = [Self.path] + arguments
    let line = words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
    var outcome = try run(
      Terminal.script, ["-qec", line.joined(separator: " "), "/dev/null"], input: Data())
    outcome.output = Data(outcome.text.replacingOccurrences(of: "\r\n", with: "\n").utf8)
    return outcome
  }

  func run(_ program: String, _ arguments: [String], input: Data) throws -> Outcome {
    let folder = try TemporaryFolder()
    let files = ["in", "out", "err"].map { URL(fileURLWithPath: folder($0)) }
    try input.write(to: files[0])
    for file in files.dropFirst() { try Data().write(to: file) }
    let process = try ChildProcess(
      program, arguments, environment: environment,
      input: try FileHandle(forReadingFrom: files[0]),
      output: try FileHandle(forWritingTo: files[1]),
      error: try FileHandle(forWritingTo: files[2]))
    let end = process.waitUnlessItHangs()
    var outcome = Outcome(
      status: 0, isSignalled: false, output: try Data(contentsOf: files[1]),
      error: try Data(contentsOf: files[2]), isTimedOut: end == nil)
    switch end {
    case .status(let status): outcome.status = status
    case .signal(let signal): (outcome.status, outcome.isSignalled) = (signal, true)
    case nil: (outcome.status, outcome.isSignalled) = (SIGKILL, true)
    }
    return outcome
  }
}

/// A terminal for the command to write to.
enum Terminal {
  /// util-linux's `script`, whose options those of BSD are not.
  static let script = "/usr/bin/script"
  #if os(Linux)
  static let isAvailable = FileManager.default.isExecutableFile(atPath: script)
  #else
  static let isAvailable = false
  #endif
}

/// Where the bundled taxonomy is kept for all tests of one run.
enum SharedHome {
  static let path: String = {
    atexit { try? FileManager.default.removeItem(atPath: SharedHome.name) }
    return name
  }()

  private static let name =
    FileManager.default.temporaryDirectory.path
    + "/stol-tests-\(ProcessInfo.processInfo.processIdentifier)"
}

/// Fails unless the run ended with `status`, and without a trap, a timeout or a backtrace.
func expect(
  _ outcome: Command.Outcome, status: Int32, sourceLocation: SourceLocation = #_sourceLocation
) {
  let all = outcome.text + outcome.errorText
  #expect(!outcome.isTimedOut, "timed out", sourceLocation: sourceLocation)
  #expect(!outcome.isSignalled, "ended by a signal", sourceLocation: sourceLocation)
  #expect(outcome.status == status, "\(all.suffix(500))", sourceLocation: sourceLocation)
  for trace in ["Fatal error", "Backtrace", " at /", "Error Domain", "Optional(", "STOLPack."] {
    #expect(!all.contains(trace), "\(all.prefix(500))", sourceLocation: sourceLocation)
  }
}

/// Fails unless the run ended with `status` and said why in one line that begins with `stol: `.
func expectError(
  _ outcome: Command.Outcome, status: Int32, saying parts: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expect(outcome, status: status, sourceLocation: sourceLocation)
  #expect(
    outcome.errorLines.count == 1, "\(outcome.errorText)", sourceLocation: sourceLocation)
  #expect(
    outcome.errorText.hasPrefix("stol: "), "\(outcome.errorText)", sourceLocation: sourceLocation)
  for part in parts {
    #expect(
      outcome.errorText.contains(part), "\(outcome.errorText)", sourceLocation: sourceLocation)
  }
}

/// A data directory of one test, and a group of commands that keep things there.
struct CommandHome {
  let folder: TemporaryFolder
  let command: Command
  private let group: String

  init(_ group: String) throws {
    folder = try TemporaryFolder()
    var command = try SmallTaxonomy.command
    command.environment["STOL_HOME"] = folder("home")
    self.command = command
    self.group = group
  }

  func callAsFunction(_ arguments: [String], input: String = "") throws -> Command.Outcome {
    try command.run(Command.path, [group] + arguments, input: Data(input.utf8))
  }

  func callAsFunction(_ arguments: String..., input: String = "") throws -> Command.Outcome {
    try self(arguments, input: input)
  }
}
