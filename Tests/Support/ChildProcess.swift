public import Foundation

/// A program that a test starts and waits for.
///
/// Foundation's `Process` may, on Linux under load, miss the end of one of several programs that run
/// at the same time, and then waits for ever; this one asks the system itself.
public final class ChildProcess {
  /// How a program ended.
  public enum End: Equatable, Sendable {
    /// With this exit status.
    case status(Int32)
    /// By this signal.
    case signal(Int32)
  }

  /// Why a program cannot be started.
  public struct Failure: Error {
    /// The program.
    public let program: String
    /// What `posix_spawn` says.
    public let errno: Int32
  }

  /// Its number.
  public let processIdentifier: pid_t
  private var end: End?
  /// So many files may other threads open while a program is started.
  private static let spareFileCount: Int32 = 256

  /// Starts a program, which gets these three files and no other one that is open here.
  ///
  /// - Throws: `Failure`
  public init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    input: FileHandle = .nullDevice, output: FileHandle = .standardOutput,
    error: FileHandle = .standardError
  ) throws {
    let environment = environment ?? ProcessInfo.processInfo.environment
    // SAFETY: copies that end with NUL, in arrays that end with nil, freed once the program runs.
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      unsafe words.forEach { unsafe free($0) }
      unsafe variables.forEach { unsafe free($0) }
    }
    // SAFETY: initialized here, used here, destroyed at the end.
    #if os(Linux)
    var actions = unsafe posix_spawn_file_actions_t()
    #else
    var actions: posix_spawn_file_actions_t?
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (handle, number) in [(input, 0), (output, 1), (error, 2)] {
      // SAFETY: as above; the handles are open for the length of the call.
      unsafe posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, Int32(number))
    }
    // Whoever waits for the end of a file would wait for this program too, if it held it open.  Closing
    // what is not open is no error here.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap(Int32.init)
    for number in 3..<(open.max() ?? 3) + Self.spareFileCount {
      unsafe posix_spawn_file_actions_addclose(&actions, number)
    }
    var number: pid_t = 0
    // SAFETY: all arguments live until the call returns, which copies them.
    let failure = unsafe posix_spawn(&number, program, &actions, nil, &words, &variables)
    guard failure == 0 else { throw Failure(program: program, errno: failure) }
    processIdentifier = number
  }

  /// Whether it has not ended yet.
  public var isRunning: Bool { endIfAny(WNOHANG) == nil }

  /// Waits for its end.
  @discardableResult
  public func wait() -> End {
    while true {
      if let end = endIfAny(0) { return end }
    }
  }

  /// Waits for its end, which comes soon; kills it if it hangs, after two minutes at the least.
  ///
  /// - Returns: its end, or nil if it was killed.
  public func waitUnlessItHangs() -> End? {
    for _ in 0..<60_000 {
      guard isRunning else { return end }
      Thread.sleep(forTimeInterval: 0.002)
    }
    kill(processIdentifier, SIGKILL)
    wait()
    return nil
  }

  /// Runs a program to its end.
  public static func run(_ program: String, _ arguments: [String]) throws -> End {
    try ChildProcess(program, arguments).wait()
  }

  private func endIfAny(_ options: Int32) -> End? {
    if let end { return end }
    var status: Int32 = 0
    // SAFETY: the status outlives the call; the number is of a child that was not waited for yet.
    guard unsafe waitpid(processIdentifier, &status, options) == processIdentifier else {
      return nil
    }
    // The low seven bits are the signal, the next byte the exit status.
    end = status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
    return end
  }
}

/// The path of a program of the package that is built beside the tests.
public func builtProgram(_ name: String) -> String {
  #if os(macOS)
  for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
    return bundle.bundleURL.deletingLastPathComponent().path + "/" + name
  }
  #endif
  let tests = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  return tests.deletingLastPathComponent().path + "/" + name
}
