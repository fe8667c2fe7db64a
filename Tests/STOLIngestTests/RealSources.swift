import Foundation
import TestSupport
import STOLSystem

/// Real sources: those of `SharedData`, the folder `reference`.
enum RealSources {
  static let root = SharedData.path("reference")

  static func path(_ name: String) -> String { "\(root)/\(name)" }

  static func isAvailable(_ name: String) -> Bool { SharedData.has("reference/" + name) }

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
