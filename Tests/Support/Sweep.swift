import Foundation

/// How many cases a sweep takes: few in every run, a tenth of all by `Tools/test --long`, all of them
/// by `Tools/test --long --full`.
public enum Sweep {
  private static let extent = ProcessInfo.processInfo.environment["STOL_SWEEP"]

  /// Whether this is a run of the sweeps alone: what every run tries whole need not be tried in it.
  public static let isAlone = extent != nil

  /// The number of cases of this run.
  public static func count(few: Int, full: Int) -> Int {
    switch extent {
    case "tenth": max(few, full / 10)
    case "full": full
    default: few
    }
  }
}
