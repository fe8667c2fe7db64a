import Foundation
import TestSupport
import STOLSystem

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

  static func path(_ name: String) -> String { "\(root)/\(name)" }

  static func isAvailable(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: path(name)), encoding: .utf8)
  }

  /// What a Python program prints, line by line.
  static func lines(ofPython program: String, _ arguments: String...) throws -> [String] {
    let folder = try TemporaryFolder()
    let output = try folder.write([], to: "output")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    let child = try ChildProcess(
      "/usr/bin/env", ["python3", "-c", program] + arguments, output: handle)
    guard child.wait() == .status(0) else { throw CocoaError(.executableLoad) }
    return String(decoding: try folder.bytes(of: "output"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}
