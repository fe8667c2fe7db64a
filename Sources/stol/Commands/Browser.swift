import Foundation
import STOLSystem

/// The browser that a person has chosen.
enum Browser {
  /// Opens an address; where there is no browser, says so and goes on.
  static func open(_ address: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    #if os(macOS)
    process.arguments = ["open", address]
    #else
    process.arguments = ["xdg-open", address]
    #endif
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { process in
      if process.terminationStatus != 0 { complain(address) }
    }
    do { try process.run() } catch { complain(address) }
  }

  private static func complain(_ address: String) {
    writeStandardError("stol: no browser was found; open \(address) yourself\n")
  }
}
