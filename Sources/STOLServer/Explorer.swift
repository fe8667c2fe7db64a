public import STOLSystem
public import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals
public import STOLData

/// The explorer: pages about the tree of life, served to a browser on this machine only.
///
/// Listens on the loopback address 127.0.0.1 and nowhere else, asks nothing of any network, and
/// writes nothing but what its visitor tells it to: favourites, an imported database, a log.
public struct Explorer: Sendable {
  /// What is shown, and where.
  public struct Options: Sendable {
    /// Where databases, favourites, images and keys are kept.
    public var directory: DataDirectory
    /// A pack to show in place of the active database.
    public var packPath: String?
    /// The port, 0 for one that is free, or nil for the usual one or the next that is free.
    public var port: Int? = 0
    /// What the page about this program says of its version.
    public var version: String

    /// The usual settings.
    public init(directory: DataDirectory, version: String) {
      self.directory = directory
      self.version = version
    }
  }

  /// The port on which the explorer is found unless another is asked for, so that a bookmark leads back.
  public static let usualPort = 7865
  /// As many ports from the usual one on are tried before any that is free.
  static let triedPortCount = 16

  /// Why the server cannot listen.
  public enum Failure: StolError, Equatable {
    /// Another program listens on this port.
    case portIsTaken(Int)
    /// The system does not let this user listen on this port.
    case portIsReserved(Int)

    /// What kind of trouble it is.
    public var kind: ErrorKind { .usage }

    /// One line: what is wrong, and what to do.
    public var description: String {
      switch self {
      case .portIsTaken(let port):
        "port \(port) is taken; choose another, or none for the next that is free"
      case .portIsReserved(let port):
        "port \(port) is reserved by the system; choose one from 1024 on, or none"
      }
    }
  }

  /// As many connections are served at once; others wait until one ends.
  static let greatestConnectionCount = 512

  private let options: Options
  private let services: Services

  /// Opens what is shown.
  ///
  /// - Throws: what keeps the database from opening.
  /// - Complexity: O(1) and O(number of favourites), unless a pack has to be compiled.
  public init(_ options: Options) throws {
    self.options = options
    services = try Services(options)
  }

  /// A line that says why favourites cannot be kept, or nil; all else is shown without them.
  public var favoritesFailure: String? {
    services.favoritesFailure.map { "favourites cannot be kept: \($0.description)" }
  }

  /// Serves until the process is told to end by SIGINT or SIGTERM.
  ///
  /// - Parameter onReady: called once with the address to open, as in "http://127.0.0.1:7865/".
  /// - Throws: `Failure`, or what else keeps the server from listening.
  public func run(onReady: @escaping @Sendable (_ address: String) -> Void) async throws {
    if let port = options.port { return try await run(on: port, onReady) }
    for port in Self.usualPort..<Self.usualPort + Self.triedPortCount {
      do {
        return try await run(on: port, onReady)
      } catch Failure.portIsTaken {}
    }
    try await run(on: 0, onReady)
  }

  private func run(
    on wanted: Int, _ onReady: @escaping @Sendable (_ address: String) -> Void
  ) async throws {
    let guardian = RequestGuard()
    var logger = Logger(label: "stol.server", factory: { _ in SwiftLogNoOpLogHandler() })
    logger.logLevel = .critical
    let pages = Pages(services: services, token: guardian.token)
    let application = Application(
      responder: ExplorerResponder(guardian: guardian, pages: pages),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [RequestDeadline()], idleTimeout: RequestDeadline.idleLimit,
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 64))),
      configuration: .init(
        address: .hostname("127.0.0.1", port: wanted), serverName: nil,
        availableConnectionsDelegate: .maximum(Self.greatestConnectionCount, logger: logger)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? wanted
        guardian.listen(on: port)
        onReady("http://127.0.0.1:\(port)/")
      },
      logger: logger)
    // Whoever interrupts need not wait for a client that is slow.
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(1)
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await ServiceGroup(configuration: configuration).run())
    } catch {
      outcome = .failure(error)
    }
    await pages.imports.end()
    await pages.mediaInstalls.end()
    await pages.services.uploads.drop()
    do {
      try outcome.get()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw Failure.portIsTaken(wanted)
    } catch let error as IOError where error.errnoCode == EACCES {
      throw Failure.portIsReserved(wanted)
    }
  }
}

extension Explorer.Failure: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}
