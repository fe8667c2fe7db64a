#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A locale in which C libraries take names of files for UTF-8, made once: it costs more than what is done
/// in it; nil where the system has none.
// SAFETY: made once, before any thread has it, and neither changed nor freed.
nonisolated(unsafe) private let unicodeNames: locale_t? = {
  #if canImport(Darwin)
  let name = "UTF-8"
  #else
  let name = "C.UTF-8"
  #endif
  return unsafe newlocale(LC_CTYPE_MASK, name, nil)
}()

/// Runs `body` in a locale in which C libraries take names of files for UTF-8, on this thread only.
package func withUnicodeNames<Result, Failure>(
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  // SAFETY: the locale lives as long as the process, and is in force up to the end of the call.
  let before = unsafe uselocale(unicodeNames)
  defer { unsafe uselocale(before) }
  return try body()
}
