import STOLPack

/// A line on the standard error that says what is being done: only on a terminal, and only once the
/// work has taken a second.
final class Progress {
  private let isEnabled: Bool
  private let start = ContinuousClock.now
  private var isShown = false

  init(quiet: Bool) { isEnabled = !quiet && Terminal.isError }

  func show(_ text: @autoclosure () -> String) {
    guard isEnabled, ContinuousClock.now - start > .seconds(1) else { return }
    isShown = true
    writeStandardError("\r\u{1B}[K" + text())
  }

  /// Wipes the line.
  func finish() {
    if isShown { writeStandardError("\r\u{1B}[K") }
  }
}
