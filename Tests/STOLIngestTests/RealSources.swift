import Foundation

/// Real sources, which the repository does not hold: in `STOL_TEST_DATA`, else `../shared/data` beside
/// the package, the folder `reference`.
enum RealSources {
  static let root: String = {
    if let chosen = ProcessInfo.processInfo.environment["STOL_TEST_DATA"] {
      return chosen + "/reference"
    }
    let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    return package.deletingLastPathComponent().path + "/shared/data/reference"
  }()

  static func isAvailable(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(root)/\(name)")
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: "\(root)/\(name)"), encoding: .utf8)
  }
}
