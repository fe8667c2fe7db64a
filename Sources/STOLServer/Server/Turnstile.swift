/// Lets one in after another, in the order in which they came.
actor Turnstile {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// What `body` makes when its turn comes.
  ///
  /// - Throws: what `body` throws.
  nonisolated func run<Value: Sendable>(
    _ body: () async throws -> Value
  ) async rethrows -> Value {
    await enter()
    do {
      let value = try await body()
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
