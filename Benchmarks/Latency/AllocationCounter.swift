#if os(Linux)
import Glibc
import Synchronization

/// Counts the objects, buffers of arrays and strings among them, that the Swift runtime allocates.
enum AllocationCounter {
  private typealias Function = @convention(c) @Sendable (Int, Int, Int) -> Int

  private static let counter = Atomic<Int>(0)
  private nonisolated(unsafe) static var original: Function = { _, _, _ in 0 }
  private nonisolated(unsafe) static var flag: UnsafeMutableRawPointer?

  static var count: Int { counter.load(ordering: .relaxed) }

  /// Puts a counting function where the runtime looks for one, as instruments do.
  static func start() -> Bool {
    _ = count
    guard let place = dlsym(nil, "_swift_allocObject"),
      let symbol = dlsym(
        nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")
    else { return false }
    flag = symbol
    original = place.load(as: Function.self)
    place.storeBytes(of: counted, as: Function.self)
    return true
  }

  private static let counted: Function = { type, size, alignment in
    counter.add(1, ordering: .relaxed)
    // The runtime would go on to call replaced functions for retain and release too, of which the
    // original ones do not work in Swift 6.3.
    flag?.storeBytes(of: false, as: Bool.self)
    return original(type, size, alignment)
  }
}
#endif
