public import Logging

#if canImport(os)
import os
#endif

/// Sends what the services log to a `DiagnosticLog`, and on Apple's systems to the system's log.
///
/// Give the services loggers made by `logger(for:)`, or install the handler for all of them:
///
///     LoggingSystem.bootstrap { DiagnosticLogHandler(label: $0, log: log) }
public struct DiagnosticLogHandler: LogHandler {
  /// The subsystem that the system's log knows us by.
  public static let subsystem = "com.species.treeoflife"

  /// What is added to each line; never kept.
  public var metadata: Logging.Logger.Metadata = [:]
  /// The least level that is kept: in release builds errors only.
  public var logLevel: Logging.Logger.Level
  private let category: DiagnosticLog.Category
  private let log: DiagnosticLog
  #if canImport(os)
  private let system: os.Logger
  #endif

  /// A handler for a logger such as "stol.db", whose last part is the category.
  public init(label: String, log: DiagnosticLog) {
    self.log = log
    let name = label.split(separator: ".").last.map(String.init) ?? ""
    category = DiagnosticLog.Category(rawValue: name) ?? .ui
    #if DEBUG
    logLevel = .debug
    #else
    logLevel = .error
    #endif
    #if canImport(os)
    system = os.Logger(subsystem: Self.subsystem, category: category.rawValue)
    #endif
  }

  /// A logger whose lines go to `log`.
  public static func logger(
    for category: DiagnosticLog.Category, log: DiagnosticLog
  ) -> Logging.Logger {
    let label = "stol.\(category.rawValue)"
    return Logging.Logger(label: label) { _ in DiagnosticLogHandler(label: label, log: log) }
  }

  /// The metadata under one key.
  public subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Keeps an event.
  public func log(event: LogEvent) {
    log.record(category, event.level.rawValue, event.message.description)
    #if canImport(os)
    let line = Redaction.redact(event.message.description)
    switch event.level {
    case .error, .critical: system.error("\(line, privacy: .private)")
    default: system.debug("\(line, privacy: .private)")
    }
    #endif
  }
}
