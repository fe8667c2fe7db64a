import Foundation

/// Collects what differs, so that one expectation can stand for a million comparisons.
struct Mismatches {
  /// How many comparisons there were.
  private(set) var comparisonCount = 0
  /// How many of them failed.
  private(set) var count = 0
  /// What the first one that failed says, or nil.
  private(set) var first: String?

  /// Notes a mismatch unless `got` equals `expected`.
  mutating func compare<Value: Equatable>(
    _ got: Value, _ expected: Value, _ what: @autoclosure () -> String
  ) {
    comparisonCount += 1
    guard got != expected else { return }
    count += 1
    if first == nil { first = "\(what()): got \(got), expected \(expected)" }
  }

  /// Notes a mismatch unless `condition` holds.
  mutating func require(_ condition: Bool, _ what: @autoclosure () -> String) {
    comparisonCount += 1
    guard !condition else { return }
    count += 1
    if first == nil { first = what() }
  }
}

/// The seeds of the random tests.
///
/// Every run takes new ones, and a failure names its seed; with `STOL_TEST_SEED=seed` in the
/// environment the first case of every test is that one again.
enum TestSeeds {
  private static let base: UInt64 =
    ProcessInfo.processInfo.environment["STOL_TEST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...0xFFFF_FFFF)

  /// `count` seeds in a row.
  static func first(_ count: Int) -> [UInt64] { (0..<UInt64(count)).map { base &+ $0 } }
}
