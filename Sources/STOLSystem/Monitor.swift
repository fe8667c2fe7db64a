#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A value that threads share, one of them at a time; one may wait for what others make of it.
///
/// Where nobody has to wait for more than the lock, `Locked` is enough.
@safe
package final class Monitor<Value: ~Copyable>: @unchecked Sendable {
  // SAFETY: both are made in `init`, never moved, and destroyed in `deinit`, when no thread has the monitor.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  // SAFETY: read and written by the thread alone that has locked the mutex.
  private nonisolated(unsafe) var value: Value

  package init(_ value: consuming sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
    unsafe self.value = value
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` on the value, alone; it must not use the same monitor.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value)
  }

  /// Waits until `condition` holds, and runs `body` on the value, alone.
  package func wait<Result>(
    until isReached: (borrowing Value) -> Bool, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while unsafe !isReached(value) { unsafe pthread_cond_wait(condition, mutex) }
    return try unsafe body(&value)
  }

  /// Lets all that wait look again.
  package func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}
