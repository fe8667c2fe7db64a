public import STOLSystem
import STOLTrust

#if canImport(Darwin)
import Foundation
#endif

/// Where stol keeps what it makes: `STOL_HOME`, else XDG's data folder, else Application Support.
///
/// Keys that are trusted and the database that answers lie there, so that it must be the user's own:
/// `check()` says whether it is.
public struct DataDirectory: Sendable {
  /// The folder; of one that nobody names, a path at which nothing can be.
  public let path: String
  /// Why there is no folder.
  private let problem: DataDirectoryError?

  /// The folder named by `override`, or by the environment, else in the home of the user.
  public init(override: String? = nil) {
    if let override, !override.isEmpty {
      self.init(path: override)
      return
    }
    if let chosen = environmentValue("STOL_HOME") {
      self.init(path: chosen, named: "STOL_HOME")
      return
    }
    #if canImport(Darwin)
    self.init(path: NSHomeDirectory() + "/Library/Application Support/stol")
    #else
    // XDG: relative paths are to be ignored.
    if let data = environmentValue("XDG_DATA_HOME"), data.hasPrefix("/") {
      self.init(path: data + "/stol")
    } else if let home = environmentValue("HOME") {
      self.init(path: home + "/.local/share/stol", named: "HOME")
    } else if let home = homeFolder(of: effectiveUser) {
      self.init(path: home + "/.local/share/stol")
    } else {
      self.init("/dev/null/stol", .noHome)
    }
    #endif
  }

  /// A folder; one that a variable names must not depend on the current folder.
  private init(path: String, named variable: String? = nil) {
    if let variable, !path.hasPrefix("/") {
      self.init("/dev/null/stol", .relative(variable: variable, path: path))
    } else {
      self.init(path, nil)
    }
  }

  private init(_ path: String, _ problem: DataDirectoryError?) {
    self.path = path
    self.problem = problem
  }

  /// Makes sure that nobody but the user can have put anything there.
  ///
  /// - Throws: `DataDirectoryError` where there is no folder, or it, one above it, or one in it is not to be
  ///   trusted; or a file of keys, of what is installed, or of a reference database.
  /// - Complexity: O(number of files in the folder of databases)
  public func check() throws(DataDirectoryError) {
    if let problem { throw problem }
    let inside = [keys, databases, favorites, journal, media, diagnostics].filter { fileExists($0) }
    for folder in [path] + inside { try Self.require(fault(ofOwnFolder: folder)) }
    var files = [Keyring.path(in: keys)]
    files += [databases, media].map { ReleaseRecord(folder: $0).path }
    files.append(databases + "/" + ReferenceStore.stateName)
    for name in fileNames(inFolder: databases) where ReferenceStore.generation(of: name) != nil {
      let folder = databases + "/" + name
      try Self.require(fault(ofOwnFolder: folder))
      files += [ReferenceStore.databaseName, ReferenceStore.packName].map { folder + "/" + $0 }
    }
    for file in files { try Self.require(fault(ofOwnFile: file)) }
  }

  private static func require(_ fault: FolderFault?) throws(DataDirectoryError) {
    switch fault {
    case .otherOwner(let path, let owner)?: throw .otherOwner(path: path, owner: owner)
    case .writableByOthers(let path)?: throw .writableByOthers(path: path)
    case nil: return
    }
  }

  /// The folder of databases.
  public var databases: String { path + "/Databases" }

  /// The folder of the keys that are trusted.
  public var keys: String { path + "/Keys" }

  /// The folder of favourites.
  public var favorites: String { path + "/Favorites" }

  /// The folder of the journal.
  public var journal: String { path + "/Journal" }

  /// The folder of media packs.
  public var media: String { path + "/Media" }

  /// The file of what was chosen of language and theme.
  public var choices: String { path + "/explorer.txt" }

  /// The folder of the diagnostic log, which is there only where somebody asked for one.
  public var diagnostics: String { path + "/Diagnostics" }
}

/// Why stol cannot keep anything.
public enum DataDirectoryError: Error, Equatable, Sendable {
  /// No variable names a folder, and the user has no home.
  case noHome
  /// A variable names a folder that depends on the current one.
  case relative(variable: String, path: String)
  /// The folder, or the file, is another user's.
  case otherOwner(path: String, owner: UInt32)
  /// Others can put something there, or another folder in its place.
  case writableByOthers(path: String)
}

extension DataDirectoryError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind { .usage }

  /// One line: where, what, and what to do next.
  public var description: String {
    switch self {
    case .noHome:
      "there is no folder to keep anything in: set STOL_HOME to one of your own, or name it with --data-dir"
    case .relative(let variable, let path):
      "\(variable) leads to \(path), which depends on the current folder: set it to a path that begins with /"
    case .otherOwner(let path, let owner):
      "\(path): belongs to user \(owner), who could have put keys and databases there: set STOL_HOME to a folder of your own"
    case .writableByOthers(let path):
      "\(path): others can write there, and so exchange keys and databases: take that away with chmod go-w, or set STOL_HOME to another folder"
    }
  }
}
