#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
