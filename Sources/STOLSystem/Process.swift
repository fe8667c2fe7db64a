#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Whether the process has been asked to end, for work that puts things in order first.
///
/// For commands; a library leaves signals alone.
package enum Interruption {
  // SAFETY: written by the handler only, a machine word; a late read only delays the end.
  private nonisolated(unsafe) static var number: CInt = 0

  /// Notes SIGINT, SIGTERM and SIGHUP from now on; a second one ends the process.
  package static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        // SAFETY: as above; `signal` may be called from a handler.
        unsafe Interruption.number = number
        signal(number, SIG_DFL)
      }
    }
  }

  /// The signal that came, or nil.
  package static var received: CInt? {
    // SAFETY: as above.
    let number = unsafe number
    return number == 0 ? nil : number
  }
}

/// How many threads the machine runs at once.
package func processorCount() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

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

/// Runs `body` in a locale in which C libraries take names of files for UTF-8, on this thread only.
package func withUnicodeNames<Result, Failure>(
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  #if canImport(Darwin)
  let name = "UTF-8"
  #else
  let name = "C.UTF-8"
  #endif
  // SAFETY: the locale is made here, in force on this thread up to the end of the call, then freed.
  let locale = unsafe newlocale(LC_CTYPE_MASK, name, nil)
  let before = unsafe uselocale(locale)
  defer {
    unsafe uselocale(before)
    if let locale = unsafe locale { unsafe freelocale(locale) }
  }
  return try body()
}
