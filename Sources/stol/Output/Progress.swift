import ArgumentParser
import STOLSystem

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

  /// Shows how much of some work is done.
  func share(of work: String) -> (_ done: Int, _ total: Int) -> Void {
    { done, total in self.show("\(work): \(done * 100 / max(total, 1)) %") }
  }

  /// Shows a step of work that can be cancelled.
  ///
  /// - Throws: `CancellationError` once the command was interrupted.
  func step(_ text: @autoclosure () -> String) throws {
    if Interruption.received != nil { throw CancellationError() }
    show(text())
  }

  /// Runs work that changes nothing before its end; an interruption ends it with exit code 130.
  static func interruptible<Result>(
    quiet: Bool, _ name: String = "import", _ work: (Progress) throws -> Result
  ) throws -> Result {
    Interruption.watch()
    let progress = Progress(quiet: quiet)
    defer { progress.finish() }
    do {
      return try work(progress)
    } catch is CancellationError {
      progress.finish()
      writeStandardError("stol: \(name) cancelled; nothing has changed\n")
      throw ExitCode(130)
    }
  }

  /// Wipes the line.
  func finish() {
    if isShown { writeStandardError("\r\u{1B}[K") }
  }
}
