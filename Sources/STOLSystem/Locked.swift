#if canImport(Darwin)
import os
#else
import Synchronization
#endif

/// A value that threads share, one of them at a time.
///
/// `Mutex` needs macOS 15 and iOS 18; on Apple's systems this is the lock that their older releases
/// have.
package final class Locked<Value: Sendable>: Sendable {
  #if canImport(Darwin)
  private let lock: OSAllocatedUnfairLock<Value>
  package init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }
  #else
  private let lock: Mutex<Value>
  package init(_ value: Value) { lock = Mutex(value) }
  #endif

  /// Runs `body` on the value, alone; it must not use the same lock.
  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    #if canImport(Darwin)
    lock.withLockUnchecked { body(&$0) }
    #else
    lock.withLock { body(&$0) }
    #endif
  }
}
