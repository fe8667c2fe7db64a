import Foundation

/// What calls took, and how it is printed.
package struct Timings {
  private var results: [Result] = []

  package init() {}

  private struct Result {
    var key: String
    var title: String
    var unit: String
    var times: [Double]

    var kinds: [(String, Double)] {
      let count = times.count
      return [
        ("p50", times[count / 2]), ("p90", times[count * 9 / 10]), ("p99", times[count * 99 / 100]),
        ("most", times[count - 1]), ("mean", times.reduce(0, +) / Double(count)),
      ]
    }

    var values: [String: Any] {
      var values: [String: Any] = ["title": title, "unit": unit, "count": times.count]
      for (kind, value) in kinds { values[kind] = value }
      return values
    }

    var line: String {
      let numbers = kinds.map { String(format: "%.2f", $0.1) }
      return title.padded(46) + " " + (["\(times.count)", unit] + numbers).columns
    }
  }

  /// Adds the times of one kind of call.
  package mutating func record(_ key: String, _ title: String, _ unit: String, _ times: [Double]) {
    guard !times.isEmpty else { return }
    results.append(Result(key: key, title: title, unit: unit, times: times.sorted()))
  }

  /// Prints all of them: one JSON object, or a table.
  package func print(asJSON: Bool, title: String) throws {
    if asJSON {
      let values = results.map { ($0.key, $0.values) }
      let json = Dictionary(uniqueKeysWithValues: values) as [String: Any]
      let data = try JSONSerialization.data(withJSONObject: json, options: [.sortedKeys])
      Swift.print(String(decoding: data, as: UTF8.self))
    } else {
      Swift.print(title)
      Swift.print("".padded(46), ["calls", "unit", "p50", "p90", "p99", "most", "mean"].columns)
      for result in results { Swift.print(result.line) }
    }
  }

  /// The time of a call in microseconds.
  package static func time<Answer>(_ call: () throws -> Answer) rethrows -> Double {
    let start = now()
    keep(try call())
    return Double(now() - start) / 1_000
  }

  /// The time of a call that waits, in microseconds.
  package static func time<Answer>(
    isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> Answer
  ) async rethrows -> Double {
    let start = now()
    keep(try await call())
    return Double(now() - start) / 1_000
  }

  /// Nanoseconds.
  package static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Keeps the compiler from leaving out what computes a value.
  @inline(never)
  package static func keep<Value>(_ value: Value) {}
}

extension String {
  fileprivate func padded(_ count: Int) -> String {
    padding(toLength: count, withPad: " ", startingAt: 0)
  }
}

extension [String] {
  fileprivate var columns: String {
    map { String(repeating: " ", count: Swift.max(0, 10 - $0.count)) + $0 }.joined()
  }
}
