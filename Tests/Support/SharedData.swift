import Foundation

/// Data that the repository does not hold: `STOL_TEST_DATA`, else `../shared/data` beside the package.
public enum SharedData {
  private static let root: String = {
    if let chosen = ProcessInfo.processInfo.environment["STOL_TEST_DATA"] { return chosen }
    let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    return package.deletingLastPathComponent().path + "/shared/data"
  }()

  /// Where the file or folder is, if it is there.
  public static func path(_ name: String) -> String { "\(root)/\(name)" }

  /// Whether the file or folder is there.
  public static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }
}
