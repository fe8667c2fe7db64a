import STOLPack
import Foundation
public import STOLData

/// A plain text for whoever helps with a problem: versions, figures of the databases, lines of the
/// log, and nothing about a person.
///
/// There are no paths, no names that were searched, no ids, no favourites but the bytes they take.
public struct DiagnosticReport: Sendable {
  /// The text.
  public let text: String

  /// Makes the report.
  ///
  /// - Parameters:
  ///   - version: of the app.
  ///   - database: the active database in figures, or nil where none can be opened.
  ///   - storage: what is stored.
  ///   - isLogging: whether the log is on.
  ///   - lines: the lines of the log.
  public init(
    version: String, database: DatabaseConfig?, storage: [StoredPart], isLogging: Bool,
    lines: [String]
  ) {
    var rows: [(String, String)] = [
      ("version", version), ("pack format", "\(Pack.formatVersion)"), ("system", Self.system),
    ]
    if let database {
      rows.append(("database", Self.name(of: database.source)))
      rows.append(("schema", "\(database.schemaVersion)"))
      rows.append(("taxa", "\(database.taxaCount)"))
    } else {
      rows.append(("database", "cannot be opened"))
    }
    for part in storage { rows.append((part.kind.rawValue, "\(part.byteCount) bytes")) }
    rows.append(("log", isLogging ? "\(lines.count) lines" : "off"))
    let width = rows.map(\.0.count).max() ?? 0
    let head = rows.map { "\($0.padding(toLength: width + 2, withPad: " ", startingAt: 0))\($1)" }
    // Lines that came from a file may hold anything.
    let safe = lines.map { Redaction.redact($0) }
    text = ((["stol diagnostics", ""] + head + [""] + safe).joined(separator: "\n")) + "\n"
  }

  private static func name(of source: DatabaseSource) -> String {
    switch source {
    case .bundled: "built-in"
    case .reference(let reference): "reference, release \(reference.releaseNumber)"
    case .file: "a pack of its own"
    }
  }

  /// System, version and processor, without the name of the machine.
  private static var system: String {
    #if os(Linux)
    let name = "Linux"
    #elseif os(macOS)
    let name = "macOS"
    #elseif os(iOS)
    let name = "iOS"
    #else
    let name = "another system"
    #endif
    #if arch(x86_64)
    let processor = "x86_64"
    #elseif arch(arm64)
    let processor = "arm64"
    #else
    let processor = "another processor"
    #endif
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return "\(name) \(version.majorVersion).\(version.minorVersion), \(processor)"
  }
}
