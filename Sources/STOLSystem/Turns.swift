/// The order in which threads hand on what they have made of blocks of work.
///
/// A thread whose block is not the next one leaves its bytes here, to be handed on in their turn; where much
/// lies here already, it waits, so that memory is bounded.
package final class Turns: Sendable {
  /// Another thread has failed; what it threw is in `failure`.
  package struct GivenUp: Error { package init() {} }

  private struct State {
    /// The block that is handed on next.
    var next = 0
    /// What was left here, by block.
    var finished: [Int: [UInt8]] = [:]
    /// Memory to use again.
    var spare: [[UInt8]] = []
    var failure: (any Error)?
  }

  private let state = Monitor(State())
  /// How many blocks may lie here.
  private let capacity: Int

  /// - Parameter capacity: how many blocks may be left to others to hand on.
  package init(capacity: Int) { self.capacity = capacity }

  /// What ended the work before its time.
  package var failure: (any Error)? { state.withLock { $0.failure } }

  /// Ends the work, unless something else has.
  package func fail(_ error: any Error) {
    state.withLock { state in
      if state.failure == nil { state.failure = error }
    }
    state.wakeAll()
  }

  /// Whether everything before a block has been handed on.
  ///
  /// - Throws: `GivenUp`
  package func isNext(_ block: Int) throws -> Bool {
    try state.withLock { state in
      guard state.failure == nil else { throw GivenUp() }
      return state.next == block
    }
  }

  /// Waits until everything before a block has been handed on.
  ///
  /// - Throws: `GivenUp`
  package func wait(for block: Int) throws {
    try state.wait(until: { $0.next == block || $0.failure != nil }) { state in
      guard state.failure == nil else { throw GivenUp() }
    }
  }

  /// Hands on what is left of a block and all that follows it here, or leaves it here; `bytes` are empty then.
  ///
  /// - Parameters:
  ///   - block: the number of the block; each is finished once.
  ///   - bytes: what has not been handed on of it.
  ///   - write: hands bytes on and empties them.
  /// - Throws: `GivenUp`, or what `write` throws.
  package func finish(
    _ block: Int, _ bytes: inout [UInt8], _ write: (inout [UInt8]) throws -> Void
  ) throws {
    let isNext = try state.wait(
      until: { $0.next == block || $0.finished.count < capacity || $0.failure != nil }
    ) { state in
      guard state.failure == nil else { throw GivenUp() }
      guard state.next != block else { return true }
      var empty = state.spare.popLast() ?? []
      swap(&empty, &bytes)
      state.finished[block] = empty
      return false
    }
    guard isNext else { return }
    var isMore = true
    while isMore {
      try write(&bytes)
      isMore = state.withLock { state in
        state.next += 1
        guard var following = state.finished.removeValue(forKey: state.next) else { return false }
        swap(&following, &bytes)
        state.spare.append(following)
        return true
      }
      state.wakeAll()
    }
  }
}
