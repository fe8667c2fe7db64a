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
