#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How many threads of this process run at once: as many as it may use processors.
package func processorCount() -> Int {
  allowedProcessorCount() ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}

/// How many processors this process may use, as the kernel says; nil where it does not.
private func allowedProcessorCount() -> Int? {
  #if os(Linux)
  // What tells them otherwise, `sched_getaffinity`, is hidden from Swift.
  guard let file = try? Descriptor(opening: "/proc/self/status", flags: O_RDONLY),
    let status = try? file.bytes(at: 0, limit: 1 << 16)
  else { return nil }
  for line in status.split(separator: UInt8(ascii: "\n"))
  where line.starts(with: "Cpus_allowed:".utf8) {
    var count = 0
    for byte in line.dropFirst("Cpus_allowed:".utf8.count) {
      count += Character(Unicode.Scalar(byte)).hexDigitValue?.nonzeroBitCount ?? 0
    }
    return count > 0 ? count : nil
  }
  #endif
  return nil
}

/// Calls `body` with 0..<count, each on a thread of its own, and waits for all.
///
/// Where the system grants no thread, the caller's own does that work too.
///
/// - Returns: what each call returned, in their order.
package func inParallel<Result: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
  let results = Locked([Result?](repeating: nil, count: count))
  let run = { @Sendable (number: Int) in
    let result = body(number)
    results.withLock { $0[number] = result }
  }
  var threads: [pthread_t] = []
  var left = [0]
  for number in 1..<max(1, count) {
    if let thread = startThread({ run(number) }) {
      threads.append(thread)
    } else {
      left.append(number)
    }
  }
  for number in left where number < count { run(number) }
  for thread in threads { pthread_join(thread, nil) }
  return results.withLock { $0.compactMap { $0 } }
}

/// A thread that helps the one that starts it.
package struct Helper: ~Copyable {
  private let thread: pthread_t

  /// Starts a thread that runs `body`, or gives nil where the system grants none.
  package init?(_ body: @escaping @Sendable () -> Void) {
    guard let thread = startThread(body) else { return nil }
    self.thread = thread
  }

  /// Waits until it is done.
  package consuming func finish() { pthread_join(thread, nil) }
}

/// What another thread uses until it is done, and its owner only then; whoever lends it sees to that.
package struct Lent<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Starts a thread, or gives nil if the system has none left.
private func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
  // SAFETY: the thread takes over the one reference that is handed to it; where there is no thread
  // it is released here.
  let work = unsafe Unmanaged.passRetained(Work(body))
  #if canImport(Darwin)
  var thread: pthread_t?
  let code = unsafe pthread_create(
    &thread, nil,
    { argument in
      unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }, work.toOpaque())
  #else
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { argument in
      if let argument = unsafe argument {
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
      }
      return nil
    }, work.toOpaque())
  #endif
  guard code == 0 else {
    unsafe work.release()
    return nil
  }
  return thread
}
