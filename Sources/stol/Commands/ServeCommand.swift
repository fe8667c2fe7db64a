import STOLSystem
import ArgumentParser
import Dispatch
import STOLAnswers
import STOLData
import STOLServer

/// The command `stol serve`.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Look at the tree of life in a browser, offline.",
    discussion: """
      Serves pages to a browser on this computer, and to nobody else, until it is interrupted. \
      Nothing is sent anywhere.

        stol serve --open
        stol serve --port 8080
        stol serve --pack TAXA.stolpack
      """)

  @Option(
    help: ArgumentHelp(
      "The port to listen on; 0 takes any that is free (default: \(Explorer.usualPort), or the next that is free).",
      valueName: "n"))
  var port: Int?

  @Flag(help: "Open the browser.")
  var open = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @OptionGroup var location: LocationOptions

  func validate() throws {
    guard port.map((0...65535).contains) ?? true else {
      throw ValidationError("--port is 0 to 65535; 0 takes one that is free")
    }
  }

  func run() throws {
    var options = Explorer.Options(
      directory: try location.home.directory, version: Stol.configuration.version)
    options.packPath = location.namedPack
    options.port = port
    if options.packPath == nil {
      // The first time, the built-in taxonomy is prepared, which is said on the standard error.
      _ = try location.open(removingWhenInterrupted: false)
    }
    let explorer = try about(options.packPath ?? options.directory.path) { try Explorer(options) }
    if let failure = explorer.favoritesFailure {
      writeStandardError("stol: \(Escaping.terminal(failure))\n")
    }
    let (open, quiet, isUsual) = (open, quiet, port == nil)
    let outcome = Locked<Result<Void, any Error>>(.success(()))
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        try await explorer.run { address in
          if !quiet { Self.announce(address, isUsual: isUsual) }
          if open { Browser.open(address) }
        }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
      ended.signal()
    }
    ended.wait()
    try outcome.withLock { $0 }.get()
  }

  private static func announce(_ address: String, isUsual: Bool) {
    // Before the address, which a program may wait for.
    if isUsual, !address.hasSuffix(":\(Explorer.usualPort)/") {
      writeStandardError(
        "stol: port \(Explorer.usualPort) is taken; \(address) is the next that is free\n")
    }
    try? writeText("\(address)\n")
    if Terminal.isError { writeStandardError("Press Ctrl-C to end.\n") }
  }
}
