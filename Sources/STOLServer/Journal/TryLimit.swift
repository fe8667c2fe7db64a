import STOLSystem

/// Slows whoever tries passphrases: after some wrong ones nothing is tried for a while, and longer each time.
final class TryLimit: Sendable {
  /// As many wrong ones cost nothing but the time that each takes.
  static let freeCount = 3
  /// The longest wait.
  static let longestWait = Duration.seconds(60)

  private struct State {
    var failedCount = 0
    /// When something is tried again.
    var until: Duration?
  }

  private let state = Locked(State())
  private static let beginning = ContinuousClock.now

  /// How long it has been since the first time that somebody asked.
  static var now: Duration { ContinuousClock.now - beginning }

  /// How many seconds nothing is tried from now on; nil where it may be.
  func wait(at now: Duration = TryLimit.now) -> Int? {
    state.withLock { state in
      guard let until = state.until, until > now else { return nil }
      return Int((until - now).components.seconds) + 1
    }
  }

  /// Notes a wrong one.
  func failed(at now: Duration = TryLimit.now) {
    state.withLock { state in
      state.failedCount += 1
      let excess = state.failedCount - Self.freeCount
      guard excess >= 0 else { return }
      let wait = min(Duration.seconds(1 << min(excess + 1, 6)), Self.longestWait)
      state.until = now + wait
    }
  }

  /// Notes the right one.
  func succeeded() { state.withLock { $0 = State() } }
}
