import Foundation

/// Commands that tests start and wait for.
public enum Shell {
  /// Runs a program and waits for its end.
  ///
  /// Not by Foundation's `Process`, which on Linux may miss the end of one of two programs that are
  /// started at the same time, and then waits for ever.
  ///
  /// - Returns: its exit status; 0 is success.
  public static func run(_ program: String, _ arguments: [String]) -> Int32 {
    let words = ([program] + arguments).map { word in
      "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
    // SAFETY: the command is a NUL-terminated copy for the length of the call.
    return unsafe system(words.joined(separator: " "))
  }
}
