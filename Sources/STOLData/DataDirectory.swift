import Foundation

/// Where stol keeps what it makes: `STOL_HOME`, else XDG's data folder, else Application Support.
public struct DataDirectory: Sendable {
  /// The folder.
  public let path: String

  /// The folder named by `override`, or by the environment.
  public init(override: String? = nil) {
    let environment = ProcessInfo.processInfo.environment
    if let chosen = override ?? environment["STOL_HOME"], !chosen.isEmpty {
      path = chosen
      return
    }
    #if canImport(Darwin)
    path = NSHomeDirectory() + "/Library/Application Support/stol"
    #else
    // XDG: relative paths are to be ignored.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      path = data + "/stol"
    } else {
      path = (environment["HOME"] ?? "/tmp") + "/.local/share/stol"
    }
    #endif
  }

  /// The folder of databases.
  public var databases: String { path + "/Databases" }
}
