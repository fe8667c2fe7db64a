#if os(Linux)
import Glibc

/// What the child asks.
enum QueryKind: Int, CaseIterable {
  case complete, search, show, children, relatives, compare
}

/// Counts, latencies, page faults and answers of all queries.
///
/// Everything is allocated at the start, so that keeping the log does not look like memory of the
/// pack.
final class QueryLog {
  /// How many queries were asked.
  private(set) var count = 0
  var pauses: Pauses
  private var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  private var counts = [Int](repeating: 0, count: QueryKind.allCases.count)
  private var most = [Int](repeating: 0, count: QueryKind.allCases.count)
  private var majorFaults = [Int](repeating: 0, count: QueryKind.allCases.count)
  private var minorFaults = [Int](repeating: 0, count: QueryKind.allCases.count)
  private var buckets = [UInt32](
    repeating: 0, count: QueryKind.allCases.count * QueryLog.bucketCount)
  private var usage = rusage()
  private var start = 0

  // A bucket is 1/32 of a power of two wide: 3 % of the latency.
  private static let bucketBits = 5
  private static let bucketCount = 40 << bucketBits

  init(pauses: Pauses) { self.pauses = pauses }

  /// FNV-1a over all answers.
  var checksum: String { String(sum, radix: 16) }

  func begin() {
    getrusage(RUSAGE_SELF.rawValue, &usage)
    start = monotonicNanoseconds()
  }

  func end(_ kind: QueryKind, answer: [UInt8]) {
    let time = monotonicNanoseconds() - start
    let (major, minor) = (usage.ru_majflt, usage.ru_minflt)
    getrusage(RUSAGE_SELF.rawValue, &usage)
    counts[kind.rawValue] += 1
    most[kind.rawValue] = max(most[kind.rawValue], time)
    majorFaults[kind.rawValue] += usage.ru_majflt - major
    minorFaults[kind.rawValue] += usage.ru_minflt - minor
    buckets[kind.rawValue * Self.bucketCount + Self.bucket(time)] += 1
    for byte in answer { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    sum = (sum ^ UInt64(answer.count)) &* 0x100_0000_01B3
    count += 1
    pauses.afterQuery(count)
  }

  /// One member for each kind that was asked.
  var kindsJSON: String {
    let members = QueryKind.allCases.filter { counts[$0.rawValue] > 0 }.map { kind in
      let row = kind.rawValue
      return "\"\(kind)\": {\"count\": \(counts[row]), \"p50_us\": \(percentile(50, row)), "
        + "\"p90_us\": \(percentile(90, row)), \"p99_us\": \(percentile(99, row)), "
        + "\"max_us\": \(Double(most[row]) / 1000), \"major_faults\": \(majorFaults[row]), "
        + "\"minor_faults\": \(minorFaults[row])}"
    }
    return members.joined(separator: ", ")
  }

  private func percentile(_ percent: Int, _ row: Int) -> Double {
    var rest = counts[row] * percent / 100
    for bucket in 0..<Self.bucketCount {
      rest -= Int(buckets[row * Self.bucketCount + bucket])
      if rest < 0 { return Double(Self.nanoseconds(bucket)) / 1000 }
    }
    return Double(most[row]) / 1000
  }

  private static func bucket(_ nanoseconds: Int) -> Int {
    let octave = Int.bitWidth - 1 - max(nanoseconds, 1).leadingZeroBitCount
    guard octave >= bucketBits else { return max(nanoseconds, 0) }
    let fraction = nanoseconds >> (octave - bucketBits) & ((1 << bucketBits) - 1)
    return min((octave - bucketBits + 1) << bucketBits | fraction, bucketCount - 1)
  }

  /// The middle of a bucket.
  private static func nanoseconds(_ bucket: Int) -> Int {
    guard bucket >= 1 << bucketBits else { return bucket }
    let shift = bucket >> bucketBits - 1
    let least = (1 << bucketBits | bucket & ((1 << bucketBits) - 1)) << shift
    return least + (1 << shift) / 2
  }
}

/// Stops at which the parent may take pages of the pack away.
///
/// At each the child writes a dot and reads a byte. On "d" it drops its own mappings of the pack's
/// pages, without which nobody can take them out of the cache, and says so with another dot; on
/// anything else it goes on.
struct Pauses {
  /// The number of queries between two stops; 0 for none.
  let every: Int
  /// Where the pack is mapped.
  var mapping = 0..<0

  init(every: Int) { self.every = every }

  func afterQuery(_ count: Int) {
    guard every > 0, count % every == 0 else { return }
    var byte = UInt8(ascii: ".")
    while true {
      byte = UInt8(ascii: ".")
      guard write(STDOUT_FILENO, &byte, 1) == 1, read(STDIN_FILENO, &byte, 1) == 1
      else { exit(1) }
      guard byte == UInt8(ascii: "d") else { return }
      let start = UnsafeMutableRawPointer(bitPattern: mapping.lowerBound)
      _ = madvise(start, mapping.count, Int32(MADV_DONTNEED))
    }
  }
}
#endif
