import STOLPack

#if os(Linux)
import Glibc

/// A child at a screen, played over a pack: `Child PACK SEED QUERIES [PAUSE]`.
///
/// Prints one JSON object: latencies and page faults by kind of query, memory before and after, and a
/// checksum of all answers, which depends on pack, seed and number only. With PAUSE it stops after
/// every so many queries and lets its parent take pages of the pack away: see `Pauses`.
@main
struct Child {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count > 3, let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else {
      print("usage: Child PACK SEED QUERIES [PAUSE]")
      exit(64)
    }
    guard let memory = MemoryReader(path: arguments[1]) else {
      fail("cannot read \(arguments[1])")
    }
    let log = QueryLog(pauses: Pauses(every: arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0))
    // Twice, so that what the reader itself allocates is there before it counts.
    _ = memory.snapshot()
    let before = memory.snapshot()
    do {
      let start = monotonicNanoseconds()
      let pack = try Pack(path: arguments[1])
      let openTime = monotonicNanoseconds() - start
      let opened = memory.snapshot()
      log.pauses.mapping = opened.mapping
      var player = Player(pack, log: log, seed: seed)
      player.play(queries: count / 10)
      let tenth = memory.snapshot()
      player.play(queries: count)
      let after = memory.snapshot()
      var json = "{\"taxa\": \(pack.taxonCount), \"pack_bytes\": \(pack.byteCount), "
      json += "\"seed\": \(seed), \"queries\": \(log.count), \"checksum\": \"\(log.checksum)\", "
      json += "\"open_us\": \(openTime / 1000), \"page_bytes\": \(memory.pageByteCount), "
      json += "\"pack_pages\": \(memory.packPageCount), "
      json += "\"cached_pages\": \(memory.cachedPageCount(in: after.mapping)), "
      json += "\"peak_rss_kb\": \(memory.peakResidentKilobytes()), "
      json += "\"memory\": {\"before\": \(before.json), \"opened\": \(opened.json), "
      json += "\"tenth\": \(tenth.json), \"after\": \(after.json)}, "
      json += "\"kinds\": {\(log.kindsJSON)}}"
      print(json)
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ message: String) -> Never {
    let line = Array("Child: \(message)\n".utf8)
    line.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
  }
}

/// The monotonic clock, in nanoseconds.
func monotonicNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
#else
@main
struct Child {
  static func main() { print("Child reads /proc, which only Linux has") }
}
#endif
