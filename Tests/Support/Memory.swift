import Foundation

/// What this process takes.
public enum Memory {
  /// The most that it ever had, in kilobytes; 0 where the system does not say.
  public static func peakKilobytes() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
