import Dispatch
import STOLSystem

/// Tells those who listen what happens to a journal, whoever does it.
///
/// While somebody listens, it asks the file twice a second whether anybody has changed it; while nobody does, it
/// does nothing.
final class ChangeWatcher: Sendable {
  private struct Listener {
    let continuation: AsyncStream<JournalChange>.Continuation
    /// The last batch that it is not told of.
    let after: Int64
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var listenerCount = 0
    /// How far the listeners have been told.
    var seen: SeenChanges?
    var asking: Task<Void, Never>?
  }

  private let file: JournalFile
  private let state = Locked(State())
  /// Where what happens is looked at, one look after another.
  private let queue = DispatchQueue(label: "stol.journal.changes")
  private static let period = Duration.milliseconds(500)

  init(_ file: JournalFile) { self.file = file }

  deinit {
    let (listeners, asking) = state.withLock {
      ($0.listeners.values.map(\.continuation), $0.asking)
    }
    asking?.cancel()
    for listener in listeners { listener.finish() }
  }

  /// Whether it asks the file again and again.
  var isAsking: Bool { state.withLock { $0.asking != nil } }

  /// What happens from now on, until the stream is dropped.
  func stream() -> AsyncStream<JournalChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: JournalChange.self)
    queue.sync {
      // What others are told of next, this one may have seen.
      let now = (try? file.changes(since: nil))?.seen
      let number = state.withLock { state in
        state.listenerCount += 1
        state.listeners[state.listenerCount] = Listener(
          continuation: continuation, after: now?.batch ?? 0)
        if state.asking == nil { (state.seen, state.asking) = (now, ask()) }
        return state.listenerCount
      }
      continuation.onTermination = { [weak self] _ in self?.forget(number) }
    }
    return stream
  }

  /// Looks soon, as something has happened.
  func look() {
    guard isAsking else { return }
    queue.async { [weak self] in self?.tell() }
  }

  private func ask() -> Task<Void, Never> {
    Task.detached(priority: .utility) { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.period)
        self?.look()
      }
    }
  }

  /// Tells the listeners what has happened since they were told last.
  private func tell() {
    let seen = state.withLock { $0.seen }
    // What cannot be read now is looked at again.
    guard let (changes, now) = try? file.changes(since: seen) else { return }
    // Nobody knew how far things were when the first one began to listen.
    let news = seen == nil ? [.unknown] : changes
    let listeners = state.withLock { state in
      state.seen = now
      return Array(state.listeners.values)
    }
    for listener in listeners {
      for change in news where change.batch.map({ $0 > listener.after }) ?? true {
        listener.continuation.yield(change)
      }
    }
  }

  private func forget(_ number: Int) {
    state.withLock { state in
      state.listeners[number] = nil
      guard state.listeners.isEmpty else { return }
      state.asking?.cancel()
      (state.asking, state.seen) = (nil, nil)
    }
  }
}
