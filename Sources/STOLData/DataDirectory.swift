import STOLSystem

#if canImport(Darwin)
import Foundation
#endif

/// Where stol keeps what it makes: `STOL_HOME`, else XDG's data folder, else Application Support.
public struct DataDirectory: Sendable {
  /// The folder.
  public let path: String

  /// The folder named by `override`, or by the environment.
  public init(override: String? = nil) {
    if let chosen = override ?? environmentValue("STOL_HOME"), !chosen.isEmpty {
      path = chosen
      return
    }
    #if canImport(Darwin)
    path = NSHomeDirectory() + "/Library/Application Support/stol"
    #else
    // XDG: relative paths are to be ignored.
    if let data = environmentValue("XDG_DATA_HOME"), data.hasPrefix("/") {
      path = data + "/stol"
    } else {
      path = (environmentValue("HOME") ?? "/tmp") + "/.local/share/stol"
    }
    #endif
  }

  /// The folder of databases.
  public var databases: String { path + "/Databases" }

  /// The folder of the keys that are trusted.
  public var keys: String { path + "/Keys" }

  /// The folder of favourites.
  public var favorites: String { path + "/Favorites" }

  /// The folder of media packs.
  public var media: String { path + "/Media" }

  /// The folder of the diagnostic log, which is there only where somebody asked for one.
  public var diagnostics: String { path + "/Diagnostics" }
}
